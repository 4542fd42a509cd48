"""kornia: ``geometry.transform.resize``. Measured on 0.9, CPU."""

from typing import Annotated

from resizelab.axis.convention import Convention
from resizelab.catalog.calls import kinds, torch
from resizelab.catalog.calls.call import call
from resizelab.catalog.calls.kinds import Array, Flag, Size, Truth, Unread

MODES = ("nearest", "nearest-exact", "bilinear", "bicubic", "area")


@call(
    "kornia.geometry.transform.resize",
    layout="NCHW",
    also=("kornia.geometry.resize", "K.geometry.resize"),
)
def resize(
    input: Array,
    size: Size,
    interpolation: Annotated[str, kinds.one_of(MODES)] = "bilinear",
    align_corners: Flag | None = None,
    side: Unread = "short",
    antialias: Truth = False,
) -> Convention:
    """Return the convention of ``kornia.geometry.transform.resize``.

    ``antialias`` blurs first: a reflected border, and fewer taps than others take.
    """
    found = torch.interpolate(None, mode=interpolation, align_corners=align_corners)
    particulars = found.particulars
    if antialias:
        particulars = particulars.replace(
            prefilter=("gaussian",),
            blur_taps="four_sigma",
            blur_boundary="reflect",
        )
    parts = ["kornia", *found.name.split(".")[1:], *["antialias"] * antialias]
    return found.replace(
        name=".".join(parts), library="kornia", particulars=particulars, arithmetic={}
    )
