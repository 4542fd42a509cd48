"""ONNX's Resize: what its attributes say, for every engine that reads them.

The modules of the engines add what each of them refuses, ignores or does differently.
"""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, fields
from typing import Annotated, Any

import numpy as np

from resizelab import checks
from resizelab.axis import Convention, Particulars, Spec
from resizelab.catalog.calls import kinds
from resizelab.catalog.calls.call import keywords
from resizelab.catalog.calls.kinds import Array, Bit, Number, Scales, Size

MODES = ("nearest", "linear", "cubic")
COORDINATES = (
    "half_pixel",
    "half_pixel_symmetric",
    "pytorch_half_pixel",
    "align_corners",
    "asymmetric",
    "tf_half_pixel_for_nn",
    "tf_crop_and_resize",
)
NEAREST_MODES = ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil")
EVER = (*NEAREST_MODES, "simple")  # the first Resize had no choice: its one rule
POLICIES = ("stretch", "not_larger", "not_smaller")
CROP = "tf_crop_and_resize"
OLDEST, LATEST, NEWEST = 10, 19, 30  # Resize came in 10 and changed last in 19
FIRST_ATTRIBUTES = 11  # before it a Resize node has a mode and scales, no more
SINCE = {"antialias": 18, "axes": 18, "keep_aspect_ratio_policy": 18}


INPUTS = ("axes", "opset")  # what is no matter of taste
RANK = 4  # of the usual tensor: batch, channels, height, width


@dataclass(frozen=True)
class Node:
    """The attributes and inputs of one Resize node, ONNX's defaults filled in.

    ``roi`` holds all starts, then all ends; ``scales`` one number an axis. Both follow
    the order of ``axes``, as in the node.
    """

    X: Array = None
    roi: Annotated[Sequence[float] | None, kinds.example(kinds.per_axis())] = None
    scales: Scales = None
    sizes: Size = None
    _: KW_ONLY
    mode: Annotated[str, kinds.one_of(MODES)] = "nearest"
    coordinate_transformation_mode: Annotated[str, kinds.one_of(COORDINATES)] = (
        "half_pixel"
    )
    nearest_mode: Annotated[str, kinds.one_of(EVER)] = "round_prefer_floor"
    cubic_coeff_a: Number = -0.75
    exclude_outside: Bit = 0
    antialias: Bit = 0
    extrapolation_value: Number = 0.0
    keep_aspect_ratio_policy: Annotated[str, kinds.one_of(POLICIES)] = "stretch"
    axes: Annotated[Sequence[int] | None, kinds.per_axis(kinds.whole)] = None
    opset: Annotated[int, kinds.whole] = LATEST

    def __post_init__(self) -> None:
        """Check each attribute; what an engine refuses is its module's."""
        for name in self.given():
            value = kinds.of(SIGNATURE.parameters[name].annotation)(
                name, getattr(self, name)
            )
            object.__setattr__(self, name, value)
        if not OLDEST <= self.opset <= NEWEST:
            raise ValueError(
                f"opset must be from {OLDEST} (the first with Resize) to {NEWEST}; "
                f"got {self.opset!r}"
            )
        if len(set(self.axes or ())) != len(self.axes or ()):
            raise ValueError(f"axes must differ; got axes={self.axes!r}")

    def given(self) -> list[str]:
        """Return the names of the attributes that are not at their default."""
        target = ("X", "sizes")
        return [
            f.name
            for f in fields(self)
            if f.name not in target and getattr(self, f.name) != f.default
        ]

    @property
    def crops(self) -> bool:
        """True if the node reads a region of interest."""
        return self.coordinate_transformation_mode == CROP


SIGNATURE = inspect.signature(Node)
# The attributes that a file may set, with ONNX's defaults.
DEFAULTS: dict[str, Any] = {
    f.name: f.default for f in fields(Node) if f.kw_only and f.name not in INPUTS
}
Rule = Callable[[Node], Convention]


def of_node(rule: Rule) -> Callable[..., Convention]:
    """Return ``rule`` as a function of the node's attributes, with their defaults."""

    def resize(**attributes: Any) -> Convention:
        return rule(Node(**attributes))

    resize.__doc__ = rule.__doc__
    resize.__signature__ = SIGNATURE  # type: ignore[attr-defined]
    return resize


def read_as(
    node: Node, front: str, read: Node | None = None, **facts: Any
) -> Convention:
    """Return the convention of a node; ``read`` is what of it a run time reads."""
    spec, scale = spec_of(read or node), scales_of(node)
    return Convention(name=name_of(node, front), spec=spec, scale=scale, **facts)


def particulars_of(node: Node, **others: Any) -> Particulars:
    """Return the particulars that the attributes state, and ``others``."""
    return Particulars(
        scale_precision="float32",
        stretch_by="scale" if node.antialias else "grid",
        aspect_ratio=node.keep_aspect_ratio_policy,
        **others,
    )


