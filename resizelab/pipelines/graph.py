"""A pipeline as an ONNX graph: from bytes to the network's input."""

from typing import Any

import numpy as np

from resizelab import checks
from resizelab.exact import graph as graphs
from resizelab.exact import whole
from resizelab.exact.graph import Graph
from resizelab.exact.separable import separable
from resizelab.pipelines import pixels
from resizelab.pipelines.decoding import Decode
from resizelab.pipelines.pipeline import Pipeline
from resizelab.pipelines.spatial import Crop, Moved, Pad, Resize

RANK = 3
F32 = np.float32


def onnx(pipeline: Pipeline, shape: tuple[int, int]) -> Any:
    """Return the checked ModelProto of a pipeline for photographs of one size.

    ``shape`` is (height, width) of the decoded photograph: its bytes, RGB, (height,
    width, 3), go in as ``image``. A byte kernel keeps its bytes, see `exact.whole`; the
    last bits of a float stage are the back end's.

    Raises ValueError where a stage has no graph: a kernel that sums floats and rounds
    them, gamma, alpha.

    >>> from resizelab.pipelines import named
    >>> made = onnx(named("openai.clip"), (24, 40))
    >>> [d.dim_value for d in made.graph.output[0].type.tensor_type.shape.dim]
    [3, 224, 224]
    """
    g = Graph()
    x = g.node("Cast", "image", to=g.onnx.TensorProto.FLOAT)
    moves = iter(checks.a("pipeline", pipeline, Pipeline).moves(shape))
    whole_numbers, size = True, shape
    after: tuple[int, ...] = ()
    for stage in pipeline.stages:
        if isinstance(stage, Decode):
            x = _coloured(g, x, stage)
        elif isinstance(stage, (Resize, Crop, Pad)):
            moved = next(moves)[1]
            x, size = _moved(g, x, stage, moved, whole_numbers), moved.shape_out
            whole_numbers &= not isinstance(stage, Resize) or stage.numbers != "float"
        elif isinstance(stage, pixels.Channels):
            x = _gather(g, x, stage.order)
        elif isinstance(stage, pixels.Normalise):
            x, whole_numbers = _normalised(g, x, stage), False
        elif isinstance(stage, pixels.Layout):
            x, after = _laid_out(g, x, stage, size)
        else:
            raise ValueError(f"{pipeline.name}: {_kept(stage)} has no graph here")
    last = "uint8" if whole_numbers else "float32"
    if whole_numbers:
        x = g.node("Cast", x, to=g.onnx.TensorProto.UINT8)
    return g.model(x, [("image", np.uint8, (*shape, 3))], (last, after or (*size, 3)))


def _kept(stage: Any) -> str:
    words = {pixels.Gamma: "a gamma curve", pixels.Alpha: "alpha"}
    return words.get(type(stage), f"the stage {stage.kind!r}")


def _laid_out(
    g: Graph, x: str, stage: pixels.Layout, size: tuple[int, int]
) -> tuple[str, tuple[int, ...]]:
    """Add a layout; return the name of what comes out, and its shape."""
    if stage.order == "HWC":
        return x, (*size, 3)
    y = g.node("Transpose", x, perm=[2, 0, 1])
    if stage.order == "CHW":
        return y, (3, *size)
    cut, order, rows = pixels.patches(3, *size)
    one = g.node("Reshape", y, g.constant(np.array((1, *cut), np.int64)))
    turned = g.node(
        "Transpose", g.node("Concat", *[one] * pixels.FRAMES, axis=0), perm=order
    )
    return g.node("Reshape", turned, g.constant(np.array(rows, np.int64))), rows


def _coloured(g: Graph, x: str, stage: Decode) -> str:
    return x if stage.colours == "RGB" else _gather(g, x, (2, 1, 0))


def _gather(g: Graph, x: str, order: tuple[int, ...]) -> str:
    index = g.constant(np.asarray(order, np.int64))
    return g.node("Gather", x, index, axis=RANK - 1)


def _moved(
    g: Graph, x: str, stage: Resize | Crop | Pad, moved: Moved, whole_numbers: bool
) -> str:
    if isinstance(stage, Resize):
        return _resized(g, x, stage, moved, whole_numbers)
    (h, w), (top, left) = moved.shape_out, moved.before
    if isinstance(stage, Crop):
        ends = [(top, left), (top + h, left + w), (0, 1)]
        return g.node("Slice", x, *(g.constant(np.array(e, np.int64)) for e in ends))
    rows, columns = moved.shape_in
    below, right = h - rows + top, w - columns + left
    # Less the colour, padded with 0, and the colour again: one number a channel.
    colour = g.constant(np.asarray(stage.value, F32))
    lifted = g.node("Sub", x, colour)
    pads = g.constant(np.array([-top, -left, 0, below, right, 0], np.int64))
    return g.node("Add", g.node("Pad", lifted, pads), colour)


def _resized(g: Graph, x: str, stage: Resize, moved: Moved, whole_numbers: bool) -> str:
    sizes, scale = (moved.shape_in, moved.shape_out), stage.scale(moved)
    if whole_numbers and stage.numbers == "bytes":
        return whole.resized(g, x, stage.row(), sizes, (0, 1), RANK, scale=scale)
    made = separable(stage.row(), *sizes, scale=scale)
    y = graphs.resized(g, x, made, (0, 1), RANK)
    if whole_numbers and stage.numbers == "float_rounded":
        ends = [g.constant(F32(v)) for v in (0, 255)]
        y = g.node("Clip", g.node("Round", y), *ends)
    return y


def _normalised(g: Graph, x: str, stage: pixels.Normalise) -> str:
    for op, value in stage.steps():
        # What a library computes in float64 differs by a last bit here.
        x = g.node(op, x, g.constant(np.asarray(value, F32)))
    return x
