"""The recorded table of both exporters: whole, and the same when measured anew."""

import json
import warnings

import numpy as np
import pytest
import record_onnx_export as recorder

from resizelab.models import examples

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


def test_right_files_are_far_from_wrong_ones():
    found = [g["does"] for row in ROWS for e in examples.EXPORTERS for g in row[e]]
    gaps = np.array([f["gap"] for f in found if f.get("gap") is not None])
    assert gaps[gaps <= WRONG].max() < 5e-6
    assert gaps[gaps > WRONG].min() > 0.05
