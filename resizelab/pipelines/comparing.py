"""Where two pipelines part: size, then offset, then levels, then values.

They are compared in that order because each hides the next: a row cannot be judged
where the pictures have different sizes.
"""

import os
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from resizelab import checks
from resizelab.pipelines import known
from resizelab.pipelines.geometries import Geometry
from resizelab.pipelines.lines import Line, line, unlaid
from resizelab.pipelines.pipeline import Pipeline, Stage
from resizelab.pipelines.pixels import Layout
from resizelab.pipelines.spatial import Pad
from resizelab.text import Told, by

ASPECTS = ("decode", "size", "offset", "levels", "values", "layout")
# For each aspect the stages to look at, and their fields (none named: all).
MENDS = {
    "decode": (("decode",), ()),
    "size": (("resize",), ("rule", "size")),
    "offset": (("crop", "pad"), ("rule", "size", "offset")),
    "levels": (("resize", "pad"), ("convention", "numbers", "step", "value")),
    "values": (
        ("decode", "channels", "normalise"),
        ("colours", "divisor", "mean", "std"),
    ),
    "layout": (("layout",), ("order",)),
}
LEVEL = 0.5  # a difference of half a level is one to a network of bytes
Rows = tuple[tuple[str, str], ...]
NOISE = 1e-3  # levels; what last bits of float32 amount to


@dataclass(frozen=True, repr=False)
class Comparison(Told):
    """What two pipelines do to one photograph.

    ``first`` is the first of decode, size, offset, levels, values, layout in which
    they part, None if in none; ``parts`` says for each that parts how;
    ``largest`` and ``share`` are the cost: the largest difference in levels, and the
    share of values that differ by half a level or more (None: the shapes differ).
    """

    a: str
    b: str
    parts: dict[str, str]
    mend: str = ""
    largest: float | None = None
    share: float | None = None

    @property
    def first(self) -> str | None:
        """The first aspect in which they part."""
        return next((name for name in ASPECTS if name in self.parts), None)

    def __str__(self) -> str:
        """Return the answer in words."""
        if self.first is None:
            return f"{self.a} and {self.b} agree on this photograph"
        lines = [f"first they part in the {self.first}: {self.parts[self.first]}"]
        others = [name for name in ASPECTS[1:] if name in self.parts]
        lines += [f"also: {n}: {self.parts[n]}" for n in others if n != self.first]
        if self.share is None:
            lines.append("cost: the results have different shapes")
        else:
            lines.append(
                f"cost: up to {self.largest:.3g} levels; {self.share:.1%} of the "
                "values differ by half a level or more"
            )
        return "\n".join([*lines, f"mend: {self.mend}"])

    def whole(self) -> dict[str, Any]:
        """Return the answer as plain values."""
        return {"first": self.first, **super().whole()}


def compare(a: Pipeline, b: Pipeline, x: Any) -> Comparison:
    """Return where two pipelines part on a photograph: pixels (RGB bytes), or a file.

    >>> from resizelab.pipelines import named
    >>> photo = np.random.default_rng(0).integers(0, 256, (171, 238, 3), np.uint8)
    >>> told = compare(named("openai.clip"), named("transformers.clip.pillow"), photo)
    >>> told.first, told.parts["offset"]
    ('offset', 'crop: from row 0, column 44 against row 0, column 43')
    """
    seen = [checks.a("a and b", p, Pipeline).decoded(x) for p in (a, b)]
    one, two = (Geometry.of(p, y.shape[:2]) for p, y in zip((a, b), seen, strict=True))
    parts: dict[str, str] = {}
    if isinstance(x, (str, os.PathLike)):
        _decoded(parts, seen[0], seen[1], a.stages[0], b.stages[0])
    _placed(parts, one, two)
    lines = line(a), line(b)
    levels = [
        ln.undone(unlaid(p).run(x).astype(np.float64))
        for ln, p in zip(lines, (a, b), strict=True)
    ]
    largest = share = None
    if levels[0].shape == levels[1].shape:
        gap = np.abs(levels[0] - levels[1])
        largest, share = float(gap.max()), float((gap >= LEVEL).mean())
        if largest > NOISE and not {"decode", "size", "offset"} & parts.keys():
            parts["levels"] = _rows(one, two)
    _valued(parts, *lines)
    ends = [
        next((s.order for s in p.stages if isinstance(s, Layout)), "HWC")
        for p in (a, b)
    ]
    if ends[0] != ends[1]:
        parts["layout"] = f"{ends[0]} against {ends[1]}"
    told = Comparison(a.name, b.name, parts, "", largest, share)
    return replace(told, mend=_mend(a, b, told.first))


def _decoded(parts: dict[str, str], one: Any, two: Any, a: Stage, b: Stage) -> None:
    if one.shape != two.shape:
        parts["decode"] = (
            f"{by(one.shape[:2])} against {by(two.shape[:2])}: orientation (EXIF)"
        )
        return
    colours = [getattr(d, "colours", "RGB") for d in (a, b)]
    if colours[0] != colours[1]:
        two = two[..., ::-1]
    gap = np.abs(one.astype(int) - two.astype(int))
    if gap.max():
        parts["decode"] = (
            f"pixels up to {gap.max()} levels apart, {(gap > 0).mean():.1%}"
        )


