"""From an axis to its operator: which pixels, and how much of each.

`sampled` is the recipe. What a library does before it or beside it hooks in around.
"""

import math

import numpy as np

from resizelab.axis import boundary, counting, picking, prefilter
from resizelab.axis.kernel import PICKING, Stretched
from resizelab.axis.operator import Weights
from resizelab.axis.spec import Axis
from resizelab.checks import FloatArray


def sampled(axis: Axis) -> Weights:
    """Return the weights with which each output reads the input's pixels."""
    spec, p = axis.spec, axis.particulars
    # Position: where each output reads, in input pixels.
    x = _placed(axis, axis.grid.positions())
    if spec.kernel in PICKING:
        tap, weight = picking.taps(axis, x)
        if p.pair_means == "always":
            pairs = (weight > 0).sum(1, keepdims=True) == 2
            weight = np.where(pairs, 0.5 * (weight > 0), weight)
    elif p.window == "counted":
        tap, weight = counting.taps(axis, x)
    else:
        # Taps: the pixels within the kernel's reach. Weights: by their distance.
        k = axis.kernel
        tap = np.ceil(x - k.radius)[:, None] + np.arange(math.floor(2 * k.radius) + 1)
        weight = k(tap - x[:, None])
        if axis.reach is not None:
            near = np.abs(tap - np.floor(x + 0.5)[:, None]) <= axis.reach
            weight = np.where(near, weight, 0.0)
        if p.window == "half_open":
            weight = _without_lost(weight, tap, x[:, None], k.radius)
    # Outside: another pixel stands for what is not there, or a constant, or nothing.
    n = axis.n_in + 2 * axis.margin
    pixel, reads, counts = boundary.seen(tap + axis.margin, n, spec.boundary, p.padding)
    if p.where_taps_miss is not None:
        weight = _linear_where_taps_miss(axis, weight, tap, x)
    # Sum to one: a flat picture stays flat.
    weight = weight / _total(axis, weight, counts)
    taken = np.where(counts & ~reads, weight, 0.0).sum(1)
    offset = spec.fill * taken if spec.fill else None
    weight = np.where(reads, weight, 0.0)
    if spec.boundary == "odd_reflect":
        pixel, weight = boundary.continued(tap, pixel, weight, n)
    return Weights(pixel, weight, n, offset).trimmed()


def weights(axis: Axis) -> Weights:
    """Return the operator of an axis, with whatever its library does besides.

    >>> from resizelab import Spec
    >>> weights(Axis(4, 8, Spec())) @ np.array([0.0, 10.0, 20.0, 30.0])
    array([ 0. ,  2.5,  7.5, 12.5, 17.5, 22.5, 27.5, 30. ])
    """
    p = axis.particulars
    if axis.then is not None:
        return weights(axis.then).after(weights(axis.replace(then=None)))
    if axis.level:
        return _between_levels(axis)
    if p.supersampled and axis.n_in >= 2 * axis.n_out:
        return _supersampled(axis)
    if p.shortcut is not None and axis.shortcut is not None:
        index = np.arange(axis.n_out)[:, None] // (axis.n_out // axis.n_in)
        return Weights(index, np.ones(index.shape), axis.n_in)
    if p.prefilter:
        prepared, axis = prefilter.prepared(axis)
        return _extrapolated(axis, sampled(axis)).after(prepared)
    made = sampled(axis)
    if p.one_wide is not None:
        first = np.zeros(axis.n_out, np.intp)
        made = Weights(made.index[first], made.weight[first], axis.n_in)
    return made if axis.spec.extrapolation is None else _extrapolated(axis, made)


def _supersampled(axis: Axis) -> Weights:
    """Return the mean of as many outputs as whole steps fit into one."""
    count = axis.n_in // axis.n_out
    inner = axis.particulars.replace(supersampled=False)
    finer = axis.replace(n_out=count * axis.n_out, particulars=inner)
    return prefilter.box(finer.n_out, count).after(weights(finer))


def _between_levels(axis: Axis) -> Weights:
    """Return what is read from the two levels of a pyramid beside ``axis.level``."""
    lower = math.floor(axis.level)
    share, read = axis.level - lower, []
    for level in (lower, lower + 1) if share else (lower,):
        halved = prefilter.pyramid(axis.n_in, level)
        plain = axis.replace(n_in=halved.n_out, level=0.0)
        read.append(weights(plain).after(halved))
    if not share:
        return read[0]
    index = np.concatenate([w.index for w in read], 1)
    mixed = [read[0].weight * (1 - share), read[1].weight * share]
    return Weights(index, np.concatenate(mixed, 1), axis.n_in)


def _placed(axis: Axis, x: FloatArray) -> FloatArray:
    """Return positions as a library rounds and moves them before it looks for taps."""
    p = axis.particulars
    if p.fraction_bits is not None:
        whole = np.floor if p.fraction_rounding == "floor" else np.rint
        x = whole(np.ldexp(x, p.fraction_bits)) / 2.0**p.fraction_bits
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


def _without_lost(
    weight: FloatArray, tap: FloatArray, x: FloatArray, radius: float
) -> FloatArray:
    # Pillow truncates (centre ∓ radius + 1/2) to find the taps, and a tap lost to that
    # rounding is lost even if the kernel would give it weight.
    centre = x + 0.5
    first, end = np.floor(centre - radius + 0.5), np.floor(centre + radius + 0.5)
    return np.where((tap >= first) & (tap < end), weight, 0.0)


def _linear_where_taps_miss(
    axis: Axis, weight: FloatArray, tap: FloatArray, x: FloatArray
) -> FloatArray:
    """Return linear weights for outputs whose taps are not all in the input."""
    assert axis.particulars.where_taps_miss == "linear"
    missing = (weight != 0) & ((tap < 0) | (tap >= axis.n_in))
    linear = np.maximum(0.0, 1 - np.abs(tap - x[:, None]))
    return np.where(missing.any(1, keepdims=True), linear, weight)


def _total(axis: Axis, weight: FloatArray, counts: boundary.Mask) -> FloatArray | float:
    """Return what the weights of each output are divided by."""
    rule = axis.particulars.normalise
    if rule == "never":
        return 1.0
    if rule == "by_stretch":
        return axis.kernel.stretch if isinstance(axis.kernel, Stretched) else 1.0
    counted = weight if rule == "before" else np.where(counts, weight, 0.0)
    total = counted.sum(1, keepdims=True)
    # A row that reads nothing stays zero; what counts as nothing depends on the kernel.
    nothing = np.abs(total) <= 1e-12 * float(np.abs(weight).max())
    return np.where(nothing, np.inf, total)


def _extrapolated(axis: Axis, w: Weights) -> Weights:
    """Return the operator with its own value for outputs that read outside."""
    spec, p = axis.spec, axis.particulars
    if spec.extrapolation is None:
        return w
    x = axis.grid.positions()
    outside = boundary.position_outside(x, axis.n_in, p.extrapolation_edges)
    if p.last_edge_outside:
        outside |= x == axis.n_in - 0.5
    if not outside.any():
        return w
    offset = np.zeros(w.n_out) if w.offset is None else w.offset
    offset = np.where(outside, spec.extrapolation, offset)
    weight = np.where(outside[:, None], 0.0, w.weight)
    return Weights(w.index, weight, w.n_in, offset if offset.any() else None)
