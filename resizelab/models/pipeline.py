"""Lint a pipeline: a list of resize calls, as they are written, and what clashes."""

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise

from resizelab import checks
from resizelab.arrays import resizing
from resizelab.models import clashes
from resizelab.models.calls import parsed
from resizelab.models.clashes import Clash, Stage

LABELS = ("mask", "label", "seg", "target", "annot", "classes", "gt")
KINDS = ("image", "labels")


@dataclass(frozen=True)
class Step:
    """One call of a pipeline: its text, what it resizes, the dtype that it returns."""

    call: str
    on: str | None = None
    dtype: str | None = None


@dataclass(frozen=True, repr=False)
class Pipeline:
    """What `pipeline` has found: conventions by step, and the clashes."""

    conventions: tuple[str, ...]
    found: tuple[Clash, ...]

    def __str__(self) -> str:
        """Return the report as text."""
        lines = [f"{len(self.conventions)} steps, {len(self.found)} findings"]
        lines += [f"  {k}. {name}" for k, name in enumerate(self.conventions, 1)]
        for clash in self.found:
            steps = ", ".join(map(str, clash.steps))
            lines.append(f"  FINDING [{clash.code}] step {steps}: {clash.text}")
        return "\n".join(lines)

    __repr__ = __str__

    def to_json(self) -> str:
        """Return the report as JSON text."""
        found = [asdict(clash) for clash in self.found]
        return json.dumps({"steps": self.conventions, "findings": found}, indent=1)


def pipeline(
    steps: Sequence[str | Step],
    shape: tuple[int, int] | None = None,
) -> Pipeline:
    """Return what clashes in a pipeline of resize calls.

    Parameters
    ----------
    steps : sequence of str or Step
        The calls in order, as text: ``"cv2.resize(mask, (w, h))"``. What an array is
        called (mask, label, …) says that it holds labels, unless a `Step` says it.
    shape : tuple of int, optional
        (height, width) of what comes in. With it the amounts are those of your sizes.

    >>> report = pipeline(["cv2.resize(image, (64, 48), cv2.INTER_AREA)"])
    >>> [clash.code for clash in report.found]
    ['flag-ignored']
    """
    if isinstance(steps, (str, Step)):
        raise TypeError("steps must be a list of calls; got one call")
    stages, found = _understood(steps, shape)
    for stage in stages:
        found += [*clashes.flags(stage), *clashes.labels(stage), *clashes.aspect(stage)]
    images = [s for s in stages if s.on == "image"]
    labels = [s for s in stages if s.on == "labels"]
    for a, b in zip(images, labels, strict=False):
        found += [
            *clashes.grids(a, b, "the image and its labels"),
            *clashes.swapped(a, b),
        ]
    for same in (images, labels):
        for a, b in pairwise(same):
            found += [*clashes.grids(a, b, "two steps"), *clashes.swapped(a, b)]
            found += [*clashes.twice(a, b), *clashes.bytes_between(a, b)]
    return Pipeline(
        tuple(s.convention.name for s in stages),
        tuple(sorted(found, key=lambda clash: clash.steps)),
    )


def _understood(
    steps: Sequence[str | Step], shape: tuple[int, int] | None
) -> tuple[list[Stage], list[Clash]]:
    stages: list[Stage] = []
    found: list[Clash] = []
    current: dict[str, tuple[int, int] | None] = dict.fromkeys(KINDS, shape)
    for number, step in enumerate(steps, 1):
        step = step if isinstance(step, Step) else Step(step)
        call = parsed(step.call)
        on = checks.one_of("on", step.on or _guessed(call.array), KINDS)
        try:
            convention = call.convention()
        except ValueError as error:
            found.append(Clash("refused", (number,), str(error)))
            continue
        before = current[on]
        after = call.size
        if after is None and before is not None and convention.scale is not None:
            settled = resizing.plan(before, None, convention)
            after = settled.shape[0], settled.shape[1]
        current[on] = after
        known = "uint8" if convention.library == "pillow" else None
        stages.append(
            Stage(number, call, on, convention, before, after, step.dtype or known)
        )
    return stages, found


def _guessed(array: str) -> str:
    words = re.split(r"[^a-z]+", array.lower())
    return "labels" if any(w.startswith(LABELS) for w in words) else "image"
