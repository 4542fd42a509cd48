"""Lay the pattern of one upsampling in place of another on the difference of two maps.

If ``ref`` is A z, the low-resolution z follows from it, and (B - A) z is what another
upsampling B would change. That pattern is laid on the measured difference. Convolutions
before and after the resize bend it, but leave its sign and most of its size; noise,
quantisation or other values have no such pattern. It is asked both ways, from ``ref``
and from ``got``: noise of one side alone can look like a blur from there, but not from
the other.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray

from resizelab.checks import FloatArray
from resizelab.diagnosis.upsampling import (
    GRIDS,
    KERNELS,
    Stride,
    Upsampling,
    inverse,
    low_size,
)

SAMPLES = 128  # pixels of an axis that are looked at
VALUES = 2**15  # of each map, all channels together
PARTS = 6  # of an axis; how far they agree tells how sure the answer is
DEAD = 1e-6  # of the liveliest channel's spread; below it, a channel is left out
REACH = 2  # low-resolution pixels that a kernel reads beyond its place
# A pattern is that of the kernels, bent a little by convolutions, from so much of it,
# so many standard errors and such a share explained on. A blur, another gamma and other
# activations hold such patterns, too, but less of them, or far more.
GAIN = 0.5, 1.6
SURE, SEEN = 6.0, 0.2
TOLD = 0.4  # of the difference's square, from which kernels beside grids are named
ALMOST = 0.9  # of what the best pair of kernels explains: another is as good

Trial = tuple[Upsampling, Upsampling]
# The operators of an upsampling, y and x, and what is below each map under it.
Known = tuple[list[FloatArray], list[FloatArray]]


@dataclass(frozen=True)
class Match:
    """How a trial fits.

    ``gain`` is how much of the pattern is in the difference, from ``ref`` and from
    ``got`` (1: all), ``sure`` both gains in standard errors, ``explained`` the share of
    the difference's square, 0 where the pattern has the wrong sign.
    """

    stride: Stride
    ref: Upsampling
    got: Upsampling
    gain: tuple[float, float]
    sure: tuple[float, float]
    explained: float

    @property
    def certainty(self) -> float:
        """The smaller of both sides' certainty, in standard errors."""
        return min(self.sure)


