"""The ONNX package's own evaluator, ``onnx.reference``, on a one-node model."""

from functools import lru_cache
from typing import Any

from resizelab.engines import onnx_model
from resizelab.engines.libraries import Array, Library

LIBRARY = Library("onnx", "onnx", "onnx")


@lru_cache(maxsize=64)
def _evaluator(made: onnx_model.Request) -> Any:
    """Return the evaluator of one model."""
    reference = LIBRARY.load("onnx.reference")
    return reference.ReferenceEvaluator(onnx_model.build(made))


@LIBRARY.call("onnx.Resize", **onnx_model.FACTS)
def resize(x: Array, target: Any, by_scale: bool, **options: Any) -> Any:
    """Evaluate a Resize node in Python: exact to the package, and slow."""
    made, target = onnx_model.request("Resize", options, x, target, by_scale)
    return _evaluator(made).run(None, {"x": x, "target": target})[0]
