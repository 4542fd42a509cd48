"""Write a pipeline as another library's code, or say why it cannot be.

Code that calls one function a stage (Pillow, OpenCV, TensorFlow, torch) says all that
the library's resize can. Transforms and processors (torchvision, transformers,
albumentations, Keras) say what their classes have parameters for.
"""

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from resizelab import catalog, checks
from resizelab.catalog import NotExpressible
from resizelab.pipelines import sizing
from resizelab.pipelines.decoding import Decode
from resizelab.pipelines.pipeline import Pipeline
from resizelab.pipelines.pixels import MEAN_FIRST, Channels, Layout, Normalise
from resizelab.pipelines.spatial import Crop, Pad, Resize

Lines = list[str]
# What each library's function is fed, and how its answer becomes an array again.
CALLS = {
    "pillow": (
        ("pillow",),
        ("from PIL import Image",),
        "x = np.asarray(Image.fromarray(x).resize((columns, rows), {mode}))",
    ),
    "opencv": (("opencv",), ("import cv2",), "x = cv2.resize(x, {size}, {mode})"),
    "tensorflow": (
        ("tensorflow", "keras"),
        ("import tensorflow as tf",),
        "x = tf.image.resize(x, (rows, columns), {mode}).numpy()",
    ),
    "torch": (
        ("torch",),
        ("import torch",),
        "x = torch.nn.functional.interpolate(torch.from_numpy(np.ascontiguousarray("
        "np.moveaxis(x, -1, 0)))[None], (rows, columns), {mode})[0].permute(1, 2, 0)"
        ".numpy()",
    ),
}


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
    from resizelab.pipelines import transforms

    targets: dict[str, Callable[[Pipeline], str]] = {
        **{name: lambda p, name=name: _code(p, name) for name in CALLS},
        **transforms.TARGETS,
    }
    return targets[checks.one_of("to", to, targets)](pipeline)


def _code(pipeline: Pipeline, to: str) -> str:
    body: Lines = []
    rules: dict[str, str] = {}
    unrounded = any(isinstance(s, Pad) and s.offset == "unrounded" for s in pipeline.stages)
    for stage in pipeline.stages:
        match stage:
            case Decode():
                body += ["x = x[..., ::-1]"] * (stage.colours == "BGR")
            case Resize():
                function = sizing.RULES[stage.rule][0]
                rules[stage.rule] = inspect.getsource(function).replace(" -> Pair", "")
                body += _resized(stage, to, unrounded)
            case Crop():
                body += _cropped(stage)
            case Pad():
                body += _padded(stage)
            case Channels():
                body.append(f"x = x[..., {list(stage.order)}]")
            case Normalise():
                body += _normalised(stage)
            case Layout(order="CHW"):
                body.append("x = np.ascontiguousarray(np.moveaxis(x, -1, 0))")
            case Layout(order="HWC"):
                pass
            case _:
                raise NotExpressible(f"{pipeline.name}: {stage.kind} has no code here")
    imports = ["import math", "import numpy as np", *CALLS[to][1]]
    head = [*imports, "", *rules.values(), "def preprocess(x):"]
    return "\n".join([*head, *(f"    {text}" for text in body), "    return x", ""])


def _resized(stage: Resize, to: str, unrounded: bool) -> Lines:
    row, libraries = stage.row(), CALLS[to][0]
    if row.library not in libraries:
        raise NotExpressible(
            f"{to} does not compute {row.name}: "
            f"{catalog.nearest_words(row, to) if False else 'its resize is another'}"
        )
    rounding = sizing.RULES[stage.rule][1].__name__
    whole = {"floor": "math.floor({})", "half_up": "int({} + 0.5)"}.get(
        rounding, rounding + "({})"
    )
    given = ", ".join(["*x.shape[:2]", *map(str, stage.size)])
    lines = [f"exact = {stage.rule}({given})"]
    lines.append(f"rows, columns = ({whole.format('n')} for n in exact)")
    return lines
