"""Apply a banded operator to an array: a few small dense products on slices.

Neighbouring outputs read neighbouring inputs, so a block of outputs reads one
contiguous slice. A dense product on that slice wastes some multiplications and wins
them back many times over, because a matrix product runs at the machine's full speed.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.checks import FloatArray, IndexArray

CALL_COST = 4e4  # multiplications a core does while Python starts one product
FEWEST, MOST = 16, 128  # outputs in a block
MANY = 2  # input pixels per output beyond which blocks are half as long
SMALL = 2**20  # entries that the matrices of all blocks may always have
NEGLIGIBLE = 1e-15  # a sum of weights below this is noise of the addition
AT_ONCE = 2**18  # taps that are merged at once


def dense(index: IndexArray, weight: FloatArray, n_in: int) -> FloatArray:
    """Return the (n_out, n_in) matrix; taps that read the same pixel add up."""
    n_out = index.shape[0]
    flat = (np.arange(n_out)[:, None] * n_in + index).ravel()
    # Several times faster than np.add.at.
    total: Any = np.bincount(flat, weights=weight.ravel(), minlength=n_out * n_in)
    matrix: FloatArray = total.reshape(n_out, n_in)
    return matrix


def transposed(index: IndexArray, weight: FloatArray, n_in: int) -> "Banded":
    """Return the operator of the transposed matrix."""
    taps = index.shape[1]
    column = index.ravel()
    by_column = np.argsort(column, kind="stable")
    count = np.bincount(column, minlength=n_in)
    slot = np.arange(len(column)) - np.repeat(np.cumsum(count) - count, count)
    made = np.zeros((n_in, int(count.max())), dtype=np.intp)
    share = np.zeros(made.shape)
    made[column[by_column], slot] = by_column // taps
    share[column[by_column], slot] = weight.ravel()[by_column]
    return made, share


Banded = tuple[IndexArray, FloatArray]


def merged(index: IndexArray, weight: FloatArray) -> Banded:
    """Return an operator with one tap a pixel, in order; what reads the same adds up.

    >>> merged(np.array([[2, 0, 2]]), np.array([[0.25, 0.5, 0.25]]))
    (array([[0, 2]]), array([[0.5, 0.5]]))
    """
    rows = max(1, AT_ONCE // index.shape[1])
    parts = [
        _added(index[i : i + rows], weight[i : i + rows])
        for i in range(0, len(index), rows)
    ]
    return _stacked(parts)


def composed(
    index: IndexArray, weight: FloatArray, inner: IndexArray, share: FloatArray
) -> Banded:
    """Return the operator that does (``inner``, ``share``) first and then the other."""
    rows = max(1, AT_ONCE // (index.shape[1] * inner.shape[1]))
    parts = []
    for i in range(0, len(index), rows):
        reads, much = index[i : i + rows], weight[i : i + rows]
        each = (much[:, :, None] * share[reads]).reshape(len(reads), -1)
        parts.append(_added(inner[reads].reshape(len(reads), -1), each))
    return _stacked(parts)


def _added(index: IndexArray, weight: FloatArray) -> Banded:
    order = np.argsort(index, axis=1, kind="stable")
    index = np.take_along_axis(index, order, 1)
    weight = np.take_along_axis(weight, order, 1)
    new = np.ones(index.shape, bool)
    new[:, 1:] = index[:, 1:] != index[:, :-1]
    starts = np.flatnonzero(new)
    total = np.add.reduceat(weight.ravel(), starts)
    keep = np.abs(total) > NEGLIGIBLE
    starts, total = starts[keep], total[keep]
    row = starts // index.shape[1]
    count = np.bincount(row, minlength=len(index))
    slot = np.arange(len(row)) - (np.cumsum(count) - count)[row]
    taps = max(1, int(count.max()))
    pixel = np.zeros((len(index), taps), np.intp)
    pixel[row, slot] = index.ravel()[starts]
    share = np.zeros(pixel.shape)
    share[row, slot] = total
    # What only fills a row up would widen the band: point it inside.
    return np.where(share == 0, pixel[:, :1], pixel), share


def _stacked(parts: list[Banded]) -> Banded:
    taps = max(index.shape[1] for index, _ in parts)
    rows = sum(len(index) for index, _ in parts)
    index, weight = np.zeros((rows, taps), np.intp), np.zeros((rows, taps))
    first = 0
    for pixel, share in parts:
        part, width = slice(first, first + len(pixel)), pixel.shape[1]
        index[part], weight[part, :width] = pixel[:, :1], share
        index[part, :width] = pixel
        first += len(pixel)
    return index, weight


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
    reads, share = weight != 0, weight.astype(x.dtype)
    at_once = max(1, SMALL // index.size)
    for k in range(0, len(lines[0]), at_once):
        b, a = lines[0][k : k + at_once], lines[1][k : k + at_once]
        taps = x[b, :, a][:, index]
        y[b, :, a] = np.where(reads, taps * share, 0).sum(2)


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
