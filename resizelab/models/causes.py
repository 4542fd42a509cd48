"""From a measured move to a pair of grids, from a difference to a pair of kernels."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations, product

import numpy as np

from resizelab.checks import FloatArray
from resizelab.models.patterns import Field, Match, matches
from resizelab.models.registration import Lines, Motion
from resizelab.models.samplers import GRIDS, KERNELS, STRIDES, Sampler, line, low_size

# Shift and stretch of each grid against half_pixel, in units of (s - 1) / 2.
UNIT = {"half_pixel": (0, 0), "asymmetric": (-1, 0), "align_corners": (0, 1)}
PAIRS = tuple(permutations(GRIDS, 2))
EXPLAINED = 0.5  # of the smoothed difference, from which a move is the cause
AWAY = 0.42  # of (s - 1) / 2: a measured move may miss its closed form by so much
SNAP = 0.25  # of a stride's move: so near, the stride is a power of two
LEAST = 0.08  # pixels: a smaller move is none
CERTAIN = 6.5  # standard errors from which a pattern is no accident
GAINS = (0.4, 2.0)  # of a pattern: convolutions around the resize bend it
UNLIKE = 2.0  # factor between the gains asked from either side
SEEN = 0.003  # of the difference's square, at the least


@dataclass(frozen=True)
class Grids:
    """Two grids, the strides they differ at, and the move that makes.

    ``expected`` is (shift, stretch) of y, then of x; ``away`` how far the measured move
    is from it, in units of (s - 1) / 2.
    """

    ref: str
    got: str
    stride: tuple[float, float]
    expected: Lines
    away: float


def starts(strides: Sequence[tuple[float, float]], size: tuple[int, int]) -> list[Lines]:
    """Return the moves that pairs of grids make at given strides."""
    found = []
    for stride in strides:
        for a, b in PAIRS:
            found.append(expected(a, b, stride, size))
    return found


def expected(
    ref: str, got: str, stride: tuple[float, float], size: tuple[int, int]
) -> Lines:
    """Return (shift, stretch) of y, then of x, from grid ``ref`` to grid ``got``."""
    y, x = (
        line(ref, got, low_size(n, s), n) for n, s in zip(size, stride, strict=True)
    )
    return (*y, *x)


def grids(
    motion: Motion, size: tuple[int, int], stride: tuple[float, float] | None
) -> Grids | None:
    """Return the pair of grids whose closed form is nearest to a move, if one is near.

    Without ``stride`` it follows from the move: s = 2 |shift| + 1, or of the stretch.
    """
    if motion.explained < EXPLAINED:
        return None
    tried = [_judged(motion.lines, size, a, b, stride) for a, b in PAIRS]
    found = min((t for t in tried if t is not None), key=lambda t: t.away, default=None)
    return found if found is not None and found.away < AWAY else None


def _judged(
    lines: Lines,
    size: tuple[int, int],
    a: str,
    b: str,
    stride: tuple[float, float] | None,
) -> Grids | None:
    if stride is None:
        stride = _stride(lines, a, b)
        if stride is None:
            return None
    want = expected(a, b, stride, size)
    half = np.repeat([max((s - 1) / 2, 0.25) for s in stride], 2)
    away = float(np.abs((np.array(lines) - want) / half).max())
    return Grids(a, b, stride, want, away)


def _stride(lines: Lines, a: str, b: str) -> tuple[float, float] | None:
    """Return the strides at which two grids part by about the measured move."""
    unit = np.subtract(UNIT[b], UNIT[a])
    moves = [float(unit @ lines[k : k + 2]) / float(unit @ unit) for k in (0, 2)]
    if min(moves) < LEAST:
        return None
    if max(moves) < 1.6 * min(moves):
        moves = [sum(moves) / 2] * 2
    y, x = (_snapped(2 * m + 1) for m in moves)
    return y, x


def _snapped(scale: float) -> float:
    for stride in STRIDES:
        if abs(scale - stride) <= SNAP * (stride - 1):
            return float(stride)
    return round(scale, 2)


def kernels_of(
    ref: FloatArray, got: FloatArray, found: Grids
) -> Match | None:
    """Return the kernels that go best with a pair of grids, if they explain much."""
    trials = [
        (Sampler(found.ref, a), Sampler(found.got, b))
        for a, b in product(KERNELS, KERNELS)
    ]
    ranked = matches(Field(ref, got), found.stride, trials)
    if not ranked or ranked[0].explained < EXPLAINED or not _plain(ranked[0]):
        return None
    return ranked[0]


def kernels(
    ref: FloatArray,
    got: FloatArray,
    strides: Sequence[tuple[float, float]],
) -> Match | None:
    """Return the pair of kernels on one grid that the difference looks like, if any."""
    field = Field(ref, got)
    trials = [
        (Sampler(grid, a), Sampler(grid, b))
        for grid in GRIDS
        for a, b in permutations(KERNELS, 2)
    ]
    found = [m for stride in strides for m in matches(field, stride, trials)]
    fit = [
        m
        for m in found
        if m.certainty >= CERTAIN and m.explained >= SEEN and _plain(m)
    ]
    return max(fit, key=lambda m: m.explained, default=None)


def _plain(m: Match) -> bool:
    low, high = min(m.gain), max(m.gain)
    return low >= GAINS[0] and high <= GAINS[1] and high <= UNLIKE * low
