"""OpenCV: ``cv2.warpAffine`` by a matrix that scales and moves. Measured on 5.0."""

from typing import Annotated, Any

from resizelab import checks
from resizelab.axis import Arithmetic, Convention, Particulars, Spec
from resizelab.catalog.calls import kinds
from resizelab.catalog.calls.call import call, keywords
from resizelab.catalog.calls.kinds import Array, Size, Unread
from resizelab.catalog.calls.opencv import FLAGS

KERNELS: dict[str, dict[str, Any]] = {
    "INTER_LINEAR": {"kernel": "linear"},
    "INTER_CUBIC": {"kernel": "cubic", "a": -0.75},
}
# Their order is the value of the constant.
BORDERS = {
    "BORDER_CONSTANT": "constant",
    "BORDER_REPLICATE": "edge",
    "BORDER_REFLECT": "symmetric",
    "BORDER_WRAP": "wrap",
    "BORDER_REFLECT_101": "reflect",
}
OTHERS = (
    "int16: OpenCV rounds positions to 1/32 of a pixel first; uint16: its sums are "
    "coarser than float32 at photo sizes; neither is reproduced"
)
DOUBLES = {
    "INTER_LINEAR": "float64: 1/32 of a pixel too; of ties, the other axis decides",
    "INTER_CUBIC": "float64: OpenCV 5.0 is up to 1.3 off, whatever the values' range",
}
_ROUNDED = Arithmetic(sum_rounding="half_even")
# Positions are whole 1/32 pixels there, at other sizes than powers of two now and
# then the next: the other axis takes part in the rounding.
_COARSE = Arithmetic(coordinate_arithmetic="fixed_10_then_5")


def _scaling(parameter: str, value: Any) -> list[list[float]]:
    """Take a 2 x 3 matrix that scales and moves: neither turned nor sheared."""
    rows = kinds.plain(value)
    shaped = isinstance(rows, list) and [len(r) for r in rows if r] == [3, 3]
    if not shaped:
        raise ValueError(f"{parameter} must have 2 rows of 3 numbers; got {value!r}")
    rows = [[checks.number(parameter, entry) for entry in row] for row in rows]
    (across, skew, _), (other, down, _) = rows
    if skew or other or min(across, down) <= 0:
        raise ValueError(
            f"{parameter} must be [[s, 0, t], [0, s, t]] with s above 0 to be a "
            f"resize; got {rows}"
        )
    return rows


def _text(c: Convention, arguments: dict[str, Any]) -> str:
    matrix = arguments.pop("M", None)
    across, down = "w / x.shape[1]", "h / x.shape[0]"
    scales = f"[[{across}, 0, {across} / 2 - 0.5], [0, {down}, {down} / 2 - 0.5]]"
    shown = {
        k: f"cv2.{v}" for k, v in arguments.items() if k in ("flags", "borderMode")
    }
    rest = {k: v for k, v in arguments.items() if k not in shown}
    flags = "".join(f", {k}={v}" for k, v in shown.items())
    given = scales if matrix is None else repr(matrix)
    return f"cv2.warpAffine(x, np.float64({given}), (w, h){flags}{keywords(rest)})"


@call(
    "cv2.warpAffine",
    layout="HWC",
    width_first=True,
    also=("cv.warpAffine",),
    written=_text,
)
def warp_affine(
    src: Array,
    M: Annotated[Any, kinds.example(_scaling)],  # noqa: N803 (it is called so)
    dsize: Size,
    dst: Unread = None,
    flags: Annotated[str, kinds.one_of(KERNELS, FLAGS)] = "INTER_LINEAR",
    borderMode: Annotated[str, kinds.one_of(BORDERS, BORDERS)] = "BORDER_CONSTANT",  # noqa: N803
    borderValue: Annotated[Any, kinds.per_axis()] = 0,  # noqa: N803
    hint: Unread = None,
) -> Convention:
    """Return what ``cv2.warpAffine`` resizes by: output i reads (i - t) / s.

    Without ``M``, it is the one that maps the picture onto ``dsize`` as ``cv2.resize``
    does. Nearest is not here: which pixel it takes depends on the dtype.
    """
    boundary = BORDERS[borderMode]
    if boundary == "constant" and any(kinds.entries(borderValue) or ()):
        raise ValueError(f"borderValue must be 0 here; got {borderValue!r}")
    short = flags.removeprefix("INTER_").lower()
    (across, _, right), (_, down, low) = M or ((1, 0, 0), (0, 1, 0))
    at = ((down, low), (across, right))  # height first
    coarse = {"float64": _COARSE} if flags == "INTER_LINEAR" else {}
    return Convention(
        name=f"opencv.warp_affine.{short}.{boundary}",
        library="opencv",
        spec=Spec(
            **KERNELS[flags],
            grid="translate",
            step_from="scale_if_given",
            boundary=boundary,
        ),
        particulars=Particulars(coordinate_arithmetic="float64"),
        arithmetic={"uint8": _ROUNDED, **coarse},
        scale=tuple(s for s, _ in at) if M else None,
        notes=f"{OTHERS}; {DOUBLES[flags]}",
        # The grid counts from the pixel's corner, the matrix from its middle.
        roi=tuple((t + 0.5 - 0.5 * s, 0.0) for s, t in at) if M else None,
    )
