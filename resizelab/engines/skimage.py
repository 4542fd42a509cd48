"""scikit-image: ``skimage.transform.resize``."""

from resizelab.engines.calls import (
    Arguments,
    Array,
    Call,
    Scale,
    Shape,
    any_rank,
    needs_shape,
    no_scale,
    one_by_one,
)
from resizelab.engines.libraries import Library, load, register

register(Library("scikit-image", __name__, "skimage", "scikit-image"))

RESIZE = "skimage.transform.resize"


def resize(arguments: Arguments, x: Array, shape: Shape, scale: Scale) -> Array:
    """Resize an array of any rank; integers become floats unless told otherwise."""
    no_scale(RESIZE, scale)
    size = needs_shape(RESIZE, shape)
    transform = load("skimage.transform", "scikit-image")
    return one_by_one(lambda a: transform.resize(a, size, **dict(arguments)), x)


def _linear_part(arguments: Arguments, shape: tuple[int, ...]) -> Arguments:
    """Turn off clipping to the input's range: it is no part of a matrix."""
    return {**arguments, "clip": False}


CALLS = {
    RESIZE: Call(
        resize, any_rank, probe=1, dtype="float64", probe_arguments=_linear_part
    )
}
