"""Compare two models node by node, or one with a dump, and find where they part."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from resizelab.exact.proof import BACK_ENDS
from resizelab.modelfiles import files, nodes
from resizelab.modelfiles.nodes import ResizeNode
from resizelab.models import pairing, running
from resizelab.models.comparison import Comparison, Limits, Line, Map, line_of
from resizelab.models.deviation import between
from resizelab.models.feeding import Array
from resizelab.models.running import Exposed
from resizelab.text import listed

TOLERANCE = 1e-3  # of the reference's largest value: float32 networks stay below it
FLOOR = 1e-6  # float32 noise of numbers about 1: a sigmoid of 5e-7 is one, too
EVERYTHING = 2**28  # bytes of results: up to here every pair is looked at
PICTURED = 4


def compare(
    a: files.PathLike,
    b: files.PathLike | None = None,
    inputs: Mapping[str, Array] | None = None,
    ref: Mapping[str, Array] | None = None,
    tolerance: float = TOLERANCE,
    floor: float = FLOOR,
    back_ends: tuple[str, str] = (BACK_ENDS[0],) * 2,
) -> Comparison:
    """Return how two models, or a model and a dump of activations, differ by node.

    Parameters
    ----------
    a, b
        ONNX files; ``b`` is left out where ``ref`` stands for it.
    inputs : mapping
        Arrays by input name ("" for the only one). A dump may hold them itself.
    ref : mapping
        Named activations of the other side, as `resizelab compare --hook` writes them.
    tolerance : float
        Of the reference's largest value: beyond it a pair differs.
    floor : float
        An error up to here is noise, however small the values are.
    back_ends : (str, str)
        Who runs ``a`` and ``b``: onnxruntime, openvino or onnx.reference.

    Raises ValueError if no result of one side has a partner on the other.
    """
    if (b is None) == (ref is None):
        raise ValueError("give a second model, or a dump (ref): one of them")
    limits = Limits(tolerance, floor)
    feeds = dict(inputs or {})
    if not feeds and ref is not None:
        feeds = dict(ref)
    loose = ref is not None and not inputs
    mine, theirs = running.exposed(a, feeds, loose, back_ends[0]), None
    if b is not None:
        theirs = running.exposed(b, _renamed(mine, b), back_end=back_ends[1])
    return replace(compared(mine, theirs, ref or {}, limits), source=str(a))


def compared(
    mine: Exposed, theirs: Exposed | None, ref: Mapping[str, Array], limits: Limits
) -> Comparison:
    """Return how a model differs from another, or from named activations."""
    pairs = _paired(mine, theirs, ref)
    sides = _Sides(mine, theirs, ref, pairs, limits)
    sides.look(_first_look(mine, pairs))
    first = sides.first()
    if first is not None:
        sides.look(_between(mine, pairs, first, sides.lines))
    lines = sides.ordered()
    return Comparison(
        tuple(lines),
        sides.first(),
        tuple(_explained(mine, theirs, lines)),
        len(mine.tensors) - len(pairs),
        limits,
        len(pairs),
        sides.pictured(),
    )


def _paired(
    mine: Exposed, theirs: Exposed | None, ref: Mapping[str, Array]
) -> dict[str, str]:
    if theirs is not None:
        pairs, others = pairing.of_models(mine, theirs), list(theirs.tensors)
    else:
        pairs, others = pairing.of_dump(mine, ref), list(ref)
    if not pairs:
        raise ValueError(
            f"no result has a partner: the model has {listed(mine.tensors)}, the other "
            f"side {listed(others)}"
        )
    return pairs


def _first_look(mine: Exposed, pairs: Mapping[str, str]) -> list[str]:
    """Return every pair of a small model; of a large one its resizes and outputs."""
    if sum(map(mine.bytes_of, pairs)) <= EVERYTHING:
        return list(pairs)
    outputs = {o.name for o in mine.model.graph.output}
    chosen = [n for n in pairs if n in outputs or nodes.is_resize(mine.nodes[n])]
    return chosen or list(pairs)


def _between(
    mine: Exposed, pairs: Mapping[str, str], first: Line, seen: Mapping[str, Line]
) -> list[str]:
    """Return the pairs that lie between those that agree and the first that differs."""
    agree = {name for name, line in seen.items() if not line.differs}
    around = mine.sources(first.tensor, agree)
    return [name for name in pairs if name in around and name not in seen]


@dataclass
class _Sides:
    """Two sides that run in step: what one has made waits for its partner."""

    mine: Exposed
    theirs: Exposed | None
    ref: Mapping[str, Array]
    pairs: Mapping[str, str]
    limits: Limits
    lines: dict[str, Line] = field(default_factory=dict)
    maps: dict[str, Map] = field(default_factory=dict)

    def look(self, names: Collection[str]) -> None:
        """Compare some pairs: each node of either side runs at most once."""
        wanted = {self.pairs[name] for name in names}
        partners: Iterator[tuple[str, Array | None]] = iter(self.ref.items())
        if self.theirs is not None:
            partners = running.walk(self.theirs, wanted)
        waiting: dict[str, Array | None] = {}
        for name, value in running.walk(self.mine, set(names)):
            other = self.pairs[name]
            while other not in waiting:
                key, found = next(partners, (other, None))
                waiting[key] = found
            partner = waiting.pop(other) if self.theirs else self.ref.get(other)
            if partner is not None:
                self._add(name, value, partner)

    def _add(self, name: str, value: Array, ref: Array) -> None:
        made_by = self.mine.nodes.get(name)
        op = made_by.op_type if made_by is not None else "output"
        line, where = line_of(name, self.pairs[name], op, value, ref, self.limits)
        self.lines[name] = line
        if where is not None:
            self.maps[name] = where

    def ordered(self) -> list[Line]:
        """Return the lines in the model's order."""
        return [self.lines[name] for name in self.pairs if name in self.lines]

    def first(self) -> Line | None:
        """Return the first pair that differs."""
        return next((line for line in self.ordered() if line.differs), None)

    def pictured(self) -> tuple[Map, ...]:
        """Return where the first pairs and the last one that differ do so."""
        names = [line.tensor for line in self.ordered() if line.tensor in self.maps]
        chosen = dict.fromkeys([*names[: PICTURED - 1], *names[-1:]])
        return tuple(self.maps[name] for name in chosen)


