"""From a spec and two sizes to weights: by hand, by law, and by the real engines."""

import re
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
SQUARES = np.array([0.0, 1.0, 4.0, 9.0, 16.0, 25.0, 36.0, 49.0])
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


# --- the engines: recorded numbers, and live where the library is installed ---

AA = {"antialias": True, "boundary": "exclude"}
F32 = Particulars(coordinate_arithmetic="float32_multiply")
NEAR = {"kernel": "nearest", "nearest_mode": "floor"}
# name: (spec, particulars, [0, 10, 20, 30] → 8, [0, 1, 4, …, 49] → 3)
RECORDED = {
    # torch 2.13.0, torch.nn.functional.interpolate on float64
    "torch.linear": (
        Spec(),
        None,
        [0, 2.5, 7.5, 12.5, 17.5, 22.5, 27.5, 30],
        [0.8333333333333333, 12.5, 38.16666666666666],
    ),
    "torch.linear.align_corners": (
        Spec(grid="align_corners"),
        None,
        [
            *(0, 4.285714285714286, 8.571428571428571, 12.857142857142856),
            *(17.142857142857142, 21.428571428571427, 25.71428571428571, 30),
        ],
        [0, 12.5, 49],
    ),
    "torch.bicubic": (
        CUBIC,
        None,
        [
            *(-1.0546875, 1.9140625, 6.6796875, 12.96875),
            *(17.03125, 23.3203125, 28.0859375, 31.0546875),
        ],
        [0.5960648148148155, 12.125, 38.820601851851826],
    ),
    "torch.bilinear.antialias": (
        Spec(**AA),
        None,
        [0, 2.5, 7.5, 12.5, 17.5, 22.5, 27.5, 30],
        [2.052631578947368, 13.452380952380953, 35.57894736842105],
    ),
    "torch.bicubic.antialias": (
        Spec(kernel="cubic", a=-0.5, **AA),
        None,
        [
            *(-0.8823529411764707, 1.6788321167883211, 7.099236641221374, 12.5),
            *(17.5, 22.900763358778626, 28.32116788321168, 30.882352941176467),
        ],
        [1.0357935216683918, 12.718559656037264, 37.485283242123955],
    ),
    "torch.nearest": (
        Spec(grid="asymmetric", **NEAR),
        F32,
        [0, 0, 10, 10, 20, 20, 30, 30],
        [0, 4, 25],
    ),
    "torch.nearest-exact": (
        Spec(kernel="nearest", nearest_mode="round_prefer_ceil"),
        Particulars(coordinate_arithmetic="float32_fma"),
        [0, 0, 10, 10, 20, 20, 30, 30],
        [1, 16, 36],
    ),
    "torch.area": (
        Spec(kernel="adaptive_area"),
        None,
        [0, 0, 10, 10, 20, 20, 30, 30],
        [1.6666666666666667, 13.5, 36.666666666666664],
    ),
    # tensorflow 2.21.0, tf.image.resize on float32
    "tensorflow.bilinear": (
        Spec(),
        None,
        [0, 2.5, 7.5, 12.5, 17.5, 22.5, 27.5, 30],
        [0.8333333730697632, 12.5, 38.16667175292969],
    ),
    "tensorflow.bilinear.antialias": (
        Spec(**AA),
        None,
        [0, 2.5, 7.5, 12.5, 17.5, 22.5, 27.5, 30],
        [2.0526318550109863, 13.452381134033203, 35.578948974609375],
    ),
    "tensorflow.bicubic": (
        KEYS,
        Particulars(coordinate_arithmetic="float32_multiply", fraction_bits=10),
        [
            *(-0.8823529481887817, 1.6788321733474731, 7.099236965179443, 12.5),
            *(17.5, 22.90076446533203, 28.321168899536133, 30.882354736328125),
        ],
        [0.6974164247512817, 12.25, 38.3299446105957],
    ),
    "tensorflow.area": (
        Spec(kernel="area"),
        None,
        [0, 0, 10, 10, 20, 20, 30, 30],
        [1.3750001192092896, 13.000001907348633, 38.125],
    ),
    "tensorflow.lanczos3": (
        Spec(kernel="lanczos", lobes=3, boundary="exclude"),
        None,
        [
            *(-0.9251435995101929, 1.4245491027832031, 6.756037712097168),
            *(12.787406921386719, 17.212589263916016, 23.243959426879883),
            *(28.575450897216797, 30.925148010253906),
        ],
        [0.7262704372406006, 12.25, 38.73478698730469],
    ),
    "tensorflow.mitchellcubic.antialias": (
        Spec(kernel="cubic", b=1 / 3, c=1 / 3, **AA),
        None,
        [
            *(-0.30892452597618103, 2.2137391567230225, 7.245510101318359),
            *(12.500000953674316, 17.500003814697266, 22.754493713378906),
            *(27.7862606048584, 30.30892562866211),
        ],
        [1.7075176239013672, 13.319674491882324, 36.12775802612305],
    ),
    # tensorflow 2.21.0, tf.compat.v1.image.resize_bilinear: its defaults
    "tensorflow.v1.bilinear": (
        Spec(grid="asymmetric"),
        None,
        [0, 5, 10, 15, 20, 25, 30, 30],
        [0, 7.333333969116211, 28.666667938232422],
    ),
    # tensorflow 2.21.0, tf.compat.v1.image.resize_area(align_corners=True)
    "tensorflow.v1.area.align_corners": (
        Spec(kernel="area", grid="align_corners"),
        None,
        [
            *(0, 0, 6.666666030883789, 9.999999046325684),
            *(13.333329200744629, 19.999998092651367, 20, 30),
        ],
        [2.7142858505249023, 23.285715103149414, 49.000003814697266],
    ),
    # tensorflow 2.21.0, tf.image.crop_and_resize, box (0.25, 0.75)
    "tensorflow.crop_and_resize": (
        Spec(grid="tf_crop_and_resize", extrapolation=0.0),
        None,
        [
            *(7.5, 9.642857551574707, 11.785715103149414, 13.928570747375488),
            *(16.071430206298828, 18.214284896850586, 20.357141494750977, 22.5),
        ],
        [3.25, 12.5, 27.75],
    ),
    # opencv-python-headless 5.0.0, cv2.resize on float64
    "opencv.linear": (
        Spec(),
        None,
        [0, 2.5, 7.5, 12.5, 17.5, 22.5, 27.5, 30],
        [0.8333333333333333, 12.5, 38.16666666666666],
    ),
    "opencv.cubic": (
        CUBIC,
        None,
        [
            *(-1.0546875, 1.9140625, 6.6796875, 12.96875),
            *(17.03125, 23.3203125, 28.0859375, 31.0546875),
        ],
        [0.5960649251937866, 12.125, 38.82060122489929],
    ),
    "opencv.lanczos4": (
        Spec(kernel="lanczos", lobes=4),
        None,
        [
            *(-0.8656845521181822, 1.8185419449582696, 7.099651964381337),
            *(12.66266128513962, 17.33733800239861, 22.900347323156893),
            *(28.18145734257996, 30.865683839656413),
        ],
        [0.6676381416618824, 12.250000013969839, 38.542937923106365],
    ),
    "opencv.area": (
        Spec(kernel="area"),
        None,
        [0, 0, 10, 10, 20, 20, 30, 30],
        [1.375, 13, 38.125],
    ),
    # Pillow 13.0.0, Image.resize in mode F (float32)
    "pillow.nearest": (
        Spec(grid="tf_half_pixel_for_nn", **NEAR),
        Particulars(coordinate_arithmetic="running_sum"),
        [0, 0, 10, 10, 20, 20, 30, 30],
        [1, 16, 36],
    ),
    "pillow.box": (
        Spec(kernel="box", **AA),
        None,
        [0, 0, 10, 10, 20, 20, 30, 30],
        [1.6666666269302368, 12.5, 36.66666793823242],
    ),
    "pillow.bilinear": (
        Spec(**AA),
        None,
        [0, 2.5, 7.5, 12.5, 17.5, 22.5, 27.5, 30],
        [2.0526316165924072, 13.452381134033203, 35.578948974609375],
    ),
    "pillow.hamming": (
        Spec(kernel="hamming", **AA),
        None,
        [
            *(0, 0.7640205025672913, 9.235979080200195, 10.764020919799805),
            *(19.235979080200195, 20.764020919799805, 29.235979080200195, 30),
        ],
        [1.442817211151123, 12.975297927856445, 37.46125030517578],
    ),
    "pillow.bicubic": (
        Spec(kernel="cubic", a=-0.5, **AA),
        None,
        [
            *(-0.8823529481887817, 1.6788321733474731, 7.099236488342285, 12.5),
            *(17.5, 22.9007625579834, 28.3211669921875, 30.882352828979492),
        ],
        [1.0357935428619385, 12.718559265136719, 37.48528289794922],
    ),
    "pillow.lanczos": (
        Spec(kernel="lanczos", lobes=3, **AA),
        None,
        [
            *(-0.9251429438591003, 1.4245487451553345, 6.756039142608643),
            *(12.787407875061035, 17.21259117126465, 23.243961334228516),
            *(28.575450897216797, 30.925142288208008),
        ],
        [0.6574599742889404, 12.25, 38.30146408081055],
    ),
}
ROI = {"tensorflow.crop_and_resize": (0.25, 0.75)}


