"""Two sides of any format: where they part, what mends it, and that it does."""

import json
import zipfile
from pathlib import Path

import exported
import numpy as np
import pytest

from resizelab import engines
from resizelab.cli import main
from resizelab.engines import litert
from resizelab.engines.openvino import core
from resizelab.models import aten, foreign
from resizelab.models.feeding import Port, fitted
from resizelab.models.mend import mend
from resizelab.models.page import page
from resizelab.models.patch import patch

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
GRID = "coordinate_transformation_mode"
PARAM = "7767517\n2 2\nInput x 0 1 x\nInterp up 1 1 x y 0=2 3=16 4=16 6={}\n"


@pytest.fixture
def x():
    return np.random.default_rng(0).random((1, 1, 8, 8), np.float32)


@pytest.fixture
def linear(tmp_path):
    return exported.resize_model(tmp_path / "linear.onnx", mode="linear")


def tflite(path, half_pixel):
    flags = (False, half_pixel)
    path.write_bytes(
        litert.model("ResizeBilinear", "float32", (1, 8, 8), (16,) * 2, flags)
    )
    return path


def from_engine():
    """Return OpenVINO as its engine imports it, which reports to nobody; or skip."""
    if engines.version("openvino") is None:
        pytest.skip("OpenVINO is not installed")
    core()
    return engines.load("openvino", "openvino")


def last(report):
    """Return the last command, and what is left after it."""
    assert report.mended, report
    left = max(line.relative for line in report.steps[-1].after)
    return report.commands()[-1], left


def test_two_nodes_are_mended_one_after_the_other(tmp_path):
    source, x = exported.torchscript(), exported.network()[1].numpy()
    one, two = tmp_path / "one.onnx", tmp_path / "two.onnx"
    patch(source, "/up/Resize", {GRID: "asymmetric"}, one)
    patch(one, "/Resize", {"cubic_coeff_a": -0.5}, two)
    kept = tmp_path / "kept.onnx"
    report = mend(source, two, {"": x}, output=kept)
    assert [step.parts for step in report.steps] == [True, False]
    assert report.commands() == [
        f"resizelab patch {two} --node /up/Resize --set {GRID}=half_pixel -o {kept}",
        f"resizelab patch {kept} --node /Resize --set cubic_coeff_a=-0.75 --in-place",
    ]
    assert not mend(source, kept, {"": x}).found
    # What is printed is what a reader runs.
    for command in report.commands():
        assert main(command.split()[1:]) == 0
    assert not mend(source, kept, {"": x}).found


def test_one_file_in_two_back_ends_becomes_a_matrix(tmp_path, x):
    from_engine()
    path = exported.resize_model(tmp_path / "m.onnx", (8, 5), mode="cubic", antialias=1)
    report = mend(path, path, {"": x}, back_ends=("onnxruntime", "openvino"))
    assert report.parts
    command, left = last(report)
    assert "--node resize --exact" in command
    assert left < 1e-5
    assert "right: onnxruntime makes of resize" in str(report)


def test_what_openvino_refuses_runs_as_a_matrix(tmp_path, x):
    from_engine()
    path = exported.resize_model(
        tmp_path / "m.onnx", mode="linear", **{GRID: "half_pixel_symmetric"}
    )
    report = mend(path, path, {"": x}, back_ends=("onnxruntime", "openvino"))
    assert report.b.refusal
    assert last(report)[1] < 1e-5
    assert "does not run" in str(report)


def test_flags_of_a_tflite_file_are_set(tmp_path, linear, x):
    pytest.importorskip("ai_edge_litert")
    other = tflite(tmp_path / "m.tflite", half_pixel=False)
    command, left = last(mend(linear, other, {"": x}))
    assert "--set half_pixel_centers=True" in command
    assert left < 1e-6
    assert not mend(linear, tflite(tmp_path / "m.tflite", True), {"": x}).found


def test_words_of_text_files_are_set_and_their_weights_go_along(tmp_path, linear, x):
    pytest.importorskip("ncnn")
    path, kept = tmp_path / "m.param", tmp_path / "kept.param"
    path.write_text(PARAM.format(1))
    path.with_suffix(".bin").write_bytes(b"\0\0\0\0")
    command, left = last(mend(linear, path, {"": x}, output=kept))
    assert command == f"resizelab patch {path} --node up --set 6=0 -o {kept}"
    assert left < 1e-6
    assert kept.with_suffix(".bin").read_bytes() == b"\0\0\0\0"
    assert not mend(linear, kept, {"": x}).found
    undone = patch(kept, "up", {"6": 1}, tmp_path / "undone.param")
    assert undone.target.read_text() == path.read_text()
    undone.target.with_suffix(".bin").write_bytes(b"others")
    with pytest.raises(ValueError, match="holds other weights"):
        patch(kept, "up", {"6": 1}, undone.target)
    openvino = from_engine()
    pairs = tmp_path / "linear.xml", tmp_path / "m.xml"
    onnx_of = patch(linear, "resize", {GRID: "align_corners"}, tmp_path / "m.onnx")
    for source, target in zip((linear, onnx_of.target), pairs, strict=True):
        openvino.save_model(core().read_model(source), target)
    command, left = last(mend(*pairs, {"": x}))
    assert f"--set {GRID}=half_pixel" in command
    assert left < 1e-6
    with pytest.raises(ValueError, match="nearest_mode must be one of"):
        patch(pairs[1], "*", {"nearest_mode": 7}, tmp_path / "n.xml")


