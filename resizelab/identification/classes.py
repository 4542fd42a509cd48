"""Sets of candidates that give the same numbers at every size, and what parts two."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.axis.convention import Convention
from resizelab.catalog.signatures import differing
from resizelab.catalog.table import rows
from resizelab.identification.candidates import Candidate
from resizelab.identification.probing import questions
from resizelab.identification.report import Fitted, Miss
from resizelab.identification.suspects import NOISE, Suspect, predicted

Array = NDArray[Any]

ASKED = 14  # questions that sort candidates into sets
ENOUGH = 12  # sets; a pair that leaves so many open says little of any
CLOSE = 1e-3  # a fitted parameter this near a row's is the row's


def parted(alive: Sequence[Candidate]) -> tuple[tuple[str, ...], ...]:
    """Return the candidates' names in sets; two of one set agree on general sizes."""
    sets: list[list[Candidate]] = [list(alive)]
    for question in questions()[:ASKED]:
        if len(sets) > ENOUGH:
            break
        split: list[list[Candidate]] = []
        for group in sets:
            split += [group] if len(group) == 1 else _split(group, question)
        sets = split
    return tuple(tuple(n for c in group for n in c.names) for group in sets)


def _split(group: list[Candidate], question: Any) -> list[list[Candidate]]:
    found: list[tuple[Array | None, list[Candidate]]] = []
    for c in group:
        said = predicted(c.unscaled(), question, "float32")
        for other, members in found:
            if _agree(said, other):
                members.append(c)
                break
        else:
            found.append((said, [c]))
    return [members for _, members in found]


def _agree(a: Array | None, b: Array | None) -> bool:
    if a is None or b is None:
        return a is b
    return a.shape == b.shape and float(np.abs(a - b).max(initial=0)) <= NOISE


def in_order(names: Sequence[str]) -> tuple[str, ...]:
    """Return names in table order, each once."""
    wanted = set(names)
    return tuple(name for name in rows() if name in wanted)


def nearest(suspects: Sequence[Suspect], same: Sequence[str]) -> Miss | None:
    """Return the candidate that comes closest of those that do not fit."""
    others = [
        s
        for s in suspects
        if np.isfinite(s.typical)
        and np.isfinite(s.largest)
        and not set(s.candidate.names) & set(same)
    ]
    if not others:
        return None
    return miss(min(others, key=lambda s: s.typical), same)


def miss(suspect: Suspect, same: Sequence[str] = ()) -> Miss:
    """Return what is said of a candidate that does not fit."""
    c = suspect.candidate.convention
    differs: Mapping[str, tuple[object, object]] = {}
    if same:
        differs = differing(rows()[same[0]], c)
    return Miss(suspect.candidate.names[0], suspect.largest, suspect.typical, differs)


def ideas_that_differ(
    fitted: Fitted, c: Convention
) -> dict[str, tuple[object, object]]:
    """Return the ideas in which a fitted operator and a convention differ."""
    spec = c.spec
    found: dict[str, tuple[object, object]] = {}
    if fitted.kernel != spec.kernel:
        found["kernel"] = fitted.kernel, spec.kernel
    for name in ("a", "b", "c", "lobes", "sigma", "order"):
        here, there = fitted.parameters.get(name), getattr(spec, name)
        if here is None and there is None:
            continue
        if here is None or there is None or abs(here - there) > CLOSE:
            found[name] = (None if here is None else round(here, 5)), there
    if fitted.grid != spec.grid:
        found["grid"] = fitted.grid or fitted_grid(fitted), spec.grid
    if spec.antialias != (fitted.stretch != "none") and "not" not in fitted.stretch:
        found["antialias"] = f"stretch {fitted.stretch}", spec.antialias
    if fitted.boundary and spec.boundary not in fitted.boundary.split(" or "):
        found["boundary"] = fitted.boundary, spec.boundary
    return found


def fitted_grid(fitted: Fitted) -> str:
    """Return a grid without a name in words."""
    return (
        f"step {fitted.step}, phase {fitted.phase:.4f}, shift {fitted.shift:.4f} "
        "(no recorded grid)"
    )
