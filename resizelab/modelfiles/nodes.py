"""The resize nodes of a model file: where they are and what they say."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from resizelab import checks
from resizelab.axis.convention import Convention
from resizelab.catalog import find
from resizelab.modelfiles import files, onnx_file, onnx_graph, tflite_file

OPERATORS = ("Resize", "Upsample")
ENDINGS = (".onnx", ".tflite")
PRODUCERS = {
    "pytorch": "torch",
    "tf2onnx": "tensorflow",
    "keras2onnx": "keras",
    "jax2onnx": "jax",
}
BATCH_AND_CHANNELS = 2
FIRST_COORDINATES = 11
FIRST_UPSAMPLE_INPUT = 9  # before it the scales are an attribute
# What the onnx package raises where a field holds what no exporter writes.
DAMAGE = (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError)
Sizes = tuple[int | None, ...]


@dataclass(frozen=True, kw_only=True)
class ResizeNode:
    """One node of a model that resizes.

    ``arguments`` are the attributes as the file has them; ``before`` and ``after`` the
    shapes of its tensor, None where a size is open; ``scales`` and ``targets`` (sizes)
    one number an axis, where the file holds them; ``dtype`` the element type, if known.
    """

    name: str
    op: str
    library: str  # whose operators these are: onnx or tflite
    opset: int | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict)
    before: Sizes | None = None
    after: Sizes | None = None
    scales: tuple[float, ...] | None = None
    targets: tuple[int, ...] | None = None
    roi: tuple[float, ...] | None = None
    dtype: str | None = None

    def axes(self) -> tuple[int, ...] | None:
        """Return the axes that are resized, or None if that cannot be known."""
        if self.arguments.get("axes"):
            rank = len(self.before or self.after or ())
            return tuple(
                sorted(int(a) % (rank or 1_000) for a in self.arguments["axes"])
            )
        if self.scales is not None:
            return tuple(k for k, s in enumerate(self.scales) if s != 1)
        if self.before is None or self.after is None:
            return None
        pairs = list(zip(self.before, self.after, strict=False))
        # Batch and channels of open size are still batch and channels.
        front = BATCH_AND_CHANNELS if len(pairs) > BATCH_AND_CHANNELS else 0
        return tuple(
            k for k, (n, m) in enumerate(pairs) if n != m or (n is None and k >= front)
        )

    def sizes(self) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """Return the sizes of the resized axes before and after, if all are known."""
        axes = self.axes()
        if not axes or self.before is None or self.after is None:
            return None
        before = [self.before[k] for k in axes]
        after = [self.after[k] for k in axes]
        if None in before or None in after:
            return None
        return tuple(before), tuple(after)  # type: ignore[arg-type]

    def scale(self) -> tuple[float, ...] | None:
        """Return the scales of the resized axes where they are not those of the sizes.

        A whole number of pixels in and out is the same resize with either.
        """
        axes, sizes = self.axes(), self.sizes()
        if self.scales is None or not axes:
            return None
        named = self.arguments.get("axes")
        scales = self.scales if named else tuple(self.scales[k] for k in axes)
        if all(float(s).is_integer() for s in scales):
            return None
        if sizes and all(n * s == m for n, m, s in zip(*sizes, scales, strict=True)):
            return None
        return scales

    def convention(self, call: str) -> Convention:
        """Return what a back end makes of the node: ``call`` with its attributes."""
        arguments = {k: v for k, v in self.arguments.items() if k != "axes"}
        if self.library == "onnx":
            arguments["opset"] = self.opset
            arguments["scales"] = self.scale()
            if self.roi is not None:
                arguments["roi"] = self.roi
        if call.endswith("Upsample"):
            arguments["opset"] = FIRST_UPSAMPLE_INPUT
        return find(call, **{k: v for k, v in arguments.items() if v is not None})

    def saying(self, arguments: Mapping[str, Any]) -> "ResizeNode":
        """Return the node with some arguments in the place of its own."""
        return replace(self, arguments={**self.arguments, **arguments})

    def meaning(self) -> Convention:
        """Return what the node means: by ONNX's text, else by who first ran it."""
        if self.library == "tflite":
            return self.convention(f"tflite.{self.op}")
        if self.op == "Resize" and (self.opset or 0) >= FIRST_COORDINATES:
            return self.convention("onnx.Resize.spec")
        return self.convention(f"onnxruntime.{self.op}")

    def said(self) -> str:
        """Return the node as the file has it, in one line."""
        listed = ", ".join(f"{k}={v}" for k, v in self.arguments.items())
        return f"{self.op}({listed})"


