"""What an ONNX graph says as a whole: can it be run, and what in it moves pixels."""

import graphlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from resizelab.modelfiles.onnx_file import graphs, inner, node_lists

# They move pixels too, and no convention here says how.
OTHERS = (
    *("ConvTranspose", "DepthToSpace", "GridSample", "AffineGrid", "RoiAlign"),
    *("MaxUnpool", "MaxRoiPool", "DeformConv", "Col2Im"),
)
OURS = ("", "ai.onnx")
LISTED = 6  # names that are written out


def not_looked_at(model: Any) -> dict[str, int]:
    """Count the operators that move pixels, and that no convention here describes."""
    found: Counter[str] = Counter()
    for nodes in node_lists(model):
        for node in nodes:
            own = node.domain in OURS
            known = node.op_type in OTHERS if own else _resizes_by_name(node.op_type)
            if known:
                found[node.op_type if own else f"{node.domain}.{node.op_type}"] += 1
    return dict(found)


def _resizes_by_name(op: str) -> bool:
    """Say whether an operator of somebody's own is called like one that resizes."""
    words = ("resize", "upsampl", "interp", "gridsample", "convtranspose", "shuffle")
    return any(word in op.lower() for word in words)


def faults(model: Any) -> tuple[str, ...]:
    """Return why no run time can run a model: functions or nodes that need themselves.

    Nodes in a wrong order are no fault: run times sort them.
    """
    found = []
    functions = {(f.domain, f.name): f for f in model.functions}
    needs = {
        key: {(n.domain, n.op_type) for n in _with_inner(f.node)} & functions.keys()
        for key, f in functions.items()
    }
    if ring := _ring(needs):
        found.append(f"functions call each other in a circle: {_chain(ring)}")
    for graph in graphs(model):
        if ring := _ring(_needed(graph)):
            found.append(f"the graph has a cycle: {_chain(ring)}")
    return tuple(found)


def _chain(ring: list[Any]) -> str:
    names = [key[1] if isinstance(key, tuple) else key for key in ring]
    shown = names if len(names) <= LISTED else [*names[:LISTED], "…"]
    return " <- ".join(map(str, shown))


def _ring(needs: Mapping[Any, set[Any]]) -> list[Any]:
    try:
        graphlib.TopologicalSorter(needs).prepare()
    except graphlib.CycleError as error:
        return list(error.args[1])
    return []


def _needed(graph: Any) -> dict[str, set[str]]:
    """Return by each result of a graph the names that its node reads."""
    needs: dict[str, set[str]] = {}
    for node in graph.node:
        read = {name for n in _with_inner([node]) for name in n.input if name}
        needs.update({name: read for name in node.output if name})
    return needs


def _with_inner(nodes: Iterable[Any]) -> Iterator[Any]:
    """Go through nodes and those of the graphs inside them."""
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [n for graph in inner(node) for n in graph.node]
