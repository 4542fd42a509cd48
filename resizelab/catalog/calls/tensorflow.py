"""TensorFlow: ``image.resize``, version 1's operations, ``crop_and_resize``.

Measured on 2.21, CPU. Names: ``tf2`` is ``image.resize``, ``tf1`` the operations of
``compat.v1``; both ship in every release since 1.14.
"""

from typing import Any

from resizelab import checks
from resizelab.axis.convention import Convention
from resizelab.axis.spec import Arithmetic, Particulars, Spec

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


def resize(
    method: str = "bilinear",
    preserve_aspect_ratio: bool = False,
    antialias: bool = False,
    name: str | None = None,
) -> Convention:
    """Return the convention of ``tensorflow.image.resize``."""
    checks.one_of("method", method, METHODS)
    antialias = checks.flag("antialias", antialias)
    preserve = checks.flag("preserve_aspect_ratio", preserve_aspect_ratio)
    ignored = antialias and method in IGNORING
    spec, particulars = version_2(method, antialias and not ignored)
    if preserve:
        particulars = particulars.replace(
            aspect_ratio="not_larger", aspect_rounding="half_even_float32"
        )
    parts = ["tf2", method]
    parts += ["antialias"] if antialias and not ignored else []
    parts += ["preserve_aspect_ratio"] if preserve else []
    notes = f"antialias=True is accepted and ignored: {method} has none."
    return Convention(
        name=".".join(parts),
        library="tensorflow",
        spec=spec,
        particulars=particulars,
        arithmetic=SAME_DTYPE if method == "nearest" else TO_FLOAT32,
        notes=notes if ignored else "",
    )


def version_2(method: str, antialias: bool) -> tuple[Spec, Particulars]:
    """Return the ideas and particulars of a method of ``image.resize``."""
    if method == "nearest":
        return _nearest(False, True)
    if method == "area":
        return _area(False)
    if antialias or method not in ("bilinear", "bicubic"):
        spec = Spec(
            **SCALE_AND_TRANSLATE[method], antialias=antialias, boundary="exclude"
        )
        return spec, Particulars(
            coordinate_arithmetic="float32_reciprocal", distance_arithmetic="float32"
        )
    if method == "bicubic":
        return _bicubic(False, True)
    return _bilinear(False, True)


def _bilinear(align_corners: bool, half_pixel: bool) -> tuple[Spec, Particulars]:
    return Spec(grid=_grid(align_corners, half_pixel)), _FLOAT32_POSITIONS


def _bicubic(align_corners: bool, half_pixel: bool) -> tuple[Spec, Particulars]:
    # half_pixel_centers changes the parameter and the border as well as the grid.
    spec = Spec(
        kernel="cubic",
        a=-0.5 if half_pixel else -0.75,
        boundary="exclude" if half_pixel else "edge",
        grid=_grid(align_corners, half_pixel),
    )
    return spec, _FLOAT32_POSITIONS.replace(fraction_bits=TABLE_BITS)


def _nearest(align_corners: bool, half_pixel: bool) -> tuple[Spec, Particulars]:
    grid = _grid(align_corners, half_pixel)
    spec = Spec(
        kernel="nearest",
        nearest_mode="half_away" if align_corners else "floor",
        grid="tf_half_pixel_for_nn" if half_pixel else grid,
    )
    return spec, _FLOAT32_POSITIONS


def _area(align_corners: bool) -> tuple[Spec, Particulars]:
    spec = Spec(
        kernel="area",
        grid="align_corners" if align_corners else "half_pixel",
    )
    return spec, _FLOAT32_POSITIONS.replace(normalise="never")


_FLOAT32_POSITIONS = Particulars(coordinate_arithmetic="float32_multiply")


def _grid(align_corners: bool, half_pixel: bool) -> str:
    if align_corners:
        return "align_corners"
    return "half_pixel" if half_pixel else "asymmetric"


