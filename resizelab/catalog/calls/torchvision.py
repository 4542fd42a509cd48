"""torchvision: ``resize`` and ``Resize`` of both generations of transforms.

On a tensor they are torch's own ``interpolate``; on a PIL image, Pillow's ``resize``.
"""

from functools import partial
from typing import Annotated, Any

from resizelab.axis.convention import Convention
from resizelab.catalog.calls import kinds
from resizelab.catalog.calls.call import call, front
from resizelab.catalog.calls.kinds import Array, Sides, Size, Truth

# By the number that Pillow has for them, which torchvision still takes.
NUMBERS = ("nearest", "lanczos", "bilinear", "bicubic", "box", "hamming")
MODES = (*NUMBERS, "nearest-exact")
PILLOW_ONLY = ("lanczos", "box", "hamming")
SMOOTH = ("bilinear", "bicubic")
Mode = Annotated[str, kinds.one_of(MODES, NUMBERS)]
ON_PIL = "on a PIL image it is Pillow's"


def _resized(picture: Any, mode: str, antialias: bool | None) -> Convention:
    if type(picture).__module__.startswith("PIL.") or mode in PILLOW_ONLY:
        if mode == "nearest-exact":
            raise ValueError("Pillow has no nearest-exact: torchvision refuses it")
        return front("PIL.Image.Image.resize", resample=mode.upper())
    blurs = bool(antialias) and mode in SMOOTH
    found = front("torch.nn.functional.interpolate", mode=mode, antialias=blurs)
    if picture is not None:
        return found
    return found.replace(notes="; ".join(filter(None, [found.notes, ON_PIL])))


def resize(
    img: Array,
    size: Sides,
    interpolation: Mode = "bilinear",
    max_size: Size = None,
    antialias: Truth | None = True,
) -> Convention:
    """Return the convention of version 1's ``transforms.functional.resize``."""
    return _resized(img, interpolation, antialias)


def resize_v2(
    inpt: Array,
    size: Sides,
    interpolation: Mode = "bilinear",
    max_size: Size = None,
    antialias: Truth | None = True,
) -> Convention:
    """Return the convention of ``torchvision.transforms.v2.functional.resize``."""
    return _resized(inpt, interpolation, antialias)


# A transform takes what its function takes behind the picture.
T = "torchvision.transforms"
call(f"{T}.functional.resize", layout="CHW", also=("TF.resize",))(resize)
call(f"{T}.Resize", layout="CHW", also=("T.Resize", "transforms.Resize"))(
    partial(resize, None)
)
call(f"{T}.v2.functional.resize", layout="CHW")(resize_v2)
call(f"{T}.v2.Resize", layout="CHW")(partial(resize_v2, None))
