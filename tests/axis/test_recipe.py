"""From a spec and two sizes to weights: by hand, by law, and by the real engines."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from resizelab import Kernel, Spec
from resizelab.axis import Particulars, recipe
from resizelab.axis.grid import grid
from resizelab.axis.picking import nearest_index
from resizelab.axis.spec import CELL_GRIDS, CELLS, Axis

FOUR = np.array([0.0, 10.0, 20.0, 30.0])
SIZES = st.integers(1, 14)
RANDOM = np.random.default_rng(3)

CUBIC = Spec(kernel="cubic", a=-0.75)
KEYS = Spec(kernel="cubic", a=-0.5, boundary="exclude")
NEAREST = Spec(kernel="nearest", nearest_mode="round_prefer_floor")


def weights(spec, n_in, n_out, scale=None, particulars=None, roi=None):
    """Return the operator of an axis, neutral unless it is said otherwise."""
    p = particulars or Particulars()
    return recipe.weights(Axis.of_call(n_in, n_out, spec, p, scale, roi))


# --- worked: 0, 10, 20, 30 become eight numbers ---

BY_HAND = {
    "half_pixel": [0, 2.5, 7.5, 12.5, 17.5, 22.5, 27.5, 30],
    "pytorch_half_pixel": [0, 2.5, 7.5, 12.5, 17.5, 22.5, 27.5, 30],
    "half_pixel_symmetric": [0, 2.5, 7.5, 12.5, 17.5, 22.5, 27.5, 30],
    "box": [0, 2.5, 7.5, 12.5, 17.5, 22.5, 27.5, 30],
    "translate": [0, 2.5, 7.5, 12.5, 17.5, 22.5, 27.5, 30],
    "align_corners": [30 * i / 7 for i in range(8)],
    "tf_crop_and_resize": [30 * i / 7 for i in range(8)],
    "asymmetric": [0, 5, 10, 15, 20, 25, 30, 30],
    "tf_half_pixel_for_nn": [2.5, 7.5, 12.5, 17.5, 22.5, 27.5, 30, 30],
    "offset_corners": [3.75 * (i + 0.5) for i in range(8)],
    "align_corners_antialias": [
        *(0, 45 / 7 - 5, 75 / 7 - 5, 105 / 7 - 5),
        *(135 / 7 - 5, 165 / 7 - 5, 195 / 7 - 5, 225 / 7 - 5),
    ],
}


@pytest.mark.parametrize("name", BY_HAND)
def test_linear_from_4_to_8(name):
    y = weights(Spec(grid=name), 4, 8) @ FOUR
    np.testing.assert_allclose(y, BY_HAND[name], atol=1e-14)


@pytest.mark.parametrize(
    ("boundary", "first"),
    [
        ("edge", 0.0),
        ("exclude", 0.0),
        ("symmetric", 0.0),
        ("reflect", 2.5),  # a quarter of pixel 1
        ("wrap", 7.5),  # a quarter of pixel 3
        ("constant", 25.0),  # a quarter of 100
    ],
)
def test_what_the_first_output_reads_outside(boundary, first):
    fill = {"fill": 100.0} if boundary == "constant" else {}
    assert (weights(Spec(boundary=boundary, **fill), 4, 8) @ FOUR)[0] == first


def test_stretching_the_tent_averages_what_the_step_passes_over():
    # Eight to two: the tent is 4 wide on each side, cut at the ends, made to sum to 1.
    w = weights(Spec(antialias=True, boundary="exclude"), 8, 2).dense()
    tent = np.array([5, 7, 7, 5, 3, 1, 0, 0])
    np.testing.assert_allclose(w, [tent / 28, tent[::-1] / 28], atol=1e-15)


def test_area_is_the_share_of_each_pixel_under_the_output():
    w = weights(Spec(kernel="area"), 3, 2).dense()
    np.testing.assert_allclose(w, [[2 / 3, 1 / 3, 0], [0, 1 / 3, 2 / 3]])
    w = weights(Spec(kernel="adaptive_area"), 3, 2).dense()
    assert w.tolist() == [[0.5, 0.5, 0], [0, 0.5, 0.5]]


def test_positions_may_be_kept_in_few_bits():
    w = weights(CUBIC, 4, 7, particulars=Particulars(fraction_bits=1))
    whole = weights(CUBIC, 4, 7)
    assert not np.allclose(w.dense(), whole.dense(), atol=1e-3)
    fine = weights(CUBIC, 4, 7, particulars=Particulars(fraction_bits=40))
    np.testing.assert_allclose(fine.dense(), whole.dense(), atol=1e-11)


def test_normalising_before_the_edge_leaves_a_dark_rim():
    before = weights(KEYS, 4, 8, particulars=Particulars(normalise="before"))
    after = weights(KEYS, 4, 8, particulars=Particulars(normalise="after"))
    assert after.row_sums().tolist() == pytest.approx([1] * 8)
    assert before.row_sums()[0] == pytest.approx(0.796875)  # resize-right 0.0.2: .797


def test_outside_its_input_an_output_may_have_a_value_of_its_own():
    s = Spec(grid="tf_half_pixel_for_nn", extrapolation=-5.0)
    assert (weights(s, 4, 8) @ FOUR).tolist() == [
        *(2.5, 7.5, 12.5, 17.5, 22.5, 27.5, -5, -5)
    ]
    edges = Particulars(extrapolation_edges=True)
    assert (weights(s, 4, 8, particulars=edges) @ FOUR).tolist() == [
        *(2.5, 7.5, 12.5, 17.5, 22.5, 27.5, 30, -5)
    ]


def test_a_readers_kernel_is_as_good_as_a_named_one():
    tent = Kernel("tent", 1.0, lambda d: 1 - np.abs(d))
    for s in (Spec(), Spec(antialias=True), Spec(boundary="wrap")):
        for n, m in ((4, 8), (8, 3)):
            np.testing.assert_allclose(
                weights(s.replace(kernel=tent), n, m).dense(),
                weights(s, n, m).dense(),
                atol=1e-15,
            )


@pytest.mark.parametrize("size", [1e-200, 1e-20, 1.0, 1e200])
def test_only_the_shape_of_a_kernel_counts_not_its_height(size):
    tent = Kernel("tent", 1.0, lambda d: size * (1 - np.abs(d)))
    np.testing.assert_allclose(
        weights(Spec(kernel=tent), 4, 8) @ FOUR, BY_HAND["half_pixel"], atol=1e-13
    )


def test_a_one_sided_kernel_reads_one_side():
    ahead = Kernel("ahead", 1.0, lambda d: (d > 0) & (d <= 1))
    w = weights(Spec(kernel=ahead), 4, 4).dense()
    assert w.tolist() == [[0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 1]]


def test_a_kernel_narrower_than_a_pixel_can_miss_them_all():
    needle = Kernel("needle", 0.1, np.ones_like)
    assert not weights(Spec(kernel=needle), 4, 8).dense().any()
    assert weights(Spec(kernel=needle), 4, 4).is_identity


# --- laws ---

KERNELS = {
    "linear": {},
    "cubic": {"kernel": "cubic", "a": -0.75},
    "mitchell": {"kernel": "cubic", "b": 1 / 3, "c": 1 / 3},
    "box": {"kernel": "box"},
    "hamming": {"kernel": "hamming"},
    "lanczos": {"kernel": "lanczos", "lobes": 3},
    "gaussian": {"kernel": "gaussian", "sigma": 0.5, "cut": 1.5},
    "bspline": {"kernel": "bspline", "order": 3},
}
WINDOWS = {
    "nearest": {"kernel": "nearest", "nearest_mode": "half_even"},
    "area": {"kernel": "area"},
    "adaptive_area": {"kernel": "adaptive_area"},
}
CHOICES = KERNELS | WINDOWS
EVERY = pytest.mark.parametrize("kernel", CHOICES)
BOUNDARIES = st.sampled_from(["edge", "exclude", "symmetric", "reflect", "wrap"])
GRIDS = ("half_pixel", "align_corners", "asymmetric", "tf_half_pixel_for_nn")


@EVERY
@given(n=SIZES, m=SIZES, boundary=BOUNDARIES, name=st.sampled_from(GRIDS))
def test_rows_sum_to_one_and_flat_stays_flat(kernel, n, m, boundary, name):
    # A window of one pixel outside the input has nothing to be renormalised from.
    assume(kernel not in ("nearest", "box") or boundary != "exclude")
    assume(kernel not in CELLS or name in CELL_GRIDS)
    w = weights(Spec(grid=name, boundary=boundary, **CHOICES[kernel]), n, m)
    np.testing.assert_allclose(w.row_sums(), 1, atol=1e-12)
    np.testing.assert_allclose(w @ np.full(n, 7.0), 7, atol=1e-11)


@pytest.mark.parametrize("kernel", KERNELS)
@given(n=SIZES, m=SIZES, boundary=BOUNDARIES)
def test_rows_sum_to_one_when_stretched(kernel, n, m, boundary):
    w = weights(Spec(antialias=True, boundary=boundary, **CHOICES[kernel]), n, m)
    np.testing.assert_allclose(w.row_sums(), 1, atol=1e-12)


@pytest.mark.parametrize("kernel", KERNELS)
@given(n=SIZES, m=SIZES)
def test_a_dark_outside_darkens_the_rim(kernel, n, m):
    w = weights(Spec(boundary="constant", **CHOICES[kernel]), n, m)
    # The measured exception: what the taps outside would have added is gone.
    lost = weights(Spec(boundary="constant", fill=1.0, **CHOICES[kernel]), n, m)
    offset = np.zeros(m) if lost.offset is None else lost.offset
    np.testing.assert_allclose(w.row_sums() + offset, 1, atol=1e-12)


INTERPOLATING = ["linear", "cubic", "box", "hamming", "lanczos", *WINDOWS]


@pytest.mark.parametrize("kernel", INTERPOLATING)
@given(n=SIZES, boundary=BOUNDARIES)
def test_the_same_size_is_the_identity(kernel, n, boundary):
    for name in CELL_GRIDS if kernel in CELLS else GRIDS[:3]:
        w = weights(Spec(grid=name, boundary=boundary, **CHOICES[kernel]), n, n)
        np.testing.assert_allclose(w.dense(), np.eye(n), atol=1e-15)


@pytest.mark.parametrize("kernel", ["mitchell", "gaussian", "bspline"])
def test_the_same_size_blurs_with_a_kernel_that_does_not_interpolate(kernel):
    w = weights(Spec(**CHOICES[kernel]), 9, 9)
    assert 0.6 < w.dense()[4, 4] < 0.9
    copied = weights(
        Spec(**CHOICES[kernel]), 9, 9, particulars=Particulars(shortcut="axis")
    )
    assert copied.is_identity


def flipped(w):
    return w.dense()[::-1, ::-1]


FLIPPING = [k for k in CHOICES if k not in ("box", "nearest")]


@pytest.mark.parametrize("kernel", FLIPPING)
@given(
    n=SIZES,
    m=SIZES,
    boundary=BOUNDARIES,
    name=st.sampled_from(["half_pixel", "align_corners", "half_pixel_symmetric"]),
)
def test_flip_commutes_on_symmetric_grids(kernel, n, m, boundary, name):
    # One pixel stands on the first corner, and so does the first cell of an area.
    assume(name != "align_corners" or m > 1)
    assume(name == "half_pixel" or kernel not in CELLS)
    w = weights(Spec(grid=name, boundary=boundary, **CHOICES[kernel]), n, m)
    # A cut (the Gaussian's) can stand exactly on a tap, where rounding decides.
    assume(kernel != "gaussian" or not tap_at(1.5, n, m, name))
    np.testing.assert_allclose(flipped(w), w.dense(), atol=1e-11)


def tap_at(distance, n, m, name="half_pixel"):
    """Say whether a pixel lies exactly ``distance`` from some position."""
    x = grid(name, n, m).positions()[:, None] + distance
    return bool((np.abs(x - np.rint(x)) < 1e-9).any())


@pytest.mark.parametrize("kernel", list(KERNELS))
@pytest.mark.parametrize("name", ["asymmetric", "tf_half_pixel_for_nn"])
def test_flip_does_not_commute_on_asymmetric_grids(kernel, name):
    w = weights(Spec(grid=name, **CHOICES[kernel]), 6, 9)
    assert np.abs(flipped(w) - w.dense()).max() > 0.05


@pytest.mark.parametrize("kernel", ["box", "nearest"])
def test_a_tie_goes_to_one_side_so_flip_does_not_commute(kernel):
    w = weights(Spec(**CHOICES[kernel]), 4, 2)  # both outputs stand between two pixels
    assert w.index[w.weight != 0].tolist() in ([1, 3], [0, 2])
    odd = weights(Spec(**CHOICES[kernel]), 9, 3)  # no tie
    np.testing.assert_array_equal(flipped(odd), odd.dense())


@given(n=SIZES, scale=st.floats(0.2, 5))
@pytest.mark.parametrize("kernel", [k for k in CHOICES if k != "nearest"])
def test_a_scale_that_is_the_ratio_changes_nothing(kernel, n, scale):
    m = max(1, round(n * scale))
    by_size = weights(Spec(**CHOICES[kernel]), n, m)
    given_scale = Spec(step_from="scale", **CHOICES[kernel])
    by_scale = weights(given_scale, n, m, scale=m / n)
    # A box's edge and a Gaussian's cut can stand on a tap, where rounding decides.
    assume(not tap_at({"box": 0.5, "gaussian": 1.5}.get(kernel, 0.123), n, m))
    np.testing.assert_allclose(by_scale.dense(), by_size.dense(), atol=1e-9)


@pytest.mark.parametrize("boundary", ["wrap", "reflect", "symmetric", "edge"])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_a_kernel_wider_than_the_axis_folds_as_often_as_it_must(boundary, n):
    s = Spec(kernel="lanczos", lobes=7, antialias=True, boundary=boundary)
    for m in (1, 2, 5):
        w = weights(s, n, m)
        x = RANDOM.random(n)
        mode = {"edge": "edge"}.get(boundary, boundary)
        far = 40
        padded = np.pad(x, far, mode=mode)
        step = max(1.0, n / m)
        k = np.arange(-far, n + far)
        position = (np.arange(m) + 0.5) * n / m - 0.5
        d = (k - position[:, None]) / step
        tall = np.where(np.abs(d) <= 7, np.sinc(d) * np.sinc(d / 7), 0)
        expected = tall @ padded / tall.sum(1)
        np.testing.assert_allclose(w @ x, expected, atol=1e-12)


# --- nearest, in exact rational arithmetic, for all sizes to 40 ---

HALF = Fraction(1, 2)
ROUNDED = {
    "floor": lambda x: x // 1,
    "ceil": lambda x: -(-x // 1),
    "round_prefer_floor": lambda x: -(-(x - HALF) // 1),
    "round_prefer_ceil": lambda x: (x + HALF) // 1,
    "half_even": round,
    "half_away": lambda x: (x + HALF) // 1 if x >= 0 else -((-x + HALF) // 1),
}
PLACES = {
    "half_pixel": lambda i, n, m: (i + HALF) * Fraction(n, m) - HALF,
    "asymmetric": lambda i, n, m: i * Fraction(n, m),
    "tf_half_pixel_for_nn": lambda i, n, m: (i + HALF) * Fraction(n, m),
    "align_corners": lambda i, n, m: i * Fraction(n - 1, max(1, m - 1)),
}


@pytest.mark.parametrize("mode", ROUNDED)
@pytest.mark.parametrize("name", PLACES)
def test_nearest_is_exact_for_all_sizes_to_40(mode, name):
    spec = Spec(kernel="nearest", nearest_mode=mode, grid=name)
    wrong = []
    for n in range(1, 41):
        for m in range(1, 41):
            exact = [ROUNDED[mode](PLACES[name](i, n, m)) for i in range(m)]
            index = weights(spec, n, m).index[:, 0]
            if index.tolist() != [min(max(j, 0), n - 1) for j in exact]:
                wrong.append((n, m))
    assert wrong == []


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("floor", [-2, -1, 0, 1, 2]),
        ("ceil", [-1, 0, 1, 2, 3]),
        ("round_prefer_floor", [-2, -1, 0, 1, 2]),
        ("round_prefer_ceil", [-1, 0, 1, 2, 3]),
        ("half_even", [-2, 0, 0, 2, 2]),
        ("half_away", [-2, -1, 1, 2, 3]),
        ("simple", [-2, -1, 0, 1, 2]),
    ],
)
def test_six_ways_to_break_a_tie(mode, expected):
    ties = np.array([-1.5, -0.5, 0.5, 1.5, 2.5])
    assert nearest_index(ties, mode).tolist() == expected


def test_simple_takes_the_ceiling_where_the_axis_shrinks():
    # onnxruntime 1.32.0, Resize-10: five pixels to three.
    s = Spec(kernel="nearest", nearest_mode="simple", grid="asymmetric")
    assert weights(s, 5, 3).index[:, 0].tolist() == [0, 2, 4]
    assert weights(s, 3, 5).index[:, 0].tolist() == [0, 0, 1, 1, 2]


def test_a_tolerance_turns_a_near_tie_into_a_tie():
    x = np.array([0.5 + 5e-7, 0.5 - 5e-7])
    assert nearest_index(x, "round_prefer_floor").tolist() == [1, 0]
    assert nearest_index(x, "round_prefer_floor", 1e-6).tolist() == [0, 0]
    assert nearest_index(x, "round_prefer_ceil", 1e-6).tolist() == [1, 1]


# --- the engines, where they are installed; rows have `catalog/test_golden` ---

SKIMAGE = {
    "edge": [0, 2.5, 7.5, 12.5, 17.5, 22.5, 27.5, 30],
    "symmetric": [0, 2.5, 7.5, 12.5, 17.5, 22.5, 27.5, 30],
    "reflect": [2.5, 2.5, 7.5, 12.5, 17.5, 22.5, 27.5, 27.5],
    "wrap": [7.5, 2.5, 7.5, 12.5, 17.5, 22.5, 27.5, 22.5],
    "constant": [0, 2.5, 7.5, 12.5, 17.5, 22.5, 27.5, 22.5],
}


@pytest.mark.parametrize("boundary", SKIMAGE)
def test_recorded_boundaries_of_scikit_image(boundary):
    # scikit-image 0.26.0, transform.resize(order=1, anti_aliasing=False)
    y = weights(Spec(boundary=boundary), 4, 8) @ FOUR
    np.testing.assert_allclose(y, SKIMAGE[boundary], atol=1e-13)


@pytest.mark.live
@pytest.mark.parametrize("boundary", SKIMAGE)
def test_scikit_images_blur_and_boundary(boundary):
    transform = pytest.importorskip("skimage.transform", reason="needs scikit-image")
    blur = Particulars(prefilter="gaussian")
    for fill in (0.0, 2.0) if boundary == "constant" else (0.0,):
        extra = {"fill": fill} if boundary == "constant" else {}
        for n, m in ((9, 4), (9, 3), (12, 5), (4, 9), (7, 7), (9, 1)):
            x = RANDOM.random(n) + 3
            theirs = transform.resize(
                x, (m,), order=1, mode=boundary, cval=fill, clip=False
            )
            w = weights(Spec(boundary=boundary, **extra), n, m, particulars=blur)
            np.testing.assert_allclose(w @ x, theirs, atol=1e-12)


SCIPY = {
    "edge": "nearest",
    "symmetric": "reflect",
    "reflect": "mirror",
    "wrap": "grid-wrap",
}


@pytest.mark.live
@pytest.mark.parametrize("order", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("boundary", SCIPY)
def test_scipys_splines_without_prefilter(order, boundary):
    ndimage = pytest.importorskip("scipy.ndimage", reason="needs SciPy")
    kernel = {} if order == 1 else {"kernel": "bspline", "order": order}
    for n, m in ((4, 8), (9, 5), (6, 13)):
        x = RANDOM.random(n)
        positions = grid("half_pixel", n, m).positions()
        theirs = ndimage.map_coordinates(
            x, [positions], order=order, mode=SCIPY[boundary], prefilter=False
        )
        y = weights(Spec(boundary=boundary, **kernel), n, m) @ x
        np.testing.assert_allclose(y, theirs, atol=1e-13)


@pytest.mark.live
@pytest.mark.parametrize("order", [2, 3, 4, 5])
@pytest.mark.parametrize("boundary", ["reflect", "wrap"])
def test_scipys_zoom_with_its_prefilter(order, boundary):
    ndimage = pytest.importorskip("scipy.ndimage", reason="needs SciPy")
    spec = Spec(kernel="bspline", order=order, boundary=boundary)
    for n, m in ((4, 8), (9, 5), (6, 13)):
        x = RANDOM.random(n)
        theirs = ndimage.zoom(
            x, m / n, order=order, mode=SCIPY[boundary], grid_mode=True
        )
        w = weights(spec, n, m, particulars=Particulars(prefilter="bspline"))
        np.testing.assert_allclose(w @ x, theirs, atol=1e-10)
