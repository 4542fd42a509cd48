"""Of a large picture, what decides: some outputs, or the beginning of each axis.

Most rows are compared on a sample of outputs, with the whole picture's operators. A
prefilter's matrix is as large as the axis squared; there a beginning of the picture is
resized by the same step, and outputs far from where it was cut are compared.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.identification.candidates import Candidate, Sizes, spread

Array = NDArray[Any]

LARGE = 256  # pixels; of longer axes a sample of outputs is compared
LOOKED_AT = 20  # outputs an axis
FAR = 40  # pixels beyond which a prefilter's memory is below float32
REACH = 6  # steps that a blur and a stretched kernel reach, at the most
ALIKE = {"half_pixel": "half_pixel", "asymmetric": "asymmetric"}
ALIKE["align_corners"] = "asymmetric"  # of another step
MANY = 16  # outputs of the beginning that are compared


def compared(candidate: Candidate, x: Array, y: Array) -> tuple[Array | None, Array]:
    """Return (prediction, answer) where they are compared."""
    sizes = y.shape[: y.ndim - 1]
    if max(*sizes, *x.shape[:-1]) <= LARGE:
        return candidate.predict(x, sizes), y
    c = candidate.convention
    if c.particulars.prefilter and sizes != x.shape[:-1] and max(x.shape[:-1]) > LARGE:
        return _beginning(candidate, x, y)
    sample = [spread(n, LOOKED_AT) for n in sizes]
    return candidate.predict(x, sizes, sample), y[np.ix_(*sample)]


def _beginning(candidate: Candidate, x: Array, y: Array) -> tuple[Array | None, Array]:
    c = candidate.convention
    if c.spec.grid not in ALIKE or c.roi is not None or candidate.scale:
        return None, y
    before, after = x.shape[:-1], y.shape[:-1]
    corners = c.spec.grid == "align_corners"
    cut, scales, sample = [], [], []
    for n, m in zip(before, after, strict=True):
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
        for length, n, m, s in zip(cut, before, after, scales, strict=True)
    )
    said = few.predict(x[tuple(slice(length) for length in cut)], sizes, sample)
    if said is not None and c.particulars.clip_to_input and said.dtype.kind == "f":
        unit = np.iinfo(x.dtype).max if x.dtype.kind in "iu" and said.max() <= 2 else 1
        said = np.clip(said, x.min() / unit, x.max() / unit)
    return said, y[np.ix_(*sample)]
