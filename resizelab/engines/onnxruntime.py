"""ONNX Runtime on the CPU: a model of one Resize or Upsample node."""

from functools import lru_cache, partial
from typing import Any

from resizelab.engines import onnx_model
from resizelab.engines.libraries import Array, Library

LIBRARY = Library("onnxruntime", "onnxruntime", "onnxruntime", ("onnxruntime-gpu",))

REFUSALS = ("Fail", "InvalidArgument", "InvalidGraph", "NotImplemented")


def session(content: bytes, threads: int = 1, rewritten: bool = False) -> Any:
    """Return a session of the nodes as they stand, or rewritten as it usually does.

    ``threads=0`` is one for each core.
    """
    runtime = LIBRARY.load("onnxruntime")
    options = runtime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 4  # of this session: its errors are raised anyway
    if not rewritten:
        off = runtime.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.graph_optimization_level = off
    providers = ["CPUExecutionProvider"]
    return runtime.InferenceSession(content, options, providers=providers)


@lru_cache(maxsize=64)
def _session(made: onnx_model.Request) -> Any:
    return session(onnx_model.build(made).SerializeToString())


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
