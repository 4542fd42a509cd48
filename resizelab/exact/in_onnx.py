"""Put the matrix in the place of every Resize of an ONNX model."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from resizelab import checks
from resizelab.axis.convention import Convention
from resizelab.axis.native import by_taps, price_of_taps
from resizelab.catalog.finding import Wanted, settled
from resizelab.exact import graph as graphs
from resizelab.exact.separable import Separable, separable
from resizelab.modelfiles import nodes as file_nodes
from resizelab.modelfiles import onnx_file
from resizelab.text import Told, by

Shapes = Mapping[str, Sequence[int]]
QUANTISED = ("QuantizeLinear", "QLinearConv", "QLinearMatMul", "DequantizeLinear")
AMPLIFIES = (
    "the model is quantised: where a last bit moves, a rounding may fall the other "
    "way, and an output moves by a whole level (measured once, ONNX Runtime 1.32: the "
    "outputs of a net of five convolutions moved by 5e-03 of the largest value in "
    "int8, by 7e-08 in float32)"
)


@dataclass(frozen=True)
class Place:
    """One resize node: its graph, where it stands there, and what it says."""

    graph: Any
    node: Any
    said: file_nodes.ResizeNode


@dataclass(frozen=True, repr=False)
class Replaced(Told):
    """One node that was replaced: what it computes now, its sizes, form and price.

    ``work`` is what an output costs in multiplications of a matrix product, a tap
    counted at its measured price.
    """

    name: str
    convention: str
    size_in: tuple[int, ...]
    size_out: tuple[int, ...]
    forms: tuple[str, ...]
    work: int

    def __str__(self) -> str:
        """Return the node in one line."""
        sizes = f"{by(self.size_in)} to {by(self.size_out)}"
        forms = " and ".join(self.forms) or "a copy"
        return f"{self.name}: {self.convention}, {sizes}, as {forms}"


@dataclass(frozen=True, repr=False)
class Exact(Told):
    """A model without a Resize: the ModelProto, what was replaced, and remarks."""

    model: Any
    replaced: tuple[Replaced, ...]
    remarks: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return what was replaced, a line each."""
        lines = [str(entry) for entry in self.replaced]
        return "\n".join([*lines, *(f"note: {text}" for text in self.remarks)])


def onnx(
    model: Any,
    nodes: str | Sequence[str] = "*",
    like: Wanted | None = None,
    shapes: Shapes | None = None,
    form: str = "cheaper",
) -> Exact:
    """Return a model in which each Resize and Upsample is a matrix product, or taps.

    Parameters
    ----------
    model : path or ModelProto
        The model; it is not changed. Weights in files beside it are read.
    nodes : str or sequence of str
        The nodes' names, or their outputs'; ``*`` for every one.
    like : str, Spec or Convention, optional
        What they should compute; without it, what the ONNX specification says.
    shapes : mapping of str to sequence of int, optional
        Shapes of the model's inputs, where the file leaves them open. Sizes that the
        matrices then rest on are written into the file; a batch stays open.
    form : str
        ``cheaper`` (a measured rule, `axis.native.by_taps`), ``matmul`` or ``taps``.

    Raises ValueError for a node whose sizes are open or whose numbers are rounded,
    LookupError for one that is not there. The result passes ONNX's checker.
    """
    found = _loaded(model)
    if shapes:
        _fixed(found, shapes)
    wished = None if like is None else settled(like)
    chosen = _chosen(found, nodes)
    sizes = {name for place in chosen for name in place.node.input[1:] if name}
    replaced = [_replace(place, wished, k, form) for k, place in enumerate(chosen)]
    _swept(found, sizes)
    onnx_file.checked(found, "the model with matrices does not pass ONNX's checker")
    ops = {n.op_type for g in onnx_file.graphs(found) for n in g.node}
    remarks = (AMPLIFIES,) if ops & set(QUANTISED) else ()
    return Exact(found, tuple(replaced), remarks)


def _loaded(model: Any) -> Any:
    if hasattr(model, "graph"):
        made = type(model)()
        made.CopyFrom(model)
    else:
        made = onnx_file.with_weights(model)
    if made.functions:
        made = onnx_file.library().inliner.inline_local_functions(made)
    return made


def _fixed(model: Any, shapes: Shapes) -> None:
    """Write shapes into the inputs; an open first size, the batch, stays open."""
    inputs = {value.name: value for value in model.graph.input}
    for name, shape in shapes.items():
        checks.one_of("input", name, inputs)
        dims = inputs[name].type.tensor_type.shape.dim
        if len(dims) != len(shape):
            raise ValueError(
                f"input {name!r} has {len(dims)} axes; got the shape {tuple(shape)}"
            )
        for k, (dim, n) in enumerate(zip(dims, shape, strict=True)):
            if dim.HasField("dim_value") and dim.dim_value != n:
                raise ValueError(
                    f"input {name!r} has {dim.dim_value} at axis {k}; got {n}"
                )
            if k:
                dim.dim_value = checks.size("shapes", n)
    # What the file says of results further on may hold the names of open sizes.
    for graph in onnx_file.graphs(model):
        del graph.value_info[:]


