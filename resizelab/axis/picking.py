"""Kernels that pick or average pixels by index: nearest, area and its relatives.

Distance does not come into it: a position is rounded to a pixel, or an output's cell is
laid over the input's.
"""

import math
from dataclasses import replace

import numpy as np

from resizelab.axis.grid import Grid
from resizelab.axis.positions import POSITION_ARITHMETICS
from resizelab.axis.spec import Axis
from resizelab.checks import FloatArray

Taps = tuple[FloatArray, FloatArray]


def taps(axis: Axis, x: FloatArray) -> Taps:
    """Return the pixels that each output reads and how much, (n_out, taps) both.

    Pixels may lie outside the input: the boundary rule comes later.
    """
    j, weight = _picked(axis, x)
    if axis.particulars.pair_means == "always":
        pairs = (weight > 0).sum(1, keepdims=True) == 2
        weight = np.where(pairs, 0.5 * (weight > 0), weight)
    return j, weight


def _picked(axis: Axis, x: FloatArray) -> Taps:
    spec, p, g = axis.spec, axis.particulars, axis.grid
    if spec.kernel == "nearest":
        assert spec.nearest_mode is not None
        arithmetic = POSITION_ARITHMETICS[p.coordinate_arithmetic]
        if not p.tie_epsilon:  # the half is added in the same arithmetic
            x = x.astype(arithmetic.number)
        j = nearest_index(x, spec.nearest_mode, p.tie_epsilon, g.step > 1)[:, None]
        return j, np.ones(j.shape)
    if spec.kernel == "two_tap_area":
        return _two_tap_area(g)
    if spec.kernel == "counted_box":
        return _counted_box(g, p.tie_epsilon)
    if spec.kernel == "area" and p.normalise == "never":
        return _large_shares(g, p.least_overlap) if p.least_overlap else _shares(g)
    first, last, _ = _cells(g)
    if spec.kernel == "adaptive_area":  # a plain mean of whole pixels
        first, last = np.floor(first), np.ceil(last)
    return _overlaps(np.clip(first, 0, g.n_in), np.clip(last, 0, g.n_in))


def _shares(g: Grid) -> Taps:
    # TensorFlow divides by the step and not by the sum. A cell that lies within one
    # pixel is that pixel, and one that reaches beyond the input reads the edge there.
    first, last, step = _cells(g)
    j, overlap = _overlaps(first, last)
    inside = (j < first[:, None]) & (j + 1 > last[:, None])
    return j, np.where(inside, 1.0, overlap / step)


def _large_shares(g: Grid, least: float) -> Taps:
    # OpenCV cuts the last cell at the input's end, and drops slivers of a pixel.
    first, last, step = _cells(g)
    j, overlap = _overlaps(first, np.minimum(last, g.n_in))
    length = np.minimum(step, g.n_in - first)
    return j, np.where(overlap > least, overlap, 0.0) / length[:, None]


def _cells(g: Grid) -> tuple[FloatArray, FloatArray, float]:
    """Return where each output's cell begins and ends, and its length."""
    # Aligned corners leave one pixel no span: its cell is the ratio of the sizes.
    span, count = (g.span, g.count) if g.span else (g.n_in, g.n_out)
    cells = replace(g, span=span, count=count, phase=0.0, offset=0.0)
    edges = replace(cells, n_out=g.n_out + 1).positions()
    step = replace(cells, n_out=2, shift=0.0).positions()[1]
    return edges[:-1], edges[1:], float(step)


def _overlaps(first: FloatArray, last: FloatArray) -> Taps:
    j = np.floor(first)[:, None] + np.arange(math.ceil((last - first).max()) + 1)
    overlap = np.minimum(j + 1, last[:, None]) - np.maximum(j, first[:, None])
    return j, np.maximum(overlap, 0.0)


def _counted_box(g: Grid, epsilon: float) -> Taps:
    # ResizeRight's box: as many whole pixels as a step is long (one where the axis
    # grows), begun half a step before the position; none is more than a step away.
    # A pixel exactly a step away falls as its rounding has it.
    scale = g.count / g.span
    x = np.arange(g.n_out) / scale + (g.n_in - 1) / 2 - (g.n_out - 1) / (2 * scale)
    shrink = min(1.0, scale)
    first = np.ceil(x - 1 / shrink / 2 - epsilon)
    j: FloatArray = first[:, None] + np.arange(math.ceil(1 / shrink - epsilon))
    padded = j - first[0], x[:, None] - first[0]
    near = np.abs(shrink * (padded[1] - padded[0])) <= 1
    return j, near.astype(np.float64)


def _two_tap_area(g: Grid) -> Taps:
    # OpenCV's INTER_AREA where an axis grows: the share of the cell past pixel j, in
    # OpenCV's arithmetic (the scale first, float32 for the share).
    scale = g.count / g.span
    i = np.arange(g.n_out)
    j = np.floor(i * (1.0 / scale))
    f = ((i + 1) - (j + 1) * scale).astype(np.float32)
    f = np.where(f <= 0, np.float32(0), f - np.floor(f)).astype(np.float64)
    return np.stack([j, j + 1], 1), np.stack([1 - f, f], 1)


def nearest_index(
    x: FloatArray, mode: str, tie_epsilon: float = 0.0, shrinks: bool = False
) -> FloatArray:
    """Return the integer each position rounds to (as float64, not yet bounded).

    >>> nearest_index(np.array([0.5, 1.5]), "round_prefer_floor")
    array([0., 1.])
    """
    rounded: FloatArray
    match mode:
        case "floor":
            rounded = np.floor(x)
        case "ceil":
            rounded = np.ceil(x)
        case "round_prefer_floor":
            rounded = np.ceil(x - 0.5 - tie_epsilon)
        case "round_prefer_ceil":
            # Not floor(x + 1/2): that makes 1 of the float64 before 1/2.
            whole = np.floor(x)
            rounded = whole + (x - whole >= 0.5 - tie_epsilon)
        case "half_even":
            rounded = np.rint(x)
        case "half_away":
            # As roundf does: adding a half to 0.49999997 would make 1 of it.
            whole = np.trunc(x)
            rounded = whole + np.where(np.abs(x - whole) >= 0.5, np.sign(x), 0)
        case _:  # simple: ONNX Resize-10
            rounded = np.ceil(x) if shrinks else np.floor(x)
    return rounded