def _flags(align_corners: bool, half_pixel_centers: bool) -> tuple[bool, bool]:
    corners = checks.flag("align_corners", align_corners)
    half_pixel = checks.flag("half_pixel_centers", half_pixel_centers)
    if corners and half_pixel:
        raise ValueError(
            "TensorFlow refuses align_corners and half_pixel_centers together: "
            "if half_pixel_centers is True, align_corners must be False"
        )
    return corners, half_pixel


def _version_1(
    method: str, ideas: tuple[Spec, Particulars], corners: bool, half_pixel: bool
) -> Convention:
    parts = ["tf1", method]
    parts += ["align_corners"] * corners + ["half_pixel_centers"] * half_pixel
    return Convention(
        name=".".join(parts),
        library="tensorflow",
        spec=ideas[0],
        particulars=ideas[1],
        arithmetic=SAME_DTYPE if method == "nearest" else TO_FLOAT32,
    )


def resize_bilinear(
    align_corners: bool = False,
    name: str | None = None,
    half_pixel_centers: bool = False,
) -> Convention:
    """Return the convention of ``tensorflow.compat.v1.image.resize_bilinear``."""
    flags = _flags(align_corners, half_pixel_centers)
    return _version_1("bilinear", _bilinear(*flags), *flags)


def resize_bicubic(
    align_corners: bool = False,
    name: str | None = None,
    half_pixel_centers: bool = False,
) -> Convention:
    """Return the convention of ``tensorflow.compat.v1.image.resize_bicubic``."""
    flags = _flags(align_corners, half_pixel_centers)
    return _version_1("bicubic", _bicubic(*flags), *flags)


def resize_nearest_neighbor(
    align_corners: bool = False,
    name: str | None = None,
    half_pixel_centers: bool = False,
) -> Convention:
    """Return the convention of ``compat.v1.image.resize_nearest_neighbor``."""
    flags = _flags(align_corners, half_pixel_centers)
    return _version_1("nearest", _nearest(*flags), *flags)


def resize_area(align_corners: bool = False, name: str | None = None) -> Convention:
    """Return the convention of ``tensorflow.compat.v1.image.resize_area``."""
    corners = checks.flag("align_corners", align_corners)
    return _version_1("area", _area(corners), corners, False)


def crop_and_resize(
    boxes: Any = None,
    method: str = "bilinear",
    extrapolation_value: float = 0.0,
    name: str | None = None,
) -> Convention:
    """Return the convention of ``tensorflow.image.crop_and_resize``.

    ``boxes`` is one box (y1, x1, y2, x2), in parts of the image; the whole by default.
    """
    checks.one_of("method", method, ("bilinear", "nearest"))
    common: dict[str, Any] = {
        "grid": "tf_crop_and_resize",
        "extrapolation": checks.number("extrapolation_value", extrapolation_value),
    }
    kinds: dict[str, dict[str, Any]] = {
        "bilinear": {},
        "nearest": {"kernel": "nearest", "nearest_mode": "half_away"},
    }
    parts = ["tf", "crop_and_resize", method]
    return Convention(
        name=".".join(parts + ["boxes"] * (boxes is not None)),
        library="tensorflow",
        spec=Spec(**kinds[method], **common),
        particulars=_FLOAT32_POSITIONS.replace(scale_precision="float32"),
        arithmetic=TO_FLOAT32,
        roi=_regions(boxes),
    )


def _regions(boxes: Any) -> tuple[tuple[float, float], ...] | None:
    if boxes is None:
        return None
    box = list(boxes)
    if len(box) == 1 and hasattr(box[0], "__len__"):
        box = list(box[0])
    if len(box) != 4:
        raise ValueError(
            "boxes must hold one box of 4 numbers (y1, x1, y2, x2), since each box is "
            f"a resize of its own; got {boxes!r}"
        )
    y1, x1, y2, x2 = (checks.number("boxes", edge) for edge in box)
    return (y1, y2), (x1, x2)
