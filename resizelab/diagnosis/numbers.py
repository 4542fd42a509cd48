"""The numbers beside a statement: what was measured, and what the cause would make."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from resizelab.diagnosis import causes, registration, values
from resizelab.diagnosis.kernel_difference import Match
from resizelab.diagnosis.maps import Pair
from resizelab.diagnosis.rebuild import Rebuilt
from resizelab.diagnosis.registration import Motion
from resizelab.diagnosis.result import Diagnosis, Expected, Motions
from resizelab.diagnosis.smoothed import Lines, Smoothed, remaining
from resizelab.diagnosis.upsampling import Stride, Upsampling, low_size, spread

BLURRED = 1.5  # times the blur of the fitted move, where bends are measured


def diagnosis(
    pair: Pair,
    said: tuple[str, str, str],
    residual: float,
    at: Stride | None,
    motion: Motion | None = None,
    pairing: Sequence[Upsampling] = (),
    *remarks: str,
    **others: Any,
) -> Diagnosis:
    """Return what is said, (kind, certainty, cause), with all that was measured.

    ``pairing`` are the enlargements of ref and got that are the cause; ``others`` are
    fields that do not follow from these.
    """
    if pairing:
        a, b = pairing
        others = {"grids": (a.grid, b.grid), "kernels": (a.kernel, b.kernel), **others}
        if "expected" not in others:
            others["expected"] = expected(pair, pairing, at or (1.0, 1.0))
    if motion is not None:
        others["measured"] = measured(pair, motion, at or (1.0, 1.0))
    size, told = values.difference(pair), (*pair.remarks, *remarks)
    return Diagnosis(*said, size, residual, at, remarks=told, **others)


def stride(pair: Pair, found: Rebuilt) -> Stride:
    """Return the strides, y and x, that two sizes stand for."""
    y, x = (
        float(round(n / k)) if low_size(n, round(n / k)) == k else n / k
        for n, k in zip(pair.shape, found.low, strict=True)
    )
    return y, x


def measured(pair: Pair, motion: Motion, at: Stride) -> Motions:
    """Return a measured move with its errors, and the blur that goes with it."""
    sy, ty, sx, tx = motion.lines
    esy, ety, esx, etx = causes.errors(motion, at)
    ref, got, every = pair.coarse
    lines = registration.scaled(motion.lines, 1 / every)
    sigma = BLURRED * motion.sigma / every
    blur = every**2 * registration.softening(ref, got, lines, sigma)
    return Motions((sy, sx), (esy, esx), (ty, tx), (ety, etx), blur, motion.explained)


def expected(
    pair: Pair, pairing: Sequence[Upsampling], at: Stride, lines: Lines | None = None
) -> Expected:
    """Return the closed forms of two enlargements, or of two grids alone."""
    if lines is None:
        a, b = pairing
        lines = causes.expected(a.grid, b.grid, at, pair.shape)
    sy, ty, sx, tx = lines
    blur = None
    if pairing:
        ref, got = (_own_blur(u, pair.shape, at) for u in pairing)
        blur = got - ref
    return Expected((sy, sx), (ty, tx), blur)


def _own_blur(one: Upsampling, shape: tuple[int, int], at: Stride) -> float:
    """Return the blur of an enlargement, the mean of both axes, in px²."""
    sizes = [(low_size(n, s), n) for n, s in zip(shape, at, strict=True)]
    plain = Upsampling(one.grid, one.kernel)
    return sum(spread(plain, n, m) for n, m in sizes) / 2


def left(pair: Pair, lines: Lines) -> float:
    """Return what of the difference remains after a move."""
    ref, got, every = pair.coarse
    rest = remaining(Smoothed(ref, got, 0.0), registration.scaled(lines, 1 / every))
    return float(np.sqrt(rest / ref.var((1, 2)).mean()))


def beside(match: Match) -> float:
    """Return the share that remains beside the pattern of two enlargements."""
    return float(np.sqrt(max(0.0, 1 - match.explained)))


def times(at: Stride) -> str:
    """Return strides as text."""
    y, x = (f"{s:.3g}" for s in at)
    return f"at x{y}" if y == x else f"at x{y} (y) and x{x} (x)"
