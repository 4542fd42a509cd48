"""The recorded table of both exporters: whole, and the same when measured anew."""

import json
import warnings

import numpy as np
import pytest
import record_onnx_export as recorder

from resizelab.modelfiles import nodes
from resizelab.teaching import examples

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
TABLE = json.loads(recorder.RECORD.read_text(encoding="utf-8"))
ROWS = TABLE["rows"]
WRONG = 1e-3  # of the pixels' range: beyond it a file computes something else


def label(row):
    return " ".join([*map(str, row["arguments"].values()), row["way"][:16]])


def comparable(found):
    """Return a result without its gap, and whether that is wrong."""
    gap = found.get("gap")
    kept = {k: v for k, v in found.items() if k not in ("gap", "not run", "refused")}
    return kept, "refused" in found, "not run" in found, gap and gap > WRONG


def assert_as_recorded(row, exporter, opsets):
    pytest.importorskip("torch")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the exporters' own
        now = recorder.grouped(row, exporter, opsets)
    for group in now:
        for asked in group["asked"]:
            then = next(g["does"] for g in row[exporter] if asked in g["asked"])
            assert comparable(group["does"]) == comparable(then)
            if then.get("gap", 0) and then["gap"] > WRONG:
                assert group["does"]["gap"] == pytest.approx(then["gap"], rel=1e-3)


def test_table_has_every_call_of_the_recorder():
    listed = json.loads(json.dumps(recorder.cases()))
    kept = [{k: row[k] for k in ("way", "rank", "arguments")} for row in ROWS]
    assert kept == listed
    modes = {row["arguments"]["mode"] for row in ROWS}
    assert modes >= {"nearest", "nearest-exact", "linear", "bilinear", "bicubic"}
    assert modes >= {"trilinear", "area", "lanczos"}


@pytest.mark.parametrize("row", ROWS[::6], ids=label)
def test_older_exporter_writes_what_is_recorded(row):
    assert_as_recorded(row, "torchscript", (10, 13))


@pytest.mark.live
@pytest.mark.parametrize("row", ROWS, ids=label)
def test_both_exporters_write_what_is_recorded(row):
    pytest.importorskip("onnxscript")
    assert_as_recorded(row, "torchscript", recorder.TORCHSCRIPT)
    assert_as_recorded(row, "dynamo", (None,))


def test_symbolic_with_an_argument_for_each_of_interpolate_s_stops(tmp_path):
    torch = pytest.importorskip("torch")

    def seven(g, x, size, scale_factor, mode, align_corners, recompute_scale_factor):
        return x

    operator = "aten::_upsample_nearest_exact2d"
    module = examples.interpolate(mode="nearest-exact", scale_factor=2.0)
    x = np.zeros((1, 1, 9, 11), np.float32)
    torch.onnx.register_custom_op_symbolic(operator, seven, 13)
    try:
        with pytest.raises(TypeError, match="missing 3 required positional"):
            examples.export(module, x, tmp_path / "m.onnx", opset=13)
    finally:
        torch.onnx.unregister_custom_op_symbolic(operator, 13)


@pytest.mark.live
@pytest.mark.parametrize(
    ("asked", "given", "written"),
    [
        (None, {"size": (14, 20)}, 20),
        (11, {"size": (14, 20)}, 18),
        (13, {"size": (14, 20)}, 18),
        (13, {"scale_factor": 2.0}, 13),
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_newer_exporter_chooses_the_opset(tmp_path, asked, given, written):
    pytest.importorskip("torch")
    pytest.importorskip("onnxscript")
    x = np.zeros((1, 1, 9, 11), np.float32)
    module = examples.interpolate(mode="bilinear", **given)
    made = examples.export(module, x, tmp_path / "m.onnx", "dynamo", asked)
    assert nodes.read(made.path).opset == written


@pytest.mark.live
@pytest.mark.filterwarnings("ignore")
def test_newer_exporter_refuses_a_factor_that_is_an_input(tmp_path):
    torch = pytest.importorskip("torch")
    pytest.importorskip("onnxscript")

    class Factor(torch.nn.Module):
        def forward(self, x, factor):
            interpolate = torch.nn.functional.interpolate
            return interpolate(x, scale_factor=float(factor), mode="bilinear")

    inputs = np.zeros((1, 1, 9, 11), np.float32), np.float32(2)
    with pytest.raises(torch.onnx.OnnxExporterError):
        examples.export(Factor(), inputs, tmp_path / "m.onnx", "dynamo")


def test_right_files_are_far_from_wrong_ones():
    found = [g["does"] for row in ROWS for e in examples.EXPORTERS for g in row[e]]
    gaps = np.array([f["gap"] for f in found if f.get("gap") is not None])
    assert gaps[gaps <= WRONG].max() < 5e-6
    assert gaps[gaps > WRONG].min() > 0.05
