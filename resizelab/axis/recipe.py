"""From an axis to its operator: which pixels, and how much of each.

`sampled` is the recipe. What a library does before it or beside it hooks in around.
"""

import math

import numpy as np

from resizelab.axis import boundary, picking, prefilter
from resizelab.axis.kernel import PICKING
from resizelab.axis.operator import Weights
from resizelab.axis.spec import Axis
from resizelab.checks import FloatArray

EVERY = slice(None)
PART = 2048  # outputs that are in work at once


def sampled(axis: Axis, outputs: slice = EVERY) -> Weights:
    """Return the weights with which outputs read the input's pixels."""
    spec, p = axis.spec, axis.particulars
    # Position: where each output reads, in input pixels.
    x = _placed(axis, axis.grid.positions())[outputs]
    if spec.kernel in PICKING:
        tap, weight = picking.taps(axis, x)
    else:
        # Taps: the pixels within the kernel's reach. Weights: by their distance.
        k = axis.kernel
        tap = np.ceil(x - k.radius)[:, None] + np.arange(math.floor(2 * k.radius) + 1)
        weight = k(tap - x[:, None])
        if p.window != "closed" or axis.spreads is not None:
            tap, weight = _hooked(axis, tap, weight, x)
    # Outside: another pixel stands for what is not there, or a constant, or nothing.
    n = axis.n_in + 2 * axis.margin
    pixel, reads, counts = boundary.seen(tap + axis.margin, n, spec.boundary, p.padding)
    # Sum to one: a flat picture stays flat.
    weight = weight / _total(axis, weight, counts)
    taken = np.where(counts & ~reads, weight, 0.0).sum(1)
    offset = spec.fill * taken if spec.fill else None
    return Weights(pixel, np.where(reads, weight, 0.0), n, offset).trimmed()


def weights(axis: Axis) -> Weights:
    """Return the operator of an axis, with whatever its library does besides.

    >>> from resizelab import Spec
    >>> weights(Axis(4, 8, Spec())) @ np.array([0.0, 10.0, 20.0, 30.0])
    array([ 0. ,  2.5,  7.5, 12.5, 17.5, 22.5, 27.5, 30. ])
    """
    p = axis.particulars
    if p.shortcut is not None and axis.shortcut is not None:
        index = np.arange(axis.n_out)[:, None] // (axis.n_out // axis.n_in)
        return Weights(index, np.ones(index.shape), axis.n_in)
    filters: prefilter.Filters = []
    if p.prefilter:
        axis, filters = prefilter.around(axis)
    long = axis.n_out > PART and axis.spec.kernel not in PICKING
    made = _in_parts(axis, filters) if long or filters else sampled(axis)
    if p.one_wide is not None:
        first = np.zeros(axis.n_out, np.intp)
        made = Weights(made.index[first], made.weight[first], made.n_in)
    if axis.spec.extrapolation is not None:
        made = _extrapolated(axis, made)
    return made


def _in_parts(axis: Axis, filters: prefilter.Filters) -> Weights:
    """Return what `sampled` does after filters, some outputs at a time."""

    def part(outputs: slice) -> Weights:
        made = sampled(axis, outputs)
        for needed in reversed(filters):  # of the pixels that are read, and no others
            made = made.narrowed.after(needed(made.read))
        return made

    if axis.spec.kernel in PICKING:  # they are few, and look at the whole axis
        return part(EVERY)
    starts = range(0, axis.n_out, PART)
    return Weights.stacked((part(slice(i, i + PART)) for i in starts), axis.n_out)


def _placed(axis: Axis, x: FloatArray) -> FloatArray:
    """Return positions as a library rounds and moves them before it looks for taps."""
    p = axis.particulars
    if p.fraction_bits is not None:
        x = np.rint(np.ldexp(x, p.fraction_bits)) / 2.0**p.fraction_bits
    if p.outside_positions is not None:
        x = boundary.position_inside(x, axis.n_in, p.outside_positions)
    if p.window_search == "padded":
        # onnx.reference: the fraction is the position's own, the pixel is the floor of
        # the position plus the padding. A fraction lost in that sum looks like a whole
        # pixel, and of a whole pixel's two neighbours the window begins with the lower.
        reach = 1.0 if axis.spec.kernel in PICKING else axis.kernel.radius
        pad, pixel = math.ceil(reach), np.floor(x)
        x = np.where((x > pixel) & (x + pad == pixel + pad), x - 1, x)
    return x


def _hooked(
    axis: Axis, tap: FloatArray, weight: FloatArray, x: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return taps and weights as a library changes them before the boundary."""
    if axis.particulars.window == "half_open":
        # Pillow truncates (centre ∓ radius + 1/2) to find the taps, and a tap lost to
        # that rounding is lost even if the kernel would give it weight.
        centre, radius = x[:, None] + 0.5, axis.kernel.radius
        first, end = np.floor(centre - radius + 0.5), np.floor(centre + radius + 0.5)
        weight = np.where((tap >= first) & (tap < end), weight, 0.0)
    if axis.spreads is not None:
        # A spline's coefficient is a sum of pixels: each tap is spread over them.
        reach, count = len(axis.spreads) // 2, tap.shape[1]
        matrix = np.zeros((count, count + 2 * reach))
        for k in range(count):
            matrix[k, k : k + len(axis.spreads)] = axis.spreads
        tap = tap[:, :1] + np.arange(-reach, count + reach)
        weight = weight @ matrix
    return tap, weight


def _total(axis: Axis, weight: FloatArray, counts: boundary.Mask) -> FloatArray | float:
    """Return what the weights of each output are divided by."""
    rule = axis.particulars.normalise
    if rule == "never":
        return 1.0
    counted = weight if rule == "before" else np.where(counts, weight, 0.0)
    total = counted.sum(1, keepdims=True)
    # A row that reads nothing stays zero; what counts as nothing depends on the kernel.
    nothing = np.abs(total) <= 1e-12 * float(np.abs(weight).max())
    return np.where(nothing, np.inf, total)


def _extrapolated(axis: Axis, w: Weights) -> Weights:
    """Return the operator with its own value for outputs that read outside."""
    x, from_edges = axis.grid.positions(), axis.particulars.extrapolation_edges
    outside = boundary.position_outside(x, axis.n_in, from_edges)
    if not outside.any():
        return w
    offset = np.zeros(w.n_out) if w.offset is None else w.offset
    assert axis.spec.extrapolation is not None
    offset = np.where(outside, axis.spec.extrapolation, offset)
    weight = np.where(outside[:, None], 0.0, w.weight)
    return Weights(w.index, weight, w.n_in, offset if offset.any() else None)
