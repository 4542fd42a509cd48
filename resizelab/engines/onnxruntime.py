"""ONNX Runtime on the CPU: a model of one Resize or Upsample node."""

from functools import lru_cache, partial
from typing import Any

from resizelab.engines import onnx_model
from resizelab.engines.calls import Array
from resizelab.engines.libraries import Library

LIBRARY = Library("onnxruntime", "onnxruntime", "onnxruntime", ("onnxruntime-gpu",))

REFUSALS = ("Fail", "InvalidArgument", "InvalidGraph", "NotImplemented")


@lru_cache(maxsize=64)
def _session(made: onnx_model.Request) -> Any:
    """Return a session of one thread with no graph rewriting."""
    runtime = LIBRARY.load("onnxruntime")
    options = runtime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 4  # of this session: its errors are raised anyway
    options.graph_optimization_level = runtime.GraphOptimizationLevel.ORT_DISABLE_ALL
    model = onnx_model.build(made).SerializeToString()
    return runtime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def resize(op: str, x: Array, target: Any, by_scale: bool, **options: Any) -> Any:
    """Run the node with its sizes or scales as an input of the model.

    What ONNX Runtime refuses is a RuntimeError with its own words.
    """
    made, target = onnx_model.request(op, options, x, target, by_scale)
    errors = LIBRARY.load("onnxruntime.capi.onnxruntime_pybind11_state")
    try:
        return _session(made).run(None, {"x": x, "target": target})[0]
    except tuple(getattr(errors, name) for name in REFUSALS) as error:
        raise RuntimeError(str(error)) from error


for _op in ("Resize", "Upsample"):
    LIBRARY.call(f"onnxruntime.{_op}", **onnx_model.FACTS)(partial(resize, _op))
