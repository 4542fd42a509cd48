"""Values are accepted as they are, or refused in words that help."""

import re

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

MESSAGES = [
    (
        lambda: checks.one_of("grid", "half", ("half_pixel", "asymmetric")),
        ValueError,
        "grid must be one of 'half_pixel', 'asymmetric'; got 'half'; "
        "did you mean 'half_pixel'?",
    ),
    (
        lambda: checks.one_of("grid", None, ("half_pixel",)),
        ValueError,
        "grid must be one of 'half_pixel'; got None",
    ),
    (
        lambda: checks.flag("antialias", 1),
        TypeError,
        "antialias must be True or False; got 1",
    ),
    (
        lambda: checks.size("n_in", True),
        TypeError,
        "n_in must be a whole number of pixels; got True",
    ),
    (
        lambda: checks.size("n_in", 4.0),
        TypeError,
        "n_in must be a whole number of pixels (an int); got 4.0",
    ),
    (
        lambda: checks.size("n_in", 0),
        ValueError,
        "n_in must be from 1 to 2147483647; got 0",
    ),
    (
        lambda: checks.size("n_in", 2**31),
        ValueError,
        "n_in must be from 1 to 2147483647; got 2147483648",
    ),
    (lambda: checks.number("a", "-0.5"), TypeError, "a must be a number; got '-0.5'"),
    (lambda: checks.number("a", True), TypeError, "a must be a number; got True"),
    (lambda: checks.number("a", 1j), TypeError, "a must be a number; got 1j"),
    (lambda: checks.number("a", float("nan")), ValueError, "a must be finite; got nan"),
    (
        lambda: checks.positive("scale", 0),
        ValueError,
        "scale must be greater than 0; got 0",
    ),
    (
        lambda: checks.pair("roi", (1, 2, 3)),
        ValueError,
        "roi must be two numbers; got (1, 2, 3)",
    ),
    (
        lambda: checks.pair("roi", (0, float("inf"))),
        ValueError,
        "roi must be finite; got inf",
    ),
    (
        lambda: checks.belongs("a", -0.5, "kernel='cubic'", applies=False),
        ValueError,
        "a goes with kernel='cubic' and only with it; got a=-0.5",
    ),
    (
        lambda: checks.belongs("a", None, "kernel='cubic'", applies=True),
        ValueError,
        "kernel='cubic' needs a; got a=None",
    ),
]


@pytest.mark.parametrize(
    ("call", "kind", "message"), MESSAGES, ids=[m[2][:40] for m in MESSAGES]
)
def test_the_message_says_all(call, kind, message):
    with pytest.raises(kind, match=f"^{re.escape(message)}$"):
        call()
