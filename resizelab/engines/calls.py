"""What an adapter tells about each real call: the function, its axes, its scales."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.checks import one_of

Array = NDArray[Any]
Arguments = Mapping[str, Any]
Shape = tuple[int, ...] | None
Scale = tuple[float, ...] | None
Run = Callable[[Arguments, Array, Shape, Scale], Array]

ANY_RANK = (1, 32)
PLANE = (2, 2)


def unchanged(arguments: Arguments, shape: tuple[int, ...]) -> Arguments:
    """Return the arguments as they are: none of them belongs to one axis."""
    return arguments


@dataclass(frozen=True)
class Call:
    """One real call: ``run(arguments, x, shape, scale)`` and what frames it.

    ``x`` is (batch, *spatial axes); ``shape`` the output sizes, or None where only
    ``scale`` is given; ``scale`` one number per axis, or None for the size form.
    """

    run: Run
    ranks: Callable[[Arguments], tuple[int, int]]  # fewest, most spatial axes
    probe: int = 2  # spatial axes that `matrix` uses where the call leaves a choice
    kept: int = 3  # odd size of the axes that `matrix` keeps
    rows: bool = False  # no batch axis: the basis vectors are the rows of one image
    dtype: str = "float32"  # of the basis vectors
    levels: tuple[float, float] = (0.0, 1.0)  # their dark and their lit pixels
    scale_keys: tuple[str, ...] = ()  # arguments that are a scale, in array order
    scale_sizes: bool = True  # that scale fixes the output sizes too
    probe_arguments: Callable[[Arguments, tuple[int, ...]], Arguments] = unchanged


def planar(arguments: Arguments) -> tuple[int, int]:
    """Say that a call works on exactly two spatial axes."""
    return PLANE


def any_rank(arguments: Arguments) -> tuple[int, int]:
    """Say that a call works on any number of spatial axes."""
    return ANY_RANK


def one_by_one(resize: Callable[[Array], Any], x: Array) -> Array:
    """Run a call without a batch axis on every entry of the batch."""
    return np.stack([np.asarray(resize(entry)) for entry in x])


def member(owner: Any, parameter: str, value: Any, names: Iterable[str]) -> Any:
    """Return the flag of ``owner`` that a text names; other values pass untouched.

    >>> import string
    >>> member(string, "letters", "digits", ["digits", "hexdigits"])
    '0123456789'
    """
    if not isinstance(value, str):
        return value
    return getattr(owner, one_of(parameter, value, names))


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


def needs_shape(call: str, shape: Shape) -> tuple[int, ...]:
    """Return ``shape``, or raise ValueError where the call has no scale form."""
    if shape is None:
        raise ValueError(f"{call} takes sizes, not a scale: give shape")
    return shape


def no_scale(call: str, scale: Scale) -> None:
    """Raise ValueError if a scale was given to a call that takes sizes only."""
    if scale is not None:
        raise ValueError(f"{call} takes sizes, not a scale; got scale={scale}")
