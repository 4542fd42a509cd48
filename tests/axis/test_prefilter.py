"""What is applied to the input first: by hand, by law, and by SciPy and Pillow."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from resizelab.axis import prefilter

# NumPy's words are ours.
MODES = ("edge", "symmetric", "reflect", "wrap")
# What scipy.ndimage calls the same rules.
SCIPY = {
    "edge": "nearest",
    "symmetric": "reflect",
    "reflect": "mirror",
    "wrap": "grid-wrap",
    "constant": "constant",
}

# --- worked ---


def test_a_spline_of_one_bright_pixel():
    # The cubic B-spline weighs 1/6, 4/6, 1/6: its inverse rings by sqrt(3) - 2.
    c = prefilter.bspline(41, 3, "reflect").dense()[:, 20]
    np.testing.assert_allclose(c[21] / c[20], np.sqrt(3) - 2, rtol=1e-12)
    np.testing.assert_allclose(c[20], np.sqrt(3), rtol=1e-9)


def test_a_box_averages_what_is_left():
    np.testing.assert_allclose(
        prefilter.box(5, 2) @ np.array([0.0, 10, 20, 30, 40]), [5, 25, 40]
    )


# --- laws ---


@pytest.mark.parametrize("boundary", ["symmetric", "reflect", "wrap"])
@pytest.mark.parametrize("order", range(2, 6))
def test_the_spline_passes_through_the_pixels(boundary, order):
    for n in range(1, 13):
        c = prefilter.bspline(n, order, boundary).dense()
        half = order // 2
        taps = prefilter.kernel("bspline", order=order)(np.arange(-half, half + 1.0))
        back = prefilter.convolution(taps, n, boundary) @ c
        np.testing.assert_allclose(back, np.eye(n), atol=1e-12)


@given(n=st.integers(1, 12), sigma=st.floats(0.01, 4))
@pytest.mark.parametrize("boundary", MODES)
def test_a_blur_keeps_a_flat_line_flat(boundary, n, sigma):
    np.testing.assert_allclose(prefilter.gaussian(n, sigma, boundary).row_sums(), 1)


@given(n=st.integers(1, 30), factor=st.integers(1, 40))
def test_every_box_sums_to_one(n, factor):
    b = prefilter.box(n, factor)
    assert b.shape == (-(-n // factor), n)
    np.testing.assert_allclose(b.row_sums(), 1)


def test_no_blur_and_no_spline_is_the_identity():
    assert prefilter.gaussian(5, 0, "edge").is_identity
    assert prefilter.bspline(5, 1, "reflect").is_identity


# --- against SciPy and Pillow ---


@pytest.mark.live
@pytest.mark.parametrize("boundary", SCIPY)
def test_filters_are_scipys(boundary):
    ndimage = pytest.importorskip("scipy.ndimage", reason="needs SciPy")
    cases = [
        (prefilter.gaussian, ndimage.gaussian_filter1d, (0.3, 0.5, 1.7, 4.0), 1e-14)
    ]
    if boundary in ("reflect", "wrap"):
        cases += [(prefilter.bspline, ndimage.spline_filter1d, (2, 3, 4, 5), 1e-10)]
    for ours, theirs, amounts, most in cases:
        for n, amount in product((1, 2, 3, 8, 20), amounts):
            if n > 1 or ours is prefilter.gaussian:  # one pixel has no spline there
                real = theirs(np.eye(n), amount, axis=0, mode=SCIPY[boundary])
                made = ours(n, amount, boundary).dense()
                np.testing.assert_allclose(made, real, atol=most)


@pytest.mark.live
def test_the_box_is_pillows_reduce():
    image = pytest.importorskip("PIL.Image", reason="needs Pillow")
    x = np.arange(7, dtype=np.float32) ** 2
    for factor in (1, 2, 3, 4, 7):
        theirs = image.fromarray(np.tile(x, (2, 1))).reduce((factor, 1))
        np.testing.assert_allclose(
            prefilter.box(7, factor) @ x, np.asarray(theirs)[0], rtol=1e-6
        )
