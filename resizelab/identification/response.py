"""Read the operator of one axis out of a black box, and how the box behaves besides."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.checks import FloatArray
from resizelab.identification.candidates import spread
from resizelab.identification.probing import Pair, Refused, Subject

Array = NDArray[Any]
Sizes = tuple[int, int]  # of one axis: n_in, n_out

HEIGHT, WIDTH = 0, 1
AXES = {"height": HEIGHT, "width": WIDTH}
# Sizes whose operators show the ideas, all odd: the first two that are answered.
GROWN = ((19, 43), (24, 35), (11, 32), (7, 12))
SHRUNK = ((43, 17), (47, 29), (32, 11), (13, 5))
TIED = ((8, 16), (16, 8))  # where what picks pixels reads between two of them
ENOUGH = 2
KEPT = 9  # pixels of the axis that keeps its size; its middle line is read
IMPULSES = 64  # of a longer axis only so many pixels are lit, both ends among them
ROWS = 96  # of a long axis so many rows are looked at
WIDER = 1.25  # than that of a lit pixel: how far a kernel overshoots
FEW = 3  # rows of the middle that a line needs, at the least
TOLD = 3e-4  # difference between two operators that noise cannot explain
LINEAR = 1e-4  # departure from linearity that float32 cannot explain


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


def answered(subject: Subject, axis: str, sizes: tuple[Sizes, ...]) -> list[Measured]:
    """Return the operators at the first sizes that are answered."""
    k = AXES[axis]
    if subject.fixed is not None:
        own = subject.fixed[0][k], subject.fixed[1][k]
        # It has one pair of sizes: it grows, or it shrinks.
        sizes = (own,) if sizes is not SHRUNK else ()
    found: list[Measured] = []
    for n, m in sizes:
        try:
            found.append(operator(subject, k, n, m))
        except Refused:
            continue  # other sizes may do; the questions have recorded such words
        if len(found) == ENOUGH:
            break
    return found


def operator(subject: Subject, axis: int, n: int, m: int) -> Measured:
    """Return the operator from n to m pixels; raises Refused as the subject does.

    Pixels are lit and darkened on grey, where no engine clips. Far from the line that
    is read stand the ends of the range: some clip to what the input holds.
    """
    both = ((KEPT, n), (KEPT, m)) if axis == WIDTH else ((n, KEPT), (m, KEPT))
    shape_in, shape = subject.fixed or both
    grey, swing = subject.levels()
    lit = spread(n, IMPULSES)
    flat = np.full(shape_in, grey)

    def line(x: FloatArray) -> FloatArray:
        y = subject.ask(x.astype(subject.dtype), shape)
        return _middle(y, axis, m)

    matrix = np.full((m, n), np.nan)
    for j in lit:
        answers = []
        for sign in (1, -1):
            x = flat.copy()
            x[(slice(None), j) if axis == WIDTH else j] += sign * swing
            if subject.fixed is None:
                x[0, 0], x[-1, -1] = grey - swing * WIDER, grey + swing * WIDER
            answers.append(line(x))
        matrix[:, j] = (answers[0] - answers[1]) / (2 * swing)
    high, low = (line(np.full(shape_in, grey + s * swing)) for s in (1, -1))
    sums = (high - low) / (2 * swing)
    offset = line(flat) - sums * grey
    return Measured(matrix, offset, lit, sums, subject.noise())


def _middle(y: Array, axis: int, m: int) -> FloatArray:
    line = y[len(y) // 2] if axis == WIDTH else y[:, y.shape[1] // 2]
    if line.shape != (m,):
        raise Refused(f"the result has {len(line)} pixels where {m} were asked for")
    return line.astype(np.float64)


def behaviour(subject: Subject) -> list[str]:
    """Return remarks on what no table of one-axis operators can hold.

    Not linear, not separable, one axis depending on the other: each is tried on random
    pictures, on three sizes.
    """
    tried = (((13, 11), (8, 17)), ((8, 9), (13, 15)), ((15, 14), (7, 9)))
    found: list[str] = []
    for shape_in, shape in tried if subject.fixed is None else (subject.fixed,):
        found = found or _one_by_one(subject, shape_in, shape)
    return found + _other_axis(subject)


def asked(subject: Subject, x: Array, shape: Pair) -> FloatArray | None:
    """Return what becomes of a picture in -1 … 1, in its own units; None if refused.

    Zero is grey there, and what becomes of grey is left in.
    """
    grey, swing = subject.levels()
    x = grey + swing * x
    try:
        y = subject.ask((np.rint(x) if grey > 1 else x).astype(subject.dtype), shape)
    except Refused:
        return None
    return y.astype(np.float64) / swing if y.shape == shape else None


def _one_by_one(subject: Subject, shape_in: Pair, shape: Pair) -> list[str]:
    rng = np.random.default_rng(11)
    a, b, u, v = (rng.uniform(-1, 1, n) for n in (shape_in, shape_in, *shape_in))
    pictures = (a * 0, a, b, 0.5 * a + 0.25 * b, np.outer(u, v))
    dark, one, two, both, crossed = (asked(subject, x, shape) for x in pictures)
    if dark is None or one is None or two is None or both is None:
        return []
    expected = dark + 0.5 * (one - dark) + 0.25 * (two - dark)
    gap = float(np.abs(both - expected).max())
    if not gap <= LINEAR + 4 * subject.noise():
        return [
            f"not linear: half the input is not half the output ({gap:.2g}); what is "
            "fitted holds around a middle grey"
        ]
    if crossed is not None and min(shape) > 1:
        rest = np.linalg.svd(crossed - dark, compute_uv=False)
        # The singular values of noise alone grow as the root of the sizes.
        blur = subject.noise() * sum(n**0.5 for n in shape)
        if rest[1] > LINEAR * rest[0] + (blur if subject.result else 0.0):
            return ["not separable: the axes are not resized one by one"]
    return []


def _other_axis(subject: Subject) -> list[str]:
    if subject.fixed is not None:
        return []
    line = np.random.default_rng(12).uniform(-1, 1, 12)
    for n, m in ((12, 7), (12, 18), (12, 12)):
        for axis, name in ((WIDTH, "width"), (HEIGHT, "height")):
            answers = []
            for other in (6, 12, 19):
                x, shape = np.tile(line[:n], (12, 1)), (other, m)
                if axis == HEIGHT:
                    x, shape = x.T, (m, other)
                y = asked(subject, x, shape)
                if y is not None:
                    answers.append(_middle(y, axis, m))
            gaps = [float(np.abs(a - answers[0]).max()) for a in answers]
            if max(gaps, default=0.0) > TOLD + 2 * subject.noise():
                return [
                    f"depends on the other axis: {name} {n} to {m} is resized otherwise"
                    " when the other axis grows, shrinks or is kept"
                ]
    return []
