"""Resizes of model files as matrices: every back end must give the same numbers."""

import json

import exported
import numpy as np
import pytest

import resizelab as rl
from resizelab import exact
from resizelab.cli import main
from resizelab.exact import proof
from resizelab.modelfiles import onnx_file

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")


def made(tmp_path, sizes, like=None, **attributes):
    """Return (before, exact, proof) of a model of one node."""
    path = exported.resize_model(tmp_path / "m.onnx", sizes, **attributes)
    before = onnx_file.with_weights(path)
    found = exact.onnx(path, like=like)
    return before, found, proof.prove(before, found)


def ops(model):
    return [node.op_type for node in model.graph.node]


NODES = [
    {"mode": "linear"},
    {"mode": "cubic", "exclude_outside": 1},
    {"mode": "linear", "antialias": 1},
    {"mode": "cubic", "coordinate_transformation_mode": "align_corners"},
    {"mode": "nearest", "nearest_mode": "ceil"},
    {"mode": "linear", "op": "Upsample", "opset": 9},
    {"mode": "linear", "opset": 10},
    {"mode": "linear", "keep_aspect_ratio_policy": "not_larger"},
]


@pytest.mark.parametrize("sizes", [(24, 13), (13, 24), (400, 600)])
@pytest.mark.parametrize("node", NODES, ids=str)
def test_back_ends_agree_after(tmp_path, sizes, node):
    if node.get("op") == "Upsample" and sizes[0] > sizes[1]:
        sizes = sizes[::-1]
    _, found, told = made(tmp_path, sizes, **node)
    assert set(ops(found.model)).isdisjoint({"Resize", "Upsample"})
    assert all(ran.outputs is not None for ran in told.after.values())
    assert told.apart(told.after) <= 1e-6


def test_the_numbers_are_those_of_the_specification(tmp_path):
    node = {"mode": "cubic", "exclude_outside": 1, "antialias": 1}
    _, _, told = made(tmp_path, (24, 13), **node)
    right = told.before["onnx.reference"].outputs[0]
    for name in ("onnxruntime", "openvino"):
        if name in told.after:
            got = told.after[name].outputs[0]
            np.testing.assert_allclose(got, right, atol=2e-6)
    assert told.apart(told.before) > 1e-3  # which no back end promised before


@pytest.mark.parametrize("like", ["pillow.bicubic", "opencv.linear", "torch.nearest"])
def test_like_gives_the_numbers_of_another_library(tmp_path, like):
    before, found, told = made(tmp_path, (24, 13), like, mode="cubic")
    x = proof.noise(before)["x"]
    expected = rl.resize(x, (13, 13), like, axes=(2, 3))
    got = told.after["onnxruntime"].outputs[0]
    np.testing.assert_allclose(got, expected, atol=2e-6)
    assert found.replaced[0].convention == like


@pytest.mark.parametrize("source", [exported.torchscript, exported.dynamo])
def test_a_whole_network_keeps_its_numbers(source):
    before = onnx_file.with_weights(source())
    found = exact.onnx(source())
    told = proof.prove(before, found)
    assert len(found.replaced) == 3
    was = told.before["onnxruntime"].outputs[0]
    now = told.after["onnxruntime"].outputs[0]
    np.testing.assert_allclose(now, was, atol=1e-5)


def test_one_node_of_several_by_its_name():
    found = exact.onnx(exported.torchscript(), "/up/Resize")
    assert ops(found.model).count("Resize") == 2
    with pytest.raises(LookupError, match="did you mean '/up/Resize'"):
        exact.onnx(exported.torchscript(), "/up/Resise")


def opened(path, dims):
    model = onnx.load(path)
    shape = model.graph.input[0].type.tensor_type.shape
    for k, name in dims.items():
        shape.dim[k].dim_param = name
    onnx.save(model, path)
    return path


def scaled(path, scale=2.0):
    """Write a node with scales and an input of 1, 1, 8, 8."""
    helper, kinds = onnx.helper, onnx.TensorProto
    info = helper.make_tensor_value_info
    scales = helper.make_tensor("s", kinds.FLOAT, [4], [1, 1, scale, scale])
    node = helper.make_node("Resize", ["x", "", "s"], ["y"], "resize", mode="linear")
    graph = helper.make_graph(
        [node],
        "g",
        [info("x", kinds.FLOAT, [1, 1, 8, 8])],
        [info("y", kinds.FLOAT, [None] * 4)],
        [scales],
    )
    opset = helper.make_opsetid("", 18)
    onnx.save(helper.make_model(graph, opset_imports=[opset], ir_version=8), path)
    return path


