"""What integers add: bits of weights, roundings, the order of passes, the ends."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import resizelab as rl
from resizelab import Convention, Spec
from resizelab.arrays import integers
from resizelab.axis import Arithmetic

HALVES = np.array([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5])
TYPES = ("uint8", "int8", "uint16", "int16", "int32", "int64", "uint64")


def using(arithmetic, spec=None):
    """Return a convention that does ``arithmetic`` with every integer type."""
    spec = spec or Spec()
    return Convention(name="test", spec=spec, arithmetic={"integers": arithmetic})


# --- worked ---


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("half_up", [-2, -1, 0, 1, 2, 3]),
        ("half_even", [-2, -2, 0, 0, 2, 2]),
        ("half_away", [-3, -2, -1, 1, 2, 3]),
        ("truncate", [-2, -1, 0, 0, 1, 2]),
    ],
)
def test_four_ways_to_round_a_half(rule, expected):
    values = np.array(HALVES)
    integers.round_in_place(values, rule)
    assert values.tolist() == expected


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        # onnxruntime 1.32.0 truncates; OpenCV 5.0.0, Pillow 13.0.0, torch 2.13.0 do not
        ("truncate", [0, 0, 2, 3]),
        ("half_even", [0, 1, 2, 3]),
    ],
)
def test_0_and_3_become_four_pixels(rule, expected):
    x = np.array([0, 3], np.uint8)
    y = rl.resize(x, 4, using(Arithmetic(sum_rounding=rule)))
    assert y.tolist() == expected
    assert y.dtype == np.uint8


def test_rounding_between_the_passes_makes_their_order_matter():
    # Pillow 13.0.0 BICUBIC, 3 rows of 2 pixels to 2 rows of 3: height first; torch
    # 2.13.0 (and Pillow up to 12): width first.
    x = np.array([[255, 0], [0, 0], [0, 255]], np.uint8)
    keys = Spec(kernel="cubic", a=-0.5, antialias=True, boundary="exclude")
    fixed = Arithmetic(
        weight_bits=22,
        weight_rounding="half_away",
        between_passes="round",
        sum_rounding="half_up",
    )
    answers = {
        "height_first": [[177, 83, 0], [0, 83, 177]],
        "width_first": [[166, 78, 0], [0, 78, 166]],
    }
    for order, expected in answers.items():
        y = rl.resize(x, (2, 3), using(fixed.replace(pass_order=order), keys))
        assert y.tolist() == expected


def test_most_bits_that_fit_sixteen():
    assert integers.fitting_bits(np.array([0.25, 0.75])) == 15
    assert integers.fitting_bits(np.array([1.0])) == 14
    assert integers.fitting_bits(np.array([0.001])) == integers.MOST_BITS


def test_taps_that_read_one_pixel_are_rounded_as_one():
    edge = rl.weights(Spec(kernel="cubic", a=-0.75), 2, 4)
    bits = Arithmetic(weight_bits=4, weight_rounding="half_even")
    whole, held = integers.quantised(edge, bits)
    assert held == 4
    np.testing.assert_array_equal(whole.dense(), np.rint(edge.dense() * 16))


@pytest.mark.parametrize("dtype", TYPES)
def test_results_out_of_range_stop_at_the_ends(dtype):
    info = np.iinfo(dtype)
    ends = integers.clipped(np.array([-1e30, 1e30]), np.dtype(dtype))
    assert ends[0] == info.min
    # No float64 is the last int64 or uint64: the one below it stands for it.
    assert abs(int(ends[1]) - info.max) <= (2048 if info.bits == 64 else 0)
    assert ends[1] > 0


# --- laws ---


@pytest.mark.parametrize("dtype", TYPES)
@given(n=st.integers(1, 12), m=st.integers(1, 12), level=st.integers(0, 127))
def test_flat_stays_flat_and_the_type_is_kept(dtype, n, m, level):
    y = rl.resize(np.full(n, level, dtype), m, using(Arithmetic()))
    assert y.dtype == dtype
    assert set(y.tolist()) == {level}


@given(n=st.integers(1, 12), m=st.integers(1, 12))
@pytest.mark.parametrize("bits", [8, 11, 22, "fit_int16"])
def test_more_bits_come_nearer_and_all_stay_within_their_step(bits, n, m):
    x = np.random.default_rng(n * 13 + m).integers(0, 256, n).astype(np.uint8)
    fixed = Arithmetic(weight_bits=bits, weight_rounding="half_even")
    exact = rl.resize(x.astype(np.float64), m)
    gap = np.abs(rl.resize(x, m, using(fixed)) - exact).max()
    held = 14 if bits == "fit_int16" else bits
    assert gap <= 0.5 + 2 * 255 * 2.0 ** -(held + 1) + 1e-9


def test_an_output_of_another_type():
    x = np.array([0, 255], np.uint8)
    y = rl.resize(x, 4, using(Arithmetic(output_dtype="float32")))
    assert (y.dtype, y.tolist()) == (np.float32, [0, 63.75, 191.25, 255])
    unit = Arithmetic(output_dtype="float64", unit_range=True)
    np.testing.assert_allclose(rl.resize(x, 4, using(unit)), [0, 0.25, 0.75, 1])


# --- errors ---


def test_a_type_without_an_arithmetic_names_those_that_have_one():
    c = Convention(name="bytes", arithmetic={"uint8": Arithmetic()})
    message = (
        "x has dtype int16: how integers are rounded is a choice of its own, and "
        "'bytes' has no Arithmetic for it (it has: uint8). Convert x to float32 first, "
        "or use a convention with an Arithmetic for int16"
    )
    with pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
        rl.resize(np.zeros(4, np.int16), 8, c)
