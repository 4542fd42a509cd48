"""Byte kernels as graphs: integer weights, split so that float32 holds every sum.

A float32 holds whole numbers below 2**24, and a matrix product of whole numbers is then
exact in whatever order it is summed. Weights of 22 bits times bytes do not fit; their
high and low halves do, and are put together after a shift.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from resizelab import checks
from resizelab.arrays import integers, resizing
from resizelab.axis import Arithmetic, Weights
from resizelab.catalog.finding import Wanted, settled
from resizelab.checks import FloatArray
from resizelab.exact import graph as graphs
from resizelab.exact import two_axes
from resizelab.exact.graph import Graph, one_axis
from resizelab.exact.separable import Size, separable, sized
from resizelab.exact.two_axes import EXACT, TOP, WholeWeights, as_bytes, floor

BYTES = np.dtype("uint8")


class FloatSums(ValueError):  # noqa: N818 (it says what was met)
    """A kernel sums floats: no graph gives its last bits; ``rounding`` is its rule."""

    def __init__(self, rounding: str, message: str) -> None:
        super().__init__(message)
        self.rounding = rounding


def whole_weights(
    convention: Wanted, size_in: Size, size_out: Size
) -> tuple[WholeWeights, ...]:
    """Return the integer weights of a byte kernel, a pass each, in the kernel's order.

    Raises ValueError for a convention whose bytes go through sums of floats.

    >>> (made,) = whole_weights("pillow.bilinear", 4, 8)
    >>> made.bits, made.operator.dense()[1].astype(int).tolist()
    (22, [3145728, 1048576, 0, 0])
    """
    return _planned(convention, size_in, size_out)[0]


def _planned(
    convention: Wanted, size_in: Size, size_out: Size, scale: Any = None
) -> tuple[tuple[WholeWeights, ...], Arithmetic]:
    c = settled(convention)
    before, after = sized("size_in", size_in), sized("size_out", size_out)
    plan = resizing.plan(before, after, c, scale=scale, dtype=BYTES)
    arithmetic = plan.arithmetic
    assert arithmetic is not None  # `plan` refuses bytes without one
    is_staged = arithmetic.between_passes == "staged"
    changed = any(not w.is_identity for _, w in plan.work)
    # Staged, an axis that is kept multiplies too.
    passes = [
        (axis, w)
        for axis, w in plan.work
        if not w.is_identity or (is_staged and changed)
    ]
    if all(w.picks for _, w in passes) and not is_staged:
        return tuple(WholeWeights(axis, w, 0) for axis, w in passes), arithmetic
    if arithmetic.weight_bits is None:
        raise FloatSums(
            arithmetic.sum_rounding,
            f"{c.name} takes bytes through sums of floats ({arithmetic.accumulator}), "
            "whose last bits depend on their order: no graph can promise them "
            "(nearly=True makes one all the same). Its fixed-point relatives: "
            "pillow.*, torch.*bilinear*, opencv.linear",
        )
    made = [WholeWeights(k, *integers.quantised(w, arithmetic)) for k, w in passes]
    return tuple(made), arithmetic


def parts(w: Weights, bits: int) -> list[tuple[Weights, int]]:
    """Return weights and shifts, sum of weight * 2**shift, each exact in float32.

    >>> whole = Weights(np.array([[0, 1]]), np.array([[3145728.0, 1048575.0]]), 2)
    >>> [(part.weight.astype(int).tolist(), shift) for part, shift in parts(whole, 22)]
    [([[0, -1]], 0), ([[1536, 512]], 11)]
    """
    if _fits(w, 2 ** max(0, bits - 1)):
        return [(w, 0)]
    for count in (2, 3, 4):
        step = -(-bits // count)
        split = _split(w, step, count)
        if all(_fits(part, 2**step) for part, _ in split):
            return split
    raise ValueError(
        f"{w.index.shape[1]} taps of {bits} bits do not fit float32 sums in 4 parts"
    )


def _fits(w: Weights, added: float) -> bool:
    return two_axes.most(w) * TOP + added < EXACT


def _split(w: Weights, step: int, count: int) -> list[tuple[Weights, int]]:
    found, rest = list[tuple[FloatArray, int]](), w.weight
    for k in range(count - 1):
        # The nearest multiple leaves the smallest rest, of either sign.
        high = np.floor(np.ldexp(rest, -step) + 0.5)
        found.append((rest - np.ldexp(high, step), k * step))
        rest = high
    found.append((rest, (count - 1) * step))
    return [(Weights(w.index, part, w.n_in), shift) for part, shift in found]


def resized(
    graph: Graph,
    x: str,
    convention: Wanted,
    sizes: tuple[Size, Size],
    axes: Sequence[int],
    rank: int,
    form: str = "cheaper",
    scale: Any = None,
    nearly: bool = False,
) -> str:
    """Add a byte kernel to a graph; ``x`` and what comes out hold bytes as float32."""
    try:
        passes, arithmetic = _planned(convention, *sizes, scale)
    except FloatSums as found:
        if not nearly:
            raise
        made = separable(convention, *sizes, scale=scale)
        y = graphs.resized(graph, x, made, axes, rank, form=form)
        return as_bytes(graph, _rounded(graph, y, found.rounding))
    if arithmetic.between_passes == "staged" and passes:
        return two_axes.staged(graph, x, passes, axes, rank)
    if arithmetic.between_passes == "keep" and len(passes) > 1 and passes[0].bits:
        return two_axes.kept(graph, x, passes, axes, rank, form)
    for one in passes:
        axis = axes[one.axis]
        if one.bits:
            x = _sum(graph, x, one, axis, rank, arithmetic.sum_rounding, form)
        else:
            x = one_axis(graph, x, one.operator, axis, rank, form="taps")
    return x


def _sum(
    graph: Graph,
    x: str,
    one: WholeWeights,
    axis: int,
    rank: int,
    rounding: str,
    form: str,
) -> str:
    """Add one axis: the parts' sums, each shifted into the next, rounded and cut."""
    if rounding != "half_up":
        raise ValueError(f"sums rounded {rounding} have no graph here; half_up has")
    split = parts(one.operator, one.bits)
    carried, shift = "", 0
    for part, at in split:
        if carried:
            carried = floor(graph, carried, at - shift)
            shift = at
        total = one_axis(graph, x, part, axis, rank, form=form)
        carried = graph.node("Add", carried, total) if carried else total
    half = np.float32(2.0 ** (one.bits - shift - 1))
    rounded = graph.node("Add", carried, graph.constant(half))
    return as_bytes(graph, floor(graph, rounded, one.bits - shift))


