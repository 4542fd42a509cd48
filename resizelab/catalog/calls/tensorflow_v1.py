"""TensorFlow: the operations of version 1, in ``compat.v1``. Measured on 2.21, CPU."""

from typing import Annotated

from resizelab.axis.convention import Convention
from resizelab.axis.spec import Particulars, Spec
from resizelab.catalog.calls import kinds, tensorflow
from resizelab.catalog.calls.call import call, front
from resizelab.catalog.calls.kinds import Array, Flag, Size, Unread

V1 = "tensorflow.compat.v1.image"


METHODS = {
    "bilinear": "resize_bilinear",
    "nearest": "resize_nearest_neighbor",
    "bicubic": "resize_bicubic",
    "area": "resize_area",
}  # their order is the value of the constant


def _also(name: str) -> tuple[str, ...]:
    """Return how a call of version 1 is imported; version 1 had it in tf.image."""
    short = ("tf.compat.v1.image", "tf1.image", "tf.image", "tensorflow.image")
    return tuple(f"{module}.{name}" for module in short)


def _flags(align_corners: bool, half_pixel_centers: bool) -> tuple[bool, bool]:
    if align_corners and half_pixel_centers:
        raise ValueError(
            "TensorFlow refuses align_corners and half_pixel_centers together: "
            "if half_pixel_centers is True, align_corners must be False"
        )
    return align_corners, half_pixel_centers


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
        arithmetic=tensorflow.SAME_DTYPE
        if method == "nearest"
        else tensorflow.TO_FLOAT32,
    )


@call(f"{V1}.resize_bilinear", layout="NHWC", also=_also("resize_bilinear"))
def resize_bilinear(
    images: Array,
    size: Size,
    align_corners: Flag = False,
    name: Unread = None,
    half_pixel_centers: Flag = False,
) -> Convention:
    """Return the convention of ``tensorflow.compat.v1.image.resize_bilinear``."""
    flags = _flags(align_corners, half_pixel_centers)
    return _version_1("bilinear", tensorflow.bilinear(*flags), *flags)


@call(f"{V1}.resize_bicubic", layout="NHWC", also=_also("resize_bicubic"))
def resize_bicubic(
    images: Array,
    size: Size,
    align_corners: Flag = False,
    name: Unread = None,
    half_pixel_centers: Flag = False,
) -> Convention:
    """Return the convention of ``tensorflow.compat.v1.image.resize_bicubic``."""
    flags = _flags(align_corners, half_pixel_centers)
    return _version_1("bicubic", tensorflow.bicubic(*flags), *flags)


@call(
    f"{V1}.resize_nearest_neighbor",
    layout="NHWC",
    also=_also("resize_nearest_neighbor"),
)
def resize_nearest_neighbor(
    images: Array,
    size: Size,
    align_corners: Flag = False,
    name: Unread = None,
    half_pixel_centers: Flag = False,
) -> Convention:
    """Return the convention of ``compat.v1.image.resize_nearest_neighbor``."""
    flags = _flags(align_corners, half_pixel_centers)
    return _version_1("nearest", tensorflow.nearest(*flags), *flags)


@call(f"{V1}.resize_area", layout="NHWC", also=_also("resize_area"))
def resize_area(
    images: Array, size: Size, align_corners: Flag = False, name: Unread = None
) -> Convention:
    """Return the convention of ``tensorflow.compat.v1.image.resize_area``."""
    return _version_1("area", tensorflow.area(align_corners), align_corners, False)


@call(
    f"{V1}.resize",
    layout="NHWC",
    also=(f"{V1}.resize_images", *_also("resize_images"), "tf.compat.v1.image.resize"),
)
def resize(
    images: Array,
    size: Size,
    method: Annotated[str, kinds.one_of(METHODS, METHODS)] = "bilinear",
    align_corners: Flag = False,
    preserve_aspect_ratio: Flag = False,
    name: Unread = None,
) -> Convention:
    """Return the convention of ``tensorflow.compat.v1.image.resize``."""
    if preserve_aspect_ratio:
        raise ValueError(
            "preserve_aspect_ratio=True chooses other sizes than the ones given: give "
            "those, without it"
        )
    return front(f"{V1}.{METHODS[method]}", align_corners=align_corners)
