"""Fit the ideas to measured operators: kernel, grid, stretch, boundary.

Kernel and grid come from rows in the middle, which no boundary rule touches; the rule
then is the one that explains the rows at the ends.
"""

from dataclasses import dataclass

import numpy as np

from resizelab.axis import prefilter
from resizelab.axis.boundary import BOUNDARIES
from resizelab.checks import FloatArray
from resizelab.identification.candidates import spread
from resizelab.identification.families import FAMILIES, Family, least_squares, operator
from resizelab.identification.response import Response

Sizes = tuple[int, int]

EMPTY = 3e-4  # a weight below this is none
GOOD = 3e-5  # an error of a weight that float32 explains
BETTER = 1.5  # what a family with more parameters must win
FEW = 3  # rows of the middle that a fit needs, at the least
ROWS = 96  # of a long axis so many rows are looked at


@dataclass(frozen=True)
class Fit:
    """One operator explained: output i reads start + i * step."""

    family: Family
    values: FloatArray
    errors: FloatArray
    start: float
    step: float
    start_error: float
    stretch: float
    residual: float


class Measured:
    """An operator, and the rows of its middle."""

    def __init__(self, sizes: Sizes, response: Response) -> None:
        self.n, self.m = sizes
        self.rows = spread(self.m, ROWS)
        self.lit = response.lit
        self.offset = response.offset
        self.w = response.matrix[self.rows]
        known = np.nan_to_num(self.w)
        size = np.abs(known).max(1)
        ends = np.abs(known[:, [0, 1, -2, -1]]).max(1) if self.n > 3 else size
        whole = np.abs(known.sum(1) - 1) < 0.05
        self.middle = (ends < EMPTY) & (size > EMPTY) & whole
        self.centroids = known @ np.arange(self.n)
        self.picks = bool(np.all((np.abs(known) < EMPTY) | (np.abs(known - 1) < EMPTY)))

    def line(self) -> tuple[float, float] | None:
        """Return (start, step) of a straight line through the centroids."""
        i = self.rows[self.middle]
        if len(i) < FEW:
            return None
        step, start = np.polyfit(i, self.centroids[self.middle], 1)
        return float(start), float(step)


def nearest(measured: Measured) -> Fit | None:
    """Return the fit of an operator that copies pixels, rounding to the nearest."""
    i, j = measured.rows, measured.centroids
    inside = (j > 0) & (j < measured.n - 1)
    if inside.sum() < FEW:
        return None
    for step in (measured.n / measured.m, (measured.n - 1) / max(1, measured.m - 1)):
        low = float((j[inside] - 0.5 - i[inside] * step).max())
        high = float((j[inside] + 0.5 - i[inside] * step).min())
        if low <= high:
            start, half = (low + high) / 2, (high - low) / 2
            none = np.zeros(0)
            return Fit(Family("nearest"), none, none, start, step, half, 1.0, 0.0)
    return None


def fit(
    measured: Measured, family: Family, values: FloatArray, widen: float | None = None
) -> Fit | None:
    """Return the best fit of a family; parameters start at ``values``.

    ``widen`` is where the stretch starts; without it the kernel is not stretched.
    """
    line = measured.line()
    if line is None:
        return None
    rows, lit = measured.rows[measured.middle], measured.lit
    wanted = measured.w[measured.middle][:, lit]
    count = len(values)
    inverse = None
    if family.prefiltered:
        inverse = prefilter.bspline(
            measured.n, family.fixed["order"], "reflect"
        ).dense()

    def rest(theta: FloatArray) -> FloatArray:
        start, step = theta[:2]
        k = family.kernel(theta[2 : 2 + count], abs(step) + 1e-9)
        wide = 1.0 if widen is None else max(0.2, float(theta[-1]))
        x = start + rows * step
        if np.abs(x).max() > 4 * measured.n:
            return np.full(wanted.size, 1e3)
        made = operator(k, x, wide, measured.n, inverse=inverse)
        gap: FloatArray = (made[:, lit] - wanted).ravel()
        return gap

    free = [] if widen is None else [widen]
    theta, errors = least_squares(rest, np.array([*line, *values, *free]))
    return Fit(
        family,
        theta[2 : 2 + count],
        errors[2 : 2 + count],
        float(theta[0]),
        float(theta[1]),
        float(errors[0]),
        1.0 if widen is None else float(theta[-1]),
        float(np.abs(rest(theta)).max()),
    )


def best(measured: Measured) -> Fit | None:
    """Return the family that explains the operator, the simplest of equals."""
    if measured.picks:
        return nearest(measured)
    found: Fit | None = None
    for family in FAMILIES:
        values = np.array(list(family.start.values()))
        tries = [fit(measured, family, values)]
        if measured.n > measured.m and family.name != "area":
            tries.append(fit(measured, family, values, measured.n / measured.m))
        for one in tries:
            if one is None:
                return None
            if found is None or one.residual * BETTER < found.residual:
                found = one
        if found is not None and found.residual < GOOD:
            break
    return found


def stretched(measured: Measured, kernel: Fit) -> Fit | None:
    """Return the fit where the axis shrinks, of a kernel known where it grows."""
    if measured.picks or kernel.family.name == "nearest":
        return best(measured)
    tries = [fit(measured, kernel.family, kernel.values)]
    if kernel.family.name != "area":
        widened = fit(measured, kernel.family, kernel.values, measured.n / measured.m)
        tries.append(widened)
    fits = [one for one in tries if one is not None]
    close = [one for one in fits if one.residual < 10 * GOOD]
    return close[0] if close else best(measured)


def ends(measured: Measured, found: Fit) -> tuple[str | None, float]:
    """Return the boundary rules that explain every row, and the error that remains."""
    if found.family.name in ("nearest", "area") or found.family.prefiltered:
        return None, found.residual
    k = found.family.kernel(found.values, found.step)
    x = found.start + measured.rows * found.step
    errors: dict[str, float] = {}
    for rule in BOUNDARIES:
        made = operator(k, x, found.stretch, measured.n, rule)
        gap = np.abs(made - measured.w)[:, measured.lit]
        errors[rule] = float(gap.max())
    least = min(errors.values())
    if least > 0.02:
        return None, least
    close = [r for r, e in errors.items() if e < max(10 * GOOD, 1.5 * least)]
    fill = measured.offset[np.argmax(np.abs(measured.offset))]
    if abs(fill) > EMPTY:
        return f"constant (up to {fill:.4g} is added)", least
    return " or ".join(close), least
