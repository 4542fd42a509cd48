"""Which libraries can be run, what pip calls them, and whether they are installed."""

import importlib
import importlib.metadata
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from resizelab.checks import nearest_match
from resizelab.engines.calls import Call

Adapter = TypeVar("Adapter", bound=Callable[..., Any])


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
        name=library(name).module,
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
