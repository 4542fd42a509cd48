"""A difference as one filter that is the same everywhere: a blur, or whole pixels.

A resize never is: what it changes comes back with its period. So a filter that turns
one map into the other is fitted on some pixels, and must turn the others too.
"""

from dataclasses import dataclass

import numpy as np

from resizelab.checks import FloatArray

REACH = 4  # pixels to either side that a filter reads
FITTED, JUDGED = 4000, 2000  # pixels of all channels together
LEFT = 0.02  # of the difference may be left
EVEN = 0.05  # pixels: the centre of a blur
ONE = 0.02  # what the weights of a move of whole pixels may be beside 0 and 1
RIM = 0.25  # of an axis: what padding of convolutions may have changed


@dataclass(frozen=True)
class Filter:
    """A filter that makes one map of the other.

    ``source`` is the map it is laid on, ref or got; ``moved`` whole pixels (y, x) by
    which content has moved from ref to got, else None; ``variance`` that of its
    weights, y and x, in px².
    """

    source: str
    moved: tuple[int, int] | None
    variance: tuple[float, float]
    left: float

    def of_period(self, stride: tuple[float, float]) -> bool:
        """Whether it spreads as the mean of a period, which makes linear of nearest."""
        means = ((s * s + (2 if s % 2 == 0 else -1)) / 12 for s in stride)
        return all(abs(a - b) < EVEN for a, b in zip(means, self.variance, strict=True))


def find(ref: FloatArray, got: FloatArray, about: tuple[int, int]) -> Filter | None:
    """Return the filter that makes one of two maps, (C, H, W), of the other.

    ``about`` are whole pixels (y, x) by which content seems to have moved.
    """
    for source, x, made, sign in (("ref", ref, got, 1), ("got", got, ref, -1)):
        found = _fitted(x, made, (sign * about[0], sign * about[1]))
        if found is None:
            continue
        weights, left = found
        peak = np.unravel_index(int(np.abs(weights).argmax()), weights.shape)
        rest = weights.copy()
        rest[peak] = 0
        if np.abs(rest).max() <= ONE * abs(float(weights[peak])):
            # Output i reads source i + offset: content moves the other way.
            down, across = (
                b - sign * (int(p) - REACH) for b, p in zip(about, peak, strict=True)
            )
            return Filter(source, (down, across), (0.0, 0.0), left)
        centres, variance = _moments(weights)
        blurs = min(variance) >= -EVEN and max(variance) >= EVEN
        if max(map(abs, centres)) <= EVEN and blurs and about == (0, 0):
            return Filter(source, None, variance, left)
    return None


def _moments(weights: FloatArray) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the centre and the variance of a filter, down and across."""
    at = np.arange(-REACH, REACH + 1)
    sides = [weights.sum(1) / weights.sum(), weights.sum(0) / weights.sum()]
    y, x = (float(w @ at) for w in sides)
    vy, vx = (float(w @ (at - c) ** 2) for w, c in zip(sides, (y, x), strict=True))
    return (y, x), (vy, vx)


def _fitted(
    x: FloatArray, y: FloatArray, about: tuple[int, int]
) -> tuple[FloatArray, float] | None:
    """Return weights that make ``y`` of ``x``, and what of the difference is left."""
    channels, *size = x.shape
    rng = np.random.default_rng(0)
    low = [int(RIM * n) for n in size]
    high = [n - k for n, k in zip(size, low, strict=True)]
    if any(k - REACH - abs(b) < 0 for k, b in zip(low, about, strict=True)):
        return None
    count = FITTED + JUDGED
    c = rng.integers(0, channels, count)
    i, j = (rng.integers(a, b, count) for a, b in zip(low, high, strict=True))
    reach = np.arange(-REACH, REACH + 1)
    rows = i[:, None, None] - about[0] + reach[:, None]
    columns = j[:, None, None] - about[1] + reach
    read = x[c[:, None, None], rows, columns].reshape(count, -1)
    read = np.concatenate([read, np.ones((count, 1))], 1)
    made = y[c, i, j]
    fit, test = slice(None, FITTED), slice(FITTED, None)
    weights = np.linalg.lstsq(read[fit], made[fit], rcond=1e-9)[0]
    gap = made - x[c, i, j]
    left = made[test] - read[test] @ weights
    share = float(np.sqrt((left**2).mean() / max((gap[test] ** 2).mean(), 1e-300)))
    if share > LEFT:
        return None
    return weights[:-1].reshape(len(reach), -1), share
