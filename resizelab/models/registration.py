"""How far the content of one map has moved against another, over the whole picture.

The move of an axis is a line: ``shift`` at the centre and ``stretch`` more outwards at
the outermost pixel, in pixels of the map, positive towards the end of the axis. Two
grids of a resize differ by such lines. They are fitted from coarse to fine, so that
moves of several pixels are found; then each part of the picture is asked for its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from resizelab.checks import FloatArray
from resizelab.kernels import kernel
from resizelab.operators import Weights

COARSE = 32  # samples of an axis at which the search starts
ROUNDS = 8  # of least squares at one scale
SETTLED = 2e-3  # of a sample: a smaller step ends the rounds
LEAST_POWER = 0.02  # of the slopes' power: a direction with less is not trusted
TUNING = 4.0  # residuals are given less weight from so many deviations on
PARTS = 8  # of an axis; each part of the picture tells its own move
FEWEST = 4  # parts that a line is laid through
RIM = 0.2  # of an axis: padding of convolutions draws there what does not move
INSIDE = 0.35  # of the way from the centre to the border that is always kept
KEYS = kernel("cubic", a=-0.5)

Lines = tuple[float, float, float, float]  # shift and stretch of y, then of x


@dataclass(frozen=True)
class Part:
    """The moves of the parts of the picture along one axis, (rows, columns) each.

    ``error`` is the standard error (infinite where a part has no slope), ``at`` the
    middle of the part along the axis, from -1 to 1.
    """

    move: FloatArray
    error: FloatArray
    at: FloatArray


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
    parts: tuple[Part, Part]


class Scale:
    """Two maps at one scale: smoothed, thinned out, with the places of the samples."""

    def __init__(
        self, ref: FloatArray, got: FloatArray, sigma: float, rim: float = 0.0
    ) -> None:
        self.margin = 1.0 + sigma + rim
        self.size = ref.shape[1:]
        thin = [_thinning(n, sigma) for n in self.size]
        self.place = [place for _, place in thin]
        self.step = max(1.0, 0.7 * sigma)
        (gy, _), (gx, _) = thin
        self.ref, self.got = (gy @ m @ gx.T for m in (ref, got))

    def along(self, axis: int) -> FloatArray:
        """Return the places of an axis from -1 (first pixel) to 1 (last)."""
        n = self.size[axis]
        scaled: FloatArray = (2 * self.place[axis] - (n - 1)) / max(n - 1, 1)
        return scaled

    def moved(self, lines: Lines) -> tuple[FloatArray, NDArray[np.bool_]]:
        """Return the reference moved by ``lines``, and which samples are its own."""
        x, inner = self.ref, []
        for axis, (shift, stretch) in enumerate((lines[:2], lines[2:])):
            source = self.place[axis] - shift - stretch * self.along(axis)
            x = _sampler(source, self.place[axis]).apply(x, axis + 1)
            margin = min(self.margin, RIM * self.size[axis])
            last = self.size[axis] - 1 - margin
            kept = np.minimum(source, self.place[axis]) >= margin
            kept &= np.maximum(source, self.place[axis]) <= last
            inner.append(kept | (np.abs(self.along(axis)) < INSIDE))
        return x, inner[0][:, None] & inner[1]


def _thinning(n: int, sigma: float) -> tuple[FloatArray, FloatArray]:
    """Return the operator that smooths and thins out an axis, and the places left."""
    step = max(1.0, 0.7 * sigma)
    count = int((n - 1) / step) + 1
    place = (n - 1) / 2 + (np.arange(count) - (count - 1) / 2) * step
    if sigma <= 0:
        return np.eye(n), place
    w = np.exp(-0.5 * ((np.arange(n) - place[:, None]) / sigma) ** 2)
    return w / w.sum(1, keepdims=True), place


def _sampler(source: FloatArray, place: FloatArray) -> Weights:
    """Return the operator that reads at ``source`` what stands at ``place``."""
    n = len(place)
    step = (place[-1] - place[0]) / max(n - 1, 1) or 1.0
    at = (source - place[0]) / step
    index = np.floor(at)[:, None] + np.arange(-1, 3)
    weight = KEYS(index - at[:, None])
    return Weights(np.clip(index, 0, n - 1).astype(np.intp), weight, n)


def register(
    ref: FloatArray, got: FloatArray, starts: Sequence[Lines], stride: float
) -> Motion:
    """Return the move that turns ``ref`` into ``got``, both (C, H, W).

    ``starts`` are moves to begin the search from; ``stride`` how coarse the maps are:
    detail finer than that belongs to the kernel and not to the grid.
    """
    coarse = max(stride / 2, max(ref.shape[1:]) / COARSE)
    sigmas = [coarse]
    while sigmas[-1] > 1.5 * max(stride / 3, 0.7):
        sigmas.append(max(sigmas[-1] / 2, stride / 3, 0.7))
    scale = Scale(ref, got, sigmas[0], stride)
    ranked = sorted((remaining(scale, s), s) for s in {*starts, (0.0,) * 4})
    found = [_fitted(scale, s) for _, s in ranked[:3]]
    lines = min(found, key=lambda s: remaining(scale, s))
    for sigma in sigmas[1:]:
        scale = Scale(ref, got, sigma, stride)
        lines = _fitted(scale, lines)
    explained = 1 - remaining(scale, lines) / max(
        remaining(scale, (0.0,) * 4, inner=scale.moved(lines)[1]), 1e-300
    )
    parts = _parts(scale, lines)
    y, x = (_laid(p, lines[2 * k : 2 * k + 2]) for k, p in enumerate(parts))
    return Motion(y[:2] + x[:2], y[2:] + x[2:], explained, sigmas[-1], parts)


def remaining(
    scale: Scale, lines: Lines, inner: NDArray[np.bool_] | None = None
) -> float:
    """Return the mean square that is left after a move, values being matched."""
    x, own = scale.moved(lines)
    inner = own if inner is None else inner
    residual, _ = _residual(x[:, inner], scale.got[:, inner])
    return float((residual**2).mean())


def _residual(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return what a line per channel leaves of ``y``, (C, n), and the slopes."""
    x = x - x.mean(1, keepdims=True)
    y = y - y.mean(1, keepdims=True)
    gain = (x * y).sum(1) / np.maximum((x**2).sum(1), 1e-300)
    gain = np.clip(gain, 0.2, 5)
    return y - gain[:, None] * x, gain


