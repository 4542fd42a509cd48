"""Name the resize between one input and one output."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.arrays import layouts
from resizelab.catalog.separation import probe
from resizelab.identification import scores
from resizelab.identification.alterations import altered
from resizelab.identification.candidates import Candidate, stages, with_scales
from resizelab.identification.probing import Observation
from resizelab.identification.report import Report
from resizelab.identification.scores import NOISE, Comparison
from resizelab.measure import operator_difference

Array = NDArray[Any]

RANKED = 5  # candidates that fit, and that do not, that a report ranks
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
        tried = _compared(other.x, other.y)
        tried.said = other.said
        if tried.fitting:
            return tried, other.x, other.y
        first = first or other.said
    found.said = first.replace("; undone here", "").replace("; cut out here", "")
    return found, x, y


def _compared(x: Array, y: Array) -> Comparison:
    seen = [Observation(x, y, y.dtype.name if y.dtype.kind in "iu" else None)]
    own = list(stages(x.dtype.name, seen[0].whole))
    found = scores.first_fitting(own, seen)
    # Rows that carry the very scale are not alone: others take one too.
    carried = sum(_carries(s.candidate) for s in found.fitting)
    if 2 * carried < len(found.fitting) or x.size + y.size > SMALL:
        return found
    sizes = x.shape[:-1], y.shape[:-1]
    scaled = scores.first_fitting((with_scales(some, *sizes) for some in own), seen)
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
    sets = scores.parted([s.candidate for s in fitting])
    if len(sets) > 1:
        remarks.append(_cannot_tell(sets, [s.candidate for s in fitting], x, y))
    others = [s for s in found.scores if np.isfinite(s.typical) and not s.fits]
    others = sorted(others, key=lambda s: s.typical)[:RANKED]
    return Report(
        subject=f"a pair, {sizes}",
        same=names,
        nearest=scores.nearest(found.scores, names),
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
