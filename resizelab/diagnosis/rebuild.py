"""One map computed from another, both being enlargements of the same few pixels.

Where ref is A z, z follows from it, and got should be B z.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from resizelab.axis.operator import Weights
from resizelab.axis.sparse import dense
from resizelab.checks import FloatArray
from resizelab.diagnosis.upsampling import Upsampling, inverse

WIDE = 160  # pixels of an axis that are rebuilt
PERIODS = 8  # of a window, at least
BORDER = 3  # low-resolution pixels within which a border's rule is felt
EXACT = 3e-5  # of the spread: what float32 leaves of an exact statement
FEWEST = 8  # pixels of an axis that must be rebuilt


@dataclass(frozen=True)
class Rebuilt:
    """Two enlargements from ``low`` pixels, and what they ``left`` of the difference.

    ``rivals`` are pairs of kernels that leave hardly more. Without ``whole`` only the
    difference was rebuilt, and something else was added to both.
    """

    ref: Upsampling
    got: Upsampling
    low: tuple[int, int]
    left: float
    rivals: tuple[tuple[str, str], ...] = ()
    whole: bool = True


def left(
    ref: FloatArray, got: FloatArray, a: Upsampling, b: Upsampling, low: tuple[int, int]
) -> tuple[float, float]:
    """Return what of the difference is left when ``got`` is computed from ``ref``.

    Away from the borders, whose rule may be another, and with them.
    """
    axes = [
        _axis(a.operator(k, n), b.operator(k, n))
        for n, k in zip(ref.shape[1:], low, strict=True)
    ]
    (sy, dy, uy, ry), (sx, dx, ux, rx) = axes
    if min(len(ry), len(rx)) < FEWEST:
        return np.inf, np.inf
    made = uy @ (dy @ ref[:, sy, sx] @ dx.T) @ ux.T
    there, here = (m[:, ry][:, :, rx] for m in (ref, got))
    gap, rest = (here - there) ** 2, (here - made) ** 2
    whole = float(np.sqrt(rest.sum() / max(gap.sum(), 1e-300)))
    inner = [
        (r >= BORDER * n / k) & (r <= n - 1 - BORDER * n / k)
        for r, n, k in zip((ry, rx), ref.shape[1:], low, strict=True)
    ]
    kept = inner[0][:, None] & inner[1]
    if gap[:, kept].sum() <= EXACT * gap.sum():
        return whole, whole
    return float(np.sqrt(rest[:, kept].sum() / gap[:, kept].sum())), whole


def _axis(
    there: Weights, back: Weights
) -> tuple[slice, FloatArray, FloatArray, NDArray[np.intp]]:
    """Return the pixels read, what finds z from them, and what makes which pixels."""
    n, low = there.shape
    length = min(n, max(WIDE, int(PERIODS * n / low)))
    first = (n - length) // 2
    seen = slice(first, first + length)
    make, other = part(there, seen), part(back, seen)
    whole = np.bincount(there.index.ravel(), np.abs(there.weight).ravel(), low)
    own = np.abs(make).sum(0)
    read = own > 0
    known = read & (own >= (1 - 1e-9) * whole)
    inner = np.abs(other[:, ~known]).sum(1) == 0
    find = inverse(make[:, read])[known[read]]
    return seen, find, other[inner][:, known], first + np.flatnonzero(inner)


def part(operator: Weights, seen: slice) -> FloatArray:
    """Return some rows of an operator, dense."""
    return dense(operator.index[seen], operator.weight[seen], operator.n_in)
