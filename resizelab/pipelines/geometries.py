"""What may have been done to a photograph's places: the candidates."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from numpy.typing import NDArray

from resizelab.pipelines import known
from resizelab.pipelines.pipeline import Pipeline
from resizelab.pipelines.spatial import Crop, Moved, Pad, Resize, Spatial

Array = NDArray[Any]
Shape = tuple[int, int]
ROW = "torch.bilinear.antialias"  # stands for any row until rows are looked at
# How much larger than the crop a short side is made, as people write it.
SHARES = (1.0, 0.875, 0.9, 0.95, 0.96, 0.935, 0.965, 0.89, 0.81, 256 / 288)
SHORTS = (232, 235, 248, 256, 288, 320, 384, 480, 512, 520, 600, 800)
OFFSETS = ("half_even", "floor", "start")  # of a crop
REACH = 4  # pixels; a padded border mixes with the photograph within it
AROUND = (0, -1, 1, -2, 2)  # pixels about a side that was measured
CAPS = ((800, 1333), (640, 1333), (600, 1000), (480, 800))


@dataclass(frozen=True)
class Geometry:
    """Stages that move pixels, and what each does to one photograph."""

    pairs: tuple[tuple[Spatial, Moved], ...]

    @classmethod
    def of(cls, pipeline: Pipeline, shape: Shape) -> "Geometry":
        """Return what a pipeline does to the places of a photograph of ``shape``."""
        return cls(tuple(pipeline.moves(shape)))

    @property
    def moves(self) -> list[Moved]:
        """What the stages do."""
        return [moved for _, moved in self.pairs]

    @property
    def resizes(self) -> list[Resize]:
        """The stages that resize."""
        return [stage for stage, _ in self.pairs if isinstance(stage, Resize)]

    @property
    def sizes(self) -> list[Shape]:
        """The sizes that are resized to."""
        return [m.shape_out for s, m in self.pairs if isinstance(s, Resize)]

    @property
    def cuts(self) -> list[tuple[Spatial, Moved]]:
        """The stages that cut something off, or put something around."""
        changed = [(s, m) for s, m in self.pairs if m.shape_in != m.shape_out]
        return [(s, m) for s, m in changed if not isinstance(s, Resize)]

    @property
    def key(self) -> tuple[Any, ...]:
        """What tells two geometries apart on this photograph."""
        found = []
        for stage, m in self.pairs:
            if m.shape_in != m.shape_out or isinstance(stage, Resize):
                # A step from the scale is that of the sizes where nothing was rounded.
                parts = isinstance(stage, Resize) and m.exact != m.shape_out
                step = getattr(stage, "step", "") if parts else ""
                found.append((stage.kind, m.shape_out, m.before, step))
        return tuple(found)

    def run(self, x: Array, convention: str, numbers: str) -> Array:
        """Return ``x`` moved, resized by another convention, padded with 0."""
        y = x
        for stage, moved in self.pairs:
            if isinstance(stage, Resize):
                stage = replace(stage, convention=convention, numbers=numbers)
            elif isinstance(stage, Pad):
                stage = replace(stage, value=(0.0,))
            y = stage.run(y, moved)
        return y

    def inside(self, reached: bool = False) -> tuple[slice, slice]:
        """Return which rows and columns of the result show the photograph alone.

        ``reached``: those that it has any part in, a kernel's reach around it.
        """
        part = [(0, n) for n in self.moves[0].shape_in]
        padded = False
        for stage, m in self.pairs:
            if isinstance(stage, Resize):
                pairs = list(zip(part, m.shape_in, m.shape_out, strict=True))
                way = REACH * padded * (-1 if reached else 1)
                reach = [math.ceil(way * max(1, k / n)) for _, n, k in pairs]
                four = zip(part, reach, m.shape_in, m.shape_out, strict=True)
                part = [
                    (a * k // n + r, -(-b * k // n) - r) for (a, b), r, n, k in four
                ]
            padded |= isinstance(stage, Pad)
            trios = zip(part, m.before, m.shape_out, strict=True)
            part = [(max(0, a - s), min(k, b - s)) for (a, b), s, k in trios]
        rows, columns = (slice(a, b) for a, b in part)
        return rows, columns


def candidates(
    shape: Shape, size: Shape, shown: Sequence[float] | None = None
) -> list[Geometry]:
    """Return the geometries that make ``size`` of a photograph of ``shape``.

    Those of the known pipelines come first, then what people combine. ``shown`` are the
    top, bottom, left and right edges of what the result shows: then those are asked
    that show just this.

    >>> made = candidates((171, 238), (224, 224))
    >>> [m.before for m in made[0].moves]
    [(0, 0), (16, 66)]
    """
    found: dict[Any, Geometry] = {}
    every = (*_known(), *_usual(size)) if shown is None else _cut(shape, size, shown)
    for stages in every:
        made = Pipeline(name="candidate", stages=stages)
        geometry = Geometry.of(made, shape)
        if stages and geometry.moves[-1].shape_out == size:
            found.setdefault(geometry.key, geometry)
    return list(found.values())


def _known() -> Iterator[tuple[Spatial, ...]]:
    for name in known.names():
        stages = known.named(name).stages
        yield tuple(s for s in stages if isinstance(s, Spatial))


def _usual(size: Shape) -> Iterator[tuple[Spatial, ...]]:
    for first in _resizes(size):
        for offset in OFFSETS:
            yield first, Crop(size=size, offset=offset)
        for rule in ("size", "multiple"):
            for offset in ("floor", "round_down", "start", "unrounded"):
                unit = size if rule == "size" else (32, 32)
                yield first, Pad(rule=rule, size=unit, offset=offset)
    whole = Resize(convention=ROW, rule="exact", size=size)
    for offset in ("floor", "half_even"):
        yield Crop(size=size, rule="aspect_float32", offset=offset), whole
    yield Pad(rule="square"), whole


def _cut(
    shape: Shape, size: Shape, shown: Sequence[float]
) -> Iterator[tuple[Spatial, ...]]:
    """Go through the sizes of the whole of which these edges show a part."""
    top, bottom, left, right = shown
    spans = max(bottom - top, 1.0), max(right - left, 1.0)
    whole = [round(n * m / s) for n, m, s in zip(shape, size, spans, strict=True)]
    near = [[max(m, n + d) for d in AROUND] for n, m in zip(whole, size, strict=True)]
    for n in dict.fromkeys(near[whole[1] < whole[0]]):
        for rule in ("short_int", "round_short", "half_up_short"):
            first = Resize(convention=ROW, rule=rule, size=(n,))
            yield from ((first, Crop(size=size, offset=o)) for o in OFFSETS)
    for pair in product(*(n[:3] for n in near)):
        first = Resize(convention=ROW, rule="exact", size=pair)
        yield from ((first, Crop(size=size, offset=o)) for o in OFFSETS)


def _resizes(size: Shape) -> Iterator[Resize]:
    def made(rule: str, *numbers: int, **more: str) -> Resize:
        return Resize(convention=ROW, rule=rule, size=numbers, **more)

    yield made("exact", *size)
    for rule in ("round_fit", "floor_float32", "round_ratio", "round_cover"):
        yield made(rule, *size)
    yield made("round_cover", *size, step="scale")
    yield made("half_up_fit", max(size), min(size))
    yield made("round_long", max(size))
    shorts = {int(min(size) / share) for share in SHARES} | {*SHORTS}
    for short in sorted(shorts):
        if short < min(size):
            continue
        for rule in ("short_int", "round_short", "half_up_short"):
            yield made(rule, short)
        yield made("exact", short, short)
    for cap in CAPS:
        for rule in ("short_int", "half_up_short", "short_int_of_unrounded"):
            yield made(rule, *cap)
        yield made("floor_scale", *cap)
