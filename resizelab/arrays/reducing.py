"""What Pillow stores before it resamples: the means of whole cells of a part."""

from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from resizelab.arrays import integers
from resizelab.axis.operator import Weights
from resizelab.axis.prefilter import around, reduction
from resizelab.axis.spec import Axis

Work = tuple[tuple[int, Weights], ...]  # (axis of the array, its cells)
Planned = TypeVar("Planned", bound=Any)  # a `Plan` of the module that uses this one


def _left(axis: Axis) -> Axis:
    own = axis.particulars.replace(prefilter=(), reduce_gap=None)
    return axis.replace(particulars=own)


def staged(plan: Planned, dtype: np.dtype[Any]) -> Planned:
    """Return a plan with the cells whose means are stored as integers first.

    The box is cut out only where one of the axes is reduced.
    """
    axes: tuple[Axis, ...] = plan.axes
    if not all(a.particulars.reduce_gap and a.spec.grid == "box" for a in axes):
        return plan
    if all(reduction(axis) == 1 for axis in axes):
        return replace(plan, axes=tuple(map(_left, axes)))
    if plan.arithmetic is None:
        return plan
    if dtype == np.uint16:
        raise TypeError("x has dtype uint16: Pillow reduces no 16-bit image")
    first, rest = [], []
    for number, axis in zip(plan.numbers, axes, strict=True):
        left, filters = around(axis)
        first += [(number, needed(np.arange(left.n_in))) for needed in filters]
        rest.append(_left(left))
    return replace(plan, axes=tuple(rest), first=tuple(first))


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
