"""Byte kernels whose two axes share one rounding (OpenCV): sums that float32 holds."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from resizelab.axis.operator import Weights
from resizelab.exact.graph import Graph, one_axis, per_pixel

TOP = 255  # what a byte holds at most
EXACT = 2**24  # whole numbers below it are float32s


@dataclass(frozen=True)
class WholeWeights:
    """The integer weights of one axis of a byte kernel, each times ``2**bits``.

    ``operator`` is a `Weights` whose weights are whole numbers, with the byte kernel's
    own coordinates; ``axis`` is the axis within the sizes.
    """

    axis: int
    operator: Weights
    bits: int

    @property
    def weights(self) -> Weights:
        """The operator as fractions: what the rounded weights stand for."""
        w = self.operator
        return Weights(w.index, np.ldexp(w.weight, -self.bits), w.n_in)


def most(w: Weights) -> float:
    """Return the largest sum that inputs of 1 and -1 can have."""
    return float(np.abs(w.weight).sum(1).max())


def floor(graph: Graph, x: str, bits: int) -> str:
    """Add ``floor(x / 2**bits)``: exact, as the factor is a power of two."""
    scaled = graph.node("Mul", x, graph.constant(np.float32(2.0**-bits)))
    return graph.node("Floor", scaled)


def split(graph: Graph, x: str, bits: int) -> tuple[str, str]:
    """Add the number without its last bits, over ``2**bits``, and these bits."""
    high = floor(graph, x, bits)
    back = graph.node("Mul", high, graph.constant(np.float32(2.0**bits)))
    return high, graph.node("Sub", x, back)


def as_bytes(graph: Graph, x: str) -> str:
    """Add a cut to what a byte holds."""
    ends = [graph.constant(np.float32(v)) for v in (0, TOP)]
    return graph.node("Clip", x, *ends)


def kept(
    graph: Graph,
    x: str,
    passes: Sequence[WholeWeights],
    axes: Sequence[int],
    rank: int,
    form: str,
) -> str:
    """Add two axes whose sums are rounded once, at the end (OpenCV's Lanczos).

    Where the second sums do not fit, the first are cut into high and low bits.
    """
    first, second = passes
    w, bits = second.operator, first.bits + second.bits
    largest, weigh = TOP * most(first.operator), most(w)
    y = one_axis(graph, x, first.operator, axes[first.axis], rank, form=form)
    cut = 0
    while max(largest / 2**cut, 2**cut) * weigh + 2**bits / 2 ** (cut + 1) >= EXACT:
        cut += 1
        if cut > first.bits:
            raise ValueError(f"two passes of {bits} bits together do not fit float32")
    high, low = split(graph, y, cut) if cut else (y, "")
    total = one_axis(graph, high, w, axes[second.axis], rank, form=form)
    if cut:
        rest = one_axis(graph, low, w, axes[second.axis], rank, form=form)
        total = graph.node("Add", total, floor(graph, rest, cut))
    half = graph.constant(np.float32(2.0 ** (bits - cut - 1)))
    return as_bytes(graph, floor(graph, graph.node("Add", total, half), bits - cut))


def staged(
    graph: Graph, x: str, passes: Sequence[WholeWeights], axes: Sequence[int], rank: int
) -> str:
    """Add OpenCV's linear: 4 bits fall after the first axis, 16 in each product."""
    first, *rest = passes
    y = one_axis(graph, x, first.operator, axes[first.axis], rank, form="taps")
    y = floor(graph, y, 4)
    if not rest:
        total = floor(graph, y, 16 - 11)  # the axis that is not there counts 2**11
    else:
        total = _products(graph, y, rest[0].operator, axes[rest[0].axis], rank)
    two = graph.node("Add", total, graph.constant(np.float32(2)))
    return as_bytes(graph, floor(graph, two, 2))


def _products(graph: Graph, y: str, w: Weights, axis: int, rank: int) -> str:
    """Add the sum of ``floor(y * weight / 2**16)``, a tap at a time.

    y has 15 bits and a weight 11, more than float32 holds: y is cut after 8 bits.
    """
    parts = split(graph, y, 8)
    total = ""
    for k in range(w.index.shape[1]):
        index = graph.constant(w.index[:, k].astype(np.int64))
        share = per_pixel(graph, w.weight[:, k], axis, rank, np.float32)
        products = [
            graph.node("Mul", graph.node("Gather", part, index, axis=axis), share)
            for part in parts
        ]
        carried = floor(graph, products[1], 8)
        term = floor(graph, graph.node("Add", products[0], carried), 8)
        total = graph.node("Add", total, term) if total else term
    return total
