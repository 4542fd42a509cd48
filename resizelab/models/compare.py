"""Compare two models node by node, or one with a dump, and find where they part."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from resizelab.modelfiles import files, nodes
from resizelab.modelfiles.nodes import ResizeNode
from resizelab.models import pairing, running
from resizelab.models.comparison import Comparison, Line, line_of
from resizelab.models.deviation import between
from resizelab.models.running import Array, Exposed

TOLERANCE = 1e-3  # of the reference's largest value: float32 networks stay below it
Progress = Callable[[int, int], None]


def compare(
    a: files.PathLike,
    b: files.PathLike | None = None,
    inputs: Mapping[str, Array] | None = None,
    ref: Mapping[str, Array] | None = None,
    tolerance: float = TOLERANCE,
    progress: Progress = lambda done, of: None,
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
        Of the reference's largest value: beyond it a pair departs.
    progress
        Called with how many pairs are done, of how many.

    Raises ValueError if no result of one side has a partner on the other.
    """
    if (b is None) == (ref is None):
        raise ValueError("give a second model, or a dump (ref): one of them")
    mine = running.exposed(a)
    theirs = running.exposed(b) if b is not None else None
    feeds = dict(inputs or {})
    if not feeds and ref is not None:
        feeds = {name: ref[name] for name in mine.inputs if name in ref}
    running.fitting(mine, feeds)
    pairs = _paired(mine, theirs, ref or {})
    lines: list[Line] = []
    for group in running.groups(mine, list(pairs)):
        found = running.results(mine, feeds, group)
        other = ref or {}
        if theirs is not None:
            wanted = [pairs[name] for name in group]
            other = running.results(theirs, _renamed(feeds, mine, theirs), wanted)
        for name, value in found.items():
            if pairs[name] in other:
                op = mine.nodes[name].op_type if name in mine.nodes else "output"
                lines.append(line_of(name, pairs[name], op, value, other[pairs[name]]))
            progress(len(lines), len(pairs))
    first = next((x for x in lines if x.relative > tolerance), None)
    known = {n.name: n for n in nodes.read(a).nodes}
    twins = {n.name: n for n in nodes.read(b).nodes} if b is not None else None
    resizes = _explained(mine, theirs, known, twins, lines, tolerance)
    skipped = len(mine.tensors) - len(lines)
    return Comparison(tuple(lines), first, tuple(resizes), skipped, tolerance)


def _paired(
    mine: Exposed, theirs: Exposed | None, ref: Mapping[str, Array]
) -> dict[str, str]:
    if theirs is not None:
        pairs, others = pairing.of_models(mine, theirs), list(theirs.tensors)
    else:
        pairs, others = pairing.of_dump(mine, ref), list(ref)
    if not pairs:
        raise ValueError(
            f"no result has a partner: the model has {_some(mine.tensors)}, the other "
            f"side {_some(others)}"
        )
    return pairs


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (", …" if len(names) > 5 else "")


def _renamed(feeds: Mapping[str, Array], a: Exposed, b: Exposed) -> dict[str, Array]:
    """Return the inputs under the second model's names, by order if need be."""
    if set(feeds) == {""} or set(feeds) <= set(b.inputs):
        return dict(feeds)
    names = dict(zip(a.inputs, b.inputs, strict=False))
    return {names.get(name, name): value for name, value in feeds.items()}


def _explained(
    mine: Exposed,
    theirs: Exposed | None,
    known: Mapping[str, ResizeNode],
    twins: Mapping[str, ResizeNode] | None,
    lines: list[Line],
    tolerance: float,
) -> Iterator[str]:
    """Say of each resize node what both sides compute, and whether they part there."""
    departs = {line.tensor: line.relative > tolerance for line in lines}
    for line in lines:
        made_by = mine.nodes.get(line.tensor)
        node = known.get(nodes.name_of(made_by)) if made_by is not None else None
        if node is None:
            continue
        text = f"{node.name}: {_named(node)}"
        if twins is not None and theirs is not None:
            text += _against(node, twins.get(nodes.name_of(theirs.nodes[line.other])))
        sources = _sources(mine, line.tensor, departs)
        if departs[line.tensor] and sources and not any(departs[t] for t in sources):
            text += "; what goes in agrees, what comes out does not: here they part"
        yield text


def _sources(mine: Exposed, name: str, compared: Mapping[str, bool]) -> set[str]:
    """Return the compared results that feed a node, past those not compared."""
    waiting, seen, found = list(mine.nodes[name].input), {name}, set()
    while waiting:
        source = waiting.pop()
        if source in seen:
            continue
        seen.add(source)
        if source in compared:
            found.add(source)
        elif source in mine.nodes:
            waiting += mine.nodes[source].input
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
