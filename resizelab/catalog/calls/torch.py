"""torch: ``interpolate`` and ``grid_sample``. Measured on 2.13, CPU."""

from typing import Annotated, Any

from resizelab.axis import Arithmetic, Convention, Particulars, Spec
from resizelab.catalog.calls import kinds
from resizelab.catalog.calls.call import by_size_or_factor, call, dotted, front
from resizelab.catalog.calls.kinds import Array, Flag, Scales, Size, Truth

MODES = (
    "nearest",
    "nearest-exact",
    "linear",
    "bilinear",
    "trilinear",
    "bicubic",
    "area",
    "lanczos",
)
SMOOTH = ("linear", "bilinear", "trilinear", "bicubic")
ANTIALIASED = ("bilinear", "bicubic", "lanczos")
SMALL = 128  # rows plus columns of a result

# ATen's uint8 kernels: 16-bit weights, one rounding an axis, width first.
UINT8 = Arithmetic(
    weight_bits="fit_int16",
    weight_rounding="half_away",
    between_passes="round",
    sum_rounding="half_up",
    shortcut="axis",
    coordinate_arithmetic="float64_step",
)
ONE_WIDE = (
    "contiguous floats that become one pixel wide: every row holds row 0, which is off "
    "by up to the input's whole range (torch 2.13); channels_last does not do that"
)
# float32 positions come from float32 arithmetic, float64 ones from float64.
DOUBLE = Arithmetic(coordinate_arithmetic="float64_step")

RANKS = {"linear": (1, 1), "bilinear": (2, 2), "bicubic": (2, 2), "trilinear": (3, 3)}

Mode = Annotated[str, kinds.one_of(MODES)]


@call(
    "torch.nn.functional.interpolate",
    layout="NCHW",
    also=("F.interpolate", "F.upsample", "torch.nn.functional.upsample"),
    written=by_size_or_factor,
)
def interpolate(
    input: Array,
    size: Size = None,
    scale_factor: Scales = None,
    mode: Mode = "nearest",
    align_corners: Flag | None = None,
    recompute_scale_factor: Truth | None = None,
    antialias: Truth = False,
) -> Convention:
    """Return the convention of ``torch.nn.functional.interpolate``."""
    _refuse(size, scale_factor, mode, align_corners, recompute_scale_factor, antialias)
    corners = bool(align_corners)
    # area is pooling by sizes: its scale fixes them and no more.
    given = scale_factor is not None and mode != "area"
    keeps_scale = given and not recompute_scale_factor
    spec = _spec(mode, corners, antialias)
    return Convention(
        name=dotted(
            *("torch", mode),
            antialias=antialias and mode != "lanczos",
            align_corners=corners,
            recompute_scale_factor=recompute_scale_factor,
            scale_factor=scale_factor is not None and not recompute_scale_factor,
        ),
        library="torch",
        spec=spec.replace(step_from="scale" if keeps_scale else "sizes"),
        particulars=_particulars(mode, corners, antialias),
        arithmetic=_by_dtype(mode),
        ranks=(2, 2) if antialias else RANKS.get(mode, (1, 3)),
        scale=kinds.entries(scale_factor),
        notes=ONE_WIDE if antialias else "",
    )


def _refuse(
    size: Any,
    scale_factor: Any,
    mode: str,
    align_corners: bool | None,
    recompute: bool | None,
    antialias: bool,
) -> None:
    if size is not None and scale_factor is not None:
        raise ValueError("torch refuses size and scale_factor together: give one")
    if mode == "lanczos" and align_corners:
        raise ValueError("torch refuses align_corners=True with mode='lanczos'")
    if align_corners is not None and mode not in (*SMOOTH, "lanczos"):
        raise ValueError(
            f"torch takes align_corners with {', '.join(SMOOTH)}; got mode={mode!r}"
        )
    if antialias and mode not in ANTIALIASED:
        raise ValueError(
            f"torch takes antialias=True with {', '.join(ANTIALIASED)}; "
            f"got mode={mode!r}"
        )
    if mode == "lanczos" and not antialias:
        raise ValueError("torch takes mode='lanczos' with antialias=True only")
    if recompute and scale_factor is None:
        raise ValueError("torch takes recompute_scale_factor with scale_factor only")