def _renamed(a: Exposed, path: files.PathLike) -> dict[str, Array]:
    """Return the first model's inputs under the second's names, by order if need be."""
    names = running.inputs_of(path)
    if set(a.feeds) <= set(names):
        return dict(a.feeds)
    other = dict(zip(a.inputs, names, strict=False))
    return {other.get(name, name): value for name, value in a.feeds.items()}


def _explained(
    mine: Exposed, theirs: Exposed | None, lines: Sequence[Line]
) -> Iterator[str]:
    """Say of resizes what both sides compute, and of which that they part there.

    Those of which the same is said are named together.
    """
    known = running.resizes(mine)
    twins = running.resizes(theirs) if theirs is not None else {}
    seen = {line.tensor: line.differs for line in lines}
    told: dict[str, list[str]] = {}
    for line in lines:
        node = known.get(line.tensor)
        if node is None:
            continue
        text = _named(node)
        if theirs is not None:
            text += _against(node, twins.get(line.other))
        sources = _nearest(mine, line.tensor, seen)
        if line.differs and sources and not any(seen[name] for name in sources):
            text += "; what goes in agrees, what comes out does not: here they part"
        told.setdefault(text, []).append(node.name)
    yield from (f"{listed(names)}: {text}" for text, names in told.items())


def _nearest(mine: Exposed, name: str, seen: Collection[str]) -> set[str]:
    """Return the compared results that feed a node, past those not compared."""
    found: set[str] = set()
    waiting, passed = list(mine.nodes[name].input), {name}
    while waiting:
        source = waiting.pop()
        if source in seen:
            found.add(source)
        elif source not in passed and source in mine.nodes:
            waiting += mine.nodes[source].input
        passed.add(source)
    return found


def _named(node: ResizeNode) -> str:
    try:
        return node.meaning().name
    except (ValueError, TypeError) as error:
        return f"no convention ({error})"


def _against(node: ResizeNode, twin: ResizeNode | None) -> str:
    if twin is None:
        return "; no resize node on the other side"
    try:
        far = between(twin.meaning(), node.meaning(), node.sizes())
    except (ValueError, TypeError):
        return f" against {_named(twin)}"
    if not far.real:
        return ", the same on both sides"
    return f" against {_named(twin)}: {far.text()}"
