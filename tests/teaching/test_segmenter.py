"""The network that the pages break and mend: exported by torch and by TensorFlow."""

import operator
import warnings

import numpy as np
import pytest

from resizelab.diagnosis.why import why
from resizelab.modelfiles import nodes
from resizelab.models import lint
from resizelab.models.compare import compare
from resizelab.models.patch import patch
from resizelab.teaching import examples, segmenter

torch = pytest.importorskip("torch")
pytest.importorskip("onnxruntime")
ASYMMETRIC = {"coordinate_transformation_mode": "asymmetric"}
HALF_PIXEL = {"coordinate_transformation_mode": "half_pixel"}
X = segmenter.picture()


@pytest.fixture(scope="module")
def ref():
    """Return what torch itself says of the picture."""
    with torch.no_grad():
        return segmenter.network()(torch.from_numpy(X)).numpy()


@pytest.fixture(scope="module", params=examples.EXPORTERS)
def files(request, tmp_path_factory):
    """Return the exported file, and one whose resize lost its grid."""
    if request.param == "dynamo":
        pytest.importorskip("onnxscript")
    folder = tmp_path_factory.mktemp(request.param)
    network = segmenter.network()
    made = examples.export(network, X, folder / "model.onnx", request.param)
    patch(made.path, "*", ASYMMETRIC, folder / "broken.onnx")
    return made.path, folder / "broken.onnx"


def test_same_seed_same_network(ref):
    with torch.no_grad():
        again = segmenter.network()(torch.from_numpy(X)).numpy()
        other = segmenter.network(seed=2)(torch.from_numpy(X)).numpy()
    np.testing.assert_array_equal(again, ref)
    assert np.abs(other - ref).max() > 0.1
    assert len(np.unique(ref.argmax(1))) == segmenter.CLASSES


def test_every_file_of_the_pages_is_linted(files):
    good, broken = (lint.model(path) for path in files)
    assert good.found == ()
    (node,) = good.nodes
    assert (node.node.before[2:], node.node.after[2:]) == ((16, 16), (128, 128))
    assert node.calls[0].startswith("torch.bilinear: ")
    (found,) = [f for f in broken.found if f.code == "no-call"]
    # One idea away, and not torch.bilinear.antialias, which is a little nearer.
    assert "no torch call computes this; nearest torch.bilinear, " in found.text
    assert "grid half_pixel for asymmetric" in found.text
    assert "antialias" not in found.text


def test_the_break_is_found_and_mended(files, ref):
    good, broken = files
    got = examples.run(broken, X)
    verdict = why(ref, got, segmenter.STRIDE)
    assert (verdict.kind, verdict.grids) == ("grid", ("half_pixel", "asymmetric"))
    assert verdict.measured.shift == pytest.approx((-3.5, -3.5), abs=0.05)
    report = compare(broken, good, {"": X})
    assert report.first.op == "Resize"
    assert all(line.largest == 0 for line in report.lines if line.op != "Resize")
    (node,) = nodes.read(broken).nodes
    # The newer exporter's weights lie beside the file: it stays in its folder.
    fixed = broken.with_name("fixed.onnx")
    patch(broken, node.name, HALF_PIXEL, fixed)
    mended = examples.run(fixed, X)
    assert np.abs(got - ref).max() > 0.5
    assert np.abs(mended - ref).max() < 1e-5
    assert lint.model(fixed).found == ()


def converted(folder, resize):
    """Return the network as TensorFlow's converter writes it, and its file's output."""
    tf = pytest.importorskip("tensorflow")
    litert = pytest.importorskip("ai_edge_litert.interpreter")
    model = segmenter.network()
    convs = [m for m in model.modules() if isinstance(m, torch.nn.Conv2d)]
    kernels = [
        (c.weight.detach().permute(2, 3, 1, 0).numpy(), c.bias.detach().numpy())
        for c in convs
    ]

    class Net(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([1, 128, 128, 1], tf.float32)])
        def run(self, x):
            for weight, bias in kernels[:-1]:
                x = tf.pad(x, [[0, 0], [1, 1], [1, 1], [0, 0]])
                x = tf.nn.relu(tf.nn.conv2d(x, weight, 2, "VALID") + bias)
            mean, variance = tf.nn.moments(x, (1, 2), keepdims=True)
            x = (x - mean) * tf.math.rsqrt(variance + 1e-5)
            weight, bias = kernels[-1]
            x = tf.nn.conv2d(x, weight, 1, "VALID") + bias
            return operator.attrgetter(resize)(tf)(x, (128, 128))

    net = Net()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        concrete = net.run.get_concrete_function()
        converter = tf.lite.TFLiteConverter.from_concrete_functions([concrete], net)
        (folder / "model.tflite").write_bytes(converter.convert())
    interpreter = litert.Interpreter(str(folder / "model.tflite"))
    interpreter.allocate_tensors()
    interpreter.set_tensor(
        interpreter.get_input_details()[0]["index"], X.transpose(0, 2, 3, 1)
    )
    interpreter.invoke()
    output = interpreter.get_tensor(interpreter.get_output_details()[0]["index"])
    return folder / "model.tflite", output


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("resize", "convention", "departs"),
    [
        ("image.resize", "litert.bilinear.half_pixel_centers", False),
        ("compat.v1.image.resize_bilinear", "litert.bilinear", True),
    ],
    ids=["tf2", "tf1"],
)
def test_tensorflows_file_is_linted_and_compared(
    resize, convention, departs, files, tmp_path
):
    path, output = converted(tmp_path, resize)
    (node,) = lint.model(path, like="torch.bilinear").nodes
    assert node.convention == convention
    assert [f.code for f in node.findings] == ["unlike"] * departs
    report = compare(files[0], ref={"output": output}, inputs={"": X})
    (line,) = report.lines
    assert line.remark == "axes (0, 3, 1, 2) of the other"
    assert (line.relative > 0.1) == departs
    assert departs or line.relative < 1e-5
    verdict = why(examples.run(files[0], X), output, segmenter.STRIDE)
    assert verdict.kind == ("grid" if departs else "layout")
