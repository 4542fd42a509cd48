"""Weights as functions of distance: the numbers, the laws, and who breaks them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from resizelab.axis.kernel import Kernel, kernel

NAMED = {
    "linear": kernel("linear"),
    "keys": kernel("cubic", a=-0.5),
    "torch": kernel("cubic", a=-0.75),
    "mitchell": kernel("cubic", b=1 / 3, c=1 / 3),
    "box": kernel("box"),
    "hamming": kernel("hamming"),
    "lanczos3": kernel("lanczos", lobes=3),
    "gaussian": kernel("gaussian", sigma=0.5, cut=1.5),
    "bspline2": kernel("bspline", order=2),
    "bspline3": kernel("bspline", order=3),
    "bspline5": kernel("bspline", order=5),
}
EVERY = pytest.mark.parametrize("name", NAMED)

# --- worked ---

QUARTERS = np.array([0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0])
BY_HAND = {
    "linear": [1, 3 / 4, 1 / 2, 1 / 4, 0, 0, 0, 0, 0],
    # (a + 2) t^3 - (a + 3) t^2 + 1 up to 1, a t^3 - 5 a t^2 + 8 a t - 4 a up to 2
    "keys": [1, 111 / 128, 9 / 16, 29 / 128, 0, -9 / 128, -1 / 16, -3 / 128, 0],
    "torch": [1, 225 / 256, 19 / 32, 67 / 256, 0, -27 / 256, -3 / 32, -9 / 256, 0],
    "bspline3": [
        2 / 3,
        235 / 384,
        23 / 48,
        121 / 384,
        1 / 6,
        9 / 128,
        1 / 48,
        1 / 384,
        0,
    ],
}


@pytest.mark.parametrize("name", BY_HAND)
def test_weights_at_quarters(name):
    np.testing.assert_allclose(NAMED[name](QUARTERS), BY_HAND[name], atol=1e-15)


def test_mitchell_does_not_interpolate():
    np.testing.assert_allclose(
        NAMED["mitchell"](np.array([0.0, 1.0, 2.0])), [8 / 9, 1 / 18, 0], atol=1e-15
    )


def test_lanczos_at_a_half():
    # sinc(1/2) sinc(1/6) = (2 / pi) (3 / pi)
    assert NAMED["lanczos3"](np.array(0.5)) == pytest.approx(6 / np.pi**2)


def test_keys_is_the_b_0_member_of_mitchell_and_netravali():
    d = np.linspace(-2.5, 2.5, 101)
    np.testing.assert_allclose(
        kernel("cubic", b=0.0, c=0.6)(d), kernel("cubic", a=-0.6)(d), atol=1e-15
    )


def test_a_cubic_is_linear_in_a():
    d = np.linspace(-2, 2, 81)
    half = (kernel("cubic", a=-0.5)(d) + kernel("cubic", a=-1.0)(d)) / 2
    np.testing.assert_allclose(half, NAMED["torch"](d), atol=1e-15)


def test_the_box_takes_one_of_its_two_edges():
    assert NAMED["box"](np.array([-0.5, 0.0, 0.5])).tolist() == [0, 1, 1]


def test_the_gaussian_has_nothing_at_its_cut():
    d = np.array([1.4999, 1.5])
    assert (NAMED["gaussian"](d) > 0).tolist() == [True, False]


# --- laws ---

DISTANCE = st.floats(-8, 8)
PHASE = st.floats(0, 1, exclude_max=True)


@EVERY
@given(d=DISTANCE)
def test_nothing_beyond_the_radius(name, d):
    k = NAMED[name]
    assert abs(d) <= k.radius or k(np.array(d)) == 0


@pytest.mark.parametrize("name", [n for n in NAMED if n != "box"])
@given(d=DISTANCE)
def test_left_is_as_right(name, d):
    assert NAMED[name](np.array(d)) == NAMED[name](np.array(-d))


def sum_at(k, phase):
    """Return the sum of the weights of all pixels around one position."""
    return float(k(np.arange(-9, 10) + phase).sum())


NEED_HELP = {"lanczos3": 0.0057, "hamming": 0.3125, "gaussian": 0.27}
SUMS_TO_ONE = [name for name in NAMED if name not in NEED_HELP]


@pytest.mark.parametrize("name", SUMS_TO_ONE)
@given(phase=PHASE)
def test_weights_sum_to_one_without_help(name, phase):
    assert sum_at(NAMED[name], phase) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize(("name", "worst"), NEED_HELP.items())
def test_the_others_need_normalising(name, worst):
    off = [abs(sum_at(NAMED[name], p) - 1) for p in np.linspace(0, 1, 101)]
    assert max(off) == pytest.approx(worst, rel=0.05)


@pytest.mark.parametrize("name", ["linear", "keys", "torch", "hamming", "lanczos3"])
def test_interpolating_kernels_are_one_at_zero_and_zero_at_the_others(name):
    np.testing.assert_allclose(
        NAMED[name](np.arange(-3.0, 4)), [0, 0, 0, 1, 0, 0, 0], atol=1e-15
    )


@pytest.mark.parametrize(
    ("name", "degree"),
    [("linear", 1), ("keys", 2), ("torch", 0), ("mitchell", 1), ("lanczos3", -1)],
)
def test_how_high_a_polynomial_passes_unchanged(name, degree):
    # Keys 1981: a = -1/2 alone reproduces parabolas. Torch's -3/4 bends even a ramp.
    j = np.arange(-6.0, 7)
    for power in range(degree + 2):
        gaps = [
            abs(float(NAMED[name](j - p) @ j**power) - p**power)
            for p in np.linspace(0, 1, 21)
        ]
        assert (max(gaps) < 1e-12) == (power <= degree), (power, max(gaps))


# --- against a library ---


@pytest.mark.live
@pytest.mark.parametrize("order", range(1, 10))
def test_bsplines_are_scipys(order):
    interpolate = pytest.importorskip("scipy.interpolate", reason="needs SciPy")
    knots = np.arange(order + 2) - (order + 1) / 2
    spline = interpolate.BSpline.basis_element(knots, extrapolate=False)
    d = np.linspace(knots[0] + 1e-9, knots[-1] - 1e-9, 201)
    np.testing.assert_allclose(kernel("bspline", order=order)(d), spline(d), atol=2e-13)


# --- errors ---


def test_a_readers_function_may_be_infinite_where_it_is_not_asked():
    k = Kernel("mine", 1.0, lambda d: np.where(np.abs(d) > 1, np.inf, 1 - np.abs(d)))
    assert k(np.array([0.5, 2.0])).tolist() == [0.5, 0.0]


def test_a_readers_function_may_work_in_place_and_be_a_constant():
    def careless(d):
        d *= 0
        return d + 1

    d = np.array([0.25, 0.5])
    assert Kernel("mine", 1.0, careless)(d).tolist() == [1, 1]
    assert d.tolist() == [0.25, 0.5]
    assert Kernel("mine", 1.0, lambda d: 2)(d).tolist() == [2, 2]


@pytest.mark.parametrize(("lobes", "b"), [(2, 1.0), (3, 1 / 3)])
def test_the_response_passes_a_flat_row_and_is_the_fourier_integral(lobes, b):
    frequency = np.linspace(0, 1.5, 31)
    tent = kernel("linear").response(frequency)
    np.testing.assert_allclose(tent, np.sinc(frequency) ** 2, atol=1e-5)
    mitchell = kernel("cubic", b=b, c=(1 - b) / 2).response(frequency)
    assert mitchell[0] == pytest.approx(1, abs=1e-6)
    assert abs(kernel("lanczos", lobes=lobes).response(frequency)[0] - 1) < 0.02


def test_the_response_of_a_cubic_is_linear_in_a():
    frequency = np.array([0.1, 0.25, 0.5, 1.2])
    base, one, mixed = (kernel("cubic", a=a).response(frequency) for a in (0, -1, -0.6))
    np.testing.assert_allclose(mixed, base + 0.6 * (one - base), atol=1e-12)
