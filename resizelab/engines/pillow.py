"""Pillow: ``PIL.Image.Image.resize`` with ``box`` and ``reducing_gap``."""

from typing import Any

from resizelab.engines.libraries import Arguments, Array, Library, Sizes, flagged

LIBRARY = Library("pillow", "PIL", "pillow")


def _box_of_last_axis(arguments: Arguments, shape: tuple[int, ...]) -> Arguments:
    """Keep the box's extent along x and take every row along y."""
    if arguments.get("box") is None:
        return arguments
    left, _, right, _ = arguments["box"]
    return {**arguments, "box": (left, 0, right, shape[0])}


@LIBRARY.call(
    "PIL.Image.Image.resize", each=True, rows=True, probe_arguments=_box_of_last_axis
)
def resize(x: Array, size: Sizes, box: Any = None, **options: Any) -> Any:
    """Resize an image of mode L (uint8), I;16 (uint16), I (int32) or F (float32)."""
    image = LIBRARY.load("PIL.Image")
    filters = image.Resampling
    options = flagged(options, "resample", filters, filters.__members__)
    return image.fromarray(x).resize(size[::-1], box=box and tuple(box), **options)
