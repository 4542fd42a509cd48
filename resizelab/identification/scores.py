"""Compare candidates with what was observed: one loop, for a black box and a pair."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.catalog.signatures import differing
from resizelab.catalog.table import rows
from resizelab.identification.candidates import LARGE, Candidate, finished
from resizelab.identification.probing import Observation, Pair, Question
from resizelab.identification.report import CLIPPED, Gains, Miss, affine
from resizelab.identification.samples import compared

Array = NDArray[Any]

# Noise of float32 sums is below 4e-6 of a weight; what differs does by 6e-4.
NOISE = 2e-5
BYTES = 1e-3  # a row's tolerance above this is the noise of the bytes it was read from
RATED = 2  # observations that every candidate is compared with, fitting or not
WRONG = 0.05  # share of whole numbers that may be one level off
RARE = 0.002  # share that may be, of rows whose engine was never seen to be off
ENOUGH_VALUES = 16  # of a channel, that say how it was scaled


@dataclass
class Score:
    """A candidate, and how far it is from what was observed.

    Errors are in units of the input's range; ``wrong`` of ``values`` whole numbers
    were off by one level. ``fits`` says that every observation agrees, but for
    ``excepted`` sizes: libraries have rules and slips of their own where an axis ends
    in one pixel. ``gains`` are (factor, offset) of each channel that fit best, where
    values were scaled.
    """

    candidate: Candidate
    fits: bool = True
    largest: float = 0.0
    squares: float = 0.0
    values: int = 0
    wrong: int = 0
    excepted: list[tuple[Pair, Pair]] = field(default_factory=list)
    gains: Gains = ()

    @property
    def typical(self) -> float:
        """Root mean square error."""
        if not self.values:
            return float("inf")
        return float(np.sqrt(self.squares / self.values))

    def add(self, seen: Observation) -> None:
        """Compare the candidate's prediction with an observation."""
        agrees = self._agrees(*_compared(self.candidate, seen), seen)
        if self.fits and not agrees and seen.one_pixel:
            self.excepted.append((seen.x.shape[:2], seen.y.shape[:2]))
        else:
            self.fits &= agrees

    def _agrees(self, said: Array | None, y: Array, seen: Observation) -> bool:
        if said is None or said.shape != y.shape:
            self.largest = float("inf")
            return False
        said, unit = said.astype(np.float64), seen.unit
        if not np.isfinite(said).all():
            said, unit = np.zeros_like(said), float(np.abs(y).max(initial=0)) or 1.0
        gap = np.abs(said - y) / unit
        tolerance = self.candidate.convention.tolerance or 0.0
        tolerance = 0.0 if tolerance > BYTES else tolerance
        allowed = max(NOISE, seen.noise, 4 * tolerance) * max(1.0, max(y.shape) / 16)
        if seen.scaled and gap.max(initial=0) > allowed:
            self.gains, undone = _undone(said, y)
            gap = np.abs(said - undone) / (float(np.ptp(said)) or 1.0)
        worst = float(gap.max(initial=0))
        self.largest = max(self.largest, worst)
        self.squares += float((gap**2).sum())
        self.values += gap.size
        if seen.whole:
            self.wrong += int((gap > 0).sum())
            few = self.wrong <= max(1, WRONG * self.values)
            return few and worst <= 1 / seen.unit
        return bool(worst <= allowed)

    @property
    def rarely_wrong(self) -> bool:
        """Whether whole numbers are one level off no more often than is known."""
        known = 3 * (self.candidate.convention.off_by_one or 0.0) * self.values
        one = 1 if self.values * WRONG >= 1 else 0
        return self.wrong <= known + max(one, RARE * self.values)


@dataclass
class Comparison:
    """The scores of candidates; ``answered`` observations were compared.

    ``said`` is what else was done to a pair, and undone to compare it.
    """

    scores: list[Score]
    answered: int = 0
    said: str = ""

    @property
    def exact(self) -> list[Score]:
        """The candidates that fit, but for the fewest excepted sizes."""
        return [s for s in self._fitting() if not s.wrong]

    @property
    def fitting(self) -> list[Score]:
        """The candidates that fit exactly, else those that are rarely a level off."""
        if self.exact:
            # One rounding is enough where several give the same numbers.
            first: dict[tuple[str, ...], Score] = {}
            for s in self.exact:
                first.setdefault(s.candidate.names, s)
            return list(first.values())
        # Numbers that floats round to are those of floats, or are not.
        kept = [s for s in self._fitting() if not s.candidate.as_float]
        kept = [s for s in kept if s.rarely_wrong]
        least = min((s.wrong for s in kept), default=0)
        return [s for s in kept if s.wrong <= 2 * least + 1]

    def _fitting(self) -> list[Score]:
        found = [s for s in self.scores if s.fits and s.values]
        # Values need no scaling if they are some candidate's own.
        found = [s for s in found if not s.gains] or found
        fewest = min((len(s.excepted) for s in found), default=0)
        return [s for s in found if len(s.excepted) == fewest]


