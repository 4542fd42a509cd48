"""PaddlePaddle: ``paddle.nn.functional.interpolate``. Measured on 3.3, CPU."""

from typing import Annotated

from resizelab.axis import Convention, Particulars, Spec
from resizelab.catalog.calls import kinds
from resizelab.catalog.calls.call import by_size_or_factor, call, dotted
from resizelab.catalog.calls.kinds import Array, Flag, Scales, Size, Truth, Unread

MODES = ("nearest", "linear", "bilinear", "trilinear", "bicubic", "area")
LINEAR = ("linear", "bilinear", "trilinear")
FORMATS = ("NCW", "NWC", "NCHW", "NHWC", "NCDHW", "NDHWC")


@call(
    "paddle.nn.functional.interpolate",
    layout="NCHW",
    also=("paddle.nn.Upsample", "paddle.nn.functional.upsample"),
    written=by_size_or_factor,
)
def interpolate(
    x: Array,
    size: Size = None,
    scale_factor: Scales = None,
    mode: Annotated[str, kinds.one_of(MODES)] = "nearest",
    align_corners: Flag = False,
    align_mode: Annotated[int, kinds.bit] = 0,
    data_format: Annotated[str | None, kinds.one_of(FORMATS)] = None,
    recompute_scale_factor: Truth | None = None,
    antialias: Truth = False,
    name: Unread = None,
) -> Convention:
    """Return the convention of ``paddle.nn.functional.interpolate``.

    ``align_mode=1`` is asymmetric; it counts with the linear modes alone.
    """
    if align_corners and mode not in (*LINEAR, "bicubic"):
        raise ValueError(
            f"paddle takes align_corners with {', '.join(LINEAR)} and bicubic; got "
            f"mode={mode!r}"
        )
    if antialias:
        raise ValueError("paddle's antialias=True was not measured here")
    linear = mode in LINEAR
    shifted = linear and align_mode == 1 and not align_corners
    given = scale_factor is not None and mode != "area"
    grid = "align_corners" if align_corners else "half_pixel"
    if shifted or (mode == "nearest" and not align_corners):
        grid = "asymmetric"
    return Convention(
        name=dotted(
            *("paddle", mode),
            align_corners=align_corners,
            align_mode_1=shifted,
            scale_factor=scale_factor is not None,
        ),
        library="paddle",
        spec=_spec(mode, grid).replace(
            step_from="scale" if given and not recompute_scale_factor else "sizes"
        ),
        particulars=_particulars(mode, grid),
        scale=kinds.entries(scale_factor),
    )


def _spec(mode: str, grid: str) -> Spec:
    if mode == "nearest":
        return Spec(kernel="nearest", nearest_mode="floor", grid=grid)
    if mode == "area":
        return Spec(kernel="adaptive_area")
    if mode == "bicubic":
        return Spec(kernel="cubic", a=-0.75, grid=grid)
    return Spec(kernel="linear", grid=grid)


def _particulars(mode: str, grid: str) -> Particulars:
    if mode == "area":
        return Particulars()
    # What an output of one pixel reads: linear and trilinear follow the formula.
    single = {"bilinear": "first", "bicubic": "before_first", "nearest": "first"}
    return Particulars(
        coordinate_arithmetic="float32_multiply",
        single_pixel=None if grid == "align_corners" else single.get(mode),
        shortcut="image",
    )
