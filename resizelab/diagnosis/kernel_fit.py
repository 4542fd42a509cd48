"""From a difference to the pair of kernels whose pattern it holds."""

from collections.abc import Sequence
from itertools import permutations, product

from resizelab.checks import FloatArray
from resizelab.diagnosis.kernel_difference import Match, matches
from resizelab.diagnosis.upsampling import GRIDS, KERNELS, Stride, Upsampling

# A pattern is that of the kernels, bent a little by convolutions, from so much of it,
# so many standard errors and such a share explained on. A blur, another gamma and other
# activations hold such patterns, too, but less of them, or far more.
GAIN = 0.5, 1.6
SURE, SEEN = 6.0, 0.2
TOLD = 0.4  # of the difference's square, from which kernels beside grids are named
ALMOST = 0.9  # of what the best pair of kernels explains: another is as good


def beside(
    ref: FloatArray, got: FloatArray, grids: tuple[str, str], stride: Stride
) -> Match | None:
    """Return the kernels that go best with a pair of grids, if any go well."""
    trials = [
        (Upsampling(grids[0], a), Upsampling(grids[1], b))
        for a, b in product(KERNELS, KERNELS)
    ]
    ranked = matches(ref, got, [stride], trials)
    fits = ranked and ranked[0].explained >= TOLD and _plain(ranked[0])
    return ranked[0] if fits else None


def alone(
    ref: FloatArray, got: FloatArray, strides: Sequence[Stride]
) -> tuple[Match, Match | None] | None:
    """Return the pair of kernels on one grid that the difference looks like, if any.

    With it comes a pair of other kernels that fits almost as well, where there is one.
    """
    trials = [
        (Upsampling(grid, a), Upsampling(grid, b))
        for grid in GRIDS
        for a, b in permutations(KERNELS, 2)
    ]
    found = matches(ref, got, strides, trials, filtered=True)
    fit = [m for m in found if _plain(m)]
    if not fit:
        return None
    best = fit[0]
    names = best.ref.kernel, best.got.kernel
    others = (m for m in fit if (m.ref.kernel, m.got.kernel) != names)
    rival = next((m for m in others if m.explained >= ALMOST * best.explained), None)
    return best, rival


def _plain(m: Match) -> bool:
    """Say whether a match is no accident."""
    bent = GAIN[0] <= min(m.gain) and max(m.gain) <= GAIN[1]
    return bent and m.certainty >= SURE and m.explained >= SEEN
