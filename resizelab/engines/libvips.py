"""libvips, through pyvips: ``Image.resize`` and ``Image.reduce``."""

from resizelab.engines.calls import (
    Arguments,
    Array,
    Call,
    Run,
    Scale,
    Shape,
    needs_shape,
    one_by_one,
    planar,
    ratio,
)
from resizelab.engines.libraries import MORE, Library, load, register

register(
    Library(
        "libvips",
        __name__,
        "pyvips",
        "pyvips[binary]",
        ("pyvips-binary", "pyvips"),
        extra=MORE,
    )
)


def _resizer(method: str) -> Run:
    """Make the runner of a method that takes the width's factor first."""
    call = f"pyvips.Image.{method}"

    def run(arguments: Arguments, x: Array, shape: Shape, scale: Scale) -> Array:
        image = load("pyvips", "libvips").Image
        height, width = scale or ratio(x, needs_shape(call, shape))
        if method == "reduce" and max(height, width) > 1:
            raise ValueError(f"{call} makes smaller alone; got factors above 1")

        def one(a: Array) -> Array:
            read = image.new_from_array(a.copy())
            if method == "resize":
                made = read.resize(width, vscale=height, **dict(arguments))
            else:
                made = read.reduce(1 / width, 1 / height, **dict(arguments))
            out: Array = made.numpy()
            return out

        return one_by_one(one, x)

    return run


# The rows of one picture are not apart: one axis that grows moves the other.
CALLS = {
    "pyvips.Image.resize": Call(
        _resizer("resize"), planar, scale_keys=("vscale", "scale")
    ),
    "pyvips.Image.reduce": Call(_resizer("reduce"), planar),
}
