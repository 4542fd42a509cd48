"""How a pipeline at hand differs from the one in a model's passport, in words."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from resizelab.axis.convention import Convention
from resizelab.models.deviation import alike, between
from resizelab.pipelines import Pipeline
from resizelab.pipelines.pipeline import said
from resizelab.text import Told, printed

Steps = tuple[tuple[Convention, tuple[int, int] | None], ...]


@dataclass(frozen=True, repr=False)
class Check(Told):
    """How a pipeline differs from a passport, in words, and what was not looked at.

    ``told`` says whether anything was told that the passport could be held against.
    """

    differs: tuple[str, ...]
    unchecked: tuple[str, ...]
    told: bool

    @property
    def passed(self) -> bool:
        """Whether what was told is the same; told nothing, nothing is."""
        return not self.differs and (self.told or not self.unchecked)

    def __str__(self) -> str:
        """Return the differences as text."""
        lines = list(self.differs)
        if self.passed:
            lines.append("what was told is what the passport says")
        if self.unchecked:
            lines.append(f"not told, so not checked: {', '.join(self.unchecked)}")
        return printed(lines)

    def whole(self) -> dict[str, Any]:
        """Return the check as plain values."""
        return {**super().whole(), "passed": self.passed}


def nodes_differ(
    stored: Mapping[str, Convention], now: Mapping[str, Convention]
) -> list[str]:
    """Return how the resizes inside a model differ, a line each."""
    found = []
    for name in stored.keys() | now.keys():
        if name not in now or name not in stored:
            where = "passport" if name in stored else "model"
            found.append(f"node {name} is only in the {where}")
        elif not alike(stored[name], now[name], exactly=True):
            far = between(stored[name], now[name], None)
            found.append(
                f"node {name}: {now[name].name} here, {stored[name].name} in the "
                f"passport; {far.text()}"
            )
    return sorted(found)


def steps_differ(stored: Steps, now: Steps) -> list[str]:
    """Return how the calls before a model differ, a line each."""
    if len(stored) != len(now):
        return [f"{len(now)} preprocessing steps here, {len(stored)} in the passport"]
    found = []
    pairs = zip(stored, now, strict=True)
    for k, ((was, was_size), (step, size)) in enumerate(pairs, 1):
        if not alike(was, step, exactly=True):
            far = between(was, step, None).text()
            found.append(f"step {k}: {step.name} here, {was.name} there; {far}")
        elif dict(was.arithmetic) != dict(step.arithmetic):
            found.append(
                f"step {k}: {step.name} here, {was.name} there: floats agree, integers "
                "are rounded otherwise"
            )
        if was_size != size:
            found.append(
                f"step {k}: size {size} here, {was_size} there (height, width)"
            )
    return found


def pipelines_differ(stored: Pipeline | None, now: Pipeline) -> list[str]:
    """Return the stages that differ, a line each."""
    if stored is None:
        return [f"pipeline {now.name} here, none in the passport"]
    pairs = zip_longest(now.stages, stored.stages)
    return [
        f"stage {k}: {said(here) if here else 'none'} here, "
        f"{said(there) if there else 'none'} in the passport"
        for k, (here, there) in enumerate(pairs, 1)
        if here != there
    ]
