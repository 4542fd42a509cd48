"""The ONNX package's own evaluator, ``onnx.reference``, on a one-node model."""

from functools import lru_cache
from typing import Any

from resizelab.engines import onnx_model
from resizelab.engines.calls import Arguments, Array, Call, Scale, Shape
from resizelab.engines.libraries import Library, load, register

register(Library("onnx", __name__, "onnx", "onnx"))


@lru_cache(maxsize=64)
def _evaluator(made: onnx_model.Request) -> Any:
    """Return the evaluator of one model."""
    reference = load("onnx.reference", "onnx")
    return reference.ReferenceEvaluator(onnx_model.build(made))


def resize(arguments: Arguments, x: Array, shape: Shape, scale: Scale) -> Array:
    """Evaluate a Resize node in Python: exact to the package, and slow."""
    made, tensor, target = onnx_model.request("Resize", arguments, x, shape, scale)
    out: Array = _evaluator(made).run(None, {"x": tensor, "target": target})[0]
    return out[:, 0]


CALLS = {
    "onnx.Resize": Call(
        resize,
        onnx_model.ranks,
        scale_keys=("scales",),
        probe_arguments=onnx_model.last_axis,
    )
}
