"""ONNX's Resize: what its attributes say, for every engine that reads them.

The modules of the engines add what each of them refuses, ignores or does differently.
"""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from resizelab import checks
from resizelab.axis.convention import Convention
from resizelab.axis.spec import Spec

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
POLICIES = ("stretch", "not_larger", "not_smaller")
CROP = "tf_crop_and_resize"
OLDEST, LATEST, NEWEST = 10, 19, 30  # Resize came in 10 and changed last in 19
FIRST_ATTRIBUTES = 11  # before it a Resize node has a mode and scales, no more
SINCE = {"antialias": 18, "axes": 18, "keep_aspect_ratio_policy": 18}


@dataclass(frozen=True, kw_only=True)
class Node:
    """The attributes and inputs of one Resize node, ONNX's defaults filled in.

    ``roi`` holds all starts, then all ends; ``scales`` one number an axis. Both follow
    the order of ``axes``, as in the node.
    """

    mode: str = "nearest"
    coordinate_transformation_mode: str = "half_pixel"
    nearest_mode: str = "round_prefer_floor"
    cubic_coeff_a: float = -0.75
    exclude_outside: int = 0
    antialias: int = 0
    extrapolation_value: float = 0.0
    keep_aspect_ratio_policy: str = "stretch"
    axes: Sequence[int] | None = None
    roi: Sequence[float] | None = None
    scales: Sequence[float] | None = None
    opset: int = LATEST

    def __post_init__(self) -> None:
        """Check each value by itself; what an engine refuses is its module's."""
        checks.one_of("mode", self.mode, MODES)
        coordinates = self.coordinate_transformation_mode
        checks.one_of("coordinate_transformation_mode", coordinates, COORDINATES)
        checks.one_of("nearest_mode", self.nearest_mode, (*NEAREST_MODES, "simple"))
        policy = self.keep_aspect_ratio_policy
        checks.one_of("keep_aspect_ratio_policy", policy, POLICIES)
        checks.number("cubic_coeff_a", self.cubic_coeff_a)
        checks.number("extrapolation_value", self.extrapolation_value)
        for name in ("exclude_outside", "antialias"):
            if getattr(self, name) not in (0, 1):
                raise ValueError(f"{name} must be 0 or 1; got {getattr(self, name)!r}")
        if not OLDEST <= checks.size("opset", self.opset) <= NEWEST:
            raise ValueError(
                f"opset must be from {OLDEST} (the first with Resize) to {NEWEST}; "
                f"got {self.opset!r}"
            )
        for axis in self.axes or ():
            if isinstance(axis, bool) or not isinstance(axis, (int, np.integer)):
                raise TypeError(f"axes must be ints; got axes={self.axes!r}")
        if len(set(self.axes or ())) != len(self.axes or ()):
            raise ValueError(f"axes must differ; got axes={self.axes!r}")

    def given(self) -> list[str]:
        """Return the names of the attributes that are not at their default."""
        return [f.name for f in fields(self) if getattr(self, f.name) != f.default]

    @property
    def crops(self) -> bool:
        """True if the node reads a region of interest."""
        return self.coordinate_transformation_mode == CROP


Rule = Callable[[Node], Convention]


def call(rule: Rule) -> Callable[..., Convention]:
    """Return ``rule`` as a function of the node's attributes, with their defaults."""

    def resize(**attributes: Any) -> Convention:
        return rule(Node(**attributes))

    resize.__doc__ = rule.__doc__
    signature = inspect.signature(Node)
    resize.__signature__ = signature  # type: ignore[attr-defined]
    return resize


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
    values = [checks.positive("scales", s) for s in node.scales]
    return tuple(_in_array_order(node, "scales", values))


def roi_of(node: Node) -> tuple[tuple[float, float], ...] | None:
    """Return the node's (start, end) pairs in array order, where it reads them.

    A node stores them as float32, and so do we: an end of 0.6 is 0.60000002.
    """
    if node.roi is None or not node.crops:
        return None
    values = [float(np.float32(checks.number("roi", v))) for v in node.roi]
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
    ordered = sorted(zip(node.axes, entries, strict=True), key=lambda pair: pair[0])
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


def refuse_attributes_unknown_to_opset(node: Node, who: str) -> None:
    """Raise ValueError for an attribute that the node's opset does not have."""
    for name in node.given():
        since = SINCE.get(name, FIRST_ATTRIBUTES)
        if name not in ("mode", "scales", "opset") and node.opset < since:
            raise ValueError(
                f"{who} refuses {name} in opset {node.opset}: Resize has it from "
                f"opset {since} on"
            )
