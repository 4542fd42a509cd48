"""Run an ONNX model in a back end, piece by piece, and take what is wanted out of it.

A piece is some nodes in a row, a model of its own: what later pieces read is kept, the
rest is let go. So each node runs once, and memory holds one piece.
"""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from resizelab import checks
from resizelab.engines import onnxruntime
from resizelab.exact.proof import BACK_ENDS, STARTED
from resizelab.modelfiles import files, onnx_file, onnx_graph
from resizelab.modelfiles.nodes import ResizeNode, is_resize, of_graph, opset_of
from resizelab.models.feeding import Array, as_asked

AT_ONCE = 2**27  # bytes that the nodes of one piece make
GUESS = 2**23  # bytes of a result whose size cannot be inferred
ELEMENT = 4  # bytes of a number, as a rule
# What they pass on is no array and cannot be handed from one piece to the next.
WHOLE = ("Sequence", "Optional")
WORDS = {"onnxruntime": "ONNX Runtime", "openvino": "OpenVINO"}


@dataclass(frozen=True)
class Exposed:
    """A model whose every result can be had.

    ``model`` has functions unfolded, weights inside and its nodes in an order that
    runs; ``settled`` is the same with shapes as the inputs given make them; ``tensors``
    are the results of its nodes in that order; ``nodes`` the node that makes each.
    """

    model: Any
    settled: Any
    tensors: tuple[str, ...]
    nodes: Mapping[str, Any]
    shapes: Mapping[str, tuple[int | None, ...]]
    inputs: tuple[str, ...]
    feeds: Mapping[str, Array]
    back_end: str = BACK_ENDS[0]

    def bytes_of(self, name: str) -> int:
        """Return how much room a result takes, as far as its shape is known."""
        shape = self.shapes.get(name)
        if shape is None or None in shape:
            return GUESS
        return ELEMENT * math.prod(n or 0 for n in shape)

    def weight(self, name: str) -> bytes | None:
        """Return the numbers of a weight as the file holds them, or None."""
        for tensor in self.model.graph.initializer:
            if tensor.name == name:
                array: Array = onnx_file.library().numpy_helper.to_array(tensor)
                return array.tobytes()
        return None

    def sources(self, name: str, stop: Collection[str] = ()) -> set[str]:
        """Return a result and all those it is made from, up to those of ``stop``."""
        waiting, found = [name], {name}
        while waiting:
            node = self.nodes.get(waiting.pop())
            for source in onnx_graph.read_by([node]) if node is not None else ():
                if source in self.nodes and source not in found and source not in stop:
                    found.add(source)
                    waiting.append(source)
        return found


def inputs_of(path: files.PathLike) -> tuple[str, ...]:
    """Return the names of a model's inputs that are fed."""
    return onnx_file.inputs(onnx_file.load(path, weights=False))


def exposed(
    path: files.PathLike,
    feeds: Mapping[str, Array],
    loose: bool = False,
    back_end: str = BACK_ENDS[0],
) -> Exposed:
    """Return the model of a file with every result of its main graph exposed.

    ``feeds`` are arrays by input name ("" for the only one); they settle open sizes.
    With ``loose``, arrays of other names are left aside. Raises ValueError for inputs
    that do not fit.
    """
    checks.one_of("back end", back_end, BACK_ENDS)
    onnx = onnx_file.library()
    model = onnx_file.with_weights(path)
    if faults := onnx_graph.faults(model):
        raise ValueError(f"{path} cannot be run: {'; '.join(faults)}")
    if model.functions:
        model = onnx.inliner.inline_local_functions(model)
    onnx_graph.sort(model.graph)
    inputs = onnx_file.inputs(model)
    if loose:
        feeds = {name: value for name, value in feeds.items() if name in inputs}
    fitted = as_asked(model, feeds)
    settled = onnx_file.afresh(model, {name: x.shape for name, x in fitted.items()})
    shapes = onnx_file.shapes(settled.graph)
    made = {
        name: node
        for node in model.graph.node
        if node.op_type != "Constant"
        for name in node.output
        if name
    }
    return Exposed(model, settled, tuple(made), made, shapes, inputs, fitted, back_end)


