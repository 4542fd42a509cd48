"""TensorFlow's and Keras' calls: what arguments mean, and what the engines gave.

Every number was printed by tensorflow 2.21.0, and keras 3.15.1 on that backend.
"""

import importlib.util

import numpy as np
import pytest
from bulk import written

import resizelab as rl
from resizelab import engines
from resizelab.catalog.calls import described
from resizelab.geometry import place

RESIZE = "tensorflow.image.resize"
CROP = "tensorflow.image.crop_and_resize"
V1 = "tensorflow.compat.v1.image"
UP = "keras.layers.UpSampling2D"
RESIZING = "keras.layers.Resizing"
METHODS = ("bilinear", "nearest", "bicubic", "area", "lanczos3")
TF_HERE = pytest.mark.skipif(
    importlib.util.find_spec("tensorflow") is None, reason="needs tensorflow"
)


def of(call, row, n_out, dtype="float32", **arguments):
    """Return our answer for one row of pixels."""
    x = np.array([row], dtype)
    return rl.resize(x, (1, n_out), rl.find(call, **arguments))[0]


# worked: call -> row = the engine's answer

BY_ENGINE = """
tensorflow.compat.v1.image.resize_bilinear() -> 0 1 2 3 = 0 0.5 1 1.5 2 2.5 3 3
tensorflow.compat.v1.image.resize_bilinear(half_pixel_centers=True)
  -> 0 1 2 3 = 0 0.25 0.75 1.25 1.75 2.25 2.75 3
tensorflow.compat.v1.image.resize_bilinear(align_corners=True)
  -> 0 1 2 3 = 0 0.42857 0.85714 1.28571 1.71429 2.14286 2.57143 3
# half_pixel_centers changes a (-3/4 to -1/2) and the border too.
tensorflow.compat.v1.image.resize_bicubic()
  -> 0 0 1 0 0 = 0 -0.09375 0 0.59375 1 0.59375 0 -0.09375 0 0
tensorflow.compat.v1.image.resize_bicubic(half_pixel_centers=True)
  -> 0 0 1 0 0 = 0 -0.0219 -0.0687 0.22656 0.86719 0.86719 0.22656 -0.0687 -0.0219 0
tensorflow.image.resize(method='bicubic')
  -> 1 0 0 0 = 1.08824 0.81022 0.22137 -0.07031 -0.02344 0 0 0
# Equal sizes, and yet a blur.
tensorflow.image.resize(method='gaussian') -> 0 0 1 0 0 = 0 0.10651 0.78699 0.10651 0
tensorflow.image.resize(method='mitchellcubic')
  -> 0 0 1 0 0 = 0 0.05556 0.88889 0.05556 0
# 6 → 13: a tap lies exactly where the Gaussian is cut.
tensorflow.image.resize(method='gaussian')
  -> 0 1 0 0 0 0 = 0.04407 0.22605 0.63519 0.76922 0.41768 0.09109 0.00907 0 0 0 0 0 0
tensorflow.image.resize(method='area') -> 0 1 2 = 0.33333 1.66667
tensorflow.image.resize(method='area') -> 0 1 2 = 0 0.33333 1 1.66667 2
tensorflow.image.resize(method='area') -> 0 1 2 3 4 = 0.4 2 3.6
tensorflow.compat.v1.image.resize_area(align_corners=True) -> 0 1 2 3 4 = 0.5 2.5 4
# One pixel out: the middle, or the first where corners are aligned.
tensorflow.image.resize() -> 10 20 30 40 = 25
tensorflow.compat.v1.image.resize_bilinear(align_corners=True) -> 10 20 30 40 = 10
tensorflow.image.crop_and_resize() -> 10 20 30 40 = 25
# A tie: floor, and half away from zero where corners are aligned.
tensorflow.compat.v1.image.resize_nearest_neighbor() -> 0 1 = 0 0 1
tensorflow.compat.v1.image.resize_nearest_neighbor(align_corners=True) -> 0 1 = 0 1 1
tensorflow.image.crop_and_resize(boxes=[0, 0.25, 1, 0.75]) -> 0 1 2 3 4 = 1 1.5 2 2.5 3
tensorflow.image.crop_and_resize(boxes=[[0, 1, 1, 0]]) -> 0 1 2 3 4 = 4 3 2 1 0
tensorflow.image.crop_and_resize(boxes=[0, -0.25, 1, 1.25], extrapolation_value=9.0)
  -> 0 1 2 3 4 = 9 0.5 2 3.5 9
"""
WORKED = [
    (call, given, *([float(v) for v in side.split()] for side in rest.split(" = ")))
    for call, given, rest in written(BY_ENGINE)
]
NAMED = [f"{w[0].rsplit('.', 1)[1]}-{k}" for k, w in enumerate(WORKED)]


