"""The checks of a pipeline of resize calls: what clashes, and by how much."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from resizelab import measure
from resizelab.arrays import resizing
from resizelab.axis.convention import Convention
from resizelab.axis.operator import Weights
from resizelab.catalog import find
from resizelab.checks import FloatArray
from resizelab.models.calls import Call
from resizelab.models.departures import between, modest

# Where nobody says what comes in: a size that several ratios divide.
USUAL = (96, 96)
RATIOS = (2.0, 0.5, 2 / 3)
HALF = 0.5
OFFSET = 0.1  # pixels of the input; below this two grids are one
ASPECT = 0.02
SAME = 1e-5
SEED = 7


@dataclass(frozen=True)
class Clash:
    """One finding: a code, the numbers of the steps (from 1), and words."""

    code: str
    steps: tuple[int, ...]
    text: str


@dataclass(frozen=True)
class Stage:
    """A step that was understood: its convention and sizes, as far as known."""

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


def flags(s: Stage) -> Iterator[Clash]:
    """Find what a call accepts and ignores."""
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


def labels(s: Stage) -> Iterator[Clash]:
    """Find labels that are interpolated."""
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


def aspect(s: Stage) -> Iterator[Clash]:
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


def swapped(a: Stage, b: Stage) -> Iterator[Clash]:
    """Find two calls that ask for one size, once lying and once standing."""
    if a.after and b.after and a.after != b.after and a.after == b.after[::-1]:
        yield Clash(
            "size-swapped",
            (a.number, b.number),
            f"one asks for {a.after[0]}x{a.after[1]}, the other for "
            f"{b.after[0]}x{b.after[1]} (height x width): cv2 and PIL take (w, h), the "
            "others (h, w)",
        )


def grids(a: Stage, b: Stage, who: str) -> Iterator[Clash]:
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
    gaps = [_offsets(a, b, n, m) for n, m in pairs]
    if len(picks) == 2:
        worst = max(gaps, key=lambda gap: float(np.abs(gap).max()))
        apart = float(np.abs(worst).max()) - HALF
    else:
        worst = max(gaps, key=lambda gap: max(map(abs, _thirds(gap))))
        apart = max(map(abs, _thirds(worst)))
    if apart < OFFSET:
        return
    first, centre, last = _thirds(worst)
    yield Clash(
        "two-grids",
        (a.number, b.number),
        f"{who} use two grids, {a.convention.name} and {b.convention.name}: the second "
        f"reads {centre:+.2f} px of the input away at the centre, {first:+.2f} at the "
        f"start, {last:+.2f} at the end"
        + ("" if known else " (worst of enlarging 2 times, halving, and two thirds)"),
    )


def _offsets(a: Stage, b: Stage, n: int, m: int) -> FloatArray:
    """Return how far apart two conventions read, output by output."""
    return _axis(b.convention, n, m).centroids() - _axis(a.convention, n, m).centroids()


def _thirds(gap: FloatArray) -> tuple[float, float, float]:
    """Return the mean offset at the start, the centre and the end."""
    part = max(1, len(gap) // 8)
    middle = gap[(len(gap) - part) // 2 :][:part]
    return float(gap[:part].mean()), float(middle.mean()), float(gap[-part:].mean())


def _axis(c: Convention, n: int, m: int) -> Weights:
    step = "sizes" if c.spec.step_from == "scale" else c.spec.step_from
    return resizing.weights(
        c.replace(scale=None, spec=c.spec.replace(step_from=step)), n, m
    )


def twice(a: Stage, b: Stage) -> Iterator[Clash]:
    """Measure two resizes in a row against one."""
    text = f"{b.on} resized twice, {a.convention.name} then {b.convention.name}"
    if a.sizes() and b.sizes() and a.before and a.after and b.after:
        n, mid, m = modest(a.before[1], a.after[1], b.after[1])
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
    return float(max(np.maximum(gap, 0).sum(1).max(), np.maximum(-gap, 0).sum(1).max()))


def bytes_between(a: Stage, b: Stage) -> Iterator[Clash]:
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
    yield Clash(
        "uint8-between",
        (a.number, b.number),
        f"{a.convention.name} rounds and clips to uint8 before {b.convention.name}: up "
        f"to {wrong.largest:.2g} levels on noise, {wrong.mean:.2g} on average",
    )
