"""What an adapter tells: its library, and of each real call what runs and frames it."""

import importlib
import importlib.metadata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from resizelab.checks import nearest_match, one_of

Adapter = TypeVar("Adapter", bound=Callable[..., Any])
Array = NDArray[Any]
Arguments = Mapping[str, Any]
Shape = tuple[int, ...] | None
Scale = tuple[float, ...] | None
Sizes = tuple[int, ...]
Factors = tuple[float, ...]

ANY_RANK = (1, 32)
# The spatial axes of the modes of torch, and of those that took their names.
MODE_AXES = {"linear": 1, "bilinear": 2, "bicubic": 2, "lanczos": 2, "trilinear": 3}


def unchanged(arguments: Arguments, shape: tuple[int, ...]) -> Arguments:
    """Return the arguments as they are: none of them belongs to one axis."""
    return arguments


@dataclass(frozen=True)
class Call:
    """One real call: an adapter's function, and what frames it.

    The function takes an array, what it is resized to, and the call's own arguments
    by name. The array is (batch, *spatial axes), or one entry of the batch after the
    other where ``each`` is set, with an axis of one ``channel`` where the call wants
    one. What it is resized to says ``takes``: ``sizes``; ``factors``, n_out / n_in
    where none are given; ``both``; or ``either``, and then whether they are factors.
    """

    name: str
    function: Callable[..., Any]
    takes: Literal["sizes", "factors", "both", "either"] = "sizes"
    each: bool = False
    channel: int | None = None  # where the axis of one channel stands
    axes: tuple[int, int] = (2, 2)  # fewest, most spatial axes
    mode_axes: Mapping[str, int] = field(default_factory=dict)  # of some modes
    probe: int = 2  # spatial axes that `matrix` uses where the call leaves a choice
    kept: int = 3  # odd size of the axes that `matrix` keeps
    rows: bool = False  # no batch axis: the basis vectors are the rows of one image
    dtype: str = "float32"  # of the basis vectors
    levels: tuple[float, float] = (0.0, 1.0)  # their dark and their lit pixels
    scale_keys: tuple[str, ...] = ()  # arguments that are a scale, in array order
    scale_sizes: bool = True  # that scale fixes the output sizes too
    probe_arguments: Callable[[Arguments, tuple[int, ...]], Arguments] = unchanged

    def ranks(self, arguments: Arguments) -> tuple[int, int]:
        """Return the fewest and the most spatial axes that it works on."""
        own = self.mode_axes.get(arguments.get("mode", ""))
        return self.axes if own is None else (own, own)

    def run(self, arguments: Arguments, x: Array, shape: Shape, scale: Scale) -> Array:
        """Run it on a batch, to the sizes ``shape`` or by one ``scale`` an axis."""
        if self.takes == "sizes" and scale is not None:
            raise ValueError(f"{self.name} takes sizes, not a scale; got scale={scale}")
        if self.takes in ("sizes", "both") and shape is None:
            raise ValueError(f"{self.name} takes sizes, not a scale: give shape")
        factors = scale
        if factors is None and self.takes in ("factors", "both"):
            factors = ratio(x, shape or ())
        target = {
            "sizes": (shape,),
            "factors": (factors,),
            "both": (shape, factors),
            "either": (shape if scale is None else scale, scale is not None),
        }[self.takes]
        if self.channel is not None:
            x = np.expand_dims(x, self.channel)
        if self.each:
            made = [np.asarray(self.function(a, *target, **arguments)) for a in x]
            return np.stack(made)
        y = np.asarray(self.function(x, *target, **arguments))
        return y if self.channel is None else y.squeeze(self.channel)


def flagged(
    options: Arguments, parameter: str, owner: Any, names: Iterable[str]
) -> dict[str, Any]:
    """Return the options, the flag of ``owner`` in the place of its name.

    >>> import string
    >>> flagged({"letters": "digits"}, "letters", string, ["digits", "hexdigits"])
    {'letters': '0123456789'}
    """
    value = options.get(parameter)
    if not isinstance(value, str):
        return dict(options)
    return {**options, parameter: getattr(owner, one_of(parameter, value, names))}


def ratio(x: Array, shape: Sequence[int]) -> tuple[float, ...]:
    """Return n_out / n_in of each spatial axis of a batch, in float64."""
    return tuple(m / n for n, m in zip(x.shape[1:], shape, strict=True))


def freeze(value: Any) -> Any:
    """Return a hashable copy of JSON-like arguments, for use as a cache key.

    >>> freeze({"scale": [1, 2]})
    (('scale', (1, 2)),)
    """
    if isinstance(value, Mapping):
        return tuple(sorted((key, freeze(item)) for key, item in value.items()))
    if isinstance(value, (list, tuple)):
        return tuple(freeze(item) for item in value)
    return value


class EngineMissing(ImportError):  # noqa: N818 (it says what happened)
    """The library that a convention describes is not installed here."""


MORE = "more-engines"
LIBRARIES: dict[str, "Library"] = {}  # by name


@dataclass(frozen=True)
class Library:
    """One library: its name, what Python imports, what pip installs, its calls.

    An adapter makes it, which makes it known, and gives it the calls.
    """

    name: str
    module: str  # what the adapter imports
    pip: str  # what a reader installs
    other_wheels: tuple[str, ...] = ()  # the same library under other pip names
    extra: str = "engines"  # our own extra that brings it
    calls: dict[str, Call] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        LIBRARIES[self.name] = self

    def call(self, name: str, **facts: Any) -> Callable[[Adapter], Adapter]:
        """Decorate the function that runs a real call; ``facts`` are those of Call."""

        def register(function: Adapter) -> Adapter:
            self.calls[name] = Call(name, function, **facts)
            return function

        return register

    def load(self, module: str) -> Any:
        """Import one of its modules, else EngineMissing with the pip line."""
        return load(module, self.name)


def library(name: str) -> Library:
    """Return the record of one library, else LookupError with the nearest name.

    >>> library("opencv").module
    'cv2'
    """
    if name not in LIBRARIES:
        listed = ", ".join(repr(known) for known in LIBRARIES)
        raise LookupError(
            f"library must be one of {listed}; got {name!r}"
            f"{nearest_match(name, LIBRARIES)}"
        )
    return LIBRARIES[name]


def load(module: str, name: str) -> Any:
    """Import ``module`` of library ``name``, else EngineMissing with the pip line.

    Only a missing library becomes EngineMissing: one that is installed and
    fails while it is imported keeps its own error.
    """
    package = module.split(".")[0]
    try:
        importlib.import_module(package)
    except ModuleNotFoundError as error:
        if error.name != package:
            raise
        raise missing(name) from error
    return importlib.import_module(module)


def missing(name: str) -> EngineMissing:
    """Make the error that says what to install for library ``name``."""
    known = library(name)
    return EngineMissing(
        f"{name} is not installed: pip install {known.pip}, or all the engines with "
        f"pip install 'resizelab[{known.extra}]'",
        name=known.module,
    )


def version(name: str) -> str | None:
    """Return a library's installed version without importing it, or None.

    >>> version("opencv") == available()["opencv"]
    True
    """
    known = library(name)
    for wheel in (known.pip, *known.other_wheels):
        try:
            return importlib.metadata.version(wheel)
        except importlib.metadata.PackageNotFoundError:
            continue  # the same library has several wheels: try its next name
    return None


def available() -> dict[str, str | None]:
    """Return every library with its version, or None where it is not installed.

    >>> sorted(available())[:3]
    ['albumentations', 'jax', 'keras']
    """
    return {name: version(name) for name in LIBRARIES}
