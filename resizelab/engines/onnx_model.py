"""Build the ONNX model of one Resize or Upsample node, for three run times."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from resizelab.engines.libraries import Arguments, Array, freeze, load, ratio

LATEST = 19  # the opset in which Resize changed last
FLOAT_ATTRIBUTES = ("cubic_coeff_a", "extrapolation_value")


@dataclass(frozen=True)
class Request:
    """One node and the target it is given: sizes or scales of the whole tensor."""

    op: str
    opset: int
    attributes: tuple[tuple[str, Any], ...]
    roi: tuple[float, ...] | None
    dtype: str
    rank: int  # batch and channel included
    by: str  # "sizes" or "scales"
    length: int  # of the target: the rank, or as many as `axes` names


def request(
    op: str, options: dict[str, Any], x: Array, target: Any, by_scale: bool
) -> tuple[Request, Array]:
    """Return the request of x, (batch, 1, *spatial), and its target.

    Before opset 11 a node takes scales only: sizes become n_out / n_in there.
    """
    opset = int(options.pop("opset", 9 if op == "Upsample" else LATEST))
    roi = options.pop("roi", None)
    by = "scales" if by_scale or opset < 11 or op != "Resize" else "sizes"
    if by == "sizes":
        target = np.array([len(x), 1, *target], np.int64)
    else:
        steps = target if by_scale else ratio(x[:, 0], target)
        target = np.array([1, 1, *steps], np.float32)
    if options.get("axes") is not None:
        target = target[list(options["axes"])]
    made = Request(
        op,
        opset,
        freeze({k: _attribute(k, v) for k, v in options.items() if v is not None}),
        None if roi is None else _full_roi(roi, len(target)),
        str(x.dtype),
        x.ndim,
        by,
        len(target),
    )
    return made, target


def _attribute(name: str, value: Any) -> Any:
    """Return the value in the type that ONNX declares for the attribute."""
    if name in FLOAT_ATTRIBUTES:
        return float(value)
    return int(value) if isinstance(value, bool) else value


def _full_roi(roi: Any, axes: int) -> tuple[float, ...]:
    """Return starts and ends of every axis: those in front, not named, are whole."""
    values = tuple(float(v) for v in roi)
    named, odd = divmod(len(values), 2)
    if odd or not 1 <= named <= axes:
        raise ValueError(
            f"roi must have all starts, then all ends, of at most {axes} axes; "
            f"got {len(values)} numbers"
        )
    whole = axes - named
    return (0.0,) * whole + values[:named] + (1.0,) * whole + values[named:]


def last_axis(arguments: Arguments, shape: tuple[int, ...]) -> Arguments:
    """Keep the region of the last axis and take the others whole."""
    roi = arguments.get("roi")
    if roi is None or arguments.get("axes") is not None:
        return arguments
    others, half = len(shape) - 1, len(roi) // 2
    ends = (*(0.0,) * others, roi[half - 1], *(1.0,) * others, roi[-1])
    return {**arguments, "roi": ends}


# What the run times share; batch and channel stand in front of two or three axes.
FACTS: dict[str, Any] = {
    "takes": "either",
    "channel": 1,
    "axes": (2, 3),
    "scale_keys": ("scales",),
    "probe_arguments": last_axis,
}


@lru_cache(maxsize=256)
def build(made: Request, target: tuple[float, ...] | None = None) -> Any:
    """Return the ModelProto; ``target`` makes sizes or scales constants of it."""
    onnx = load("onnx", "onnx")
    helper, kinds = onnx.helper, onnx.TensorProto
    element = helper.np_dtype_to_tensor_dtype(np.dtype(made.dtype))
    wide = [None] * made.rank
    inputs = [helper.make_tensor_value_info("x", element, wide)]
    constants = []
    names, attributes = _node_inputs(made), dict(made.attributes)
    if "roi" in names:
        roi = made.roi or (0.0,) * made.length + (1.0,) * made.length
        constants.append(helper.make_tensor("roi", kinds.FLOAT, [len(roi)], roi))
    if "none" in names:
        constants.append(helper.make_tensor("none", kinds.FLOAT, [0], []))
    kind = kinds.INT64 if made.by == "sizes" else kinds.FLOAT
    if target is None:
        info = helper.make_tensor_value_info("target", kind, [made.length])
        inputs.append(info)
    else:
        constants.append(helper.make_tensor("target", kind, [made.length], target))
    node = helper.make_node(made.op, names, ["y"], **attributes)
    outputs = [helper.make_tensor_value_info("y", element, wide)]
    graph = helper.make_graph([node], "one_node", inputs, outputs, constants)
    opset = helper.make_opsetid("", made.opset)
    return helper.make_model(graph, opset_imports=[opset], ir_version=8)


def _node_inputs(made: Request) -> list[str]:
    """Return the node's input names: their order changed in opsets 10, 11 and 13."""
    if made.op == "Upsample" or made.opset < 11:
        return ["x", "target"]
    # opset 11 needs roi and scales present, though it reads neither of them
    roi = "roi" if made.roi is not None or made.opset < 13 else ""
    if made.by == "scales":
        return ["x", roi, "target"]
    return ["x", roi, "none" if made.opset < 13 else "", "target"]
