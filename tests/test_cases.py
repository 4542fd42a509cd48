"""Real mismatch reports: what the engine gave, through `find` and `resize` alone."""

import json
from pathlib import Path

import numpy as np
import pytest

import resizelab as rl

CASES = json.loads((Path(__file__).parent / "golden" / "cases.json").read_text("utf-8"))


def reproduce(case):
    """Return our array for a case's find, input, out_size and scale."""
    ask = case["find"]
    convention = rl.find(ask["call"], **ask["arguments"])
    x = np.array(case["input"], case["input_dtype"])
    return rl.resize(x, case["out_size"], convention, scale=ask["scale"])


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case_is_reproduced(case):
    expected = np.array(case["expected"], case["expected_dtype"])
    got = reproduce(case)
    assert got.dtype == expected.dtype
    assert got.shape == expected.shape
    gap = np.abs(got.astype(float) - expected.astype(float)).max()
    assert gap <= case["tolerance"], f"{case['engine']} {case['engine_version']}"