def resizes(what: Exposed) -> dict[str, ResizeNode]:
    """Return the resize nodes of a model by what they make, at the sizes at hand."""
    made = [n for n in what.settled.graph.node if is_resize(n)]
    found = of_graph(what.settled.graph, opset_of(what.model))
    return {n.output[0]: node for n, node in zip(made, found, strict=True)}


def walk(what: Exposed, wanted: Collection[str]) -> Iterator[tuple[str, Array]]:
    """Go through the wanted results in the model's order; each node runs once.

    What is no array of numbers is left out.
    """
    needed: set[str] = set()
    for name in wanted:
        if name not in needed:
            needed |= what.sources(name, needed)
    nodes = [
        n
        for n in what.model.graph.node
        if n.op_type == "Constant" or needed & set(n.output)
    ]
    last = {name: k for k, n in enumerate(nodes) for name in onnx_graph.read_by([n])}
    alive: dict[str, Any] = dict(what.feeds)
    weights = {t.name: t for t in what.model.graph.initializer}
    done = 0
    for piece in _pieces(what, nodes):
        done += len(piece)
        made = [name for node in piece for name in node.output if name]
        out = [name for name in made if name in wanted or last.get(name, -1) >= done]
        if not out:
            continue
        read = onnx_graph.read_by(piece)
        fed = {name: alive[name] for name in read & alive.keys()}
        part = _part(what.model, piece, weights, fed, out)
        alive |= dict(zip(out, _run(part, out, fed, what.back_end), strict=True))
        for name in out:
            value = alive[name]
            numbers = isinstance(value, np.ndarray) and value.dtype.kind in "biuf"
            if name in wanted and numbers:
                yield name, value
        alive = {name: v for name, v in alive.items() if last.get(name, -1) >= done}


def _pieces(what: Exposed, nodes: Sequence[Any]) -> Iterator[list[Any]]:
    """Cut the nodes into pieces whose results fit into memory together."""
    if any(node.op_type.startswith(WHOLE) for node in nodes):
        yield list(nodes)
        return
    piece: list[Any] = []
    held = 0
    for node in nodes:
        size = sum(what.bytes_of(name) for name in node.output if name)
        if piece and held + size > AT_ONCE:
            yield piece
            piece, held = [], 0
        piece.append(node)
        held += size
    if piece:
        yield piece


def _part(
    model: Any,
    piece: Sequence[Any],
    weights: Mapping[str, Any],
    fed: Mapping[str, Array],
    out: Sequence[str],
) -> Any:
    """Return a piece as a model of its own."""
    onnx = onnx_file.library()
    part = type(model)(ir_version=model.ir_version, opset_import=model.opset_import)
    part.graph.name = "piece"
    part.graph.node.extend(piece)
    read = onnx_graph.read_by(piece)
    part.graph.initializer.extend(weights[name] for name in read & weights.keys())
    for name, value in fed.items():
        kind = onnx.helper.np_dtype_to_tensor_dtype(value.dtype)
        info = onnx.helper.make_tensor_value_info(name, kind, value.shape)
        part.graph.input.append(info)
    for name in out:
        part.graph.output.add().name = name
    return part


def _run(
    model: Any, names: Sequence[str], feeds: Mapping[str, Array], back_end: str
) -> list[Any]:
    try:
        if back_end != BACK_ENDS[0]:
            return list(STARTED[back_end](model, feeds)())
        made = onnxruntime.session(model.SerializeToString(), threads=0)
        return list(made.run(list(names), dict(feeds)))
    except ImportError:
        raise
    except Exception as error:  # their classes have no common parent of their own
        words = WORDS.get(back_end, back_end)
        raise ValueError(f"{words} refuses the model: {error}") from None