@call("torch.nn.Upsample", layout="NCHW")
def upsample(
    size: Size = None,
    scale_factor: Scales = None,
    mode: Mode = "nearest",
    align_corners: Flag | None = None,
    recompute_scale_factor: Truth | None = None,
) -> Convention:
    """Return the convention of the layer ``torch.nn.Upsample``."""
    return front(
        "torch.nn.functional.interpolate",
        size=size,
        scale_factor=scale_factor,
        mode=mode,
        align_corners=align_corners,
        recompute_scale_factor=recompute_scale_factor,
    )


@call("torch.nn.UpsamplingBilinear2d", layout="NCHW")
def upsampling_bilinear(size: Size = None, scale_factor: Scales = None) -> Convention:
    """Return the convention of ``torch.nn.UpsamplingBilinear2d``: corners align."""
    return upsample(size, scale_factor, "bilinear", True)


@call("torch.nn.UpsamplingNearest2d", layout="NCHW")
def upsampling_nearest(size: Size = None, scale_factor: Scales = None) -> Convention:
    """Return the convention of ``torch.nn.UpsamplingNearest2d``."""
    return upsample(size, scale_factor, "nearest")


def _spec(mode: str, corners: bool, antialias: bool) -> Spec:
    if mode == "nearest":
        return Spec(kernel="nearest", nearest_mode="floor", grid="asymmetric")
    if mode == "nearest-exact":
        return Spec(kernel="nearest", nearest_mode="round_prefer_ceil")
    if mode == "area":
        return Spec(kernel="adaptive_area")
    grid = "align_corners" if corners else "half_pixel"
    if antialias:
        # With antialias the scale of the corners goes into the half-pixel formula.
        grid = "align_corners_antialias" if corners else "half_pixel"
    common: dict[str, Any] = {
        "grid": grid,
        "antialias": antialias,
        "boundary": "exclude" if antialias else "edge",
    }
    if mode == "lanczos":
        return Spec(kernel="lanczos", lobes=3, **common)
    if mode == "bicubic":
        # a changes with antialias, also where the axis grows.
        return Spec(kernel="cubic", a=-0.5 if antialias else -0.75, **common)
    return Spec(kernel="linear", **common)


def _particulars(mode: str, corners: bool, antialias: bool) -> Particulars:
    # Where the size does not change, the linear kinds copy the axis whatever the scale;
    # nearest also repeats the pixels of an axis that doubles, but only on the path that
    # small pictures take (_use_vectorized_kernel_cond_2d). With antialias too an axis
    # that keeps its size is left out, whatever its scale.
    copies = mode not in ("nearest-exact", "area", "bicubic") and not corners
    # The compiler fuses (i + 1/2) * step - 1/2 into one rounding.
    fused = dict.fromkeys(SMOOTH, "float32_fma")
    arithmetic = {"area": "float64", **({} if antialias else fused)}
    shortcut = "double" if mode == "nearest" else "axis" if copies else None
    shortcut = "axis" if antialias else shortcut
    return Particulars(
        coordinate_arithmetic=arithmetic.get(mode, "float32_multiply"),
        shortcut=shortcut,
        one_wide="first_row" if antialias else None,
        shortcut_limit=SMALL if mode == "nearest" else None,
    )


def _by_dtype(mode: str) -> dict[str, Arithmetic]:
    if mode.startswith("nearest"):  # float32 positions whatever the dtype
        return {"uint8": Arithmetic()}
    if mode in ANTIALIASED:
        return {"uint8": UINT8, "float64": DOUBLE}
    return {} if mode == "area" else {"float64": DOUBLE}
