"""Ask a black box: which sizes and pictures part near conventions, and how it answers.

Borders, exact ties, single pixels, equal and odd sizes on both axes at once; pictures
with whole regions at both ends of the range, where kernels overshoot.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.catalog.separation import limits, picture
from resizelab.catalog.signatures import SIZES, TIES
from resizelab.catalog.table import rows
from resizelab.identification.candidates import LARGE

Array = NDArray[Any]
Pair = tuple[int, int]
Resizer = Callable[..., Any]

# The first question parts most rows: one axis grows and the other shrinks, oddly.
FIRST = ((13, 7), (8, 12))
# How rules look at the other axis: both grow, both shrink, both halve, one is kept.
RULES = (
    *(((6, 7), (9, 11)), ((11, 9), (5, 7)), ((8, 12), (4, 6)), ((6, 7), (6, 7))),
    *(((6, 7), (6, 10)), ((6, 7), (9, 7)), ((6, 7), (6, 4)), ((6, 7), (12, 14))),
)
SCALED = 1e-3  # a gain this near 1, an offset this near 0, in grey levels, is none
FLOATS = 3e-5  # an error of a weight that float32 explains
LIT = 0.392  # of an integer type's range: 100 of 255
MOST_REFUSED = 60  # questions that may be refused before the first is answered
DTYPES = ("float32", "float64", "uint8", "uint16", "int16", "int8", "int32")


@dataclass(frozen=True)
class Question:
    """A picture and the sizes asked for; ``seed`` makes the picture."""

    shape_in: Pair
    shape: Pair
    seed: int

    def picture(self, dtype: str) -> Array:
        """Return the picture, in 0 … 1 or over an integer type's range."""
        return picture(self.shape_in, dtype, self.seed)


@dataclass(frozen=True, eq=False)
class Observation:
    """An input and what became of it, (height, width, channels) both.

    ``whole`` is the integer dtype of the results, if they are whole numbers;
    ``question`` says which picture of ours the input is, ``one_pixel`` that an axis
    ends in one pixel, where a box may have a rule of its own, ``scaled`` that a gain
    and an offset a channel may have been put on the results. Of axes longer than
    ``most`` a sample of outputs is compared; ``predicted`` keeps what was.
    """

    x: Array
    y: Array
    whole: str | None = None
    question: Question | None = None
    one_pixel: bool = False
    scaled: bool = False
    most: int = LARGE
    predicted: dict[Any, Any] = field(default_factory=dict, repr=False)

    @cached_property
    def unit(self) -> float:
        """The input's range, in the answer's numbers."""
        span = float(self.x.max()) - float(self.x.min()) or 1.0
        # Some calls bring whole numbers to 0 … 1, whatever their type.
        integers = self.x.dtype.kind in "iu" and not self.whole
        return 1.0 if integers and np.abs(self.y).max(initial=0) <= 2 < span else span

    @property
    def noise(self) -> float:
        """What a float answer may be off by its own precision."""
        if self.y.dtype.kind != "f":
            return 0.0
        return 2 * float(np.finfo(self.y.dtype).eps)


@lru_cache(maxsize=1)
def questions() -> tuple[Question, ...]:
    """Return the questions for a resizer of any sizes, most telling first."""
    shapes: list[tuple[Pair, Pair]] = [FIRST, *RULES]
    every = SIZES + TIES
    order = np.random.default_rng(5).permutation(len(every))
    for k, (n, m) in enumerate(every):
        other, width = every[order[k]]
        shapes.append(((n, other), (m, width)))
    # A call with a scale of its own answers only where the sizes follow from it.
    for scale in dict.fromkeys(r.scale for r in rows().values() if r.scale):
        for n, k in ((10, 7), (13, 5)):
            s = (scale * 2)[-2:]
            shape = max(1, int(n * s[0] + 1e-6)), max(1, int(k * s[1] + 1e-6))
            shapes.append(((n, k), shape))
    return tuple(Question(a, b, k) for k, (a, b) in enumerate(shapes))


class Refused(ValueError):  # noqa: N818 (it says what happened)
    """The resizer did not answer a question."""


