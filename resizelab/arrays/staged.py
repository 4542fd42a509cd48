"""OpenCV's bilinear sums of bytes: 22 bits of weights in 32-bit registers.

The sums of the first axis lose 4 bits, each product of the second loses 16, and the
last 2 bits are rounded. An axis that keeps its size still multiplies, by 2**11.
"""

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.arrays.passes import CACHE, passed
from resizelab.axis.operator import Weights
from resizelab.checks import FloatArray, IndexArray

ONE = 2**11
Passes = Sequence[tuple[int, Weights]]


def staged(
    work: Passes, lines: IndexArray | None, x: NDArray[Any], dtype: np.dtype[Any]
) -> NDArray[Any]:
    """Return ``x`` after one or two (axis, operator) pairs, weights in 1 / 2048.

    ``lines`` are the pixels of the axis in front that the second pair reads.

    >>> halves = Weights(np.array([[0, 1]]), np.array([[0.5, 0.5]]), 2)
    >>> staged([(0, halves)], None, np.array([10, 21], np.uint8), np.dtype("uint8"))
    array([16], dtype=uint8)
    """
    if not 1 <= len(work) <= 2:
        raise ValueError(
            f"sums in stages are of one or two axes; got {len(work)}: name two with "
            "axes=…"
        )
    (axis, first), *rest = work
    y = passed(first, x, axis, np.float32, np.int16, _four_bits_less, lines)
    if not rest:
        return _stored((y.astype(np.int32) * ONE) >> 16, dtype)
    ((axis, second),) = rest
    before, after = (int(np.prod(n)) for n in (y.shape[:axis], y.shape[axis + 1 :]))
    source = y.reshape(before, second.n_in, after)
    out = np.empty((before, second.n_out, after), dtype)
    weight = np.rint(second.weight * ONE).astype(np.int32)[:, :, None]
    rows = max(1, CACHE // max(1, after))
    at_once = max(1, CACHE // max(1, after * second.n_out))
    for i, b in product(range(0, second.n_out, rows), range(0, before, at_once)):
        part, share = source[b : b + at_once], weight[i : i + rows]
        total: Any = 0
        for tap, reads in enumerate(second.index[i : i + rows].T):
            total = total + ((np.take(part, reads, 1) * share[:, tap]) >> 16)
        out[b : b + at_once, i : i + rows] = _stored(total, dtype)
    return out.reshape(*y.shape[:axis], second.n_out, *y.shape[axis + 1 :])


def _four_bits_less(values: FloatArray) -> None:
    values *= ONE / 16
    np.floor(values, out=values)


def _stored(total: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    info = np.iinfo(dtype)
    stored: NDArray[Any] = np.clip((total + 2) >> 2, info.min, info.max).astype(dtype)
    return stored
