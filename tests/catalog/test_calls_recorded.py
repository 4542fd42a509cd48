"""Rows that no engine here can check: older versions, and engines known from paper.

Each number was printed by the version named beside it, or stands in the source.
"""

import numpy as np
import pytest
from bulk import for_each

import resizelab as rl

ROWS = [row for row in map(rl.convention, rl.conventions()) if row.status != "live"]
OURS = [
    row
    for row in ROWS
    if row.library
    in (
        *("mnn", "mxnet", "tensorrt", "coreml", "ascend", "paddle", "caffe", "matlab"),
        *("vips", "ffmpeg", "torch", "tensorflow", "pillow", "opencv", "tnn"),
    )
]
RAMP4 = np.arange(4.0)
TENS = np.array([10.0, 20, 30, 40])


@for_each(OURS)
def test_every_row_builds_and_says_where_it_is_from(row):
    for n, m in ((4, 8), (8, 3), (5, 1), (1, 4), (7, 7)):
        w = rl.weights(row.name, n, m)
        assert w.shape == (m, n)
        assert np.isfinite(w.weight).all()
        if row.spec.boundary != "constant":
            np.testing.assert_allclose(w.row_sums(), 1)
    assert row.source
    assert row.checked or row.status == "paper"


def test_the_engines_that_were_asked_for_are_there():
    found = {row.library for row in OURS if row.status == "paper"}
    assert found >= {"tensorrt", "coreml", "ascend", "caffe", "matlab", "tnn"}
    assert {row.library for row in OURS if row.status == "recorded"} >= {"mnn", "mxnet"}


# --- older versions ---


def test_torch_before_1_10_reads_one_pixel_elsewhere():
    # torch 1.5.0, 1.8.0, 1.9.0: arange(16) 4x4 to 1x1 gives 0 and -0.4688; 1.10.2: 7.5.
    x = np.arange(16.0).reshape(4, 4)
    assert rl.resize(x, (1, 1), "torch.bilinear.before_1_10")[0, 0] == 0
    old = rl.resize(x, (1, 1), "torch.bicubic.before_1_10")[0, 0]
    assert old == pytest.approx(-0.4688, abs=5e-5)
    assert rl.resize(x, (1, 1), "torch.bilinear")[0, 0] == 7.5
    # [10, 20, 30, 40] to 1: 9.0625 until 1.9, 25 since 1.10.
    assert rl.resize(TENS, (1,), "torch.bicubic.before_1_10")[0] == 9.0625


def test_torch_before_1_6_takes_the_step_from_the_sizes():
    # torch 1.4.0 and 1.5.0; 1.8.0 and later give the second line.
    x = np.arange(5.0)
    old = rl.resize(x, None, "torch.bilinear.scale_factor.before_1_6", scale=1.5)
    np.testing.assert_allclose(
        old, [0, 0.5714, 1.2857, 2, 2.7143, 3.4286, 4], atol=5e-5
    )
    new = rl.resize(x, None, "torch.bilinear.scale_factor", scale=1.5)
    np.testing.assert_allclose(
        new, [0, 0.5, 1.1667, 1.8333, 2.5, 3.1667, 3.8333], atol=5e-5
    )


def test_older_exporters_leave_one_pixel_to_the_operator():
    # Written as pytorch_half_pixel (1.5 to 1.11) and as half_pixel (2.13).
    assert (rl.weights("torch.onnx.export.bilinear.until_1_11", 4, 1) @ TENS)[0] == 10
    assert (rl.weights("torch.onnx.export.bilinear", 4, 1) @ TENS)[0] == 25


def test_opset_10_has_no_half_pixel():
    got = rl.weights("torch.onnx.export.bilinear.opset10.until_1_11", 4, 8) @ RAMP4
    np.testing.assert_allclose(got, [0, 0.5, 1, 1.5, 2, 2.5, 3, 3])


def test_dinov2_adds_a_tenth_of_a_patch():
    torch = pytest.importorskip("torch")
    x = np.random.default_rng(0).normal(size=(14, 14)).astype(np.float32)
    for n in (24, 16, 37, 9):
        expected = torch.nn.functional.interpolate(
            torch.from_numpy(x)[None, None], scale_factor=(n + 0.1) / 14, mode="bicubic"
        )[0, 0].numpy()
        got = rl.resize(x, (n, n), "torch.bicubic.dinov2")
        np.testing.assert_allclose(got, expected, atol=2e-5)
    np.testing.assert_array_equal(rl.resize(x, (14, 14), "torch.bicubic.dinov2"), x)


def test_pillow_before_13_does_columns_first():
    # Pillow 12.0.0 and 13.0.0, BICUBIC.
    x = np.array([[255, 0], [0, 0], [0, 255]], np.uint8)
    old = rl.resize(x, (2, 3), "pillow.bicubic.before_13")
    np.testing.assert_array_equal(old, [[166, 78, 0], [0, 78, 166]])
    new = rl.resize(x, (2, 3), "pillow.bicubic")
    np.testing.assert_array_equal(new, [[177, 83, 0], [0, 83, 177]])


