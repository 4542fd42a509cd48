"""Name the resize between one input and one output."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.arrays import layouts
from resizelab.catalog.separation import probe
from resizelab.identification import scores
from resizelab.identification.alterations import altered
from resizelab.identification.candidates import (
    LARGE,
    Candidate,
    Place,
    candidates,
    stages,
    with_scales,
)
from resizelab.identification.probing import Observation, Question, questions
from resizelab.identification.report import Report
from resizelab.identification.scores import NOISE, Comparison, predicted
from resizelab.measure import operator_difference

Array = NDArray[Any]

GLANCE = 8  # outputs an axis at which every candidate is compared
RANKED = 5  # candidates that fit, and that do not, that a report ranks
PARTED_BY = 14  # questions that sort candidates into sets
ENOUGH = 12  # sets; a pair that leaves so many open says little of any
SMALL = 2**16  # pixels; of larger pairs the sizes say what scale was given


def identify(x: Any, y: Any, layout: str | None = None) -> Report:
    """Return which conventions make ``y`` of ``x``; see `identification.identify`."""
    x, y = layouts.arrays(x, y)
    layout = layout or layouts.guessed(x.shape, y.shape)
    axes = layouts.spatial(layout, x.ndim)
    others = [k for k in range(x.ndim) if k not in axes]
    if any(x.shape[k] != y.shape[k] for k in others):
        raise ValueError(
            f"layout={layout!r}: channels and batch must agree; got shapes {x.shape} "
            f"and {y.shape}"
        )
    a, b = layouts.stacked(x, axes), layouts.stacked(y, axes)
    found = _compared(a, b)
    if not found.fitting:
        found, a, b = _undone(found, a, b)
    return _report(
        found, a, b, f"{layout}, {_by(x.shape)} to {_by(y.shape)}, {y.dtype}"
    )


def _by(sizes: Sequence[int]) -> str:
    return " x ".join(map(str, sizes))


def _undone(found: Comparison, x: Array, y: Array) -> tuple[Comparison, Array, Array]:
    """Look for what else was done; keep the first alteration that explains the pair."""
    first = ""
    for other in altered(x, y):
        tried = _compared(other.x, other.y, other.place)
        tried.said = other.said
        if tried.fitting:
            return tried, other.x, other.y
        first = first or other.said
    found.said = first.replace("; undone here", "").replace("; cut out here", "")
    return found, x, y


def _compared(x: Array, y: Array, place: Place | None = None) -> Comparison:
    whole = y.dtype.name if y.dtype.kind in "iu" else None
    # A few outputs leave few candidates, that are compared on all of them.
    every = GLANCE, LARGE
    seen = [Observation(x, y, whole, scaled=not whole, most=most) for most in every]
    own = list(stages(x.dtype.name, whole, scaled=not whole))
    if place is not None:
        placed = ((replace(c, place=place) for c in some) for some in own)
        return scores.first_fitting(placed, seen, 1)
    found = scores.first_fitting(own, seen, 1)
    # Rows that carry the very scale are not alone: others take one too.
    carried = sum(_carries(s.candidate) for s in found.fitting)
    if 2 * carried < len(found.fitting) or x.size + y.size > SMALL:
        return found
    sizes = x.shape[:-1], y.shape[:-1]
    scaled = scores.first_fitting((with_scales(some, *sizes) for some in own), seen, 1)
    return Comparison(found.scores + scaled.scores, found.answered)


def _carries(candidate: Candidate) -> bool:
    c = candidate.convention
    return c.scale is not None and c.spec.step_from != "sizes"


def _report(found: Comparison, x: Array, y: Array, sizes: str) -> Report:
    fitting = found.fitting
    names = scores.names_of(s.candidate for s in fitting)
    remarks = ([found.said] if found.said else []) + scores.remarks(fitting)
    if fitting and fitting[0].candidate.scale is not None:
        told = " x ".join(f"{s:.6g}" for s in fitting[0].candidate.scale)
        remarks.insert(bool(found.said), f"with a scale given: {told}")
    sets = parted([s.candidate for s in fitting])
    if len(sets) > 1:
        remarks.append(_cannot_tell(sets, [s.candidate for s in fitting], x, y))
    others = [s for s in found.scores if np.isfinite(s.typical) and not s.fits]
    others = sorted(others, key=lambda s: s.typical)[:RANKED]
    whole = y.dtype.name if y.dtype.kind in "iu" else None
    others = scores.scored(
        (s.candidate for s in others), [Observation(x, y, whole)]
    ).scores
    others.sort(key=lambda s: s.typical)
    return Report(
        subject=f"a pair, {sizes}",
        same=names,
        nearest=scores.nearest(others, names),
        remarks=tuple(remarks),
        ambiguous=sets if len(sets) > 1 else (),
        ranked=tuple(scores.miss(s) for s in [*fitting[:RANKED], *others]),
    )


def _cannot_tell(
    sets: Sequence[tuple[str, ...]], fitting: Sequence[Candidate], x: Array, y: Array
) -> str:
    """Return why this pair cannot tell, and which pair could."""
    by_name = {n: c for c in fitting for n in c.names}
    a, b = by_name[sets[0][0]], by_name[sets[1][0]]
    told = f"this pair cannot tell {sets[0][0]} from {sets[1][0]}"
    more = f" (nor {len(sets) - 2} sets more)" if len(sets) > 2 else ""
    before, after = x.shape[:-1], y.shape[:-1]
    plans = [c.plan(x.shape, after, np.float32).work for c in (a, b)]
    apart = max(
        operator_difference(dict(plans[0])[k], dict(plans[1])[k])
        for k in range(len(before))
    )
    if apart > NOISE:
        return (
            f"{told}{more}, because the picture is too plain where they differ (they "
            f"could differ by {apart:.2g} of its range); send one with noise, up to "
            "the borders"
        )
    try:
        best = probe(a.convention, b.convention)
    except ValueError:
        best = None
    if best is None or best.difference <= NOISE:
        return f"{told}{more}, because at these sizes their numbers are the same"
    return (
        f"{told}{more}, because at these sizes their numbers are the same; send one "
        f"whose axis goes from {_by(best.n_in)} to {_by(best.n_out)} "
        f"(they differ by {best.difference:.2g})"
    )


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
        said = predicted(_as_recorded(c), question, "float32")
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
