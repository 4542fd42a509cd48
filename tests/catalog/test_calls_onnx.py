"""ONNX's Resize as `onnx.reference` computes it and as the text has it."""

import numpy as np
import pytest

import resizelab as rl
from resizelab.catalog.calls import described

REFERENCE, TEXT = "onnx.Resize", "onnx.Resize.spec"


def resized(call, values, shape, scale=None, **attributes):
    x = np.array(values, np.float32)
    return rl.resize(x, shape, described(call, **attributes), scale=scale)


# --- defaults filled in, names derived ---


def test_defaults_are_onnx_s():
    found = described(REFERENCE)
    assert found.name == "onnx.nearest"
    assert found.spec.nearest_mode == "round_prefer_floor"
    assert found.spec.grid == "half_pixel"
    cubic = described(REFERENCE, mode="cubic")
    assert (cubic.spec.a, cubic.spec.boundary) == (-0.75, "edge")
    assert cubic.scale is None


def test_a_name_says_what_is_not_at_its_default():
    found = described(
        REFERENCE,
        mode="cubic",
        coordinate_transformation_mode="align_corners",
        cubic_coeff_a=-0.5,
        exclude_outside=1,
        antialias=1,
        opset=18,
    )
    parts = "onnx.cubic.align_corners.a-0.5.exclude_outside.antialias.opset18"
    assert found.name == parts
    assert described(TEXT, mode="linear").name == "onnx.spec.linear"
    assert described(TEXT, mode="linear").status == "paper"


def test_regions_and_scales_come_in_array_order():
    crop = {"mode": "linear", "coordinate_transformation_mode": "tf_crop_and_resize"}
    straight = described(REFERENCE, **crop, axes=[2, 3], roi=[0.25, 0.5, 0.75, 1.0])
    turned = described(REFERENCE, **crop, axes=[3, 2], roi=[0.5, 0.25, 1.0, 0.75])
    assert straight.roi == turned.roi == ((0.25, 0.75), (0.5, 1.0))
    scaled = described(REFERENCE, axes=[3, 2], scales=[3.0, 2.0])
    assert scaled.scale == (2.0, 3.0)


def test_entries_for_batch_and_channels_are_passed_over():
    found = described(REFERENCE, mode="linear", scales=[1.0, 1.0, 2.0, 3.0])
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    assert rl.resize(x, None, found).shape == (4, 9)
    assert rl.resize(x[None, None], None, found).shape == (1, 1, 4, 9)


# --- what is accepted and ignored ---


def test_an_unknown_attribute_is_named_with_its_nearest():
    with pytest.raises(TypeError, match="did you mean 'antialias'"):
        described(REFERENCE, antialiasing=1)


def test_what_a_mode_does_not_read_is_noted():
    found = described(REFERENCE, mode="linear", cubic_coeff_a=-0.5, nearest_mode="ceil")
    assert found.spec == described(REFERENCE, mode="linear").spec
    assert found.notes == (
        "onnx.reference accepts and ignores nearest_mode, cubic_coeff_a"
    )


# --- numbers of onnx 1.23.2 ---


def test_the_reference_uses_the_length_before_rounding():
    corners = {"mode": "linear", "coordinate_transformation_mode": "align_corners"}
    got = resized(REFERENCE, [0, 1, 2, 3], None, 0.6, **corners)
    np.testing.assert_allclose(got, [0, 2.142857], atol=1e-6)
    text = resized(TEXT, [0, 1, 2, 3], None, 0.6, **corners)
    np.testing.assert_allclose(text, [0, 3])


def test_one_pixel_of_pytorch_half_pixel():
    one = {"mode": "cubic", "coordinate_transformation_mode": "pytorch_half_pixel"}
    assert resized(REFERENCE, [10, 20, 30, 40], (1,), **one) == [9.0625]
    assert resized(TEXT, [10, 20, 30, 40], (1,), **one) == [10]


def test_one_of_49_pixels_is_not_a_length_of_one():
    # 1 / 49 * 49 is 0.9999999999999999: the rule for one pixel is passed by.
    one = {"coordinate_transformation_mode": "pytorch_half_pixel"}
    assert resized(REFERENCE, range(49), (1,), **one) == [24]
    assert resized(REFERENCE, range(48), (1,), **one) == [0]


def test_a_fraction_lost_in_padding_costs_a_pixel():
    symmetric = {
        "mode": "linear",
        "coordinate_transformation_mode": "half_pixel_symmetric",
    }
    got = resized(REFERENCE, range(7), None, 0.5, **symmetric)
    np.testing.assert_allclose(got, [0, 3, 5], atol=1e-6)
    text = resized(TEXT, range(7), None, 0.5, **symmetric)
    np.testing.assert_allclose(text, [1, 3, 5], atol=1e-6)


def test_sizes_come_from_the_float32_scale():
    # float32(2.6) is 2.5999999, and 5 times that in float64 is below 13.
    assert resized(REFERENCE, range(5), None, 2.6, mode="linear").shape == (12,)


def test_a_region_of_equal_size_is_still_read():
    crop = {"mode": "linear", "coordinate_transformation_mode": "tf_crop_and_resize"}
    got = resized(REFERENCE, range(5), (5,), **crop, roi=[0.25, 0.75], axes=[3])
    np.testing.assert_allclose(got, [1, 1.5, 2, 2.5, 3])


def test_a_neighbour_outside_that_is_excluded_leaves_zero():
    outside = {"nearest_mode": "floor", "exclude_outside": 1}
    got = resized(REFERENCE, [10, 20], (4,), **outside)
    np.testing.assert_array_equal(got, [0, 10, 10, 20])


@pytest.mark.parametrize(
    ("policy", "shape"), [("not_larger", (4, 8)), ("not_smaller", (7, 14))]
)
def test_a_kept_aspect_ratio_bounds_the_sizes(policy, shape):
    x = np.zeros((2, 4), np.float32)
    found = described(REFERENCE, keep_aspect_ratio_policy=policy, axes=[2, 3])
    assert rl.resize(x, (7, 8), found).shape == shape


def test_integers_are_rounded_to_even_and_saturate():
    found = described(REFERENCE, mode="cubic")
    x = np.array([0, 255, 255, 0], np.uint8)
    expected = [0, 58, 197, 255, 255, 197, 58, 0]
    assert rl.resize(x, (8,), found).tolist() == expected
    # 2.5, 7.5, … are ties.
    ramp = np.array([0, 10, 20, 30], np.uint8)
    linear = described(REFERENCE, mode="linear")
    assert rl.resize(ramp, (8,), linear).tolist() == [0, 2, 8, 12, 18, 22, 28, 30]
