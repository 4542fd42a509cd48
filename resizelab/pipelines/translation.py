"""Write a pipeline as another library's code, or say why it cannot be.

Functions (Pillow, OpenCV, TensorFlow, torch) become a ``preprocess`` that does each
stage in NumPy and the resize with the library; transforms and processors
(torchvision, transformers, albumentations, Keras) say what their classes can.
"""

import inspect
import re

from resizelab import catalog, checks
from resizelab.catalog import NotExpressible
from resizelab.pipelines import sizing, transforms
from resizelab.pipelines.decoding import Decode
from resizelab.pipelines.pipeline import Pipeline, Stage
from resizelab.pipelines.pixels import Channels, Layout, Normalise
from resizelab.pipelines.spatial import Crop, Pad, Resize

Lines = list[str]
# What is imported, what x must be before the call, how its answer becomes an array.
CALLS = {
    "pillow": ("import PIL.Image", "x", "np.asarray({})"),
    "opencv": ("import cv2", "np.ascontiguousarray(x)", "{}"),
    "tensorflow": ("import tensorflow", "x", "{}.numpy()"),
    "torch": (
        "import torch",
        "torch.from_numpy(np.ascontiguousarray(x.transpose(2, 0, 1)))[None]",
        "{}[0].permute(1, 2, 0).numpy()",
    ),
}
ROUNDED = {"half_up": "int({} + 0.5)", "floor": "math.floor({})"}
HALVED = {
    "half_even": "round({} / 2)",
    "floor": "{} // 2",
    "round_down": "round({} / 2 - 0.1)",
    "start": "0",
}
STEPS = {"Sub": "-", "Mul": "*", "Div": "/"}


def translate(pipeline: Pipeline, to: str) -> str:
    """Return a pipeline as code of another library.

    Parameters
    ----------
    pipeline : Pipeline
        What to say.
    to : str
        pillow, opencv, tensorflow or torch: a function ``preprocess(x)`` of RGB bytes;
        torchvision, transformers, albumentations or keras: an object of theirs called
        ``preprocess``.

    Raises `NotExpressible` with the reason where the library has no such choice.

    >>> from resizelab.pipelines import named
    >>> print(translate(named("openai.clip"), "torchvision").splitlines()[3].strip())
    T.Resize(224, T.InterpolationMode.BICUBIC),
    """
    checks.a("pipeline", pipeline, Pipeline)
    checks.one_of("to", to, (*CALLS, *transforms.TARGETS))
    if to in transforms.TARGETS:
        return transforms.TARGETS[to](pipeline)
    body = [line for stage in pipeline.stages for line in _stage(pipeline, stage, to)]
    used = {s.rule: s for s in pipeline.stages if isinstance(s, Resize)}
    rules = [
        inspect.getsource(sizing.RULES[rule][0]).replace(" -> Pair", "")
        for rule in used
    ]
    head = ["import math", "", "import numpy as np", CALLS[to][0], "", *rules]
    inner = [f"    {line}" for line in (*body, "return x")]
    return "\n".join([*head, "def preprocess(x):", *inner, ""])


def _stage(pipeline: Pipeline, stage: Stage, to: str) -> Lines:
    match stage:
        case Decode():
            return ["x = x[..., ::-1]"] if stage.colours == "BGR" else []
        case Resize():
            return _resized(stage, to)
        case Crop():
            return _cropped(stage)
        case Pad():
            return _padded(stage)
        case Channels():
            return [f"x = x[..., {list(stage.order)}]"]
        case Normalise():
            return _normalised(stage)
        case Layout(order="CHW"):
            return ["x = np.ascontiguousarray(np.moveaxis(x, -1, 0))"]
        case Layout(order="HWC"):
            return []
    raise NotExpressible(f"{pipeline.name}: the stage {stage.kind!r} has no code here")


def _resized(stage: Resize, to: str) -> Lines:
    row = stage.row()
    exactly = stage.numbers == "bytes" and row.library != to
    if exactly or (to == "pillow" and stage.numbers != "bytes"):
        raise NotExpressible(
            f"{to} does not resize as {row.name} ({stage.numbers}) does: bytes are "
            "rounded otherwise, or not taken; exact graphs (pipelines.onnx) can"
        )
    *setup, call = catalog.translate(row, to).text.split("\n")
    call = re.sub(r"fx=[\d.]+, fy=[\d.]+", "fx=scale, fy=scale", call)
    _, before, wrapped = CALLS[to]
    given = ", ".join(["*x.shape[:2]", *map(str, stage.size)])
    rounding = sizing.RULES[stage.rule][1].__name__
    whole = ROUNDED.get(rounding, rounding + "({})").format("n")
    lines = [f"asked = {stage.rule}({given})", f"h, w = ({whole} for n in asked)"]
    if stage.step == "scale":
        lines.append("scale = asked[0] / x.shape[0]")
    if stage.numbers != "bytes":
        lines.append("x = x.astype(np.float32)")
    lines += setup if before == "x" else [f"x = {before}", *setup]
    lines.append(f"x = {wrapped.format(call)}")
    if stage.numbers == "float_rounded":
        lines.append("x = np.clip(np.rint(x), 0, 255).astype(np.uint8)")
    return lines


def _cropped(stage: Crop) -> Lines:
    rows, columns = stage.size
    half = HALVED[stage.offset]
    size = f"min(x.shape[0], {rows}), min(x.shape[1], {columns})"
    if stage.rule == "aspect_float32":
        high = f"int(np.float32(x.shape[1] * {rows}) / {columns})"
        wide = f"int(np.float32(x.shape[0] * {columns}) / {rows})"
        size = f"min(x.shape[0], {high}), min(x.shape[1], {wide})"
    top, left = (half.format(f"(x.shape[{k}] - {n})") for k, n in enumerate("hw"))
    return [
        f"h, w = {size}",
        f"top, left = {top}, {left}",
        "x = x[top : top + h, left : left + w]",
    ]


def _padded(stage: Pad) -> Lines:
    rows, columns = stage.size
    target = {
        "size": f"{rows}, {columns}",
        "square": "max(x.shape[:2]), max(x.shape[:2])",
        "multiple": f"-(-x.shape[0] // {rows}) * {rows}, "
        f"-(-x.shape[1] // {columns}) * {columns}",
        "remainder": f"x.shape[0] + ({rows} - x.shape[0]) % 32, "
        f"x.shape[1] + ({columns} - x.shape[1]) % 32",
    }[stage.rule]
    if stage.offset == "unrounded":
        halves = [
            f"max(0, int(({n} - np.float32(asked[{k}])) // 2))"
            for k, n in enumerate("hw")
        ]
    else:
        half = HALVED[stage.offset]
        halves = [half.format(f"({n} - x.shape[{k}])") for k, n in enumerate("hw")]
    return [
        f"h, w = {target}",
        "h, w = max(h, x.shape[0]), max(w, x.shape[1])",
        f"top, left = {', '.join(halves)}",
        "y = np.empty((h, w, 3), x.dtype)",
        f"y[:] = np.array({list(stage.value)}).astype(x.dtype)",
        "y[top : top + x.shape[0], left : left + x.shape[1]] = x",
        "x = y",
    ]


def _normalised(stage: Normalise) -> Lines:
    lines = ["x = x.astype(np.float32)"]
    for op, value in stage.steps():
        kind = value.dtype.name
        number = f"np.array({value.tolist()!r}, np.{kind})"
        cast = "" if kind == "float32" else ".astype(np.float32)"
        lines.append(f"x = (x {STEPS[op]} {number}){cast}")
    return lines