@pytest.mark.parametrize(("call", "arguments", "row", "expected"), WORKED, ids=NAMED)
def test_worked_numbers(call, arguments, row, expected):
    got = of(call, row, len(expected), **arguments)
    assert got.dtype == np.float32
    np.testing.assert_allclose(got, expected, atol=6e-6)


@TF_HERE
@pytest.mark.parametrize(("call", "arguments", "row", "expected"), WORKED, ids=NAMED)
def test_worked_numbers_are_the_engine_s(call, arguments, row, expected):
    found = rl.find(call, **arguments)
    measured = engines.run(found, np.array([row], np.float32), (1, len(expected)))
    np.testing.assert_allclose(measured[0], expected, atol=6e-6)


def test_a_crop_of_the_whole_image_can_lose_its_last_pixel():
    # 21 steps of float32(3 / 21) end beyond pixel 3, which is outside.
    got = of(CROP, [0, 1, 2, 3], 22, extrapolation_value=-5.0)
    assert got[-1] == -5
    np.testing.assert_allclose(got[:-1], np.arange(21) / 7, atol=1e-6)
    assert of(CROP, [0, 1, 2, 3], 21, extrapolation_value=-5.0)[-1] == 3


def test_a_tie_that_float32_misses_stays_missed():
    # y = 0.1 + 6 * 0.6 / 9 is 0.49999997 in float32: roundf gives 0, not 1.
    box = [0.1, 0.0, 0.7, 1.0]
    found = rl.find(CROP, method="nearest", boxes=box)
    got = rl.resize(np.array([[1.0], [3.0]], np.float32), (10, 1), found)
    assert got.ravel().tolist() == [1] * 7 + [3] * 3


# dtypes


@pytest.mark.parametrize("dtype", ["uint8", "int32", "float16", "float64"])
def test_all_but_nearest_answer_in_float32(dtype):
    smooth = of(RESIZE, [0, 10, 20], 4, dtype)
    assert smooth.dtype == np.float32
    assert smooth.tolist() == [0, 6.25, 13.75, 20]
    nearest = of(RESIZE, [0, 10, 20], 4, dtype, method="nearest")
    assert nearest.dtype == dtype
    assert nearest.tolist() == [0, 10, 10, 20]


def test_keras_rounds_integers_half_to_even():
    # 98.75 becomes 99; 3.125 becomes 3.
    whole = of(RESIZING, [0, 5, 255], 4, "uint8")
    assert (whole.dtype, whole.tolist()) == (np.uint8, [0, 3, 99, 255])
    real = of(RESIZING, [0, 5, 255], 4, "float64")
    assert (real.dtype, real.tolist()) == (np.float32, [0, 3.125, 98.75, 255])


def test_keras_clips_what_the_cubic_throws_out():
    cubic = of(UP, [0, 5, 255], 6, "uint8", interpolation="bicubic", size=(1, 2))
    assert cubic.tolist() == [0, 0, 0, 61, 208, 255]
    repeated = of(UP, [0, 5, 255], 6, "uint8", size=[1, 2])
    assert repeated.tolist() == [0, 0, 5, 5, 255, 255]


# arguments


def test_defaults_are_filled_in():
    assert rl.find(RESIZE).name == "tf2.bilinear"
    assert rl.find(f"{V1}.resize_bilinear").spec.grid == "asymmetric"
    assert rl.find(RESIZING).name == "keras.resizing.bilinear"
    assert rl.find(UP).name == "keras.upsampling.nearest"
    assert rl.find(UP).scale == (2.0, 2.0)
    assert rl.find(CROP).roi is None
    assert rl.find(CROP).spec.extrapolation == 0.0


def test_what_is_ignored_is_noted():
    for method in ("nearest", "area"):
        found = rl.find(RESIZE, method=method, antialias=True)
        assert found.name == f"tf2.{method}"
        said = f"antialias=True is accepted and ignored: {method} has none."
        notes = filter(None, [rl.convention(found.name).notes, said])
        assert found.notes == "; ".join(notes)
    assert "ignored" in rl.find(RESIZING, interpolation="area", antialias=True).notes
    assert "ignored" not in rl.find(RESIZE, antialias=True).notes


