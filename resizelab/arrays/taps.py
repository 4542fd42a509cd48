"""Apply an operator tap by tap: slower than a matrix product, and the same everywhere.

A matrix product adds in an order that depends on the sizes of the matrices and on the
machine. Here each output is the sum of its taps, in the order of the operator's row,
in the array's own precision: its bits depend on what it reads and on nothing else.
"""

from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.axis.operator import Weights
from resizelab.checks import IndexArray

BLOCK = 2**16  # numbers taken at once: they stay in a core's cache
SCRATCH = 3 * BLOCK * 8  # bytes that `apply` takes beside input and output

Taps = list[tuple[slice | IndexArray, IndexArray, NDArray[Any]]]


def apply(operator: Weights, x: NDArray[Any], axis: int) -> NDArray[Any]:
    """Return ``x`` resized along ``axis``; its dtype is kept.

    Only pixels with a weight are read, so NaN beside an output does not reach it.

    >>> halves = Weights(np.array([[0, 1]]), np.array([[0.25, 0.75]]), 2)
    >>> apply(halves, np.array([10.0, 20.0]), 0)
    array([17.5])
    """
    if operator.picks:
        return np.take(x, operator.index[:, 0], axis)
    before, after = number(x.shape[:axis]), number(x.shape[axis + 1 :])
    work = np.float64 if x.dtype.itemsize > 4 else np.float32
    source = np.ascontiguousarray(x, work).reshape(before, operator.n_in, after)
    out = np.zeros((before, operator.n_out, after), work)
    places = min(after, BLOCK) or 1
    rows = min(operator.n_out, BLOCK // places)
    lines = BLOCK // (rows * places)
    with np.errstate(invalid="ignore"):  # NaN in, NaN out is no news
        for i in range(0, operator.n_out, rows):
            found = _taps(operator, slice(i, i + rows), work)
            for b, a in product(range(0, before, lines), range(0, after, places)):
                part = slice(b, b + lines), slice(None), slice(a, a + places)
                _add(found, source[part], out[part][:, i : i + rows])
    if operator.offset is not None:
        out += operator.offset.astype(work)[:, None]
    shape = *x.shape[:axis], operator.n_out, *x.shape[axis + 1 :]
    return out.reshape(shape).astype(x.dtype, copy=False)


def number(sizes: Any) -> int:
    """Return how many numbers an array of these sizes holds."""
    return int(np.prod(sizes, dtype=np.int64))


def _taps(operator: Weights, rows: slice, work: Any) -> Taps:
    """Return for each tap: the outputs that have it, what they read, how much."""
    index, weight = operator.index[rows], operator.weight[rows]
    found: Taps = []
    for k in range(index.shape[1]):
        has = np.flatnonzero(weight[:, k])
        if len(has):
            where = slice(None) if len(has) == len(index) else has
            found.append((where, index[has, k], weight[has, k, None].astype(work)))
    return found


def _add(found: Taps, source: NDArray[Any], out: NDArray[Any]) -> None:
    for where, read, share in found:
        term = np.take(source, read, 1)
        term *= share
        out[:, where] += term
