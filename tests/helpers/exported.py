"""Model files made by the real exporters, once for all tests that look at them."""

import atexit
import contextlib
import importlib.util
import io
import os
import shutil
import tempfile
import warnings
from functools import cache
from pathlib import Path

import numpy as np
import pytest

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")


@cache
def folder() -> Path:
    """Return a folder of this run's own, removed at its end."""
    path = Path(tempfile.mkdtemp(prefix="resizelab-"))
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return path


@cache
def network():
    """Return (model, input): torch's own resizes between convolutions."""
    torch = pytest.importorskip("torch")
    functional = torch.nn.functional

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.enc = torch.nn.Conv2d(3, 4, 3, stride=2, padding=1)
            self.up = torch.nn.Upsample(scale_factor=2, mode="bilinear")
            self.body = torch.nn.Sequential(
                torch.nn.Conv2d(4, 4, 3, padding=1), torch.nn.ReLU(inplace=True)
            )
            self.head = torch.nn.Conv2d(4, 2, 1)

        def forward(self, x):
            y = self.body(self.up(self.enc(x).relu()))
            y = functional.interpolate(y, size=(20, 24), mode="bicubic")
            y = functional.interpolate(y, scale_factor=1.5, mode="nearest")
            return self.head(y)

    with torch.random.fork_rng():
        torch.manual_seed(0)
        return Net().eval(), torch.randn(1, 3, 16, 18)


def export(model, x, path: Path, **options) -> Path:
    """Export a torch model without its exporter's words."""
    torch = pytest.importorskip("torch")
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        torch.onnx.export(
            model, (x,), path, input_names=["x"], output_names=["y"], **options
        )
    return path


@cache
def torchscript() -> Path:
    """Return the network as torch's older exporter writes it, opset 17."""
    return export(*network(), folder() / "older.onnx", dynamo=False, opset_version=17)


@cache
def dynamo() -> Path:
    """Return the network as torch's newer exporter writes it, weights beside it."""
    if importlib.util.find_spec("onnxscript") is None:
        pytest.skip("torch's newer exporter needs onnxscript")
    options = {"dynamo": True, "verbose": False, "external_data": True}
    return export(*network(), folder() / "newer.onnx", **options)


@cache
def one_resize(mode: str, **options) -> Path:
    """Return one `interpolate`, as torch's newer exporter writes it."""
    if importlib.util.find_spec("onnxscript") is None:
        pytest.skip("torch's newer exporter needs onnxscript")
    torch = pytest.importorskip("torch")

    class Resize(torch.nn.Module):
        def forward(self, x):
            return torch.nn.functional.interpolate(x, (6, 5), mode=mode, **options)

    words = "-".join([mode, *options])
    path = folder() / f"{words}.onnx"
    x = torch.rand(1, 1, 12, 10)
    return export(Resize(), x, path, dynamo=True, verbose=False)


@cache
def tflite() -> Path:
    """Return three resizes as TensorFlow's converter writes them."""
    tf = pytest.importorskip("tensorflow")
    v1 = tf.compat.v1.image

    class Net(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([1, 8, 8, 3], tf.float32)])
        def run(self, x):
            y = tf.image.resize(x, (16, 16))
            y = v1.resize_bilinear(y, (8, 8))
            return v1.resize_nearest_neighbor(y, (11, 11), align_corners=True)

    net = Net()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        converter = tf.lite.TFLiteConverter.from_concrete_functions(
            [net.run.get_concrete_function()], net
        )
        content = converter.convert()
    path = folder() / "three.tflite"
    path.write_bytes(content)
    return path


def graph(path: Path, text: str, opset: int = 19) -> Path:
    """Write the ONNX model of a graph in ONNX's own text."""
    onnx = pytest.importorskip("onnx")
    head = f'<ir_version: 8, opset_import: ["": {opset}, "own": 1]>'
    path.write_bytes(onnx.parser.parse_model(f"{head} {text}").SerializeToString())
    return path


def resize_model(
    path: Path, sizes=(8, 16), opset: int = 19, op: str = "Resize", **attributes
) -> Path:
    """Write an ONNX model of one node; ``sizes`` are those of both axes."""
    onnx = pytest.importorskip("onnx")
    helper, kinds = onnx.helper, onnx.TensorProto
    n, m = sizes
    shapes = [1, 1, n, n], [1, 1, m, m]
    infos = [
        helper.make_tensor_value_info(name, kinds.FLOAT, shape)
        for name, shape in zip("xy", shapes, strict=True)
    ]
    if op == "Upsample" or opset < 11:
        scales = np.array([1, 1, m / n, m / n], np.float32)
        names, constant = ["x", "c"], onnx.numpy_helper.from_array(scales, "c")
    else:
        sizes_ = np.array(shapes[1], np.int64)
        names, constant = ["x", "", "", "c"], onnx.numpy_helper.from_array(sizes_, "c")
    node = helper.make_node(op, names, ["y"], name="resize", **attributes)
    graph = helper.make_graph([node], "g", infos[:1], infos[1:], [constant])
    ids = [helper.make_opsetid("", opset)]
    onnx.save(helper.make_model(graph, opset_imports=ids, ir_version=8), path)
    return path
