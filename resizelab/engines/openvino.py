"""OpenVINO's CPU plugin on an ONNX model of one node, with float32 inference.

The plugin's default precision is bfloat16 on processors that have it, where
[0, 1, 4, ..., 49] resized to 3 starts with 0.8320 and not with 0.8333. Here
INFERENCE_PRECISION_HINT is f32, so the numbers are those of the operation itself.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from typing import Any

from resizelab.engines import onnx_model
from resizelab.engines.libraries import Array, Library

LIBRARY = Library("openvino", "openvino", "openvino")

SETTINGS = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1}


@contextmanager
def _nothing_sent() -> Iterator[None]:
    """Hide OpenVINO's optional telemetry package while OpenVINO is imported.

    With it the import alone forks a process that reports to a server; without it
    OpenVINO falls back to a stub of its own. A package in use already stays in use.
    """
    name = "openvino_telemetry"
    if name in sys.modules:
        yield
        return
    sys.modules[name] = None  # type: ignore[assignment]  # Python's own way to say no
    try:
        yield
    finally:
        del sys.modules[name]


@lru_cache(maxsize=1)
def core() -> Any:
    """Return OpenVINO's entry point: it loads the plugins once."""
    with _nothing_sent():
        return LIBRARY.load("openvino").Core()


@lru_cache(maxsize=64)
def _compiled(made: onnx_model.Request, target: tuple[float, ...] | None = None) -> Any:
    """Compile for every shape, and for every target or for the one given."""
    model = core().read_model(onnx_model.build(made, target).SerializeToString())
    return core().compile_model(model, "CPU", SETTINGS)


def resize(op: str, x: Array, target: Any, by_scale: bool, **options: Any) -> Any:
    """Run the node on the CPU plugin.

    Sizes are an input of one compiled model. Scales are constants of a model of their
    own: as an input, the plugin keeps the scale of the previous call while the output
    size stays the same.
    """
    made, target = onnx_model.request(op, options, x, target, by_scale)
    if made.by == "sizes":
        network, fed = _compiled(made), [x, target]
    else:
        network, fed = _compiled(made, tuple(target.tolist())), [x]
    return network(fed)[network.output(0)].copy()


for _op in ("Resize", "Upsample"):
    LIBRARY.call(f"openvino.{_op}", **onnx_model.FACTS)(partial(resize, _op))
