"""Name the resize between one input and one output."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.axis.convention import Convention
from resizelab.identification import classes, layouts
from resizelab.identification.alterations import altered
from resizelab.identification.candidates import (
    ROUNDINGS,
    Candidate,
    candidates,
    to_whole,
    with_scales,
)
from resizelab.identification.excerpts import compared
from resizelab.identification.report import Report
from resizelab.identification.separation import probe
from resizelab.identification.suspects import NOISE, Suspect
from resizelab.measure import operator_difference

Array = NDArray[Any]

RANKED = 5  # candidates that fit, and that do not, that a report ranks
SMALL = 2**16  # pixels; of larger pairs the sizes say what scale was given


@dataclass
class Comparison:
    """Every candidate compared with the pair, and those that fit."""

    suspects: list[Suspect]
    alive: list[Suspect]
    said: str = ""


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
    if not found.alive:
        found, a, b = _undone(found, a, b)
    return _report(found, a, b, f"{layout}, {_sizes(x)} to {_sizes(y)}, {y.dtype}")


def _sizes(x: Array) -> str:
    return " x ".join(map(str, x.shape))


def _undone(found: Comparison, x: Array, y: Array) -> tuple[Comparison, Array, Array]:
    """Look for what else was done; keep the first alteration that explains the pair."""
    first = ""
    for other in altered(x, y):
        tried = _compared(other.x, other.y)
        tried.said = other.said
        if tried.alive:
            return tried, other.x, other.y
        first = first or other.said
    found.said = first.replace("; undone here", "").replace("; cut out here", "")
    return found, x, y


def _compared(x: Array, y: Array) -> Comparison:
    unit = float(x.max()) - float(x.min()) or 1.0
    heard: list[Suspect] = []
    alive: list[Suspect] = []
    for scaled in (False, True) if x.size + y.size <= SMALL else (False,):
        for own in (True, False):
            some = list(_heard(x, y, unit, own, scaled))
            heard += some
            found = _fitting(some)
            alive += found
            if found:
                break
        # Rows that carry the very scale are not alone: others take one too.
        carried = sum(_carries(s.candidate.convention) for s in alive)
        if alive and 2 * carried < len(alive):
            break
    return Comparison(heard, alive)


def _carries(c: Convention) -> bool:
    return c.scale is not None and c.spec.step_from != "sizes"


def _heard(
    x: Array, y: Array, unit: float, own: bool, scaled: bool
) -> Iterator[Suspect]:
    """Yield candidates compared: the dtype's ``own`` rows, or floats then rounded."""
    integers, whole = x.dtype.kind in "iu", y.dtype.kind in "iu"
    if not integers and own == whole:
        return  # floats to whole numbers were rounded; floats to floats were not
    rounds = whole and not own
    source = x if own and x.dtype != np.float16 else x.astype(np.float32)
    level = 1.0 if whole else 0.0
    noise = max(NOISE, 2 * float(np.finfo(y.dtype).eps)) if not level else 0.0
    for c in _asked(source, y, scaled):
        said, answer = compared(c, source, y)
        small = not level and integers and np.abs(answer).max(initial=0) <= 2 < unit
        for rounding in ROUNDINGS if rounds else (None,):
            suspect = Suspect(replace(c, rounding=rounding) if rounding else c)
            values = said
            if rounding and said is not None:
                values = to_whole(said, rounding, y.dtype)
            elif level and said is not None and said.dtype.kind == "f":
                values = None  # a row that returns floats did not make whole numbers
            suspect.hear(values, answer, level, 1.0 if small else unit, noise)
            yield suspect


def _asked(x: Array, y: Array, scaled: bool) -> Iterator[Candidate]:
    some = candidates(x.dtype.name)
    yield from with_scales(some, x.shape[:-1], y.shape[:-1]) if scaled else some


def _fitting(heard: Sequence[Suspect]) -> list[Suspect]:
    alive = [s for s in heard if s.known]
    exact = [s for s in alive if not s.wrong]
    if exact:
        # One rounding is enough where several give the same numbers.
        first: dict[tuple[str, ...], Suspect] = {}
        for s in exact:
            first.setdefault(s.candidate.names, s)
        return list(first.values())
    kept = []
    for s in alive:
        share = s.candidate.convention.off_by_one
        if share and s.wrong <= 3 * share * s.values + 1:
            kept.append(s)
    least = min((s.wrong for s in kept), default=0)
    return [s for s in kept if s.wrong <= 2 * least + 1]


def _report(found: Comparison, x: Array, y: Array, sizes: str) -> Report:
    same = classes.in_order([n for s in found.alive for n in s.candidate.names])
    remarks = [found.said] if found.said else []
    remarks += _remarks(found.alive, x, y)
    sets: tuple[tuple[str, ...], ...] = ()
    if len(found.alive) > 1:
        sets = classes.parted([s.candidate for s in found.alive])
        if len(sets) > 1:
            remarks.append(_why(sets, found.alive, x, y))
    others = [s for s in found.suspects if np.isfinite(s.typical) and not s.known]
    others = sorted(others, key=lambda s: s.typical)[:RANKED]
    return Report(
        subject=f"a pair, {sizes}",
        same=same,
        nearest=classes.nearest(found.suspects, same),
        remarks=tuple(remarks),
        ambiguous=sets if len(sets) > 1 else (),
        ranked=tuple(classes.miss(s) for s in [*found.alive[:RANKED], *others]),
    )


def _remarks(alive: Sequence[Suspect], x: Array, y: Array) -> list[str]:
    remarks: list[str] = []
    if not alive:
        return remarks
    best = alive[0]
    if best.candidate.scale is not None:
        told = " x ".join(f"{s:.6g}" for s in best.candidate.scale)
        remarks.append(f"with a scale given: {told}")
    if best.candidate.rounding:
        remarks.append(
            "float results, rounded to whole numbers afterwards "
            f"({best.candidate.rounding})"
        )
    if best.wrong:
        remarks.append(
            f"one level off: integer rounding ({best.wrong} of {best.values} results)"
        )
    return remarks


def _why(
    sets: Sequence[tuple[str, ...]], alive: Sequence[Suspect], x: Array, y: Array
) -> str:
    """Return why this pair cannot tell, and which pair could."""
    by_name = {n: s.candidate for s in alive for n in s.candidate.names}
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
    n, m = (" x ".join(map(str, sizes)) for sizes in (best.n_in, best.n_out))
    return (
        f"{told}{more}, because at these sizes their numbers are the same; send one "
        f"whose axis goes from {n} to {m} (they differ by {best.difference:.2g})"
    )
