"""OpenVINO's Resize and Upsample: what it ignores, its numbers, its knife edges."""

import numpy as np
import pytest

import resizelab as rl
from resizelab.catalog.calls import described

RESIZE, UPSAMPLE = "openvino.Resize", "openvino.Upsample"


def resized(values, shape, scale=None, call=RESIZE, dtype=np.float32, **attributes):
    x = np.array(values, dtype)
    return rl.resize(x, shape, described(call, **attributes), scale=scale)


def test_defaults():
    found = described(RESIZE)
    assert found.name == "openvino.nearest"
    assert found.particulars.tie_epsilon == 0
    assert found.particulars.size_rule == "floor_epsilon"


IGNORED = [
    ({"mode": "linear", "antialias": 1}, "antialias"),
    ({"mode": "cubic", "exclude_outside": 1}, "exclude_outside"),
    ({"keep_aspect_ratio_policy": "not_larger"}, "keep_aspect_ratio_policy"),
    ({"mode": "linear", "roi": [0.2, 0.8]}, "roi"),
    ({"nearest_mode": "ceil", "opset": 10}, "nearest_mode"),
]


@pytest.mark.parametrize(("attributes", "name"), IGNORED)
def test_what_it_ignores_is_left_out_and_noted(attributes, name):
    found = described(RESIZE, **attributes)
    plain = {k: v for k, v in attributes.items() if k != name}
    assert found.spec == described(RESIZE, **plain).spec
    assert found.particulars.aspect_ratio == "stretch"
    assert found.notes == f"OpenVINO accepts and ignores {name}"


# --- numbers of openvino 2026.4.1, float32 inference ---


def test_antialias_changes_nothing():
    got = resized([0, 0, 0, 1, 0, 0, 0, 0], (4,), mode="linear", antialias=1)
    assert got.tolist() == [0, 0.5, 0, 0]


def test_simple_is_read_as_rounding_from_opset_11_on():
    found = described(RESIZE, nearest_mode="simple")
    assert found.spec.nearest_mode == "round_prefer_floor"
    assert "round_prefer_floor" in found.notes
    assert resized(range(5), (3,), opset=10).tolist() == [0, 2, 4]


def test_upsample_of_nearest_is_half_pixel():
    assert resized([0, 1, 2], (7,), call=UPSAMPLE).tolist() == [0, 0, 1, 1, 1, 2, 2]
    # ONNX Runtime 1.32.0 takes the floor of i / scale.
    floor = rl.resize(
        np.array([0.0, 1.0, 2.0], np.float32), (7,), described("onnxruntime.Upsample")
    )
    assert floor.tolist() == [0, 0, 0, 1, 1, 2, 2]


def test_cubic_of_opset_10_is_half_pixel():
    got = resized([10, 20, 30, 40], (8,), mode="cubic", opset=10)
    np.testing.assert_allclose(got[:3], [8.9453125, 11.9140625, 16.6796875])


def test_sizes_allow_for_a_product_just_below():
    assert resized(range(5), None, 2.6, mode="linear").shape == (13,)


def test_ties_have_no_tolerance():
    ceil = {
        "nearest_mode": "round_prefer_ceil",
        "coordinate_transformation_mode": "asymmetric",
    }
    # 1 / float32(2 / 7) is 3.4999998: a tie on paper, and for ONNX Runtime.
    assert resized(range(7), (2,), **ceil).tolist() == [0, 3]
    runtime = described("onnxruntime.Resize", **ceil)
    x = np.arange(7, dtype=np.float32)
    assert rl.resize(x, (2,), runtime).tolist() == [0, 4]


def test_integers_are_rounded_to_even():
    got = resized([0, 10, 20, 30], (8,), dtype=np.uint8, mode="linear")
    assert got.tolist() == [0, 2, 8, 12, 18, 22, 28, 30]
    got = resized([0, 255, 255, 0], (8,), dtype=np.uint8, mode="cubic")
    assert got.tolist() == [0, 58, 197, 255, 255, 197, 58, 0]
