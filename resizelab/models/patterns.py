"""Does the difference of two maps look like one sampler in place of another?

If ``ref`` is A z, the low-resolution z follows from it, and (B - A) z is what another
sampler B would change. That pattern is laid on the measured difference. Convolutions
before and after the resize bend it, but leave its sign and most of its size; noise,
quantisation or other values have no such pattern. It is asked both ways, from ``ref``
and from ``got``: noise of one side alone can look like a blur from there, but not from
the other.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from resizelab.checks import FloatArray
from resizelab.models.samplers import Sampler, low_size

WINDOW = 192  # pixels of an axis that are looked at: the middle of a larger map
VALUES = 2**17  # of each map, all channels together
PARTS = 6  # of an axis; how far they agree tells how sure the answer is
RIDGE = 1e-9  # of a sampler's inverse, against pixels that no output reads

Trial = tuple[Sampler, Sampler]


@dataclass(frozen=True)
class Match:
    """How a trial fits.

    ``gain`` is how much of the pattern is in the difference, from ``ref`` and from
    ``got`` (1: all), ``sure`` both gains in standard errors, ``explained`` the share of
    the difference's square, ``range`` what of ``ref`` the first sampler cannot make.
    """

    stride: float
    ref: Sampler
    got: Sampler
    gain: tuple[float, float]
    sure: tuple[float, float]
    explained: float

    @property
    def certainty(self) -> float:
        """The smaller of both sides' certainty, in standard errors."""
        return min(self.sure)


class Field:
    """The difference of two maps, without what a gain and an offset would explain."""

    def __init__(self, ref: FloatArray, got: FloatArray) -> None:
        self.size = ref.shape[1:]
        self.window = [_middle(n) for n in self.size]
        rows, columns = self.window
        area = (rows.stop - rows.start) * (columns.stop - columns.start)
        count = max(2, VALUES // area)
        self.ref, self.got = (m[:count, rows, columns] for m in (ref, got))
        self.basis = self.ref - self.ref.mean((1, 2), keepdims=True)
        self.power = np.maximum((self.basis**2).sum((1, 2)), 1e-300)
        self.gap = self.cleaned(self.got - self.ref)
        noise = np.median(np.abs(self.gap), axis=(1, 2), keepdims=True)
        floor = 1e-6 * self.ref.std((1, 2), keepdims=True) + 1e-300
        self.trust = 1 / (noise + floor) ** 2
        self.whole = float((self.gap**2 * self.trust).sum())

    def cleaned(self, m: FloatArray) -> FloatArray:
        """Return ``m`` without its mean and its share of the reference."""
        m = m - m.mean((1, 2), keepdims=True)
        share = (m * self.basis).sum((1, 2)) / self.power
        cleaned: FloatArray = m - share[:, None, None] * self.basis
        return cleaned

    def laid(self, pattern: FloatArray) -> tuple[float, float, float]:
        """Return gain, certainty and explained share of a pattern."""
        p = self.cleaned(pattern)
        hit, own = (_summed(m * self.trust) for m in (p * self.gap, p * p))
        total = float(own.sum())
        if total <= 1e-18 * float((self.basis**2 * self.trust).sum()):
            return 0.0, 0.0, 0.0
        gain = float(hit.sum()) / total
        error = float(np.sqrt(((hit - gain * own) ** 2).sum())) / total
        return gain, gain / max(error, 1e-12), gain**2 * total / max(self.whole, 1e-300)


class Bench:
    """Samplers of one stride on a field, with what each makes of both maps."""

    def __init__(self, field: Field, stride: Sequence[float]) -> None:
        self.field, self.stride = field, stride
        self.low = [low_size(n, s) for n, s in zip(field.size, stride, strict=True)]
        self._axes: dict[Sampler, list[FloatArray]] = {}
        self._below: dict[tuple[Sampler, int], FloatArray] = {}

    def match(self, trial: Trial) -> Match:
        """Return how a trial fits, asked from both sides."""
        a, b = trial
        there = self.field.laid(self._changed(a, b, 0))
        back = self.field.laid(-self._changed(b, a, 1))
        return Match(
            float(np.sqrt(self.stride[0] * self.stride[1])),
            a,
            b,
            (there[0], back[0]),
            (there[1], back[1]),
            min(there[2], back[2]),
        )

    def _changed(self, a: Sampler, b: Sampler, side: int) -> FloatArray:
        """Return (B - A) z, z being what is below one side under A."""
        z = self._low(a, side)
        (ay, ax), (by, bx) = self._operators(a), self._operators(b)
        changed: FloatArray = by @ z @ bx.T - ay @ z @ ax.T
        return changed

    def _low(self, sampler: Sampler, side: int) -> FloatArray:
        key = sampler, side
        if key not in self._below:
            y, x = (_inverse(m) for m in self._operators(sampler))
            whole = (self.field.ref, self.field.got)[side]
            self._below[key] = y @ whole @ x.T
        return self._below[key]

    def _operators(self, sampler: Sampler) -> list[FloatArray]:
        if sampler not in self._axes:
            self._axes[sampler] = [
                _cut(sampler.operator(n, m).dense(), window)
                for n, m, window in zip(
                    self.low, self.field.size, self.field.window, strict=True
                )
            ]
        return self._axes[sampler]


def matches(field: Field, stride: Sequence[float], trials: Iterable[Trial]) -> list[Match]:
    """Return how each trial fits at a stride per axis, best explained first."""
    bench = Bench(field, stride)
    if min(bench.low) < 2:
        return []
    found = [bench.match(trial) for trial in trials]
    return sorted(found, key=lambda m: -m.explained)


def _middle(n: int) -> slice:
    spare = max(0, n - WINDOW) // 2
    return slice(spare, n - spare)


def _cut(matrix: FloatArray, window: slice) -> FloatArray:
    """Return the rows of a window, with the same columns for every sampler."""
    n_out, n_in = matrix.shape
    step = n_in / n_out
    first = max(0, int(np.floor(window.start * step)) - 2)
    last = min(n_in, int(np.ceil(window.stop * step)) + 2)
    return matrix[window, first:last]


def _inverse(matrix: FloatArray) -> FloatArray:
    """Return the least-squares inverse; pixels that nothing reads come out as 0."""
    normal = matrix.T @ matrix
    normal += RIDGE * np.trace(normal) / len(normal) * np.eye(len(normal))
    inverse: FloatArray = np.linalg.solve(normal, matrix.T)
    return inverse


def _summed(m: FloatArray) -> NDArray[np.float64]:
    """Return the sums of the parts of (C, H, W)."""
    rows, columns = (np.arange(PARTS) * n // PARTS for n in m.shape[1:])
    return np.add.reduceat(np.add.reduceat(m, rows, 1), columns, 2).ravel()
