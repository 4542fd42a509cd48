"""How far the content of one map has moved against another, over the whole picture.

The move of an axis is a line: ``shift`` at the centre and ``stretch`` more outwards at
the outermost pixel, in pixels of the map, positive towards the end of the axis. Two
grids of a resize differ by such lines. They are fitted from coarse to fine, so that
moves of several pixels are found; then each part of the picture is asked for its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from resizelab.checks import FloatArray
from resizelab.diagnosis.local_moves import LocalMoves, laid, parts
from resizelab.diagnosis.smoothed import (
    STILL,
    Lines,
    Smoothed,
    matched,
    remaining,
    trust,
)

COARSE = 32  # samples of an axis at which the search starts
TRIED = 3  # of the starts: those that leave least
FINE = 3  # a stride is so many times the blur at which the move is settled
SHARPEST = 0.7  # pixels, of that blur
ROUNDS = 8  # of least squares at one scale
SETTLED = 2e-3  # of a sample: a smaller step ends the rounds
LONGEST = 2.0  # samples: the longest step of one round
LEAST_POWER = 0.02  # of the slopes' power: a direction with less is not trusted


@dataclass(frozen=True)
class Motion:
    """What `register` found.

    ``lines`` and ``errors`` are (shift, stretch) of y and of x with their standard
    errors; ``explained`` is the share of the difference that the move takes away;
    ``sigma`` the blur, in pixels, at which it was judged.
    """

    lines: Lines
    errors: Lines
    explained: float
    sigma: float
    parts: tuple[LocalMoves, LocalMoves]


def register(
    ref: FloatArray,
    got: FloatArray,
    starts: Sequence[Lines],
    stride: float,
    every: int = 1,
) -> Motion:
    """Return the move that turns ``ref`` into ``got``, both (C, H, W).

    ``starts`` are moves to begin the search from; ``stride`` how coarse the maps are:
    detail finer than that belongs to the kernel and not to the grid. A value of the
    maps is the mean of ``every`` by ``every`` pixels; all else is in pixels.
    """
    starts = [scaled(s, 1 / every) for s in {*starts, STILL}]
    stride /= every
    finest = max(stride / FINE, SHARPEST)
    sigmas = [max(stride / 2, max(ref.shape[1:]) / COARSE)]
    while sigmas[-1] > 1.5 * finest:
        sigmas.append(max(sigmas[-1] / 2, finest))
    scale = Smoothed(ref, got, sigmas[0], stride)
    ranked = sorted((remaining(scale, s), s) for s in starts)
    found = [_fitted(scale, s) for _, s in ranked[:TRIED]]
    lines = min(found, key=lambda s: remaining(scale, s))
    for sigma in sigmas[1:]:
        scale = Smoothed(ref, got, sigma, stride)
        lines = _fitted(scale, lines)
    before = remaining(scale, STILL, inner=scale.moved(lines)[1])
    explained = 1 - remaining(scale, lines) / max(before, 1e-300)
    told = parts(scale, lines)
    y, x = laid(told[0], lines[:2]), laid(told[1], lines[2:])
    line, error = (y[0], y[1], x[0], x[1]), (y[2], y[3], x[2], x[3])
    return Motion(
        scaled(line, every), scaled(error, every), explained, every * sigmas[-1], told
    )


def scaled(lines: Lines, by: float) -> Lines:
    """Return a move in other pixels."""
    a, b, c, d = (by * v for v in lines)
    return a, b, c, d


def _fitted(scale: Smoothed, lines: Lines) -> Lines:
    """Return ``lines`` after rounds of robust least squares on the gradients."""
    step = min(scale.steps)
    best, left = lines, remaining(scale, lines)
    current = lines
    for _ in range(ROUNDS):
        change = _change(scale, current)
        longest = float(np.abs(change).max())
        change *= min(1.0, LONGEST * step / max(longest, 1e-300))
        a, b, c, d = (float(v) for v in np.array(current) + change)
        current = a, b, c, d
        now = remaining(scale, current)
        if now < left:
            best, left = current, now
        if longest < SETTLED * step:
            break
    return best


def _change(scale: Smoothed, lines: Lines) -> FloatArray:
    x, inner, residual, gain = scale.compared(lines)
    along = np.meshgrid(*(scale.along(axis) for axis in (0, 1)), indexing="ij")
    v, u = (m[inner] for m in along)

    def columns(m: FloatArray) -> FloatArray:
        sy, sx = (-g[:, inner] for g in scale.slopes(m))
        return np.stack([sy, sy * v, sx, sx * u]).reshape(4, -1)

    weight = trust(residual).ravel()
    left, right = columns(x * gain[:, None, None]), columns(scale.got)
    both = (left + right) / 2
    pull = both @ (weight * residual.ravel())
    # Noise of one side meets the other side's slopes, not its own: it adds no power.
    normal = left @ (weight * right).T
    normal = (normal + normal.T) / 2
    power = both**2 @ weight
    least = LEAST_POWER * power.max() + 1e-300
    value, vector = np.linalg.eigh(normal)
    change: FloatArray = vector @ ((vector.T @ pull) / np.maximum(value, least))
    return change


def softening(ref: FloatArray, got: FloatArray, lines: Lines, sigma: float) -> float:
    """Return how much more ``got`` is blurred than ``ref``: a variance in px².

    Negative: it is sharper. Both are smoothed by ``sigma`` pixels first, so that bends
    are those of the content and not of the kernel. Asked from both sides, and the
    nearer to 0 is told: noise of one side looks like a blur from there alone.
    """
    scale = Smoothed(ref, got, sigma)
    x, inner, residual, gain = scale.compared(lines)
    weight = 1 / np.maximum(residual.var(1, keepdims=True), 1e-300)
    answers = []
    for side in (x * gain[:, None, None], scale.got):
        down, across = scale.slopes(side)
        bend = scale.slopes(down)[0] + scale.slopes(across)[1]
        clean, _ = matched(x[:, inner], bend[:, inner] / 2, free=True)
        power = float((weight * clean**2).sum())
        answers.append(float((weight * clean * residual).sum()) / max(power, 1e-300))
    return min(answers, key=abs) if answers[0] * answers[1] > 0 else 0.0
