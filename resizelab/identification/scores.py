"""Compare candidates with what was observed: one loop, for a black box and a pair."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.catalog.signatures import differing
from resizelab.catalog.table import rows
from resizelab.identification.candidates import (
    LARGE,
    Candidate,
    candidates,
    finished,
)
from resizelab.identification.probing import Observation, Pair, Question, questions
from resizelab.identification.report import Miss

Array = NDArray[Any]

# Noise of float32 sums is below 4e-6 of a weight; what differs does by 6e-4.
NOISE = 2e-5
RATED = 2  # observations that every candidate is compared with, fitting or not
WRONG = 0.05  # share of whole numbers that may be one level off
RARE = 0.002  # share that may be, of rows whose engine was never seen to be off
PARTED_BY = 14  # questions that sort candidates into sets
ENOUGH = 12  # sets; a pair that leaves so many open says little of any


@dataclass
class Score:
    """A candidate, and how far it is from what was observed.

    Errors are in units of the input's range; ``wrong`` of ``values`` whole numbers
    were off by one level. ``fits`` says that every observation agrees, but for
    ``excepted`` sizes: libraries have rules and slips of their own where an axis ends
    in one pixel.
    """

    candidate: Candidate
    fits: bool = True
    largest: float = 0.0
    squares: float = 0.0
    values: int = 0
    wrong: int = 0
    excepted: list[tuple[Pair, Pair]] = field(default_factory=list)

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
        gap = np.abs(said.astype(np.float64) - y) / seen.unit
        worst = float(gap.max(initial=0))
        if not np.isfinite(worst):
            gap, worst = np.ones_like(gap), float("inf")
        self.largest = max(self.largest, worst)
        self.squares += float((gap**2).sum())
        self.values += gap.size
        if seen.whole:
            self.wrong += int((gap > 0).sum())
            few = self.wrong <= max(1, WRONG * self.values)
            return few and worst <= 1 / seen.unit
        tolerance = self.candidate.convention.tolerance or 0.0
        allowed = max(NOISE, seen.noise, 4 * tolerance)
        return bool(worst <= allowed * max(1.0, max(y.shape) / 16))

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
        fewest = min((len(s.excepted) for s in found), default=0)
        return [s for s in found if len(s.excepted) == fewest]


@lru_cache(maxsize=4096)
def _predicted(candidate: Candidate, question: Question, dtype: str) -> Array | None:
    x = question.picture(dtype)[..., None]
    said, _ = candidate.compared(x, np.empty((*question.shape, 1)))
    return said


def _compared(candidate: Candidate, seen: Observation) -> tuple[Array | None, Array]:
    plain, y = replace(candidate, rounding=None), seen.y
    if seen.question is None or max(*seen.x.shape, *y.shape) > LARGE:
        said, y = plain.compared(seen.x, y)
    else:
        said = _predicted(plain, seen.question, seen.x.dtype.name)
    return finished(said, candidate.rounding, seen.whole), y


def compared(
    some: Iterable[Candidate], observations: Iterable[Observation]
) -> Comparison:
    """Return the scores of candidates; who does not fit is left out after a few."""
    found = Comparison([Score(c) for c in some])
    for seen in observations:
        for score in found.scores:
            if score.fits or found.answered < RATED:
                score.add(seen)
        found.answered += 1
        if found.answered > RATED and not any(s.fits for s in found.scores):
            break
    return found


def first_fitting(
    stages: Iterable[Iterable[Candidate]], observations: Iterable[Observation]
) -> Comparison:
    """Return the first stage in which a candidate fits exactly, else all scores."""
    every: list[Score] = []
    answered = 0
    for some in stages:
        found = compared(some, observations)
        if found.exact:
            return found
        every += found.scores
        answered = max(answered, found.answered)
    return Comparison(every, answered)


def parted(some: Sequence[Candidate]) -> tuple[tuple[str, ...], ...]:
    """Return the candidates' names in sets; two of one set agree on general sizes."""
    sets: list[list[Candidate]] = [list(some)]
    for question in questions()[:PARTED_BY]:
        if len(sets) > ENOUGH:
            break
        sets = [part for group in sets for part in _split(group, question)]
    return tuple(tuple(n for c in group for n in c.names) for group in sets)


def _split(group: list[Candidate], question: Question) -> list[list[Candidate]]:
    if len(group) == 1:
        return [group]
    found: list[tuple[Array | None, list[Candidate]]] = []
    for c in group:
        said = _predicted(_as_recorded(c), question, "float32")
        for other, members in found:
            if _agree(said, other):
                members.append(c)
                break
        else:
            found.append((said, [c]))
    return [members for _, members in found]


def _as_recorded(c: Candidate) -> Candidate:
    """Return a candidate as its row stands in the table."""
    if c.scale is None and not c.as_float:
        return c
    return next(row for row in candidates("float32") if c.names[0] in row.names)


def _agree(a: Array | None, b: Array | None) -> bool:
    if a is None or b is None:
        return a is b
    return a.shape == b.shape and float(np.abs(a - b).max(initial=0)) <= NOISE


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
    if all(s.candidate.convention.particulars.clip_to_input for s in fitting):
        found.append("not linear: results are clipped to the input's range")
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
