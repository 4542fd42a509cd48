"""Small models to look at: what is written is what was asked for, and it runs."""

import numpy as np
import pytest

from resizelab.modelfiles import nodes
from resizelab.teaching import examples

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
ROW = np.tile(np.float32([0, 10, 20, 30]), (1, 1, 5, 1))


@pytest.mark.parametrize("opset", [10, 11, 12, 13, 18, 19])
def test_node_of_every_opset_runs_with_scales(tmp_path, opset):
    path = examples.resize_node(
        tmp_path / "m.onnx", ROW.shape, scales=(1, 1, 1, 2), opset=opset, mode="linear"
    )
    first, second = examples.run(path, ROW)[0, 0, 0, :2]
    # Opset 10 reads i / scale, later ones have half_pixel as their default.
    assert (first, second) == (0, 5 if opset == 10 else 2.5)


@pytest.mark.parametrize("opset", [11, 13, 19])
def test_node_takes_sizes_where_they_exist(tmp_path, opset):
    path = examples.resize_node(
        tmp_path / "m.onnx", ROW.shape, sizes=(1, 1, 5, 8), opset=opset, mode="linear"
    )
    assert examples.run(path, ROW).shape == (1, 1, 5, 8)
    (node,) = nodes.read(path).nodes
    assert node.sizes() == ((4,), (8,))


def test_upsample_is_a_node_too(tmp_path):
    path = examples.resize_node(
        tmp_path / "m.onnx", ROW.shape, scales=(1, 1, 2, 2), opset=9, op="Upsample"
    )
    assert examples.run(path, ROW).shape == (1, 1, 10, 8)


def test_sizes_where_none_exist_are_refused(tmp_path):
    with pytest.raises(ValueError, match="Resize of opset 10 takes scales only"):
        examples.resize_node(
            tmp_path / "m.onnx", ROW.shape, sizes=(1, 1, 5, 8), opset=10
        )
    with pytest.raises(ValueError, match="sizes or scales: one of them"):
        examples.resize_node(tmp_path / "m.onnx", ROW.shape)


def test_refusal_has_the_run_time_s_words(tmp_path):
    path = examples.resize_node(
        tmp_path / "m.onnx", ROW.shape, sizes=(1, 1, 5, 8), mode="bilinear"
    )
    with pytest.raises(ValueError, match="bilinear"):
        examples.run(path, ROW)


@pytest.mark.parametrize("exporter", examples.EXPORTERS)
def test_export_runs_and_equals_torch(tmp_path, exporter):
    torch = pytest.importorskip("torch")
    if exporter == "dynamo":
        pytest.importorskip("onnxscript")
    module = examples.interpolate(size=(7, 9), mode="bicubic")
    made = examples.export(module, ROW, tmp_path / "m.onnx", exporter)
    wanted = module(torch.from_numpy(ROW)).numpy()
    np.testing.assert_allclose(examples.run(made.path, ROW), wanted, atol=2e-5)


def test_export_returns_what_the_exporter_said(tmp_path, capfd):
    pytest.importorskip("torch")
    module = examples.interpolate(scale_factor=2.0, mode="bilinear")
    made = examples.export(module, ROW, tmp_path / "m.onnx", opset=10)
    assert any("did not match Pytorch's Interpolation" in line for line in made.said)
    assert capfd.readouterr() == ("", "")


def test_export_takes_several_inputs(tmp_path):
    torch = pytest.importorskip("torch")

    class Like(torch.nn.Module):
        def forward(self, x, y):
            return torch.nn.functional.interpolate(x, size=y.shape[2:])

    made = examples.export(Like(), (ROW, ROW[:, :, :3]), tmp_path / "m.onnx")
    assert examples.run(made.path, {"x": ROW}).shape == (1, 1, 3, 4)


def test_unknown_exporter_is_named(tmp_path):
    module = examples.interpolate(scale_factor=2.0)
    with pytest.raises(ValueError, match="torchscript"):
        examples.export(module, ROW, tmp_path / "m.onnx", exporter="torchscrip")