def _chosen(model: Any, wanted: str | Sequence[str]) -> list[Place]:
    """Return the nodes asked for, each as the inferred shapes have it."""
    opset = file_nodes.opset_of(model)
    seen = onnx_file.inferred(model)
    every = []
    for own, known in zip(onnx_file.graphs(model), onnx_file.graphs(seen), strict=True):
        found = filter(file_nodes.is_resize, own.node)
        said = file_nodes.of_graph(known, opset)
        every += [Place(own, n, s) for n, s in zip(found, said, strict=True)]
    names = [name for p in every for name in (p.said.name, *p.node.output)]
    listed = [wanted] if isinstance(wanted, str) else list(wanted)
    for name in listed:
        if (name != "*" and name not in names) or not names:
            raise LookupError(
                f"there is no resize node {name!r}{checks.nearest_match(name, names)}; "
                f"the model has {', '.join(p.said.name for p in every) or 'none'}"
            )
    return [
        p for p in every if "*" in listed or {p.said.name, *p.node.output} & {*listed}
    ]


def _replace(place: Place, like: Convention | None, k: int, form: str) -> Replaced:
    """Put the nodes of a resize where the node was, the last with its output's name."""
    graph, node, said = place.graph, place.node, place.said
    axes, resize, name = _settled(place, like)
    made = graphs.Graph(f"exact{k}_")
    rank = len(said.before or ())
    kind = said.dtype or "float32"
    graphs.resized(made, node.input[0], resize, axes, rank, kind, form)
    made.nodes[-1].output[0] = node.output[0]
    at = list(graph.node).index(node)
    forms, price = _price(resize, axes, rank, form)
    after = [*made.nodes, *list(graph.node)[at + 1 :]]
    del graph.node[at:]
    graph.node.extend(after)
    graph.initializer.extend(made.constants)
    return Replaced(said.name, name, resize.size_in, resize.size_out, forms, price)


def _settled(
    place: Place, like: Convention | None
) -> tuple[tuple[int, ...], Separable, str]:
    """Return the axes, the resize, and the name of what it computes; else say why."""
    said = place.said
    axes, sizes = said.axes(), said.sizes()
    if axes == ():
        return (), Separable((), (), ()), "a copy"
    if axes is None or sizes is None:
        raise ValueError(
            f"{said.name}: a matrix needs fixed sizes, and this node goes from "
            f"{said.before} to {said.after} (None: open). Give the model's input, or "
            "its shapes"
        )
    meant = said.meaning() if like is None else like
    after, scale = sizes[1], None
    if meant.spec.step_from == "scale" and meant.scale is None:
        scale = said.scale() or tuple(m / n for n, m in zip(*sizes, strict=True))
    if meant.particulars.aspect_ratio != "stretch" and like is None:
        if said.targets is None:
            raise ValueError(f"{said.name}: the sizes asked for are not in the file")
        named = said.arguments.get("axes")
        after = said.targets if named else tuple(said.targets[k] for k in axes)
    try:
        made = separable(
            meant, sizes[0], after, scale=scale, dtype=said.dtype or "float32"
        )
    except (ValueError, TypeError) as error:
        raise ValueError(f"{said.name}: {error}") from None
    return axes, made, meant.name


def _price(
    resize: Separable, axes: Sequence[int], rank: int, form: str
) -> tuple[tuple[str, ...], int]:
    forms, price = [], 0
    for k, w in resize.passes:
        last = axes[k] == rank - 1
        taps = by_taps(w, last, form)
        named = "Gather" if w.picks else f"{w.index.shape[1]} taps"
        forms.append(named if taps else "MatMul")
        price += price_of_taps(w, last) if taps else w.n_in
    return tuple(forms), price


def _swept(model: Any, names: set[str]) -> None:
    """Take out what made the named tensors, sizes and scales, if nothing reads them."""
    while names:
        every = list(onnx_file.graphs(model))
        read = {name for g in every for n in g.node for name in n.input}
        idle = names - read - {value.name for g in every for value in g.output}
        names = set()
        for graph in every:
            for held in (graph.initializer, graph.input):
                for entry in [e for e in held if e.name in idle]:
                    held.remove(entry)
            for node in [n for n in graph.node if {*n.output} <= idle]:
                names |= {*node.input} - {""}
                graph.node.remove(node)
