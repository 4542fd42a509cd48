"""Several numbers at once, in a vector of the processor, for loops that numba compiles.

Numba has no such type, so it is made here, with the things that are done to it.
"""

from typing import Any

import numba
from llvmlite import ir
from numba.core.cgutils import get_or_insert_function
from numba.extending import intrinsic, models, register_model


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


def _nearest(builder: Any, sums: Any, ends: Any) -> Any:
    """Return floats as whole numbers between two ends; of two as near, the even one."""
    name = f"v{sums.type.count}{sums.type.element.intrinsic_name}"
    kind = ir.FunctionType(sums.type, [sums.type])
    rint = get_or_insert_function(builder.module, kind, f"llvm.nearbyint.{name}")
    sums = builder.call(rint, [sums])
    for end, beyond in zip(ends, "<>", strict=True):
        last = _spread(builder, builder.sitofp(end, sums.type.element), sums.type)
        sums = builder.select(builder.fcmp_ordered(beyond, sums, last), last, sums)
    return sums


def _place(context: Any, builder: Any, kind: Any, array: Any, at: Any, n: int) -> Any:
    """Return the address of a place of an array, and what stands there."""
    data = context.make_array(kind)(context, builder, array).data
    element = context.get_data_type(kind.dtype)
    vector = ir.VectorType(element, n)
    pointer = builder.gep(data, [at], source_etype=element)
    return builder.bitcast(pointer, vector.as_pointer()), vector


@intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]
def filled(typing: Any, value: Any, lanes: Any) -> Any:
    """Return ``value`` so many times."""
    several = _Several(numba.types.unliteral(value), lanes.literal_value)

    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return _spread(builder, given[0], context.get_value_type(several))

    return several(value, lanes), code


@intrinsic  # type: ignore[untyped-decorator]
def plus(typing: Any, total: Any, share: Any, x: Any, at: Any, lost: Any) -> Any:
    """Return ``total`` and ``share`` times what stands at a place of ``x``."""

    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        sums, weight, array, place, bits = given
        pointer, vector = _place(context, builder, x, array, place, total.lanes)
        read = builder.load(pointer, typ=vector, align=1)
        weight = _spread(builder, weight, sums.type)
        if isinstance(total.kind, numba.types.Float):
            if isinstance(x.dtype, numba.types.Integer):
                read = builder.uitofp(read, sums.type)
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
def store(typing: Any, y: Any, at: Any, total: Any, how: Any) -> Any:
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
        elif isinstance(y.dtype, numba.types.Integer):
            sums = _nearest(
                builder, sums, [builder.extract_value(how, k) for k in (2, 3)]
            )
            sums = builder.fptoui(sums, vector)
        builder.store(sums, pointer, align=1)
        return context.get_dummy_value()

    return numba.void(y, numba.intp, total, how), code


@intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]
def copy(typing: Any, y: Any, to: Any, x: Any, at: Any, lanes: Any) -> Any:
    """Copy so many numbers of ``x`` to a place of ``y``."""

    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        target, place, source, start, _ = given
        pointer, vector = _place(
            context, builder, x, source, start, lanes.literal_value
        )
        read = builder.load(pointer, typ=vector, align=1)
        pointer, _ = _place(context, builder, y, target, place, lanes.literal_value)
        builder.store(read, pointer, align=1)
        return context.get_dummy_value()

    return numba.void(y, numba.intp, x, numba.intp, lanes), code
