"""Run an ONNX model in ONNX Runtime and take every intermediate result out of it."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab import checks
from resizelab.modelfiles import files, onnx_file

Array = NDArray[Any]
AT_ONCE = 2**28  # bytes of results held from one run
GUESS = 2**23  # bytes of a result whose size cannot be inferred
ELEMENT = 8  # bytes, at most


@dataclass(frozen=True)
class Exposed:
    """A model whose intermediate results are outputs.

    ``model`` has functions unfolded and weights inside; ``tensors`` are the results
    of its nodes, in the order of the graph; ``nodes`` the node that makes each.
    """

    model: Any
    tensors: tuple[str, ...]
    nodes: Mapping[str, Any]
    shapes: Mapping[str, tuple[int | None, ...]]
    inputs: tuple[str, ...]


def exposed(path: files.PathLike) -> Exposed:
    """Return the model of a file with every result of its main graph exposed."""
    onnx = onnx_file.library()
    model = onnx_file.with_weights(path)
    if model.functions:
        model = onnx.inliner.inline_local_functions(model)
    shapes = onnx_file.shapes(onnx_file.inferred(model).graph)
    constant = {t.name for t in model.graph.initializer}
    made = {}
    for node in model.graph.node:
        for name in node.output:
            if name and node.op_type != "Constant":
                made[name] = node
    inputs = tuple(v.name for v in model.graph.input if v.name not in constant)
    return Exposed(model, tuple(made), made, shapes, inputs)


def results(
    what: Exposed, feeds: Mapping[str, Array], names: Sequence[str]
) -> dict[str, Array]:
    """Return the named results of one run; what is no array of numbers is left out."""
    model = type(what.model)()
    model.CopyFrom(what.model)
    own = {o.name for o in model.graph.output}
    for name in names:
        if name not in own:
            model.graph.output.add().name = name
    found = _session(model).run(list(names), fitting(what, feeds))
    return {
        name: value
        for name, value in zip(names, found, strict=True)
        if isinstance(value, np.ndarray) and value.dtype.kind in "biuf"
    }


def groups(what: Exposed, names: Sequence[str]) -> Iterator[list[str]]:
    """Go through ``names`` in groups whose results fit into memory together."""
    group: list[str] = []
    held = 0
    for name in names:
        shape = what.shapes.get(name)
        known = shape is not None and None not in shape
        size = ELEMENT * math.prod(n or 1 for n in shape or ()) if known else GUESS
        if group and held + size > AT_ONCE:
            yield group
            group, held = [], 0
        group.append(name)
        held += size
    if group:
        yield group


def _session(model: Any) -> Any:
    try:
        import onnxruntime
    except ModuleNotFoundError as error:
        raise ImportError(
            "comparing models needs onnxruntime: pip install onnxruntime"
        ) from error
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4  # what goes wrong is raised
    off = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.graph_optimization_level = off  # the file's nodes, not rewritten ones
    try:
        return onnxruntime.InferenceSession(
            model.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:  # its classes have no common parent of their own
        raise ValueError(f"ONNX Runtime refuses the model: {error}") from None


def fitting(what: Exposed, feeds: Mapping[str, Array]) -> dict[str, Array]:
    """Return the inputs by the model's names and types, or say what is missing."""
    feeds = dict(feeds)
    if set(feeds) == {""}:
        if len(what.inputs) != 1:
            listed = ", ".join(what.inputs)
            raise ValueError(f"the model has several inputs: name each of {listed}")
        feeds = {what.inputs[0]: feeds[""]}
    kinds = onnx_file.element_types(what.model.graph)
    for name in feeds:
        checks.one_of("input", name, what.inputs)
    fitted = {}
    for name in what.inputs:
        if name not in feeds:
            raise ValueError(f"input {name!r} of the model is missing")
        value = feeds[name]
        kind = np.dtype(kinds.get(name, value.dtype))
        if value.dtype != kind and not np.can_cast(value.dtype, kind, "same_kind"):
            raise TypeError(f"input {name!r} is {kind} in the model; got {value.dtype}")
        _same_shape(name, value.shape, what.shapes.get(name))
        fitted[name] = np.ascontiguousarray(value, kind)
    return fitted


def _same_shape(
    name: str, got: tuple[int, ...], wanted: tuple[int | None, ...] | None
) -> None:
    if wanted is None:
        return
    fits = len(got) == len(wanted) and all(
        w is None or w == g for g, w in zip(got, wanted, strict=True)
    )
    if not fits:
        raise ValueError(f"input {name!r} has shape {wanted} in the model; got {got}")