@pytest.mark.parametrize(
    ("n", "expected"),
    [
        (2, [0, 0, 0, 1, 1, 1, 1]),  # OpenCV 5 and Pillow: a fourth 0
        (5, [1, 3]),
        (7, [1, 5]),
        (3, [0, 0, 1, 1, 2, 2]),
    ],
)
def test_opencv_4_counts_in_65536ths(n, expected):
    # OpenCV 4.12.0, INTER_NEAREST_EXACT, uint8.
    got = rl.weights("opencv.nearest_exact.before_5", n, len(expected)) @ np.arange(n)
    np.testing.assert_array_equal(got, expected)


@pytest.mark.slow
def test_opencv_4_differs_from_exact_fractions_at_1440_of_9216_sizes():
    # 4.12.0, sizes 1 to 96, uint8 and float32 alike.
    parted = 0
    for n in range(1, 97):
        for m in range(1, 97):
            exact = (2 * np.arange(m) + 1) * n // (2 * m)
            index = rl.weights("opencv.nearest_exact.before_5", n, m).index[:, 0]
            parted += bool((index != exact).any())
    assert parted == 1440


@pytest.mark.parametrize("name", ["tf1.bilinear", "tf1.bicubic", "tf2.nearest"])
def test_older_tensorflow_has_the_same_numbers(name):
    # 1.15.5, 2.3.1, 2.4.4, 2.6.0 against 2.21.0: no difference on 6 sizes.
    for n, m in ((4, 8), (8, 3), (5, 1)):
        old = rl.weights(f"{name}.from_1_15", n, m).dense()
        np.testing.assert_array_equal(old, rl.weights(name, n, m).dense())


# --- engines that are no dependency ---


def test_mnn_rounds_down_whatever_is_asked():
    # MNN 3.6.1, nearest_mode=ceil: [0, 0, 1, 1, 2, 2, 3, 3].
    got = rl.weights("mnn.nearest.half_pixel.ceil", 4, 8) @ RAMP4
    np.testing.assert_array_equal(got, [0, 0, 1, 1, 2, 2, 3, 3])


def test_mxnet_aligns_corners_by_default():
    # MXNet 1.9.1, row 0 of 2x2 to 4x4.
    x = np.array([1.0, 2.0])
    rows = {
        "mxnet.bilinear_resize": [1, 1.3333, 1.6667, 2],
        "mxnet.bilinear_resize.no_align_corners": [1, 1.25, 1.75, 2],
        "mxnet.up_sampling.nearest": [1, 1, 2, 2],
    }
    for name, expected in rows.items():
        np.testing.assert_allclose(rl.weights(name, 2, 4) @ x, expected, atol=5e-5)
    darkened = rl.weights("mxnet.up_sampling.bilinear", 4, 8) @ np.ones(4)
    np.testing.assert_allclose(darkened, [0.75, 1, 1, 1, 1, 1, 1, 0.75])


def test_each_core_ml_mode_reads_where_its_docstring_says():
    where = {
        "strict_align_corners": [0, 1, 2, 3],
        "default": [0, 1, 2, 3],
        "unalign_corners": [0, 1, 2, 3],
        "offset_corners": [0.375, 1.125, 1.875, 2.625],
    }
    for mode, expected in where.items():
        w = rl.weights(f"coreml.resize_bilinear.{mode}", 4, 4)
        np.testing.assert_allclose(w @ RAMP4, expected)
    assert (rl.weights("coreml.resize_bilinear.align_corners", 4, 1) @ RAMP4)[0] == 1.5


def test_tensorrts_default_is_asymmetric_floor():
    row = rl.convention("tensorrt.nearest.asymmetric.floor")
    assert row.notes.startswith("All defaults.")
    assert (rl.weights(row.name, 5, 3) @ np.arange(5.0)).tolist() == [0, 1, 3]
    assert (rl.weights("tensorrt.linear.half_pixel.upper", 4, 1) @ TENS)[0] == 10


def test_matlabs_bicubic_is_pillows_but_for_the_border():
    # The same stretched kernel; MATLAB mirrors where Pillow leaves out.
    ours = rl.weights("matlab.imresize.bicubic", 64, 16).dense()
    other = rl.weights("pillow.bicubic", 64, 16).dense()
    np.testing.assert_allclose(ours[3:-3], other[3:-3], atol=1e-12)
    assert np.abs(ours - other).max() > 1e-3


def test_a_given_scale_makes_the_size_by_each_rule():
    x = np.zeros((5, 5))
    assert rl.resize(x, None, "matlab.imresize.bicubic", scale=0.5).shape == (3, 3)
    assert rl.resize(x, None, "libvips.resize.lanczos3", scale=0.5).shape == (3, 3)
    assert rl.resize(x, None, "tensorrt.linear.half_pixel", scale=0.5).shape == (2, 2)
