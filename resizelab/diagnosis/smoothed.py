"""Two maps at one scale, one of them moved, and what then remains between them."""

import math

import numpy as np
from numpy.typing import NDArray

from resizelab.axis.kernel import kernel
from resizelab.axis.operator import Weights
from resizelab.checks import FloatArray

THINNED = 0.7  # samples a blur's deviation apart keep what it leaves
FAR = 8.5  # deviations from which a blur reads nothing that a float64 would notice
RIM = 0.2  # of an axis: padding of convolutions draws there what does not move
INSIDE = 0.35  # of the way from the centre to the border that is always kept
TUNING = 4.0  # residuals are given less weight from so many deviations on
GAIN = 0.2, 5.0  # of one map's values over the other's, at the least and the most
KEYS = kernel("cubic", a=-0.5)

Lines = tuple[float, float, float, float]  # shift and stretch of y, then of x
STILL: Lines = (0.0, 0.0, 0.0, 0.0)
# A moved map, which samples are its own, the residual at those, each channel's gain.
Compared = tuple[FloatArray, NDArray[np.bool_], FloatArray, FloatArray]


class Smoothed:
    """Two maps at one scale: smoothed, thinned out, with the places of the samples.

    ``sigma`` is the blur and ``rim`` the border left out, both in pixels.
    """

    def __init__(
        self, ref: FloatArray, got: FloatArray, sigma: float, rim: float = 0.0
    ) -> None:
        self.margin = 1.0 + sigma + rim
        self.size = ref.shape[1], ref.shape[2]
        thin = [_thinning(n, sigma) for n in self.size]
        self.place = [place for _, place in thin]
        (y, _), (x, _) = thin
        self.ref, self.got = (y.apply(x.apply(m, 2), 1) for m in (ref, got))
        self._last: tuple[Lines, Compared] | None = None

    @property
    def steps(self) -> tuple[float, float]:
        """Pixels between samples, of y and of x."""
        y, x = (float(p[1] - p[0]) if len(p) > 1 else 1.0 for p in self.place)
        return y, x

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

    def compared(self, lines: Lines) -> Compared:
        """Return the moved reference, its own samples, and what `matched` says of them.

        A search asks twice of each move: how much is left, and where to go from there.
        """
        if self._last is None or self._last[0] != lines:
            x, inner = self.moved(lines)
            found = x, inner, *matched(x[:, inner], self.got[:, inner])
            self._last = lines, found
        return self._last[1]

    def slopes(self, m: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return how much a map of this scale rises per pixel, along y and x."""
        y, x = (np.gradient(m, s, axis=k + 1) for k, s in enumerate(self.steps))
        return y, x


def _thinning(n: int, sigma: float) -> tuple[Weights, FloatArray]:
    """Return the operator that smooths and thins out an axis, and the places left."""
    step = max(1.0, THINNED * sigma)
    count = int((n - 1) / step) + 1
    place = (n - 1) / 2 + (np.arange(count) - (count - 1) / 2) * step
    if sigma <= 0:
        return Weights.identity(n), place
    half = math.ceil(FAR * sigma)
    index = np.rint(place)[:, None] + np.arange(-half, half + 1)
    w = np.exp(-0.5 * ((index - place[:, None]) / sigma) ** 2)
    w *= (index >= 0) & (index < n)
    index = index.clip(0, n - 1).astype(np.intp)
    return Weights(index, w / w.sum(1, keepdims=True), n), place


def _sampler(source: FloatArray, place: FloatArray) -> Weights:
    """Return the operator that reads at ``source`` what stands at ``place``."""
    n = len(place)
    step = (place[-1] - place[0]) / max(n - 1, 1) or 1.0
    at = (source - place[0]) / step
    index = np.floor(at)[:, None] + np.arange(-1, 3)
    weight = KEYS(index - at[:, None])
    return Weights(np.clip(index, 0, n - 1).astype(np.intp), weight, n)


def matched(
    x: FloatArray, y: FloatArray, *, free: bool = False
) -> tuple[FloatArray, FloatArray]:
    """Return what a line per channel leaves of ``y``, (C, n), and the lines' slopes.

    ``free``: of any slope; else maps of one model, whose values are much alike.
    """
    x = x - x.mean(1, keepdims=True)
    y = y - y.mean(1, keepdims=True)
    gain = (x * y).sum(1) / np.maximum((x**2).sum(1), 1e-300)
    gain = gain if free else np.clip(gain, *GAIN)
    return y - gain[:, None] * x, gain


def trust(residual: FloatArray) -> FloatArray:
    """Return weights by channel: its noise, and less for what lies far out."""
    # Not the median: a channel behind a ReLU is 0 nearly everywhere.
    spread = 1.25 * np.abs(residual).mean(1, keepdims=True)
    # Small, and yet products of weights of float32 maps stay finite.
    spread = np.maximum(spread, 1e-3 * residual.std() + 1e-30)
    far = np.abs(residual) / spread
    weight: FloatArray = np.minimum(1, TUNING / np.maximum(far, 1e-300)) / spread**2
    return weight


def remaining(
    scale: Smoothed, lines: Lines, inner: NDArray[np.bool_] | None = None
) -> float:
    """Return the mean square that is left after a move, values being matched."""
    x, _, residual, _ = scale.compared(lines)
    if inner is not None:
        residual, _ = matched(x[:, inner], scale.got[:, inner])
    return float((residual**2).mean())
