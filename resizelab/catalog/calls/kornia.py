"""kornia: ``geometry.transform.resize``, torch's ``interpolate`` behind a blur."""

from functools import partial
from typing import Annotated

from resizelab.axis.convention import Convention
from resizelab.catalog.calls import kinds
from resizelab.catalog.calls.call import call, front
from resizelab.catalog.calls.kinds import Array, Flag, Sides, Truth
from resizelab.catalog.calls.torch import MODES

Side = Annotated[str, kinds.one_of(("short", "long", "vert", "horz"))]


@call(
    "kornia.geometry.transform.resize", layout="NCHW", also=("kornia.geometry.resize",)
)
def resize(
    input: Array,
    size: Sides,
    interpolation: Annotated[str, kinds.one_of(MODES)] = "bilinear",
    align_corners: Flag | None = None,
    side: Side = "short",
    antialias: Truth = False,
) -> Convention:
    """Return the convention of ``kornia.geometry.transform.resize``.

    ``antialias`` blurs first, with a reflected border and with fewer taps than others.
    """
    found = front(
        "torch.nn.functional.interpolate",
        mode=interpolation,
        align_corners=align_corners,
    )
    if not antialias:
        return found
    given = {"interpolation": interpolation, "align_corners": align_corners}
    particulars = found.particulars.replace(
        prefilter=("gaussian",), blur_taps="four_sigma", blur_boundary="reflect"
    )
    return found.replace(
        name=f"{found.name.replace('torch.', 'kornia.', 1)}.antialias",
        library="kornia",
        call="kornia.geometry.transform.resize",
        arguments={k: v for k, v in given.items() if v is not None}
        | {"antialias": True},
        particulars=particulars,
        arithmetic={},
    )


# The layer takes what the function takes behind its tensor.
layer = partial(resize, None)
call(
    "kornia.geometry.transform.Resize", layout="NCHW", also=("kornia.geometry.Resize",)
)(layer)
