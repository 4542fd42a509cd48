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
    if area_for_downscale is not None:
        raise ValueError(
            "area_for_downscale takes INTER_AREA where a picture shrinks and the flag "
            "where it grows: ask for the one you mean; got "
            f"area_for_downscale={area_for_downscale!r}"
        )
    return front("cv2.resize", interpolation=interpolation)


@call("albumentations.SmallestMaxSize", layout="HWC", also=("A.SmallestMaxSize",))
@call("albumentations.LongestMaxSize", layout="HWC", also=("A.LongestMaxSize",))
def one_side(
    max_size: Sides = None,
    max_size_hw: Sides = None,
    interpolation: Flag = "INTER_LINEAR",
    mask_interpolation: Flag = "INTER_NEAREST",
    area_for_downscale: Area = None,
    p: Unread = 1,
) -> Convention:
    """Return what ``SmallestMaxSize`` and ``LongestMaxSize`` do to an image."""
    return resize(None, None, interpolation, area_for_downscale=area_for_downscale)
