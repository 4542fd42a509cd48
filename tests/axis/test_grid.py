"""Where output pixels read, in exact arithmetic and in the engines' own."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from resizelab.axis.grid import GRIDS, ROI_GRIDS, grid
from resizelab.axis.positions import CORNERS
from resizelab.axis.positions import POSITION_ARITHMETICS as ARITHMETICS

SIZES = st.integers(1, 60)
SYMMETRIC = ("half_pixel", "align_corners", "half_pixel_symmetric", "box")

# --- worked: four pixels become eight ---

FOUR_TO_EIGHT = {
    "half_pixel": [-0.25, 0.25, 0.75, 1.25, 1.75, 2.25, 2.75, 3.25],
    "pytorch_half_pixel": [-0.25, 0.25, 0.75, 1.25, 1.75, 2.25, 2.75, 3.25],
    "align_corners": [0, 3 / 7, 6 / 7, 9 / 7, 12 / 7, 15 / 7, 18 / 7, 3],
    "asymmetric": [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5],
    "tf_half_pixel_for_nn": [0.25, 0.75, 1.25, 1.75, 2.25, 2.75, 3.25, 3.75],
    "half_pixel_symmetric": [-0.25, 0.25, 0.75, 1.25, 1.75, 2.25, 2.75, 3.25],
    "tf_crop_and_resize": [0, 3 / 7, 6 / 7, 9 / 7, 12 / 7, 15 / 7, 18 / 7, 3],
    "box": [-0.25, 0.25, 0.75, 1.25, 1.75, 2.25, 2.75, 3.25],
    "translate": [-0.25, 0.25, 0.75, 1.25, 1.75, 2.25, 2.75, 3.25],
    "align_corners_antialias": [
        *(1.5 / 7 - 0.5, 4.5 / 7 - 0.5, 7.5 / 7 - 0.5, 10.5 / 7 - 0.5),
        *(13.5 / 7 - 0.5, 16.5 / 7 - 0.5, 19.5 / 7 - 0.5, 22.5 / 7 - 0.5),
    ],
    "offset_corners": [
        *(0.1875, 0.5625, 0.9375, 1.3125, 1.6875, 2.0625, 2.4375, 2.8125)
    ],
    "free": [-0.25, 0.25, 0.75, 1.25, 1.75, 2.25, 2.75, 3.25],  # until it is told
}


@pytest.mark.parametrize("name", GRIDS)
def test_from_4_to_8(name):
    np.testing.assert_allclose(
        grid(name, 4, 8).positions(), FOUR_TO_EIGHT[name], atol=1e-15
    )


SIXTEEN_TO_FOUR = {
    "half_pixel": [1.5, 5.5, 9.5, 13.5],
    "align_corners": [0, 5, 10, 15],
    "asymmetric": [0, 4, 8, 12],  # the bug of TensorFlow 1: up and left
    "tf_half_pixel_for_nn": [2, 6, 10, 14],
}


@pytest.mark.parametrize("name", SIXTEEN_TO_FOUR)
def test_from_16_to_4(name):
    assert grid(name, 16, 4).positions().tolist() == SIXTEEN_TO_FOUR[name]


ONE_PIXEL = {
    "half_pixel": 1.5,  # the middle of 0 … 3
    "pytorch_half_pixel": 0.0,  # ONNX's text
    "align_corners": 0.0,
    "asymmetric": 0.0,
    "tf_half_pixel_for_nn": 2.0,
    "half_pixel_symmetric": 1.5,
    "tf_crop_and_resize": 1.5,
    "box": 1.5,
    "translate": 1.5,
    "align_corners_antialias": -0.5,
    "offset_corners": 1.5,
    "free": 1.5,
}


@pytest.mark.parametrize("name", GRIDS)
def test_from_4_to_1(name):
    assert grid(name, 4, 1).positions().tolist() == [ONE_PIXEL[name]]


@pytest.mark.parametrize(
    ("rule", "place"), [("first", 0.0), ("centre", 1.5), ("before_first", -0.5)]
)
def test_a_library_may_have_its_own_rule_for_one_pixel(rule, place):
    one = grid("align_corners", 4, 1, single_pixel=rule)
    assert one.positions().tolist() == [place]
    many = grid("align_corners", 4, 8, single_pixel=rule)
    assert many == grid("align_corners", 4, 8)


@pytest.mark.parametrize(
    ("name", "roi", "first", "last"),
    [
        ("tf_crop_and_resize", (0.25, 0.75), 0.75, 2.25),
        ("tf_crop_and_resize", (0.75, 0.25), 2.25, 0.75),  # a mirrored crop
        ("box", (1, 3), 0.625, 2.375),
        ("translate", (2, 0), -1.25, 2.25),
    ],
)
def test_a_region_moves_both_ends(name, roi, first, last):
    x = grid(name, 4, 8, roi=roi).positions()
    np.testing.assert_allclose(x[[0, -1]], [first, last])


def test_a_given_scale_is_the_step_whatever_the_sizes_are():
    x = grid("asymmetric", 5, 7, scale=1.5).positions()
    np.testing.assert_allclose(np.diff(x), 1 / 1.5)


def test_half_pixel_symmetric_centres_what_the_sizes_do_not_fill():
    g = grid("half_pixel_symmetric", 5, 7, scale=1.5)
    assert g.positions().mean() == pytest.approx(2.0)
    g = grid("half_pixel", 5, 7, scale=1.5)
    assert g.positions().mean() != pytest.approx(2.0)


# --- laws ---


def exactly(name, n, m):
    """Return the positions as fractions, from the definition of the mode."""
    half = Fraction(1, 2)
    step = Fraction(n, m)
    return [
        {
            "half_pixel": (i + half) * step - half,
            "asymmetric": i * step,
            "tf_half_pixel_for_nn": (i + half) * step,
            "align_corners": i * Fraction(n - 1, max(1, m - 1)),
        }[name]
        for i in range(m)
    ]


@pytest.mark.parametrize("name", SIXTEEN_TO_FOUR)
def test_positions_are_exact_to_one_rounding_for_all_sizes_to_40(name):
    for n in range(1, 41):
        for m in range(1, 41):
            x = grid(name, n, m).positions()
            exact = exactly(name, n, m)
            gap = max(abs(Fraction(a) - b) for a, b in zip(x, exact, strict=True))
            assert gap <= Fraction(n, 2**53)
            # A whole number is met exactly: floor() does not fall below it.
            assert [int(np.floor(a)) for a in x] == [b // 1 for b in exact]


@given(n=SIZES, m=SIZES)
@pytest.mark.parametrize("name", SYMMETRIC)
def test_symmetric_grids_read_the_same_from_both_ends(name, n, m):
    assume(name != "align_corners" or m > 1)  # one pixel stands on the first corner
    x = grid(name, n, m).positions()
    np.testing.assert_allclose(x[::-1], n - 1 - x, atol=1e-12)


@pytest.mark.parametrize(
    ("name", "late"), [("asymmetric", 0.25), ("tf_half_pixel_for_nn", 0.5)]
)
def test_asymmetric_grids_do_not(name, late):
    x = grid(name, 4, 8).positions()
    # Seen from either end, every output reads a quarter or half a pixel too far right.
    np.testing.assert_allclose((x + x[::-1] - 3) / 2, late)


@given(n=SIZES, m=SIZES)
@pytest.mark.parametrize("name", [g for g in GRIDS if g not in ROI_GRIDS])
def test_positions_rise_by_one_step(name, n, m):
    g = grid(name, n, m)
    np.testing.assert_allclose(np.diff(g.positions()), g.step, atol=1e-12)


@given(n=SIZES, m=SIZES)
@pytest.mark.parametrize("arithmetic", ARITHMETICS)
def test_arithmetics_differ_in_rounding_only(arithmetic, n, m):
    own = ARITHMETICS[arithmetic]
    for name in own.grids or ("half_pixel", "asymmetric", *CORNERS):
        exact = grid(name, n, m).positions()
        x = grid(name, n, m, coordinate_arithmetic=arithmetic).positions()
        bound = 1e-14 * m * n
        if own.number is np.float32:
            bound = 6e-7 * n
        elif arithmetic == "fixed_10_then_5":
            bound = 1 / 32
        elif arithmetic.startswith("fixed"):
            bound = (m + 1) / 2 / 1024  # the step is off by up to half of 1/1024
        np.testing.assert_allclose(x, exact, atol=bound)


FLOAT32 = ("multiply", "divide", "scale", "multiply_divide", "fma")


@pytest.mark.parametrize("word", FLOAT32)
def test_float32_arithmetics_end_in_float32(word):
    x = grid("half_pixel", 7, 23, coordinate_arithmetic=f"float32_{word}").positions()
    np.testing.assert_array_equal(x, x.astype(np.float32))


# --- the engines' arithmetic, where one rounding changes the pixel ---


def test_torch_multiplies_in_float32_and_misses_a_pixel():
    # torch 2.13.0, nearest, 2 → 82: output 41 is pixel 0; exact arithmetic says 1.
    assert np.floor(grid("asymmetric", 2, 82).positions()[41]) == 1
    torch = grid("asymmetric", 2, 82, coordinate_arithmetic="float32_multiply")
    assert np.floor(torch.positions()[41]) == 0


def test_onnxruntime_divides_in_float32_and_misses_a_pixel():
    # onnxruntime 1.32.0, half_pixel with floor, 7 → 1: pixel 2; exact is 3.
    assert np.floor(grid("half_pixel", 7, 1).positions()[0]) == 3
    ort = grid("half_pixel", 7, 1, coordinate_arithmetic="float32_divide")
    assert np.floor(ort.positions()[0]) == 2


def test_pillow_adds_steps_and_misses_a_pixel():
    # Pillow 13.0.0 NEAREST and OpenCV 5.0.0 INTER_NEAREST_EXACT, [0, 1] → 7.
    x = grid(
        "tf_half_pixel_for_nn", 2, 7, coordinate_arithmetic="running_sum"
    ).positions()
    assert np.floor(x).tolist() == [0, 0, 0, 0, 1, 1, 1]
    x = grid("tf_half_pixel_for_nn", 2, 7).positions()
    assert np.floor(x).tolist() == [0, 0, 0, 1, 1, 1, 1]


def test_torch_fuses_multiply_and_add_in_one_axis():
    # torch 2.13.0, nearest-exact, 2 → 41, output 20: 1-D reads 1, channels_last 0.
    fused = grid("half_pixel", 2, 41, coordinate_arithmetic="float32_fma").positions()
    assert np.floor(np.float32(fused[20]) + np.float32(0.5)) == 1
    product = grid(
        "tf_half_pixel_for_nn", 2, 41, coordinate_arithmetic="float32_multiply"
    )
    assert np.floor(product.positions()[20]) == 0