def test_an_open_batch_is_fine(tmp_path):
    path = opened(scaled(tmp_path / "m.onnx"), {0: "N"})
    found = exact.onnx(path)
    x = np.random.default_rng(0).random((3, 1, 8, 8)).astype(np.float32)
    (got,) = proof.run("onnxruntime", found.model, {"x": x}).outputs
    assert got.shape == (3, 1, 16, 16)


def test_open_sizes_are_refused_and_the_input_closes_them(tmp_path):
    path = opened(scaled(tmp_path / "m.onnx"), {0: "N", 2: "H", 3: "W"})
    with pytest.raises(ValueError, match="needs fixed sizes"):
        exact.onnx(path)
    found = exact.onnx(path, shapes={"x": (1, 1, 8, 6)})
    dims = found.model.graph.input[0].type.tensor_type.shape.dim
    assert dims[0].dim_param == "N"
    assert [d.dim_value for d in dims][1:] == [1, 8, 6]


def test_a_scale_that_is_not_that_of_the_sizes_is_kept(tmp_path):
    path = scaled(tmp_path / "m.onnx", 1.3)
    before, found = onnx_file.with_weights(path), exact.onnx(path)
    told = proof.prove(before, found)
    right = told.before["onnx.reference"].outputs[0]
    np.testing.assert_allclose(told.after["onnxruntime"].outputs[0], right, atol=1e-6)


def test_the_checker_s_leftovers_are_gone(tmp_path):
    found = exact.onnx(scaled(tmp_path / "m.onnx"))
    read = {name for node in found.model.graph.node for name in node.input}
    assert {t.name for t in found.model.graph.initializer} <= read


def test_a_quantised_model_is_told_what_to_expect(tmp_path):
    helper, kinds = onnx.helper, onnx.TensorProto
    path = scaled(tmp_path / "m.onnx")
    model = onnx.load(path)
    model.graph.initializer.append(helper.make_tensor("k", kinds.FLOAT, [], [0.1]))
    model.graph.node.append(helper.make_node("QuantizeLinear", ["y", "k"], ["q"]))
    onnx.save(model, path)
    assert "a whole level" in str(exact.onnx(path))


# --- the command ---


def test_the_command_writes_and_proves(tmp_path, capsys):
    path = exported.resize_model(
        tmp_path / "m.onnx", (64, 40), mode="linear", antialias=1
    )
    out = tmp_path / "out.onnx"
    assert main(["patch", str(path), "--exact", "-o", str(out), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["replaced"][0]["forms"] == ["MatMul", "MatMul"]
    assert told["proof"]["apart"]["after"] <= 1e-6
    assert ops(onnx.load(out)) == ["MatMul", "MatMul"]


def test_the_command_takes_a_call_and_a_node(tmp_path, capsys):
    path = exported.resize_model(tmp_path / "m.onnx", (8, 4), mode="linear")
    like = "cv2.resize(x, (4, 4), interpolation=cv2.INTER_AREA)"
    words = ["patch", str(path), "--exact", "--node", "resize", "--like", like]
    assert main([*words, "-o", str(tmp_path / "out.onnx")]) == 0
    said = capsys.readouterr().out
    assert "opencv.area, 8x8 to 4x4, as MatMul and MatMul" in said
    assert "after: back ends differ by" in said


def test_nothing_is_written_where_something_is_refused(tmp_path, capsys):
    path = opened(scaled(tmp_path / "m.onnx"), {2: "H"})
    out = tmp_path / "out.onnx"
    assert main(["patch", str(path), "--exact", "-o", str(out)]) == 2
    assert "needs fixed sizes" in capsys.readouterr().err
    assert not out.exists()
    np.save(tmp_path / "x.npy", np.ones((1, 1, 8, 8), np.float32))
    made = proof.write(path, out, feeds={"": np.load(tmp_path / "x.npy")})
    assert made.proof.apart(made.proof.after) <= 1e-6


def test_set_and_exact_do_not_go_together(tmp_path, capsys):
    path = str(exported.resize_model(tmp_path / "m.onnx", mode="linear"))
    assert main(["patch", path, "--exact", "--set", "mode=cubic", "--in-place"]) == 2
    assert main(["patch", path, "--in-place"]) == 2
    assert "patch needs --node and --set, or --exact" in capsys.readouterr().err
