"""What Pillow stores before it resamples: the means of whole cells of a part."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.arrays import integers
from resizelab.axis.operator import Weights
from resizelab.axis.prefilter import around, reduction
from resizelab.axis.spec import Arithmetic, Axis

Work = tuple[tuple[int, Weights], ...]  # (axis of the array, its cells)


def _left(axis: Axis) -> Axis:
    own = axis.particulars.replace(prefilter=(), reduce_gap=None)
    return axis.replace(particulars=own)


def stages(
    numbers: Sequence[int],
    axes: list[Axis],
    arithmetic: Arithmetic | None,
    dtype: np.dtype[Any],
) -> tuple[Work, list[Axis]]:
    """Return the cells whose means are stored as integers first, and what is left.

    The box is cut out only where one of the axes is reduced.
    """
    if not all(a.particulars.reduce_gap and a.spec.grid == "box" for a in axes):
        return (), axes
    if all(reduction(axis) == 1 for axis in axes):
        return (), [_left(axis) for axis in axes]
    if arithmetic is None:
        return (), axes
    first, rest = [], []
    for number, axis in zip(numbers, axes, strict=True):
        left, filters = around(axis)
        first += [(number, needed(np.arange(left.n_in))) for needed in filters]
        rest.append(_left(left))
    if first and dtype == np.uint16:
        raise TypeError("x has dtype uint16: Pillow reduces no 16-bit image")
    return tuple(first), rest


def numpy_alone(work: Work) -> None:
    """Raise TypeError where means come first: arrays of other libraries have none."""
    if work:
        raise TypeError(
            "integers are reduced first, in NumPy alone: give x as an array"
        )


def means(work: Work, x: NDArray[Any]) -> NDArray[Any]:
    """Return the means of cells, as Pillow stores them; ``work`` says which cells.

    A sum of bytes is multiplied by 2**24 / count, cut, so that a tie can fall.

    >>> six = Weights(np.arange(6)[None], np.full((1, 6), 1 / 6), 6)
    >>> means(((0, six),), np.array([0, 0, 0, 0, 0, 3], np.uint8))
    array([0], dtype=uint8)
    """
    if not work:
        return x
    total, count = x.astype(np.float64), 1.0
    for axis, w in work:
        cells = Weights(w.index, np.ceil(w.weight), w.n_in)
        total = cells.apply(total, axis)
        last = [1] * (x.ndim - axis - 1)
        count = count * cells.weight.sum(1).reshape(-1, *last)
    if x.dtype == np.uint8:
        total = (total + count // 2) * np.floor(2.0**24 / count)
        return integers.clipped(np.floor(total / 2.0**24), x.dtype)
    total *= 1 / count
    integers.round_in_place(total, "half_away")
    return integers.clipped(total, x.dtype)
