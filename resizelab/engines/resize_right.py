"""ResizeRight: ``resize_right.resize`` on NumPy arrays."""

from typing import Any

from resizelab.engines.libraries import ANY_RANK, Array, Factors, Library, flagged

LIBRARY = Library("resize-right", "resize_right", "resize-right")

METHODS = ("cubic", "linear", "lanczos2", "lanczos3", "box")


@LIBRARY.call(
    "resize_right.resize",
    takes="either",
    dtype="float64",
    scale_keys=("scale_factors",),
    axes=ANY_RANK,
    probe=1,
)
def resize(x: Array, target: Factors, by_scale: bool, **options: Any) -> Any:
    """Resize by ``scale_factors`` or to ``out_shape``; the batch axis is left alone."""
    methods = LIBRARY.load("resize_right.interp_methods")
    options = flagged(options, "interp_method", methods, METHODS)
    if by_scale:
        options["scale_factors"] = [1.0, *target]
    else:
        options["out_shape"] = [len(x), *target]
    return LIBRARY.load("resize_right").resize(x, **options)
