"""Of a large picture, what decides: some outputs, or the beginning of each axis.

Most rows are compared on a sample of outputs, with the whole picture's operators. A
prefilter's operator is wide; there a beginning of the picture is resized by the same
step, and outputs far from where it was cut are compared.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.axis.kernel import PICKING
from resizelab.identification.candidates import LARGE, Candidate, Place, Sizes, spread

Array = NDArray[Any]

LOOKED_AT = 20  # outputs an axis
FAR = 40  # pixels beyond which a prefilter's memory is below float32
REACH = 6  # steps that a blur and a stretched kernel reach, at the most
MANY = 16  # outputs of the beginning that are compared
# Grids that begin alike, whatever the length; corners do with another step.
ALIKE = {"half_pixel": "half_pixel", "asymmetric": "asymmetric"}
ALIKE["align_corners"] = "asymmetric"


def compared(
    c: Candidate, x: Array, y: Array, most: int = LARGE
) -> tuple[Array | None, Array]:
    """Return (prediction, answer) where they are compared; channels come last.

    Of axes longer than ``most`` a sample of outputs is.
    """
    sizes = y.shape[:-1]
    if max(*sizes, *x.shape[:-1]) <= most and c.place is None:
        return c.predict(x, sizes), y
    prefiltered = c.convention.particulars.prefilter and sizes != x.shape[:-1]
    if c.place is None and prefiltered and max(x.shape[:-1]) > LARGE:
        return _beginning(c, x, y)
    sample = [
        spread(n, most if most < LARGE or n <= most else LOOKED_AT) for n in sizes
    ]
    answer = y[np.ix_(*sample)]
    if c.place is None:
        return c.predict(x, sizes, sample), answer
    if c.place.whole:
        wanted = [s + first for s, first in zip(sample, c.place.first, strict=True)]
        return c.predict(x, c.place.whole, wanted), answer
    over = _over(c, c.place, sizes)
    return (over.predict(x, sizes, sample) if over else None), answer


def _over(candidate: Candidate, place: Place, sizes: Sizes) -> Candidate | None:
    """Return the candidate that reads a region, if its row could."""
    c = candidate.convention
    if c.spec.grid != "half_pixel" or c.scale or c.spec.step_from == "scale":
        return None
    if c.spec.kernel in PICKING and c.spec.kernel != "nearest":
        if any(first for first, _ in place.region):
            return None
        spec = c.spec.replace(step_from="scale")
        edges = zip(place.region, sizes, strict=True)
        scale = tuple(m / last for (_, last), m in edges)
        return replace(candidate, convention=c.replace(spec=spec), scale=scale)
    p = c.particulars.replace(stretch_by=place.stretch, coordinate_arithmetic="float64")
    spec = c.spec.replace(grid="box")
    c = c.replace(spec=spec, particulars=p, roi=place.region)
    return replace(candidate, convention=c)


def _beginning(candidate: Candidate, x: Array, y: Array) -> tuple[Array | None, Array]:
    c = candidate.convention
    if c.spec.grid not in ALIKE or c.roi is not None or candidate.scale:
        return None, y
    corners = c.spec.grid == "align_corners"
    cut, scales, sample = [], [], []
    for n, m in zip(x.shape[:-1], y.shape[:-1], strict=True):
        scale = (m - 1) / (n - 1) if corners and min(n, m) > 1 else m / n
        far = FAR + REACH * max(1.0, 1 / scale)
        length = min(n, int(far + MANY / scale))
        good = int((length - far) * scale) if length < n else m
        if good < 1:
            return None, y
        cut.append(length)
        scales.append(scale)
        sample.append(spread(min(good, m), MANY))
    spec = c.spec.replace(grid=ALIKE[c.spec.grid], step_from="scale")
    particulars = c.particulars.replace(clip_to_input=False)
    local = c.replace(spec=spec, particulars=particulars, scale=None)
    few = replace(candidate, convention=local, scale=tuple(scales))
    sizes: Sizes = tuple(
        m if length == n else max(1, int(length * s))
        for length, n, m, s in zip(cut, x.shape, y.shape, scales, strict=False)
    )
    said = few.predict(x[tuple(slice(length) for length in cut)], sizes, sample)
    if said is not None and c.particulars.clip_to_input and said.dtype.kind == "f":
        whole = x.dtype.kind in "iu" and said.max() <= 2
        unit = np.iinfo(x.dtype).max if whole else 1
        said = np.clip(said, x.min() / unit, x.max() / unit)
    return said, y[np.ix_(*sample)]
