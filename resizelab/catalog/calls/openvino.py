"""OpenVINO's reading of ONNX's Resize and Upsample. Measured on 2026.4, CPU, float32.

The plugin's own default precision is bfloat16 where the processor has it; the rows hold
for INFERENCE_PRECISION_HINT = f32, which the engine here sets.
"""

from dataclasses import replace
from typing import Any

from resizelab import checks
from resizelab.axis import Arithmetic, Convention, Particulars
from resizelab.catalog.calls import onnx_attributes as onnx
from resizelab.catalog.calls import onnx_old
from resizelab.catalog.calls.call import call
from resizelab.catalog.calls.onnx_attributes import Node

IGNORES = ("antialias", "exclude_outside", "keep_aspect_ratio_policy", "roi")
COORDINATES = tuple(
    c for c in onnx.COORDINATES if c not in (onnx.CROP, "half_pixel_symmetric")
)
INTEGERS = ("uint8", "int8", "int32", "int64")


def _resize(node: Node) -> Convention:
    """Return the convention of OpenVINO's Resize."""
    checks.one_of(
        "coordinate_transformation_mode",
        node.coordinate_transformation_mode,
        COORDINATES,
    )
    if node.axes is not None and min(node.axes) < 0:
        raise ValueError(f"OpenVINO takes axes from 0 up; got axes={list(node.axes)}")
    if node.opset < onnx.FIRST_ATTRIBUTES:
        if node.mode == "cubic":  # which it reads with attributes of later opsets
            onnx.refuse_attributes_unknown_to_opset(node, "OpenVINO")
        return _legacy(node, "openvino", f".opset{node.opset}")
    dropped = sorted({*onnx.unread(node), *IGNORES} & {*node.given()})
    notes = [onnx.ignored(dropped, "OpenVINO")] if dropped else []
    read = replace(
        node,
        antialias=0,
        exclude_outside=0,
        keep_aspect_ratio_policy="stretch",
        roi=None,
    )
    if node.nearest_mode == "simple":
        notes.append("OpenVINO reads nearest_mode='simple' as round_prefer_floor")
        read = replace(read, nearest_mode="round_prefer_floor")
    return onnx.read_as(node, "openvino", read, **_facts(read, notes))


call("openvino.Resize", layout="NCHW")(onnx.of_node(_resize))


def _upsample(node: Node) -> Convention:
    """Return the convention of OpenVINO's Upsample."""
    if node.mode == "linear":
        return _legacy(node, "openvino.upsample")
    # Not ONNX's floor of i / scale: OpenVINO's own defaults, half_pixel and rounding.
    return _old(node, "openvino.upsample", "", Node(mode=node.mode))


call("openvino.Upsample", layout="NCHW")(
    onnx_old.of_upsample("OpenVINO", ("nearest", "linear"), (9, 10), _upsample)
)


def _legacy(node: Node, front: str, ending: str = "") -> Convention:
    """Return what OpenVINO makes of nodes older than the coordinate modes."""
    # cubic, which those opsets do not have, is read with today's default
    grid = "half_pixel" if node.mode == "cubic" else "asymmetric"
    read = Node(
        mode=node.mode, coordinate_transformation_mode=grid, nearest_mode="simple"
    )
    return _old(node, front, ending, read)


def _old(node: Node, front: str, ending: str, read: Node) -> Convention:
    dropped = [n for n in node.given() if n not in ("mode", "scales", "opset")]
    facts = _facts(read, [onnx.ignored(dropped, "OpenVINO")])
    return onnx_old.read_before(node, front, ending, read, **facts)


def _facts(read: Node, notes: list[str]) -> dict[str, Any]:
    """Return what OpenVINO does whatever the node's age."""
    return {
        "library": "openvino",
        "particulars": _particulars(read),
        "ranks": (2, 2) if read.mode == "cubic" else None,
        "arithmetic": dict.fromkeys(INTEGERS, Arithmetic()),
        "notes": "; ".join(notes),
    }


def _particulars(node: Node) -> Particulars:
    corners = node.coordinate_transformation_mode == "align_corners"
    return Particulars(
        size_rule="floor_epsilon",
        coordinate_arithmetic="float32_multiply" if corners else "float32_divide",
        scale_precision="float32",
        shortcut="axis",
    )
