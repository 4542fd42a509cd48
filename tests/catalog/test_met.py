"""The engines that people meet: how many of 187 measured configurations are ours.

`tests/golden/met` holds what 28 engines were measured to do in November 2026, each call
with its arguments and its dtype: the operator of the width at up to 15 pairs of sizes.
Each names the row that reproduces it, or the fields where no call of ours does, or says
what is left.
"""

import json

import numpy as np
import pytest
from bulk import for_each
from golden import FOLDER

import resizelab as rl
from resizelab.arrays import resizing

MET = FOLDER / "met"
CONFIGURATIONS = json.loads((MET / "met.json").read_text("utf-8"))["configurations"]
REPRODUCED = [key for key, entry in CONFIGURATIONS.items() if "left" not in entry]
# The noise of a measurement: floats by impulses, integers by least squares.
NOISE = {"uint8": 6e-3, "uint16": 1.9e-4}
SHARE = 0.87


@pytest.fixture(scope="module")
def arrays():
    with np.load(MET / "met.npz") as file:
        return dict(file)


def convention(entry):
    """Return the row that an entry names, or the convention of its fields."""
    if "row" in entry:
        return rl.convention(entry["row"])
    return rl.Convention.from_fields({"name": "met", **entry["fields"]})


@for_each(REPRODUCED)
def test_a_measured_operator_is_reproduced_to_its_noise(key, arrays):
    entry = CONFIGURATIONS[key]
    row, flat = convention(entry), arrays[entry["matrices"]]
    compared = 0
    for n, m in entry["pairs"]:
        measured, flat = flat[: n * m].reshape(m, n), flat[n * m :]
        if min(n, m) == 1:  # one pixel is a rule of its own, and often refused
            continue
        gap = np.abs(resizing.weights(row, n, m).dense() - measured).max()
        assert gap <= NOISE.get(entry["dtype"], 4e-5), (n, m)
        compared += 1
    assert compared


def test_the_share_that_is_reproduced_holds():
    assert len(REPRODUCED) >= SHARE * len(CONFIGURATIONS)


def test_what_is_left_says_why():
    for key, entry in CONFIGURATIONS.items():
        assert ("left" in entry) != ("row" in entry or "fields" in entry), key
        assert entry.get("left", "said")
