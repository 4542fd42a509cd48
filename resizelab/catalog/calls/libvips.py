"""libvips: ``resize`` and ``reduce``. Measured on 8.18, through pyvips."""

from typing import Annotated, Any

from resizelab.axis import Arithmetic, Convention, Particulars, Spec
from resizelab.catalog.calls import kinds
from resizelab.catalog.calls.call import call
from resizelab.catalog.calls.kinds import Array, Number, Scales

KERNELS: dict[str, dict[str, Any]] = {
    "nearest": {"kernel": "nearest", "nearest_mode": "round_prefer_ceil"},
    "linear": {"kernel": "linear"},
    "cubic": {"kernel": "cubic", "a": -0.5},
    "mitchell": {"kernel": "cubic", "b": 1 / 3, "c": 1 / 3},
    "lanczos2": {"kernel": "lanczos", "lobes": 2},
    "lanczos3": {"kernel": "lanczos", "lobes": 3},
}
Kernel = Annotated[str, kinds.one_of(KERNELS)]
# An axis that grows reads half an output pixel early, and so does one that keeps its
# size beside it.
EARLY: dict[str, Any] = {"grid": "free", "phase": 0.0, "offset": 0.5}
LARGER: dict[str, dict[str, Any]] = {
    "nearest": {
        **{"nearest_mode": "floor", "grid": "asymmetric"},
        "coordinate_arithmetic": "running_sum_padded",
    },
    "linear": {"kernel": "linear", "fraction_bits": None, **EARLY},
}
CATMULL_ROM = {"kernel": "cubic", "a": -0.5, "antialias": False, **EARLY}
BITS = 6  # positions are rounded to 1/64 pixel, but not for doubles
HALF = "x of an axis that grows is i * step - 1/2: half an output pixel early"
BYTES = Arithmetic(
    weight_bits=12,
    weight_rounding="truncate",
    between_passes="round",
    sum_rounding="half_up",
    pass_order="height_first",
)


def _text(c: Convention, arguments: dict[str, Any]) -> str:
    shown = ", ".join(f"{k}={v!r}" for k, v in arguments.items())
    if c.call.endswith("reduce"):
        return f"x.reduce(x.width / w, x.height / h, {shown})"
    return f"x.resize(w / x.width, vscale=h / x.height, {shown})"


@call("pyvips.Image.resize", layout="HWC", also=("vips_resize",), written=_text)
def resize(
    self: Array,
    scale: Scales,
    vscale: Scales = None,
    kernel: Kernel = "lanczos3",
    gap: Number = 2.0,
) -> Convention:
    """Return the convention of ``pyvips.Image.resize`` to sizes.

    A shrinking axis is first averaged over whole factors; ``gap`` says how near that
    comes to the size asked for, and 0 turns it off.
    """
    picks = kernel == "nearest"
    blocks = gap >= 1 and not picks
    found = reduce(None, None, None, kernel=kernel, gap=gap if blocks else 0.0)
    return found.replace(
        name=f"libvips.resize.{kernel}" + f".gap_{gap:g}" * (gap != 2.0),
        particulars=found.particulars.replace(
            size_rule="half_up", shortcut="axis", shifts_if_others_grow=not picks
        ),
        growing=LARGER.get(kernel, CATMULL_ROM),
        arithmetic=found.arithmetic if picks else {},
        notes="" if picks else HALF,
    )


@call("pyvips.Image.reduce", layout="HWC", also=("vips_reduce",), written=_text)
def reduce(
    self: Array,
    hshrink: Scales,
    vshrink: Scales,
    kernel: Kernel = "lanczos3",
    gap: Number = 0.0,
) -> Convention:
    """Return the convention of ``pyvips.Image.reduce``, which makes smaller alone."""
    picks = kernel == "nearest"
    spec = Spec(**KERNELS[kernel])
    particulars = Particulars(shortcut="axis")
    if not picks:
        spec = spec.replace(antialias=True)
        particulars = particulars.replace(fraction_bits=BITS)
    if gap:
        spec = spec.replace(grid="box")
        particulars = particulars.replace(prefilter=("box",), reduce_gap=gap)
    return Convention(
        name=f"libvips.reduce.{kernel}" + f".gap_{gap:g}" * bool(gap),
        library="libvips",
        spec=spec,
        particulars=particulars,
        arithmetic={"uint8": Arithmetic() if picks else BYTES},
    )
