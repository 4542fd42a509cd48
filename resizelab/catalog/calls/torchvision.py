"""torchvision: ``resize`` of tensors, of both generations. Measured on 0.28, CPU."""

from typing import Annotated, Any

from resizelab.axis.convention import Convention
from resizelab.axis.spec import Arithmetic
from resizelab.catalog.calls import kinds, torch
from resizelab.catalog.calls.call import call
from resizelab.catalog.calls.kinds import Array, Size, Truth, Unread

MODES = ("nearest", "nearest-exact", "bilinear", "bicubic")
Mode = Annotated[str, kinds.one_of(MODES)]
# The first generation makes float32 of bytes, and rounds what comes out.
ROUNDED = Arithmetic(sum_rounding="half_even")
F = "torchvision.transforms.functional"
V2 = "torchvision.transforms.v2"


def _text(c: Convention, arguments: dict[str, Any]) -> str:
    mode = arguments.pop("interpolation", "bilinear").upper().replace("-", "_")
    shown = "".join(f", {k}={v!r}" for k, v in arguments.items())
    modes = "torchvision.transforms.InterpolationMode"
    return f"{c.call}(x, [h, w], {modes}.{mode}{shown})"


def _tensor(name: str, interpolation: str, antialias: bool) -> Convention:
    smooth = interpolation in torch.ANTIALIASED
    found = torch.interpolate(None, mode=interpolation, antialias=antialias and smooth)
    renamed = found.name.replace("torch.", f"{name}.", 1)
    return found.replace(name=renamed, library="torchvision")


@call(
    f"{F}.resize",
    layout="NCHW",
    also=("F_t.resize", "transforms.functional.resize", "torchvision.transforms.Resize",
          "transforms.Resize", "T.Resize"),
    written=_text,
)  # fmt: skip
def resize(
    img: Array,
    size: Size,
    interpolation: Mode = "bilinear",
    max_size: Unread = None,
    antialias: Truth | None = True,
) -> Convention:
    """Return the convention of ``transforms.functional.resize`` of a tensor."""
    found = _tensor("torchvision", interpolation, bool(antialias))
    whole = Arithmetic() if interpolation.startswith("nearest") else ROUNDED
    return found.replace(arithmetic={**found.arithmetic, "uint8": whole})


@call(
    f"{V2}.functional.resize",
    layout="NCHW",
    also=("v2.functional.resize", f"{V2}.Resize", "v2.Resize"),
    written=_text,
)
def resize_v2(
    inpt: Array,
    size: Size,
    interpolation: Mode = "bilinear",
    max_size: Unread = None,
    antialias: Truth | None = True,
) -> Convention:
    """Return the convention of ``transforms.v2.functional.resize`` of a tensor.

    Bytes go through torch's own kernels, and so differ from the first generation's.
    """
    return _tensor("torchvision.v2", interpolation, bool(antialias))
