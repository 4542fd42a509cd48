"""OpenCV: ``cv2.resize`` by ``dsize`` or by ``fx`` and ``fy``. Measured on 5.0."""

from typing import Annotated, Any

from resizelab.axis import Arithmetic, Convention, Particulars, Spec
from resizelab.catalog.calls import kinds
from resizelab.catalog.calls.call import call, dotted, front, keywords
from resizelab.catalog.calls.kinds import Array, Flag, Number, Size, Unread

FLAGS = (
    "INTER_NEAREST",
    "INTER_LINEAR",
    "INTER_CUBIC",
    "INTER_AREA",
    "INTER_LANCZOS4",
    "INTER_LINEAR_EXACT",
    "INTER_NEAREST_EXACT",
)  # their order is the value of the constant

PLANE = 2

# If any axis grows, all are read as two taps each.
GROWING = {"when": "any", "kernel": "two_tap_area"}
SLIVER = 1e-3  # of a pixel: INTER_AREA leaves it out

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
    "INTER_LINEAR": _FIXED.replace(
        between_passes="staged", coordinate_arithmetic="float64_rounded"
    ),
    "INTER_CUBIC": _FLOATS,
    "INTER_AREA": _FLOATS,
    "INTER_LANCZOS4": _FIXED,
    "INTER_LINEAR_EXACT": _EXACT,
    "INTER_NEAREST_EXACT": Arithmetic(),
}
_WIDER_EXACT = _EXACT.replace(weight_bits=16)


def _text(c: Convention, arguments: dict[str, Any]) -> str:
    size = "None" if "fx" in arguments else "(w, h)"
    shown = {k: v for k, v in arguments.items() if k != "interpolation"}
    flag = arguments.get("interpolation", "INTER_LINEAR")
    return f"cv2.resize(x, {size}{keywords(shown)}, interpolation=cv2.{flag})"


@call("cv2.resize", layout="HWC", width_first=True, also=("cv.resize",), written=_text)
def resize(
    src: Array,
    dsize: Size,
    dst: Unread = None,
    fx: Number = 0,
    fy: Number = 0,
    interpolation: Annotated[str, kinds.one_of(FLAGS, FLAGS)] = "INTER_LINEAR",
) -> Convention:
    """Return the convention of ``cv2.resize``."""
    flag, scaled = interpolation, _scale(fx, fy)
    if dsize is not None and scaled:
        return front("cv2.resize", interpolation=flag).replace(
            notes="fx and fy are accepted and ignored beside dsize"
        )
    short = flag.removeprefix("INTER_").lower()
    spec, arithmetic = _ideas(flag)
    given_counts = flag != "INTER_NEAREST_EXACT"  # it takes the ratio of the sizes
    return Convention(
        name=dotted("opencv", short, fx=scaled),
        library="opencv",
        spec=spec.replace(step_from="scale" if scaled and given_counts else "sizes"),
        particulars=Particulars(
            size_rule="half_even",
            coordinate_arithmetic=arithmetic,
            shortcut="image",
            normalise="never" if flag == "INTER_AREA" else "after",
            least_overlap=SLIVER if flag == "INTER_AREA" else 0.0,
        ),
        growing=GROWING if flag == "INTER_AREA" else {},
        arithmetic=_integers(flag),
        scale=scaled,
    )


@call("cv2.dnn.blobFromImage", layout="HWC", width_first=True)
def blob_from_image(
    image: Array,
    scalefactor: Unread = 1.0,
    size: Size = (0, 0),
    mean: Unread = None,
    swapRB: Unread = False,  # noqa: N803 (it is called so)
    crop: Flag = False,
    ddepth: Unread = None,
) -> Convention:
    """Return what ``cv2.dnn.blobFromImage`` resizes by, before it makes floats."""
    if not crop:
        return front("cv2.resize")
    shape: tuple[int, ...] = getattr(image, "shape", ())
    if len(shape) < PLANE or not isinstance(size, list):
        raise ValueError(
            "crop=True scales by the larger of two ratios: give image, size"
        )
    scale = max(size[0] / shape[1], size[1] / shape[0])
    return front("cv2.resize", fx=scale, fy=scale)


def _scale(fx: float, fy: float) -> tuple[float, float] | None:
    given = float(fy), float(fx)
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
            return Spec(kernel="lanczos", lobes=4), "float64_rounded"
        case "INTER_AREA":
            return Spec(kernel="area"), "float64_reciprocal"
    return Spec(kernel="linear"), "float64"


def _integers(flag: str) -> dict[str, Arithmetic]:
    wider = _WIDER_EXACT if flag == "INTER_LINEAR_EXACT" else _FLOATS
    rules = {"uint8": UINT8[flag], "uint16": wider, "int16": wider}
    if flag == "INTER_CUBIC":
        rules["uint8.few_pixels"] = _FIXED
    if flag == "INTER_AREA":
        # Growing, it interpolates like INTER_LINEAR; 2 x 2 blocks are added as ints.
        rules["uint8.any_grows"] = UINT8["INTER_LINEAR"]
        halves = _FLOATS.replace(sum_rounding="half_up")
        rules |= {f"{dtype}.all_halve": halves for dtype in tuple(rules)[:3]}
    return rules
