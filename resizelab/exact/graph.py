"""Write a resize into an ONNX graph: MatMul, or Gather, Mul and Add."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.axis.native import by_taps
from resizelab.axis.operator import Weights
from resizelab.exact.separable import Separable
from resizelab.modelfiles import onnx_file


class Graph:
    """Nodes and constants as they are made, each name beginning with ``prefix``."""

    def __init__(self, prefix: str = "") -> None:
        self.onnx = onnx_file.library()
        self.prefix = prefix
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def constant(self, array: Any) -> str:
        """Return the name of a new constant."""
        name = f"{self.prefix}c{len(self.constants)}"
        made = self.onnx.numpy_helper.from_array(np.asarray(array), name)
        self.constants.append(made)
        return name

    def node(self, op: str, *inputs: str, **attributes: Any) -> str:
        """Return the name of a new node's output."""
        name = f"{self.prefix}{op}_{len(self.nodes)}"
        make = self.onnx.helper.make_node
        self.nodes.append(make(op, list(inputs), [name], name, **attributes))
        return name

    def model(
        self,
        output: str,
        inputs: Sequence[tuple[str, Any, Sequence[Any]]],
        result: tuple[Any, Sequence[Any]],
        opset: int = 18,
    ) -> Any:
        """Return the checked ModelProto: inputs and result by (name,) type, shape."""
        helper = self.onnx.helper

        def value(name: str, kind: Any, shape: Sequence[Any]) -> Any:
            element = helper.np_dtype_to_tensor_dtype(np.dtype(kind))
            return helper.make_tensor_value_info(name, element, shape)

        made = helper.make_model(
            helper.make_graph(
                self.nodes,
                "resizelab",
                [value(*entry) for entry in inputs],
                [value(output, *result)],
                self.constants,
            ),
            opset_imports=[helper.make_opsetid("", opset)],
            ir_version=8,
            producer_name="resizelab",
        )
        self.onnx.checker.check_model(made, full_check=True)
        return made


def resized(
    graph: Graph,
    x: str,
    resize: Separable,
    axes: Sequence[int],
    rank: int,
    dtype: Any = "float32",
    form: str = "cheaper",
) -> str:
    """Add a float resize of ``axes`` (from 0) of a tensor; return its output's name."""
    y = x
    for k, operator in resize.passes:
        y = one_axis(graph, y, operator, axes[k], rank, dtype, form)
    if y == x:
        return graph.node("Identity", x)
    return _clipped(graph, x, y, resize.fill, dtype) if resize.clip else y


def one_axis(
    graph: Graph,
    x: str,
    w: Weights,
    axis: int,
    rank: int,
    dtype: Any = "float32",
    form: str = "cheaper",
) -> str:
    """Add one operator along one axis; return the name of what comes out."""
    w, last = w.trimmed(), axis == rank - 1
    if by_taps(w, last, form) and last and rank > 1:
        # Whole rows are gathered many times faster than single numbers.
        order = [*range(rank - 2), rank - 1, rank - 2]
        turned = graph.node("Transpose", x, perm=order)
        y = one_axis(graph, turned, w, rank - 2, rank, dtype, "taps")
        return graph.node("Transpose", y, perm=order)
    if by_taps(w, last, form):
        y = _taps(graph, x, w, axis, rank, dtype)
    else:
        y = _product(graph, x, w.dense().astype(dtype), axis, rank)
    if w.offset is None:
        return y
    return graph.node("Add", y, per_pixel(graph, w.offset, axis, rank, dtype))


def per_pixel(graph: Graph, values: Any, axis: int, rank: int, dtype: Any) -> str:
    """Add a constant of one number a pixel of an axis."""
    return graph.constant(values.astype(dtype).reshape(-1, *(1,) * (rank - axis - 1)))


def _taps(graph: Graph, x: str, w: Weights, axis: int, rank: int, dtype: Any) -> str:
    total = ""
    for k in range(w.index.shape[1]):
        index = graph.constant(w.index[:, k].astype(np.int64))
        read = graph.node("Gather", x, index, axis=axis)
        if not w.picks:
            share = per_pixel(graph, w.weight[:, k], axis, rank, dtype)
            read = graph.node("Mul", read, share)
        total = graph.node("Add", total, read) if total else read
    return total


def _product(graph: Graph, x: str, matrix: NDArray[Any], axis: int, rank: int) -> str:
    if axis == rank - 1:
        return graph.node("MatMul", x, graph.constant(np.ascontiguousarray(matrix.T)))
    if axis == rank - 2:
        return graph.node("MatMul", graph.constant(matrix), x)
    order = [k for k in range(rank) if k != axis] + [axis]
    last = graph.node("Transpose", x, perm=order)
    y = _product(graph, last, matrix, rank - 1, rank)
    return graph.node("Transpose", y, perm=np.argsort(order).tolist())


def _clipped(graph: Graph, x: str, y: str, fill: float | None, dtype: Any) -> str:
    """Cut ``y`` to the range of ``x``, and to ``fill`` where the result reaches it."""
    low, high = graph.node("ReduceMin", x), graph.node("ReduceMax", x)
    if fill is not None:
        outside = graph.constant(np.asarray(fill, dtype))
        reached = (
            graph.node("Sub", graph.node("ReduceMin", y), outside),
            graph.node("Sub", outside, graph.node("ReduceMax", y)),
        )
        # Both differences are 0 or less where the result's range holds the value.
        above = graph.node("Max", *reached)
        unseen = graph.node("Greater", above, graph.constant(np.asarray(0, dtype)))
        wide = graph.node("Min", low, outside), graph.node("Max", high, outside)
        low = graph.node("Where", unseen, low, wide[0])
        high = graph.node("Where", unseen, high, wide[1])
    return graph.node("Min", graph.node("Max", y, low), high)
