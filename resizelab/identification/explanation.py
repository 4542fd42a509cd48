"""Explain a resizer that no recorded convention reproduces: its ideas, what is odd."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.axis.operator import Weights
from resizelab.checks import FloatArray
from resizelab.identification import choosing, response, scores
from resizelab.identification.candidates import Candidate, candidates
from resizelab.identification.families import STEEP
from resizelab.identification.fitted import Fitted
from resizelab.identification.probing import Subject
from resizelab.identification.report import CLIPPED, Report
from resizelab.identification.response import AXES

# Sizes of the ideas' last test: whole ratios with ties, mixed ways, an axis kept.
OTHERS = (
    *(((17, 9), (8, 27)), ((24, 16), (12, 40)), ((16, 21), (56, 14))),
    *(((10, 30), (15, 10)), ((36, 11), (16, 11)), ((12, 19), (24, 50))),
    ((13, 9), (33, 17)),
)
TIES = (
    "a position exactly on the edge of a pixel or a step may take either, by rounding"
)
Array = NDArray[Any]
Matches = Mapping[str, tuple[str, ...]]


def explained(
    subject: Subject, found: scores.Comparison, title: str, remarks: list[str]
) -> Report:
    """Return the report where no convention gives the same numbers."""
    nearest = scores.nearest(found.scores, ())
    fitted: dict[str, Fitted] = {}
    measured: dict[str, Weights] = {}
    matches: dict[str, Matches] = {}
    remarks = remarks + response.behaviour(subject)
    for axis in AXES:
        both = (response.GROWN, response.SHRUNK)
        seen = [s for some in both for s in response.answered(subject, axis, some)]
        ideas = choosing.explained(seen)
        if any(one.spec for one in ideas.values()):  # it picks; and between two pixels?
            ties = response.answered(subject, axis, response.TIED)
            tied = choosing.explained(seen + ties)
            ideas = tied if all(one.fits for one in tied.values()) else ideas
        fitted.update({axis + where: one for where, one in ideas.items()})
        matches[axis] = _matching(seen, AXES[axis])
        measured.update(_whole(axis, seen))
    remarks += _compared(fitted, matches) + _rebuilt(subject, fitted)
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


def _rebuilt(subject: Subject, fitted: Mapping[str, Fitted]) -> list[str]:
    """Return remarks if ideas that fit do not make whole pictures of other sizes."""
    steep = any(one.bits or one.kernel in STEEP for one in fitted.values())
    remarks = [TIES] if steep else []
    gaps = []  # as it is built, and clipped to the picture's range
    for before, after in OTHERS if subject.fixed is None else ():
        tall, wide = (_of(fitted, a, before[k], after[k]) for a, k in AXES.items())
        x = np.random.default_rng(13).uniform(-1, 1, before)
        grey, y = (response.asked(subject, picture, after) for picture in (0 * x, x))
        if tall is None or wide is None or grey is None or y is None:
            continue
        made = tall @ x @ wide.T
        both = (made, made.clip(x.min(), x.max()))
        gaps.append([float(np.abs(one - (y - grey)).max()) for one in both])
    off = [gap for gap in gaps if gap[0] > response.TOLD + 4 * subject.noise()]
    if not off:
        return remarks
    if max(gap[1] for gap in gaps) <= response.TOLD + 4 * subject.noise():
        return [CLIPPED, *remarks]
    told = f"it is off at {len(off)}, by up to {max(off)[0]:.2g}"
    return [f"built again at {len(gaps)} other sizes, {told}", *remarks]


def _of(fitted: Mapping[str, Fitted], axis: str, n: int, m: int) -> FloatArray | None:
    """Return the operator that a fit says an axis has, or None if it says nothing."""
    way = " where it grows" if m >= n else " where it shrinks"
    one = fitted.get(axis) or fitted.get(axis + way)
    says = one and one.fits and not one.blurs and (one.rule or one.spec)
    return one.operator(n, m) if one and says else None


def operators(subject: Subject, *sizes: response.Sizes) -> dict[str, Weights]:
    """Return the measured operator of each axis, at the first sizes answered."""
    each = [_whole(k, response.answered(subject, k, sizes)) for k in AXES]
    return {axis: w for found in each for axis, w in found.items()}


def _whole(axis: str, seen: list[response.Measured]) -> dict[str, Weights]:
    for one in seen:
        if not np.isnan(one.matrix).any():
            constant = one.offset if np.abs(one.offset).max() > response.TOLD else None
            return {axis: Weights.from_dense(one.matrix, constant)}
    return {}


def _matching(seen: list[response.Measured], axis: int) -> Matches:
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


def _gap(c: Candidate, axis: int, one: response.Measured) -> FloatArray:
    """Return how far a candidate's operator is off; infinity where it has none."""
    before, after = ((n, response.KEPT)[:: 1 - 2 * axis] for n in one.sizes)
    try:
        w = dict(c.plan(before, after, np.float32).work)[axis]
    except (ValueError, TypeError, LookupError):
        return np.full((1, 1), np.inf)
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
