"""TensorFlow: ``image.resize``, version 1's operations, ``crop_and_resize``.

Measured on 2.21, CPU. Names: ``tf2`` is ``image.resize``, ``tf1`` the operations of
``compat.v1``; both ship in every release since 1.14.
"""

from typing import Annotated, Any

from resizelab.axis import Arithmetic, Convention, Particulars, Spec
from resizelab.catalog.calls import kinds
from resizelab.catalog.calls.call import call, dotted
from resizelab.catalog.calls.kinds import Array, Flag, Size, Unread

METHODS = (
    "bilinear",
    "nearest",
    "bicubic",
    "area",
    "lanczos3",
    "lanczos5",
    "gaussian",
    "mitchellcubic",
)
# One operation of its own, ScaleAndTranslate, serves these and every antialias.
SCALE_AND_TRANSLATE: dict[str, dict[str, Any]] = {
    "bilinear": {"kernel": "linear"},
    "bicubic": {"kernel": "cubic", "a": -0.5},
    "lanczos3": {"kernel": "lanczos", "lobes": 3},
    "lanczos5": {"kernel": "lanczos", "lobes": 5},
    "gaussian": {"kernel": "gaussian", "sigma": 0.5, "cut": 1.5},
    "mitchellcubic": {"kernel": "cubic", "b": 1 / 3, "c": 1 / 3},
}
IGNORING = ("nearest", "area")  # of antialias
TABLE_BITS = 10  # version 1's cubic weights come from a table of 1024 fractions

# Every kind but nearest answers in float32, whatever went in.
FLOAT32 = Arithmetic(output_dtype="float32")
TO_FLOAT32 = dict.fromkeys(("integers", "float16", "float64"), FLOAT32)
# Nearest moves pixels and keeps their type.
SAME_DTYPE = {"integers": Arithmetic()}


def _method(parameter: str, value: Any) -> str:
    # Of ResizeMethod's members one is called otherwise than its value.
    named = getattr(value, "name", value) == "NEAREST_NEIGHBOR"
    return "nearest" if named else kinds.one_of(METHODS)(parameter, value)


@call("tensorflow.image.resize", layout="NHWC", also=("tf.image.resize",))
def resize(
    images: Array,
    size: Size,
    method: Annotated[str, _method] = "bilinear",
    preserve_aspect_ratio: Flag = False,
    antialias: Flag = False,
    name: Unread = None,
) -> Convention:
    """Return the convention of ``tensorflow.image.resize``."""
    ignored = antialias and method in IGNORING
    blurs, keeps = antialias and not ignored, preserve_aspect_ratio
    spec, particulars = version_2(method, blurs)
    if keeps:
        particulars = particulars.replace(
            aspect_ratio="not_larger", aspect_rounding="half_even_float32"
        )
    notes = f"antialias=True is accepted and ignored: {method} has none."
    return Convention(
        name=dotted("tf2", method, antialias=blurs, preserve_aspect_ratio=keeps),
        library="tensorflow",
        spec=spec,
        particulars=particulars,
        arithmetic=SAME_DTYPE if method == "nearest" else TO_FLOAT32,
        notes=notes if ignored else "",
    )


def version_2(method: str, antialias: bool) -> tuple[Spec, Particulars]:
    """Return the ideas and particulars of a method of ``image.resize``."""
    if method == "nearest":
        return nearest(False, True)
    if method == "area":
        return area(False)
    if antialias or method not in ("bilinear", "bicubic"):
        spec = Spec(
            **SCALE_AND_TRANSLATE[method], antialias=antialias, boundary="exclude"
        )
        return spec, Particulars(
            coordinate_arithmetic="float32_reciprocal", distance_arithmetic="float32"
        )
    if method == "bicubic":
        return bicubic(False, True)
    return bilinear(False, True)


def bilinear(align_corners: bool, half_pixel: bool) -> tuple[Spec, Particulars]:
    """Return what the bilinear kernel does under its two flags."""
    return Spec(grid=_grid(align_corners, half_pixel)), FLOAT32_POSITIONS


def bicubic(align_corners: bool, half_pixel: bool) -> tuple[Spec, Particulars]:
    """Return what the bicubic kernel does under its two flags."""
    # half_pixel_centers changes the parameter and the border as well as the grid.
    spec = Spec(
        kernel="cubic",
        a=-0.5 if half_pixel else -0.75,
        boundary="exclude" if half_pixel else "edge",
        grid=_grid(align_corners, half_pixel),
    )
    return spec, FLOAT32_POSITIONS.replace(fraction_bits=TABLE_BITS)


def nearest(align_corners: bool, half_pixel: bool) -> tuple[Spec, Particulars]:
    """Return what the nearest kernel does under its two flags."""
    grid = _grid(align_corners, half_pixel)
    spec = Spec(
        kernel="nearest",
        nearest_mode="half_away" if align_corners else "floor",
        grid="tf_half_pixel_for_nn" if half_pixel else grid,
    )
    return spec, FLOAT32_POSITIONS


def area(align_corners: bool) -> tuple[Spec, Particulars]:
    """Return what the area kernel does under its flag."""
    spec = Spec(kernel="area", grid="align_corners" if align_corners else "half_pixel")
    return spec, FLOAT32_POSITIONS.replace(normalise="never")


FLOAT32_POSITIONS = Particulars(coordinate_arithmetic="float32_multiply")


def _grid(align_corners: bool, half_pixel: bool) -> str:
    if align_corners:
        return "align_corners"
    return "half_pixel" if half_pixel else "asymmetric"
