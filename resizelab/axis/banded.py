"""Apply a banded operator to an array: a few small dense products on slices.

Neighbouring outputs read neighbouring inputs, so a block of outputs reads one
contiguous slice. A dense product on that slice wastes some multiplications and wins
them back many times over, because a matrix product runs at the machine's full speed.
"""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from resizelab.axis import native
from resizelab.axis.sparse import dense
from resizelab.checks import FloatArray, IndexArray

CALL_COST = 4e4  # multiplications a core does while Python starts one product
FEWEST, MOST = 16, 128  # outputs in a block
MANY = 2  # input pixels per output beyond which blocks are half as long
CHANNELS = 8  # up to this many numbers a pixel, one wide product beats many small ones
FEW = 8  # lines: for so few of a long axis, blocks cost more than they save
GATHERED = 2**17  # taps that are gathered at once
SMALL = 2**20  # entries that the matrices of all blocks may always have


@dataclass(frozen=True)
class Block:
    """Outputs first … last - 1 as a small dense matrix on the columns they read."""

    first: int
    last: int
    columns: slice | IndexArray
    matrix: NDArray[Any]


def block_size(n_in: int, n_out: int, rows: int) -> int:
    """Return how many outputs to take at once when ``rows`` lines are resized.

    A longer block saves calls and wastes products: the block of size b reads about
    b * step inputs, so the waste per output grows with b and the calls with 1 / b.
    All blocks together hold about b * n_in entries; 0 says that even short blocks would
    outweigh the data (one long line), and that `gather` serves better.
    """
    step = max(n_in / n_out, 1e-3)
    best = (CALL_COST / (max(rows, 1) * step)) ** 0.5
    room = max(SMALL, 2 * rows * (n_in + n_out)) // max(n_in, n_out)
    # Where each output reads many inputs, a long block wastes most: measured.
    size = FEWEST // 2 if step > MANY else FEWEST
    if room < size:
        return 0
    while size < best and size < MOST and 2 * size <= room:
        size *= 2
    return size


def blocks(
    index: IndexArray, weight: FloatArray, size: int, dtype: Any
) -> tuple[Block, ...]:
    """Cut the operator (n_out, taps) into blocks of ``size`` outputs."""
    n_out = index.shape[0]
    first = np.arange(0, n_out, size)
    low = np.minimum.reduceat(index.min(1), first)
    high = np.maximum.reduceat(index.max(1), first) + 1
    span = high - low
    # A block whose taps wrap round an end spans the whole axis: it gathers instead.
    fits = span <= 4 * np.median(span)
    width = int(span[fits].max())
    start = np.minimum(low, high.max() - width) if width < high.max() else 0 * low
    number = np.repeat(np.arange(len(first)), size)[:n_out]
    place = index - start[number][:, None]
    place = np.where(fits[number][:, None], place, 0)
    matrix = dense(place, weight, width).astype(dtype)
    made = []
    for b, i in enumerate(first):
        end = min(int(i) + size, n_out)
        if fits[b]:
            columns = slice(int(start[b]), int(start[b]) + width)
            made.append(Block(int(i), end, columns, matrix[i:end]))
        else:
            made.append(_gathering(index[i:end], weight[i:end], int(i), dtype))
    return tuple(made)


def _gathering(index: IndexArray, weight: FloatArray, first: int, dtype: Any) -> Block:
    columns, place = np.unique(index, return_inverse=True)
    place = place.reshape(index.shape)
    matrix = dense(place, weight, len(columns)).astype(dtype)
    return Block(first, first + len(index), columns, matrix)


def apply_last(
    cut: tuple[Block, ...], x: NDArray[Any], out: NDArray[Any]
) -> NDArray[Any]:
    """Fill ``out`` (rows, n_out) from ``x`` (rows, n_in)."""
    for b in cut:
        np.matmul(x[:, b.columns], b.matrix.T, out=out[:, b.first : b.last])
    return out


