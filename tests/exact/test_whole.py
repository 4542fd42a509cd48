"""Byte kernels as graphs: not one byte off, in two back ends, judged by the library."""

import numpy as np
import pytest

import resizelab as rl
from resizelab import engines, exact
from resizelab.exact import proof, whole

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

KERNELS = [
    *("pillow.bilinear", "pillow.bicubic", "pillow.lanczos", "pillow.box"),
    *("pillow.hamming", "pillow.nearest", "torch.bilinear", "torch.bicubic"),
    *("torch.bilinear.antialias", "torch.bicubic.antialias", "torch.nearest"),
    *("opencv.linear", "opencv.nearest", "opencv.linear_exact", "opencv.lanczos4"),
]
# Enlarged, reduced, one axis kept, halved, and a hundredfold: up to 600 taps.
SIZES = [
    ((60, 40), (97, 113)),
    ((71, 138), (33, 52)),
    ((40, 90), (40, 7)),
    ((50, 60), (25, 30)),
    ((600, 300), (6, 5)),
]


@pytest.mark.parametrize("name", KERNELS)
def test_no_byte_is_off(name):
    row = rl.convention(name)
    if not engines.version(row.library):
        pytest.skip(f"{row.library} is not installed")
    rng = np.random.default_rng(0)
    for before, after in SIZES:
        # Black and white drives sums to their ends; the other half is noise.
        x = rng.integers(0, 256, (*before, 2), dtype=np.uint8)
        x[..., 1] = np.where(x[..., 1] < 128, 0, 255)
        planes = [np.ascontiguousarray(x[..., k]) for k in range(2)]
        expected = np.stack([engines.run(row, p, after) for p in planes], -1)
        model = exact.byte_model(name, before, after, channels=2)
        for back_end in ("onnxruntime", "openvino"):
            if engines.version(back_end):
                (got,) = proof.run(back_end, model, {"x": x}).outputs
                assert np.array_equal(got, expected), (before, after, back_end)


def test_sums_of_floats_are_refused_with_the_reason():
    with pytest.raises(ValueError, match="last bits depend on their order"):
        exact.byte_model("opencv.cubic", (40, 40), (20, 20))


@pytest.mark.parametrize(
    ("name", "most"), [("opencv.area", 1e-3), ("opencv.cubic", 3e-3)]
)
def test_sums_of_floats_are_nearly_right_where_that_is_asked_for(name, most):
    pytest.importorskip("cv2")
    row, off, count = rl.convention(name), 0, 0
    for before, after in SIZES:
        x = np.random.default_rng(0).integers(0, 256, before, dtype=np.uint8)
        model = exact.byte_model(name, before, after, None, nearly=True)
        (got,) = proof.run("onnxruntime", model, {"x": x}).outputs
        gap = np.abs(got.astype(int) - engines.run(row, x, after))
        assert gap.max() <= 1
        off, count = off + np.count_nonzero(gap), count + gap.size
    assert off / count < most


def test_whole_weights_are_the_kernels_own():
    (made,) = exact.whole_weights("torch.bilinear", 5, 9)
    plain = rl.weights("torch.bilinear", 5, 9)
    assert made.operator.weight.max() < 2**15
    assert np.array_equal(made.operator.weight, np.rint(made.operator.weight))
    np.testing.assert_allclose(made.weights.dense(), plain.dense(), atol=2**-14)


@pytest.mark.parametrize("taps", [2, 40, 300, 1500])
def test_parts_add_up_and_each_fits(taps):
    rng = np.random.default_rng(0)
    share = rng.random(taps)
    weight = np.floor(share / share.sum() * 2**22 + 0.5)[None]
    w = rl.Weights(np.arange(taps)[None], weight, taps)
    split = whole.parts(w, 22)
    total = sum(np.ldexp(part.weight, shift) for part, shift in split)
    assert np.array_equal(total, w.weight)
    assert all(np.abs(p.weight).sum() * 255 < 2**24 for p, _ in split)
