"""Loops that numba compiles: a line of pixels from a line, a line from several lines.

Several numbers are summed at once, in a vector of the processor: numba has no such
type, so it is made here, with the three things that are done to it.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np
from llvmlite import ir
from numba.extending import intrinsic, models, register_model
from numpy.typing import NDArray

Array = NDArray[Any]
Function = TypeVar("Function", bound=Callable[..., Any])
# How sums are stored: what is added, the bits that fall, the smallest and the largest
# number; and the bits that each product loses before it is added. Floats: all 0.
Stored = tuple[int, int, int, int, int]
ABREAST, PIXEL = 32, 4  # numbers summed at once: along a line, of a pixel


def _jit(function: Function) -> Function:
    compiler = numba.njit(cache=True, nogil=True, fastmath={"contract"})
    return cast(Function, compiler(function))


class _Several(numba.types.Type):  # type: ignore[misc]
    """So many numbers of one kind: int32, or a float."""

    def __init__(self, kind: Any, lanes: int) -> None:
        self.kind, self.lanes = kind, lanes
        super().__init__(name=f"Several({kind}, {lanes})")


@register_model(_Several)
class _Vector(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, several: Any) -> None:
        kind = manager[several.kind].get_value_type()
        super().__init__(manager, several, ir.VectorType(kind, several.lanes))


def _spread(builder: Any, value: Any, vector: Any) -> Any:
    if value.type != vector.element:
        value = builder.trunc(value, vector.element)
    whole, nothing = ir.IntType(32), ir.Constant(vector, ir.Undefined)
    one = builder.insert_element(nothing, value, ir.Constant(whole, 0))
    first = ir.Constant(ir.VectorType(whole, vector.count), None)
    return builder.shuffle_vector(one, nothing, first)


def _place(context: Any, builder: Any, kind: Any, array: Any, at: Any, n: int) -> Any:
    """Return the address of a place of an array, and what stands there."""
    data = context.make_array(kind)(context, builder, array).data
    element = context.get_data_type(kind.dtype)
    vector = ir.VectorType(element, n)
    pointer = builder.gep(data, [at], source_etype=element)
    return builder.bitcast(pointer, vector.as_pointer()), vector


@intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]
def _start(typing: Any, value: Any, lanes: Any) -> Any:
    several = _Several(numba.types.unliteral(value), lanes.literal_value)

    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return _spread(builder, given[0], context.get_value_type(several))

    return several(value, lanes), code


@intrinsic  # type: ignore[untyped-decorator]
def _plus(typing: Any, total: Any, share: Any, x: Any, at: Any, lost: Any) -> Any:
    """Return ``total`` and ``share`` times what stands at a place of ``x``."""

    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        sums, weight, array, place, bits = given
        pointer, vector = _place(context, builder, x, array, place, total.lanes)
        read = builder.load(pointer, typ=vector, align=1)
        weight = _spread(builder, weight, sums.type)
        if isinstance(total.kind, numba.types.Float):
            product = builder.fmul(read, weight, flags=["contract"])
            return builder.fadd(sums, product, flags=["contract"])
        if vector != sums.type:
            widened = builder.sext if x.dtype.signed else builder.zext
            read = widened(read, sums.type)
        product = builder.mul(read, weight)
        if lost is not numba.none:
            product = builder.ashr(product, _spread(builder, bits, sums.type))
        return builder.add(sums, product)

    return total(total, share, x, numba.intp, lost), code


@intrinsic  # type: ignore[untyped-decorator]
def _store(typing: Any, y: Any, at: Any, total: Any, how: Any) -> Any:
    """Store sums, shifted and cut, at a place of ``y``."""

    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        array, place, sums, how = given
        pointer, vector = _place(context, builder, y, array, place, total.lanes)
        if isinstance(total.kind, numba.types.Integer):
            numbers = [builder.extract_value(how, k) for k in range(4)]
            half, bits, *ends = [_spread(builder, n, sums.type) for n in numbers]
            sums = builder.ashr(builder.add(sums, half), bits)
            for end, beyond in zip(ends, "<>", strict=True):
                sums = builder.select(builder.icmp_signed(beyond, sums, end), end, sums)
            sums = builder.trunc(sums, vector) if sums.type != vector else sums
        builder.store(sums, pointer, align=1)
        return context.get_dummy_value()

    return numba.void(y, numba.intp, total, how), code


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
            total = _start(offset[i], lanes)
            total = _plus(total, weight[i, 0], x, start + index[i, 0], None)
            total = _plus(total, weight[i, 1], x, start + index[i, 1], None)
            _store(y, to + depth * j, total, how)

    def every(
        x: Any, start: int, y: Any, to: int, taps: Any, part: Any, how: Any
    ) -> None:
        index, weight, count, offset, depth = taps
        for j in range(part[0], part[1]):
            i = np.uintp(j)
            for c in range(0, depth, lanes):
                total = _start(offset[i], lanes)
                for t in range(count[i]):
                    k = np.uintp(t)
                    total = _plus(total, weight[i, k], x, start + c + index[i, k], None)
                _store(y, to + depth * j + c, total, how)

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
        total = _start(add, ABREAST)
        for t in range(n):
            k = np.uintp(t)
            total = _plus(total, share[k], x, starts[k] + done, how[4])
        _store(y, to + done, total, how)
        done += ABREAST
        if done < size < done + ABREAST:
            done = size - ABREAST  # the last ones once more
    for place in range(done, size):
        one = _start(add, 1)
        for t in range(n):
            one = _plus(one, share[t], x, starts[t] + place, how[4])
        _store(y, to + place, one, how)


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
