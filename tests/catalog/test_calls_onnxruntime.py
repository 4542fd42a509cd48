"""ONNX Runtime's Resize and Upsample: defaults, numbers, knife edges."""

import numpy as np
import pytest

import resizelab as rl
from resizelab import engines
from resizelab.catalog.calls import described

RESIZE, UPSAMPLE = "onnxruntime.Resize", "onnxruntime.Upsample"
CROP = {"mode": "linear", "coordinate_transformation_mode": "tf_crop_and_resize"}


def resized(values, shape, scale=None, dtype=np.float32, **attributes):
    x = np.array(values, dtype)
    return rl.resize(x, shape, described(RESIZE, **attributes), scale=scale)


# --- defaults ---


def test_defaults():
    found = described(RESIZE)
    assert found.name == "onnxruntime.nearest"
    assert found.particulars.coordinate_arithmetic == "float32_divide"
    assert found.particulars.tie_epsilon == 1e-6
    assert described(UPSAMPLE).name == "onnxruntime.upsample.nearest"
    assert described(RESIZE, opset=10).spec.nearest_mode == "simple"


def test_what_a_mode_does_not_read_is_noted():
    found = described(RESIZE, mode="linear", roi=[0.2, 0.8])
    assert found.roi is None
    assert found.notes == "ONNX Runtime accepts and ignores roi"


# --- numbers of onnxruntime 1.32.0 ---


def test_antialias_repeats_the_edge_unless_told_otherwise():
    impulse = [1, 0, 0, 0, 0, 0, 0, 0]
    got = resized(impulse, (2,), mode="linear", antialias=1)
    np.testing.assert_allclose(got, [0.28125, 0], atol=1e-6)
    dropped = resized(impulse, (2,), mode="linear", antialias=1, exclude_outside=1)
    np.testing.assert_allclose(dropped, [0.1785714, 0], atol=1e-6)


def test_opset_10_takes_the_ceiling_where_it_shrinks():
    got = resized(range(5), None, 0.6, opset=10)
    assert got.tolist() == [0, 2, 4]
    floor = {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
    assert resized(range(5), None, 0.6, opset=13, **floor).tolist() == [0, 1, 3]


def test_dividing_in_float32_reads_the_pixel_before():
    # 0.5 / (1 / 7) - 0.5 is 3 on paper.
    assert resized(range(7), (1,), nearest_mode="floor").tolist() == [2]


def test_an_axis_that_keeps_its_size_is_copied_and_its_region_forgotten():
    got = resized(range(5), (5,), **CROP, roi=[0.25, 0.75], axes=[3])
    assert got.tolist() == [0, 1, 2, 3, 4]


def test_a_scale_that_changes_no_size_counts_only_if_another_axis_changes():
    rows = [[0, 1, 2, 3], [0, 1, 2, 3]]
    kept = resized(rows, None, (1, 1.1), mode="linear")
    assert kept[0].tolist() == [0, 1, 2, 3]
    moved = resized(rows, None, (2, 1.1), mode="linear")
    np.testing.assert_allclose(moved[0], [0, 0.863636, 1.772727, 2.681818], atol=1e-6)


def test_align_corners_uses_the_whole_length():
    corners = {"mode": "linear", "coordinate_transformation_mode": "align_corners"}
    assert resized([0, 1, 2, 3], None, 0.6, **corners).tolist() == [0, 3]


def test_sizes_come_from_a_float32_product():
    assert resized(range(5), None, 2.6, mode="linear").shape == (13,)


def test_outside_the_region_is_the_value_asked_for():
    crop = {**CROP, "roi": [-0.5, 1.0], "axes": [3], "extrapolation_value": 7}
    assert resized([10, 20, 30], (4,), **crop).tolist() == [7, 10, 20, 30]


# --- integers ---


def test_integers_are_cut_towards_zero():
    assert resized([0, 3], (4,), dtype=np.uint8, mode="linear").tolist() == [0, 0, 2, 3]
    minus = resized([0, -3], (4,), dtype=np.int8, mode="linear")
    assert minus.tolist() == [0, 0, -2, -3]


def test_int8_with_antialias_goes_through_the_clip_of_uint8():
    x = [-128, -64, 0, 64, 127, 64, 0, -64]
    got = resized(x, (4,), dtype=np.int8, mode="linear", antialias=1)
    assert got.tolist() == [0, 32, 80, 0]
    x = [0, 127, 127, 0, 0, 127, 127, 127, 0]
    got = resized(x, (6,), dtype=np.int8, mode="cubic", antialias=1)
    assert got.tolist() == [43, -126, 0, 84, -112, 41]


def test_integers_it_does_not_take_are_refused():
    with pytest.raises(TypeError, match=r"it has: uint8, int8, int32"):
        resized([0, 3], (4,), dtype=np.uint16, mode="linear")
    with pytest.raises(TypeError, match="it has: none"):
        resized([0, 3], (4,), dtype=np.uint8, mode="cubic")


# --- against the engine itself ---


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int32"])
@pytest.mark.parametrize("shape", [(14, 9), (6, 5, 7)])
def test_linear_integers_equal_the_engine_s_to_the_byte(dtype, shape):
    pytest.importorskip("onnxruntime")
    found = described(RESIZE, mode="linear")
    rng, info = np.random.default_rng(3), np.iinfo(dtype)
    low, high = max(info.min, -(2**20)), min(info.max, 2**20)
    for _ in range(30):
        x = rng.integers(low, high, shape, np.dtype(dtype), endpoint=True)
        asked = tuple(int(n) for n in rng.integers(1, 16, len(shape)))
        measured = engines.run(found, x, asked)
        np.testing.assert_array_equal(rl.resize(x, asked, found), measured)


@pytest.mark.parametrize("mode", ["round_prefer_floor", "round_prefer_ceil", "floor"])
@pytest.mark.parametrize("grid", ["half_pixel", "asymmetric", "half_pixel_symmetric"])
def test_nearest_is_exact_on_every_pair_of_sizes_to_16(mode, grid):
    pytest.importorskip("onnxruntime")
    found = described(RESIZE, nearest_mode=mode, coordinate_transformation_mode=grid)
    for n in range(1, 17):
        x = np.arange(n, dtype=np.float32)
        for m in range(1, 17):
            measured = engines.run(found, x, m)
            np.testing.assert_array_equal(rl.resize(x, (m,), found), measured)
