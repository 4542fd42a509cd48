"""Explain a resizer that no recorded convention reproduces: its ideas, what is odd."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.axis.operator import Weights
from resizelab.checks import FloatArray
from resizelab.identification import fitting, scores
from resizelab.identification.candidates import Candidate, candidates, spread
from resizelab.identification.families import Fitted
from resizelab.identification.probing import Measured, Pair, Refused, Sizes, Subject
from resizelab.identification.report import Report

Array = NDArray[Any]
Matches = Mapping[str, tuple[str, ...]]

HEIGHT, WIDTH = 0, 1
AXES = {"height": HEIGHT, "width": WIDTH}
# Sizes whose operators show the ideas, all odd: the first two that are answered.
GROWN = ((19, 43), (24, 35), (11, 32), (7, 12))
SHRUNK = ((43, 17), (47, 29), (32, 11), (13, 5))
ENOUGH = 2
KEPT = 9  # pixels of the axis that keeps its size; its middle line is read
IMPULSES = 64  # of a longer axis only so many pixels are lit, both ends among them
TOLD = 3e-4  # difference between two operators that noise cannot explain
LINEAR = 1e-4  # departure from linearity that float32 cannot explain


def explained(
    subject: Subject, found: scores.Comparison, title: str, remarks: list[str]
) -> Report:
    """Return the report where no convention gives the same numbers."""
    nearest = scores.nearest(found.scores, ())
    fitted: dict[str, Fitted] = {}
    measured: dict[str, Weights] = {}
    matches: dict[str, Matches] = {}
    remarks = remarks + behaviour(subject)
    for axis in AXES:
        seen = [s for some in (GROWN, SHRUNK) for s in _answered(subject, axis, some)]
        ideas = fitting.explained(seen)
        fitted.update({axis + where: one for where, one in ideas.items()})
        matches[axis] = _matching(seen, AXES[axis])
        measured.update(_whole(axis, seen))
    remarks += _compared(fitted, matches)
    if nearest is not None and fitted:
        row = next(c for c in candidates("float32") if nearest.name in c.names)
        differs = next(iter(fitted.values())).differs(row.convention)
        nearest = replace(nearest, differs=differs)
    return Report(
        subject=title,
        nearest=nearest,
        fitted=fitted,
        remarks=tuple(remarks),
        operators=measured,
    )


def operators(subject: Subject, *sizes: Sizes) -> dict[str, Weights]:
    """Return the measured operator of each axis, at the first sizes answered."""
    found: dict[str, Weights] = {}
    for axis in AXES:
        found.update(_whole(axis, _answered(subject, axis, sizes)))
    return found


def _whole(axis: str, seen: list[Measured]) -> dict[str, Weights]:
    for one in seen:
        if not np.isnan(one.matrix).any():
            constant = one.offset if np.abs(one.offset).max() > TOLD else None
            return {axis: Weights.from_dense(one.matrix, constant)}
    return {}


def _answered(subject: Subject, axis: str, sizes: tuple[Sizes, ...]) -> list[Measured]:
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

    Pixels are lit and darkened on grey, where no engine clips.
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


def _matching(seen: list[Measured], axis: int) -> Matches:
    """Return whose operator one axis has: the ``whole``, or the ``middle`` only."""
    found: dict[str, list[Candidate]] = {"whole": [], "middle": []}
    for c in candidates("float32") if seen else ():
        worst = inner = 0.0
        for one in seen:
            gap = _gap(c, axis, one) / max(1.0, one.noise / scores.NOISE)
            worst = max(worst, float(gap.max()))
            rows = one.middle if gap.shape[:1] == one.middle.shape else slice(None)
            inner = max(inner, float(gap[rows].max(initial=0)))
            if min(worst, inner) > scores.NOISE:
                break
        found["whole"] += [c] if worst <= scores.NOISE else []
        found["middle"] += [c] if inner <= scores.NOISE else []
    return {place: scores.names_of(some) for place, some in found.items()}


def _gap(c: Candidate, axis: int, one: Measured) -> FloatArray:
    """Return how far a candidate's operator is off; infinity where it has none."""
    before, after = ((n, KEPT)[:: 1 - 2 * axis] for n in one.sizes)
    try:
        plan = c.plan(before, after, np.float32)
    except (ValueError, TypeError, LookupError):
        return np.full((1, 1), np.inf)
    w = dict(plan.work)[axis]
    if w.shape != (one.m, one.n):
        return np.full((1, 1), np.inf)
    gap: FloatArray = np.abs(w.dense()[one.rows] - one.w)[:, one.lit]
    return gap


def _compared(
    fitted: Mapping[str, Fitted], matches: Mapping[str, Matches]
) -> list[str]:
    """Return remarks on what of the ideas is a known convention's."""
    found: list[str] = []
    whole = {axis: m["whole"] for axis, m in matches.items() if m["whole"]}
    for axis, names in whole.items():
        more = f" (and {len(names) - 1} more)" if len(names) > 1 else ""
        found.append(f"{axis} alone is resized as by {names[0]}{more}")
    middle = {axis: m["middle"] for axis, m in matches.items() if m["middle"]}
    if len(middle) == len(AXES) and not whole:
        both = [n for n in middle["height"] if n in middle["width"]]
        if both:
            found.append(f"border only: away from the border it is {both[0]}")
    elif not whole and fitted:
        found += _same_kernel(next(iter(fitted.values())))
    return found


def _same_kernel(fitted: Fitted) -> list[str]:
    for c in candidates("float32") if fitted.fits else ():
        differs = fitted.differs(c.convention)
        if "grid" in differs and set(differs) <= {"grid", "boundary"}:
            return [f"same kernel, other grid: the kernel is that of {c.names[0]}"]
    return []


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


def _asked(subject: Subject, x: Array, shape: Pair) -> FloatArray | None:
    """Return what becomes of a picture in -1 … 1, in its own units; None if refused."""
    grey, swing = subject.levels()
    x = grey + swing * x
    try:
        y = subject.ask((np.rint(x) if grey > 1 else x).astype(subject.dtype), shape)
    except Refused:
        return None
    return y.astype(np.float64) / swing


def _one_by_one(subject: Subject, shape_in: Pair, shape: Pair) -> list[str]:
    rng = np.random.default_rng(11)
    a, b, u, v = (rng.uniform(-1, 1, n) for n in (shape_in, shape_in, *shape_in))
    pictures = (a * 0, a, b, 0.5 * a + 0.25 * b, np.outer(u, v))
    dark, one, two, both, crossed = (_asked(subject, x, shape) for x in pictures)
    if dark is None or one is None or two is None or both is None:
        return []
    expected = dark + 0.5 * (one - dark) + 0.25 * (two - dark)
    gap = float(np.abs(both - expected).max())
    if not gap <= LINEAR + 4 * subject.noise():
        return [f"not linear: half the input is not half the output ({gap:.2g})"]
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
                y = _asked(subject, x, shape)
                if y is not None and y.shape == shape:
                    answers.append(_middle(y, axis, m))
            gaps = [float(np.abs(a - answers[0]).max()) for a in answers]
            if max(gaps, default=0.0) > TOLD + 2 * subject.noise():
                return [
                    f"depends on the other axis: {name} {n} to {m} is resized otherwise"
                    " when the other axis grows, shrinks or is kept"
                ]
    return []
