"""Operators as lists of taps: merged, composed, transposed, written out."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from resizelab.checks import FloatArray, IndexArray

NEGLIGIBLE = 1e-15  # a sum of weights below this is noise of the addition
AT_ONCE = 2**18  # taps that are merged at once
Taps = tuple[IndexArray, FloatArray]  # (n_out, taps) both: which pixels, how much


def dense(index: IndexArray, weight: FloatArray, n_in: int) -> FloatArray:
    """Return the (n_out, n_in) matrix; taps that read the same pixel add up."""
    n_out = index.shape[0]
    flat = (np.arange(n_out)[:, None] * n_in + index).ravel()
    # Several times faster than np.add.at.
    total: Any = np.bincount(flat, weights=weight.ravel(), minlength=n_out * n_in)
    matrix: FloatArray = total.reshape(n_out, n_in)
    return matrix


def transposed(index: IndexArray, weight: FloatArray, n_in: int) -> Taps:
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


def merged(index: IndexArray, weight: FloatArray) -> Taps:
    """Return an operator with one tap a pixel, in order; what reads the same adds up.

    >>> merged(np.array([[2, 0, 2]]), np.array([[0.25, 0.5, 0.25]]))
    (array([[0, 2]]), array([[0.5, 0.5]]))
    """
    rows = max(1, AT_ONCE // index.shape[1])
    parts = [
        _added(index[i : i + rows], weight[i : i + rows])
        for i in range(0, len(index), rows)
    ]
    return stacked(parts, len(index))


def composed(
    index: IndexArray, weight: FloatArray, inner: IndexArray, share: FloatArray
) -> Taps:
    """Return the operator that does (``inner``, ``share``) first and then the other."""
    if inner.shape[1] == 1:  # each pixel is another's copy
        copies = (share == 1).all()
        return inner[index, 0], weight if copies else weight * share[index, 0]
    rows = max(1, AT_ONCE // (index.shape[1] * inner.shape[1]))
    parts = []
    for i in range(0, len(index), rows):
        reads, much = index[i : i + rows], weight[i : i + rows]
        each = (much[:, :, None] * share[reads]).reshape(len(reads), -1)
        parts.append(_added(inner[reads].reshape(len(reads), -1), each))
    return stacked(parts, len(index))


def _added(index: IndexArray, weight: FloatArray) -> Taps:
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


def stacked(parts: Iterable[Taps], rows: int) -> Taps:
    """Return parts of an operator as one, ``rows`` in all; each is taken in turn."""
    (index, weight), first = _empty(rows, 0), 0
    for pixel, share in parts:
        part, width = slice(first, first + len(pixel)), pixel.shape[1]
        if width > index.shape[1]:
            narrow, index, weight = (index, weight), *_empty(rows, width)
            if first:
                index[:first], width_before = narrow[0][:first, :1], narrow[0].shape[1]
                index[:first, :width_before] = narrow[0][:first]
                weight[:first, :width_before] = narrow[1][:first]
        index[part], weight[part, :width] = pixel[:, :1], share
        index[part, :width] = pixel
        first += len(pixel)
    return index, weight


def _empty(rows: int, taps: int) -> Taps:
    return np.empty((rows, taps), np.intp), np.zeros((rows, taps))
