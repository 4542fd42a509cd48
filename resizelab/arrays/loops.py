"""Loops that numba compiles: a line of pixels from a line, a line from several."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

from resizelab.arrays.vectors import copy, filled, plus, store

Array = NDArray[Any]
Function = TypeVar("Function", bound=Callable[..., Any])
# How sums are stored: what is added, the bits that fall, the smallest and the largest
# number; and the bits that each product loses before it is added. Floats that stay
# floats: all 0.
Stored = tuple[int, int, int, int, int]
ABREAST, PIXEL = 32, 4  # numbers summed at once: along a line, of a pixel


def _jit(function: Function) -> Function:
    compiler = numba.njit(cache=True, nogil=True, fastmath={"contract"})
    return cast(Function, compiler(function))


def _along(lanes: int) -> tuple[Any, Any]:
    """Return loops over pixels of a line that sum ``lanes`` numbers at once.

    A pixel of fewer numbers is summed with some of the next one's, which comes after.
    """

    def pairs(
        x: Any, start: int, y: Any, to: int, taps: Any, part: Any, how: Any
    ) -> None:
        index, weight, _, offset, depth = taps
        for j in range(part[0], part[1]):
            i = np.uintp(j)
            total = filled(offset[i], lanes)
            total = plus(total, weight[i, 0], x, start + index[i, 0], None)
            total = plus(total, weight[i, 1], x, start + index[i, 1], None)
            store(y, to + depth * j, total, how)

    def every(
        x: Any, start: int, y: Any, to: int, taps: Any, part: Any, how: Any
    ) -> None:
        index, weight, count, offset, depth = taps
        for j in range(part[0], part[1]):
            i = np.uintp(j)
            for c in range(0, depth, lanes):
                total = filled(offset[i], lanes)
                for t in range(count[i]):
                    k = np.uintp(t)
                    total = plus(total, weight[i, k], x, start + c + index[i, k], None)
                store(y, to + depth * j + c, total, how)

    return _jit(pairs), _jit(every)


_pairs_of_one, _every_one = _along(1)
_pairs, _every = _along(PIXEL)


@_jit
def _across(x: Array, start: int, y: Array, to: int, columns: Any, how: Stored) -> None:
    """Fill a line of pixels from a line; each begins at a place."""
    taps, plain, two = columns
    depth = taps[4]
    _every_one(x, start, y, to, taps, (0, plain[0]), how)
    if depth == 1 and two:
        _pairs_of_one(x, start, y, to, taps, plain, how)
    elif depth == 1:
        _every_one(x, start, y, to, taps, plain, how)
    elif depth <= PIXEL and two:
        _pairs(x, start, y, to, taps, plain, how)
    else:
        _every(x, start, y, to, taps, plain, how)
    _every_one(x, start, y, to, taps, (plain[1], len(taps[2])), how)


@_jit
def _mixed(
    x: Array, starts: Array, row: Any, y: Array, to: int, size: int, how: Any
) -> None:
    """Fill a line of ``size`` numbers with the sum of lines of ``x``."""
    (share, n, add), done = row, 0
    while done + ABREAST <= size:
        total = filled(add, ABREAST)
        for t in range(n):
            k = np.uintp(t)
            total = plus(total, share[k], x, starts[k] + done, how[4])
        store(y, to + done, total, how)
        done += ABREAST
        if done < size < done + ABREAST:
            done = size - ABREAST  # the last ones once more
    for place in range(done, size):
        one = filled(add, 1)
        for t in range(n):
            one = plus(one, share[t], x, starts[t] + place, how[4])
        store(y, to + place, one, how)


@_jit
def width_first(x: Array, y: Array, part: Any, between: Array, work: Any) -> None:
    """Fill lines of ``y``; lines of ``x`` are kept in ``between`` while they serve."""
    ((index, weight, count, offset, _), _, _), columns, hows = work
    held, size = np.full(len(between), -1), y.shape[1]
    starts = np.zeros(index.shape[1], np.int64)
    for i in range(part[0], part[1]):
        for k in range(count[i]):
            j = index[i, k]
            line = j % len(between)
            starts[k] = line * size
            if held[line] != j:
                _across(x, j * x.shape[1], between, starts[k], columns, hows[0])
                held[line] = j
        row = weight[i], count[i], offset[i]
        _mixed(between, starts, row, y, i * size, size, hows[1])


@_jit
def height_first(x: Array, y: Array, part: Any, between: Array, work: Any) -> None:
    """Fill lines of ``y``; ``between`` is a line of the width of ``x``."""
    ((index, weight, count, offset, _), _, _), columns, hows = work
    starts, size = np.zeros(index.shape[1], np.int64), x.shape[1]
    for i in range(part[0], part[1]):
        for k in range(count[i]):
            starts[k] = index[i, k] * size
        row = weight[i], count[i], offset[i]
        _mixed(x, starts, row, between, 0, size, hows[0])
        _across(between, 0, y, i * y.shape[1], columns, hows[1])


@_jit
def picked(x: Array, y: Array, part: Any, work: Any) -> None:
    """Fill lines of ``y`` with pixels of ``x``, each copied."""
    rows, columns, depth = work
    several = 1 < depth <= PIXEL
    for i in range(part[0], part[1]):
        if i > part[0] and rows[i] == rows[i - 1]:
            y[i] = y[i - 1]
            continue
        start, to = rows[i] * x.shape[1], i * y.shape[1]
        for k in range(len(columns)):
            begins, place = columns[k] * depth, k * depth
            ends = begins + PIXEL > x.shape[1] or place + PIXEL > y.shape[1]
            if several and not ends:  # some of the next pixel too, which comes after
                copy(y, to + place, x, start + begins, PIXEL)
            else:
                for c in range(depth):
                    y[i, place + c] = x[rows[i], begins + c]
