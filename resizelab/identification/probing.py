"""Ask a black box: which sizes and pictures part near conventions, and how it answers.

Borders, exact ties, single pixels, equal and odd sizes on both axes at once; pictures
with whole regions at both ends of the range, where kernels overshoot.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.catalog.separation import limits, picture
from resizelab.catalog.signatures import SIZES, TIES
from resizelab.catalog.table import rows
from resizelab.checks import FloatArray
from resizelab.identification.candidates import spread

Array = NDArray[Any]
Pair = tuple[int, int]
Sizes = tuple[int, int]  # of one axis: n_in, n_out
Resizer = Callable[..., Any]

# The first question parts most rows: one axis grows and the other shrinks, oddly.
FIRST = ((13, 7), (8, 12))
# How rules look at the other axis: both grow, both shrink, both halve, one is kept.
RULES = (
    *(((6, 7), (9, 11)), ((11, 9), (5, 7)), ((8, 12), (4, 6)), ((6, 7), (6, 7))),
    *(((6, 7), (6, 10)), ((6, 7), (9, 7)), ((6, 7), (6, 4)), ((6, 7), (12, 14))),
)
FLOATS = 3e-5  # an error of a weight that float32 explains
LIT = 0.392  # of an integer type's range: 100 of 255
ROWS = 96  # of a long axis so many rows are looked at
FEW = 3  # rows of the middle that a line needs, at the least
MOST_REFUSED = 60  # questions that may be refused before the first is answered
DTYPES = ("float32", "float64", "uint8")


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
    ends in one pixel, where a box may have a rule of its own.
    """

    x: Array
    y: Array
    whole: str | None = None
    question: Question | None = None
    one_pixel: bool = False

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


class Measured:
    """The operator of one axis as it was measured, its constant, and its middle.

    Columns that were not lit (long axes) are NaN; ``lit`` lists those that were.
    ``sums`` are the rows' sums, measured on flat pictures.
    ``noise`` is what a weight may be off by the box's own rounding.
    """

    def __init__(
        self,
        matrix: FloatArray,
        offset: FloatArray,
        lit: Array,
        sums: FloatArray,
        noise: float,
    ) -> None:
        self.m, self.n = matrix.shape
        self.matrix, self.offset, self.lit = matrix, offset, lit
        self.sums, self.noise = sums, noise
        self.rows = spread(self.m, ROWS)
        self.w = np.nan_to_num(matrix[self.rows])
        told = np.where(np.abs(self.w) > 2 * noise, self.w, 0.0)
        size, total = np.abs(told).max(1), told.sum(1)
        ends = np.abs(told[:, [0, 1, -2, -1]]).max(1) if self.n > 3 else size
        whole = np.abs(total - 1) < 0.05 if len(lit) < self.n else total > 0.1
        self.middle = (ends == 0) & (size > 0) & whole
        self.centroids = told @ np.arange(self.n) / np.where(whole, total, 1.0)
        self.picks = bool(np.all((told == 0) | (np.abs(told - 1) <= 2 * noise)))

    @property
    def sizes(self) -> Sizes:
        """(n_in, n_out)."""
        return self.n, self.m

    def line(self) -> tuple[float, float] | None:
        """Return (start, step) of a straight line through the centroids."""
        i = self.rows[self.middle]
        if len(i) < FEW:
            return None
        step, start = np.polyfit(i, self.centroids[self.middle], 1)
        return float(start), float(step)


class Refused(ValueError):  # noqa: N818 (it says what happened)
    """The resizer did not answer a question."""


@dataclass
class Subject:
    """A resizer that is asked, and what is known of how it must be asked.

    To iterate is to go through its answers: each question is asked once.
    ``dtype`` is the type whose numbers it works on, ``cast`` the one it is given them
    in, if another; ``result`` the integer type of its numbers, if they are whole;
    ``swapped`` says that it takes (width, height), ``transposed`` that it resizes the
    transposed input.
    """

    resizer: Resizer
    fixed: tuple[Pair, Pair] | None = None
    dtype: str = "float32"
    cast: str | None = None
    result: str | None = None
    swapped: bool = False
    transposed: bool = False
    asked: int = 0
    precision: float = 0.0
    refused: list[str] = field(default_factory=list)
    known: dict[Any, list[Observation | None]] = field(default_factory=dict)

    def levels(self) -> tuple[float, float]:
        """Return a grey, and how far from it a pixel is lit without clipping."""
        if np.dtype(self.dtype).kind == "f":
            return 0.5, 0.25
        low, high = limits(self.dtype)
        return (low + high + 1) // 2, round(LIT * (high - low))

    def noise(self) -> float:
        """Return what a weight may be off by the rounding of the answers."""
        whole = 0.6 / self.levels()[1] if self.result else 0.0
        return max(FLOATS, whole, 4 * self.precision)

    def ask(self, x: Array, shape: Pair) -> Array:
        """Return what the resizer makes of ``x``, or raise Refused with its words."""
        self.asked += 1
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
    said: list[str] = []
    for dtype in DTYPES:
        subject.dtype = dtype
        for question in (q for q in subject.questions() if min(q.shape_in) > 1):
            # 0 … 255 with fractions: a cast to whole numbers shows.
            x = question.picture("float64") * 254 + 0.75
            try:
                y = subject.ask(x.astype(dtype), question.shape)
            except Refused as error:
                said.append(str(error))
                if len(said) > MOST_REFUSED:
                    break
                continue
            _settle(subject, x.astype(dtype), question.shape, y)
            return subject
    raise ValueError(f"the resizer answered no question; the first: {said[0]}")


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