def ours(name, n, m):
    spec, particulars, *_ = RECORDED[name]
    return weights(spec, n, m, particulars=particulars, roi=ROI.get(name))


@pytest.mark.parametrize("name", RECORDED)
def test_the_recorded_numbers_of_the_engines(name):
    up, down = RECORDED[name][2:]
    np.testing.assert_allclose(ours(name, 4, 8) @ FOUR, up, atol=1.5e-5, rtol=1e-6)
    np.testing.assert_allclose(ours(name, 8, 3) @ SQUARES, down, atol=1.5e-5, rtol=1e-6)


def torch_matrix(name, n, m):
    torch = pytest.importorskip("torch", reason="needs PyTorch")
    flags = {flag: True for flag in ("align_corners", "antialias") if flag in name}
    mode = name.split(".")[1]
    x = torch.eye(n)[:, None]  # basis vectors in the batch
    if mode.startswith("bi"):
        x, size = x[:, :, None].expand(n, 1, 2, n), (2, m)
    else:
        size = (m,)
    y = torch.nn.functional.interpolate(x, size=size, mode=mode, **flags)
    return y.reshape(n, -1, m)[:, 0].T.numpy()


def tensorflow_matrix(name, n, m):
    tf = pytest.importorskip("tensorflow", reason="needs TensorFlow")
    x = np.tile(np.eye(n, dtype=np.float32)[:, None, :, None], (1, 2, 1, 1))
    if name == "tensorflow.v1.bilinear":
        y = tf.compat.v1.image.resize_bilinear(x, (2, m))
    elif name == "tensorflow.v1.area.align_corners":
        y = tf.compat.v1.image.resize_area(x, (2, m), align_corners=True)
    elif name == "tensorflow.crop_and_resize":
        boxes = np.tile(np.float32([0, 0.25, 1, 0.75]), (n, 1))
        y = tf.image.crop_and_resize(x, boxes, np.arange(n), (2, m))
    else:
        method = name.split(".")[1]
        y = tf.image.resize(x, (2, m), method=method, antialias="antialias" in name)
    return y.numpy()[:, 0, :, 0].T


