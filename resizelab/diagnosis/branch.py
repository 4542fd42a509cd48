"""The difference of two maps as one enlargement less another, whatever was added.

A picture enlarged by A or by B, and details added to both: neither map lies in what an
enlargement can make, but their difference is (B - A) z for some z. On a window of a few
periods that is a small linear system.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from resizelab.checks import FloatArray
from resizelab.diagnosis.ends import OPERATORS, UNSEEN, Ends
from resizelab.diagnosis.kernel_difference import Difference
from resizelab.diagnosis.periods import strength, visible
from resizelab.diagnosis.rebuild import Rebuilt, part
from resizelab.diagnosis.upsampling import Stride, Upsampling, low_size

STRIDES = 8  # at most; coarser ones are seen in the maps themselves
PERIODS, ROWS = 6, 14  # of a window: so many periods, at least so many pixels
READ = 400  # values of a window
RIDGE = 1e-9  # of the system's squared size: directions with less are none
LEFT = 0.001  # of the difference may be left
LARGEST = 3.0  # of the map's spread, at most, that was enlarged by either
GAIN = 0.5, 2.0  # of z over what the map shows
SURE = 10.0  # standard errors of that gain from 0
FINEST = 1e-4  # of the largest difference: a window with less says nothing
PLACES = ((0.3, 0.6), (0.7, 0.35), (0.5, 0.8))  # of windows, as shares of the map

Pairing = tuple[Upsampling, Upsampling]


@dataclass(frozen=True)
class Window:
    """What a pair leaves of the difference in a window, and how large its A z is."""

    left: float
    size: float


def rebuilt(ends: Ends, strides: Sequence[Stride]) -> Rebuilt | None:
    """Return two enlargements whose difference that of two maps is, if any are."""
    gap, largest = ends.got - ends.ref, LARGEST * ends.spread
    bends = [strength(gap, axis) for axis in (1, 2)]
    least = FINEST * float(np.abs(gap).max())
    for stride in strides:
        seen = all(
            s <= UNSEEN or visible(b, s) for b, s in zip(bends, stride, strict=True)
        )
        if not (1 < max(stride) <= STRIDES and seen):
            continue
        low = [low_size(n, s) for n, s in zip(ends.size, stride, strict=True)]
        every = list(combinations(OPERATORS, 2))
        first = _windows(gap, every, low, PLACES[0], least)
        # Grids that hardly differ there make anything of a z that is large enough.
        likely = {p: w.left for p, w in first.items() if w.size <= largest}
        best = min(likely, key=lambda pair: likely[pair], default=None)
        if best is None or likely[best] > LEFT:
            continue
        others = [_windows(gap, [best], low, p, least).get(best) for p in PLACES[1:]]
        if any(w is None or w.left > LEFT or w.size > largest for w in others):
            continue
        # z may have either sign: the one that goes with what the map shows is meant.
        match = Difference(ends.ref, ends.got, stride).match(best)
        gain = match.gain[0]
        if not GAIN[0] <= abs(gain) <= GAIN[1] or abs(match.certainty) < SURE:
            continue
        a, b = best if gain > 0 else best[::-1]
        return Rebuilt(a, b, (low[0], low[1]), likely[best], whole=False)
    return None


def _windows(
    gap: FloatArray,
    pairs: Sequence[Pairing],
    low: Sequence[int],
    place: tuple[float, float],
    least: float,
) -> dict[Pairing, Window]:
    """Return what each pair leaves of the difference, in a window with more of it."""
    made = list(dict.fromkeys(one for pair in pairs for one in pair))
    seen, parts = [], []
    for n, k, at in zip(gap.shape[1:], low, place, strict=True):
        length = min(n, max(ROWS, round(PERIODS * n / k)))
        first = int((n - length) * at)
        seen.append(slice(first, first + length))
        dense = np.stack([part(u.operator(k, n), seen[-1]) for u in made])
        parts.append(dense[:, :, np.abs(dense).sum((0, 1)) > 0])
    window = gap[:, *seen].reshape(len(gap), -1)
    kept = _spread_out(window.shape[1])
    i, j = np.divmod(kept, parts[1].shape[1])
    wanted = window[:, kept].T
    if float(np.abs(wanted).max()) <= least:
        return {}
    systems = {
        one: (y[i, :, None] * x[j, None]).reshape(len(kept), -1)
        for one, y, x in zip(made, *parts, strict=True)
    }
    return {(a, b): _solved(systems[a], systems[b], wanted) for a, b in pairs}


def _solved(a: FloatArray, b: FloatArray, wanted: FloatArray) -> Window:
    system = b - a
    normal = system.T @ system
    normal += (RIDGE * np.trace(normal) + 1e-300) * np.eye(len(normal))
    z = np.linalg.solve(normal, system.T @ wanted)
    left = float(np.sqrt(((wanted - system @ z) ** 2).sum() / (wanted**2).sum()))
    return Window(left, float((a @ z).std(0).max()))


def _spread_out(count: int) -> NDArray[np.intp]:
    """Return which values of a window are read: all, or some of each phase."""
    if count <= READ:
        return np.arange(count)
    order = np.random.default_rng(0).permutation(count)
    return np.sort(order[:READ])
