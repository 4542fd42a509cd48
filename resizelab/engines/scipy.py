"""SciPy: ``scipy.ndimage.zoom``."""

from typing import Any

from resizelab.engines.libraries import ANY_RANK, Array, Factors, Library

LIBRARY = Library("scipy", "scipy", "scipy")


@LIBRARY.call(
    "scipy.ndimage.zoom",
    takes="factors",
    each=True,
    dtype="float64",
    scale_keys=("zoom",),
    axes=ANY_RANK,
    probe=1,
)
def zoom(x: Array, factors: Factors, **options: Any) -> Any:
    """Zoom by the given factors, or by n_out / n_in where sizes are given."""
    return LIBRARY.load("scipy.ndimage").zoom(x, factors, **options)
