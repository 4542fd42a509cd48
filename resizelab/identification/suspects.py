"""Let the answers of a black box speak against candidates until the same are left."""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.identification.candidates import Candidate, candidates, to_whole
from resizelab.identification.excerpts import LARGE, compared
from resizelab.identification.probing import Pair, Question, Subject

Array = NDArray[Any]

# Noise of float32 sums is below 4e-6 of a weight; what differs does by 6e-4.
NOISE = 2e-5
RATED = 2  # answers on which every candidate is rated, guilty or not
WRONG = 0.05  # share of whole numbers that may be one level off


@dataclass
class Suspect:
    """A candidate and what has been found against it.

    Errors are in units of the input's range; ``wrong`` of ``values`` whole numbers
    were off by one level. ``known`` says that every answer so far fits, but for
    ``excused`` sizes: libraries have rules and slips of their own where an axis ends in
    one pixel.
    """

    candidate: Candidate
    known: bool = True
    largest: float = 0.0
    squares: float = 0.0
    values: int = 0
    wrong: int = 0
    heard: int = 0
    excused: list[tuple[Pair, Pair]] = field(default_factory=list)

    @property
    def typical(self) -> float:
        """Root mean square error."""
        if not self.values:
            return float("inf")
        return float(np.sqrt(self.squares / self.values))

    def hear(
        self,
        said: Array | None,
        y: Array,
        level: float,
        unit: float,
        noise: float = NOISE,
    ) -> None:
        """Compare a prediction with an answer; ``level`` is 1 for whole numbers.

        ``unit`` is the input's range, in the answer's numbers; ``noise`` what an answer
        may be off in that unit.
        """
        self.heard += 1
        if said is None or said.shape != y.shape:
            self.known, self.largest = False, float("inf")
            return
        gap = np.abs(said.astype(np.float64) - y) / unit
        worst = float(gap.max(initial=0))
        if not np.isfinite(worst):
            gap = np.ones_like(gap)
            worst = float("inf")
        self.largest = max(self.largest, worst)
        self.squares += float((gap**2).sum())
        self.values += gap.size
        if level:
            self.wrong += int((gap > 0).sum())
            few = self.wrong <= max(1, WRONG * self.values)
            self.known &= worst <= level / unit and few
        else:
            tolerance = self.candidate.convention.tolerance or 0.0
            allowed = max(noise, 4 * tolerance) * max(1.0, max(y.shape) / 16)
            self.known &= worst <= allowed


@dataclass
class Hearing:
    """All suspects after all answers; ``alive`` are those that fit every one."""

    suspects: list[Suspect]
    alive: list[Suspect] = field(default_factory=list)
    answered: int = 0


@lru_cache(maxsize=4096)
def predicted(candidate: Candidate, question: Question, dtype: str) -> Array | None:
    """Return what a candidate makes of a question's picture."""
    return candidate.predict(question.picture(dtype), question.shape)


def _said(
    candidate: Candidate, question: Question, x: Array, y: Array, rounding: str | None
) -> tuple[Array | None, Array]:
    """Return (prediction, answer); of large pictures, where they are compared."""
    if y.shape == question.shape and max(*x.shape, *y.shape) > LARGE:
        source = x if rounding is None else x.astype(np.float32)
        said, answer = compared(candidate, source[..., None], y[..., None])
        return said, answer
    if rounding is None:
        return predicted(candidate, question, x.dtype.name), y
    return candidate.predict(x.astype(np.float32), question.shape), y


def heard(subject: Subject, rounding: str | None = None) -> Hearing:
    """Return the suspects after every question that the subject answers.

    With ``rounding``, candidates are the float rows, their results rounded to the
    subject's whole numbers.
    """
    dtype = subject.dtype if rounding is None else "float32"
    hearing = Hearing([Suspect(c) for c in candidates(dtype)])
    level = 1.0 if subject.result else 0.0
    for question, x, y in subject.answers():
        span = float(x.max()) - float(x.min()) or 1.0
        # Some calls bring whole numbers to 0 … 1, whatever their type.
        small = not subject.result and np.abs(y).max(initial=0) <= 2 < span
        unit = 1.0 if small else span
        for suspect in hearing.suspects:
            if not suspect.known and hearing.answered >= RATED:
                continue
            before = suspect.known
            said, answer = _said(suspect.candidate, question, x, y, rounding)
            if rounding is not None and said is not None:
                said = to_whole(said, rounding, subject.result)
            suspect.hear(said, answer, level, unit)
            if before and not suspect.known and subject.excuses(question):
                suspect.known = True
                suspect.excused.append((question.shape_in, question.shape))
        hearing.answered += 1
        if hearing.answered > RATED and not any(s.known for s in hearing.suspects):
            break
    alive = [s for s in hearing.suspects if s.known and s.heard]
    whole = [s for s in alive if not s.excused]
    hearing.alive = whole or _least_excused(alive)
    if level:
        exact = [s for s in hearing.alive if not s.wrong]
        inexact = _rarely_wrong(hearing.alive) if rounding is None else []
        hearing.alive = exact or inexact
    return hearing


def _least_excused(alive: list[Suspect]) -> list[Suspect]:
    fewest = min((len(s.excused) for s in alive), default=0)
    return [s for s in alive if len(s.excused) == fewest]


def _rarely_wrong(alive: list[Suspect]) -> list[Suspect]:
    """Keep those whose engines are known to differ that often, else the best."""
    kept = []
    for s in alive:
        share = s.candidate.convention.off_by_one or 0.0
        if s.wrong <= 3 * share * s.values + 1:
            kept.append(s)
    least = min((s.wrong for s in kept), default=0)
    return [s for s in kept if s.wrong <= 2 * least + 1]