class Difference:
    """The difference of two maps at one stride, and samplers to lay on it.

    Only some rows and columns are looked at, and the difference without what a gain
    and an offset would explain.
    """

    def __init__(
        self,
        ref: FloatArray,
        got: FloatArray,
        stride: Stride,
        *,
        filtered: bool = False,
    ) -> None:
        self.stride, self.size = stride, ref.shape[1:]
        self.low = [low_size(n, s) for n, s in zip(self.size, stride, strict=True)]
        self.rows = [_looked_at(n, s) for n, s in zip(self.size, stride, strict=True)]
        count = max(2, VALUES // (len(self.rows[0]) * len(self.rows[1])))
        rows, columns = self.rows[0][:, None], self.rows[1]
        self.ref, self.got = (m[:count, rows, columns] for m in (ref, got))
        self.inner = [
            _known(rows, n, s)
            for rows, n, s in zip(self.rows, self.size, stride, strict=True)
        ]
        inner_ref, inner_got = (m[:, *self.inner] for m in (self.ref, self.got))
        self.shape = inner_ref.shape[1:]
        self.basis = _shares(inner_ref, filtered=filtered)
        self.gap = self.cleaned(inner_got - inner_ref)
        # Not the median: a channel behind a ReLU is 0 nearly everywhere.
        noise = self.gap.std((1, 2), keepdims=True)
        spread = inner_ref.std((1, 2), keepdims=True)
        least = DEAD * float(spread.max())
        self.trust = (spread > least) / np.maximum(noise, least + 1e-150) ** 2
        self.power = float((inner_ref.var((1, 2)) * self.trust[:, 0, 0]).sum())
        self.power *= self.gap[0].size
        self.whole = float((self.gap**2 * self.trust).sum())
        self._known: dict[Upsampling, Known] = {}

    def match(self, trial: Trial) -> Match:
        """Return how a trial fits, asked from both sides."""
        a, b = trial
        there = self.laid(self._changed(a, b, 0))
        back = self.laid(-self._changed(b, a, 1))
        gain, sure, explained = zip(there, back, strict=True)
        share = min(explained) if min(gain) > 0 else 0.0
        return Match(self.stride, a, b, gain, sure, share)

    def cleaned(self, m: FloatArray) -> FloatArray:
        """Return ``m`` without its mean and what a filter of the reference makes."""
        m = (m - m.mean((1, 2), keepdims=True)).reshape(len(m), -1)
        share = m[:, None] @ self.basis.transpose(0, 2, 1)
        cleaned: FloatArray = m - (share @ self.basis)[:, 0]
        return cleaned.reshape(-1, *self.shape)

    def laid(self, pattern: FloatArray) -> tuple[float, float, float]:
        """Return gain, certainty and explained share of a pattern."""
        p = self.cleaned(pattern)
        hit, own = (_summed(m * self.trust) for m in (p * self.gap, p * p))
        total = float(own.sum())
        if total <= 1e-18 * self.power:
            return 0.0, 0.0, 0.0
        gain = float(hit.sum()) / total
        error = float(np.sqrt(((hit - gain * own) ** 2).sum())) / total
        return gain, gain / max(error, 1e-12), gain**2 * total / max(self.whole, 1e-300)

    def _changed(self, a: Upsampling, b: Upsampling, side: int) -> FloatArray:
        """Return (B - A) z, z being what is below one side under A."""
        ((ay, ax), below), ((by, bx), _) = self._made(a), self._made(b)
        z = below[side]
        changed: FloatArray = by @ z @ bx.T - ay @ z @ ax.T
        return changed

    def _made(self, upsampling: Upsampling) -> Known:
        if upsampling not in self._known:
            axes = [
                _cut(upsampling.operator(n, m).dense(), rows)
                for n, m, rows in zip(self.low, self.size, self.rows, strict=True)
            ]
            y, x = map(inverse, axes)
            shown = [m[rows] for m, rows in zip(axes, self.inner, strict=True)]
            self._known[upsampling] = shown, [y @ m @ x.T for m in (self.ref, self.got)]
        return self._known[upsampling]


def matches(
    ref: FloatArray,
    got: FloatArray,
    strides: Iterable[Stride],
    trials: Sequence[Trial],
    *,
    filtered: bool = False,
) -> list[Match]:
    """Return how trials at some strides fit, best explained first.

    ``filtered``: of what no filter makes, the same at every pixel.
    """
    found = []
    for stride in strides:
        difference = Difference(ref, got, stride, filtered=filtered)
        found += [difference.match(trial) for trial in trials]
    return sorted(found, key=lambda m: -m.explained)


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


def _looked_at(n: int, stride: float) -> NDArray[np.intp]:
    """Return the rows that are looked at: some of each period, about the middle."""
    apart = max(1, min(-(-n // SAMPLES), int(stride) // 4))
    rows = np.arange((n - 1) % apart // 2, n, apart)
    spare = max(0, len(rows) - SAMPLES) // 2
    return rows[spare : len(rows) - spare]


def _known(rows: NDArray[np.intp], n: int, stride: float) -> slice:
    """Return the samples that read nothing beyond the rows that are looked at."""
    lost = int(np.ceil(REACH * stride / max(1, rows[1] - rows[0])))
    first = 0 if rows[0] < stride / 2 else lost
    last = 0 if rows[-1] > n - 1 - stride / 2 else lost
    return slice(first, len(rows) - last)


def _cut(matrix: FloatArray, rows: NDArray[np.intp]) -> FloatArray:
    """Return some rows, with the same columns for every upsampling."""
    n_out, n_in = matrix.shape
    step = n_in / n_out
    first = max(0, int(np.floor(rows[0] * step)) - 2)
    last = min(n_in, int(np.ceil((rows[-1] + 1) * step)) + 2)
    return matrix[rows, first:last]


def _shares(m: FloatArray, *, filtered: bool) -> FloatArray:
    """Return what is left out of a difference, (C, shares, pixels), orthonormal.

    The map itself; with ``filtered`` also its slopes and bends: a filter that is the
    same at every pixel makes a difference of these alone, and a resize's comes back
    with its period.
    """
    made = [m]
    if filtered:
        made += [np.gradient(m, axis=k) for k in (1, 2)]
        made += [np.gradient(s, axis=k) for k, s in zip((1, 2), made[1:], strict=True)]
        # Of the values' own curves, too, as another gamma makes them.
        made += [(m - m.mean((1, 2), keepdims=True)) ** k for k in (2, 3)]
    x = np.stack(made, 1).reshape(len(m), len(made), -1)
    x = x - x.mean(2, keepdims=True)
    size = np.sqrt((x**2).sum(2, keepdims=True))
    basis, _ = np.linalg.qr((x / np.maximum(size, 1e-300)).transpose(0, 2, 1))
    turned: FloatArray = basis.transpose(0, 2, 1)
    return turned


def _summed(m: FloatArray) -> NDArray[np.float64]:
    """Return the sums of the parts of (C, H, W)."""
    rows, columns = (np.arange(PARTS) * n // PARTS for n in m.shape[1:])
    return np.add.reduceat(np.add.reduceat(m, rows, 1), columns, 2).ravel()
