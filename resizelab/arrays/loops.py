"""Loops that numba compiles: a line of pixels from a line, a line from several lines.

Without numba they run in plain Python, which serves tests alone.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

try:
    import numba
    from numba.extending import overload
except ImportError:
    numba = None

Array = NDArray[Any]
Function = TypeVar("Function", bound=Callable[..., Any])
# How sums are stored: what is added, the bits that fall, the largest number; and the
# bits that each product loses before it is added. Floats: all 0.
Stored = tuple[int, int, int, int]


def _jit(function: Function) -> Function:
    if numba is None:
        return function
    made: Function = numba.njit(cache=True, nogil=True, fastmath={"contract"})(function)
    return made


def _term(share: Any, value: Any, how: Stored) -> Any:
    product = share * value
    return product >> how[3] if how[3] else product


def _whole(total: Any, how: Stored) -> Any:
    return min(max((total + how[0]) >> how[1], 0), how[2]) if how[1] else total


if numba is not None:
    # A float has no bits to shift, so each type has a function of its own.
    @overload(_term, strict=False)  # type: ignore[untyped-decorator]
    def _term_of(share: Any, value: Any, how: Any) -> Any:
        if isinstance(share, numba.types.Integer):
            return lambda share, value, how: np.int32(share * value) >> np.int32(how[3])
        return lambda share, value, how: share * value

    @overload(_whole, strict=False)  # type: ignore[untyped-decorator]
    def _whole_of(total: Any, how: Any) -> Any:
        if isinstance(total, numba.types.Integer):
            return lambda total, how: min(
                max(np.int32(total + how[0]) >> np.int32(how[1]), 0), how[2]
            )
        return lambda total, how: total


@_jit
def _across(x: Array, y: Array, taps: Any, depth: int, how: Stored) -> None:
    """Fill a line of ``depth`` numbers a pixel from a line."""
    index, weight, count, offset = taps
    kind, n = weight.dtype.type, weight.shape[1]
    if depth == 1:
        for i in range(len(count)):
            total = offset[i]
            for k in range(count[i]):
                total = kind(total + weight[i, k] * kind(x[np.uintp(index[i, k])]))
            y[i] = _whole(total, how)
    elif depth == 3:
        for i in range(len(count)):
            red = green = blue = offset[i]
            if n == 2 and count[i] == 2:
                j, m = 3 * index[i, 0], 3 * index[i, 1]
                a, b = weight[i, 0], weight[i, 1]
                red = a * kind(x[np.uintp(j)]) + b * kind(x[np.uintp(m)])
                green = a * kind(x[np.uintp(j + 1)]) + b * kind(x[np.uintp(m + 1)])
                blue = a * kind(x[np.uintp(j + 2)]) + b * kind(x[np.uintp(m + 2)])
                red, green, blue = red + offset[i], green + offset[i], blue + offset[i]
            else:
                for k in range(count[i]):
                    j, share = 3 * index[i, k], weight[i, k]
                    red += share * kind(x[np.uintp(j)])
                    green += share * kind(x[np.uintp(j + 1)])
                    blue += share * kind(x[np.uintp(j + 2)])
            y[3 * i] = _whole(kind(red), how)
            y[3 * i + 1] = _whole(kind(green), how)
            y[3 * i + 2] = _whole(kind(blue), how)
    else:
        for i in range(len(count)):
            for c in range(depth):
                total = offset[i]
                for k in range(count[i]):
                    j = np.uintp(depth * index[i, k] + c)
                    total = kind(total + weight[i, k] * kind(x[j]))
                y[depth * i + c] = _whole(total, how)


@_jit
def _mixed(
    lines: Array, at: Array, share: Array, n: int, add: Any, y: Array, how: Stored
) -> None:
    """Fill a line with the sum of ``n`` lines."""
    kind = share.dtype.type
    if n == 2:
        one, two, a, b = lines[at[0]], lines[at[1]], share[0], share[1]
        for k in range(len(y)):
            total = _term(a, kind(one[k]), how) + _term(b, kind(two[k]), how)
            y[k] = _whole(kind(total + add), how)
        return
    block = 512  # numbers: their sums stay beside the processor
    sums = np.empty(block, share.dtype)
    for first in range(0, len(y), block):
        width = min(block, len(y) - first)
        sums[:] = add
        for t in range(0, n - 3, 4):
            one, two = lines[at[t], first:], lines[at[t + 1], first:]
            three, four = lines[at[t + 2], first:], lines[at[t + 3], first:]
            a, b, c, d = share[t], share[t + 1], share[t + 2], share[t + 3]
            for k in range(width):
                ab = _term(a, kind(one[k]), how) + _term(b, kind(two[k]), how)
                cd = _term(c, kind(three[k]), how) + _term(d, kind(four[k]), how)
                sums[k] += kind(ab + cd)
        for t in range(n - n % 4, n):
            line, a = lines[at[t], first:], share[t]
            for k in range(width):
                sums[k] += _term(a, kind(line[k]), how)
        for k in range(width):
            y[first + k] = _whole(sums[k], how)


@_jit
def width_first(
    x: Array, y: Array, part: Any, taps: Any, depth: int, between: Array, hows: Any
) -> None:
    """Fill lines of ``y``; lines of ``x`` are kept in ``between`` while they serve."""
    (index, weight, count, offset), columns = taps
    held = np.full(len(between), -1)
    at = np.zeros(max(1, index.shape[1]), np.int64)
    for i in range(part[0], part[1]):
        for k in range(count[i]):
            j = index[i, k]
            at[k] = j % len(between)
            if held[at[k]] != j:
                _across(x[j], between[at[k]], columns, depth, hows[0])
                held[at[k]] = j
        _mixed(between, at, weight[i], count[i], offset[i], y[i], hows[1])


@_jit
def height_first(
    x: Array, y: Array, part: Any, taps: Any, depth: int, between: Array, hows: Any
) -> None:
    """Fill lines of ``y``; ``between`` is a line of the width of ``x``."""
    (index, weight, count, offset), columns = taps
    for i in range(part[0], part[1]):
        _mixed(x, index[i], weight[i], count[i], offset[i], between[0], hows[0])
        _across(between[0], y[i], columns, depth, hows[1])