def node_text(c: Convention, arguments: dict[str, Any]) -> str:
    """Return the text that makes the node."""
    opset = arguments.pop("opset", LATEST)
    scales = arguments.pop("scales", None)
    inputs = "['x', '', 'scales']" if scales else "['x', '', '', 'sizes']"
    target = f"scales = {scales}" if scales else "sizes = [*x.shape[:2], h, w]"
    return (
        f"onnx.helper.make_node('Resize', {inputs}, ['y']{keywords(arguments)})"
        f"  # opset {opset}, {target}"
    )


def spec_of(node: Node) -> Spec:
    """Return the ideas that the attributes state."""
    common: dict[str, Any] = {
        "grid": node.coordinate_transformation_mode,
        "step_from": "scale_if_given",
        "boundary": "exclude" if node.exclude_outside else "edge",
        "extrapolation": float(node.extrapolation_value) if node.crops else None,
    }
    if node.mode == "nearest":
        return Spec(kernel="nearest", nearest_mode=node.nearest_mode, **common)
    common["antialias"] = bool(node.antialias)
    if node.mode == "cubic":
        return Spec(kernel="cubic", a=float(node.cubic_coeff_a), **common)
    return Spec(kernel="linear", **common)


def scales_of(node: Node) -> tuple[float, ...] | None:
    """Return the node's scales in array order."""
    if node.scales is None:
        return None
    return tuple(_in_array_order(node, "scales", list(node.scales)))


def roi_of(node: Node) -> tuple[tuple[float, float], ...] | None:
    """Return the node's (start, end) pairs in array order, where it reads them.

    A node stores them as float32, and so do we: an end of 0.6 is 0.60000002.
    """
    if node.roi is None or not node.crops:
        return None
    values = [float(np.float32(v)) for v in node.roi]
    half, odd = divmod(len(values), 2)
    if odd or not values:
        raise ValueError(
            f"roi must hold all starts, then all ends; got {len(values)} numbers"
        )
    pairs = list(zip(values[:half], values[half:], strict=True))
    return tuple(_in_array_order(node, "roi", pairs))


def _in_array_order(node: Node, name: str, entries: list[Any]) -> list[Any]:
    if node.axes is None:
        return entries
    if len(entries) != len(node.axes):
        raise ValueError(
            f"{name} must have one entry for each of axes={list(node.axes)}; "
            f"got {len(entries)}"
        )
    # -1 is the last axis of a picture, unless another axis named shows more of them.
    rank = max(RANK, *(axis + 1 for axis in node.axes))
    places = [axis % rank for axis in node.axes]
    ordered = sorted(zip(places, entries, strict=True), key=lambda pair: pair[0])
    return [entry for _, entry in ordered]


def name_of(node: Node, *front: str) -> str:
    """Return the derived name: library, mode, and what is not at its default."""
    parts = [*front, node.mode]
    own = {
        "nearest": ("nearest_mode", "exclude_outside"),
        "cubic": ("cubic_coeff_a", "exclude_outside", "antialias"),
        "linear": ("exclude_outside", "antialias"),
    }[node.mode]
    shown = ("coordinate_transformation_mode", *own, "keep_aspect_ratio_policy")
    for key in [key for key in node.given() if key in shown]:
        value = getattr(node, key)
        if key == "cubic_coeff_a":
            parts.append(f"a{value:g}")
        else:
            parts.append(value if isinstance(value, str) else key)
    if node.scales is not None:
        parts.append("scales")
    if node.crops and node.extrapolation_value:
        parts.append("extrapolation_value")
    if node.opset != LATEST:
        parts.append(f"opset{node.opset}")
    return ".".join(parts)


def unread(node: Node) -> list[str]:
    """Return the given attributes that ONNX says a node of this kind does not read."""
    reads = {
        "nearest_mode": node.mode == "nearest",
        "cubic_coeff_a": node.mode == "cubic",
        "extrapolation_value": node.crops,
        "roi": node.crops,
        "keep_aspect_ratio_policy": node.scales is None,
    }
    return [name for name in node.given() if not reads.get(name, True)]


def ignored(names: Sequence[str], who: str) -> str:
    """Return the note about attributes that are accepted and not used."""
    return f"{who} accepts and ignores {', '.join(names)}" if names else ""


def refuse_what_none_takes(node: Node, who: str) -> None:
    """Raise ValueError for what every run time here but OpenVINO refuses."""
    if node.nearest_mode == "simple":
        checks.one_of("nearest_mode", node.nearest_mode, NEAREST_MODES)
    if node.antialias and node.mode == "nearest":
        raise ValueError(
            f"{who} takes antialias=1 with mode='linear' and mode='cubic' only; "
            "got mode='nearest'"
        )


def refuse_attributes_unknown_to_opset(node: Node, who: str) -> None:
    """Raise ValueError for an attribute that the node's opset does not have."""
    for name in node.given():
        since = SINCE.get(name, FIRST_ATTRIBUTES)
        if name not in ("mode", "scales", "opset") and node.opset < since:
            raise ValueError(
                f"{who} refuses {name} in opset {node.opset}: Resize has it from "
                f"opset {since} on"
            )
