"""A resize of an array of torch, JAX or CuPy: in that library and on its device."""

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from resizelab.arrays.settling import Work
from resizelab.axis import Arithmetic, Weights, native
from resizelab.axis.native import Library, Native, Step

# What an array goes through: its type, a divisor, steps, whether it is cut, the fill.
# A tuple, because it stands in the graphs of torch's compiler.
Ready = tuple[str, float, tuple[Step, ...], bool, float | None]


def resize(
    library: Library, x: Native, asked: tuple[Any, ...], settle: Callable[..., Ready]
) -> Native:
    """Return ``x`` resized; ``asked`` is (shape, spec, axes, scale)."""
    shape, spec, axes, scale = asked
    here = native.dtype_name(x), library.name, native.device(x)
    wanted = plain(shape), spec, plain(axes), scale
    dtype, divisor, steps, clip, fill = settle(here, plain(tuple(x.shape)), *wanted)
    y = library.cast(x, dtype) if here[0] != dtype else x
    if divisor:
        y = y / divisor
        y = library.maximum(y, y * 0 - 1)
    return apply(library, steps, y, clip, fill)


def plain(sizes: Any) -> Any:
    """Return sizes as Python's own numbers: a compiler's become fixed.

    >>> plain((2, 3))
    (2, 3)
    """
    if isinstance(sizes, int):
        return operator.index(sizes)
    if not isinstance(sizes, tuple | list):
        return sizes
    return tuple([operator.index(n) if isinstance(n, int) else n for n in sizes])


def ready(
    here: tuple[str, str, Any],
    ndim: int,
    work: Work,
    arithmetic: Arithmetic | None,
    cut: tuple[bool, float | None],
) -> Ready:
    """Return a plan's work as arrays, ``here`` being (dtype, library, device).

    Raises TypeError where sums of integers are rounded.
    """
    dtype, *where = here
    kept = (arithmetic and arithmetic.output_dtype) or dtype
    passes = [(axis - ndim, w) for axis, w in work if not w.is_identity]
    if "float" not in kept and not all(w.picks for _, w in passes):
        raise TypeError(
            f"x has dtype {dtype}, whose sums are rounded: only NumPy arrays get those "
            "here. Give x as a NumPy array, or in float32 where bytes are not asked"
        )
    if not passes and work:  # the result is a new array
        passes = [(work[0][0] - ndim, Weights.identity(work[0][1].n_in))]
    kind = "float64" if kept == "float64" else "float32"
    steps = [
        native.step(w, axis, kind=kind, where=(where[0], where[1]))
        for axis, w in native.ordered(passes)
    ]
    unit = arithmetic is not None and arithmetic.unit_range and "int" in dtype
    return kept, float(np.iinfo(dtype).max) if unit else 0.0, tuple(steps), *cut


def apply(
    library: Library, steps: Sequence[Step], x: Native, clip: bool, fill: float | None
) -> Native:
    """Return ``x`` after ``steps``, cut to its own range where ``clip`` says so."""
    y = native.applied(library, steps, x)
    if not clip:
        return y
    low, high = library.least(x), library.largest(x)
    if fill is not None:
        # What lies outside counts as seen where the result reaches it.
        seen = (library.least(y) <= fill) & (library.largest(y) >= fill)
        outside = low * 0 + fill
        low = library.where(seen, library.minimum(low, outside), low)
        high = library.where(seen, library.maximum(high, outside), high)
    return library.minimum(library.maximum(y, low), high)
