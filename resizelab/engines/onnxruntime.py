"""ONNX Runtime on the CPU: a model of one Resize or Upsample node."""

from functools import lru_cache, partial
from typing import Any

from resizelab.engines import onnx_model
from resizelab.engines.calls import Arguments, Array, Call, Scale, Shape
from resizelab.engines.libraries import Library, load, register

register(
    Library("onnxruntime", __name__, "onnxruntime", "onnxruntime", ("onnxruntime-gpu",))
)

REFUSALS = ("Fail", "InvalidArgument", "InvalidGraph", "NotImplemented")


@lru_cache(maxsize=64)
def _session(made: onnx_model.Request) -> Any:
    """Return a session of one thread with no graph rewriting."""
    runtime = load("onnxruntime", "onnxruntime")
    options = runtime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 4  # of this session: its errors are raised anyway
    options.graph_optimization_level = runtime.GraphOptimizationLevel.ORT_DISABLE_ALL
    model = onnx_model.build(made).SerializeToString()
    return runtime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def resize(
    op: str, arguments: Arguments, x: Array, shape: Shape, scale: Scale
) -> Array:
    """Run the node with its sizes or scales as an input of the model.

    What ONNX Runtime refuses is a RuntimeError with its own words.
    """
    made, tensor, target = onnx_model.request(op, arguments, x, shape, scale)
    errors = load("onnxruntime.capi.onnxruntime_pybind11_state", "onnxruntime")
    try:
        out: Array = _session(made).run(None, {"x": tensor, "target": target})[0]
    except tuple(getattr(errors, name) for name in REFUSALS) as error:
        raise RuntimeError(str(error)) from error
    return out[:, 0]


CALLS = {
    f"onnxruntime.{op}": Call(
        partial(resize, op),
        onnx_model.ranks,
        scale_keys=("scales",),
        probe_arguments=onnx_model.last_axis,
    )
    for op in ("Resize", "Upsample")
}
