"""TensorFlow: the operations of version 1, in ``compat.v1``. Measured on 2.21, CPU."""

from collections.abc import Callable
from typing import Annotated

from resizelab.axis import Convention, Particulars, Spec
from resizelab.catalog.calls import kinds, tensorflow
from resizelab.catalog.calls.call import call, dotted, front
from resizelab.catalog.calls.kinds import Array, Flag, Size, Unread

V1 = "tensorflow.compat.v1.image"
Ideas = Callable[[bool, bool], tuple[Spec, Particulars]]


METHODS = {
    "bilinear": "resize_bilinear",
    "nearest": "resize_nearest_neighbor",
    "bicubic": "resize_bicubic",
    "area": "resize_area",
}  # their order is the value of the constant


def _also(name: str) -> tuple[str, ...]:
    """Return how a call of version 1 is imported; version 1 had it in tf.image."""
    return f"tf.compat.v1.image.{name}", f"tf.image.{name}", f"tensorflow.image.{name}"


def _version_1(
    method: str, ideas: tuple[Spec, Particulars], corners: bool, half_pixel: bool
) -> Convention:
    keeps = method == "nearest"
    told = {"align_corners": corners, "half_pixel_centers": half_pixel}
    return Convention(
        name=dotted("tf1", method, **told),
        library="tensorflow",
        spec=ideas[0],
        particulars=ideas[1],
        arithmetic=tensorflow.SAME_DTYPE if keeps else tensorflow.TO_FLOAT32,
    )


def _operation(kind: str, ideas: Ideas) -> None:
    """Make known one of the three operations whose grid two flags choose."""

    def resize(
        images: Array,
        size: Size,
        align_corners: Flag = False,
        name: Unread = None,
        half_pixel_centers: Flag = False,
    ) -> Convention:
        if align_corners and half_pixel_centers:
            raise ValueError(
                "TensorFlow refuses align_corners and half_pixel_centers together: "
                "if half_pixel_centers is True, align_corners must be False"
            )
        flags = align_corners, half_pixel_centers
        return _version_1(kind, ideas(*flags), *flags)

    call(f"{V1}.{METHODS[kind]}", layout="NHWC", also=_also(METHODS[kind]))(resize)


_operation("bilinear", tensorflow.bilinear)
_operation("bicubic", tensorflow.bicubic)
_operation("nearest", tensorflow.nearest)


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