def _undone(said: Array, y: Array) -> tuple[Gains, Array]:
    """Return the affine of each channel that makes ``y`` of a prediction, undone."""
    gains, undone = [], np.full(y.shape, np.inf)
    for k in range(y.shape[-1]):
        a, b = said[..., k].ravel(), y[..., k].astype(np.float64).ravel()
        level, spread = a.mean(), a.std()
        if a.size < ENOUGH_VALUES or spread == 0:
            return (), undone
        factor = float((a - level) @ (b - b.mean()) / (a.size * spread**2))
        offset = float(b.mean() - factor * level)
        if factor == 0:
            return (), undone
        undone[..., k] = (y[..., k].astype(np.float64) - offset) / factor
        gains.append((factor, offset))
    return tuple(gains), undone


@lru_cache(maxsize=8192)
def predicted(candidate: Candidate, question: Question, dtype: str) -> Array | None:
    """Return what a candidate makes of a question's picture."""
    x = question.picture(dtype)[..., None]
    said, _ = compared(candidate, x, np.empty((*question.shape, 1)))
    return said


def _compared(candidate: Candidate, seen: Observation) -> tuple[Array | None, Array]:
    plain, y = replace(candidate, rounding=None), seen.y
    if seen.question is None or max(*seen.x.shape, *y.shape) > LARGE:
        if plain not in seen.predicted:
            seen.predicted[plain] = compared(plain, seen.x, y, seen.most)
        said, y = seen.predicted[plain]
    else:
        said = predicted(plain, seen.question, seen.x.dtype.name)
    # Whole numbers held as floats may be those of a row that returns floats.
    whole = seen.whole if y.dtype.kind in "iu" else None
    return finished(said, candidate.rounding, whole, seen.whole or seen.x.dtype.name), y


def scored(
    some: Iterable[Candidate], observations: Iterable[Observation], rated: int = RATED
) -> Comparison:
    """Return the scores of candidates; who does not fit is left out after ``rated``."""
    found = Comparison([Score(c) for c in some])
    for seen in observations:
        for score in found.scores:
            if score.fits or found.answered < rated:
                score.add(seen)
        found.answered += 1
        if found.answered >= rated and not any(s.fits for s in found.scores):
            break
    return found


def first_fitting(
    stages: Iterable[Iterable[Candidate]],
    observations: Iterable[Observation],
    rated: int = RATED,
) -> Comparison:
    """Return the first stage whose candidates fit exactly, else all scores."""
    every: list[Score] = []
    answered = 0
    for some in stages:
        found = scored(some, observations, rated)
        # Scaled values do not say whether bytes or floats were resized.
        if found.exact and not found.exact[0].gains:
            return found
        every += found.scores
        answered = max(answered, found.answered)
    return Comparison(every, answered)


def names_of(some: Iterable[Candidate]) -> tuple[str, ...]:
    """Return the names of candidates in table order, each once."""
    wanted = {name for c in some for name in c.names}
    return tuple(name for name in rows() if name in wanted)


def nearest(scores: Sequence[Score], same: Sequence[str]) -> Miss | None:
    """Return the candidate that comes closest of those that do not fit."""
    others = [
        s
        for s in scores
        if np.isfinite(s.typical)
        and np.isfinite(s.largest)
        and not set(s.candidate.names) & set(same)
    ]
    if not others:
        return None
    return miss(min(others, key=lambda s: s.typical), same)


def miss(score: Score, same: Sequence[str] = ()) -> Miss:
    """Return what is said of a candidate that does not fit."""
    c = score.candidate.convention
    differs: Mapping[str, tuple[object, object]] = {}
    if same:
        differs = differing(rows()[same[0]], c)
    return Miss(score.candidate.names[0], score.largest, score.typical, differs)


def remarks(fitting: Sequence[Score]) -> list[str]:
    """Return what else is to be said of the candidates that fit."""
    if not fitting:
        return []
    found, best = [], min(fitting, key=lambda s: s.wrong)
    if best.candidate.rounding:
        found.append(
            "float results, rounded to whole numbers afterwards "
            f"({best.candidate.rounding}): no integer arithmetic of its own"
        )
    if best.gains:
        found.append(f"values scaled: {affine(best.gains)}; undone here")
    if all(s.candidate.convention.particulars.clip_to_input for s in fitting):
        found.append(CLIPPED)
    if best.excepted:
        (h, w), (oh, ow) = best.excepted[0]
        found.append(
            f"but for {len(best.excepted)} sizes with one pixel: other numbers, as "
            f"from {h} x {w} to {oh} x {ow}"
        )
    if best.wrong:
        found.append(
            f"one level off: integer rounding ({best.wrong} of {best.values} results)"
        )
    return found
