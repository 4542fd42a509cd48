"""MONAI: the transform ``Resize``."""

import numpy as np

from resizelab.engines.calls import (
    Arguments,
    Array,
    Call,
    Scale,
    Shape,
    needs_shape,
    no_scale,
    one_by_one,
)
from resizelab.engines.libraries import MORE, Library, load, register

register(Library("monai", __name__, "monai", "monai", extra=MORE))

RESIZE = "monai.transforms.Resize"
_RANKS = {"linear": 1, "bilinear": 2, "bicubic": 2, "trilinear": 3}


def resize_ranks(arguments: Arguments) -> tuple[int, int]:
    """Return the axes a mode works on."""
    rank = _RANKS.get(arguments.get("mode", "area"))
    return (1, 3) if rank is None else (rank, rank)


def resize(arguments: Arguments, x: Array, shape: Shape, scale: Scale) -> Array:
    """Resize arrays with a channel in front; the result is float32."""
    no_scale(RESIZE, scale)
    size = needs_shape(RESIZE, shape)
    transform = load("monai.transforms", "monai").Resize(size, **dict(arguments))
    tensor = load("torch", "torch").from_numpy

    return one_by_one(lambda a: np.asarray(transform(tensor(a[None].copy())))[0], x)


CALLS = {RESIZE: Call(resize, resize_ranks)}
