"""Change attributes of resize nodes in an ONNX file, checked before it is written."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from resizelab import checks
from resizelab.catalog.calls import onnx_attributes
from resizelab.modelfiles import files, nodes, onnx_file

ATTRIBUTES = (
    *("mode", "coordinate_transformation_mode", "nearest_mode", "cubic_coeff_a"),
    *("exclude_outside", "antialias", "extrapolation_value"),
    "keep_aspect_ratio_policy",
)
FLOATS = ("cubic_coeff_a", "extrapolation_value")
INTEGERS = ("exclude_outside", "antialias")
# What may move the output's size, and cannot be cleared without knowing the input's.
MOVES_SIZES = ("keep_aspect_ratio_policy",)


@dataclass(frozen=True, repr=False)
class Patch:
    """What was changed: {node: {attribute: (before, after)}}, and where it was written.

    ``remarks`` say which run times refuse a node as it is now, in their words.
    """

    target: Path
    changed: Mapping[str, Mapping[str, tuple[Any, Any]]]
    remarks: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the changes as text."""
        lines = []
        for name, entries in self.changed.items():
            for key, (old, new) in entries.items():
                lines.append(f"{name}: {key} {old} -> {new}")
        lines = lines or ["nothing to change: the node has these values"]
        return "\n".join([*lines, *self.remarks, f"written to {self.target}"])

    __repr__ = __str__

    def to_json(self) -> str:
        """Return the changes as JSON text."""
        whole = {
            "target": str(self.target),
            "changed": {
                name: {k: list(v) for k, v in entries.items()}
                for name, entries in self.changed.items()
            },
            "remarks": list(self.remarks),
        }
        return json.dumps(whole, indent=1)


def patch(
    path: files.PathLike,
    node: str,
    changes: Mapping[str, Any],
    output: files.PathLike | None = None,
    in_place: bool = False,
) -> Patch:
    """Write the model with ``changes`` to the attributes of one resize node.

    Parameters
    ----------
    path
        The ONNX file.
    node : str
        A node's name, or its output's; ``*`` for every resize node.
    changes : mapping
        Attribute names and values, as ONNX has them.
    output
        Where to write. It is never the input, unless ``in_place`` is true.

    Raises LookupError for a node that is not there, ValueError for a value that ONNX
    does not have in the model's opset, for a change of the output's shape, and for a
    model that does not pass ONNX's checker. Nothing is written then.
    """
    target = files.target(path, output, in_place)
    values = _values(changes)
    model = onnx_file.load(path)
    if onnx_file.outside(model) and target.resolve().parent != _folder(path):
        raise ValueError(
            f"{path} keeps weights in files beside it: write the patched model into "
            "the same folder"
        )
    nodes.read(path)  # says where it is damaged
    _checked(path, "the model does not pass ONNX's checker as it is")
    before = _afresh(model)
    changed = {
        nodes.name_of(n): _apply(n, values, nodes.opset_of(model))
        for n in _chosen(model, node)
    }
    changed = {name: entries for name, entries in changed.items() if entries}
    _same_shapes(before, model, changed)
    with files.Draft(target) as draft:
        draft.write(_serialised(model))
        _checked(draft.path, "the patched model does not pass ONNX's checker")
    return Patch(target, changed, tuple(_refusals(target, changed)))


def _folder(path: files.PathLike) -> Path:
    return Path(path).resolve().parent


