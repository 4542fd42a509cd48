"""One side of a comparison, a model that has run once or a dump; where two part."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from resizelab import checks
from resizelab.axis.convention import Convention
from resizelab.catalog import find
from resizelab.diagnosis.result import NO_SIGN
from resizelab.diagnosis.why import why
from resizelab.exact.proof import BACK_ENDS, STARTED
from resizelab.modelfiles import files, nodes, onnx_file
from resizelab.modelfiles.nodes import ResizeNode
from resizelab.models import foreign, running
from resizelab.models.backends import READERS
from resizelab.models.compare import compared
from resizelab.models.comparison import Comparison, Limits, Line, line_of
from resizelab.models.feeding import Array, Port, fitted
from resizelab.models.pairing import CALLS, READS
from resizelab.models.running import Exposed

DUMPS = (".npy", ".npz")
OUTPUT = "output"


@dataclass(frozen=True)
class Resizing:
    """One resize of a side: its name, its output's, what its run time makes of it.

    ``convention`` is None where it is not known; ``node`` of ONNX and TFLite files.
    """

    name: str
    output: str
    convention: Convention | None = None
    node: ResizeNode | None = None


@dataclass(frozen=True)
class Side:
    """A model as it ran: what was ``fed``, its ``outputs`` by name, its resizes.

    ``dump`` holds what `compare` takes for a model; ``refusal`` the words of a run
    time that did not run it. A dump has no back end, and was fed with nothing.
    """

    path: Path
    back_end: str
    outputs: Mapping[str, Array]
    fed: Mapping[str, Array] = field(default_factory=dict)
    resizes: tuple[Resizing, ...] = ()
    dump: Mapping[str, Array] = field(default_factory=dict)
    refusal: str = ""
    exposed: Exposed | None = None

    def __str__(self) -> str:
        """Return the file, and who ran it."""
        return f"{self.path.name} in {self.back_end or 'numbers, not run'}"


def opened(
    path: files.PathLike, feeds: Mapping[str, Array], back_end: str | None = None
) -> Side:
    """Return a model after one run on the arrays given, or a dump as it is.

    Raises ValueError for a file that cannot be read, and for one of another format
    than ONNX that its run time refuses; ImportError without the run time.
    """
    path = Path(path)
    kind = path.suffix.lower()
    if kind in DUMPS and path.is_file():
        held = {OUTPUT: files.array(path)} if kind == ".npy" else files.arrays(path)
        last = [name for name in held if name.startswith(OUTPUT)] or [*held][-1:]
        return Side(path, "", {name: held[name] for name in last}, dump=held)
    if kind == ".onnx":
        return _onnx(path, feeds, back_end or BACK_ENDS[0])
    name = foreign.back_end(path, back_end)
    return _foreign(path, name, foreign.run(path, name, feeds))


def _onnx(path: Path, feeds: Mapping[str, Array], back_end: str) -> Side:
    checks.one_of("back end of .onnx files", back_end, BACK_ENDS)
    model = onnx_file.load(path, weights=False)
    shapes, kinds = onnx_file.shapes(model.graph), onnx_file.element_types(model.graph)
    ports = [
        Port(name, shapes.get(name), kinds.get(name, "float32"))
        for name in running.inputs_of(path)
    ]
    fed = fitted(feeds, ports)
    what = running.exposed(path, fed, back_end=back_end)
    names = [value.name for value in model.graph.output]
    refusal, made = "", []
    try:
        made = [np.asarray(y) for y in STARTED[back_end](what.model, fed)()]
    except ImportError:
        raise
    except Exception as error:  # their classes have no common parent of their own
        refusal = " ".join(str(error).split())[:300] or type(error).__name__
    outputs = dict(zip(names, made, strict=True)) if made else {}
    resizes = tuple(
        Resizing(node.name, output, _as_read(node, back_end), node)
        for output, node in running.resizes(what).items()
    )
    return Side(path, back_end, outputs, fed, resizes, {}, refusal, what)


def _as_read(node: ResizeNode, back_end: str) -> Convention | None:
    """Return what a back end makes of a node, else what the node means."""
    for call in (READERS[back_end].get(node.op), None):
        try:
            return node.convention(call) if call else node.meaning()
        except (ValueError, TypeError):
            continue  # what it refuses may still be told by the file's own words
    return None


def _foreign(path: Path, back_end: str, made: Mapping[str, Any]) -> Side:
    ends = made["outputs"]
    outputs = {OUTPUT if not k else f"{OUTPUT}.{k}": y for k, y in enumerate(ends)}
    dump = dict(outputs)
    known: Sequence[ResizeNode] = ()
    if path.suffix.lower() == ".tflite":
        known = nodes.read(path).nodes
    resizes = []
    for k, about in enumerate(made["resizes"]):
        if "reads" in about:
            dump[f"{READS}{k}"] = about["reads"]
        if "gives" in about:
            dump[f"{CALLS}{k}"] = about["gives"]
        node = known[k] if k < len(known) else None
        resizes.append(Resizing(about["name"], f"{CALLS}{k}", called(about), node))
    return Side(path, back_end, outputs, made["fed"], tuple(resizes), dump)


def called(about: Mapping[str, Any]) -> Convention | None:
    """Return what a ``call`` with ``arguments`` computes, or None if none is known."""
    try:
        return find(about["call"], **about["arguments"])
    except (ValueError, TypeError, LookupError):
        return None


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
