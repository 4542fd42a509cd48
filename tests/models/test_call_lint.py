"""Lint of calls as they are written, and what is wrong in a list of them."""

import ast
import json
import re

import numpy as np
import pytest

import resizelab as rl
from resizelab.models import call_lint
from resizelab.models.call_lint import Step
from resizelab.models.calls import parsed


def codes(steps, shape=None):
    return [finding.code for finding in call_lint.calls(steps, shape=shape).found]


def text_of(steps, code, shape=None):
    found = call_lint.calls(steps, shape=shape).found
    return next(finding.text for finding in found if finding.code == code)


# --- reading calls ---

# A call, and what it is read as: a convention, the size of its output.
READ = """
F.interpolate(x, (4, 6), None, 'bilinear') -> torch.bilinear (4, 6)
torch.nn.functional.interpolate(x, scale_factor=2) -> torch.nearest.scale_factor
cv2.resize(img, (6, 4), interpolation=cv2.INTER_AREA) -> opencv.area (4, 6)
cv2.resize(img, dsize=(6, 4)) -> opencv.linear (4, 6)
img.resize((6, 4), Image.LANCZOS) -> pillow.lanczos (4, 6)
image.resize((w, h), resample=PIL.Image.Resampling.BOX) -> pillow.box
tf.image.resize(x, [4, 6], method='bicubic') -> tf2.bicubic (4, 6)
tf.image.resize(x, (4, 6), tf.image.ResizeMethod.NEAREST_NEIGHBOR) -> tf2.nearest (4, 6)
tf.compat.v1.image.resize_bilinear(x, (4, 6), True) -> tf1.bilinear.align_corners (4, 6)
keras.layers.Resizing(4, 6) -> keras.resizing.bilinear (4, 6)
Resizing(8, 8, 'bilinear', True) -> keras.resizing.bilinear.crop_to_aspect_ratio (8, 8)
jax.image.resize(x, (1, 3, 4, 6), 'cubic') -> jax.cubic (4, 6)
skimage.transform.resize(x, (4, 6), order=0) -> skimage.nearest (4, 6)
Image.open('x.png').resize((6, 4)) -> pillow.bicubic (4, 6)
TF.resize(img, size=(224, 200)) -> torchvision.bilinear.antialias (224, 200)
F.resize(m, (6, 4), interpolation=InterpolationMode.NEAREST) -> torch.nearest (6, 4)
torchvision.transforms.functional.resize(img, size=[4, 6])
  -> torchvision.bilinear.antialias (4, 6)
v2.Resize((4, 6))(img) -> torch.bilinear.antialias (4, 6)
kornia.geometry.transform.resize(x, size=(4, 6)) -> torch.bilinear (4, 6)
K.geometry.transform.resize(x, (4, 6)) -> torch.bilinear (4, 6)
self.image.resize((6, 4)) -> pillow.bicubic (4, 6)
A.Resize(4, 6)(image=img) -> opencv.linear (4, 6)
nn.Upsample(scale_factor=2, mode='bilinear')(x) -> torch.bilinear.scale_factor
cv2.dnn.blobFromImage(img, 1 / 255, (6, 4)) -> opencv.linear (4, 6)
cv2.warpAffine(img, np.float32([[2, 0, 0.5], [0, 2, 0.5]]), (6, 4))
  -> opencv.warp_affine.linear.constant (4, 6)
tf.keras.layers.UpSampling2D(2)(x) -> keras.upsampling.nearest
resize_bilinear(x, (8, 8), True, 'up') -> tf1.bilinear.align_corners (8, 8)
"""


@pytest.mark.parametrize("text", READ.replace("\n  ->", " ->").strip().splitlines())
def test_a_call_is_read_as_it_is_written(text):
    written, meant = text.split(" -> ")
    name, _, size = meant.partition(" ")
    call = parsed(written)
    assert call.convention().name == name
    assert call.size == (ast.literal_eval(size) if size else None)


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("x = 1", ValueError, "this is not a call"),
        ("cv2.resise(x, (4, 4))", LookupError, "did you mean 'cv2.resize'"),
        ("(" * 3000, ValueError, "this is not a call"),
        ("F.interpolate(x, **options)", ValueError, "cannot be read"),
        ("F.interpolate(x, 4, mode=kind)", ValueError, "mode=kind of torch"),
        ("x" * 5000, ValueError, "at most 4000 characters"),
        ("__import__('os').remove('x')", LookupError, "call must be one of"),
        ("np.resize(x, (3, 4))", LookupError, "call must be one of"),
        ("torchvision.resize(x, (3, 4))", LookupError, "did you mean"),
        ("img.resize(3, 4)", TypeError, "takes size as (width, height); got 3"),
        ("img.resize(size=(3, 4), mode=1)", TypeError, "takes self, size, resample"),
    ],
)
def test_what_is_no_call_is_refused_and_not_run(text, kind, words):
    with pytest.raises(kind, match=re.escape(words)):
        parsed(text).convention()


