"""One pass of sums along an axis, in parts that stay in a core's cache.

Each part is turned into floats, multiplied, finished (rounded, clipped) and stored as
the result's type before the next is read: no array of floats is ever as large as the
picture.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.axis.banded import CHANNELS, FEW
from resizelab.axis.operator import Weights
from resizelab.checks import IndexArray

CACHE = 2**17  # numbers of a part, in and out: a megabyte of float64
SHRINKING, GROWING = 4, 16  # outputs in a block
Array = NDArray[Any]
Finish = Callable[[Array], None]
Store = Callable[[Array, Array], None]


def passed(
    operator: Weights,
    x: Array,
    axis: int,
    work: Any,
    dtype: Any,
    finish: Finish,
    lines: IndexArray | None = None,
) -> Array:
    """Return ``x`` after an operator: summed in ``work``, stored as ``dtype``.

    ``finish`` changes a part in place. ``lines`` are the pixels of the axis in front
    that are wanted; the others are not computed.

    >>> halves = Weights(np.array([[0, 1]]), np.array([[0.5, 0.5]]), 2)
    >>> x = np.array([[10, 20], [30, 40]], np.uint8)
    >>> passed(halves, x, 1, np.float32, np.uint8, lambda y: None)
    array([[15],
           [35]], dtype=uint8)
    """
    if operator.offset is not None:  # a value from outside takes part: plainly
        wanted_of = x if lines is None else x.take(lines, axis - 1)
        sums: Array = operator.apply(wanted_of.astype(work), axis)
        finish(sums)
        return sums.astype(dtype)
    ahead, after = x.shape[:axis], int(np.prod(x.shape[axis + 1 :], dtype=np.intp))
    source = np.ascontiguousarray(x).reshape(-1, operator.n_in, after)
    wanted = np.arange(len(source))
    if lines is not None:
        ahead = (*ahead[:-1], len(lines))
        wanted = (np.arange(0, len(source), x.shape[axis - 1])[:, None] + lines).ravel()
    out = np.empty((len(wanted), operator.n_out, after), dtype)

    def store(sums: Array, target: Array) -> None:
        finish(sums)
        np.copyto(target, sums, casting="unsafe")

    if out.size:
        each = _rows if after <= CHANNELS else _columns
        if len(wanted) * after <= FEW:
            each = _gathered
        each(operator, source, wanted, out, work, store)
    return out.reshape(*ahead, operator.n_out, *x.shape[axis + 1 :])


def _rows(
    w: Weights, x: Array, wanted: IndexArray, out: Array, work: Any, store: Store
) -> None:
    depth = out.shape[2]
    x, y = x.reshape(len(x), -1), out.reshape(len(out), -1)
    whole = len(wanted) == len(x)
    for block in w.blocks(_block(w), depth, work):
        outputs, reads = block.matrix.shape
        at_once = max(1, CACHE // (outputs + reads))
        read = np.empty((at_once, reads), work)
        made = np.empty((at_once, outputs), work)
        for i in range(0, len(wanted), at_once):
            rows = slice(i, i + at_once)
            taken = x[rows if whole else wanted[rows]][:, block.columns]
            part, sums = read[: len(taken)], made[: len(taken)]
            part[...] = taken
            np.matmul(part, block.matrix.T, out=sums)
            store(sums, y[rows, block.first : block.last])


def _gathered(
    w: Weights, x: Array, wanted: IndexArray, out: Array, work: Any, store: Store
) -> None:
    # For so few lines, cutting the operator into blocks costs more than it saves.
    rows = max(1, CACHE // (w.index.shape[1] * FEW))
    source = x[wanted]
    for i in range(0, w.n_out, rows):
        read, share = w.index[i : i + rows], w.weight[i : i + rows]
        taps = np.take(source, read, 1).astype(work)
        sums = (taps * share.astype(work)[:, :, None]).sum(2)
        store(sums, out[:, i : i + rows])


def _columns(
    w: Weights, x: Array, wanted: IndexArray, out: Array, work: Any, store: Store
) -> None:
    after = out.shape[2]
    for block in w.blocks(_block(w), 1, work):
        rows, reads = block.matrix.shape
        at_once = min(after, max(1, CACHE // (rows + reads)))
        read = np.empty((reads, at_once), work)
        made = np.empty((rows, at_once), work)
        for k, b in enumerate(wanted):
            for a in range(0, after, at_once):
                taken = x[b, block.columns, a : a + at_once]
                width = taken.shape[1]
                part, sums = read[:, :width], made[:, :width]
                part[...] = taken
                np.matmul(block.matrix, part, out=sums)
                store(sums, out[k, block.first : block.last, a : a + at_once])


def _block(w: Weights) -> int:
    # A block wastes the more products the more inputs its outputs read: measured.
    return SHRINKING if w.n_in > w.n_out else GROWING