def _values(changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values in the types that ONNX declares, refused where unknown."""
    if not changes:
        raise ValueError(f"nothing to set; attributes are {', '.join(ATTRIBUTES)}")
    values: dict[str, Any] = {}
    for name, value in changes.items():
        checks.one_of("attribute", name, ATTRIBUTES)
        try:
            if name in FLOATS:
                value = float(value)
            elif name in INTEGERS:
                value = int(value)
        except (TypeError, ValueError):
            raise ValueError(f"{name} must be a number; got {value!r}") from None
        values[name] = value
    onnx_attributes.Node(**values)
    return values


def _chosen(model: Any, wanted: str) -> list[Any]:
    every = [n for g in onnx_file.graphs(model) for n in g.node if nodes.is_resize(n)]
    names = [nodes.name_of(n) for n in every]
    if wanted == "*":
        found = every
    else:
        found = [n for n in every if wanted in (nodes.name_of(n), *n.output)]
    if not found:
        listed = ", ".join(names) or "none"
        raise LookupError(
            f"there is no resize node {wanted!r}{checks.nearest_match(wanted, names)}; "
            f"the model has {listed}"
        )
    if wanted != "*" and len(found) > 1:
        outputs = ", ".join(n.output[0] for n in found)
        raise LookupError(
            f"{len(found)} resize nodes are called {wanted!r}: name one by its output, "
            f"{outputs}"
        )
    return found


def _apply(node: Any, values: Mapping[str, Any], opset: int) -> dict[str, Any]:
    """Set the attributes and return {name: (old, new)} of what changed."""
    if node.op_type == "Upsample" and set(values) - {"mode"}:
        raise ValueError(
            f"{nodes.name_of(node)} is an Upsample, whose only such attribute is mode"
        )
    old = nodes.attributes(node)
    asked = {**old, **values}
    if node.op_type == "Resize":
        asked = {k: v for k, v in asked.items() if k in ATTRIBUTES}
        # The text of ONNX judges the set as a whole, in the model's opset.
        settled = onnx_attributes.Node(**asked, opset=opset)
        who = f"{nodes.name_of(node)}: ONNX"
        onnx_attributes.refuse_attributes_unknown_to_opset(settled, who)
        _grid_exists(asked, opset, who)
        if settled.antialias and settled.mode == "nearest":
            raise ValueError(f"{who} has no antialias with mode='nearest'")
    kept = [a for a in node.attribute if a.name not in values]
    made = [onnx_file.library().helper.make_attribute(k, v) for k, v in values.items()]
    del node.attribute[:]
    node.attribute.extend([*kept, *made])
    return {k: (old.get(k), v) for k, v in values.items() if old.get(k) != v}


def _grid_exists(asked: Mapping[str, Any], opset: int, who: str) -> None:
    """Refuse a coordinate mode that the opset does not have."""
    grid = asked.get("coordinate_transformation_mode")
    since = {"half_pixel_symmetric": 19}.get(str(grid), 11)
    until = {"tf_half_pixel_for_nn": 12}.get(str(grid), opset)
    if grid is not None and not since <= opset <= until:
        span = f"from {since} on" if opset < since else f"until {until}"
        raise ValueError(
            f"{who} has {grid!r} in opsets {span}; the model is of opset {opset}"
        )


def _afresh(model: Any) -> Any:
    """Return the model with every shape inferred from its inputs alone.

    What the file says of its own results is left out: it would hide a change.
    """
    bare = type(model)()
    bare.CopyFrom(model)
    for graph in onnx_file.graphs(bare):
        del graph.value_info[:]
        for value in graph.output:
            value.type.tensor_type.ClearField("shape")
    return onnx_file.inferred(bare)


def _same_shapes(before: Any, model: Any, changed: Mapping[str, Any]) -> None:
    """Refuse a change that alters a shape, or that may and cannot be cleared."""
    after = _afresh(model)
    old_graphs, new_graphs = onnx_file.graphs(before), onnx_file.graphs(after)
    for old, new in zip(old_graphs, new_graphs, strict=True):
        shapes = onnx_file.shapes(old), onnx_file.shapes(new)
        for name in shapes[0].keys() | shapes[1].keys():
            was, now = shapes[0].get(name), shapes[1].get(name)
            if was != now:
                raise ValueError(
                    f"the change alters the shape of {name!r} from {was} to {now}: "
                    "refused"
                )
        for node in new.node:
            risky = set(changed.get(nodes.name_of(node), ())) & set(MOVES_SIZES)
            shape = shapes[1].get(node.output[0]) if node.output else None
            if risky and (shape is None or None in shape):
                raise ValueError(
                    f"{', '.join(risky)} of {nodes.name_of(node)} may alter its shape, "
                    "which cannot be inferred: refused"
                )


def _serialised(model: Any) -> bytes:
    from google.protobuf.message import EncodeError

    try:
        content: bytes = model.SerializeToString()
    except (EncodeError, ValueError) as error:
        raise ValueError(f"the model cannot be written: {error}") from None
    return content


def _checked(path: files.PathLike, what: str) -> None:
    onnx = onnx_file.library()
    try:
        onnx.checker.check_model(str(path), full_check=False)
    except (onnx.checker.ValidationError, RuntimeError) as error:
        raise ValueError(f"{what}: {str(error).splitlines()[0]}") from None


def _refusals(target: Path, changed: Mapping[str, Any]) -> list[str]:
    """Return what the measured run times refuse of the nodes as they are now."""
    found = []
    for node in nodes.read(target).nodes:
        for call in ("onnxruntime", "openvino"):
            if node.name in changed:
                try:
                    node.convention(f"{call}.{node.op}")
                except (ValueError, TypeError) as error:
                    found.append(f"note: {node.name}: {error}")
    return found