def _slopes(m: FloatArray, step: float) -> tuple[FloatArray, FloatArray]:
    return tuple(np.gradient(m, step, axis=axis) for axis in (1, 2))


def _step_of(scale: Scale) -> float:
    place = scale.place[0]
    return float(place[1] - place[0]) if len(place) > 1 else 1.0


def _fitted(scale: Scale, lines: Lines) -> Lines:
    """Return ``lines`` after rounds of robust least squares on the gradients."""
    step = _step_of(scale)
    best, left = lines, remaining(scale, lines)
    current = np.array(lines)
    for _ in range(ROUNDS):
        change = _change(scale, tuple(current))
        longest = np.abs(change).max()
        change *= min(1.0, 2 * step / max(longest, 1e-300))
        current = current + change
        now = remaining(scale, tuple(current))
        if now < left:
            best, left = tuple(float(v) for v in current), now
        if longest < SETTLED * step:
            break
    return best


def _change(scale: Scale, lines: Lines) -> FloatArray:
    x, inner = scale.moved(lines)
    residual, gain = _residual(x[:, inner], scale.got[:, inner])
    along = np.meshgrid(*(scale.along(axis) for axis in (0, 1)), indexing="ij")
    v, u = (m[inner] for m in along)

    def columns(m: FloatArray) -> FloatArray:
        sy, sx = (-g[:, inner] for g in _slopes(m, _step_of(scale)))
        return np.stack([sy, sy * v, sx, sx * u])

    weight = _trust(residual)
    left, right = columns(x * gain[:, None, None]), columns(scale.got)
    both = (left + right) / 2
    pull = np.einsum("acn,cn,cn->a", both, residual, weight, optimize=True)
    # Noise of one side meets the other side's slopes, not its own: it adds no power.
    normal = np.einsum("acn,bcn,cn->ab", left, right, weight, optimize=True)
    normal = (normal + normal.T) / 2
    power = np.einsum("acn,acn,cn->a", both, both, weight, optimize=True)
    least = LEAST_POWER * power.max() + 1e-300
    value, vector = np.linalg.eigh(normal)
    change: FloatArray = vector @ ((vector.T @ pull) / np.maximum(value, least))
    return change


