"""Write a model with matrices, and prove it: how far back ends agree, how fast."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab import checks, engines
from resizelab.catalog.finding import Wanted
from resizelab.engines import onnxruntime
from resizelab.engines.openvino import SETTINGS, core
from resizelab.exact.in_onnx import Exact, onnx
from resizelab.modelfiles import files, onnx_file
from resizelab.text import Told

Feeds = Mapping[str, NDArray[Any]]
Run = Callable[[], list[NDArray[Any]]]
BACK_ENDS = ("onnxruntime", "openvino", "onnx.reference")
PATIENCE = 0.05  # seconds; onnx.reference takes a thousand times as long
ROUNDS = 5


@dataclass(frozen=True)
class Ran:
    """One back end on one model: its outputs or its refusal, and its best time."""

    outputs: tuple[NDArray[Any], ...] | None
    seconds: float = 0.0
    refusal: str = ""

    @property
    def told(self) -> str:
        """The refusal, or the time."""
        return self.refusal or f"{1e3 * self.seconds:.2f} ms"


@dataclass(frozen=True, repr=False)
class Proof(Told):
    """What the back ends gave before and after, by name."""

    before: Mapping[str, Ran]
    after: Mapping[str, Ran]
    skipped: tuple[str, ...] = ()

    def apart(self, when: Mapping[str, Ran]) -> float | None:
        """Return the most that two back ends differ, as a share of the largest value.

        None where fewer than two ran.
        """
        return _apart([ran.outputs for ran in when.values()])

    def moved(self, back_end: str) -> float | None:
        """Return how far a back end's outputs moved, as a share of the largest value.

        A last bit as a rule; whole levels where the model rounds after each layer.
        """
        return _apart([w[back_end].outputs for w in (self.before, self.after)])

    def whole(self) -> dict[str, Any]:
        """Return what the JSON document says."""
        named = {"before": self.before, "after": self.after}
        return {
            "apart": {words: self.apart(when) for words, when in named.items()},
            **{w: {n: ran.told for n, ran in r.items()} for w, r in named.items()},
            "moved": {name: self.moved(name) for name in self.after},
            "skipped": self.skipped,
        }

    def __str__(self) -> str:
        """Return what each back end did, a line each."""
        pairs = zip(self.before.items(), self.after.values(), strict=True)
        lines = [
            f"{n}: before {a.told}, after {b.told}{self._moved(n)}"
            for (n, a), b in pairs
        ]
        lines += [f"{name}: not run, too slow for this model" for name in self.skipped]
        for words, when in (("before", self.before), ("after", self.after)):
            gap = self.apart(when)
            if gap is not None:
                lines.append(f"{words}: back ends differ by {gap:.1e} of the largest")
        return "\n".join(lines)

    def _moved(self, back_end: str) -> str:
        far = self.moved(back_end)
        return "" if far is None else f"; outputs moved by {far:.1e} of the largest"


def _apart(made: Sequence[tuple[NDArray[Any], ...] | None]) -> float | None:
    """Return how far several runs are apart; None where fewer than two ran."""
    ran = [outputs for outputs in made if outputs is not None]
    if len(ran) < 2:
        return None
    most = 0.0
    for results in zip(*ran, strict=True):
        stacked = np.stack([np.asarray(r, np.float64) for r in results])
        top = float(np.abs(stacked).max(initial=0)) or 1.0
        most = max(most, float(np.ptp(stacked, axis=0).max(initial=0)) / top)
    return most


def prove(
    before: Any,
    made: Exact,
    feeds: Feeds | None = None,
    back_ends: Sequence[str] = BACK_ENDS,
) -> Proof:
    """Run a ModelProto before and after in every back end that is installed.

    ``feeds`` are the inputs by name; without them, noise of the file's shapes. Raises
    ValueError for inputs of open shapes.
    """
    for name in back_ends:
        checks.one_of("back end", name, BACK_ENDS)
    given = noise(made.model) if feeds is None else feeds
    was: dict[str, Ran] = {}
    now: dict[str, Ran] = {}
    skipped = []
    for name in sorted(back_ends, key=BACK_ENDS.index):
        if not engines.version(name.split(".")[0]):
            continue
        slow = any(ran.seconds > PATIENCE for ran in now.values())
        if slow and name == "onnx.reference":
            skipped.append(name)
            continue
        was[name], now[name] = run(name, before, given), run(name, made.model, given)
    return Proof(was, now, tuple(skipped))


def noise(model: Any) -> dict[str, NDArray[Any]]:
    """Return noise for each input of a model, of the shapes in the file."""
    rng = np.random.default_rng(0)
    shapes, kinds = onnx_file.shapes(model.graph), onnx_file.element_types(model.graph)
    found = {}
    for name in onnx_file.inputs(model):
        shape = shapes.get(name, (None,))
        # An open batch is one picture; any other open size must be told.
        if None in shape[1:] or not shape:
            raise ValueError(f"input {name!r} has open sizes {shape}: give it")
        sizes = [n or 1 for n in shape]
        kind = np.dtype(kinds[name])
        values = rng.random(sizes) if kind.kind == "f" else rng.integers(0, 255, sizes)
        found[name] = values.astype(kind)
    return found


def run(back_end: str, model: Any, feeds: Feeds) -> Ran:
    """Run a model in a back end, with one thread and in float32."""
    try:
        once = STARTED[back_end](model, feeds)
        outputs = tuple(np.asarray(y) for y in once())
    except Exception as error:  # each back end raises classes of its own
        words = str(error).strip().splitlines() or [type(error).__name__]
        return Ran(None, refusal=f"refuses ({words[0][:120]})")
    best = np.inf
    for _ in range(1 if back_end == "onnx.reference" else ROUNDS):
        start = time.perf_counter()
        once()
        best = min(best, time.perf_counter() - start)
    return Ran(outputs, float(best))


def _onnxruntime(model: Any, feeds: Feeds) -> Run:
    made = onnxruntime.session(model.SerializeToString(), rewritten=True)
    return lambda: made.run(None, dict(feeds))


def _openvino(model: Any, feeds: Feeds) -> Run:
    read = core().read_model(model.SerializeToString())
    network = core().compile_model(read, "CPU", SETTINGS)

    def once() -> list[NDArray[Any]]:
        results = network(dict(feeds))
        return [results[port].copy() for port in network.outputs]

    return once


def _reference(model: Any, feeds: Feeds) -> Run:
    evaluator = engines.load("onnx.reference", "onnx").ReferenceEvaluator(model)
    return lambda: evaluator.run(None, dict(feeds))


# Each loads a model and returns what runs it once.
STARTED: Mapping[str, Callable[[Any, Feeds], Run]] = {
    "onnxruntime": _onnxruntime,
    "openvino": _openvino,
    "onnx.reference": _reference,
}


@dataclass(frozen=True, repr=False)
class Written(Told):
    """What was replaced, what the back ends say of it, and where it was written."""

    target: Path
    exact: Exact
    proof: Proof | None

    def __str__(self) -> str:
        """Return the report as text."""
        told = self.proof or "not run: the inputs have open sizes; give --input"
        return f"{self.exact}\n{told}\nwritten to {self.target}"

    def whole(self) -> dict[str, Any]:
        """Return the report as plain values."""
        return {
            "target": self.target,
            "replaced": self.exact.replaced,
            "remarks": self.exact.remarks,
            "proof": self.proof,
        }


def write(
    path: files.PathLike,
    output: files.PathLike | None = None,
    in_place: bool = False,
    *,
    nodes: str | Sequence[str] = "*",
    like: Wanted | None = None,
    feeds: Feeds | None = None,
    back_ends: Sequence[str] = BACK_ENDS,
) -> Written:
    """Write ``path`` with its resizes as matrices; run it before and after.

    ``feeds`` are inputs by name (the empty name for the only input): their shapes fix
    sizes that the file leaves open. Everything else is as in `in_onnx.onnx`. Nothing
    is written if anything is refused.
    """
    target = files.target(path, output, in_place)
    before = onnx_file.with_weights(path)
    given = onnx_file.named(before, feeds) if feeds else None
    shapes = given and {name: array.shape for name, array in given.items()}
    made = onnx(before, nodes, like, shapes)
    proof = None
    if given or not _open(made.model):
        proof = prove(before, made, given, back_ends)
    files.write(target, made.model.SerializeToString())
    return Written(target, made, proof)


def _open(model: Any) -> bool:
    """Say whether an input has an open size other than its batch."""
    shapes = onnx_file.shapes(model.graph)
    return any(
        None in shapes.get(value.name, (None,) * 2)[1:] for value in model.graph.input
    )
