"""albumentations: its transforms resize by ``cv2.resize``."""

from typing import Annotated

from resizelab.axis.convention import Convention
from resizelab.catalog.calls import kinds
from resizelab.catalog.calls.call import call, front
from resizelab.catalog.calls.kinds import Sides, Size, Unread
from resizelab.catalog.calls.opencv import FLAGS

Flag = Annotated[str, kinds.one_of(FLAGS, FLAGS)]
Area = Annotated[str | None, kinds.one_of(("image", "image_mask"))]


@call("albumentations.Resize", layout="HWC", also=("A.Resize",))
def resize(
    height: Size,
    width: Size,
    interpolation: Flag = "INTER_LINEAR",
    mask_interpolation: Flag = "INTER_NEAREST",
    area_for_downscale: Area = None,
    p: Unread = 1,
) -> Convention:
    """Return what ``albumentations.Resize`` does to an image; a mask has its flag."""
    return _resized(interpolation, area_for_downscale)


@call("albumentations.SmallestMaxSize", layout="HWC", also=("A.SmallestMaxSize",))
def smallest(
    max_size: Sides = None,
    max_size_hw: Sides = None,
    interpolation: Flag = "INTER_LINEAR",
    mask_interpolation: Flag = "INTER_NEAREST",
    area_for_downscale: Area = None,
    p: Unread = 1,
) -> Convention:
    """Return what ``albumentations.SmallestMaxSize`` does to an image."""
    return _resized(interpolation, area_for_downscale)


@call("albumentations.LongestMaxSize", layout="HWC", also=("A.LongestMaxSize",))
def longest(
    max_size: Sides = None,
    max_size_hw: Sides = None,
    interpolation: Flag = "INTER_LINEAR",
    mask_interpolation: Flag = "INTER_NEAREST",
    area_for_downscale: Area = None,
    p: Unread = 1,
) -> Convention:
    """Return what ``albumentations.LongestMaxSize`` does to an image."""
    return _resized(interpolation, area_for_downscale)


def _resized(flag: str, area: str | None) -> Convention:
    if area is not None:
        raise ValueError(
            "area_for_downscale takes INTER_AREA where a picture shrinks and the flag "
            f"where it grows: ask for the one you mean; got {area!r}"
        )
    return front("cv2.resize", interpolation=flag)
