"""ResizeRight: ``resize_right.resize`` on NumPy arrays."""

from resizelab.engines.calls import (
    Arguments,
    Array,
    Call,
    Scale,
    Shape,
    any_rank,
    member,
    needs_shape,
)
from resizelab.engines.libraries import Library, load, register

register(Library("resize-right", __name__, "resize_right", "resize-right"))

METHODS = ("cubic", "linear", "lanczos2", "lanczos3", "box")


def resize(arguments: Arguments, x: Array, shape: Shape, scale: Scale) -> Array:
    """Resize by ``scale_factors`` or to ``out_shape``; the batch axis is left alone."""
    package = load("resize_right", "resize-right")
    options = dict(arguments)
    if "interp_method" in options:
        methods = load("resize_right.interp_methods", "resize-right")
        options["interp_method"] = member(
            methods, "interp_method", options["interp_method"], METHODS
        )
    if scale is not None:
        target = {"scale_factors": [1.0, *scale]}
    else:
        target = {"out_shape": [len(x), *needs_shape("resize_right", shape)]}
    out: Array = package.resize(x, **target, **options)
    return out


CALLS = {
    "resize_right.resize": Call(
        resize, any_rank, probe=1, dtype="float64", scale_keys=("scale_factors",)
    )
}
