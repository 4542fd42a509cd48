"""Edges of the engines that a fuzzer found, one of a kind, beside the live engine."""

import numpy as np
import pytest

import resizelab as rl
from resizelab import engines

PIL, ZOOM = "PIL.Image.Image.resize", "scipy.ndimage.zoom"
TORCH, CV2 = "torch.nn.functional.interpolate", "cv2.resize"
BOX = {"box": [8, 0, 24, 32], "reducing_gap": 1.5}
CUBIC = {"interpolation": "INTER_CUBIC"}
AA = {"mode": "bicubic", "antialias": True, "scale_factor": 1.4}
ORT = {"mode": "linear", "antialias": 1}
CUT = {"box": [3.2, 1.5, 11.7, 9.1], "reducing_gap": 1.0}
FILL = {"order": 1, "mode": "constant", "cval": 7.0, "grid_mode": True}
PLAIN = {"order": 0, "prefilter": False, "output": "uint8"}  # no copy: it clips
CROPS = ORT | {"coordinate_transformation_mode": "tf_crop_and_resize"}
CROPS |= {"roi": [-0.05, 0.64, 0.3, 0.85], "extrapolation_value": 10.0}
WARP = {"M": [[0.6, 0, 2.3], [0, 1.7, -1.1]]}

# Call, arguments, dtype, sizes before and after; integers are equal.
EDGES = (
    (PIL, BOX, "uint8", (32, 48), (2, 4)),
    (PIL, BOX, "float32", (32, 48), (2, 40)),
    (PIL, CUT, "uint8", (12, 16), (30, 2)),
    (PIL, CUT, "int32", (12, 16), (30, 2)),
    (PIL, {"reducing_gap": 1.0}, "uint8", (6, 19), (1, 73)),
    (CV2, CUBIC, "float32", (20, 567), (20, 397)),
    (TORCH, AA, "float32", (2, 2), None),
    (TORCH, AA | {"scale_factor": [1.03, 0.21]}, "float64", (20, 30), None),
    (ZOOM, {"order": 1, "output": "uint8"}, "float64", (9,), (9,)),
    (ZOOM, {"order": 1, "output": "int8"}, "float64", (9,), (18,)),
    (ZOOM, {"order": 3, "mode": "reflect", "zoom": 1.1}, "float64", (4, 3), None),
    (ZOOM, FILL, "int32", (54, 1), (3, 15)),
    ("onnxruntime.Resize", ORT, "int8", (5, 1), (5, 3)),
    (ZOOM, PLAIN, "int64", (14, 2), (14, 2)),
    ("onnxruntime.Resize", CROPS, "uint8", (44, 8), (88, 4)),
    (PIL, {"resample": "BOX", "reducing_gap": 1.1}, "int32", (65, 70), (15, 5)),
    ("cv2.warpAffine", WARP, "float64", (21, 30), (40, 19)),
    ("tflite.ResizeNearestNeighbor", {}, "uint8", (1, 551), (1, 592)),
)


@pytest.mark.filterwarnings("ignore:It is recommended to use mode")
@pytest.mark.parametrize(("call", "arguments", "dtype", "before", "after"), EDGES)
def test_an_edge_is_reproduced(call, arguments, dtype, before, after):
    row = rl.find(call, **arguments)
    if not engines.version(row.library):
        pytest.skip(f"{row.library} is not installed")
    x = np.random.default_rng(7).uniform(-300, 300, before)
    x = x.astype(dtype) if dtype != "uint8" else np.abs(x % 256).astype(dtype)
    theirs = engines.run(row, x, after)
    ours = rl.resize(x, after, row)
    assert ours.dtype == theirs.dtype
    far = 0 if dtype[0] != "f" else 2e-5 * 300
    np.testing.assert_allclose(ours.astype(float), theirs.astype(float), atol=far)


@pytest.mark.parametrize(
    ("call", "arguments", "dtype", "words"),
    [
        (PIL, {"box": [0, 0, 30, 8]}, "float32", "roi must lie inside the 9 pixels"),
        (PIL, {"reducing_gap": 1.5}, "uint16", "Pillow reduces no 16-bit image"),
        (
            ZOOM,
            FILL | {"mode": "grid-constant", "order": 2, "cval": -2.5},
            "uint8",
            "no Ar",
        ),
    ],
)
def test_an_edge_is_refused(call, arguments, dtype, words):
    with pytest.raises((TypeError, ValueError), match=words):
        rl.resize(np.ones((8, 9), dtype), (2, 2), rl.find(call, **arguments))


def test_negative_axes_with_a_policy_are_refused():
    with pytest.raises(ValueError, match="passes over negative axes"):
        rl.find(
            "onnxruntime.Resize", keep_aspect_ratio_policy="not_larger", axes=[2, -1]
        )


# Whose NaN reaches rows that its own row alone should feed: weights of zero are read.
SPREADS = {
    "torch.bilinear": False,
    "torch.bicubic": True,
    "tf2.bilinear": False,
    "tf2.bicubic": True,
    "tf2.bilinear.antialias": True,
    "opencv.linear": True,
    "opencv.nearest": False,
    "pillow.bicubic": False,
    "onnxruntime.linear": True,
    "onnxruntime.linear.antialias": False,
    "openvino.cubic": True,
    "scipy.zoom.linear": True,
    "skimage.linear": True,
    "jax.linear": False,
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", SPREADS)
def test_who_spreads_a_nan_by_weights_of_zero(name):
    row = rl.convention(name)
    if not engines.version(row.library):
        pytest.skip(f"{row.library} is not installed")
    x = np.arange(36, dtype=np.float32).reshape(6, 6)
    x[3, 3] = np.nan
    theirs, ours = engines.run(row, x, (6, 12)), rl.resize(x, (6, 12), row)
    hurt = np.flatnonzero(np.isnan(theirs).any(1))
    assert (len(hurt) > 1) == SPREADS[name]
    assert np.flatnonzero(np.isnan(ours).any(1)).tolist() == [3]
    assert not (np.isnan(ours) & ~np.isnan(theirs)).any()
