"""Attributes of resize nodes in an ONNX model: what may be set, and what it alters."""

from collections.abc import Mapping, Sequence
from typing import Any

from resizelab import checks
from resizelab.catalog.calls import onnx_attributes
from resizelab.modelfiles import nodes, onnx_file

ATTRIBUTES = onnx_attributes.DEFAULTS
# What may move the output's size, and cannot be cleared without knowing the input's.
MOVES_SIZES = ("keep_aspect_ratio_policy",)


def values(changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values in the types that ONNX declares, refused where unknown.

    None, or an empty text, takes an attribute away: ONNX's own default holds then.
    """
    if not changes:
        raise ValueError(f"nothing to set; attributes are {', '.join(ATTRIBUTES)}")
    values: dict[str, Any] = {}
    for name, value in changes.items():
        checks.one_of("attribute", name, ATTRIBUTES)
        if value is None or value == "":
            values[name] = None
            continue
        try:
            values[name] = type(ATTRIBUTES[name])(value)
        except (TypeError, ValueError):
            raise ValueError(f"{name} must be a number; got {value!r}") from None
    onnx_attributes.Node(**{k: v for k, v in values.items() if v is not None})
    return values


def chosen(model: Any, wanted: str) -> list[Any]:
    """Return the resize nodes of a name or output; ``*`` for all."""
    every = [n for g in onnx_file.graphs(model) for n in g.node if nodes.is_resize(n)]
    names = [nodes.name_of(n) for n in every]
    if wanted == "*":
        found = every
    else:
        found = [n for n in every if wanted in (nodes.name_of(n), *n.output)]
    one_of_them(wanted, names, [n.output[0] for n in found])
    return found


def one_of_them(wanted: str, names: Sequence[str], found: Sequence[str]) -> None:
    """Refuse a name of no resize node, or of several whose outputs are ``found``."""
    if not found:
        listed = ", ".join(names) or "none"
        raise LookupError(
            f"there is no resize node {wanted!r}{checks.nearest_match(wanted, names)}; "
            f"the model has {listed}"
        )
    if wanted != "*" and len(found) > 1:
        raise LookupError(
            f"{len(found)} resize nodes are called {wanted!r}: name one by its output, "
            f"{', '.join(found)}"
        )


def apply(node: Any, values: Mapping[str, Any], opset: int) -> dict[str, Any]:
    """Set the attributes and return {name: (old, new)} of what changed."""
    if node.op_type == "Upsample" and set(values) - {"mode"}:
        raise ValueError(
            f"{nodes.name_of(node)} is an Upsample, whose only such attribute is mode"
        )
    old = nodes.attributes(node)
    asked = {k: v for k, v in {**old, **values}.items() if v is not None}
    if node.op_type == "Resize":
        asked = {k: v for k, v in asked.items() if k in ATTRIBUTES}
        # The text of ONNX judges the set as a whole, in the model's opset.
        settled = onnx_attributes.Node(**asked, opset=opset)
        who = f"{nodes.name_of(node)}: ONNX"
        onnx_attributes.refuse_attributes_unknown_to_opset(settled, who)
        _grid_exists(asked, opset, who)
        if settled.antialias and settled.mode == "nearest":
            raise ValueError(f"{who} has no antialias with mode='nearest'")
    make = onnx_file.library().helper.make_attribute
    given = {a.name: a for a in node.attribute}
    made = {k: make(k, v) for k, v in values.items() if v is not None}
    kept = {k: a for k, a in given.items() if k not in values or k in made}
    now = {**kept, **made}
    # In their places, so that setting the old values again gives the old bytes.
    names = sorted(now) if list(given) == sorted(given) else list(now)
    bare = type(node)()
    bare.attribute.extend(now[name] for name in names)
    del node.attribute[:]
    node.attribute.extend(bare.attribute)
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


def same_shapes(before: Any, model: Any, changed: Mapping[str, Any]) -> None:
    """Refuse a change that alters a shape, or that may and cannot be cleared."""
    after = onnx_file.afresh(model)
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
