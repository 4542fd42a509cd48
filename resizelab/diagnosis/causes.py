"""From a measured move to a pair of grids, from a difference to a pair of kernels."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations, product

import numpy as np

from resizelab.checks import FloatArray
from resizelab.diagnosis.blocks import blocky
from resizelab.diagnosis.kernel_difference import Match, matches
from resizelab.diagnosis.registration import Motion
from resizelab.diagnosis.smoothed import Lines
from resizelab.diagnosis.upsampling import (
    GRIDS,
    KERNELS,
    STRIDES,
    Upsampling,
    line,
    low_size,
)

# Shift and stretch of each grid against half_pixel, in units of (s - 1) / 2.
UNIT = {"half_pixel": (0, 0), "asymmetric": (-1, 0), "align_corners": (0, 1)}
PAIRS = tuple(permutations(GRIDS, 2))
CLEARLY = 0.8  # of the smoothed difference: a move that explains so much is one
TOLD = 0.4  # of the difference's square, from which kernels beside grids are named
# A measured move may miss its closed form by so much of (s - 1) / 2, if it explains so
# much: the more it explains, the more surely it is a move.
NEAR = ((0.8, 0.65), (0.5, 0.42), (0.35, 0.25))
SURE = 0.2  # of it: a pair that is nearer needs no second opinion
COMMON = "cubic a=-0.75"
RIVAL = 0.3  # of it: pairs that are so much worse may still be the better explanation
SNAPPED = 0.3  # the same, within which the stride is one of the usual ones
LEAST = 0.08  # pixels: a smaller move is none
# A pattern is no accident from so many standard errors, so much gain (convolutions
# around the resize bend it) and so much explained on; less of one needs more of others.
# The last number is the gain it may have. Measured on faults that are no resize.
Enough = tuple[float, float, float, float]
ENOUGH: tuple[Enough, ...] = (
    (4.0, 0.08, 0.1, 2.0),
    (5.0, 0.08, 0.05, 2.0),
    (8.0, 0.3, 0.02, 2.0),
    (6.0, 0.08, 0.1, 6.0),
)
BESIDE_BLOCKS: Enough = (2.5, 0.2, 0.02, 2.0)  # where one side is made of blocks
UNLIKE = 2.0  # factor between the gains asked from either side
LARGEST = 1.0  # of the spread: no pair of kernels on one grid differs by more
FEWEST = 3  # low-resolution pixels that a stride must leave of an axis
ALMOST = 0.9  # of what the best pair of kernels explains: another is as good


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


def starts(
    strides: Sequence[tuple[float, float]], size: tuple[int, int]
) -> list[Lines]:
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
) -> list[Grids]:
    """Return pairs of grids whose closed form is near a measured move, nearest first.

    Without ``stride`` it follows from the move: s = 2 |shift| + 1, or of the stretch.
    """
    tried = [g for a, b in PAIRS for g in _judged(motion.lines, size, a, b, stride)]
    tried = [g for g in tried if max(map(abs, g.expected)) >= LEAST]
    allowed = [away for explained, away in NEAR if motion.explained >= explained]
    near = [g for g in tried if g.away <= max(allowed, default=0.0)]
    return sorted(near, key=lambda g: g.away)


def likelier(
    found: Sequence[Grids],
    strides: Sequence[tuple[float, float]],
    lines: Lines,
    maps: tuple[FloatArray, FloatArray],
) -> tuple[Grids, Match | None] | None:
    """Return the pair of grids that explains the difference best, with its kernels.

    Where the move is not sure of a pair, all are laid on the difference itself.
    """
    ref, got = maps
    size = ref.shape[1], ref.shape[2]
    if not found or found[0].away > SURE:
        trials = [
            (Upsampling(a, k), Upsampling(b, k))
            for a, b in PAIRS
            for k in ("linear", COMMON)
        ]
        m = next(iter(matches(ref, got, strides, trials)), None)
        if m is not None and m.explained >= TOLD and _plain(m):
            found = [_at(lines, size, m.ref.grid, m.got.grid, m.stride)]
    rivals = [g for g in found if g.away <= found[0].away + RIVAL]
    best = [(g, kernels_of(ref, got, g)) for g in rivals]
    return max(best, key=lambda p: p[1].explained if p[1] else 0.0, default=None)


def _judged(
    lines: Lines,
    size: tuple[int, int],
    a: str,
    b: str,
    stride: tuple[float, float] | None,
) -> list[Grids]:
    """Return a pair of grids at the stride, or at those that the move tells of."""
    if stride is not None:
        return [_at(lines, size, a, b, stride)]
    usual = [_at(lines, size, a, b, (float(s), float(s))) for s in STRIDES]
    usual = [g for g in usual if g.away <= SNAPPED]
    own = _stride(lines, a, b)
    if own and min(map(low_size, size, own)) < FEWEST:
        own = None
    return usual or ([_at(lines, size, a, b, own)] if own else [])


def _at(
    lines: Lines, size: tuple[int, int], a: str, b: str, stride: tuple[float, float]
) -> Grids:
    want = expected(a, b, stride, size)
    half = np.repeat([max((s - 1) / 2, 0.25) for s in stride], 2)
    return Grids(
        a, b, stride, want, float(np.abs((np.array(lines) - want) / half).max())
    )


def _stride(lines: Lines, a: str, b: str) -> tuple[float, float] | None:
    """Return the strides at which two grids part by about the measured move."""
    unit = np.subtract(UNIT[b], UNIT[a])
    moves = [float(unit @ lines[k : k + 2]) / float(unit @ unit) for k in (0, 2)]
    if max(moves) < LEAST:
        return None
    if max(moves) < 1.6 * min(moves):
        moves = [sum(moves) / 2] * 2
    y, x = (_scale_of(move) for move in moves)
    return y, x


def _scale_of(move: float) -> float:
    if move < LEAST:
        return 1.0
    for stride in STRIDES:
        if abs(move - (stride - 1) / 2) <= SNAPPED * (stride - 1) / 2:
            return float(stride)
    return round(2 * move + 1, 2)


def kernels_of(ref: FloatArray, got: FloatArray, found: Grids) -> Match | None:
    """Return the kernels that go best with a pair of grids, if any go well."""
    trials = [
        (Upsampling(found.ref, a), Upsampling(found.got, b))
        for a, b in product(KERNELS, KERNELS)
    ]
    ranked = matches(ref, got, [found.stride], trials)
    return ranked[0] if ranked and _plain(ranked[0]) else None


def kernels(
    ref: FloatArray,
    got: FloatArray,
    strides: Sequence[tuple[float, float]],
) -> tuple[Match, Match | None] | None:
    """Return the pair of kernels on one grid that the difference looks like, if any.

    With it comes a pair of other kernels that fits almost as well, where there is one.
    """
    spread = float(np.sqrt(ref.var((1, 2)).mean()))
    if float(np.sqrt(((got - ref) ** 2).mean())) > LARGEST * spread:
        return None
    trials = [
        (Upsampling(grid, a), Upsampling(grid, b))
        for grid in GRIDS
        for a, b in permutations(KERNELS, 2)
    ]
    sides = blocky(ref, got, strides)
    if sides is not None:
        blocks = [tuple(s.kernel == "nearest" for s in trial) for trial in trials]
        trials = [t for t, b in zip(trials, blocks, strict=True) if b == sides]
    # Flat blocks on one side are half the proof: noise may hide those of the other.
    enough = ENOUGH if sides is None else (*ENOUGH, BESIDE_BLOCKS)
    fit = [m for m in matches(ref, got, strides, trials) if _plain(m, enough)]
    if not fit:
        return None
    best = fit[0]
    names = best.ref.kernel, best.got.kernel
    others = (m for m in fit if (m.ref.kernel, m.got.kernel) != names)
    rival = next((m for m in others if m.explained >= ALMOST * best.explained), None)
    return best, rival


def _plain(m: Match, enough: Sequence[Enough] = ENOUGH) -> bool:
    """Say whether a match is no accident."""
    low, high = min(m.gain), max(m.gain)
    clear = any(
        m.certainty >= sure and gain <= low and m.explained >= seen and high <= most
        for sure, gain, seen, most in enough
    )
    return clear and high <= UNLIKE * low
