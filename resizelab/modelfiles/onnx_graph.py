"""What an ONNX graph says as a whole: can it be run, and what in it moves pixels."""

import graphlib
import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from resizelab.modelfiles.onnx_file import every_node, graphs, inner

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
    for node in every_node(model):
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
    return {
        name: read_by([node]) for node in graph.node for name in node.output if name
    }


def read_by(nodes: Iterable[Any]) -> set[str]:
    """Return the names that nodes read, those of the graphs inside them included."""
    return {name for node in _with_inner(nodes) for name in node.input if name}


def sort(graph: Any) -> bool:
    """Put the nodes of a graph after what they read, and say whether that moved one.

    Nodes that stand right keep their order.
    """
    made = {name: k for k, n in enumerate(graph.node) for name in n.output if name}
    needs = {
        k: {made[name] for name in read_by([n]) if name in made} - {k}
        for k, n in enumerate(graph.node)
    }
    order = list(_ordered(needs))
    if order == sorted(order):
        return False
    nodes = [graph.node[k] for k in order]
    copies = [type(node)() for node in nodes]
    for copy, node in zip(copies, nodes, strict=True):
        copy.CopyFrom(node)
    del graph.node[:]
    graph.node.extend(copies)
    return True


def _ordered(needs: Mapping[int, set[int]]) -> Iterator[int]:
    """Go through numbers so that each comes after those it needs, least first."""
    sorter = graphlib.TopologicalSorter(needs)
    sorter.prepare()
    ready: list[int] = []
    while sorter.is_active():
        for k in sorter.get_ready():
            heapq.heappush(ready, k)
        k = heapq.heappop(ready)
        yield k
        sorter.done(k)


def _with_inner(nodes: Iterable[Any]) -> Iterator[Any]:
    """Go through nodes and those of the graphs inside them."""
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [n for graph in inner(node) for n in graph.node]
