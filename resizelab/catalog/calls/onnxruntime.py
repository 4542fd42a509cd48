"""ONNX Runtime: Resize from opset 10 on, Upsample of opset 9. Measured on 1.32, CPU."""

from typing import Any

from resizelab.axis import Arithmetic, Convention, Particulars
from resizelab.catalog.calls import onnx_attributes as onnx
from resizelab.catalog.calls import onnx_old
from resizelab.catalog.calls.call import call
from resizelab.catalog.calls.onnx_attributes import Node

TIE = 1e-6  # a fraction this close to one half is a tie
INTEGERS = ("uint8", "int8", "int32")

TRUNCATED = Arithmetic(accumulator="float32_halved", sum_rounding="truncate")
FIXED = Arithmetic(
    weight_bits=22,
    weight_rounding="half_away",
    between_passes="round",
    sum_rounding="half_up",
)
# int8 goes through the clip table of uint8: what is below 0 becomes 0, and what is
# above 127 wraps round.
MISCLIPPED = FIXED.replace(clip_dtype="uint8")


def _resize(node: Node) -> Convention:
    """Return the convention of ONNX Runtime's Resize."""
    onnx.refuse_attributes_unknown_to_opset(node, "ONNX Runtime")
    _refuse(node)
    if node.opset < onnx.FIRST_ATTRIBUTES:
        return _legacy(node, "onnxruntime", "simple", f".opset{node.opset}")
    return onnx.read_as(
        node,
        "onnxruntime",
        ranks=(2, 2) if node.mode == "cubic" else None,
        roi=onnx.roi_of(node),
        notes=onnx.ignored(onnx.unread(node), "ONNX Runtime"),
        **_facts(node),
    )


call("onnxruntime.Resize", layout="NCHW")(onnx.of_node(_resize))


def _upsample(node: Node) -> Convention:
    """Return the convention of ONNX Runtime's Upsample."""
    for s in node.scales or ():
        if s < 1:
            raise ValueError(
                "ONNX Runtime refuses Upsample with a scale below 1; got "
                f"{node.scales!r}"
            )
    return _legacy(node, "onnxruntime.upsample", "floor")


call("onnxruntime.Upsample", layout="NCHW")(
    onnx_old.of_upsample("ONNX Runtime", onnx.MODES, (9,), _upsample)
)


def _refuse(node: Node) -> None:
    onnx.refuse_what_none_takes(node, "ONNX Runtime")
    smooth = node.mode == "cubic" or (node.mode == "linear" and node.antialias)
    if node.exclude_outside and not smooth:
        raise ValueError(
            "ONNX Runtime takes exclude_outside=1 with mode='cubic', or with "
            f"mode='linear' and antialias=1; got mode={node.mode!r}"
        )
    if node.keep_aspect_ratio_policy != "stretch" and min(node.axes or (0,)) < 0:
        raise ValueError(
            "ONNX Runtime passes over negative axes where the aspect ratio is kept; "
            f"count them from 0: got axes={list(node.axes or ())}"
        )
    if node.scales is not None and node.keep_aspect_ratio_policy != "stretch":
        raise ValueError(
            "ONNX Runtime refuses scales together with keep_aspect_ratio_policy="
            f"{node.keep_aspect_ratio_policy!r}: the policy goes with sizes"
        )


def _legacy(node: Node, front: str, nearest_mode: str, ending: str = "") -> Convention:
    """Return what there was before coordinate modes: asymmetric, by scales."""
    asymmetric = Node(
        mode=node.mode,
        coordinate_transformation_mode="asymmetric",
        nearest_mode=nearest_mode,
    )
    facts = _facts(asymmetric)
    return onnx_old.read_before(node, front, ending, asymmetric, **facts)


def _facts(node: Node) -> dict[str, Any]:
    """Return what ONNX Runtime does whatever the node's age."""
    particulars, arithmetic = _particulars(node), _arithmetic(node)
    return {
        "library": "onnxruntime",
        "particulars": particulars,
        "arithmetic": arithmetic,
    }


def _particulars(node: Node) -> Particulars:
    # Positions are float32 and ORT divides by the scale; three grids have an order
    # of operations of their own.
    orders = {
        "align_corners": "float32_multiply_divide",
        onnx.CROP: "float32_fraction",
        "half_pixel_symmetric": "float32_scale",
    }
    grid = node.coordinate_transformation_mode
    return onnx.particulars_of(
        node,
        size_rule="floor_float32",
        coordinate_arithmetic=orders.get(grid, "float32_divide"),
        tie_epsilon=TIE if node.mode == "nearest" else 0.0,
        # With antialias an axis of equal size is copied whatever its scale.
        shortcut="axis" if node.antialias else "unit_step",
    )


def _arithmetic(node: Node) -> dict[str, Arithmetic]:
    if node.mode == "nearest":
        return dict.fromkeys(INTEGERS, Arithmetic())
    if node.antialias:
        # int32 is left out: its float32 weights make one part in a million, and ORT
        # rounds after each axis.
        return {"uint8": FIXED, "int8": MISCLIPPED}
    if node.mode == "linear":
        return dict.fromkeys(INTEGERS, TRUNCATED)
    return {}
