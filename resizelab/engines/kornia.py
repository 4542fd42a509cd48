"""kornia: ``geometry.transform.resize``."""

from resizelab.engines.calls import (
    Arguments,
    Array,
    Call,
    Scale,
    Shape,
    needs_shape,
    no_scale,
    planar,
)
from resizelab.engines.libraries import MORE, Library, load, register

register(Library("kornia", __name__, "kornia", "kornia", extra=MORE))

RESIZE = "kornia.geometry.transform.resize"


def resize(arguments: Arguments, x: Array, shape: Shape, scale: Scale) -> Array:
    """Resize to sizes: kornia takes floats alone."""
    no_scale(RESIZE, scale)
    transform = load("kornia.geometry.transform", "kornia")
    tensor = load("torch", "torch").from_numpy(x.copy())[:, None]
    y = transform.resize(tensor, needs_shape(RESIZE, shape), **dict(arguments))
    out: Array = y[:, 0].numpy()
    return out


CALLS = {RESIZE: Call(resize, planar)}