@dataclass
class Subject:
    """A resizer that is asked, and what is known of how it must be asked.

    To iterate is to go through its answers: each question is asked once.
    ``dtype`` is the type whose numbers it works on, ``cast`` the one it is given them
    in, if another; ``result`` the integer type of its numbers, if they are whole;
    ``swapped`` says that it takes (width, height), ``said`` how it was turned to be
    looked at, ``gain`` the (factor, offset) that was undone; ``failed`` holds its words
    by the dtypes that it does not take.
    """

    resizer: Resizer
    fixed: tuple[Pair, Pair] | None = None
    dtype: str = "float32"
    cast: str | None = None
    result: str | None = None
    swapped: bool = False
    said: tuple[str, ...] = ()
    gain: tuple[float, float] | None = None
    failed: dict[str, str] = field(default_factory=dict)
    precision: float = 0.0
    refused: list[str] = field(default_factory=list)
    known: dict[Any, list[Observation | None]] = field(default_factory=dict)

    def levels(self) -> tuple[float, float]:
        """Return a grey, and how far from it a pixel is lit without clipping."""
        if np.dtype(self.dtype).kind == "f":
            return 0.5, 0.25
        low, high = limits(self.dtype)
        return (low + high + 1) // 2, round(LIT * (high - low))

    def ranges(self) -> tuple[tuple[float, float], ...]:
        """Return levels that values may be scaled at: bytes may be held as floats."""
        own = (self.levels(),)
        return ((128, 100), *own) if np.dtype(self.dtype).kind == "f" else own

    def noise(self) -> float:
        """Return what a weight may be off by the rounding of the answers."""
        whole = 0.6 / self.levels()[1] if self.result else 0.0
        return max(FLOATS, whole, 4 * self.precision)

    def unscaled(self) -> "Subject | None":
        """Return the subject with a gain and an offset of its results undone."""
        shape_in, shape = self.fixed or ((9, 9), (9, 9))
        found = (self._affine(shape_in, shape, *levels) for levels in self.ranges())
        gain = next(filter(None, found), None)
        if gain is None or self.result:
            return None
        factor, offset = gain

        def resizer(x: Array, *given: Any) -> Any:
            y = np.asarray(self.resizer(x, *given)).astype(np.float64)
            y = (y - offset) / factor
            whole = np.rint(y)
            return whole if np.abs(y - whole).max(initial=0) < SCALED else y

        return replace(met(resizer, self.fixed), said=self.said, gain=gain)

    def _affine(
        self, before: Pair, after: Pair, grey: float, swing: float
    ) -> tuple[float, float] | None:
        flat = (np.full(before, grey + k * swing) for k in (-1, 0, 1))
        try:
            answers = [self.ask(x.astype(self.dtype), after) for x in flat]
        except Refused:
            return None
        low, half, high = (float(y[len(y) // 2, y.shape[1] // 2]) for y in answers)
        factor = (high - low) / (2 * swing)
        offset = half - factor * grey
        near = abs(factor - 1) < SCALED and abs(offset) < SCALED * swing
        # Of values that do not follow a line nothing can be undone.
        curved = abs(high + low - 2 * half) > SCALED * abs(high - low)
        return None if near or curved or abs(factor) < SCALED**2 else (factor, offset)

    def ask(self, x: Array, shape: Pair) -> Array:
        """Return what the resizer makes of ``x``, or raise Refused with its words."""
        x = x.astype(self.cast or x.dtype)  # always a copy: it may work in place
        try:
            if self.fixed is not None:
                given = self.resizer(x)
            else:
                given = self.resizer(x, shape[::-1] if self.swapped else shape)
            y = np.asarray(given)
            if y.dtype.kind == "f":
                self.precision = float(np.finfo(y.dtype).eps)
        except Exception as error:  # whatever a stranger's code may raise
            message = f"{x.shape} to {shape}: {type(error).__name__}: {error}"[:200]
            raise Refused(message) from error
        if y.ndim > 2:
            y = y.reshape([n for n in y.shape if n > 1] or [1])
            y = y.reshape(shape) if y.size == shape[0] * shape[1] else y
        if y.ndim != 2 or y.dtype.kind not in "fiu":
            raise Refused(
                f"{x.shape} to {shape}: the resizer must return an H x W array of "
                f"numbers; got shape {y.shape} and dtype {y.dtype}"
            )
        return y

    def __iter__(self) -> Iterator[Observation]:
        """Go through the answers to the questions; each is asked once."""
        known = self.known.setdefault((self.dtype, self.swapped), [])
        unanswered = 0
        for k, question in enumerate(self.questions()):
            if k == len(known):
                known.append(self._answer(question))
            seen = known[k]
            if seen is not None:
                yield seen
            else:
                unanswered += 1
            if unanswered == k + 1 == MOST_REFUSED:
                return

    def _answer(self, question: Question) -> Observation | None:
        x = question.picture(self.dtype)
        try:
            y = self.ask(x, question.shape)
        except Refused as error:
            self.refused.append(str(error))
            return None
        # As a whole rule need not be about one pixel.
        one = self.fixed is None and min(question.shape) == 1
        return Observation(x[..., None], y[..., None], self.result, question, one)

    def questions(self) -> tuple[Question, ...]:
        """Return the questions that this resizer can be asked."""
        if self.fixed is None:
            return questions()
        return tuple(Question(*self.fixed, seed) for seed in (1, 2, 3, 7))


def met(resizer: Resizer, fixed: tuple[Pair, Pair] | None) -> Subject:
    """Return the subject, once it is known what it takes and in which order.

    Raises ValueError with the resizer's own first words if it answers nothing.
    """
    subject = Subject(resizer, fixed)
    for dtype in DTYPES:
        subject.dtype = dtype
        some = [q for q in subject.questions() if min(q.shape_in) > 1]
        for question in some[:MOST_REFUSED]:
            # 0 … 255 with fractions: a cast to whole numbers shows.
            x = question.picture("float64") * (254 if dtype != "int8" else 126) + 0.75
            try:
                y = subject.ask(x.astype(dtype), question.shape)
            except Refused as error:
                subject.failed.setdefault(dtype, str(error))
                continue
            subject.failed.pop(dtype, None)
            _settle(subject, x.astype(dtype), question.shape, y)
            return subject
    first = next(iter(subject.failed.values()))
    raise ValueError(f"the resizer answered no question; the first: {first}")


def _settle(subject: Subject, x: Array, shape: Pair, y: Array) -> None:
    if subject.fixed is None and y.shape == shape[::-1] != shape:
        subject.swapped = True
        y = subject.ask(x, shape)
    if y.dtype.kind != "f":
        subject.dtype = subject.result = y.dtype.name
    elif np.array_equal(y, np.rint(y)) and np.ptp(y) > 1:
        subject.dtype = subject.result = "uint8"
    elif x.dtype.kind == "f":
        # Fractions in, fractions out; but of what was cut off before?
        cut = subject.ask(np.floor(x), shape)
        if np.array_equal(cut, y):
            subject.dtype = "uint8"
        return
    try:
        subject.ask(np.zeros(x.shape, subject.dtype), shape)
    except Refused:
        subject.cast = x.dtype.name  # it took those