def test_a_picture_of_open_sizes_goes_into_ncnn_colours_first(tmp_path):
    pytest.importorskip("ncnn")
    path = tmp_path / "m.param"
    path.write_text(PARAM.format(0))
    x = np.random.default_rng(0).random((1, 8, 6, 3), np.float32)
    told = foreign.run(path, "ncnn", {"": x})
    assert told["fed"]["x"].shape == (3, 8, 6)


def test_a_torch_program_is_run_by_its_list(tmp_path, x):
    torch = pytest.importorskip("torch")
    path = tmp_path / "m.pt2"
    net = torch.nn.Sequential(
        torch.nn.Conv2d(1, 1, 3, padding=1),
        torch.nn.Upsample((16, 16), mode="bilinear"),
    ).eval()
    torch.export.save(torch.export.export(net, (torch.zeros(1, 1, 8, 8),)), path)
    told = aten.run(path, {"": x})
    with torch.no_grad():
        wanted = net(torch.from_numpy(x)).numpy()
    np.testing.assert_allclose(told["outputs"][0], wanted, atol=1e-6)
    corners = tmp_path / "corners.pt2"
    net = torch.nn.Upsample((16, 16), mode="bilinear", align_corners=True)
    torch.export.save(torch.export.export(net, (torch.zeros(1, 1, 8, 8),)), corners)
    other = exported.resize_model(tmp_path / "m.onnx", mode="linear")
    report = mend(other, corners, {"": x})
    assert report.turned
    assert f"{other} --node resize --set {GRID}=align_corners" in last(report)[0]
    (resize,) = told["resizes"]
    assert resize["arguments"] == {"mode": "bilinear", "align_corners": False}
    np.testing.assert_array_equal(resize["gives"], told["outputs"][0])
    hurt = tmp_path / "hurt.pt2"
    with zipfile.ZipFile(path) as packed, zipfile.ZipFile(hurt, "w") as other:
        for name in packed.namelist():
            text = packed.read(name)
            good = b"torch.ops.aten.conv2d.default"
            other.writestr(name, text.replace(good, b"torch.os.system"))
    with pytest.raises(ValueError, match="no operator of aten"):
        aten.run(hurt, {"": x})


def test_a_dump_of_the_output_is_enough(tmp_path, linear, x):
    wrong = tmp_path / "wrong.onnx"
    patch(linear, "*", {GRID: "align_corners"}, wrong)
    right = mend(linear, linear, {"": x}).a.outputs["y"]
    np.save(tmp_path / "y.npy", right)
    command, left = last(mend(tmp_path / "y.npy", wrong, {"": x}))
    assert f"--set {GRID}=half_pixel" in command
    assert left == 0


def test_what_is_no_resize_is_not_called_one(tmp_path):
    source, x = exported.torchscript(), exported.network()[1].numpy()
    model = onnx.load(source)
    node = next(n for n in model.graph.node if n.op_type == "Conv")
    pads = next(a for a in node.attribute if a.name == "pads")
    pads.ints[:] = [0, 0, 2, 2]
    onnx.save(model, tmp_path / "m.onnx")
    report = mend(source, tmp_path / "m.onnx", {"": x})
    assert not report.steps
    assert "Conv: pads [0, 0, 2, 2] for [1, 1, 1, 1]" in str(report)
    assert "no change of a resize mends this: a Conv parts first" in str(report)


# --- inputs ---


