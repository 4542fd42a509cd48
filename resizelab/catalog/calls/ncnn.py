"""ncnn: the layer ``Interp``. Measured on 1.0.20261020, float32 throughout."""

from typing import Annotated, Any

from resizelab.axis import Convention, Particulars, Spec
from resizelab.catalog.calls import kinds
from resizelab.catalog.calls.call import call, dotted
from resizelab.catalog.calls.kinds import Bit, Scales, Size, Unread

KINDS = ("nearest", "bilinear", "bicubic")
# What is copied where sizes agree though the scale is not 1; bicubic moves it.
SHORTCUTS = {"nearest": "image", "bilinear": "axis"}


@call("ncnn.Interp", layout="CHW")
def interp(
    resize_type: Annotated[str | None, kinds.one_of(KINDS, ("", *KINDS))],
    height_scale: Scales = None,
    width_scale: Scales = None,
    output_height: Size = None,
    output_width: Size = None,
    dynamic_target_size: Unread = 0,
    align_corner: Bit = 0,
) -> Convention:
    """Return the convention of ncnn's ``Interp``; without scales, sizes are given."""
    if resize_type is None:
        raise ValueError(f"ncnn.Interp needs resize_type: one of {', '.join(KINDS)}")
    kind = resize_type
    corners = bool(align_corner) and kind != "nearest"
    scale = None
    if height_scale is not None or width_scale is not None:
        scale = tuple(1.0 if s is None else s for s in (height_scale, width_scale))
    spec = _spec(kind, "align_corners" if corners else "half_pixel")
    # With aligned corners the step comes from the sizes, whatever the scale.
    keeps = scale is not None and not corners
    ignored = "align_corner has no effect with resize_type='nearest'"
    return Convention(
        name=dotted("ncnn", kind, align_corner=corners, scale=scale is not None),
        library="ncnn",
        spec=spec.replace(step_from="scale" if keeps else "sizes"),
        particulars=Particulars(
            size_rule="floor_float32",
            scale_precision="float32",
            coordinate_arithmetic=_arithmetic(kind),
            shortcut=SHORTCUTS.get(kind),
        ),
        scale=scale,
        notes=ignored if align_corner and kind == "nearest" else "",
    )


def _arithmetic(kind: str) -> str:
    return "float32_multiply" if kind == "nearest" else "float64_rounded"


def _spec(kind: str, grid: str) -> Spec:
    if kind == "nearest":
        return Spec(kernel="nearest", nearest_mode="floor", grid="asymmetric")
    common: dict[str, Any] = {"grid": grid}
    if kind == "bicubic":
        return Spec(kernel="cubic", a=-0.75, **common)
    return Spec(kernel="linear", **common)
