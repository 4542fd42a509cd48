"""What a measured move may be: two grids at a stride, or whole pixels.

A cause is named where its move and the measured one differ by no more than their
errors, and no other cause does as well.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from resizelab.diagnosis.registration import Motion
from resizelab.diagnosis.smoothed import Lines
from resizelab.diagnosis.upsampling import GRIDS, Stride, line, low_size

PAIRS = tuple(permutations(GRIDS, 2))
CLEARLY = 0.8  # of the smoothed difference: a move that explains so much is one
SEEN = 0.4  # of it: enough where the period of the stride is seen
LEAST = 0.08  # pixels: a smaller move is none
TIMES = 5.0  # its error, that a move must be
WITHIN = 3.0  # errors between a move and its closed form
BENT = 0.04  # of (s - 1) / 2: what convolutions and borders bend a move by
STEADY = 0.03  # pixels: the same where strides are small


@dataclass(frozen=True)
class Grids:
    """Two grids, the stride they differ at, and the move that makes.

    ``expected`` is (shift, stretch) of y, then of x; ``away`` how many errors the
    measured move is from it.
    """

    ref: str
    got: str
    stride: Stride
    expected: Lines
    away: float


def expected(ref: str, got: str, stride: Stride, size: tuple[int, int]) -> Lines:
    """Return (shift, stretch) of y, then of x, from grid ``ref`` to grid ``got``."""
    y, x = (
        line(ref, got, low_size(n, s), n) for n, s in zip(size, stride, strict=True)
    )
    return (*y, *x)


def starts(strides: Sequence[Stride], size: tuple[int, int]) -> list[Lines]:
    """Return the moves that pairs of grids make at given strides."""
    return [expected(a, b, s, size) for s in strides for a, b in PAIRS]


def errors(motion: Motion, stride: Stride) -> Lines:
    """Return the errors of a move, with what convolutions behind a resize bend."""
    y, x = (BENT * (s - 1) / 2 + STEADY for s in stride)
    a, b, c, d = np.hypot(motion.errors, (y, y, x, x))
    return float(a), float(b), float(c), float(d)


def grids(
    motion: Motion, strides: Sequence[Stride], size: tuple[int, int]
) -> list[Grids]:
    """Return pairs of grids whose move is the measured one within its errors."""
    if motion.explained < SEEN:
        return []
    found = []
    for stride in strides:
        error = np.array(errors(motion, stride))
        for a, b in PAIRS:
            want = expected(a, b, stride, size)
            largest = int(np.abs(want).argmax())
            if abs(want[largest]) < max(LEAST, TIMES * motion.errors[largest]):
                continue
            away = float((np.abs(np.subtract(motion.lines, want)) / error).max())
            if away <= WITHIN:
                found.append(Grids(a, b, stride, want, away))
    return sorted(found, key=lambda g: g.away)


def whole_pixels(motion: Motion) -> tuple[int, int] | None:
    """Return the whole pixels (y, x) that content has moved by, if it has.

    Padding on the other side of a strided convolution, a crop, an index off by one.
    """
    sy, ty, sx, tx = motion.lines
    y, x = round(sy), round(sx)
    error = np.array(errors(motion, (1.0, 1.0)))
    away = np.abs([sy - y, ty, sx - x, tx]) / error
    return (y, x) if (y or x) and away.max() <= WITHIN else None


def moves(motion: Motion) -> bool:
    """Say whether content has moved, whatever moved it."""
    far = np.abs(motion.lines) > np.maximum(LEAST, TIMES * np.array(motion.errors))
    return motion.explained >= CLEARLY and bool(far.any())
