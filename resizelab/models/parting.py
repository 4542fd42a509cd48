"""Where two sides that ran part: their outputs, their nodes, and what nodes say."""

from collections.abc import Iterator
from typing import Any

from resizelab.diagnosis.result import NO_SIGN
from resizelab.diagnosis.why import why
from resizelab.modelfiles import nodes
from resizelab.models.compare import compared
from resizelab.models.comparison import Comparison, Limits, Line, line_of
from resizelab.models.feeding import Array
from resizelab.models.running import Exposed
from resizelab.models.sides import OUTPUT, Side


def outputs(a: Side, b: Side, limits: Limits) -> Iterator[Line]:
    """Go through the outputs of the second beside those of the first."""
    named = a.outputs.keys() & b.outputs.keys()
    pairs = [(name, name) for name in a.outputs if name in named]
    pairs = pairs or list(zip(a.outputs, b.outputs, strict=False))
    for other, name in pairs:
        ref, value = a.outputs[other], b.outputs[name]
        yield line_of(name, other, OUTPUT, value, ref, limits)[0]


def between(a: Side, b: Side, limits: Limits) -> Comparison | None:
    """Return how two sides that ran differ by node, as far as both let one look."""
    try:
        if a.exposed and b.exposed:
            return compared(b.exposed, a.exposed, {}, limits)
        if b.exposed:
            return compared(b.exposed, None, a.dump, limits)
        if a.exposed:
            return compared(a.exposed, None, b.dump, limits)
    except ValueError:
        return None  # no result has a partner, or a piece cannot be run by itself
    pairs = [r for r in b.resizes if r.output in a.dump and r.output in b.dump]
    found = [
        line_of(r.name, r.output, "resize", b.dump[r.output], a.dump[r.output], limits)
        for r in pairs
    ]
    found += [(line, None) for line in outputs(a, b, limits)]
    lines = tuple(line for line, _ in found)
    first = next((line for line in lines if line.differs), None)
    maps = tuple(where for _, where in found if where is not None)
    return Comparison(lines, first, (), 0, limits, len(lines), maps)


def place(now: Side, seen: Comparison | None) -> int | None:
    """Return which resize of a side is the first that parts, or None."""
    if seen is None or seen.first is None:
        return None
    names = (seen.first.tensor, seen.first.other)
    places = (k for k, resize in enumerate(now.resizes) if resize.output in names)
    return next(places, None)


def readings(a: Side, b: Side, seen: Comparison | None) -> Iterator[str]:
    """Say what each side makes of the resize that parts first."""
    for which, side in (("right", a), ("to mend", b)):
        k = place(side, seen)
        found = None if k is None else side.resizes[k]
        if found is not None and found.convention is not None:
            name = found.convention.name
            yield f"{which}: {side.back_end} makes of {found.name} a {name}"
    if a.exposed and b.exposed and seen and seen.first:
        mine = b.exposed.nodes.get(seen.first.tensor)
        theirs = a.exposed.nodes.get(seen.first.other)
        if mine is not None and theirs is not None and not nodes.is_resize(mine):
            yield from _node_words(a.exposed, theirs, b.exposed, mine)


def _node_words(a: Exposed, theirs: Any, b: Exposed, mine: Any) -> Iterator[str]:
    """Say which attributes and weights of two nodes differ."""
    said = nodes.attributes(theirs), nodes.attributes(mine)
    for key in sorted(said[0].keys() | said[1].keys()):
        one, two = (s.get(key) for s in said)
        if one != two:
            yield f"{mine.op_type}: {key} {two} for {one}"
    for name, other in zip(mine.input, theirs.input, strict=False):
        weights = b.weight(name), a.weight(other)
        if None not in weights and weights[0] != weights[1]:
            yield f"{mine.op_type}: the weights {name} differ"


def alone(ref: Array, got: Array) -> list[str]:
    """Return what two arrays alone say of their difference, if anything."""
    try:
        found = why(ref, got)
    except (ValueError, TypeError):
        return []
    return str(found).splitlines()[:1] if found.certainty != NO_SIGN else []
