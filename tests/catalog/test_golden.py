"""The table against what the engines gave when they were recorded.

No engine is needed: `tests/golden` holds the numbers and the versions.
"""

import json

import golden
import numpy as np
import pytest

import resizelab as rl
from resizelab import resizing
from resizelab.engines.conformance import allowed

RECORDED = golden.index()
LARGEST = 6_500_000  # bytes of recorded values in the repository


def last_axis(row):
    """Return the row as `engines.matrix` sees it: the last of its regions."""
    return row if row.roi is None else row.replace(roi=row.roi[-1:])


def last_scale(row):
    """Return the scale that the last axis has, or None."""
    return None if row.scale is None else row.scale[-1]


@pytest.mark.parametrize("name", RECORDED)
def test_a_row_gives_what_was_recorded(name):
    row, recorded = rl.convention(name), golden.row(name, RECORDED[name])
    assert recorded.matrices, f"nothing recorded: {recorded.refused}"
    check_operators(row, recorded)
    check_pictures(row, recorded)


def check_operators(row, recorded):
    missed = []
    for m in recorded.matrices:
        w = resizing.weights(last_axis(row), m.n_in, m.n_out, last_scale(row))
        gap = float(np.abs(w.dense() - m.w).max())
        if gap > allowed(row, max(m.n_in, m.n_out)):
            missed.append(((m.n_in, m.n_out), gap))
    share = len(missed) / len(recorded.matrices)
    assert share <= (row.missed or 0.0), missed[:5]


def check_pictures(row, recorded):
    wrong = values = 0
    for picture in recorded.pictures:
        got = rl.resize(picture.x, picture.y.shape, row)
        assert got.dtype == picture.y.dtype
        gap = np.abs(got.astype(np.float64) - picture.y.astype(np.float64))
        if got.dtype.kind == "f":
            reach = max(1.0, float(np.abs(picture.x).max()))
            size = max(*picture.x.shape, *picture.y.shape)
            wrong += int((gap > reach * max(allowed(row, size), 1e-6)).sum())
        else:
            wrong += int((gap > 0).sum())
        values += gap.size
    share = max(row.off_by_one or 0.0, row.missed or 0.0)
    # A few pictures are a small sample of a small share.
    assert wrong <= 3 * share * values + (1 if share else 0), f"{wrong} of {values}"


def test_every_file_says_what_was_run_and_when():
    for library in golden.libraries():
        header = golden.header(library)
        assert header["library"] == library
        assert header["version"]
        assert header["date"]


def test_the_recorded_values_stay_small():
    size = sum(path.stat().st_size for path in golden.FOLDER.iterdir())
    assert size <= LARGEST, f"{size} bytes"


def test_sidecars_name_no_machine_s_folders():
    for path in golden.FOLDER.glob("*.json"):
        text = json.dumps(json.loads(path.read_text("utf-8")))
        assert "/tmp/" not in text
        assert "/home/" not in text
