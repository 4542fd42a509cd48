"""Integers: fixed-point weights, what is rounded when, clipping and pass order.

Sums of integers are taken in float64, where they are exact below 2**53; so the same
fast product serves, and every rounding stands in the open.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.arrays import sums
from resizelab.axis.operator import Weights
from resizelab.axis.spec import Arithmetic
from resizelab.checks import FloatArray

MOST_BITS = 22  # what ``fit_int16`` never exceeds


def fitting_bits(weight: FloatArray, limit: int = 2**15) -> int:
    """Return the most bits with which the largest weight stays below ``limit``.

    >>> fitting_bits(np.array([0.25, 0.75]))
    15
    """
    largest = float(weight.max(initial=0.0))
    bits = 0
    while bits < MOST_BITS and int(0.5 + largest * 2.0 ** (bits + 1)) < limit:
        bits += 1
    return bits


def rounded(values: FloatArray, rule: str) -> FloatArray:
    """Return ``values`` rounded to whole numbers under a rule.

    >>> [float(rounded(np.array(-2.5), r)) for r in ("half_up", "half_away")]
    [-2.0, -3.0]
    """
    match rule:
        case "half_up":
            result = np.floor(values + 0.5)
        case "half_away":
            result = np.copysign(np.floor(np.abs(values) + 0.5), values)
        case "half_even":
            result = np.rint(values)
        case _:
            result = np.trunc(values)
    whole: FloatArray = result
    return whole


def quantised(operator: Weights, arithmetic: Arithmetic) -> tuple[Weights, int]:
    """Return the operator with whole-number weights, and their bits."""
    merged = arithmetic.edge_taps == "merged"
    w = operator.merged if merged else operator
    bits = arithmetic.weight_bits
    if isinstance(bits, str) or bits is None:
        bits = fitting_bits(w.weight)
    assert arithmetic.weight_rounding is not None
    whole = rounded(np.ldexp(w.weight, bits), arithmetic.weight_rounding)
    return Weights(w.index, whole, w.n_in), bits


def run(
    work: Sequence[tuple[int, Weights]], x: NDArray[Any], arithmetic: Arithmetic
) -> NDArray[Any]:
    """Return ``x`` after every (axis, operator) of ``work``, in that order."""
    dtype = np.dtype(arithmetic.output_dtype or x.dtype)
    passes = [(axis, w) for axis, w in work if not w.is_identity]
    if dtype.kind == "f":
        y = x.astype(dtype)
        if arithmetic.unit_range and x.dtype.kind in "iu":
            y /= dtype.type(np.iinfo(x.dtype).max)
            y = np.maximum(y, dtype.type(-1))
        for axis, w in passes:
            y = w.apply(y, axis)
        return y
    if x.dtype.kind != "f" and all(w.picks for _, w in passes):
        for axis, w in passes:
            x = w.apply(x, axis)
        return x.astype(dtype)
    if arithmetic.accumulator == "float32_halved":
        # Axes that keep their size take part; a batch and its channels do not.
        passes = sorted(work, key=lambda aw: aw[0])[-2 if len(work) > 3 else 0 :]
    if arithmetic.weight_bits is None:
        return _floats(passes, x, arithmetic, dtype)
    if arithmetic.between_passes == "staged" and passes:
        return _staged(work, x.astype(np.float64), arithmetic, dtype)
    return _fixed_point(passes, x, arithmetic, dtype)


def _floats(
    passes: Sequence[tuple[int, Weights]],
    x: NDArray[Any],
    arithmetic: Arithmetic,
    dtype: np.dtype[Any],
) -> NDArray[Any]:
    if arithmetic.accumulator not in ("float32", "float64"):
        y = sums.apply(passes, x, arithmetic.accumulator)
        return clipped(rounded(y, arithmetic.sum_rounding), dtype)
    y = x.astype(arithmetic.accumulator)
    for axis, w in passes:
        y = w.apply(y, axis)
        if arithmetic.between_passes == "round":
            y = _whole(y, arithmetic, dtype).astype(y.dtype)
    return _whole(y, arithmetic, dtype)


def _whole(
    values: FloatArray, arithmetic: Arithmetic, dtype: np.dtype[Any]
) -> NDArray[Any]:
    whole = rounded(values, arithmetic.sum_rounding)
    if arithmetic.clip_dtype is None:
        return clipped(whole, dtype)
    return clipped(whole, np.dtype(arithmetic.clip_dtype)).astype(dtype)


def _fixed_point(
    passes: Sequence[tuple[int, Weights]],
    x: NDArray[Any],
    arithmetic: Arithmetic,
    dtype: np.dtype[Any],
) -> NDArray[Any]:
    y: NDArray[Any] = x.astype(np.float64)
    held = 0  # bits of fraction that the sums carry
    for axis, w in passes:
        whole, bits = quantised(w, arithmetic)
        y, held = whole.apply(y, axis), held + bits
        if arithmetic.between_passes == "round":
            y = _whole(np.ldexp(y, -held), arithmetic, dtype).astype(np.float64)
            held = 0
    if passes and not held:
        return y.astype(dtype)  # whole already; what wrapped round is not cut again
    return _whole(np.ldexp(y, -held), arithmetic, dtype)


def _staged(
    work: Sequence[tuple[int, Weights]],
    y: FloatArray,
    arithmetic: Arithmetic,
    dtype: np.dtype[Any],
) -> NDArray[Any]:
    # The sums of the first axis lose 4 bits, each product of the second loses 16,
    # and the last 2 bits are rounded: 22 bits of weights in 32-bit registers. An axis
    # that keeps its size still multiplies, by 2**11.
    one = 2.0**11
    (axis, first), *rest = work
    whole, _ = quantised(first, arithmetic)
    y = np.floor(whole.apply(y, axis) / 16)
    if not rest:
        return clipped(np.floor((np.floor(y * one / 2**16) + 2) / 4), dtype)
    ((axis, second),) = rest
    whole, _ = quantised(second, arithmetic)
    total = np.zeros((*y.shape[:axis], second.n_out, *y.shape[axis + 1 :]))
    lined = [1] * (y.ndim - axis - 1)
    for tap in range(whole.index.shape[1]):
        share = whole.weight[:, tap].reshape(-1, *lined)
        total += np.floor(np.take(y, whole.index[:, tap], axis) * share / 2**16)
    return clipped(np.floor((total + 2) / 4), dtype)


def clipped(values: FloatArray, dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return whole numbers as ``dtype``, those out of range at its ends.

    >>> clipped(np.array([-3.0, 300.0]), np.dtype("uint8"))
    array([  0, 255], dtype=uint8)
    """
    info = np.iinfo(dtype)
    # A float64 cannot hold the last int64 or uint64: the cast itself would wrap round.
    high = np.nextafter(float(info.max), 0) if dtype.itemsize == 8 else info.max
    return np.clip(values, info.min, high).astype(dtype)
