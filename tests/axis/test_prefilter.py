"""What stands for a pixel outside, and the matrices applied to the input first."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from resizelab.axis import prefilter
from resizelab.axis.prefilter import fold

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


def test_a_spline_of_one_bright_pixel():
    # The cubic B-spline weighs 1/6, 4/6, 1/6: its inverse rings by sqrt(3) - 2.
    c = prefilter.bspline(41, 3, "reflect")[:, 20]
    np.testing.assert_allclose(c[21] / c[20], np.sqrt(3) - 2, rtol=1e-12)
    np.testing.assert_allclose(c[20], np.sqrt(3), rtol=1e-9)


def test_a_box_averages_what_is_left():
    np.testing.assert_allclose(prefilter.box(5, 2) @ [0, 10, 20, 30, 40], [5, 25, 40])


# --- laws ---


@pytest.mark.parametrize("boundary", MODES)
@given(n=st.integers(1, 9), width=st.integers(0, 40))
def test_fold_is_numpys_pad(boundary, n, width):
    padded = np.pad(np.arange(n), width, mode=boundary)
    np.testing.assert_array_equal(
        fold(np.arange(-width, n + width), n, boundary), padded
    )


@pytest.mark.parametrize("boundary", [*MODES, "exclude", "constant"])
@given(n=st.integers(1, 9), j=st.integers(-(10**9), 10**9))
def test_fold_stays_inside_however_far(boundary, n, j):
    assert 0 <= fold(np.array([j]), n, boundary)[0] < n


@pytest.mark.parametrize("boundary", ["symmetric", "reflect", "wrap"])
@pytest.mark.parametrize("order", range(2, 6))
def test_the_spline_passes_through_the_pixels(boundary, order):
    for n in range(1, 13):
        c = prefilter.bspline(n, order, boundary)
        half = order // 2
        taps = prefilter.kernel("bspline", order=order)(np.arange(-half, half + 1.0))
        back = prefilter.convolution(taps, n, boundary) @ c
        np.testing.assert_allclose(back, np.eye(n), atol=1e-12)


@given(n=st.integers(1, 12), sigma=st.floats(0.01, 4))
@pytest.mark.parametrize("boundary", MODES)
def test_a_blur_keeps_a_flat_line_flat(boundary, n, sigma):
    np.testing.assert_allclose(prefilter.gaussian(n, sigma, boundary).sum(1), 1)


@given(n=st.integers(1, 30), factor=st.integers(1, 40))
def test_every_box_sums_to_one(n, factor):
    b = prefilter.box(n, factor)
    assert b.shape == (-(-n // factor), n)
    np.testing.assert_allclose(b.sum(1), 1)


def test_no_blur_and_no_spline_is_the_identity():
    np.testing.assert_array_equal(prefilter.gaussian(5, 0, "edge"), np.eye(5))
    np.testing.assert_array_equal(prefilter.bspline(5, 1, "reflect"), np.eye(5))


# --- against SciPy and Pillow ---


@pytest.mark.live
@pytest.mark.parametrize("boundary", SCIPY)
def test_the_gaussian_is_scipys(boundary):
    ndimage = pytest.importorskip("scipy.ndimage", reason="needs SciPy")
    for n in (1, 2, 3, 8, 20):
        for sigma in (0.3, 0.5, 1.7, 4.0):
            theirs = ndimage.gaussian_filter1d(
                np.eye(n), sigma, axis=0, mode=SCIPY[boundary]
            )
            np.testing.assert_allclose(
                prefilter.gaussian(n, sigma, boundary), theirs, atol=1e-14
            )


@pytest.mark.live
@pytest.mark.parametrize("boundary", ["reflect", "wrap"])
def test_the_spline_is_scipys(boundary):
    ndimage = pytest.importorskip("scipy.ndimage", reason="needs SciPy")
    for n in (2, 3, 8, 20):
        for order in (2, 3, 4, 5):
            theirs = ndimage.spline_filter1d(
                np.eye(n), order, axis=0, mode=SCIPY[boundary]
            )
            np.testing.assert_allclose(
                prefilter.bspline(n, order, boundary), theirs, atol=1e-10
            )


@pytest.mark.live
def test_the_box_is_pillows_reduce():
    image = pytest.importorskip("PIL.Image", reason="needs Pillow")
    x = np.arange(7, dtype=np.float32) ** 2
    for factor in (1, 2, 3, 4, 7):
        theirs = image.fromarray(np.tile(x, (2, 1))).reduce((factor, 1))
        np.testing.assert_allclose(
            prefilter.box(7, factor) @ x, np.asarray(theirs)[0], rtol=1e-6
        )
