"""MONAI: the transform ``Resize``. Measured on 1.6, CPU."""

from typing import Annotated

from resizelab.axis import Arithmetic, Convention
from resizelab.catalog.calls import kinds, torch
from resizelab.catalog.calls.call import call, dotted
from resizelab.catalog.calls.kinds import Flag, Size, Truth, Unread

MODES = ("nearest", "nearest-exact", *torch.SMOOTH, "area")
DARK = (
    "the blur reads zeros outside: the border of a flat picture darkens by 8 % "
    "(halved) to 21 % (5 pixels to 1)"
)


@call("monai.transforms.Resize", layout="CHW", also=("monai.transforms.Resized",))
def resize(
    spatial_size: Size,
    size_mode: Unread = "all",
    mode: Annotated[str, kinds.one_of(MODES)] = "area",
    align_corners: Flag | None = None,
    anti_aliasing: Truth = False,
    anti_aliasing_sigma: Unread = None,
    dtype: Unread = None,
    lazy: Unread = False,
) -> Convention:
    """Return the convention of ``monai.transforms.Resize``, whose result is float32."""
    if mode not in torch.SMOOTH:
        align_corners = None  # MONAI passes it over
    found = torch.interpolate(None, mode=mode, align_corners=align_corners)
    particulars = found.particulars
    if anti_aliasing:
        particulars = particulars.replace(
            prefilter=("gaussian",), blur_weights="areas", blur_boundary="constant"
        )
    parts = found.name.split(".")[1:]
    single = Arithmetic(output_dtype="float32")
    return found.replace(
        name=dotted("monai", *parts, antialias=anti_aliasing),
        library="monai",
        particulars=particulars,
        arithmetic={"integers": single, "floats": single},
        notes=DARK if anti_aliasing else "",
    )