def apply_middle(
    cut: tuple[Block, ...], x: NDArray[Any], out: NDArray[Any]
) -> NDArray[Any]:
    """Fill ``out`` (before, n_out, after) from ``x`` (before, n_in, after)."""
    for b in cut:
        np.matmul(b.matrix, x[:, b.columns], out=out[:, b.first : b.last])
    return out


def gather(
    index: IndexArray,
    weight: FloatArray,
    x: NDArray[Any],
    y: NDArray[Any],
    lines: tuple[IndexArray, IndexArray],
) -> None:
    """Fill some lines of ``y`` (before, n_out, after) from ``x`` (before, n_in, after).

    Only pixels with a weight are read. A product reads the others too, and zero times
    NaN or infinity is NaN.
    """
    rows = max(1, GATHERED // index.shape[1])
    for i in range(0, len(index), rows):
        part, read = slice(i, i + rows), index[i : i + rows]
        share = weight[part].astype(x.dtype)
        at_once = max(1, GATHERED // read.size)
        for k in range(0, len(lines[0]), at_once):
            b, a = lines[0][k : k + at_once], lines[1][k : k + at_once]
            taps = x[b, :, a][:, read]
            y[b, part, a] = np.where(share, taps * share, 0).sum(2)


def all_finite(cut: tuple[Block, ...], out: NDArray[Any]) -> bool:
    """Return False if a product met NaN or infinity, even with weight zero.

    What a block reads reaches each of its outputs, so one output a block tells; and
    NaN or infinity stays in a sum.
    """
    with np.errstate(over="ignore"):  # a sum that overflows only costs time
        return bool(np.isfinite(out[:, :: cut[0].last].sum()))


def spread(
    index: IndexArray, weight: FloatArray, depth: int
) -> tuple[IndexArray, FloatArray]:
    """Return the operator on an axis whose pixels hold ``depth`` numbers each.

    With channels last, resizing the width is one operator on width * depth numbers.
    """
    n_out, taps = index.shape
    channel = np.arange(depth)[None, :, None]
    wide = index[:, None, :] * depth + channel
    repeated = np.broadcast_to(weight[:, None, :], wide.shape)
    return wide.reshape(n_out * depth, taps), repeated.reshape(n_out * depth, taps)


class Operator(native.Operator, Protocol):
    """What is read of an operator here."""

    def blocks(self, size: int, depth: int, dtype: Any) -> tuple[Block, ...]: ...  # noqa: D102


def fill(w: Operator, x: NDArray[Any], out: NDArray[Any], axis: int) -> None:
    """Fill ``out`` with ``x`` resized along an axis."""
    before = int(np.prod(x.shape[:axis], dtype=np.intp))
    after = int(np.prod(x.shape[axis + 1 :], dtype=np.intp))
    work = np.float64 if x.dtype.itemsize > 4 else np.float32  # what BLAS knows
    y = out if out.dtype == work else np.empty(out.shape, work)
    source = np.ascontiguousarray(x, work).reshape(before, w.n_in, after)
    with np.errstate(invalid="ignore"):  # NaN in, NaN out is no news
        multiply(w, source, y.reshape(before, w.n_out, after))
    if w.offset is not None:
        y += w.offset.astype(work).reshape(-1, *[1] * (y.ndim - axis - 1))
    if y is not out:
        out[...] = y


def multiply(w: Operator, x: NDArray[Any], y: NDArray[Any]) -> None:
    """Fill ``y`` (before, n_out, after) from ``x`` (before, n_in, after)."""
    before, _, after = x.shape
    size = block_size(w.n_in, w.n_out, before * after)
    if size == 0 or before * after <= FEW < w.n_out:
        every = np.indices((before, after)).reshape(2, -1)
        gather(w.index, w.weight, x, y, (every[0], every[1]))
        return
    if after <= CHANNELS:
        cut = w.blocks(size, after, x.dtype)
        flat, out = x.reshape(before, -1), y.reshape(before, -1)
        apply_last(cut, flat, out)
    else:
        cut, out = w.blocks(size, 1, x.dtype), y
        apply_middle(cut, x, out)
    if not all_finite(cut, out):
        b, a = np.nonzero(~np.isfinite(y).all(1))
        gather(w.index, w.weight, x, y, (b, a))
