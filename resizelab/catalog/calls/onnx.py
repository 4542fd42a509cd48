"""ONNX itself: Resize as ``onnx.reference`` computes it, and as the text has it.

Measured on onnx 1.23. The two part on a fractional length (n_in * scale), on one-pixel
outputs of pytorch_half_pixel, and on a fraction that rounding loses.
"""

from resizelab.axis import Arithmetic, Convention
from resizelab.catalog.calls import onnx_attributes as onnx
from resizelab.catalog.calls.call import call
from resizelab.catalog.calls.onnx_attributes import Node

SPEC = "https://onnx.ai/onnx/operators/onnx__Resize.html"
# The reference computes integers in float64, rounds and saturates. Its cubic weights
# are float32, so 32-bit integers are off in their last digits: they are left out.
SHORT = ("uint8", "int8", "uint16", "int16")
EXACT = Arithmetic(
    accumulator="float64", sum_rounding="half_even", pass_order="height_first"
)


def _reference(node: Node) -> Convention:
    """Return the convention of ``onnx.reference`` on a Resize node."""
    _refuse(node, "onnx.reference")
    onnx.refuse_attributes_unknown_to_opset(node, "onnx.reference")
    if node.coordinate_transformation_mode == "tf_half_pixel_for_nn":
        raise ValueError(
            "onnx.reference refuses coordinate_transformation_mode="
            "'tf_half_pixel_for_nn', which ONNX had in opsets 11 and 12"
        )
    if node.crops and node.roi is None:
        raise ValueError("onnx.reference needs roi with tf_crop_and_resize")
    grid = node.coordinate_transformation_mode
    orders = {"align_corners": "float64", onnx.CROP: "float64_region"}
    return onnx.read_as(
        node,
        "onnx",
        library="onnx",
        particulars=onnx.particulars_of(
            node,
            coordinate_arithmetic=orders.get(grid, "float64_divide"),
            single_pixel="before_first" if grid == "pytorch_half_pixel" else None,
            resized_length="fractional",
            window_search="padded",
            shortcut=None if node.crops else "unit_axis",
        ),
        arithmetic=_integers(node),
        roi=onnx.roi_of(node),
        notes=onnx.ignored(onnx.unread(node), "onnx.reference"),
    )


call("onnx.Resize", layout="NCHW", written=onnx.node_text)(onnx.of_node(_reference))


def _spec(node: Node) -> Convention:
    """Return the convention of the text of ONNX's Resize."""
    _refuse(node, "ONNX")
    onnx.refuse_attributes_unknown_to_opset(node, "ONNX")
    return onnx.read_as(
        node,
        "onnx.spec",
        library="onnx",
        status="paper",
        particulars=onnx.particulars_of(node),
        arithmetic={"integers": EXACT},
        roi=onnx.roi_of(node),
        source=SPEC,
        notes=onnx.ignored(onnx.unread(node), "ONNX"),
    )


call("onnx.Resize.spec", layout="NCHW", written=onnx.node_text)(onnx.of_node(_spec))


def _integers(node: Node) -> dict[str, Arithmetic]:
    if node.mode == "nearest":
        return {"integers": Arithmetic()}
    if node.mode == "cubic":
        return dict.fromkeys(SHORT, EXACT)
    return {"integers": EXACT}


def _refuse(node: Node, who: str) -> None:
    if node.opset < onnx.FIRST_ATTRIBUTES:
        raise ValueError(
            f"{who} has no coordinates for Resize before opset "
            f"{onnx.FIRST_ATTRIBUTES}; got opset={node.opset!r}"
        )
    onnx.refuse_what_none_takes(node, who)
