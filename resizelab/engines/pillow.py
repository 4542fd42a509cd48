"""Pillow: ``PIL.Image.Image.resize`` with ``box`` and ``reducing_gap``."""

from resizelab.engines.calls import (
    Arguments,
    Array,
    Call,
    Scale,
    Shape,
    member,
    needs_shape,
    no_scale,
    one_by_one,
    planar,
)
from resizelab.engines.libraries import Library, load, register

register(Library("pillow", __name__, "PIL", "pillow"))

RESIZE = "PIL.Image.Image.resize"


def resize(arguments: Arguments, x: Array, shape: Shape, scale: Scale) -> Array:
    """Resize an image of mode L (uint8), I;16 (uint16), I (int32) or F (float32)."""
    no_scale(RESIZE, scale)
    size = needs_shape(RESIZE, shape)[::-1]
    image = load("PIL.Image", "pillow")
    options = dict(arguments)
    if options.get("resample") is not None:
        filters = image.Resampling
        options["resample"] = member(
            filters, "resample", options["resample"], filters.__members__
        )
    if options.get("box") is not None:
        options["box"] = tuple(options["box"])
    return one_by_one(lambda a: image.fromarray(a).resize(size, **options), x)


def _box_of_last_axis(arguments: Arguments, shape: tuple[int, ...]) -> Arguments:
    """Keep the box's extent along x and take every row along y."""
    if arguments.get("box") is None:
        return arguments
    left, _, right, _ = arguments["box"]
    return {**arguments, "box": (left, 0, right, shape[0])}


CALLS = {RESIZE: Call(resize, planar, rows=True, probe_arguments=_box_of_last_axis)}