@dataclass(frozen=True)
class Contents:
    """The resize nodes of one file, and who wrote it.

    ``others`` counts operators that move pixels and are not looked at; ``faults`` say
    why no run time can run the graph as a whole.
    """

    path: Path
    format: str
    opset: int | None
    producer: str
    nodes: tuple[ResizeNode, ...]
    others: Mapping[str, int] = field(default_factory=dict)
    faults: tuple[str, ...] = ()

    @property
    def made_by(self) -> str | None:
        """The library whose exporter wrote the file, if it is one we know."""
        return PRODUCERS.get(self.producer.lower())


def read(path: files.PathLike) -> Contents:
    """Return the resize nodes of an .onnx or .tflite file."""
    path = Path(path)
    if checks.one_of("the file's ending", path.suffix.lower(), ENDINGS) == ".tflite":
        entries, others = tflite_file.resizes(path)
        found = tuple(ResizeNode(library="tflite", **entry) for entry in entries)
        return Contents(path, "tflite", None, "", found, others)
    model = onnx_file.load(path, weights=False)
    opset = opset_of(model)
    try:
        faults = onnx_graph.faults(model)
        whole = model  # inference follows functions without end, and cycles
        if not faults:
            for graph in onnx_file.graphs(model):
                onnx_graph.sort(graph)  # it goes through the nodes as they stand
            whole = onnx_file.inferred(model)
        nodes = tuple(_onnx_nodes(whole, opset))
        others = onnx_graph.not_looked_at(model)
    except DAMAGE as error:
        raise ValueError(
            f"{path} is damaged: {error} ({type(error).__name__})"
        ) from None
    return Contents(path, "onnx", opset, model.producer_name, nodes, others, faults)


def opset_of(model: Any) -> int:
    """Return the version of ONNX's own operators that a model or function uses."""
    versions = [o.version for o in model.opset_import if o.domain in onnx_graph.OURS]
    return int(max(versions, default=1))


def is_resize(node: Any) -> bool:
    """Say whether a node is one of ONNX's own that resize."""
    return node.op_type in OPERATORS and node.domain in onnx_graph.OURS


def name_of(node: Any) -> str:
    """Return a node's name, or its output's where it has none."""
    return str(node.name or (node.output[0] if node.output else "unnamed"))


def _onnx_nodes(model: Any, opset: int) -> Iterator[ResizeNode]:
    for graph in onnx_file.graphs(model):
        yield from of_graph(graph, opset)
    for function in model.functions:
        own = opset_of(function) if function.opset_import else opset
        for node in filter(is_resize, function.node):
            yield _onnx_node(node, own, {}, {}, {})


def of_graph(graph: Any, opset: int) -> Iterator[ResizeNode]:
    """Go through the resize nodes of one graph, in its order."""
    known = onnx_file.shapes(graph)
    constants = onnx_file.constants(graph)
    kinds = onnx_file.element_types(graph)
    for node in filter(is_resize, graph.node):
        yield _onnx_node(node, opset, known, constants, kinds)


def _onnx_node(
    node: Any,
    opset: int,
    known: Mapping[str, Sizes],
    constants: Mapping[str, Any],
    kinds: Mapping[str, str],
) -> ResizeNode:
    arguments = attributes(node)
    scales = arguments.pop("scales", None)  # an attribute of Upsample before opset 9
    place = 1 if node.op_type == "Upsample" or opset < FIRST_COORDINATES else 2
    scales = scales or _constant(node, place, constants)
    roi = _constant(node, 1, constants) if place == 2 else None
    targets = _constant(node, 3, constants)
    crops = arguments.get("coordinate_transformation_mode") == "tf_crop_and_resize"
    before = known.get(node.input[0]) if node.input else None
    after = known.get(node.output[0]) if node.output else None
    if before is not None and after is not None and len(before) != len(after):
        after = None  # declared, and wrong: a resize keeps the number of axes
    return ResizeNode(
        name=name_of(node),
        op=node.op_type,
        library="onnx",
        opset=opset,
        arguments=arguments,
        before=before,
        after=after,
        scales=tuple(float(s) for s in scales) if scales is not None else None,
        targets=tuple(int(n) for n in targets) if targets is not None else None,
        roi=tuple(float(v) for v in roi) if roi is not None and crops else None,
        dtype=kinds.get(node.input[0]) if node.input else None,
    )


def attributes(node: Any) -> dict[str, Any]:
    """Return a node's attributes as plain values."""
    onnx = onnx_file.library()
    found = {}
    for attribute in node.attribute:
        value = onnx.helper.get_attribute_value(attribute)
        if isinstance(value, bytes):
            value = value.decode("utf-8", "replace")
        elif isinstance(value, float):
            value = float(f"{value:.7g}")  # a float32: -0.6 is not -0.6000000238
        elif hasattr(value, "__len__") and not isinstance(value, str):
            value = list(value)
        found[attribute.name] = value
    return found


def _constant(node: Any, place: int, constants: Mapping[str, Any]) -> Any:
    if len(node.input) <= place or not node.input[place]:
        return None
    value = constants.get(node.input[place])
    return value.ravel() if value is not None and value.size else None