def opencv_matrix(name, n, m):
    cv2 = pytest.importorskip("cv2", reason="needs OpenCV")
    flag = getattr(cv2, f"INTER_{name.split('.')[1].upper()}")
    rows = [np.tile(row, (2, 1)) for row in np.eye(n)]
    return np.stack([cv2.resize(r, (m, 2), interpolation=flag)[0] for r in rows], 1)


def pillow_matrix(name, n, m):
    image = pytest.importorskip("PIL.Image", reason="needs Pillow")
    kind = image.Resampling[name.split(".")[1].upper()]
    rows = [image.fromarray(np.tile(np.float32(r), (2, 1))) for r in np.eye(n)]
    return np.stack([np.asarray(r.resize((m, 2), kind))[0] for r in rows], 1)


ENGINES = {
    "torch": torch_matrix,
    "tensorflow": tensorflow_matrix,
    "opencv": opencv_matrix,
    "pillow": pillow_matrix,
}
PAIRS = (
    *((1, 1), (1, 7), (7, 1), (2, 1), (1, 2), (2, 2), (5, 5), (2, 7), (7, 2)),
    *((4, 8), (8, 4), (5, 12), (12, 5), (8, 3), (3, 8), (9, 8), (8, 9), (24, 7)),
    *((7, 24), (31, 16), (16, 31), (40, 3)),
)


@pytest.mark.live
@pytest.mark.parametrize("name", RECORDED)
@pytest.mark.filterwarnings("ignore")
def test_the_engines_matrix_is_ours(name):
    theirs = ENGINES[name.split(".")[0]]
    for n, m in PAIRS:
        expected = theirs(name, n, m)
        w = ours(name, n, m)
        bound = 2e-6 * max(1, n / 16)
        np.testing.assert_allclose(w.dense(), expected, atol=bound, err_msg=f"{n, m}")


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


# --- errors ---


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (
            lambda: weights(Spec(step_from="scale"), 4, 8),
            ValueError,
            "step_from='scale' needs scale; got scale=None",
        ),
        (
            lambda: weights(Spec(), 4, 0),
            ValueError,
            "n_out must be from 1 to 2147483647; got 0",
        ),
        (
            lambda: weights(Spec(), 4, 8, scale=0.0),
            ValueError,
            "scale must be greater than 0; got 0.0",
        ),
        (
            lambda: weights(Spec(), 4, 8, roi=(0, 1)),
            ValueError,
            "roi goes with tf_crop_and_resize, box, translate, tf_half_pixel_for_nn; "
            "got grid='half_pixel'",
        ),
        (
            lambda: weights(Spec(), 4, 8, particulars=Particulars(prefilter="bspline")),
            ValueError,
            "prefilter 'bspline' needs kernel='bspline'",
        ),
        (
            lambda: weights(Spec(kernel=Kernel("mine", 1, np.log)), 4, 4),
            ValueError,
            "kernel 'mine' must be finite within its radius 1; it is not at "
            "distance -1",
        ),
    ],
)
@pytest.mark.filterwarnings("ignore:divide by zero", "ignore:invalid value")
def test_the_message_says_all(call, kind, message):
    with pytest.raises(kind, match=f"^{re.escape(message)}$"):
        call()