def _placed(parts: dict[str, str], a: Geometry, b: Geometry) -> None:
    """Compare the sizes of the resizes, then what is cut off or put around."""
    if a.sizes != b.sizes:
        parts["size"] = f"resized to {_sizes(a)} against {_sizes(b)}"
    offsets = [
        {s.kind: f"row {m.before[0]}, column {m.before[1]}" for s, m in g.cuts}
        for g in (a, b)
    ]
    if offsets[0] != offsets[1]:
        kinds = {kind for found in offsets for kind in found}
        kind = min(k for k in kinds if offsets[0].get(k) != offsets[1].get(k))
        one, two = (found.get(kind, "none") for found in offsets)
        parts["offset"] = f"{kind}: from {one} against {two}"


def _sizes(g: Geometry) -> str:
    return " then ".join(map(by, g.sizes))


def _rows(a: Geometry, b: Geometry) -> str:
    rows = [
        ", ".join(f"{s.convention} ({s.numbers})" for s in g.resizes) or "no resize"
        for g in (a, b)
    ]
    if rows[0] != rows[1]:
        return " against ".join(rows)
    pads = [
        str([list(s.value) for s, _ in g.pairs if isinstance(s, Pad)]) for g in (a, b)
    ]
    if pads[0] != pads[1]:
        return f"padded with {pads[0]} against {pads[1]}"
    return f"{rows[0]} on both sides: the stages stand in another order"


def _valued(parts: dict[str, str], a: Line, b: Line) -> None:
    if a.order != b.order:
        parts["values"] = f"channels {a.colours} against {b.colours}"
        return
    far = np.abs(a.undone(b.gain * 255.0 + b.offset) - 255.0).max()
    far = max(far, np.abs(a.undone(b.offset)).max())
    if far > NOISE:
        parts["values"] = f"scale, mean or deviation: up to {far:.3g} levels"


def _mend(a: Pipeline, b: Pipeline, first: str | None) -> str:
    """Return the line of ``b`` to change so that this aspect is that of ``a``."""
    if first is None:
        return ""
    kinds, names = MENDS[first]
    chosen = [[s for s in p.stages if s.kind in kinds] for p in (a, b)]
    lines = []
    for want, have in zip(*chosen, strict=False):
        if type(want) is not type(have):
            lines.append(f"{b.name}: {have.kind} becomes {want}")
            continue
        pairs = {
            f.name: (getattr(want, f.name), getattr(have, f.name))
            for f in fields(want)
            if not names or f.name in names
        }
        told = ", ".join(
            f"{name}={one!r} (now {two!r})"
            for name, (one, two) in pairs.items()
            if one != two
        )
        lines += [f"{b.name}: {have.kind}: {told}"] if told else []
    extra = [f"{b.name} lacks {s}" for s in chosen[0][len(chosen[1]) :]]
    surplus = [f"{b.name}: leave out {s}" for s in chosen[1][len(chosen[0]) :]]
    where = "the stages stand in another order"
    return "; ".join([*lines, *extra, *surplus]) or where


def nearest(
    shape: tuple[int, int], places: tuple[Geometry, ...], rows: Rows, found: Line
) -> tuple[str, tuple[str, ...]]:
    """Return the name of the nearest known pipeline, and what differs, a line each.

    The one with the fewest differences is nearest; of two with as many the one that
    differs later: a size hides more than a mean does.
    """
    every = [
        (_differs(name, shape, places, rows, found), name) for name in known.names()
    ]
    hides = ("rule of the size", "size", "places", "row", "values")
    parts, name = min(
        every, key=lambda entry: (len(entry[0]), *(k in entry[0] for k in hides))
    )
    return name, tuple(f"{k}: {here}, there {it}" for k, (here, it) in parts.items())


def _differs(
    name: str,
    shape: tuple[int, int],
    places: tuple[Geometry, ...],
    rows: Rows,
    found: Line,
) -> dict[str, tuple[str, str]]:
    """Return what is found, and what a known pipeline has, where those differ."""
    pipeline, parts = known.named(name), {}
    own, first = Geometry.of(pipeline, shape), places[0]
    if own.sizes not in [g.sizes for g in places]:
        parts["size"] = f"resized to {_sizes(first)}", f"to {_sizes(own)}"
        if _rules(own) not in map(_rules, places):
            parts["rule of the size"] = _rules(first), _rules(own)
    elif own.key not in [g.key for g in places]:
        parts["places"] = _cuts(first), _cuts(own)
    row = own.resizes[0].convention, own.resizes[0].numbers
    if row not in rows:
        parts["row"] = ", ".join(rows[0]), ", ".join(row)
    theirs = line(pipeline)
    if not found.alike(theirs):
        parts["values"] = _levels(found), _levels(theirs)
    return parts


def _rules(g: Geometry) -> str:
    return " then ".join(s.rule for s in g.resizes)


def _cuts(g: Geometry) -> str:
    told = [
        f"{s.kind} at row {abs(m.before[0])}, column {abs(m.before[1])}"
        for s, m in g.cuts
    ]
    return " and ".join(told) or "nothing cut or padded"


def _levels(ln: Line) -> str:
    mean, std = ln.unit()
    return f"{ln.colours}, mean {mean}, deviation {std} of levels over 255"
