"""FFmpeg's libswscale 9.5: the scaler of grey pictures. Measured through PyAV 18.1."""

import math
from typing import Annotated, Any

from resizelab import checks
from resizelab.axis import Arithmetic, Convention, Particulars, Spec
from resizelab.catalog.calls.call import call
from resizelab.catalog.calls.kinds import Array, Size, Unread

# 2 ** (-3 d²)
BELL = {"kernel": "gaussian", "sigma": 1 / math.sqrt(6 * math.log(2)), "cut": 4.0}
FLAGS: dict[str, dict[str, Any]] = {
    "BILINEAR": {"kernel": "linear"},
    "BICUBIC": {"kernel": "cubic", "b": 0.0, "c": 0.6},
    "LANCZOS": {"kernel": "lanczos", "lobes": 3},
    "GAUSS": BELL,
    "SPLINE": {"kernel": "cardinal_spline"},
    "SINC": {"kernel": "windowed_sinc", "lobes": 10, "taper": "none"},
    "AREA": {"kernel": "area"},
    "POINT": {"kernel": "nearest", "nearest_mode": "floor"},
}
ACCURATE = "ACCURATE_RND"  # changes roundings alone
CUT = 0.002  # what the taps that are left off may weigh, of a kernel that is 1 at 0
SIX = 6.0  # what FFmpeg's cubic kernel is there
COUNTED = Particulars(
    coordinate_arithmetic="fixed_step_16",
    window="counted",
    cut_ends=CUT,
    shortcut="axis",
)
# 14 bits of the weights of a row, 12 of a column, errors carried on; the sums of rows
# are cut at the top.
FIXED = Arithmetic(
    weight_bits=14,
    weight_rounding="half_even",
    between_passes="clip_high",
    sum_rounding="half_up",
)
SMALL = "no filter has more than n_in - 2 taps: small pictures are another matter"


def flags(parameter: str, value: Any) -> str:
    """Take flags of libswscale, as PyAV writes them, added up with ``+``."""
    said = getattr(value, "name", None) or value
    names = str(said).replace("|", "+").split("+")
    for name in names:
        checks.one_of(parameter, name, (*FLAGS, ACCURATE))
    if len([name for name in names if name in FLAGS]) != 1:
        raise ValueError(f"{parameter} must name one scaler; got {value!r}")
    return "+".join(names)


def _text(c: Convention, arguments: dict[str, Any]) -> str:
    said = arguments.get("interpolation", "BILINEAR")
    return f"frame.reformat(w, h, frame.format, interpolation={said!r})"


@call(
    "av.VideoFrame.reformat",
    layout="HWC",
    width_first=True,
    also=("VideoFrame.reformat", "sws_scale", "swscale"),
    written=_text,
)
def reformat(
    self: Array,
    width: Size = None,
    height: Size = None,
    format: Unread = None,
    src_colorspace: Unread = None,
    dst_colorspace: Unread = None,
    interpolation: Annotated[str | None, flags] = None,
    threads: Unread = None,
) -> Convention:
    """Return the convention of libswscale's scalers, BILINEAR by default (PyAV's)."""
    given = interpolation or "BILINEAR"
    name = next(flag for flag in given.split("+") if flag in FLAGS)
    spec, particulars = Spec(**FLAGS[name]), COUNTED
    growing: dict[str, Any] = {}
    if name == "POINT":
        spec = spec.replace(grid="tf_half_pixel_for_nn")
        particulars = Particulars(coordinate_arithmetic="fixed_16_16", shortcut="axis")
    elif name == "AREA":
        particulars = Particulars(shortcut="axis")
        growing = {"kernel": "linear"}
    else:
        spec = spec.replace(antialias=True)
        if name == "BICUBIC":
            particulars = COUNTED.replace(cut_ends=CUT / SIX)
    return Convention(
        name=f"ffmpeg.{name.lower()}" + ".accurate_rnd" * (ACCURATE in given),
        library="pyav",
        spec=spec,
        particulars=particulars,
        growing=growing,
        arithmetic=_bytes(name),
        notes="" if name == "POINT" else SMALL,
    )


def _bytes(name: str) -> dict[str, Arithmetic]:
    if name == "POINT":
        return {"uint8": Arithmetic(), "uint16": Arithmetic()}
    return {} if name == "AREA" else {"uint8": FIXED}
