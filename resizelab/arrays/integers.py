"""Integers: fixed-point weights, what is rounded when, clipping, which pass is first.

Whole-number weights are stored as multiples of 2**-bits, in a float type in which every
sum is exact; so the same fast product serves, and every rounding stands in the open.
"""

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.arrays import sums
from resizelab.arrays.passes import Finish, passed
from resizelab.arrays.staged import staged
from resizelab.axis import Arithmetic, Weights
from resizelab.checks import FloatArray, IndexArray

MOST_BITS = 22  # what ``fit_int16`` never exceeds
EXACT32 = 2.0**24  # whole numbers that a float32 holds
NOISE = 8  # last bits of a sum of floats
FEW_READ = 0.8  # of an axis: where fewer pixels are read, the others are left out
Passes = Sequence[tuple[int, Weights]]


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


def round_in_place(values: FloatArray, rule: str) -> None:
    """Round ``values`` to whole numbers under a rule.

    >>> values = np.array([-2.5, 2.5])
    >>> round_in_place(values, "half_up")
    >>> values
    array([-2.,  3.])
    """
    match rule:
        case "half_up":
            values += 0.5
            np.floor(values, out=values)
        case "half_away":
            away = np.abs(values)
            away += 0.5
            np.copysign(np.floor(away, out=away), values, out=values)
        case "half_even":
            np.rint(values, out=values)
        case _:
            np.trunc(values, out=values)


@lru_cache(maxsize=64)
def quantised(operator: Weights, arithmetic: Arithmetic) -> tuple[Weights, int]:
    """Return the operator with whole-number weights, and their bits."""
    w = operator.merged if arithmetic.edge_taps == "merged" else operator
    bits = arithmetic.weight_bits
    if isinstance(bits, str) or bits is None:
        bits = fitting_bits(w.weight)
    assert arithmetic.weight_rounding is not None
    whole = np.ldexp(w.weight, bits)
    round_in_place(whole, arithmetic.weight_rounding)
    offset = None if w.offset is None else np.ldexp(w.offset, bits)
    return Weights(w.index, whole, w.n_in, offset).trimmed(), bits


@lru_cache(maxsize=64)
def _fractions(operator: Weights, arithmetic: Arithmetic) -> tuple[Weights, int]:
    """Return the operator with weights that are multiples of 2**-bits, and the bits."""
    whole, bits = quantised(operator, arithmetic)
    offset = None if whole.offset is None else np.ldexp(whole.offset, -bits)
    return Weights(whole.index, np.ldexp(whole.weight, -bits), whole.n_in, offset), bits


def clear_cache() -> None:
    """Forget the operators that were quantised so far (for timing)."""
    quantised.cache_clear()
    _fractions.cache_clear()


def run(work: Passes, x: NDArray[Any], arithmetic: Arithmetic) -> NDArray[Any]:
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
    clips = arithmetic.clip_dtype is not None and bool(passes)
    if x.dtype.kind != "f" and not clips and all(w.picks for _, w in passes):
        for axis, w in passes:
            x = w.apply(x, axis)
        if arithmetic.clip_dtype is None and not np.can_cast(x.dtype, dtype):
            known, made = np.iinfo(x.dtype), np.iinfo(dtype)
            x = np.clip(x, max(known.min, made.min), min(known.max, made.max))
        return x.astype(dtype)
    if arithmetic.accumulator not in ("float32", "float64"):
        # Of two taps an axis; an axis that keeps its size may take part.
        halved = arithmetic.accumulator == "float32_halved"
        y = sums.apply(work if halved else passes, x, arithmetic.accumulator)
        round_in_place(y, arithmetic.sum_rounding)
        return clipped(y, dtype)
    if arithmetic.between_passes == "staged" and passes:
        parts = [(axis, _fractions(w, arithmetic)[0]) for axis, w in work]
        return staged(*_without_unread(parts), x, dtype)
    return _summed(passes, x, arithmetic, dtype)


