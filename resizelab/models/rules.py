"""The rules for a list of resize calls: what one call ignores, what two disagree on."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from resizelab import measure
from resizelab.arrays import resizing
from resizelab.axis import Convention, Weights
from resizelab.catalog import find
from resizelab.checks import FloatArray
from resizelab.models import sampling
from resizelab.models.calls import Call
from resizelab.models.deviation import between, by_sizes, modest
from resizelab.models.findings import Finding

# Where nobody says what comes in: a size that several ratios divide.
USUAL = (96, 96)
RATIOS = (2.0, 0.5, 2 / 3)
HALF = 0.5
OFFSET = 0.1  # pixels of the input; below this two grids are one
ASPECT = 0.02
SAME = 1e-5
SEED = 7


@dataclass(frozen=True)
class Stage:
    """A call that was understood: its convention and sizes, as far as known."""

    number: int
    call: Call
    on: str
    convention: Convention
    before: tuple[int, int] | None
    after: tuple[int, int] | None
    dtype: str | None

    def sizes(self) -> tuple[tuple[int, int], tuple[int, int]] | None:
        """Return the sizes before and after, if both are known."""
        if self.before and self.after:
            return self.before, self.after
        return None

    def finds(self, code: str, text: str, *others: "Stage") -> Finding:
        """Return a finding about this call, and others after it."""
        steps = self.number, *(other.number for other in others)
        return Finding(code, text, self.call.text, steps=steps)


def of_one(s: Stage) -> Iterator[Finding]:
    """Go through what is wrong with one call."""
    yield from _ignored(s)
    yield from _interpolated(s)
    yield from _turned(s)
    yield from _sampled(s)


def of_two(a: Stage, b: Stage) -> Iterator[Finding]:
    """Go through what is wrong between a call and the next on the same thing."""
    yield from _grids(a, b, "two steps")
    yield from _swapped(a, b)
    yield from _twice(a, b)
    yield from _bytes_between(a, b)


def of_labels(image: Stage, labels: Stage) -> Iterator[Finding]:
    """Go through what is wrong between an image's resize and its labels'."""
    yield from _grids(image, labels, "the image and its labels")
    yield from _swapped(image, labels)


def _ignored(s: Stage) -> Iterator[Finding]:
    """Find what a call accepts and ignores."""
    if s.call.misplaced is not None:
        flag = s.call.misplaced
        text = (
            f"{getattr(flag, 'text', flag)} stands third, where cv2.resize takes dst: "
            f"it is ignored and {s.convention.name} runs; write interpolation="
        )
        if isinstance(flag, (str, int)):
            meant = find("cv2.resize", interpolation=flag)
            far = between(meant, s.convention, s.sizes())
            if far.parted:
                text += f" ({far.text()})"
        yield s.finds("flag-ignored", text)
    if "ignore" in s.convention.notes:
        yield s.finds("flag-ignored", s.convention.notes)


def _interpolated(s: Stage) -> Iterator[Finding]:
    """Find labels that are interpolated."""
    if s.on == "labels" and s.convention.spec.kernel != "nearest":
        edge = np.array([0.0] * 6 + [2.0] * 6)
        n_out = len(edge) * 2
        if s.after and s.before:
            n_out = max(2, round(len(edge) * s.after[1] / s.before[1]))
        made = resizing.weights(s.convention, len(edge), n_out) @ edge
        new = sorted({float(v) for v in made.round(3)} - {0.0, 2.0})
        shown = f"classes 0 and 2 side by side give {', '.join(map(str, new[:4]))}"
        text = f"{s.convention.name} interpolates labels"
        text += f": {shown}" if new else "; use a nearest kind"
        yield s.finds("labels-interpolated", text)


def _turned(s: Stage) -> Iterator[Finding]:
    """Find a size that fits only if its two numbers change places."""
    if not s.before or not s.after:
        return
    (h, w), (height, width) = s.before, s.after
    straight, turned = height * w / (width * h), height * h / (width * w)
    if abs(turned - 1) < ASPECT < abs(straight - 1):
        text = (
            f"{h}x{w} becomes {height}x{width} (height x width): {s.call.name} takes "
            f"{'(w, h)' if s.call.width_first else '(h, w)'}, and the two look swapped"
        )
        yield s.finds("size-swapped", text)


def _sampled(s: Stage) -> Iterator[Finding]:
    """Find pixels that are never read, and a scale that gives no whole size."""
    c = s.convention
    before, after = s.before or USUAL, s.after
    if s.before is None and c.scale is not None:
        height, width = resizing.plan(before, None, c).shape
        after = height, width
    elif s.before is None or after is None:
        return
    if s.on == "image" and (text := sampling.unread(c, before, after)):
        yield s.finds("pixels-unread", text)
    if s.before and c.scale is not None:
        text = sampling.broken_size(c, before, after, c.scale)
        if text:
            yield s.finds("scale-not-whole", text)


def _swapped(a: Stage, b: Stage) -> Iterator[Finding]:
    """Find two calls that ask for one size, once lying and once standing."""
    if a.after and b.after and a.after != b.after and a.after == b.after[::-1]:
        text = (
            f"one asks for {a.after[0]}x{a.after[1]}, the other for "
            f"{b.after[0]}x{b.after[1]} (height x width): cv2 and PIL take (w, h), the "
            "others (h, w)"
        )
        yield a.finds("size-swapped", text, b)


def _grids(a: Stage, b: Stage, who: str) -> Iterator[Finding]:
    """Measure where two conventions read, on the same sizes.

    A nearest kind is half a pixel off in places, by its nature: beside one that
    interpolates, only more than that is another grid.
    """
    known = b.sizes() or a.sizes()
    if known:
        pairs = [modest(n, m) for n, m in zip(*known, strict=True)]
    else:
        pairs = [(USUAL[0], round(USUAL[0] * ratio)) for ratio in RATIOS]
    picks = {s.convention.spec.kernel == "nearest" for s in (a, b)}
    gaps = [
        _axis(b.convention, n, m).centroids() - _axis(a.convention, n, m).centroids()
        for n, m in pairs
    ]
    if len(picks) == 2:
        worst = max(gaps, key=lambda gap: float(np.abs(gap).max()))
        apart = float(np.abs(worst).max()) - HALF
    else:
        worst = max(gaps, key=lambda gap: max(map(abs, _thirds(gap))))
        apart = max(map(abs, _thirds(worst)))
    if apart < OFFSET:
        return
    first, centre, last = _thirds(worst)
    text = (
        f"{who} use two grids, {a.convention.name} and {b.convention.name}: the second "
        f"reads {centre:+.2f} px of the input away at the centre, {first:+.2f} at the "
        f"start, {last:+.2f} at the end"
        + ("" if known else " (worst of enlarging 2 times, halving, and two thirds)")
    )
    yield a.finds("two-grids", text, b)


def _thirds(gap: FloatArray) -> tuple[float, float, float]:
    """Return the mean offset at the start, the centre and the end."""
    part = max(1, len(gap) // 8)
    middle = gap[(len(gap) - part) // 2 :][:part]
    return float(gap[:part].mean()), float(middle.mean()), float(gap[-part:].mean())


def _axis(c: Convention, n: int, m: int) -> Weights:
    return resizing.weights(by_sizes(c), n, m)


def _twice(a: Stage, b: Stage) -> Iterator[Finding]:
    """Measure two resizes in a row against one."""
    text = f"{b.on} resized twice, {a.convention.name} then {b.convention.name}"
    if a.sizes() and b.sizes() and a.before and a.after and b.after:
        n, mid, m = modest(a.before[1], a.after[1], b.after[1])
        both = _axis(b.convention, mid, m).after(_axis(a.convention, n, mid))
        error = measure.operator_difference(both, _axis(b.convention, n, m))
        if error < SAME:
            return
        text += (
            f": up to {error:.2g} of the input's range from one resize "
            f"({n} to {m}, along the width)"
        )
    yield a.finds("double-resize", text, b)


def _bytes_between(a: Stage, b: Stage) -> Iterator[Finding]:
    """Measure what rounding to bytes between two resizes costs."""
    if a.dtype != "uint8" or a.convention.spec.kernel == "nearest":
        return
    if "uint8" not in a.convention.arithmetic:
        return
    before = a.before or USUAL
    middle = a.after or tuple(max(1, n // 2) for n in before)
    after = b.after or tuple(n * 2 for n in middle)
    axes = [modest(*sizes) for sizes in zip(before, middle, after, strict=True)]
    before, middle, after = zip(*axes, strict=True)
    noise = np.random.default_rng(SEED).integers(0, 256, before).astype(np.uint8)
    rounded = resizing.resize(noise, middle, a.convention).astype(np.float32)
    exact = resizing.resize(noise.astype(np.float32), middle, a.convention)
    wrong = measure.difference(
        resizing.resize(rounded, after, b.convention),
        resizing.resize(exact, after, b.convention),
    )
    text = (
        f"{a.convention.name} rounds and clips to uint8 before {b.convention.name}: up "
        f"to {wrong.largest:.2g} levels on noise, {wrong.mean:.2g} on average"
    )
    yield a.finds("uint8-between", text, b)
