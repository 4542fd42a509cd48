"""Explain a resizer that no recorded convention reproduces: its ideas, what is odd."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.axis.operator import Weights
from resizelab.identification import fitting, response, scores
from resizelab.identification.candidates import Candidate, candidates
from resizelab.identification.ideas import ideas as fitted_ideas
from resizelab.identification.ideas import ideas_that_differ
from resizelab.identification.probing import Refused, Subject
from resizelab.identification.report import Fitted, Report
from resizelab.identification.response import AXES, Response

Sizes = tuple[int, int]
Responses = dict[Sizes, Response]
Matches = Mapping[str, tuple[str, ...]]

# Sizes whose operators show the ideas: two that grow, two that shrink, all odd.
FITTED = ((19, 43), (24, 35), (43, 17), (47, 29))
WHOLE = 0.02  # an error of a weight that rounding to whole numbers explains


def explained(
    subject: Subject, compared: scores.Comparison, title: str, remarks: list[str]
) -> Report:
    """Return the report where no convention gives the same numbers."""
    nearest = scores.nearest(compared.scores, ())
    fitted: dict[str, Fitted] = {}
    measured: dict[str, Weights] = {}
    matches: dict[str, Matches] = {}
    for axis in AXES:
        responses = _responses(subject, axis, FITTED)
        if not responses:
            continue
        found = fitted_ideas(responses)
        if found is not None:
            fitted[axis] = found
        matches[axis] = _matching(responses, AXES[axis], subject)
        measured.update(_whole(axis, responses))
    remarks = remarks + response.behaviour(subject) + _compared(fitted, matches)
    if nearest is not None and fitted:
        row = next(c for c in candidates("float32") if nearest.name in c.names)
        ideas = next(iter(fitted.values()))
        differs = ideas_that_differ(ideas, row.convention)
        nearest = replace(nearest, differs=differs)
    return Report(
        subject=title,
        nearest=nearest,
        fitted=fitted,
        remarks=tuple(remarks),
        operators=measured,
    )


def operators(subject: Subject, sizes: tuple[Sizes, ...]) -> dict[str, Weights]:
    """Return the measured operator of each axis, at the first sizes answered."""
    found: dict[str, Weights] = {}
    for axis in AXES:
        found.update(_whole(axis, _responses(subject, axis, sizes)))
    return found


def _whole(axis: str, responses: Responses) -> dict[str, Weights]:
    for r in responses.values():
        if not np.isnan(r.matrix).any():
            constant = r.offset if np.abs(r.offset).max() > fitting.EMPTY else None
            return {axis: Weights.from_dense(r.matrix, constant)}
    return {}


def _responses(
    subject: Subject, axis: str, sizes: tuple[tuple[int, int], ...]
) -> Responses:
    if subject.fixed is not None:
        k = AXES[axis]
        sizes = ((subject.fixed[0][k], subject.fixed[1][k]),)
    found: Responses = {}
    for n, m in sizes:
        try:
            found[n, m] = response.operator(subject, AXES[axis], n, m)
        except Refused:
            continue  # other sizes may do; the questions have recorded such words
    return found


def _matching(responses: Responses, axis: int, subject: Subject) -> Matches:
    """Return whose operator one axis has: the ``whole``, or the ``middle`` only."""
    whole: list[Candidate] = []
    middle: list[Candidate] = []
    noise = scores.NOISE if np.dtype(subject.dtype).kind == "f" else WHOLE
    for c in candidates("float32"):
        worst = inner = 0.0
        for (n, m), r in responses.items():
            gap = _gap(c, axis, n, m, r)
            if gap is None:
                worst = inner = float("inf")
                break
            rows = fitting.Measured((n, m), r).middle
            worst = max(worst, float(gap.max()))
            if gap.shape[0] == len(rows) and rows.any():
                inner = max(inner, float(gap[rows].max()))
            else:
                inner = worst
            if min(worst, inner) > noise:
                break
        whole += [c] if worst <= noise else []
        middle += [c] if inner <= noise else []
    return {"whole": scores.names_of(whole), "middle": scores.names_of(middle)}


def _gap(
    c: Candidate, axis: int, n: int, m: int, r: Response
) -> NDArray[np.floating[Any]] | None:
    kept = response.KEPT
    shape_in, shape = ((n, kept), (m, kept)) if axis == 0 else ((kept, n), (kept, m))
    try:
        plan = c.plan(shape_in, shape, np.float32)
    except (ValueError, TypeError, LookupError):
        return None
    w = dict(plan.work)[axis]
    if w.shape != (m, n):
        return None
    gap: NDArray[np.floating[Any]] = np.abs(w.dense() - r.matrix)[:, r.lit]
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
    for c in candidates("float32"):
        differs = ideas_that_differ(fitted, c.convention)
        if "grid" in differs and set(differs) <= {"grid", "boundary"}:
            return [f"same kernel, other grid: the kernel is that of {c.names[0]}"]
    return []
