"""Explain a resizer that no recorded convention reproduces: its ideas, what is odd."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.axis.operator import Weights
from resizelab.checks import FloatArray
from resizelab.identification import choosing, scores
from resizelab.identification.candidates import Candidate, candidates
from resizelab.identification.fitted import Fitted
from resizelab.identification.probing import Subject
from resizelab.identification.report import CLIPPED, Report
from resizelab.identification.response import (
    AXES,
    GROWN,
    KEPT,
    SHRUNK,
    TOLD,
    Measured,
    Sizes,
    answered,
    asked,
    behaviour,
)

# Sizes of the ideas' last test: whole ratios with ties, mixed ways, an axis kept.
OTHERS = (
    *(((17, 9), (8, 27)), ((24, 16), (12, 40)), ((16, 21), (56, 14))),
    *(((10, 30), (15, 10)), ((36, 11), (16, 11)), ((12, 19), (24, 50))),
    ((13, 9), (33, 17)),
)
TIES = "a position that lies exactly between two pixels may take either, by rounding"
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
    remarks = remarks + behaviour(subject)
    for axis in AXES:
        seen = [s for some in (GROWN, SHRUNK) for s in answered(subject, axis, some)]
        ideas = choosing.explained(seen)
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
    off: dict[bool, list[str]] = {False: [], True: []}  # by whether it is clipped
    tried = 0
    for before, after in OTHERS if subject.fixed is None else ():
        ws = [_built(fitted, a, before[k], after[k]) for a, k in AXES.items()]
        if ws[0] is None or ws[1] is None:
            continue
        x = np.random.default_rng(13).uniform(-1, 1, before)
        grey, y = (asked(subject, picture, after) for picture in (0 * x, x))
        if grey is None or y is None or y.shape != after:
            continue
        tried, made = tried + 1, ws[0] @ x @ ws[1].T
        for clips in off:
            ours = made.clip(x.min(), x.max()) if clips else made
            gap = float(np.abs(ours - (y - grey)).max())
            if gap > TOLD + 4 * subject.noise():
                sizes = "{} x {} to {} x {}".format(*before, *after)
                off[clips].append(f"{sizes} by {gap:.2g}")
    remarks = [TIES] if any(one.steep for one in fitted.values()) else []
    if not off[False]:
        return remarks
    if not off[True]:
        return [CLIPPED, *remarks]
    first, count = off[False][0], len(off[False])
    said = f"built again at {tried} other sizes, it is off at {count}: {first}"
    return [said, *remarks]


def _built(
    fitted: Mapping[str, Fitted], axis: str, n: int, m: int
) -> FloatArray | None:
    """Return the operator that a fit says an axis has, or None if it says nothing."""
    way = " where it grows" if m >= n else " where it shrinks"
    one = fitted.get(axis) or fitted.get(axis + way)
    says = one and one.fits and not one.blurs and (one.rule or one.spec)
    return one.operator(n, m) if one and says else None


def operators(subject: Subject, *sizes: Sizes) -> dict[str, Weights]:
    """Return the measured operator of each axis, at the first sizes answered."""
    found: dict[str, Weights] = {}
    for axis in AXES:
        found.update(_whole(axis, answered(subject, axis, sizes)))
    return found


def _whole(axis: str, seen: list[Measured]) -> dict[str, Weights]:
    for one in seen:
        if not np.isnan(one.matrix).any():
            constant = one.offset if np.abs(one.offset).max() > TOLD else None
            return {axis: Weights.from_dense(one.matrix, constant)}
    return {}


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
