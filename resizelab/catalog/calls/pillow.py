"""Pillow: ``Image.resize`` with ``box`` and ``reducing_gap``. Measured on 13.0."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from resizelab import checks
from resizelab.axis.convention import Convention
from resizelab.axis.spec import Arithmetic, Particulars, Spec

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


def resize(
    resample: str | int | None = None,
    box: Sequence[float] | None = None,
    reducing_gap: float | None = None,
) -> Convention:
    """Return the convention of ``PIL.Image.Image.resize``."""
    name, rois = _filter(resample), _regions(box)
    gap = None if reducing_gap is None else checks.number("reducing_gap", reducing_gap)
    if gap is not None and gap < 1:
        raise ValueError(f"Pillow takes reducing_gap of 1.0 or more; got {gap!r}")
    if name == "NEAREST":
        return _nearest(rois, gap)
    flags = ["box"] * (rois is not None) + ["reducing_gap"] * (gap is not None)
    return Convention(
        name=".".join(["pillow", name.lower(), *flags]),
        library="pillow",
        spec=Spec(
            **_KERNELS[name],
            grid="box" if flags else "half_pixel",
            antialias=True,
            boundary="exclude",
        ),
        particulars=Particulars(
            coordinate_arithmetic="float64_step",
            window="half_open",
            prefilter=("box",) if gap else (),
            reduce_gap=gap,
            shortcut=None if rois else "axis",
        ),
        arithmetic={
            dtype: rule.replace(shortcut=None if rois else "axis")
            for dtype, rule in INTEGERS.items()
        },
        roi=rois,
    )


def _nearest(rois: Any, gap: float | None) -> Convention:
    # floor(x + 1/2) is where Pillow counts from the left edge of the pixel.
    region: dict[str, Any] = {"grid": "box", "nearest_mode": "round_prefer_ceil"}
    whole: dict[str, Any] = {"grid": "tf_half_pixel_for_nn", "nearest_mode": "floor"}
    return Convention(
        name="pillow.nearest.box" if rois else "pillow.nearest",
        library="pillow",
        spec=Spec(kernel="nearest", **(region if rois else whole)),
        particulars=Particulars(coordinate_arithmetic="running_sum"),
        # 16-bit images take the generic path, which multiplies and does not add.
        arithmetic={
            "integers": Arithmetic(),
            "uint16": Arithmetic(coordinate_arithmetic="float64_step"),
        },
        roi=rois,
        notes="; ".join(
            ["reducing_gap is accepted and ignored"] * bool(gap)
            + ["not reproduced at exact ties: Pillow adds from the box's edge"]
            * bool(rois)
        ),
    )


def _filter(resample: Any) -> str:
    if resample is None:
        return "BICUBIC"
    if isinstance(resample, int) and not isinstance(resample, bool):
        if 0 <= resample < len(FILTERS):
            return FILTERS[resample]
        raise ValueError(
            f"resample must be 0 to {len(FILTERS) - 1} or a filter's name; "
            f"got {resample!r}"
        )
    return checks.one_of("resample", resample, FILTERS)


def _regions(
    box: Sequence[float] | None,
) -> tuple[tuple[float, float], tuple[float, float]] | None:
    """Return (top, bottom) and (left, right) of a box, as Pillow's float32 holds it."""
    if box is None:
        return None
    if len(box) != CORNERS:
        raise ValueError(f"box must be (left, upper, right, lower); got {box!r}")
    left, upper, right, lower = (
        float(np.float32(checks.number("box", b))) for b in box
    )
    if min(left, upper) < 0 or right <= left or lower <= upper:
        raise ValueError(f"Pillow takes a box inside the image; got {box!r}")
    return (upper, lower), (left, right)
