"""albumentations: the transform ``Resize``, which is OpenCV's. Measured on 2.0."""

from typing import Annotated

from resizelab.axis.convention import Convention
from resizelab.catalog.calls import kinds, opencv
from resizelab.catalog.calls.call import call
from resizelab.catalog.calls.kinds import Array, Size, Unread

AREAS = ("image", "image_mask")


@call("albumentations.Resize", layout="HWC", also=("A.Resize",))
def resize(
    height: Size,
    width: Size,
    interpolation: Annotated[str, kinds.one_of(opencv.FLAGS, opencv.FLAGS)] = (
        "INTER_LINEAR"
    ),
    mask_interpolation: Unread = "INTER_NEAREST",
    area_for_downscale: Annotated[str | None, kinds.one_of(AREAS)] = None,
    p: Unread = 1,
    image: Array = None,
) -> Convention:
    """Return the convention of ``albumentations.Resize`` of an image."""
    found = opencv.resize(None, None, interpolation=interpolation)
    name = found.name.replace("opencv.", "albumentations.", 1)
    if area_for_downscale is not None:
        raise ValueError(
            "area_for_downscale looks at both sizes: ask for INTER_AREA where a side "
            "becomes shorter, and without it elsewhere"
        )
    return found.replace(name=name, library="albumentations")