def _summed(
    passes: Passes, x: NDArray[Any], arithmetic: Arithmetic, dtype: np.dtype[Any]
) -> NDArray[Any]:
    limits = np.dtype(arithmetic.clip_dtype or dtype)
    passes, lines = _without_unread(passes)
    # Beyond this a sum of the multiples of 2**-bits may be rounded in float32.
    largest, bits = _largest(x.dtype), 0
    y = x
    for k, (axis, w) in enumerate(passes):
        last = k == len(passes) - 1
        whole = last or arithmetic.between_passes == "round"
        accumulator: Any = np.dtype(arithmetic.accumulator)
        if arithmetic.weight_bits is not None:
            w, own = _fractions(w, arithmetic)
            largest, bits = largest * float(np.abs(w.weight).sum(1).max()), bits + own
            small = (largest + 1) * 2.0**bits < EXACT32
            accumulator = np.dtype(np.float32 if small else np.float64)
        finish = _finish(arithmetic, limits, accumulator) if whole else _keep
        if arithmetic.between_passes == "clip_high" and not last:
            finish = partial(_cut_high, high=_largest(dtype) + 1 - 2.0**-bits)
        made = limits if whole else accumulator
        y = passed(w, y, axis, accumulator, made, finish, lines if k == 0 else None)
        if whole:
            y = y if limits == dtype else y.astype(dtype)  # what is beyond wraps round
            largest, bits = _largest(dtype), 0
    if not passes:
        values = x.astype(np.float64)
        round_in_place(values, arithmetic.sum_rounding)
        y = clipped(values, limits).astype(dtype)
    return y


def _without_unread(passes: Passes) -> tuple[Passes, IndexArray | None]:
    """Return the passes without the lines that the second does not read."""
    if len(passes) != 2 or passes[1][0] != passes[0][0] - 1:
        return passes, None
    first, (axis, second) = passes
    if len(second.read) > FEW_READ * second.n_in or not len(second.read):
        return passes, None
    return [first, (axis, second.narrowed)], second.read


def _largest(dtype: np.dtype[Any]) -> float:
    if dtype.kind == "f":
        return np.inf
    info = np.iinfo(dtype)
    return max(float(info.max), -float(info.min))


def _keep(values: FloatArray) -> None:
    """Leave the sums as they are."""


def _cut_high(values: FloatArray, high: float) -> None:
    """Cut sums at the largest number that an engine's register holds."""
    np.minimum(values, high, out=values)


def _finish(
    arithmetic: Arithmetic, dtype: np.dtype[Any], work: np.dtype[Any]
) -> Finish:
    low, high = limits(dtype, work)

    def finish(values: FloatArray) -> None:
        if arithmetic.sum_rounding == "half_up" and low == 0:
            values += work.type(0.5)  # what is cut off when it is stored is the floor
        else:
            if arithmetic.sum_rounding == "half_away":  # a tie of floats is a tie
                values += NOISE * np.spacing(values)
            round_in_place(values, arithmetic.sum_rounding)
        np.clip(values, low, high, out=values)

    return finish


def limits(dtype: np.dtype[Any], work: np.dtype[Any]) -> tuple[Any, Any]:
    """Return the ends of an integer type, as the nearest floats inside it.

    >>> limits(np.dtype("int64"), np.dtype("float64"))[1] < 2**63
    np.True_
    """
    info = np.iinfo(dtype)
    low, high = work.type(info.min), work.type(info.max)
    return low, high if int(high) <= info.max else np.nextafter(high, work.type(0))


def clipped(values: FloatArray, dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return whole numbers as ``dtype``, those out of range at its ends.

    >>> clipped(np.array([-3.0, 300.0]), np.dtype("uint8"))
    array([  0, 255], dtype=uint8)
    """
    return np.clip(values, *limits(dtype, values.dtype)).astype(dtype)
