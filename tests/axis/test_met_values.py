"""Values that the engines people meet brought: worked numbers, laws, refusals.

The numbers are the engines': pyvips 8.18.7, sharp 0.35.5, Jimp 1.6.1, Octave 7.3,
OpenImageIO 3.2.2, rasterio 1.4.4 and Chromium 156, x86-64, November 2026.
"""

import numpy as np
import pytest

import resizelab as rl
from resizelab.arrays import resizing
from resizelab.axis import Convention, Particulars, Spec
from resizelab.axis.kernel import PARAMETERS, kernel
from resizelab.catalog.signatures import differing, gap

TENS = np.array([0.0, 10, 20, 30])
EARLY = {"grid": "free", "phase": 0.0, "offset": 0.5}


def of(growing=(), particulars=None, **spec):
    """Return a convention of these choices."""
    return Convention(
        name="met",
        spec=Spec(**spec),
        particulars=particulars or Particulars(),
        growing=dict(growing),
    )


# --- worked ---


def test_a_free_grid_reads_where_it_is_told():
    # libvips, image-js: half an output pixel early.
    w = rl.weights(Spec(**EARLY), 4, 8)
    assert (w @ TENS).tolist() == [0, 0, 5, 10, 15, 20, 25, 30]
    # Jimp's cubic leaves one pixel out of its step: the last is never reached.
    w = rl.weights(Spec(grid="free", phase=0, offset=0, left_out=1), 5, 8)
    assert (w @ np.arange(5.0)).tolist() == [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5]


def test_an_axis_that_keeps_its_size_moves_beside_one_that_grows():
    column = np.tile(np.arange(0.0, 60, 10)[:, None], 2)
    y = rl.resize(column, (6, 4), "libvips.resize.linear")
    assert y[:, 0].tolist() == [0, 5, 15, 25, 35, 45]
    same = rl.resize(column, (6, 2), "libvips.resize.linear")
    assert same.tolist() == column.tolist()


def test_a_flat_picture_does_not_stay_flat_where_weights_are_divided_by_the_stretch():
    flat = rl.resize(np.ones(10), 7, "octave.imresize.linear")
    expected = [1.015, 0.945, 1.085, 0.91, 1.085, 0.945, 1.015]
    np.testing.assert_allclose(flat, expected, atol=5e-4)


def test_the_height_s_window_is_the_width_s():
    lit = np.zeros((8, 8))
    lit[4] = 1
    name = "openimageio.resize.catmull-rom"
    alone = rl.resize(lit, (16, 8), name)[5:13, 0]
    both = rl.resize(lit, (16, 16), name)[5:13, 0]
    np.testing.assert_allclose(alone[1:4], [-0.0687, 0.2214, 0.8473], atol=5e-4)
    np.testing.assert_allclose(both[1:4], [-0.0703, 0.2266, 0.8672], atol=5e-4)


def test_a_row_of_two_rows_is_their_mean_where_the_width_is_halved():
    rows = np.repeat(np.arange(13.0)[:, None], 16, 1)
    assert rl.resize(rows, (7, 8), "gdal.read.average")[0, 0] == 0.5
    other = rl.resize(rows[:, 1:], (7, 8), "gdal.read.average")[0, 0]
    assert other == pytest.approx(6 / 13)


def test_a_pyramid_is_read_between_two_levels():
    # 12 to 3 in Chromium's canvas: half of the picture, half of its halved copy.
    w = rl.weights("chromium.canvas.medium", 12, 3).dense()
    assert w[0, :4].tolist() == [0.125, 0.375, 0.375, 0.125]
    assert rl.weights("chromium.bitmap.medium", 12, 3).dense()[0, :4].tolist() == [
        *[0.25] * 4
    ]


def test_outputs_are_averaged_where_one_step_holds_several():
    plain, finer = (
        rl.weights(of((), Particulars(supersampled=s)), 8, 2).dense()
        for s in (False, True)
    )
    assert np.count_nonzero(plain) == 4
    np.testing.assert_allclose(finer, np.repeat(np.eye(2) / 4, 4, 1))


def test_a_line_goes_on_as_a_line_at_an_odd_border():
    spec = Spec(kernel="cubic", a=-0.5, boundary="odd_reflect")
    x = (np.arange(8) + 0.5) / 2 - 0.5
    np.testing.assert_allclose(rl.weights(spec, 4, 8) @ np.arange(4.0), x, atol=1e-12)


# --- laws ---

OWN = {
    "windowed_sinc": {"lobes": 3, "taper": "hann"},
    "gaussian_less_cut": {"sigma": 0.5, "cut": 2.0},
    "gaussian_over_pixels": {"sigma": 0.8, "cut": 3.2},
    **{name: {} for name in ("hann", "magic_sharp", "blackman_harris")},
    "cardinal_spline": {},
}


@pytest.mark.parametrize("name", OWN)
def test_a_kernel_is_even_and_nothing_beyond_its_radius(name):
    k = kernel(name, **OWN[name])
    d = np.linspace(0, k.radius, 41)
    np.testing.assert_allclose(k(d), k(-d), atol=1e-15)
    assert np.all(k(np.array([k.radius + 1e-6])) == 0)
    assert set(OWN[name]) <= set(PARAMETERS[name])


def test_a_cardinal_spline_passes_through_the_pixels():
    at = kernel("cardinal_spline")(np.arange(-9.0, 10))
    np.testing.assert_allclose(at, np.arange(-9, 10) == 0, atol=1e-12)


@pytest.mark.parametrize(
    ("when", "grown"),
    [("axis", [True, False]), ("any", [True, True]), ("all", [False, False])],
)
def test_growing_says_which_axes_it_is_about(when, grown):
    c = of({"when": when, "kernel": "box"})
    axes = resizing.plan((4, 4), (8, 3), c, built=False).axes
    assert [axis.spec.kernel == "box" for axis in axes] == grown


def test_the_area_grows_if_the_product_does():
    c = of({"when": "area", "kernel": "box"})
    for shape, grown in (((8, 3), True), ((8, 2), False)):
        axes = resizing.plan((4, 4), shape, c, built=False).axes
        assert {axis.spec.kernel == "box" for axis in axes} == {grown}


def test_a_convention_with_growing_survives_json():
    c = of({"kernel": "cubic", "a": -0.5, **EARLY, "fraction_bits": None})
    again = Convention.from_json(c.to_json())
    assert again == c
    assert again.grown()[0].offset == 0.5


def test_two_that_differ_only_in_growing_are_not_one():
    plain, grown = of(kernel="area"), of({"kernel": "linear"}, kernel="area")
    assert plain.key != grown.key
    assert gap(plain, grown).parted
    assert "growing" in differing(plain, grown)


# --- refusals ---
