"""What fixes the step of one axis: its sizes, a given scale, a region, or a copy."""

import numpy as np

from resizelab import checks
from resizelab.axis.grid import Grid, grid
from resizelab.axis.spec import Particulars, Spec

Region = tuple[float, float] | None


def reads(
    spec: Spec,
    n_in: int,
    n_out: int,
    scale: float | None = None,
    particulars: Particulars | None = None,
    roi: Region = None,
) -> Grid:
    """Return the grid on which the outputs of one axis read.

    The parameters are those of `sampling.weights`; a library's shortcut counts.

    >>> reads(Spec(grid="asymmetric"), 4, 8).step
    0.5
    """
    n_in, n_out = checks.size("n_in", n_in), checks.size("n_out", n_out)
    p = particulars or Particulars()
    scale, roi = given(spec, p, n_in, n_out, scale, roi)
    if copies(p, n_in, n_out, scale) or doubles(p, n_in, n_out):
        return grid("half_pixel", n_in, n_out)  # what repeats or copies pixels
    return sampled(spec, p, n_in, n_out, scale, roi)


def given(
    spec: Spec,
    p: Particulars,
    n_in: int,
    n_out: int,
    scale: float | None,
    roi: Region,
) -> tuple[float | None, Region]:
    """Return the scale that fixes the step, if one does, and the region read."""
    if scale is not None:
        scale = checks.positive("scale", scale)
    if scale is None and spec.step_from == "scale":
        raise ValueError("step_from='scale' needs scale; got scale=None")
    fixed = None if spec.step_from == "sizes" else scale
    if fixed is None and p.added_length:
        fixed = (n_out + p.added_length) / n_in
    if fixed is not None:
        fixed = stored(fixed, p.scale_precision)
    if roi is not None:
        roi = stored(roi[0], p.scale_precision), stored(roi[1], p.scale_precision)
    return fixed, roi


def stored(number: float, precision: str) -> float:
    """Return a given number in the precision in which the engine keeps it."""
    return float(np.float32(number)) if precision == "float32" else number


def copies(p: Particulars, n_in: int, n_out: int, scale: float | None) -> bool:
    """Say whether the axis is copied as it is."""
    unit = p.shortcut == "unit_step" and scale in (None, 1.0)
    return n_in == n_out and (unit or p.shortcut in ("axis", "double"))


def doubles(p: Particulars, n_in: int, n_out: int) -> bool:
    """Say whether each pixel is repeated once."""
    return p.shortcut == "double" and n_out == 2 * n_in


def sampled(
    spec: Spec,
    p: Particulars,
    n_in: int,
    n_out: int,
    scale: float | None,
    roi: Region,
) -> Grid:
    """Return the grid of an axis that is neither copied nor doubled."""
    ratio = n_out / n_in if scale is None else scale
    length = n_in * ratio if p.resized_length == "fractional" else None
    return grid(
        spec.grid,
        n_in,
        n_out,
        scale,
        roi,
        arithmetic=p.coordinate_arithmetic,
        single_pixel=p.single_pixel,
        length=length,
    )