def test_pipelines_that_part_are_named_and_mended(tmp_path, capsys):
    image = pytest.importorskip("PIL.Image")
    torch = pytest.importorskip("torch")
    photo, path = tmp_path / "photo.png", tmp_path / "m.onnx"
    pixels = np.random.default_rng(0).integers(0, 256, (60, 80, 3), np.uint8)
    image.fromarray(pixels).save(photo)
    net = torch.nn.Upsample(scale_factor=2, mode="bilinear")
    exported.export(net, torch.zeros(1, 3, 224, 224), path, dynamo=False)
    line = ["mend", str(path), str(path), "--input", str(photo)]
    names = ("openai.clip", "transformers.clip.torch")
    asked = [*line, "--pipeline", names[0], "--pipeline-b", names[1]]
    assert main(asked) == 1
    told = capsys.readouterr().out
    assert "first they part in the " in told
    assert f"mend: resizelab pipeline run openai.clip --image {photo}" in told
    assert "mended: the outputs agree" in told
    # The passport says it without being asked; one pipeline is that of both sides.
    carried = tmp_path / "carried.onnx"
    write = ["passport", "write", str(path), "--pipeline", names[0], "-o", str(carried)]
    assert main(write) == 0
    assert main(["mend", str(carried), str(path), "--input", str(photo)]) == 0
    assert "pipeline: openai.clip" in capsys.readouterr().out
    assert main(["passport", "check", str(carried)]) == 1
    assert "not told, so not checked: pipeline" in capsys.readouterr().out
    check = ["passport", "check", str(carried), "--pipeline"]
    assert main([*check, names[0]]) == 0
    assert main([*check, names[1]]) == 1
    assert "stage 2: resize: convention torch.bicubic" in capsys.readouterr().out


def test_arrays_of_two_inputs_are_compared_first(linear, x):
    report = mend(linear, linear, {"": x}, {"": 2 * x + 1})
    assert report.inputs_part
    assert not report.parts
    assert "second input: It is another scale, offset or activation" in str(report)


@pytest.mark.parametrize(
    ("shape", "dtype", "wanted"),
    [
        ((1, 3, 8, 8), "float32", (1, 3, 8, 8)),
        ((1, 8, 8, 3), "float32", (1, 8, 8, 3)),
        ((1, None, None, 3), "uint8", (1, 6, 5, 3)),
        ((None, 1, 4, 4), "float32", (1, 1, 4, 4)),
    ],
)
def test_a_picture_is_turned_to_what_an_input_wants(shape, dtype, wanted):
    pixels = np.full((6, 5, 3), 255, np.uint8)
    found = fitted({"": pixels}, [Port("x", shape, dtype)])["x"]
    assert (found.shape, found.dtype.name) == (wanted, dtype)
    assert found.max() == (1 if dtype == "float32" else 255)


# --- reports, and files of somebody who means no good ---


def test_reports_for_other_tools(tmp_path, linear, x, capsys):
    wrong = tmp_path / "<b>&\x1b[2J.onnx"
    patch(linear, "*", {GRID: "asymmetric"}, wrong)
    np.save(tmp_path / "x.npy", x)
    line = ["mend", str(linear), str(wrong), "--input", str(tmp_path / "x.npy")]
    html = tmp_path / "r.html"
    assert main([*line, "--format", "sarif", "--html", str(html)]) == 1
    results = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    assert [r["ruleId"] for r in results] == ["outputs-part", "mend"]
    assert f"--set {GRID}=half_pixel" in results[1]["message"]["text"]
    assert main([*line, "--format", "junit"]) == 1
    assert 'failures="1"' in capsys.readouterr().out
    assert main([*line, "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["mended"] is True
    text = html.read_text("utf-8")
    assert text == page(mend(linear, wrong, {"": x}, feed=line[-1]))
    assert "<pre>resizelab patch" in text
    assert "<b>" not in text
    assert "\x1b" not in text


def test_a_type_that_is_none_ends_in_words(tmp_path, linear, x):
    model = onnx.load(linear)
    model.graph.output[0].type.tensor_type.elem_type = 36
    onnx.save(model, tmp_path / "m.onnx")
    report = mend(linear, tmp_path / "m.onnx", {"": x})
    assert "type 36" in report.b.refusal
    assert [found.code for found in report.found] == ["refused"]


HURT = {
    ".tflite": (b"\x00" * 64, "is not a TensorFlow Lite file"),
    ".xml": (b"<net><layers/></net>", "there is no file"),
    ".param": (b"7767517\n9 9\nInterp a 1 1 x y 0=2\n", "m.param"),
    ".pt2": (b"PK\x03\x04", "is no .pt2 file"),
    ".pb": (b"x", "a SavedModel is a program"),
    ".pt": (b"x", "runs what it holds"),
    ".txt": (b"x", "the file's ending must be one of"),
    "": (b"", "a SavedModel is a program"),
}


@pytest.mark.parametrize("ending", HURT)
def test_a_hurt_file_ends_in_words(ending, tmp_path, linear, x, capsys):
    content, words = HURT[ending]
    path = tmp_path / f"m{ending}" if ending else Path()  # the folder one stands in
    if ending:
        path.write_bytes(content)
    np.save(tmp_path / "x.npy", x)
    code = main(["mend", str(linear), str(path), "--input", str(tmp_path / "x.npy")])
    err = capsys.readouterr().err
    assert code in (2, 3), err
    assert code == 3 or words in err