def _gradients(scale: Scale, x: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the slopes of the mean of both maps: noise pulls neither way."""
    _, gain = _residual(x.reshape(len(x), -1), scale.got.reshape(len(x), -1))
    both = (x + scale.got / gain[:, None, None]) / 2
    return _slopes(both, _step_of(scale))


def _trust(residual: FloatArray) -> FloatArray:
    """Return weights by channel: its noise, and less for what lies far out."""
    # Not the median: a channel behind a ReLU is 0 nearly everywhere.
    spread = 1.25 * np.abs(residual).mean(1, keepdims=True)
    spread = np.maximum(spread, 1e-3 * residual.std() + 1e-300)
    far = np.abs(residual) / spread
    return np.minimum(1, TUNING / np.maximum(far, 1e-300)) / spread**2


def _parts(scale: Scale, lines: Lines) -> tuple[Part, Part]:
    """Return the move of each part of the picture along y and along x."""
    x, inner = scale.moved(lines)
    own, gain = _residual(x[:, inner], scale.got[:, inner])
    residual, weight = np.zeros(x.shape), np.zeros(x.shape)
    residual[:, inner], weight[:, inner] = own, _trust(own)
    gy, gx = (-gain[:, None, None] * g for g in _gradients(scale, x))
    cuts = [_cuts(len(p)) for p in scale.place]

    def total(m: FloatArray) -> FloatArray:
        summed = (m * weight).sum(0)
        return np.add.reduceat(np.add.reduceat(summed, cuts[0], 0), cuts[1], 1)

    yy, xx, yx = total(gy * gy), total(gx * gx), total(gy * gx)
    ry, rx = total(gy * residual), total(gx * residual)
    area = yy * xx - yx**2
    sloped = area > 1e-6 * (yy + xx) ** 2 + 1e-300
    area = np.where(sloped, area, 1.0)
    y, x_ = (xx * ry - yx * rx) / area, (yy * rx - yx * ry) / area
    # One sample in step² is worth a new one: neighbours share their noise.
    count = np.maximum(total(np.ones(x.shape) / np.maximum(weight, 1e-300)), 1)
    left = np.maximum(total(residual**2) - y * ry - x_ * rx, 0) / count
    errors = [
        np.where(sloped, np.sqrt(left * p / area), np.inf) for p in (xx, yy)
    ]
    at = np.meshgrid(*(_centres(scale, k, c) for k, c in enumerate(cuts)), indexing="ij")
    return (
        Part(y + lines[0] + lines[1] * at[0], errors[0], at[0]),
        Part(x_ + lines[2] + lines[3] * at[1], errors[1], at[1]),
    )


def _cuts(n: int) -> NDArray[np.intp]:
    return np.unique(np.arange(PARTS) * n // PARTS)


def _centres(scale: Scale, axis: int, cuts: NDArray[np.intp]) -> FloatArray:
    along = scale.along(axis)
    centres: FloatArray = np.add.reduceat(along, cuts) / np.diff([*cuts, len(along)])
    return centres


def _laid(part: Part, lines: tuple[float, float]) -> tuple[float, float, float, float]:
    """Return shift, stretch and their errors: a robust line through the parts."""
    use = np.isfinite(part.error)
    if use.sum() < FEWEST:
        return *lines, np.inf, np.inf
    move, error, at = part.move[use], part.error[use], part.at[use]
    # No part is trusted beyond the usual: kernels and borders bend each a little.
    error = np.hypot(error, np.median(error)) + 1e-9
    rows = np.stack([np.ones_like(at), at], 1)
    weight = 1 / error**2
    for _ in range(5):
        normal = (rows * weight[:, None]).T @ rows + 1e-12 * np.eye(2)
        fit = np.linalg.solve(normal, (rows * weight[:, None]).T @ move)
        away = (move - rows @ fit) / error
        scale = max(1.48 * float(np.median(np.abs(away))), 1e-9)
        weight = np.minimum(1, 2 * scale / np.maximum(np.abs(away), 1e-12)) / error**2
    spread = np.sqrt(np.linalg.inv(normal).diagonal()) * scale
    return float(fit[0]), float(fit[1]), float(spread[0]), float(spread[1])


def softening(ref: FloatArray, got: FloatArray, lines: Lines) -> float:
    """Return how much more ``got`` is blurred than ``ref``: a variance in px².

    Negative: it is sharper. Asked from both sides, and the nearer to 0 is told: noise
    of one side looks like a blur from there alone.
    """
    scale = Scale(ref, got, 0.0)
    x, inner = scale.moved(lines)
    answers = []
    for side, sign in ((x, 1.0), (scale.got, -1.0)):
        bend = sum(np.gradient(np.gradient(side, axis=k), axis=k) for k in (1, 2)) / 2
        residual, _ = _residual(x[:, inner], scale.got[:, inner])
        own = bend[:, inner] - bend[:, inner].mean(1, keepdims=True)
        flat = x[:, inner] - x[:, inner].mean(1, keepdims=True)
        share = (own * flat).sum(1) / np.maximum((flat**2).sum(1), 1e-300)
        clean = own - share[:, None] * flat
        weight = 1 / np.maximum(residual.var(1, keepdims=True), 1e-300)
        power = float((weight * clean**2).sum())
        answers.append(float((weight * clean * residual).sum()) / max(power, 1e-300))
    if answers[0] * answers[1] <= 0:
        return 0.0
    return min(answers, key=abs)
