"""Where output pixel i reads in the input, for each coordinate mode.

Input pixel j has its centre at position j, so n_in pixels cover -0.5 … n_in - 0.5.
Every mode is one line of the same form, position = (i + phase) * step - offset;
the modes differ in three numbers, and the engines in the order of operations.
"""

from dataclasses import dataclass, replace

import numpy as np

from resizelab import checks
from resizelab.axis.positions import POSITION_ARITHMETICS, Line, PositionArithmetic
from resizelab.checks import FloatArray

GRIDS = (
    "half_pixel",
    "pytorch_half_pixel",
    "align_corners",
    "asymmetric",
    "tf_half_pixel_for_nn",
    "half_pixel_symmetric",
    "tf_crop_and_resize",
    "box",
    "translate",
    "align_corners_antialias",
    "offset_corners",
    "free",
)
ROI_GRIDS = ("tf_crop_and_resize", "box", "translate", "tf_half_pixel_for_nn")
SINGLE_PIXEL = ("first", "centre", "before_first")
FARTHEST = 2.0**53


@dataclass(frozen=True)
class Grid(Line):
    """The positions that ``n_out`` output pixels read on ``n_in`` input pixels.

    ``step`` is in input pixels per output pixel and is kept as ``span / count``,
    because engines differ in whether they multiply or divide first. ``shift`` is added
    before ``offset`` is taken off; half_pixel_symmetric and translate have one.

    >>> grid("half_pixel", 4, 8).positions()
    array([-0.25,  0.25,  0.75,  1.25,  1.75,  2.25,  2.75,  3.25])
    >>> grid("align_corners", 4, 8).positions().round(2)
    array([0.  , 0.43, 0.86, 1.29, 1.71, 2.14, 2.57, 3.  ])
    """

    @property
    def step(self) -> float:
        """Input pixels from one output pixel to the next."""
        return self.span / self.count

    def positions(self) -> FloatArray:
        """Return the n_out positions, in input pixels, as float64.

        The value is the one that the engine's arithmetic gives, so one that ends in
        float32 returns float32 numbers stored as float64.
        """
        i = np.arange(self.n_out)
        if self.span == 0:  # every output reads one place; an inverse step has none
            return np.full(self.n_out, -self.offset, np.float64)
        arithmetic = POSITION_ARITHMETICS[self.coordinate_arithmetic]
        scaled = arithmetic.scaled(i, self)
        number = scaled.dtype.type
        x: FloatArray = scaled
        if not arithmetic.from_start:
            x = number(self.shift) + scaled - number(self.offset)
        if arithmetic.rounded_last:
            x = x.astype(np.float32)
        return x.astype(np.float64)


def grid(
    name: str,
    n_in: int,
    n_out: int,
    scale: float | None = None,
    roi: tuple[float, float] | None = None,
    *,
    coordinate_arithmetic: str = "float64",
    single_pixel: str | None = None,
    length: float | None = None,
    line: tuple[float, float, float] | None = None,
) -> Grid:
    """Return the grid of a coordinate mode.

    Parameters
    ----------
    name : str
        A coordinate mode: ONNX's names, and ``box``, ``translate``,
        ``align_corners_antialias``, ``offset_corners``.
    n_in, n_out : int
        Pixels of the axis before and after.
    scale : float, optional
        n_out / n_in as the caller gave it; by default the ratio of the sizes.
    roi : (float, float), optional
        ``tf_crop_and_resize``: start and end as fractions of n_in - 1.
        ``box``, ``tf_half_pixel_for_nn``: first and last edge in input pixels.
        ``translate``: (t, 0), with t in
        output pixels. Every other mode refuses it.
    coordinate_arithmetic : str
        How the engine computes positions; see `positions.POSITION_ARITHMETICS`.
    single_pixel : str, optional
        What a one-pixel output reads where a library departs from the mode's rule:
        ``first`` (0), ``centre`` ((n_in - 1) / 2) or ``before_first`` (-0.5).
    length : float, optional
        The output length the formula uses where it is not n_out.
    line : (float, float, float), optional
        ``free``: phase, offset, and the input pixels left out of the step.

    Raises
    ------
    ValueError
        For an unknown name, a roi or an arithmetic that does not apply, a size or scale
        out of range.

    Source: ONNX operator ``Resize``, coordinate_transformation_mode.
    """
    checks.one_of("grid", name, GRIDS)
    known = POSITION_ARITHMETICS
    checks.one_of("coordinate_arithmetic", coordinate_arithmetic, known)
    arithmetic = known[coordinate_arithmetic]
    if arithmetic.grids or not arithmetic.takes_scale:
        _refuse_arithmetic(coordinate_arithmetic, name, scale)
    n_in, n_out = checks.size("n_in", n_in), checks.size("n_out", n_out)
    if scale is not None:
        scale = checks.positive("scale", scale)
    if roi is not None and name not in ROI_GRIDS:
        raise ValueError(f"roi goes with {', '.join(ROI_GRIDS)}; got grid={name!r}")
    if roi is not None:
        roi = checks.pair("roi", roi)
    m = float(n_out) if length is None else length
    if m == 1 and single_pixel is not None:
        checks.one_of("single_pixel", single_pixel, SINGLE_PIXEL)
        x = {"first": 0.0, "centre": (n_in - 1) / 2, "before_first": -0.5}[single_pixel]
        return Grid(n_in, n_out, 1.0, m / n_in, 0.0, -x, coordinate_arithmetic)
    if name == "tf_crop_and_resize":
        numbers = _crop_line(n_in, n_out, m, roi or (0.0, 1.0), arithmetic)
    else:
        numbers = _line(name, n_in, n_out, m, scale, line or roi)
    g = Grid(n_in, n_out, *numbers, coordinate_arithmetic)
    if name == "half_pixel_symmetric":
        g = replace(g, shift=_centring(g))
    if name == "translate" and roi is not None:
        number = arithmetic.number
        g = replace(g, shift=-float(number(roi[0]) * number(g.step)))
    if not (n_out + 1) * abs(g.span / g.count) + abs(g.offset) < FARTHEST:
        raise ValueError(
            f"scale={scale!r} and roi={roi!r} put positions beyond 2**53 pixels, where "
            "a float64 has no fractions"
        )
    return g


