"""From an axis to its operator: which pixels, and how much of each.

`sampled` is the recipe. What single libraries do on the way of it stands in `habits`,
and what they do before it or after it hooks in around, in `weights`.
"""

import math

import numpy as np

from resizelab.axis import boundary, habits, picking, prefilter
from resizelab.axis.kernel import PICKING, Stretched
from resizelab.axis.operator import Weights
from resizelab.axis.spec import NEUTRAL, Axis
from resizelab.checks import FloatArray, IndexArray

EVERY = slice(None)
PART = 2048  # outputs that are in work at once


def sampled(axis: Axis, outputs: slice | IndexArray = EVERY) -> Weights:
    """Return the weights with which outputs read the input's pixels."""
    spec, p = axis.spec, axis.particulars
    # Position: where each output reads, in input pixels.
    x = axis.grid.positions()[outputs]
    if p is not NEUTRAL:
        x = habits.positions(axis, x)
    if spec.kernel in PICKING:
        tap, weight = picking.taps(axis, x)
    else:
        # Taps: the pixels within the kernel's reach. Weights: by their distance.
        k = axis.kernel
        tap = np.ceil(x - k.radius)[:, None] + np.arange(math.floor(2 * k.radius) + 1)
        weight = k(tap - x[:, None])
        if p is not NEUTRAL:
            tap, weight = habits.taps(axis, tap, weight, x)
    # Outside: another pixel stands for what is not there, or a constant, or nothing.
    tap, n = tap + axis.margin, axis.n_in + 2 * axis.margin
    pixel, reads, counts = boundary.seen(tap, n, spec.boundary, p.padding)
    # Sum to one: a flat picture stays flat.
    weight = weight / _total(axis, weight, counts)
    taken = np.where(counts & ~reads, weight, 0.0).sum(1)
    offset = spec.fill * taken if spec.fill else None
    weight = np.where(reads, weight, 0.0)
    if boundary.BOUNDARIES[spec.boundary].odd:
        pixel, weight = boundary.continued(tap, pixel, weight, n)
    return Weights(pixel, weight, n, offset).trimmed()


def weights(axis: Axis) -> Weights:
    """Return the operator of an axis, with whatever its library does besides.

    >>> from resizelab import Spec
    >>> weights(Axis(4, 8, Spec())) @ np.array([0.0, 10.0, 20.0, 30.0])
    array([ 0. ,  2.5,  7.5, 12.5, 17.5, 22.5, 27.5, 30. ])
    """
    p = axis.particulars
    if axis.first is not None:
        return weights(axis.replace(first=None)).after(weights(axis.first))
    if axis.then is not None:
        return weights(axis.then).after(weights(axis.replace(then=None)))
    if axis.level:
        return _between_levels(axis)
    if p.supersampled and axis.n_in >= 2 * axis.n_out:
        return _supersampled(axis)
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


def chosen(axis: Axis, outputs: IndexArray) -> Weights:
    """Return `weights` of some outputs, without the others where that can be."""
    p, spec = axis.particulars, axis.spec
    others = axis.first, axis.then, axis.shortcut, p.one_wide, spec.extrapolation
    whole = axis.level or p.supersampled or p.prefilter or p.window == "counted"
    if whole or any(v is not None for v in others) or spec.kernel in PICKING:
        w = weights(axis)
        offset = None if w.offset is None else w.offset[outputs]
        return Weights(w.index[outputs], w.weight[outputs], w.n_in, offset)
    return sampled(axis, outputs)


def _in_parts(axis: Axis, filters: prefilter.Filters) -> Weights:
    """Return what `sampled` does after filters, some outputs at a time."""

    def part(outputs: slice) -> Weights:
        made = sampled(axis, outputs)
        for needed in reversed(filters):  # of the pixels that are read, and no others
            made = made.narrowed.after(needed(made.read))
        return made

    whole = axis.spec.kernel in PICKING or axis.particulars.window == "counted"
    if whole:  # they look at the whole axis
        return part(EVERY)
    starts = range(0, axis.n_out, PART)
    return Weights.stacked((part(slice(i, i + PART)) for i in starts), axis.n_out)


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
    return Weights(index, np.concatenate(mixed, 1), axis.n_in).trimmed()


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
    x, p = axis.grid.positions(), axis.particulars
    outside = boundary.position_outside(x, axis.n_in, p.extrapolation_edges)
    if p.last_edge_outside:
        outside |= x == axis.n_in - 0.5
    if not outside.any():
        return w
    assert axis.spec.extrapolation is not None
    offset = np.where(outside, axis.spec.extrapolation, w.offsets)
    weight = np.where(outside[:, None], 0.0, w.weight)
    return Weights(w.index, weight, w.n_in, offset if offset.any() else None)
