"""SciPy: ``scipy.ndimage.zoom``."""

from resizelab.engines.calls import (
    Arguments,
    Array,
    Call,
    Scale,
    Shape,
    any_rank,
    needs_shape,
    one_by_one,
    ratio,
)
from resizelab.engines.libraries import Library, load, register

register(Library("scipy", __name__, "scipy", "scipy"))

ZOOM = "scipy.ndimage.zoom"


def zoom(arguments: Arguments, x: Array, shape: Shape, scale: Scale) -> Array:
    """Zoom by the given factors, or by n_out / n_in where sizes are given."""
    ndimage = load("scipy.ndimage", "scipy")
    factors = scale if scale is not None else ratio(x, needs_shape(ZOOM, shape))
    return one_by_one(lambda a: ndimage.zoom(a, factors, **dict(arguments)), x)


CALLS = {ZOOM: Call(zoom, any_rank, probe=1, dtype="float64", scale_keys=("zoom",))}
