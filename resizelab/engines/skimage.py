"""scikit-image: ``skimage.transform.resize``."""

from typing import Any

from resizelab.engines.libraries import ANY_RANK, Arguments, Array, Library, Sizes

LIBRARY = Library("scikit-image", "skimage", "scikit-image")


def _linear_part(arguments: Arguments, shape: tuple[int, ...]) -> Arguments:
    """Turn off clipping to the input's range: it is no part of a matrix."""
    return {**arguments, "clip": False}


@LIBRARY.call(
    "skimage.transform.resize",
    each=True,
    dtype="float64",
    probe_arguments=_linear_part,
    axes=ANY_RANK,
    probe=1,
)
def resize(x: Array, size: Sizes, **options: Any) -> Any:
    """Resize an array of any rank; integers become floats unless told otherwise."""
    return LIBRARY.load("skimage.transform").resize(x, size, **options)
