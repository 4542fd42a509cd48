"""Which enlargements two maps may end in, and whether one of them makes the other.

A map that was enlarged by A holds A z: it lies in what A can make, and that is far
less than every map. Where both maps lie in what two enlargements can make, one is
rebuilt from the other. What then remains is float32's, or the hypothesis is wrong.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import product

import numpy as np

from resizelab.checks import FloatArray
from resizelab.diagnosis import rebuild
from resizelab.diagnosis.maps import rms
from resizelab.diagnosis.periods import low_sizes, strength, visible
from resizelab.diagnosis.rebuild import EXACT, PERIODS, Rebuilt
from resizelab.diagnosis.upsampling import (
    GRIDS,
    KERNELS,
    VARIANTS,
    Stride,
    Upsampling,
    low_size,
    scales,
    whole_strides,
)

LINES = 24  # of each map
ROWS = 64  # pixels of a window, at least
RIDGE = 1e-11  # of a window's normal matrix, against pixels that nothing reads
FILLED = 0.85  # of a window's pixels: an enlargement that can make so much says nothing
DOUBTFUL = 0.1  # of the difference: a map farther off was not made so
LEFT = 0.03  # of the difference may be left of what is rebuilt
PASSED = 0.1  # of the difference may lie beyond what it went through
NEARLY = 30.0  # times what the best enlargement leaves of a map
TRIED = 6  # pairs of enlargements that are rebuilt in full
RIVAL = 1.5  # times what the best leaves: another pair is as good
FEW = 8  # low-resolution pixels
SHORT = 128  # pixels of an axis of which every low-resolution size is tried
UNSEEN = 3  # strides up to which a cubic leaves no period that is seen
STEPS = 3  # scales of other steps than the sizes' that are tried at one size
Fits = dict[int, dict[Upsampling, tuple[float, float]]]

OPERATORS = tuple(Upsampling(g, k) for g in GRIDS for k in KERNELS)
USUAL = [Upsampling("half_pixel", k) for k in ("linear", "cubic a=-0.75")]
VARIED = (
    *(Upsampling("half_pixel", k) for k in VARIANTS if "cubic" in k),
    Upsampling("asymmetric", "nearest, floored"),
)


class Ends:
    """Which enlargements the ends of two maps, (C, H, W), may be."""

    def __init__(self, ref: FloatArray, got: FloatArray, given: Stride | None) -> None:
        self.ref, self.got, self.given = ref, got, given
        self.size = ref.shape[1], ref.shape[2]
        self.spread = max(float(np.sqrt(ref.var((1, 2)).mean())), 1e-300)
        self.gap = rms(got - ref) / self.spread

    @cached_property
    def spectra(self) -> tuple[FloatArray, FloatArray]:
        """The spectra of the bends of both maps together, along y and along x."""
        both = np.concatenate([self.ref, self.got])
        return strength(both, 1), strength(both, 2)

    @cached_property
    def fits(self) -> tuple[Fits, Fits]:
        """How far what each enlargement can make is from the maps, along y and x."""
        return self._fits(0), self._fits(1)

    def _fits(self, axis: int) -> Fits:
        n = self.size[axis]
        lines = [_lines(m, axis) for m in (self.ref, self.got)]
        found: Fits = {}
        for low in self._low(axis, lines):
            tried = [*OPERATORS, *VARIED]
            found[low] = dict(zip(tried, _beyond(tried, low, n, lines), strict=True))
            if n % low:
                # A step from the scale is met beside one from the sizes.
                tried = [
                    replace(one, scale=scale)
                    for one in OPERATORS
                    for scale in scales(low, n)[:STEPS]
                    if one.grid == "half_pixel" and min(found[low][one]) <= self.limit
                ]
                away = _beyond(tried, low, n, lines)
                found[low] |= dict(zip(tried, away, strict=True))
        # What is exact leaves no room for what is nearly so.
        every = [away for fits in found.values() for away in fits.values()] or [(0, 0)]
        limits = np.clip(NEARLY * np.min(every, axis=0), EXACT, self.limit)
        for low, fits in found.items():
            cut = {u: np.where(a <= limits, a, np.inf) for u, a in fits.items()}
            found[low] = {u: (y, x) for u, (y, x) in cut.items() if min(y, x) < np.inf}
        return found

    @property
    def limit(self) -> float:
        """How far a map may be from what made it."""
        return max(EXACT, DOUBTFUL * min(self.gap, 1.0))

    def _low(self, axis: int, lines: list[FloatArray]) -> list[int]:
        n = self.size[axis]
        if self.given is not None:
            s = self.given[axis]
            near = (low_size(n, s), int(n / s), -int(-n // s))
            return list(dict.fromkeys(k for k in near if 2 <= k < n))
        spectrum = self.spectra[axis]
        usual = [s[axis] for s in whole_strides((n, n))]
        # Of very few pixels little is seen, and of a cubic that doubles or triples.
        tried = [
            s for s in usual if s <= UNSEEN or s * FEW >= n or visible(spectrum, s)
        ]
        low = [low_size(n, s) for s in tried]
        if n <= SHORT:
            low += [
                k
                for k in range(n // UNSEEN, int(FILLED * n))
                if any(min(a) <= EXACT for a in _beyond(USUAL, k, n, lines))
            ]
        return list(dict.fromkeys([*low, *low_sizes(spectrum, n)]))

    def same(self) -> tuple[Upsampling, tuple[int, int]] | None:
        """Return the enlargement that both maps end in, exactly, if there is one."""
        found: list[dict[Upsampling, int]] = []
        for fits in self.fits:
            exact: dict[Upsampling, int] = {}
            for low in sorted(fits):
                for one, away in fits[low].items():
                    if max(away) <= EXACT:
                        exact.setdefault(one, low)
            found.append(exact)
        y, x = found
        return next(((one, (y[one], x[one])) for one in y if one in x), None)

    def earlier(self, stride: Stride) -> bool:
        """Say whether the difference itself went through one enlargement.

        Then it was there before it: another kernel's lies beyond what either makes.
        """
        away = []
        for axis, (n, s) in enumerate(zip(self.size, stride, strict=True)):
            gap = [_lines(self.got - self.ref, axis)] * 2
            beyond = _beyond(OPERATORS, low_size(n, s), n, gap)
            away.append(min(share for share, _ in beyond))
        return max(away) <= PASSED

    def rebuilt(self) -> Rebuilt | None:
        """Return the two enlargements that turn one map into the other, if any do."""
        ranked = sorted(self._pairs(), key=lambda entry: entry[:2])[:TRIED]
        found = []
        for _, _, a, b, low in ranked:
            left, everywhere = rebuild.left(self.ref, self.got, a, b, low)
            # A crop moves content, too, but at the border it is no other grid.
            if (everywhere if a.grid != b.grid else left) <= LEFT:
                found.append((everywhere, Rebuilt(a, b, low, left)))
        if not found:
            return None
        least, best = min(found, key=lambda entry: entry[0])
        names = best.ref.family, best.got.family
        rivals = {
            (r.ref.family, r.got.family)
            for left, r in found
            if left <= RIVAL * least + EXACT and r.low == best.low
        }
        return replace(best, rivals=tuple(sorted(rivals - {names})))

    def _pairs(
        self,
    ) -> Iterator[tuple[float, int, Upsampling, Upsampling, tuple[int, int]]]:
        """Go through pairs of enlargements that may have made ref and got."""
        # An axis may keep its size.
        kept = dict.fromkeys((*OPERATORS, *VARIED), (0.0, 0.0))
        y, x = ({**fits, n: kept} for fits, n in zip(self.fits, self.size, strict=True))
        for low in product(y, x):
            if low == self.size:
                continue
            fy, fx = y[low[0]], x[low[1]]
            refs, gots = (
                {
                    one: max(fy[one][side], fx[one][side])
                    for one in fy
                    if one in fx and max(fy[one][side], fx[one][side]) < np.inf
                }
                for side in (0, 1)
            )
            for (a, ra), (b, rb) in product(refs.items(), gots.items()):
                worst = max(ra, rb)
                if a != b and not (a.scale and b.scale):
                    score = float(np.log2(worst)) if worst > EXACT else -99.0
                    yield score, sum(low), a, b, low


def _lines(m: FloatArray, axis: int) -> FloatArray:
    """Return some lines of a map along an axis, (n, lines), each of mean 0."""
    x = np.moveaxis(m, axis + 1, 0).reshape(m.shape[axis + 1], -1)
    x = x[:, :: max(1, x.shape[1] // LINES)]
    lines: FloatArray = x - x.mean(0)
    return lines


def _beyond(
    tried: Sequence[Upsampling], low: int, n: int, lines: list[FloatArray]
) -> list[tuple[float, float]]:
    """Return the shares of two maps' lines that each enlargement cannot make."""
    length = min(n, max(ROWS, int(PERIODS * n / low)))
    first = (n - length) // 2
    seen = slice(first, first + length)
    if not tried or low > FILLED * n:
        return [(np.inf, np.inf)] * len(tried)
    windows = np.stack([rebuild.part(u.operator(low, n), seen) for u in tried])
    windows = windows[:, :, np.abs(windows).sum((0, 1)) > 0]
    if windows.shape[2] > FILLED * length:
        return [(np.inf, np.inf)] * len(tried)
    turned = windows.transpose(0, 2, 1)
    normal = turned @ windows
    normal += RIDGE * length * np.eye(normal.shape[1])
    shares = []
    for x in lines:
        x = x[seen] - x[seen].mean(0)
        hit = turned @ x
        made = windows @ np.linalg.solve(normal, hit)
        shares.append(
            np.sqrt(((x - made) ** 2).sum((1, 2)) / max((x**2).sum(), 1e-300))
        )
    return [(float(a), float(b)) for a, b in zip(*shares, strict=True)]
