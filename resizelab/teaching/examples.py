"""Small models to look at: one ONNX node, one exported ``interpolate``.

The pages of the book and the tests write them, lint them, patch them and run them.
"""

import contextlib
import io
import logging
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from resizelab import checks
from resizelab.modelfiles import files, onnx_file
from resizelab.models import running
from resizelab.models.feeding import Array

EXPORTERS = ("torchscript", "dynamo")
FIRST_SIZES, FIRST_OPTIONAL = 11, 13  # opsets of Resize
IR_VERSION = 8  # old enough for every run time here
# The newer exporter says at each call that torchvision is missing.
NOISY = "torch.onnx._internal.exporter._registration"


@dataclass(frozen=True)
class Exported:
    """A file that an exporter wrote, and the warnings it gave."""

    path: Path
    said: tuple[str, ...]


def interpolate(**arguments: Any) -> Any:
    """Return a torch module that calls ``interpolate`` with these arguments."""
    import torch

    class Interpolate(torch.nn.Module):  # type: ignore[misc]  # torch is untyped here
        def forward(self, x: Any) -> Any:
            return torch.nn.functional.interpolate(x, **arguments)

    return Interpolate().eval()


def export(
    module: Any,
    x: Any,
    path: files.PathLike,
    exporter: str = "torchscript",
    opset: int | None = None,
    **options: Any,
) -> Exported:
    """Write a torch module as ONNX and return the file with what the exporter said.

    ``x`` is its input, or a tuple of several; ``options`` go to ``torch.onnx.export``.
    Inputs are called x, x1, x2 …, the output y. The exporter's own errors pass through.
    """
    import torch

    checks.one_of("exporter", exporter, EXPORTERS)
    inputs = x if isinstance(x, tuple) else (x,)
    tensors = tuple(torch.as_tensor(value) for value in inputs)
    names = ["x", *(f"x{k}" for k in range(1, len(tensors)))]
    with _listening() as said:
        torch.onnx.export(
            module,
            tensors,
            path,
            input_names=names,
            output_names=["y"],
            dynamo=exporter == "dynamo",
            opset_version=opset,
            verbose=False,
            **options,
        )
    return Exported(Path(path), tuple(dict.fromkeys(said)))


@contextlib.contextmanager
def _listening() -> Iterator[list[str]]:
    """Collect warnings, and keep what is printed off the page."""
    said: list[str] = []
    logger = logging.getLogger(NOISY)
    before = logger.level
    logger.setLevel(logging.ERROR)
    try:
        with (
            warnings.catch_warnings(record=True) as found,
            contextlib.redirect_stdout(io.StringIO()),
        ):
            warnings.simplefilter("always")
            yield said
        said += [str(warning.message) for warning in found]
    finally:
        logger.setLevel(before)


def resize_node(
    path: files.PathLike,
    shape: Sequence[int],
    sizes: Sequence[int] | None = None,
    scales: Sequence[float] | None = None,
    opset: int = 19,
    op: str = "Resize",
    **attributes: Any,
) -> Path:
    """Write a model of one node, for inputs of ``shape``, and return its path.

    ``sizes`` or ``scales`` have one number an axis of the whole tensor; ``attributes``
    are ONNX's, unchecked: a model that no run time takes can be written too.
    """
    helper = onnx_file.library().helper
    if (sizes is None) == (scales is None):
        raise ValueError("give sizes or scales: one of them")
    if sizes is not None and (opset < FIRST_SIZES or op != "Resize"):
        raise ValueError(f"{op} of opset {opset} takes scales only; got {sizes=}")
    given = np.array(scales, np.float32) if sizes is None else np.array(sizes, np.int64)
    names, constants = _inputs(given, opset, op)
    kind = onnx_file.library().TensorProto.FLOAT
    graph = helper.make_graph(
        [helper.make_node(op, names, ["y"], name="resize", **attributes)],
        "one_node",
        [helper.make_tensor_value_info("x", kind, list(shape))],
        [helper.make_tensor_value_info("y", kind, [None] * len(shape))],
        constants,
    )
    ids = [helper.make_opsetid("", opset)]
    model = helper.make_model(graph, opset_imports=ids, ir_version=IR_VERSION)
    target = Path(path)
    target.write_bytes(model.SerializeToString())
    return target


def _inputs(given: Array, opset: int, op: str) -> tuple[list[str], list[Any]]:
    """Return the node's input names and the constants among them."""
    tensor = onnx_file.library().numpy_helper.from_array
    constants = [tensor(given, "target")]
    if op != "Resize" or opset < FIRST_SIZES:
        return ["x", "target"], constants
    missing = ""
    if opset < FIRST_OPTIONAL:  # roi and scales must be there, empty or not
        missing = "none"
        constants.append(tensor(np.zeros(0, np.float32), "none"))
    sizes = given.dtype == np.int64
    return ["x", missing, *([missing] if sizes else []), "target"], constants


def run(path: files.PathLike, x: Array | Mapping[str, Array]) -> Array:
    """Return the first output of a model file on ONNX Runtime.

    ``x`` is its only input, or a mapping of all. Refusals are a ValueError in the run
    time's own words.
    """
    feeds = x if isinstance(x, Mapping) else {"": np.asarray(x)}
    model = running.exposed(path, feeds)
    name = model.model.graph.output[0].name
    return dict(running.walk(model, {name}))[name]
