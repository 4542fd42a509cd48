"""libvips, through pyvips: ``Image.resize`` and ``Image.reduce``."""

from typing import Any

from resizelab.engines.libraries import MORE, Array, Factors, Library

LIBRARY = Library(
    "libvips", "pyvips", "pyvips[binary]", ("pyvips-binary", "pyvips"), extra=MORE
)

REDUCE = "pyvips.Image.reduce"


def _image(x: Array) -> Any:
    """Return a picture of libvips: its methods take the width's factor first."""
    return LIBRARY.load("pyvips").Image.new_from_array(x.copy())


# The rows of one picture are not apart: one axis that grows moves the other.
@LIBRARY.call(
    "pyvips.Image.resize", takes="factors", each=True, scale_keys=("vscale", "scale")
)
def resize(x: Array, factors: Factors, **options: Any) -> Any:
    """Resize by the factors."""
    height, width = factors
    return _image(x).resize(width, vscale=height, **options).numpy()


@LIBRARY.call(REDUCE, takes="factors", each=True)
def reduce(x: Array, factors: Factors, **options: Any) -> Any:
    """Make smaller by the factors, which it takes as steps."""
    height, width = factors
    if max(height, width) > 1:
        raise ValueError(f"{REDUCE} makes smaller alone; got factors above 1")
    return _image(x).reduce(1 / width, 1 / height, **options).numpy()
