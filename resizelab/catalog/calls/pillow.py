"""Pillow: ``Image.resize`` with ``box`` and ``reducing_gap``. Measured on 13.0."""

from typing import Annotated, Any

import numpy as np

from resizelab.axis import Arithmetic, Convention, Particulars, Spec
from resizelab.catalog.calls import kinds
from resizelab.catalog.calls.call import call, dotted, front, keywords
from resizelab.catalog.calls.kinds import Array, Number, Size, Unread

# In the order of the constants Image.Resampling.NEAREST … HAMMING.
FILTERS = ("NEAREST", "LANCZOS", "BILINEAR", "BICUBIC", "BOX", "HAMMING")
CORNERS = 4  # left, upper, right, lower

_KERNELS: dict[str, dict[str, Any]] = {
    "BOX": {"kernel": "box"},
    "BILINEAR": {"kernel": "linear"},
    "HAMMING": {"kernel": "hamming"},
    "BICUBIC": {"kernel": "cubic", "a": -0.5},
    "LANCZOS": {"kernel": "lanczos", "lobes": 3},
}
UINT8 = Arithmetic(
    weight_bits=22,
    weight_rounding="half_away",
    between_passes="round",
    sum_rounding="half_up",
    pass_order="fewest_rows",
)
WIDER = Arithmetic(
    accumulator="float64",
    between_passes="round",
    sum_rounding="half_away",
    pass_order="fewest_rows",
)
INTEGERS = {"uint8": UINT8, "uint16": WIDER, "int32": WIDER}


Filter = Annotated[str | None, kinds.one_of(FILTERS, FILTERS)]
Box = Annotated[
    Any,
    kinds.example(kinds.counted(kinds.number, CORNERS, "(left, upper, right, lower)")),
]


def _text(c: Convention, arguments: dict[str, Any]) -> str:
    shown = {k: v for k, v in arguments.items() if k != "resample"}
    filter_ = arguments.get("resample") or "BICUBIC"
    return (
        f"PIL.Image.fromarray(x).resize((w, h), PIL.Image.Resampling.{filter_}"
        f"{keywords(shown)})"
    )


@call("PIL.Image.Image.resize", layout="HWC", width_first=True, written=_text)
def resize(
    self: Array,
    size: Size,
    resample: Filter = None,
    box: Box = None,
    reducing_gap: Number | None = None,
) -> Convention:
    """Return the convention of ``PIL.Image.Image.resize``."""
    name, rois, gap = resample or "BICUBIC", _regions(box), reducing_gap
    if gap is not None and gap < 1:
        raise ValueError(f"Pillow takes reducing_gap of 1.0 or more; got {gap!r}")
    if name == "NEAREST":
        return _nearest(rois, gap)
    return Convention(
        name=dotted("pillow", name.lower(), box=rois, reducing_gap=gap),
        library="pillow",
        spec=Spec(
            **_KERNELS[name],
            grid="box" if rois or gap else "half_pixel",
            antialias=True,
            boundary="exclude",
        ),
        particulars=Particulars(
            coordinate_arithmetic="float64_step",
            window="half_open",
            prefilter=("box",) if gap else (),
            reduce_gap=gap,
            shortcut=None if rois else "axis",
            region_inside=rois is not None,
        ),
        arithmetic={
            dtype: rule.replace(shortcut=None if rois else "axis")
            for dtype, rule in INTEGERS.items()
        },
        roi=rois,
    )


@call("PIL.Image.Image.thumbnail", layout="HWC", width_first=True)
def thumbnail(
    self: Array,
    size: Unread,
    resample: Annotated[str, kinds.one_of(FILTERS, FILTERS)] = "BICUBIC",
    reducing_gap: Number | None = 2.0,
) -> Convention:
    """Return what ``PIL.Image.Image.thumbnail`` resizes by, inside the size given."""
    name = "PIL.Image.Image.resize"
    return front(name, resample=resample, reducing_gap=reducing_gap)


def _nearest(rois: Any, gap: float | None) -> Convention:
    # Pillow counts from the left edge of the pixel, and adds step by step.
    return Convention(
        name="pillow.nearest.box" if rois else "pillow.nearest",
        library="pillow",
        spec=Spec(kernel="nearest", grid="tf_half_pixel_for_nn", nearest_mode="floor"),
        particulars=Particulars(
            coordinate_arithmetic="running_sum", region_inside=rois is not None
        ),
        # 16-bit images take the generic path, which multiplies and does not add.
        arithmetic={
            "uint8": Arithmetic(),
            "int32": Arithmetic(),
            "uint16": Arithmetic(coordinate_arithmetic="float64_step"),
        },
        roi=rois,
        notes="reducing_gap is accepted and ignored" if gap else "",
    )


def _regions(
    box: list[float] | None,
) -> tuple[tuple[float, float], tuple[float, float]] | None:
    """Return (top, bottom) and (left, right) of a box, as Pillow's float32 holds it."""
    if box is None:
        return None
    left, upper, right, lower = (float(np.float32(b)) for b in box)
    if min(left, upper) < 0 or right <= left or lower <= upper:
        raise ValueError(f"Pillow takes a box inside the image; got {tuple(box)}")
    # The length is a float32 too: the end that a float64 puts where it says.
    return tuple(
        (first, first + float(np.float32(last - first)))
        for first, last in ((upper, lower), (left, right))
    )  # type: ignore[return-value]
