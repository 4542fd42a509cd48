"""SciPy's zoom as calls: defaults, worked numbers, ties, integers.

Expected values come from SciPy 1.17.1; where it is installed it is asked again.
"""

import warnings

import numpy as np
import pytest

import resizelab as rl

ZOOM = "scipy.ndimage.zoom"
ONES = np.ones(8)


def zoomed(x, n, **arguments):
    return rl.resize(x, (n,), rl.find(ZOOM, **arguments))


def test_defaults_are_filled_in():
    c = rl.find(ZOOM)
    assert c.name == "scipy.zoom.cubic"
    assert (c.spec.kernel, c.spec.order, c.spec.grid) == ("bspline", 3, "align_corners")
    assert c.spec.extrapolation == 0.0
    assert c.particulars.prefilter == ("bspline",)
    assert c.particulars.size_rule == "half_even"


def test_a_factor_fixes_the_size_and_not_the_step():
    c = rl.find(ZOOM, zoom=1.5, order=1, mode="nearest")
    assert (c.scale, c.spec.step_from) == ((1.5,), "sizes")
    # 5 * 1.5 is a tie, and goes to the even 8; measured on 1.17.1.
    got = rl.resize(np.arange(5.0), None, c)
    np.testing.assert_allclose(got, np.linspace(0, 4, 8), atol=1e-15)


def test_what_scipy_ignores_is_noted():
    assert "cval has no effect" in rl.find(ZOOM, mode="nearest", cval=1.0).notes
    assert "grid-constant" in rl.find(ZOOM, grid_mode=True).notes


def test_the_default_loses_the_last_pixel():
    # 25 * (7 / 25) is a little more than 7 in float64: outside, hence 0.
    np.testing.assert_allclose(zoomed(ONES, 26, order=1)[-3:], [1, 1, 0])
    np.testing.assert_allclose(zoomed(ONES, 26)[-3:], [1, 1, 0], atol=1e-14)


def test_it_is_lost_in_112_of_3969_sizes():
    c = rl.find(ZOOM, order=1)
    sizes = [(n, m) for n in range(2, 65) for m in range(2, 65)]
    lost = [rl.weights(c, n, m).row_sums()[-1] == 0 for n, m in sizes]
    assert sum(lost) == 112


def test_wrap_joins_the_two_ends():
    # The last position, an ulp too far, is the first pixel.
    x = np.arange(1.0, 9.0)
    assert zoomed(x, 26, order=1, mode="wrap")[-1] == pytest.approx(1.0)
    got = zoomed(np.arange(1.0, 5.0), 8, order=1, mode="wrap", grid_mode=True)
    expected = [3.75, 1.25, 1.75, 2.25, 2.75, 3.25, 3.75, 1.25]
    np.testing.assert_allclose(got, expected, atol=1e-15)


def test_the_border_with_grid_mode_is_black():
    got = zoomed(np.ones(4), 8, order=1, grid_mode=True)
    np.testing.assert_array_equal(got, [0, 1, 1, 1, 1, 1, 1, 0])


def test_the_start_of_reflect_goes_wrong_on_short_axes():
    got = zoomed(np.array([0.0, 1.0]), 3, order=5, mode="reflect")
    np.testing.assert_allclose(got, [0.0112, 0.5056, 1.0], atol=5e-5)


def test_a_cubic_spline_sees_far():
    got = zoomed(np.eye(9)[4], 18, order=3, mode="mirror", grid_mode=True)[:9]
    expected = [
        -0.0025,
        -0.0025,
        -0.0075,
        0.0176,
        0.0326,
        -0.0678,
        -0.123,
        0.269,
        0.881,
    ]
    np.testing.assert_allclose(got, expected, atol=5e-4)


def test_one_pixel_reads_the_first():
    x = np.arange(4.0) + 10
    assert zoomed(x, 1, order=1)[0] == 10
    assert zoomed(x, 1, order=1, grid_mode=True)[0] == 11.5


def test_a_tie_goes_to_the_later_pixel():
    # 5 pixels to 9: positions 0, 0.5, 1, …
    np.testing.assert_array_equal(
        zoomed(np.arange(5), 9, order=0), [0, 1, 1, 2, 2, 3, 3, 4, 4]
    )


def test_integers_are_rounded_once_away_from_zero():
    x = np.array([[0, 1], [1, 2]], np.int16)
    got = rl.resize(-x, (3, 3), rl.find(ZOOM, order=1))
    np.testing.assert_array_equal(got, [[0, -1, -1], [-1, -1, -2], [-1, -2, -2]])
    wide = rl.resize(x, (3, 3), rl.find(ZOOM, order=1, output="float64"))
    assert wide.dtype == np.float64
    assert wide[0, 1] == 0.5


SHAPES = [((7,), (11,)), ((5, 8), (9, 3)), ((3, 4, 5), (4, 7, 5)), ((1, 6), (4, 1))]


@pytest.mark.parametrize(
    "mode", ["constant", "nearest", "reflect", "grid-wrap", "wrap"]
)
@pytest.mark.parametrize("order", range(6))
@pytest.mark.parametrize("grid_mode", [False, True])
def test_scipy_itself_agrees(mode, order, grid_mode):
    ndimage = pytest.importorskip("scipy.ndimage")
    arguments = {"order": order, "mode": mode, "grid_mode": grid_mode, "cval": 0.5}
    rng = np.random.default_rng(order)
    for before, after in SHAPES:
        for dtype, tolerance in (("float64", 1e-9), ("float32", 3e-6)):
            x = rng.normal(size=before).astype(dtype)
            factors = [m / n for n, m in zip(before, after, strict=True)]
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of modes that go ill with grid_mode
                expected = ndimage.zoom(x, factors, **arguments)
            got = rl.resize(x, after, rl.find(ZOOM, **arguments))
            assert got.dtype == expected.dtype
            np.testing.assert_allclose(got, expected, atol=tolerance)