# --- rules ---


def unread_share(run, before):
    """Return the share of pixels that change nothing when they are lit, one by one."""
    base = run(np.zeros(before, np.float32))
    silent = 0
    for place in np.ndindex(*before):
        x = np.zeros(before, np.float32)
        x[place] = 255
        silent += np.array_equal(run(x), base)
    return silent / np.prod(before)


@pytest.mark.parametrize(
    ("call", "shape"),
    [
        ("ndimage.zoom(img, 0.2, order=1)", (30, 40)),
        ("cv2.resize(img, (14, 12))", (60, 70)),
        ("cv2.resize(img, (7, 6), interpolation=cv2.INTER_CUBIC)", (48, 40)),
        ("F.interpolate(img, (12, 14), mode='nearest')", (24, 28)),
    ],
)
def test_the_share_of_pixels_never_read_is_the_engines(call, shape):
    cv2 = pytest.importorskip("cv2")
    ndimage = pytest.importorskip("scipy.ndimage")
    torch = pytest.importorskip("torch")
    names = {"cv2": cv2, "ndimage": ndimage}

    def run(x):
        if call.startswith("F."):
            y = torch.nn.functional.interpolate(
                torch.from_numpy(x)[None, None], (12, 14), mode="nearest"
            )
            return y[0, 0].numpy()
        return eval(call, names, {"img": x})  # a literal of this list

    share = unread_share(run, shape)
    assert f"{100 * share:.0f} % of the pixels are never read" in text_of(
        [call], "pixels-unread", shape
    )


def test_a_share_never_read_is_no_finding_of_labels_or_of_antialias():
    quarter = "cv2.resize({}, (14, 12), interpolation=cv2.INTER_{})"
    assert "pixels-unread" in codes([quarter.format("img", "NEAREST")], (60, 70))
    assert codes([quarter.format("mask", "NEAREST")], (60, 70)) == []
    assert codes([quarter.format("img", "AREA")], (60, 70)) == []
    assert codes(["img.resize((14, 12))"], (60, 70)) == []
    assert "pixels-unread" in codes(["ndimage.zoom(img, 0.2)"])  # whatever comes in


def test_a_scale_that_gives_no_whole_size_is_measured():
    """OpenCV itself: half of 55 pixels by fx is not 28 pixels by dsize."""
    cv2 = pytest.importorskip("cv2")
    call = "cv2.resize(img, None, fx=0.5, fy=0.5)"
    text = text_of([call], "scale-not-whole", (55, 55))
    assert "a scale of 0.5 makes 27.5 pixels of 55: 28x28 come out" in text
    amount = float(re.search(r"up to ([\d.]+) of", text)[1])
    noise = np.random.default_rng(0).random((55, 55)).astype(np.float32)
    real = cv2.resize(noise, None, fx=0.5, fy=0.5) - cv2.resize(noise, (28, 28))
    assert 0.3 * amount < np.abs(real).max() <= 2 * amount
    assert codes([call], (56, 56)) == []
    assert codes([call], None) == []


def test_a_clean_pipeline_is_silent():
    steps = [
        "cv2.resize(image, (320, 240), interpolation=cv2.INTER_LINEAR)",
        "cv2.resize(mask, (320, 240), interpolation=cv2.INTER_NEAREST_EXACT)",
    ]
    assert codes(steps, (480, 640)) == []
    assert codes(steps) == []


def test_opencvs_third_positional_argument_is_ignored():
    steps = ["cv2.resize(image, (320, 240), cv2.INTER_AREA)"]
    text = text_of(steps, "flag-ignored", (960, 640))
    assert "INTER_AREA stands third" in text
    assert "opencv.linear runs" in text
    assert "of the input's range (960x640 to 240x320)" in text


def test_opencv_itself_ignores_the_third_argument():
    cv2 = pytest.importorskip("cv2")
    x = np.arange(16, dtype=np.uint8).reshape(4, 4) * 10
    third = cv2.resize(x, (8, 8), cv2.INTER_CUBIC)  # OpenCV 5.0: no word of it
    assert np.array_equal(third, cv2.resize(x, (8, 8)))
    assert not np.array_equal(third, cv2.resize(x, (8, 8), interpolation=2))


