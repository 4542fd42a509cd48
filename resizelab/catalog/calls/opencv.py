"""OpenCV: ``cv2.resize`` by ``dsize`` or by ``fx`` and ``fy``. Measured on 5.0."""

from typing import Any

from resizelab import checks
from resizelab.axis.convention import Convention
from resizelab.axis.spec import Arithmetic, Particulars, Spec

FLAGS = (
    "INTER_NEAREST",
    "INTER_LINEAR",
    "INTER_CUBIC",
    "INTER_AREA",
    "INTER_LANCZOS4",
    "INTER_LINEAR_EXACT",
    "INTER_NEAREST_EXACT",
)  # their order is the value of the constant

_FLOATS = Arithmetic(sum_rounding="half_even")
_FIXED = Arithmetic(
    weight_bits=11,
    weight_rounding="half_even",
    edge_taps="separate",
    sum_rounding="half_up",
)
_EXACT = Arithmetic(weight_bits=8, weight_rounding="half_even", sum_rounding="half_up")
UINT8 = {
    "INTER_NEAREST": Arithmetic(),
    "INTER_LINEAR": _FIXED.replace(between_passes="staged"),
    "INTER_CUBIC": _FLOATS,
    "INTER_AREA": _FLOATS,
    "INTER_LANCZOS4": _FIXED,
    "INTER_LINEAR_EXACT": _EXACT,
    "INTER_NEAREST_EXACT": Arithmetic(),
}
_WIDER_EXACT = _EXACT.replace(weight_bits=16)


def resize(
    fx: float = 0, fy: float = 0, interpolation: str | int = "INTER_LINEAR"
) -> Convention:
    """Return the convention of ``cv2.resize``."""
    flag = _flag(interpolation)
    scaled = _scale(fx, fy)
    short = flag.removeprefix("INTER_").lower()
    spec, arithmetic = _ideas(flag)
    given_counts = flag != "INTER_NEAREST_EXACT"  # it takes the ratio of the sizes
    return Convention(
        name=f"opencv.{short}" + (".fx" if scaled else ""),
        library="opencv",
        spec=spec.replace(step_from="scale" if scaled and given_counts else "sizes"),
        particulars=Particulars(
            size_rule="half_even",
            coordinate_arithmetic=arithmetic,
            shortcut="image",
            if_any_grows="two_tap_area" if flag == "INTER_AREA" else None,
        ),
        arithmetic=_integers(flag),
        scale=scaled,
    )


def _flag(interpolation: Any) -> str:
    if isinstance(interpolation, int) and not isinstance(interpolation, bool):
        if 0 <= interpolation < len(FLAGS):
            return FLAGS[interpolation]
        raise ValueError(
            f"interpolation must be 0 to {len(FLAGS) - 1} or a flag's name; "
            f"got {interpolation!r}"
        )
    return checks.one_of("interpolation", interpolation, FLAGS)


def _scale(fx: float, fy: float) -> tuple[float, float] | None:
    given = checks.number("fy", fy), checks.number("fx", fx)
    if given == (0.0, 0.0):
        return None
    if min(given) <= 0:
        raise ValueError(
            f"OpenCV takes fx and fy above 0 and together; got fx={fx!r}, fy={fy!r}"
        )
    return given


def _ideas(flag: str) -> tuple[Spec, str]:
    """Return the spec of a flag and the arithmetic of its positions."""
    match flag:
        case "INTER_NEAREST":
            spec = Spec(kernel="nearest", nearest_mode="floor", grid="asymmetric")
            return spec, "float64_reciprocal"
        case "INTER_NEAREST_EXACT":
            grid = "tf_half_pixel_for_nn"
            spec = Spec(kernel="nearest", nearest_mode="floor", grid=grid)
            return spec, "running_sum"
        case "INTER_CUBIC":
            return Spec(kernel="cubic", a=-0.75), "float64"
        case "INTER_LANCZOS4":
            return Spec(kernel="lanczos", lobes=4), "float64"
        case "INTER_AREA":
            return Spec(kernel="area"), "float64"
    return Spec(kernel="linear"), "float64"


def _integers(flag: str) -> dict[str, Arithmetic]:
    wider = _WIDER_EXACT if flag == "INTER_LINEAR_EXACT" else _FLOATS
    rules = {"uint8": UINT8[flag], "uint16": wider, "int16": wider}
    if flag == "INTER_AREA":
        # Growing, it interpolates like INTER_LINEAR; 2 x 2 blocks are added as ints.
        rules["uint8.any_grows"] = UINT8["INTER_LINEAR"]
        halves = _FLOATS.replace(sum_rounding="half_up")
        rules |= {f"{dtype}.all_halve": halves for dtype in tuple(rules)[:3]}
    return rules
