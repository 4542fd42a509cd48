"""Taps by number: FFmpeg's filters, which are made short before they are used."""

import math

import numpy as np

from resizelab.axis.spec import Axis
from resizelab.checks import FloatArray

SPARE = 2  # pixels of the input that no filter covers
LANES = 4  # a filter's length is rounded up to whole ones


def taps(axis: Axis, x: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the pixels that each output reads and how much, (n_out, taps) both.

    As many taps as the kernel is wide, and one more, but at most n_in - 2. Where the
    first lies is cut towards zero, so that left of the input one is lost. Runs of taps
    that weigh no more than `Particulars.cut_ends` together are left off at both ends,
    on the right as far as every output can spare them.
    """
    k, cut = axis.kernel, axis.particulars.cut_ends or 0.0
    count = max(1, min(1 + math.ceil(2 * k.radius - 1e-9), axis.n_in - SPARE))
    first = np.trunc(x - (count - 2) / 2)
    tap = first[:, None] + np.arange(count)
    weight = k(tap - x[:, None])
    first, weight = _without_left(first, weight, cut)
    # Of the right, the taps that all can spare.
    tails = np.abs(weight)[:, ::-1].cumsum(1)[:, ::-1] > cut
    longest = max(1, int((tails * np.arange(1, count + 1)).max()))
    kept = min(count, -(-longest // LANES) * LANES)
    return first[:, None] + np.arange(kept), weight[:, :kept]


def _without_left(
    first: FloatArray, weight: FloatArray, cut: float
) -> tuple[FloatArray, FloatArray]:
    """Return filters that begin where they weigh something; none before the last."""
    count = weight.shape[1]
    felt = np.abs(weight).cumsum(1) > cut
    begin = first + np.where(felt.any(1), felt.argmax(1), count)
    begin = np.minimum.accumulate(begin[::-1])[::-1]  # none later than the next one
    place = np.arange(count) + (begin - first).astype(np.intp)[:, None]
    moved = np.take_along_axis(weight, place.clip(max=count - 1), 1)
    return begin, np.where(place < count, moved, 0.0)
