"""The order of operations in which an engine computes (i + phase) * step.

On paper all of them are the same number. In a computer each rounds in its own way, and
where a position is a tie, or a size stands on a knife edge, rounding decides the pixel.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.checks import FloatArray

CORNERS = ("align_corners", "tf_crop_and_resize")
FIXED = 1024  # parts of a pixel in 22.10 fixed point
Ends = tuple[float, float]  # of a region, as fractions of n - 1


@dataclass(frozen=True)
class Line:
    """What is read of a grid: position = (i + phase) * span / count - offset."""

    n_in: int
    n_out: int
    span: float
    count: float
    phase: float
    offset: float
    coordinate_arithmetic: str = "float64"
    shift: float = 0.0


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
    steps[0] = steps[0] * g.phase - g.offset
    return np.add.accumulate(steps)


def _running_sum_padded(i: NDArray[np.intp], g: Line) -> FloatArray:
    # libvips counts from a pixel that it adds before the first.
    steps = np.full(len(i), 1.0 / (g.count / g.span))
    steps[0] = 1.0 + g.phase * steps[0]
    x: FloatArray = np.add.accumulate(steps) - 1.0
    return x


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


def _fixed_16_16_above(i: NDArray[np.intp], g: Line) -> FloatArray:
    # LiteRT's bytes: the step is cut to 1/65536 of a pixel, and one part is added.
    x: FloatArray = i * (np.floor(g.span * 65536 / g.count) + 1) / 65536
    return x


def _fixed_22_10(i: NDArray[np.intp], g: Line) -> FloatArray:
    # Whole 1/1024 pixels: the step is rounded half up, half of it is rounded down.
    step = np.floor(g.span * FIXED / g.count + 0.5)
    x: FloatArray = (i * step + np.floor(g.phase * step)) / FIXED
    return x


def _fixed_10_then_5(i: NDArray[np.intp], g: Line) -> FloatArray:
    # OpenCV's warps: where a line begins, and what is added to it, each in whole 1/1024
    # pixels; their sum in whole 1/32 of one.
    step = 1.0 / (g.count / g.span)
    first = np.rint((g.phase * step - g.offset + g.shift) * FIXED)
    fine = np.rint(i * step * FIXED) + first
    x: FloatArray = np.floor((fine + 16) / 32) / 32
    return x


def _fixed_step_16(i: NDArray[np.intp], g: Line) -> FloatArray:
    # FFmpeg: the step alone is in whole 1/65536 pixels, rounded half up.
    step = float(np.floor(g.span * 65536 / g.count + 0.5)) / 65536
    return (i + g.phase) * step


def _fixed_32_32(i: NDArray[np.intp], g: Line) -> FloatArray:
    # Skia inverts a float32 scale in float32 and goes on in whole 2**-32 pixels.
    one = 2.0**32
    step = np.float32(1) / (np.float32(g.count) / np.float32(g.span))
    first = np.floor(float(np.float32(g.phase) * step) * one)
    x: FloatArray = (first + i * np.floor(float(step) * one)) / one
    return x


def _normalised(number: Any, i: NDArray[np.intp], g: Line) -> FloatArray:
    # Through a sampling grid from -1 to 1, built from both ends towards the middle.
    if g.n_out == 1:
        return _float64(i, g)
    last = g.n_out - 1
    wider = np.float64 if number is np.float32 else np.longdouble
    step = wider(number(2) / number(last))  # products with it are fused
    ends = np.where(i < g.n_out // 2, -1 + step * i, 1 - step * (last - i))
    place = ends.astype(number)
    if g.phase:
        place = place * number(last) / number(g.n_out)
    found: FloatArray = (place + number(1)).astype(wider) * wider(g.span / 2)
    return found  # the offset is fused too


def _scale32(g: Line) -> np.float32:
    return np.float32(g.count) / np.float32(g.span)


def _step32(g: Line) -> np.float32:
    # A scale given by the caller arrives as span 1: engines invert it in float64.
    if g.span == 1.0:
        return np.float32(1.0 / g.count)
    return np.float32(g.span) / np.float32(g.count)


# Of a region of n pixels: where it starts, how long it is, where its middle lies.


def _start(number: Any, ends: Ends, n: int) -> float:
    return float(number(ends[0]) * number(n - 1))


def _length(number: Any, ends: Ends, n: int) -> float:
    return float((number(ends[1]) - number(ends[0])) * number(n - 1))


def _middle(number: Any, ends: Ends, n: int) -> float:
    return 0.5 * float(number(ends[0]) + number(ends[1])) * (n - 1)


def _summed_middle(ends: Ends, n: int) -> float:
    both = float(np.float32(ends[0]) + np.float32(ends[1]))
    return float(np.float32(0.5 * both * (n - 1)))


def _half_from_start(ends: Ends, n: int) -> float:
    half = np.float32(_length(np.float32, ends, n)) / np.float32(2)
    return float(half) + _start(np.float32, ends, n)


Of = Callable[[Ends, int], float]
START, LENGTH, MIDDLE = (partial(f, np.float64) for f in (_start, _length, _middle))


@dataclass(frozen=True, kw_only=True)
class PositionArithmetic:
    """What an engine's way of computing positions decides.

    ``scaled`` gives (i + phase) * step. ``number`` is the type in which a position is
    held: a half, or a translation, is added in it. ``rounded_last`` says that the
    offset is taken off in float64 before the position is rounded to float32,
    ``from_start`` that ``scaled`` begins with it.
    ``divides`` says that the step is a division by the scale, which the shift of
    half_pixel_symmetric follows. ``grids`` are the grids that it is defined for (None:
    all), ``takes_scale`` is False where sizes alone build it. ``start``, ``length`` and
    ``middle`` are those of a region.
    """

    scaled: Callable[[NDArray[np.intp], Line], FloatArray]
    number: type[np.floating[Any]] = np.float64
    rounded_last: bool = False
    from_start: bool = False
    divides: bool = False
    grids: tuple[str, ...] | None = None
    takes_scale: bool = True
    start: Of = START
    length: Of = LENGTH
    middle: Of = MIDDLE


_of64 = PositionArithmetic
_of32 = partial(PositionArithmetic, number=np.float32)

POSITION_ARITHMETICS = {
    "float64": _of64(scaled=_float64),
    "float64_step": _of64(scaled=_float64_step),
    "float64_reciprocal": _of64(scaled=_float64_reciprocal),
    "float64_divide": _of64(scaled=_float64_divide, divides=True),
    "running_sum": _of64(scaled=_running_sum, from_start=True),
    "float32_multiply": _of32(
        scaled=_float32_multiply,
        start=partial(_start, np.float32),
        length=partial(_length, np.float32),
        middle=partial(_middle, np.float32),
    ),
    "float32_divide": _of32(scaled=_float32_divide, divides=True),
    "float32_scale": _of32(scaled=_float32_scale, rounded_last=True, divides=True),
    "float32_multiply_divide": _of32(scaled=_float32_multiply_divide, divides=True),
    "float32_fraction": _of32(
        scaled=_float32_fraction, grids=CORNERS, middle=_summed_middle
    ),
    "float64_region": _of64(
        scaled=_float64_region,
        grids=CORNERS,
        start=partial(_start, np.float32),
        middle=_half_from_start,
    ),
    "float32_fma": _of32(scaled=_float32_fma, rounded_last=True),
    "float32_reciprocal": _of32(scaled=_float32_reciprocal),
    "float32_shifted": _of32(scaled=_float32_shifted),
    "float32_inverse": _of32(scaled=_float32_inverse),
    "float64_rounded": _of64(scaled=_float64_step, rounded_last=True),
    "float32_normalised": _of32(
        scaled=partial(_normalised, np.float32),
        rounded_last=True,
        grids=("half_pixel", "align_corners"),
        takes_scale=False,
    ),
    "float64_normalised": _of64(
        scaled=partial(_normalised, np.float64),
        grids=("half_pixel", "align_corners"),
        takes_scale=False,
    ),
    "fixed_22_10": _of64(scaled=_fixed_22_10),
    "fixed_16_16": _of64(scaled=_fixed_16_16),
    "fixed_16_16_above": _of64(scaled=_fixed_16_16_above, grids=("asymmetric",)),
    "fixed_10_then_5": _of64(scaled=_fixed_10_then_5, from_start=True),
    "running_sum_padded": _of64(scaled=_running_sum_padded),
    "fixed_step_16": _of64(scaled=_fixed_step_16),
    "fixed_32_32": _of64(scaled=_fixed_32_32),
}
