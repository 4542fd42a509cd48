"""Sizes: how a product becomes a whole number, and which axes are meant."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from resizelab import output_size
from resizelab.arrays import sizes
from resizelab.axis.particulars import SIZE_RULES
from resizelab.checks import axis_numbers

# --- worked ---

FIVE_HALVES = {
    # 5 * 1.5 = 7.5 and 5 * 0.5 = 2.5
    "floor": (7, 2),
    "floor_float32": (7, 2),
    "floor_epsilon": (7, 2),
    "ceil": (8, 3),
    "half_even": (8, 2),
    "half_up": (8, 3),
}


@pytest.mark.parametrize("rule", SIZE_RULES)
def test_five_pixels_times_one_and_a_half(rule):
    assert (output_size(5, 1.5, rule), output_size(5, 0.5, rule)) == FIVE_HALVES[rule]


def test_the_product_in_float32_and_float64_can_differ():
    # onnxruntime 1.32.0 makes 13 of 5 * float32(2.6); onnx.reference 1.23.2 makes 12.
    scale = float(np.float32(2.6))
    assert scale < 2.6
    assert output_size(5, scale, "floor") == 12
    assert output_size(5, scale, "floor_float32") == 13
    assert output_size(5, scale, "floor_epsilon") == 13
    # openvino 2026.4: the millionth grows with the pixels, as a product of float32.
    for n, factor, size in ((75, 3.6, 270), (170, 1.3, 221), (38, 3.07894639, 117)):
        assert output_size(n, float(np.float32(factor)), "floor_epsilon") == size


def test_a_knife_edge_is_told():
    noise = output_size(10, 0.1 * 3, "ceil", explain=True)
    assert (noise.size, noise.alternatives["floor"], noise.knife_edge) == (4, 3, True)
    half = output_size(5, 1.5, "floor", explain=True)
    assert (half.size, half.product, half.rule) == (7, 7.5, "floor")
    assert half.knife_edge
    assert half.alternatives == {rule: up for rule, (up, _) in FIVE_HALVES.items()}
    clear = output_size(5, 1.45, "floor", explain=True)
    assert not clear.knife_edge


def test_one_number_serves_every_axis():
    assert sizes.per_axis("scale", 2, 3) == (2.0, 2.0, 2.0)
    assert sizes.per_axis("scale", np.array(2.0), 2) == (2.0, 2.0)
    assert sizes.per_axis("scale", [1, 2], 2) == (1.0, 2.0)
    assert sizes.per_axis("scale", None, 2) is None


def test_axes_count_from_either_end():
    assert axis_numbers(None, (2, 3), (1, 1)) == (0, 1)
    assert axis_numbers((-1, 0), (2, 3), (1, 1, 1, 1)) == (3, 0)
    assert axis_numbers(np.int64(1), 5, (1, 1, 1, 1)) == (1,)
    assert axis_numbers(-1, np.array(5), (1, 1, 1, 1)) == (3,)


@pytest.mark.parametrize(
    ("policy", "expected"),
    [("stretch", (7, 8)), ("not_larger", (7, 7)), ("not_smaller", (8, 8))],
)
def test_onnx_keeps_the_aspect_ratio_of_a_square(policy, expected):
    # onnx 1.23.2, backend tests test_resize_upsample_sizes_nearest_not_larger and
    # …_not_smaller: 2 by 2, asked to be 7 by 8.
    assert sizes.sizes((2, 2), (7, 8), None, "floor", policy) == expected


# --- laws ---


@given(n=st.integers(1, 5000), scale=st.floats(0.01, 50))
@pytest.mark.parametrize("rule", SIZE_RULES)
def test_every_rule_stays_within_one_pixel_of_the_product(rule, n, scale):
    product = Fraction(n) * Fraction(scale)
    if product < 1:
        product, scale = Fraction(1), 1 / n
    try:
        size = output_size(n, scale, rule)
    except ValueError:
        assert product < 1 + Fraction(1, 10**6)
    else:
        assert abs(size - product) <= 1 + product * Fraction(1, 2**22)


@given(n=st.integers(1, 3000), m=st.integers(1, 3000))
def test_rounding_finds_the_size_a_ratio_came_from(n, m):
    assert output_size(n, m / n, "half_even") == m
    assert output_size(n, m / n, "floor_epsilon") == m


def test_floor_can_miss_the_size_a_ratio_came_from():
    missed = [n for n in range(1, 200) if output_size(n, 29 / n, "floor") != 29]
    assert missed  # float64 n * (29 / n) falls below 29 for some n
    assert all(output_size(n, 29 / n, "floor") == 28 for n in missed)


# --- against the libraries ---


@pytest.mark.live
def test_torch_floors():
    torch = pytest.importorskip("torch", reason="needs PyTorch")
    for n in (1, 2, 3, 5, 7, 10, 33):
        for scale in (1.0, 1.1, 1.5, 1.7, 2.0, 2.6, 3.3333):
            x = torch.zeros(1, 1, n)
            y = torch.nn.functional.interpolate(x, scale_factor=scale)
            assert y.shape[-1] == output_size(n, scale, "floor"), (n, scale)


@pytest.mark.live
def test_opencv_and_scipy_round_half_to_even():
    cv2 = pytest.importorskip("cv2", reason="needs OpenCV")
    ndimage = pytest.importorskip("scipy.ndimage", reason="needs SciPy")
    for n in (2, 3, 5, 7, 10, 33):
        for scale in (0.5, 1.0, 1.1, 1.5, 2.5):
            x = np.zeros((4, n), np.float32)
            expected = output_size(n, scale, "half_even")
            assert cv2.resize(x, None, fx=scale, fy=1).shape[1] == expected
            assert ndimage.zoom(x[0], scale, order=0).shape[0] == expected
