"""The known pipeline that is nearest to what was found, and what differs."""

import numpy as np

from resizelab.pipelines import known
from resizelab.pipelines.geometries import Geometry
from resizelab.pipelines.lines import Line, line
from resizelab.pipelines.spatial import Resize

SAME_LINE = 2e-3  # of the gain, and of the offset in steps of 64 levels
Rows = tuple[tuple[str, str], ...]


def alike(a: Line, b: Line) -> bool:
    """Say whether two lines of values are one."""
    near = np.abs(a.gain / b.gain - 1) < SAME_LINE
    moved = np.abs(a.offset - b.offset) / (64 * b.gain) < SAME_LINE
    return a.order == b.order and bool(near.all() and moved.all())


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
    parts, name = min(every, key=lambda entry: (len(entry[0]), *_order(entry[0])))
    return name, tuple(parts.values())


ASPECTS = ("rule", "size", "places", "row", "values")


def _order(parts: dict[str, str]) -> tuple[bool, ...]:
    return tuple(name in parts for name in ASPECTS)


def _differs(
    name: str,
    shape: tuple[int, int],
    places: tuple[Geometry, ...],
    rows: Rows,
    found: Line,
) -> dict[str, str]:
    pipeline, parts = known.named(name), {}
    moved = pipeline.moves(shape)
    own = Geometry(tuple(s for s, _ in moved), tuple(m for _, m in moved))
    if _sizes(own) not in [_sizes(g) for g in places]:
        one, two = (_told(_sizes(g)) for g in (places[0], own))
        parts["size"] = f"size: resized to {one}, there to {two}"
        one, two = _rules(places[0]), _rules(own)
        if two not in [_rules(g) for g in places]:
            parts["rule"] = f"rule of the size: {one}, there {two}"
    elif own.key not in [g.key for g in places]:
        one, two = (_placed(g) for g in (places[0], own))
        parts["places"] = f"places: {one}, there {two}"
    row = next(s for s in own.stages if isinstance(s, Resize))
    if (row.convention, row.numbers) not in rows:
        mine = ", ".join(rows[0])
        parts["row"] = f"row: {mine}, there {row.convention}, {row.numbers}"
    theirs = line(pipeline)
    if not alike(found, theirs):
        one, two = (_valued(ln) for ln in (found, theirs))
        parts["values"] = f"values: {one}, there {two}"
    return parts


def _sizes(g: Geometry) -> list[tuple[int, int]]:
    pairs = zip(g.stages, g.moves, strict=True)
    return [m.shape_out for s, m in pairs if isinstance(s, Resize)]


def _rules(g: Geometry) -> str:
    return " then ".join(s.rule for s in g.stages if isinstance(s, Resize))


def _told(sizes: list[tuple[int, int]]) -> str:
    return " then ".join("x".join(map(str, size)) for size in sizes)


def _placed(g: Geometry) -> str:
    pairs = zip(g.stages, g.moves, strict=True)
    found = [
        f"{s.kind} at row {abs(m.before[0])}, column {abs(m.before[1])}"
        for s, m in pairs
        if not isinstance(s, Resize) and m.shape_in != m.shape_out
    ]
    return " and ".join(found) or "nothing cut or padded"


def _valued(ln: Line) -> str:
    colours = "".join("RGB"[k] for k in ln.order)
    mean, std = unit(ln)
    return f"{colours}, mean {listed(mean)}, deviation {listed(std)} of levels over 255"


def unit(ln: Line) -> tuple[np.ndarray, np.ndarray]:
    """Return mean and deviation of a line, as of levels divided by 255."""
    return -ln.offset / ln.gain / 255, 1 / ln.gain / 255


def listed(values: object) -> str:
    """Return numbers in one text; one stands for three that are the same.

    >>> listed((0.5, 0.5, 0.5)), listed((0.25, 0.5))
    ('0.5', '0.25, 0.5')
    """
    texts = [
        f"{round(v, 7) + 0.0:.4g}" for v in np.atleast_1d(np.asarray(values, float))
    ]
    return texts[0] if len({*texts}) == 1 else ", ".join(texts)
