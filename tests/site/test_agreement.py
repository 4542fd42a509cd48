"""The record of what a Resize can say: whole, and the same when measured anew."""

import json

import pytest
import record_agreement as recorder

import resizelab as rl
from resizelab.engines import pairs

TABLE = json.loads(recorder.RECORD.read_text(encoding="utf-8"))
ROWS = {row["row"]: row for row in TABLE["rows"]}


def test_every_call_is_recorded_with_its_node():
    assert list(ROWS) == [row.name for row in recorder.rows()]
    for row in ROWS.values():
        assert recorder.word(row) == row["word"]
        made = rl.find("onnxruntime.Resize", **row["node"])
        assert made.call == "onnxruntime.Resize"


def test_a_call_that_may_agree_was_run_at_every_pair():
    for row in ROWS.values():
        tried = {name: found["tried"] for name, found in row["sets"].items()}
        whole = {name: len(make()) for name, make in recorder.SETS.items()}
        assert tried == whole or row["word"] == "no"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["torch.nearest", "torch.bilinear", "torch.area"])
def test_a_part_measured_anew_is_as_recorded(name):
    row, node = rl.convention(name), rl.find("onnxruntime.Resize", **ROWS[name]["node"])
    found = recorder.compared(row, node, pairs.common())
    kept = json.loads(json.dumps(found))
    assert kept["parted"] == ROWS[name]["sets"]["common"]["parted"]
    assert kept["pairs"] == ROWS[name]["sets"]["common"]["pairs"]


@pytest.mark.live
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ROWS)
def test_everything_measured_anew_is_as_recorded(name):
    found = recorder.look(rl.convention(name))
    assert found["word"] == ROWS[name]["word"]
    for key, one in found["sets"].items():
        assert one["parted"] == ROWS[name]["sets"][key]["parted"], key
