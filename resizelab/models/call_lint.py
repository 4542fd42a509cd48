"""Lint resize calls: a list of them, as they are written, and what is wrong in it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from resizelab import checks
from resizelab.arrays import resizing
from resizelab.models import rules
from resizelab.models.calls import parsed
from resizelab.models.findings import Finding
from resizelab.models.rules import Stage
from resizelab.text import Told, printed

LABELS = ("mask", "label", "seg", "target", "annot", "classes", "gt")
KINDS = ("image", "labels")


@dataclass(frozen=True)
class Step:
    """One call: its text, what it resizes, the dtype that it returns."""

    call: str
    on: str | None = None
    dtype: str | None = None


@dataclass(frozen=True, repr=False)
class CallLint(Told):
    """What `calls` has found: conventions by step, and the findings."""

    conventions: tuple[str, ...]
    found: tuple[Finding, ...]
    source: str = "calls"

    def __str__(self) -> str:
        """Return the report as text."""
        lines = [f"{len(self.conventions)} steps, {len(self.found)} findings"]
        lines += [f"  {k}. {name}" for k, name in enumerate(self.conventions, 1)]
        lines += [f"  FINDING {found.said()}" for found in self.found]
        return printed(lines)

    def whole(self) -> dict[str, Any]:
        """Return the report as plain values."""
        return {"steps": self.conventions, "findings": self.found}


def calls(
    steps: Sequence[str | Step], shape: tuple[int, int] | None = None
) -> CallLint:
    """Return what is wrong in a list of resize calls.

    Parameters
    ----------
    steps : sequence of str or Step
        The calls in order, as text: ``"cv2.resize(mask, (w, h))"``. What an array is
        called (mask, label, …) says that it holds labels, unless a `Step` says it.
    shape : tuple of int, optional
        (height, width) of what comes in. With it the amounts are those of your sizes.

    >>> report = calls(["cv2.resize(image, (64, 48), cv2.INTER_AREA)"])
    >>> [finding.code for finding in report.found]
    ['flag-ignored']
    """
    if isinstance(steps, (str, Step)):
        raise TypeError("steps must be a list of calls; got one call")
    if shape is not None:
        shape = checks.size("height", shape[0]), checks.size("width", shape[1])
    stages, refused = _understood(steps, shape)
    found = [*refused, *_found(stages)]
    return CallLint(
        tuple(s.convention.name for s in stages),
        tuple(sorted(found, key=lambda finding: finding.steps)),
    )


def _found(stages: Sequence[Stage]) -> Iterator[Finding]:
    for stage in stages:
        yield from rules.of_one(stage)
    images = [s for s in stages if s.on == "image"]
    labels = [s for s in stages if s.on == "labels"]
    for a, b in zip(images, labels, strict=False):
        yield from rules.of_labels(a, b)
    for same in (images, labels):
        for a, b in pairwise(same):
            yield from rules.of_two(a, b)


def _understood(
    steps: Sequence[str | Step], shape: tuple[int, int] | None
) -> tuple[list[Stage], list[Finding]]:
    stages: list[Stage] = []
    refused: list[Finding] = []
    current: dict[str, tuple[int, int] | None] = dict.fromkeys(KINDS, shape)
    for number, step in enumerate(steps, 1):
        step = step if isinstance(step, Step) else Step(step)
        call = parsed(step.call)
        on = checks.one_of("on", step.on or _guessed(call.array), KINDS)
        before, after = current[on], call.size
        try:
            convention = call.convention()
            if after is None and before is not None and convention.scale is not None:
                settled = resizing.plan(before, None, convention)
                after = settled.shape[0], settled.shape[1]
        except ValueError as error:
            refused.append(Finding("refused", str(error), step.call, steps=(number,)))
            continue
        current[on] = after
        known = "uint8" if convention.library == "pillow" else None
        stages.append(
            Stage(number, call, on, convention, before, after, step.dtype or known)
        )
    return stages, refused


def _guessed(array: str) -> str:
    words = re.split(r"[^a-z]+", array.lower())
    return "labels" if any(w.startswith(LABELS) for w in words) else "image"