def _refuse_arithmetic(arithmetic: str, name: str, scale: float | None) -> None:
    """Refuse an arithmetic that another grid, or sizes alone, define."""
    own = POSITION_ARITHMETICS[arithmetic]
    if own.grids and name not in own.grids:
        raise ValueError(
            f"coordinate_arithmetic={arithmetic!r} goes with grid "
            f"{' or '.join(map(repr, own.grids))}; got grid={name!r}"
        )
    if not own.takes_scale and scale is not None:
        raise ValueError(
            f"coordinate_arithmetic={arithmetic!r} builds the grid from sizes "
            f"alone; got scale={scale!r}"
        )


def _centring(g: Grid) -> float:
    """Return the shift that puts the centres on each other where sizes do not fit."""
    arithmetic = POSITION_ARITHMETICS[g.coordinate_arithmetic]
    if not arithmetic.divides:
        return (g.n_in - g.n_out * g.span / g.count) / 2  # exactly 0 where they fit
    # ONNX's formula in the engine's precision: rounding decides ties.
    number = arithmetic.number
    scale = number(g.count) / number(g.span)
    filled = number(g.n_out) / (scale * number(g.n_in))
    return float(number(g.n_in) / number(2) * (number(1) - filled))


def _line(
    name: str,
    n: int,
    n_out: int,
    m: float,
    scale: float | None,
    own: tuple[float, ...] | None,
) -> tuple[float, float, float, float]:
    """Return (span, count, phase, offset) of a mode; its ``own`` region or line."""
    span, count = (float(n), float(n_out)) if scale is None else (1.0, scale)
    corners = (n - 1.0, m - 1.0) if n_out > 1 else (0.0, 1.0)
    match name:
        case "pytorch_half_pixel":
            if m == 1:  # the rule of ONNX: one pixel reads position 0
                return span, count, 0.0, 0.0
            return span, count, 0.5, 0.5
        case "align_corners":
            return *corners, 0.0, 0.0
        case "asymmetric":
            return span, count, 0.0, 0.0
        case "tf_half_pixel_for_nn" if own is not None:  # places from the first edge
            return own[1] - own[0], float(n_out), 0.5, -own[0]
        case "tf_half_pixel_for_nn":
            return span, count, 0.5, 0.0
        case "align_corners_antialias":
            return *corners, 0.5, 0.5
        case "offset_corners":
            return max(1.0, n - 1.0), float(n_out), 0.5, 0.0
        case "box":
            first, last = own if own is not None else (0.0, float(n))
            return last - first, float(n_out), 0.5, 0.5 - first
        case "free":
            phase, offset, left_out = own if own is not None else (0.5, 0.5, 0.0)
            return span - left_out * (scale is None), count, phase, offset
    return span, count, 0.5, 0.5  # half_pixel, and what then shifts it


def _crop_line(
    n: int,
    n_out: int,
    m: float,
    roi: tuple[float, float],
    arithmetic: PositionArithmetic,
) -> tuple[float, float, float, float]:
    if m == 1:
        return 0.0, 1.0, 0.0, -arithmetic.middle(roi, n)
    start = arithmetic.start(roi, n)
    if n_out == 1:  # of a fractional length: the formula's first pixel
        return 0.0, 1.0, 0.0, -start
    return arithmetic.length(roi, n), m - 1.0, 0.0, -start
