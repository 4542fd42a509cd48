"""Plain words: every field and every name in a closed set of positions has some."""

from dataclasses import fields

import pytest

import resizelab as rl
from resizelab.axis import Arithmetic, Particulars
from resizelab.axis.boundary import BOUNDARIES
from resizelab.axis.choices import SHORTCUTS
from resizelab.axis.positions import POSITION_ARITHMETICS
from resizelab.catalog import phrases


@pytest.mark.parametrize("group", [rl.Spec, Particulars, Arithmetic])
def test_every_field_has_words(group):
    assert {f.name for f in fields(group)} <= set(phrases.table()["said"])


def test_no_words_are_left_of_a_field_that_went():
    known = {f.name for g in (rl.Spec, Particulars, Arithmetic) for f in fields(g)}
    assert set(phrases.table()["said"]) == known


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("coordinate_arithmetic", POSITION_ARITHMETICS),
        ("boundary", BOUNDARIES),
        ("shortcut", SHORTCUTS),
    ],
)
def test_values_that_are_code_have_words(name, values):
    for given in values:
        told = phrases.value(name, given)
        assert "_" not in told
        assert told != given


def test_a_difference_is_a_sentence():
    assert phrases.parted("window", "closed", "half_open") == (
        "pixels exactly at the kernel's end: both are read here, "
        "the first is left out there"
    )


def test_what_rows_share_is_what_most_have():
    names = ("torch.bilinear", "opencv.linear", "onnx.linear.exclude_outside")
    some = [rl.convention(name) for name in names]
    assert phrases.common(some) == "half_pixel · linear · no antialias · edge"
    assert phrases.page(some) == "grids"
    assert phrases.page([rl.convention("pillow.bicubic")]) == "shrinking"
