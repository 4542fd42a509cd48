"""Values are accepted as they are, or refused in words that help."""

import numpy as np
import pytest

from resizelab import checks

# --- worked ---


def test_sizes_of_any_integer_type_become_ints():
    assert [checks.size("n", v) for v in (4, np.int8(4), np.uint64(4))] == [4, 4, 4]
    assert type(checks.size("n", np.int8(4))) is int


def test_numbers_of_any_real_type_become_floats():
    assert checks.number("a", np.float32(-0.75)) == -0.75
    assert checks.number("a", -1) == -1.0


def test_flags_of_python_and_numpy_are_flags():
    assert checks.flag("antialias", np.True_) is True
    assert checks.flag("antialias", False) is False


def test_a_pair_comes_back_as_two_floats():
    assert checks.pair("roi", [0, 1]) == (0.0, 1.0)
    assert checks.pair("roi", np.array([0.25, 0.75])) == (0.25, 0.75)


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("half_pixle", "; did you mean 'half_pixel'?"),
        ("align_corner", "; did you mean 'align_corners'?"),
        ("zzz", ""),
        (7, ""),
    ],
)
def test_the_nearest_match_is_named_only_where_one_is_near(value, found):
    assert checks.nearest_match(value, ["half_pixel", "align_corners"]) == found


# --- errors ---
