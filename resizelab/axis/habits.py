"""What single libraries do to positions, taps and weights on the way of the recipe."""

import math

import numpy as np

from resizelab.axis import boundary, counting
from resizelab.axis.kernel import PICKING
from resizelab.axis.spec import Axis
from resizelab.checks import FloatArray

Taps = tuple[FloatArray, FloatArray]


def positions(axis: Axis, x: FloatArray) -> FloatArray:
    """Return positions as a library rounds and moves them before it looks for taps."""
    p = axis.particulars
    x = in_steps(x, p.fraction_bits, p.fraction_rounding)
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


def in_steps(x: FloatArray, bits: int | None, rounding: str) -> FloatArray:
    """Return positions whose fractions have so many bits; as they are for None.

    >>> in_steps(np.array([0.3, 1.99]), 2, "floor")
    array([0.25, 1.75])
    """
    if bits is None:
        return x
    whole = np.floor if rounding == "floor" else np.rint
    steps: FloatArray = whole(np.ldexp(x, bits)) / 2.0**bits
    return steps


def taps(axis: Axis, tap: FloatArray, weight: FloatArray, x: FloatArray) -> Taps:
    """Return taps and weights as a library changes them before the boundary rule."""
    p = axis.particulars
    if p.window == "counted":
        return counting.taps(axis, x)
    if axis.reach is not None:
        near = np.abs(tap - np.floor(x + 0.5)[:, None]) <= axis.reach
        weight = np.where(near, weight, 0.0)
    if p.window == "half_open":
        # Pillow truncates (centre ∓ radius + 1/2) to find the taps, and a tap lost to
        # that rounding is lost even if the kernel would give it weight.
        centre, radius = x[:, None] + 0.5, axis.kernel.radius
        first, end = np.floor(centre - radius + 0.5), np.floor(centre + radius + 0.5)
        weight = np.where((tap >= first) & (tap < end), weight, 0.0)
    if axis.spreads is not None:
        return _spread(axis.spreads, tap, weight)
    if p.where_taps_miss == "linear":
        missing = (weight != 0) & ((tap < 0) | (tap >= axis.n_in))
        linear = np.maximum(0.0, 1 - np.abs(tap - x[:, None]))
        weight = np.where(missing.any(1, keepdims=True), linear, weight)
    return tap, weight


def _spread(shares: tuple[float, ...], tap: FloatArray, weight: FloatArray) -> Taps:
    # A spline's coefficient is a sum of pixels: each tap is spread over them.
    if not weight[:, -1].any():  # where a spline ends it is zero
        weight = weight[:, :-1]
    reach, count = len(shares) // 2, weight.shape[1]
    band = np.zeros((count, count + 2 * reach))
    for k in range(count):
        band[k, k : k + len(shares)] = shares
    return tap[:, :1] + np.arange(-reach, count + reach), weight @ band