def test_antialias_on_nearest():
    text = "tf.image.resize(x, (8, 8), method='nearest', antialias=True)"
    assert codes([text]) == ["flag-ignored"]
    # torch refuses what TensorFlow ignores.
    refused = "F.interpolate(x, (8, 8), mode='nearest', antialias=True)"
    assert codes([refused]) == ["refused"]


def test_labels_are_not_interpolated():
    text = text_of(
        ["F.interpolate(mask, (8, 8), mode='bilinear')"], "labels-interpolated"
    )
    made = rl.weights("torch.bilinear", 12, 24) @ np.repeat([0.0, 2.0], 6)
    new = sorted(set(made.round(3)) - {0.0, 2.0})
    assert f"give {new[0]}, {new[1]}" in text
    assert "labels-interpolated" in codes([Step("cv2.resize(x, (8, 8))", on="labels")])
    assert "labels-interpolated" not in codes(["cv2.resize(weights, (8, 8))"])


def test_an_image_and_its_labels_on_two_grids():
    """At a quarter torch's nearest reads 4i and its bilinear 4i + 1.5: report N05."""
    steps = [
        "F.interpolate(image, (16, 16), mode='bilinear')",
        "F.interpolate(mask, (16, 16), mode='nearest')",
    ]
    assert "-1.50 px of the input away at the centre" in text_of(
        steps, "two-grids", (64, 64)
    )
    assert "two-grids" in codes(steps)
    exact = [steps[0], steps[1].replace("'nearest'", "'nearest-exact'")]
    assert "two-grids" not in codes(exact, (64, 48))


def test_aligned_corners_stretch_at_the_edges():
    steps = [
        "F.interpolate(image, (64, 64), mode='bilinear', align_corners=True)",
        "F.interpolate(mask, (64, 64), mode='nearest-exact')",
    ]
    text = text_of(steps, "two-grids", (16, 16))
    assert "away at the centre" in text


def test_swapped_sizes_are_found():
    two = [
        "cv2.resize(image, (640, 480))",
        "F.interpolate(mask, (640, 480), mode='nearest-exact')",
    ]
    assert "size-swapped" in codes(two)
    assert "480x640" in text_of(two, "size-swapped")
    one = ["tf.image.resize(image, (640, 480))"]
    assert codes(one) == []
    assert "960x1280 becomes 640x480" in text_of(one, "size-swapped", (960, 1280))


def test_a_second_resize_is_measured():
    steps = [
        "cv2.resize(image, (40, 40), interpolation=cv2.INTER_LINEAR)",
        "cv2.resize(image, (80, 80), interpolation=cv2.INTER_LINEAR)",
    ]
    text = text_of(steps, "double-resize", (80, 80))
    down, up = rl.weights("opencv.linear", 80, 40), rl.weights("opencv.linear", 40, 80)
    gap = up.dense() @ down.dense() - np.eye(80)
    worst = max(np.maximum(gap, 0).sum(1).max(), np.maximum(-gap, 0).sum(1).max())
    assert f"up to {worst:.2g} of the input's range" in text


def test_bytes_between_two_resizes_are_measured():
    steps = [
        "image.resize((48, 48), Image.BICUBIC)",
        "F.interpolate(image, (96, 96), mode='bicubic')",
    ]
    text = text_of(steps, "uint8-between", (96, 96))
    assert "rounds and clips to uint8 before torch.bicubic" in text
    assert "levels on noise" in text
    floats = [Step(steps[0], dtype="float32"), steps[1]]
    assert "uint8-between" not in codes(floats, (96, 96))


def test_giant_sizes_take_no_memory():
    steps = ["x.resize((2000000, 1000000))", "F.interpolate(x, (10, 10))"]
    assert "double-resize" in codes(steps, (3000000, 6000000))


def test_the_report_is_text_and_json():
    report = call_lint.calls(["cv2.resize(image, (320, 240), cv2.INTER_AREA)"])
    whole = json.loads(report.to_json())
    assert whole["steps"] == ["opencv.linear"]
    assert whole["findings"][0]["code"] == "flag-ignored"
    assert "FINDING [flag-ignored] step 1" in str(report)
    with pytest.raises(TypeError, match="must be a list"):
        call_lint.calls("cv2.resize(x, (4, 4))")
    with pytest.raises(ValueError, match="on must be one of 'image', 'labels'"):
        call_lint.calls([Step("cv2.resize(x, (4, 4))", on="boxes")])
