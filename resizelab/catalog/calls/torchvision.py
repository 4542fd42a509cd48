"""torchvision: ``resize`` and ``Resize`` of both generations of transforms.

On a tensor they are torch's own ``interpolate``; on a PIL image, Pillow's ``resize``.
"""

from functools import partial
from typing import Annotated, Any

from resizelab.axis import Arithmetic, Convention
from resizelab.catalog.calls import kinds
from resizelab.catalog.calls.call import call, front
from resizelab.catalog.calls.kinds import Array, Sides, Size, Truth

# By the number that Pillow has for them, which torchvision still takes.
NUMBERS = ("nearest", "lanczos", "bilinear", "bicubic", "box", "hamming")
MODES = (*NUMBERS, "nearest-exact")
PILLOW_ONLY = ("lanczos", "box", "hamming")
SMOOTH = ("bilinear", "bicubic")
Mode = Annotated[str, kinds.one_of(MODES, NUMBERS)]
ROUNDED = Arithmetic(sum_rounding="half_even")
ON_PIL = "on a PIL image it is Pillow's"


@call(
    "torchvision.transforms.functional.resize",
    layout="CHW",
    also=("TF.resize", "F.resize", "transforms.functional.resize", "functional.resize"),
)
def resize(
    img: Array,
    size: Sides,
    interpolation: Mode = "bilinear",
    max_size: Size = None,
    antialias: Truth | None = True,
) -> Convention:
    """Return the convention of ``torchvision.transforms.functional.resize``.

    Of bytes in a tensor it makes float32, and rounds what comes out; the second
    generation leaves them to torch, and the two differ by a level.
    """
    found = _resized(img, interpolation, antialias)
    if found.library != "torch" or interpolation not in SMOOTH:
        return found
    return found.replace(
        name=found.name.replace("torch.", "torchvision.", 1),
        library="torchvision",
        call="torchvision.transforms.functional.resize",
        arguments={"interpolation": interpolation, "antialias": bool(antialias)},
        arithmetic={**found.arithmetic, "uint8": ROUNDED},
    )


@call(
    "torchvision.transforms.v2.functional.resize",
    layout="CHW",
    also=("v2.functional.resize", "transforms.v2.functional.resize"),
)
def resize_v2(
    inpt: Array,
    size: Sides,
    interpolation: Mode = "bilinear",
    max_size: Size = None,
    antialias: Truth | None = True,
) -> Convention:
    """Return the convention of ``torchvision.transforms.v2.functional.resize``."""
    return _resized(inpt, interpolation, antialias)


def _resized(picture: Any, mode: str, antialias: bool | None) -> Convention:
    pillow = type(picture).__module__.startswith("PIL.")
    if pillow or mode in PILLOW_ONLY:
        if mode == "nearest-exact":
            raise ValueError("Pillow has no nearest-exact: torchvision refuses it")
        return front("PIL.Image.Image.resize", resample=mode.upper())
    blurs = bool(antialias) and mode in SMOOTH
    found = front("torch.nn.functional.interpolate", mode=mode, antialias=blurs)
    if picture is not None:
        return found
    return found.replace(notes="; ".join(filter(None, [found.notes, ON_PIL])))


# A transform takes what its function takes behind the picture.
T = "torchvision.transforms"
call(f"{T}.Resize", layout="CHW", also=("transforms.Resize", "T.Resize"))(
    partial(resize, None)
)
call(f"{T}.v2.Resize", layout="CHW")(partial(resize_v2, None))
