"""One side of a comparison: a model of any format that has run once, or a dump."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from resizelab import checks
from resizelab.axis.convention import Convention
from resizelab.catalog import find
from resizelab.exact.proof import BACK_ENDS, STARTED
from resizelab.modelfiles import files, nodes, onnx_file
from resizelab.modelfiles.nodes import ResizeNode
from resizelab.models import foreign, running
from resizelab.models.backends import READERS
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