def _rounded(graph: Graph, x: str, rounding: str) -> str:
    if rounding == "half_even":
        return graph.node("Round", x)
    return floor(graph, graph.node("Add", x, graph.constant(np.float32(0.5))), 0)


def model(
    convention: Wanted,
    size_in: Size,
    size_out: Size,
    channels: int | None = 3,
    nearly: bool = False,
) -> Any:
    """Return an ONNX model from bytes to bytes, (height, width[, channels]).

    The numbers are those of the library's byte kernel, in ONNX Runtime and OpenVINO,
    whatever the picture. ``channels`` None: a plane. A kernel that sums
    floats is refused, unless ``nearly``: then sums are rounded once, at the end, and
    some bytes are a level off.

    Beside OpenCV 5.0, 20 pairs of sizes, 1 441 668 bytes of noise: linear and
    linear_exact 0 off; lanczos4 33, where a weight is a tie; ``nearly``: area 0,
    cubic 547.
    """
    before, after = sized("size_in", size_in), sized("size_out", size_out)
    tail = () if channels is None else (checks.size("channels", channels),)
    graph = Graph()
    x = graph.node("Cast", "x", to=graph.onnx.TensorProto.FLOAT)
    rank = len(before) + len(tail)
    sizes, axes = (before, after), range(len(before))
    y = resized(graph, x, convention, sizes, axes, rank, nearly=nearly)
    y = graph.node("Cast", y, to=graph.onnx.TensorProto.UINT8)
    return graph.model(y, [("x", BYTES, before + tail)], (BYTES, after + tail))
