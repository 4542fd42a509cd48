"""The order of operations in which an engine computes (i + phase) * step.

On paper they are the same number. In a computer each order rounds in its own way, and
where a position is a tie, or a size stands on a knife edge, rounding decides the pixel.
"""

from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from resizelab.checks import FloatArray

ARITHMETICS = (
    "float64",
    "float64_step",
    "float64_reciprocal",
    "float64_divide",
    "running_sum",
    "float32_multiply",
    "float32_divide",
    "float32_scale",
    "float32_multiply_divide",
    "float32_fraction",
    "float64_region",
    "float32_fma",
    "float32_reciprocal",
    "float32_shifted",
    "float32_inverse",
    "float64_rounded",
    "float32_normalised",
    "fixed_22_10",
    "fixed_16_16",
)
# An order that knows how an engine builds one kind of grid means nothing for another.
CORNERS = ("align_corners", "tf_crop_and_resize")
ONLY_WITH = {
    "float32_fraction": CORNERS,
    "float64_region": CORNERS,
    "float32_normalised": ("half_pixel", "align_corners"),
}
ROUNDED_LAST = ("float32_scale", "float32_fma", "float64_rounded")  # added in float64
FIXED = 1024  # parts of a pixel in 22.10 fixed point


class Line(Protocol):
    """What an order reads of a grid: position = (i + phase) * span / count - offset."""

    @property
    def n_in(self) -> int: ...  # noqa: D102
    @property
    def n_out(self) -> int: ...  # noqa: D102
    @property
    def span(self) -> float: ...  # noqa: D102
    @property
    def count(self) -> float: ...  # noqa: D102
    @property
    def phase(self) -> float: ...  # noqa: D102
    @property
    def offset(self) -> float: ...  # noqa: D102


# Each returns (i + phase) * step, in the precision it ends in.


def _float64(i: NDArray[np.intp], g: Line) -> FloatArray:
    # Multiply first: the product is exact, the one rounding is the division, and
    # so floor() and ties come out as in exact rational arithmetic.
    return (i + g.phase) * g.span / g.count


def _float64_step(i: NDArray[np.intp], g: Line) -> FloatArray:
    return (i + g.phase) * (g.span / g.count)


def _float64_reciprocal(i: NDArray[np.intp], g: Line) -> FloatArray:
    return (i + g.phase) * (1.0 / (g.count / g.span))


def _float64_divide(i: NDArray[np.intp], g: Line) -> FloatArray:
    return (i + g.phase) / (g.count / g.span)


def _running_sum(i: NDArray[np.intp], g: Line) -> FloatArray:
    steps = np.full(len(i), g.span / g.count)
    steps[0] *= g.phase
    return np.add.accumulate(steps)


def _float32_multiply(i: NDArray[np.intp], g: Line) -> FloatArray:
    return (i.astype(np.float32) + np.float32(g.phase)) * _step32(g)


def _float32_divide(i: NDArray[np.intp], g: Line) -> FloatArray:
    return (i.astype(np.float32) + np.float32(g.phase)) / _scale32(g)


def _float32_scale(i: NDArray[np.intp], g: Line) -> FloatArray:
    return (i + g.phase) / float(_scale32(g))


def _float32_multiply_divide(i: NDArray[np.intp], g: Line) -> FloatArray:
    product = (i.astype(np.float32) + np.float32(g.phase)) * np.float32(g.span)
    return product / np.float32(g.count)


def _float32_fraction(i: NDArray[np.intp], g: Line) -> FloatArray:
    # The span is a share of the n_in - 1 steps between pixels: that product comes last.
    steps = np.float32(g.n_in - 1)
    share = (i + g.phase).astype(np.float32) * np.float32(g.span / (g.n_in - 1))
    return share * steps / np.float32(g.count)


def _float64_region(i: NDArray[np.intp], g: Line) -> FloatArray:
    # Only the region of interest is float32: its length, and where it starts.
    share = (i + g.phase) * float(np.float32(g.span / (g.n_in - 1)))
    return share * (g.n_in - 1) / g.count


