"""What stands for a pixel outside."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from resizelab.axis.boundary import BOUNDARIES, seen

# NumPy's words are ours.
MODES = ("edge", "symmetric", "reflect", "wrap")


def fold(j, n, boundary):
    return seen(np.asarray(j), n, boundary)[0]


# --- worked ---


@pytest.mark.parametrize(
    ("boundary", "letters"),
    [
        ("edge", "aaaa abcd dddd"),
        ("symmetric", "dcba abcd dcba"),
        ("reflect", "cdcb abcd cbab"),
        ("wrap", "abcd abcd abcd"),
    ],
)
def test_four_letters_and_what_stands_outside(boundary, letters):
    j = fold(np.arange(-4, 8), 4, boundary)
    assert "".join("abcd"[k] for k in j) == letters.replace(" ", "")


def test_a_tap_outside_may_read_nothing_and_count_or_not():
    j = np.array([-1, 0, 3, 4])
    for rule, reads, counts in (
        ("edge", [True] * 4, [True] * 4),
        ("constant", [False, True, True, False], [True] * 4),
        ("exclude", [False, True, True, False], [False, True, True, False]),
    ):
        found = seen(j, 4, rule)
        assert found[1].tolist() == reads
        assert found[2].tolist() == counts


def test_taps_beyond_the_padding_do_neither():
    _, reads, counts = seen(np.array([-2, -1, 4, 5]), 4, "edge", padding=1)
    assert reads.tolist() == counts.tolist() == [False, True, True, False]


# --- laws ---


@pytest.mark.parametrize("boundary", MODES)
@given(n=st.integers(1, 9), width=st.integers(0, 40))
def test_fold_is_numpys_pad(boundary, n, width):
    padded = np.pad(np.arange(n), width, mode=boundary)
    np.testing.assert_array_equal(
        fold(np.arange(-width, n + width), n, boundary), padded
    )


@pytest.mark.parametrize("boundary", BOUNDARIES)
@given(n=st.integers(1, 9), j=st.integers(-(10**9), 10**9))
def test_fold_stays_inside_however_far(boundary, n, j):
    assert 0 <= fold(np.array([j]), n, boundary)[0] < n