def test_keras_is_tensorflow_underneath():
    for method in ("bilinear", "bicubic", "area", "lanczos5"):
        for antialias in (False, True):
            ours = described(RESIZING, interpolation=method, antialias=antialias)
            tf = described(RESIZE, method=method, antialias=antialias)
            assert (ours.spec, ours.particulars) == (tf.spec, tf.particulars)


@TF_HERE
@pytest.mark.parametrize("frame", ["crop_to_aspect_ratio", "pad_to_aspect_ratio"])
def test_keras_keeps_the_aspect_of_what_it_resizes(frame):
    rng, off = np.random.default_rng(3), {"float32": [], "uint8": []}
    keras = engines.keras.LIBRARY.load("keras")
    for n in range(48):
        *before, h, w = rng.integers(1, 40, 4).tolist()
        given = {"interpolation": METHODS[n % 5], frame: True, "fill_value": 7}
        for dtype, levels in off.items():
            x = (255 * rng.random((*before, 2))).astype(dtype)
            real = keras.layers.Resizing(h, w, dtype=dtype, **given)(x)
            ours = rl.resize(x, (h, w, 2), rl.find(RESIZING, h, w, **given))
            levels.append(np.abs(ours.astype(float) - np.asarray(real)).ravel())
    assert max(map(np.max, off["float32"])) <= 2e-4
    bytes_off = np.concatenate(off["uint8"])  # sums near one half, as without a frame
    assert bytes_off.max() <= 1
    assert bytes_off.mean() <= 0.001


def test_points_of_a_frame_are_those_of_the_picture():
    x, (h, w) = np.mgrid[:20.0, :30.0], (40, 40)
    for frame in ("crop_to_aspect_ratio", "pad_to_aspect_ratio"):
        found = rl.find(RESIZING, h, w, **{frame: True})
        placed = place(found, (20, 30), (h, w))
        read = rl.resize(x.transpose(1, 2, 0).copy(), (h, w, 2), found)[20, 21]
        assert placed.inverse().points([20.0, 21.0]) == pytest.approx(read)


def test_upsampling_carries_its_factors_rows_first():
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    assert rl.resize(x, None, rl.find(UP, size=(3, 2))).shape == (6, 6)
    assert rl.find(UP, size=2).scale == (2.0, 2.0)
    assert rl.find(UP, interpolation="BILINEAR").name == "keras.upsampling.bilinear"


@pytest.mark.parametrize(
    ("before", "asked", "after"),
    [
        ((4, 6), (8, 8), (5, 8)),  # 5.333
        ((10, 4), (5, 5), (5, 2)),
        ((4, 10), (9, 5), (2, 5)),
        ((3, 10), (9, 5), (2, 5)),  # 1.5 goes to the even 2
        ((5, 10), (9, 5), (2, 5)),  # 2.5 too
    ],
)
def test_preserve_aspect_ratio_takes_sizes_as_bounds(before, asked, after):
    found = rl.find(RESIZE, preserve_aspect_ratio=True)
    assert found.name == "tf2.bilinear.preserve_aspect_ratio"
    assert rl.resize(np.zeros(before, np.float32), asked, found).shape == after


def test_preserve_aspect_ratio_may_leave_nothing():
    found = rl.find(RESIZE, preserve_aspect_ratio=True)
    with pytest.raises(ValueError, match="leaves no pixel of an axis of"):
        rl.resize(np.zeros((1, 40), np.float32), (8, 1), found)


# live: pictures that no file holds


@TF_HERE
def test_random_boxes_equal_tensorflow_s():
    rng = np.random.default_rng(8)
    for method in ("bilinear", "nearest"):
        for digits in (1, 2, 3) * 8:
            box = rng.uniform(-0.3, 1.3, 4).round(digits).tolist()
            found = rl.find(CROP, boxes=box, method=method, extrapolation_value=-1.0)
            h, w, *shape = rng.integers(1, 40, 4).tolist()
            x = rng.random((h, w)).astype(np.float32)
            measured = engines.run(found, x, shape)
            np.testing.assert_allclose(
                rl.resize(x, shape, found), measured, rtol=0, atol=1e-5
            )