def _float32_fma(i: NDArray[np.intp], g: Line) -> FloatArray:
    # A fused multiply-add rounds once. The float64 product of two float32 numbers
    # is exact, so one cast at the end gives the same bits.
    return (i + g.phase) * np.float64(_step32(g))


def _float32_reciprocal(i: NDArray[np.intp], g: Line) -> FloatArray:
    # The offset belongs to the distances, where it is exact: only the product rounds.
    step = np.float32(1.0 / float(_scale32(g)))
    product = (i.astype(np.float32) + np.float32(g.phase)) * step
    return product.astype(np.float64)


def _float32_inverse(i: NDArray[np.intp], g: Line) -> FloatArray:
    # A compiler folds the division: times n_in times the inverse of n_out.
    step = np.float32(g.span) * (np.float32(1) / np.float32(g.count))
    return (i.astype(np.float32) + np.float32(g.phase)) * step


def _float32_shifted(i: NDArray[np.intp], g: Line) -> FloatArray:
    # phase * step - offset is one number, added last: the grid takes off its offset.
    step = _step32(g)
    first = np.float32(g.phase) * step - np.float32(g.offset)
    return (i.astype(np.float32) * step + first).astype(np.float64) + g.offset


def _fixed_16_16(i: NDArray[np.intp], g: Line) -> FloatArray:
    # OpenCV 4: whole 1/65536 pixels, begun one part early where the input is odd.
    step = np.floor(g.span * 65536 / g.count + 0.5)
    x: FloatArray = (i * step + np.floor(g.phase * step) - g.n_in % 2) / 65536
    return x


def _fixed_22_10(i: NDArray[np.intp], g: Line) -> FloatArray:
    # Whole 1/1024 pixels: the step is rounded half up, half of it is rounded down.
    step = np.floor(g.span * FIXED / g.count + 0.5)
    x: FloatArray = (i * step + np.floor(g.phase * step)) / FIXED
    return x


def _float32_normalised(i: NDArray[np.intp], g: Line) -> FloatArray:
    # Through a sampling grid from -1 to 1, built from both ends towards the middle.
    if g.n_out == 1:
        return _float64(i, g)
    last = g.n_out - 1
    step = np.float64(np.float32(2) / np.float32(last))  # products with it are fused
    ends = np.where(i < g.n_out // 2, -1 + step * i, 1 - step * (last - i))
    place = ends.astype(np.float32)
    if g.phase:
        place = place * np.float32(last) / np.float32(g.n_out)
    return (place + np.float32(1)) * np.float32(g.span / 2)


def _scale32(g: Line) -> np.float32:
    return np.float32(g.count) / np.float32(g.span)


def _step32(g: Line) -> np.float32:
    # A scale given by the caller arrives as span 1: engines invert it in float64.
    if g.span == 1.0:
        return np.float32(1.0 / g.count)
    return np.float32(g.span) / np.float32(g.count)


ORDERS: dict[str, Callable[[NDArray[np.intp], Line], FloatArray]] = {
    "float64": _float64,
    "float64_step": _float64_step,
    "float64_reciprocal": _float64_reciprocal,
    "float64_divide": _float64_divide,
    "running_sum": _running_sum,
    "float32_multiply": _float32_multiply,
    "float32_divide": _float32_divide,
    "float32_scale": _float32_scale,
    "float32_multiply_divide": _float32_multiply_divide,
    "float32_fraction": _float32_fraction,
    "float64_region": _float64_region,
    "float32_fma": _float32_fma,
    "float32_reciprocal": _float32_reciprocal,
    "float32_shifted": _float32_shifted,
    "float32_inverse": _float32_inverse,
    "float64_rounded": _float64_step,
    "float32_normalised": _float32_normalised,
    "fixed_22_10": _fixed_22_10,
    "fixed_16_16": _fixed_16_16,
}
