"""Sums of two taps an axis in an engine's own order of operations.

Where a float32 sum is rounded to an integer, a tie falls as the order of the
operations has it. `Arithmetic` says what the orders are; all stay in float32.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.axis.operator import Weights
from resizelab.checks import FloatArray, IndexArray

Work = Sequence[tuple[int, Weights]]
Pair = tuple[int, IndexArray, FloatArray]  # an axis, its two taps an output, weights


def apply(work: Work, x: NDArray[Any], order: str) -> NDArray[Any]:
    """Return ``x`` after every (axis, operator) of ``work``, summed in ``order``.

    >>> halves = Weights(np.array([[0, 1]]), np.array([[0.25, 0.75]]), 2)
    >>> apply([(0, halves)], np.array([10, 20]), "float32_lerp")
    array([17.5], dtype=float32)
    """
    y = x.astype(np.float32)
    if order == "float32_lerp":
        for axis, w in work:
            y = _lerp(w, y, axis)
        return y
    # Rows are the axis in front.
    taps_of = _halved if order == "float32_halved" else _pair
    pairs = [(axis, *taps_of(w)) for axis, w in sorted(work, key=lambda aw: aw[0])]
    total: NDArray[Any] = np.zeros((), np.float32)
    outer = pairs[::-1] if order == "float32_successive" else pairs
    for taps in np.ndindex(*(2,) * len(pairs)):
        chosen = dict(zip((axis for axis, *_ in outer), taps, strict=True))
        total = total + _term(pairs, y, chosen, order)
    return _with_offsets(work, total)


def _with_offsets(work: Work, total: NDArray[Any]) -> NDArray[Any]:
    # An output outside the input reads nothing and has a value of its own.
    for axis, w in work:
        if w.offset is not None:
            value = w.offset.astype(np.float32)
            lined = value.reshape(-1, *[1] * (total.ndim - axis - 1))
            total = np.where(lined != 0, lined, total)
    return total


def _term(
    pairs: Sequence[Pair], y: NDArray[Any], chosen: dict[int, int], order: str
) -> NDArray[Any]:
    factor: NDArray[Any] = np.ones((), np.float32)
    for axis, index, _ in pairs:
        y = np.take(y, index[:, chosen[axis]], axis)
    # A product of weights begins with the last axis.
    for axis, _, weight in pairs if order == "float32_successive" else pairs[::-1]:
        lined = weight[:, chosen[axis]].reshape(-1, *[1] * (y.ndim - axis - 1))
        if order == "float32_successive":
            y = y * lined
        else:
            factor = factor * lined
    term: NDArray[Any] = y * factor
    return term


def _lerp(w: Weights, y: NDArray[Any], axis: int) -> NDArray[Any]:
    if w.offset is not None:  # a border has no pixel of its own to go from
        mixed: NDArray[Any] = w.apply(y, axis)
        return mixed
    two = w.merged  # taps of one pixel are one tap
    low: NDArray[Any] = np.take(y, two.index[:, 0], axis)
    if two.index.shape[1] == 1:
        return low
    share = two.weight[:, 1].astype(np.float32)
    high = np.take(y, two.index[:, 1], axis)
    lined = share.reshape(-1, *[1] * (y.ndim - axis - 1))
    between: NDArray[Any] = low + (high - low) * lined
    return between


def _halved(w: Weights) -> tuple[IndexArray, FloatArray]:
    """Return two taps an output; the last pixel alone is two taps of one half."""
    two = w.merged
    index, weight = two.index, two.weight
    if index.shape[1] == 1:
        index = np.repeat(index, 2, 1)
        weight = np.concatenate([weight, np.zeros_like(weight)], 1)
    alone = (index[:, 0] == w.n_in - 1) & (weight[:, 1] == 0) & (weight[:, 0] != 0)
    return index, np.where(alone[:, None], 0.5, weight).astype(np.float32)


def _pair(w: Weights) -> tuple[IndexArray, FloatArray]:
    """Return two taps an output, lower first, their weights as float32."""
    order = np.argsort(w.weight == 0, axis=1, kind="stable")[:, :2]
    index = np.take_along_axis(w.index, order, 1)
    weight = np.take_along_axis(w.weight, order, 1)
    if index.shape[1] == 1:
        index = np.repeat(index, 2, 1)
        weight = np.concatenate([weight, np.zeros_like(weight)], 1)
    # Before the first pixel, LiteRT's fraction counts from that pixel and is negative.
    share, starts_outside = weight[:, 0], weight[0, 1] != 0
    before = starts_outside & (index == 0).all(1) & (share < weight[:, 1])
    outside = np.stack([1 + share, -share], 1)
    return index, np.where(before[:, None], outside, weight).astype(np.float32)
