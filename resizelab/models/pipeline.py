"""Lint a pipeline: a list of resize calls, as they are written, and what clashes."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from resizelab import checks, measure, resizing
from resizelab.checks import FloatArray
from resizelab.models.calls import Call, parsed
from resizelab.models.departures import between
from resizelab.catalog import find
from resizelab.operators import Weights
from resizelab.records import Convention

LABELS = ("mask", "label", "seg", "target", "annot", "classes", "gt")
KINDS = ("image", "labels")
# Where nobody says what comes in: a size that several ratios divide.
USUAL = (96, 96)
RATIOS = (2.0, 0.5, 2 / 3)
OFFSET = 0.1  # pixels of the input; below this two grids are one
ASPECT = 0.02
SAME = 1e-5
SEED = 7


@dataclass(frozen=True)
class Step:
    """One call of a pipeline: its text, what it resizes, the dtype that it returns."""

    call: str
    on: str | None = None
    dtype: str | None = None


@dataclass(frozen=True)
class Clash:
    """One finding: a code, the numbers of the steps (from 1), and words."""

    code: str
    steps: tuple[int, ...]
    text: str


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


@dataclass(frozen=True)
class _Stage:
    """A step that was understood: its convention and sizes, as far as known."""

    number: int
    call: Call
    on: str
    convention: Convention
    before: tuple[int, int] | None
    after: tuple[int, int] | None
    dtype: str | None

    def sizes(self) -> tuple[tuple[int, int], tuple[int, int]] | None:
        if self.before and self.after:
            return self.before, self.after
        return None


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
        found += [*_flags(stage), *_labels(stage), *_aspect(stage)]
    images = [s for s in stages if s.on == "image"]
    labels = [s for s in stages if s.on == "labels"]
    for a, b in zip(images, labels, strict=False):
        found += [*_grids(a, b, "the image and its labels"), *_swapped(a, b)]
    for same in (images, labels):
        for a, b in zip(same, same[1:], strict=False):
            found += [*_grids(a, b, "two steps"), *_swapped(a, b)]
            found += [*_twice(a, b), *_bytes_between(a, b)]
    return Pipeline(
        tuple(s.convention.name for s in stages),
        tuple(sorted(found, key=lambda clash: clash.steps)),
    )


def _understood(
    steps: Sequence[str | Step], shape: tuple[int, int] | None
) -> tuple[list[_Stage], list[Clash]]:
    stages: list[_Stage] = []
    found: list[Clash] = []
    current = dict.fromkeys(KINDS, shape)
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
            _Stage(number, call, on, convention, before, after, step.dtype or known)
        )
    return stages, found


def _guessed(array: str) -> str:
    name = array.lower()
    return "labels" if any(word in name for word in LABELS) else "image"


def _flags(s: _Stage) -> Iterator[Clash]:
    if s.call.misplaced is not None:
        flag = s.call.misplaced
        text = (
            f"{getattr(flag, 'text', flag)} stands third, where cv2.resize takes dst: "
            f"it is ignored and {s.convention.name} runs; write interpolation="
        )
        if isinstance(flag, (str, int)):
            meant = find("cv2.resize", interpolation=flag)
            departure = between(meant, s.convention, s.sizes())
            if departure.parted:
                text += f" ({departure.text()})"
        yield Clash("flag-ignored", (s.number,), text)
    if "ignore" in s.convention.notes:
        yield Clash("flag-ignored", (s.number,), s.convention.notes)


def _labels(s: _Stage) -> Iterator[Clash]:
    if s.on == "labels" and s.convention.spec.kernel != "nearest":
        edge = np.array([0.0] * 6 + [2.0] * 6)
        n_out = len(edge) * 2
        if s.after and s.before:
            n_out = max(2, round(len(edge) * s.after[1] / s.before[1]))
        made = resizing.weights(s.convention, len(edge), n_out) @ edge
        new = sorted({float(v) for v in made.round(3)} - {0.0, 2.0})
        shown = f"classes 0 and 2 side by side give {', '.join(map(str, new[:4]))}"
        yield Clash(
            "labels-interpolated",
            (s.number,),
            f"{s.convention.name} interpolates labels"
            + (f": {shown}" if new else "; use a nearest kind"),
        )


def _aspect(s: _Stage) -> Iterator[Clash]:
    """Find a size that fits only if its two numbers change places."""
    if not s.before or not s.after:
        return
    (h, w), (height, width) = s.before, s.after
    straight, turned = height * w / (width * h), height * h / (width * w)
    if abs(turned - 1) < ASPECT < abs(straight - 1):
        order = "(w, h)" if "cv2" in s.call.name or "PIL" in s.call.name else "(h, w)"
        yield Clash(
            "size-swapped",
            (s.number,),
            f"{h}x{w} becomes {height}x{width} (height x width): {s.call.name} takes "
            f"{order}, and the two look swapped",
        )


def _swapped(a: _Stage, b: _Stage) -> Iterator[Clash]:
    if a.after and b.after and a.after != b.after and a.after == b.after[::-1]:
        yield Clash(
            "size-swapped",
            (a.number, b.number),
            f"one asks for {a.after[0]}x{a.after[1]}, the other for "
            f"{b.after[0]}x{b.after[1]} (height x width): cv2 and PIL take (w, h), the "
            "others (h, w)",
        )


def _grids(a: _Stage, b: _Stage, who: str) -> Iterator[Clash]:
    """Measure where two conventions read, on the same sizes."""
    known = b.sizes() or a.sizes()
    if known:
        pairs = [(n, m) for n, m in zip(*known, strict=True)]
    else:
        pairs = [(USUAL[0], round(USUAL[0] * ratio)) for ratio in RATIOS]
    worst = max((_offsets(a, b, n, m) for n, m in pairs), key=lambda o: max(map(abs, o)))
    if max(map(abs, worst)) < OFFSET:
        return
    first, centre, last = worst
    yield Clash(
        "two-grids",
        (a.number, b.number),
        f"{who} use two grids, {a.convention.name} and {b.convention.name}: the second "
        f"reads {centre:+.2f} px of the input away at the centre, {first:+.2f} at the "
        f"start, {last:+.2f} at the end"
        + ("" if known else " (worst of enlarging 2 times, halving, and two thirds)"),
    )


def _offsets(a: _Stage, b: _Stage, n: int, m: int) -> tuple[float, float, float]:
    """Return how far apart two conventions read at the start, centre and end."""
    gap = _axis(b.convention, n, m).centroids() - _axis(a.convention, n, m).centroids()
    part = max(1, m // 8)
    middle = gap[m // 2 - part // 2 :][: max(part, 1)]
    ends = float(gap[:part].mean()), float(gap[-part:].mean())
    return ends[0], float(middle.mean()), ends[1]


def _axis(c: Convention, n: int, m: int) -> Weights:
    step = "sizes" if c.spec.step_from == "scale" else c.spec.step_from
    return resizing.weights(
        c.replace(scale=None, spec=c.spec.replace(step_from=step)), n, m
    )


def _twice(a: _Stage, b: _Stage) -> Iterator[Clash]:
    text = f"{b.on} resized twice, {a.convention.name} then {b.convention.name}"
    if a.sizes() and b.sizes() and a.before and a.after and b.after:
        n, mid, m = a.before[1], a.after[1], b.after[1]
        both = _axis(b.convention, mid, m).dense() @ _axis(a.convention, n, mid).dense()
        error = _worst(both - _axis(b.convention, n, m).dense())
        if error < SAME:
            return
        text += (
            f": up to {error:.2g} of the input's range from one resize "
            f"({n} to {m}, along the width)"
        )
    yield Clash("double-resize", (a.number, b.number), text)


def _worst(gap: FloatArray) -> float:
    return float(
        max(np.maximum(gap, 0).sum(1).max(), np.maximum(-gap, 0).sum(1).max())
    )


def _bytes_between(a: _Stage, b: _Stage) -> Iterator[Clash]:
    if a.dtype != "uint8" or a.convention.spec.kernel == "nearest":
        return
    if "uint8" not in a.convention.arithmetic:
        return
    before = a.before or USUAL
    middle = a.after or tuple(n // 2 for n in before)
    after = b.after or tuple(n * 2 for n in middle)
    noise = np.random.default_rng(SEED).integers(0, 256, before).astype(np.uint8)
    rounded = resizing.resize(noise, middle, a.convention).astype(np.float32)
    exact = resizing.resize(noise.astype(np.float32), middle, a.convention)
    wrong = measure.difference(
        resizing.resize(rounded, after, b.convention),
        resizing.resize(exact, after, b.convention),
    )
    yield Clash(
        "uint8-between",
        (a.number, b.number),
        f"{a.convention.name} rounds and clips to uint8 before {b.convention.name}: up "
        f"to {wrong.largest:.2g} levels on noise, {wrong.mean:.2g} on average",
    )
