"""Known pipelines against what the real ones gave, and the code they become."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
from bulk import for_each

import resizelab as rl
from resizelab import pipelines

data = pytest.importorskip("skimage.data")

GOLDEN = Path(__file__).parents[1] / "golden"
RECORDED = json.loads((GOLDEN / "pipelines.json").read_text("utf-8"))
SAMPLES = np.load(GOLDEN / "pipelines.npz")
ASTRONAUT = data.astronaut()
PHOTOS = {
    "whole": ASTRONAUT,
    "odd": np.ascontiguousarray(ASTRONAUT[40:211, 130:367]),
    "even": np.ascontiguousarray(ASTRONAUT[40:211, 130:368]),
}
# What is not the same bits: float stages, and OpenCV's linear and sums of floats,
# whose bytes are one level off at some places.
FLOATS = {
    *("torchvision.to_tensor_first", "torchvision.detection"),
    *("torchvision.detection.scripted", "keras.mobilenet.crop_to_aspect"),
    *("keras.densenet.resizing", "tf.resize_with_pad"),
    "onnxruntime_extensions.resize_crop",
}
ONE_LEVEL = {
    "torchvision.segmentation.tensor whole",
    "torchvision.segmentation.tensor even",
    "ultralytics.letterbox even",
    "ultralytics.letterbox.auto even",
    "albumentations.short odd",
    "opencv.blob.crop whole",
    "mmseg.2048x512 odd",
    "mmseg.2048x512 even",
    "rapidocr.det whole",
}


def sampled(y):
    flat = np.ascontiguousarray(y).ravel()
    return flat[np.linspace(0, flat.size - 1, 200).astype(int)]


def level(name):
    """Return what one level of the photograph is in a pipeline's output."""
    from resizelab.pipelines.lines import line

    return float(np.abs(line(pipelines.named(name)).gain).max())


@pytest.mark.parametrize("photo", PHOTOS)
@pytest.mark.parametrize("name", pipelines.names())
def test_a_known_pipeline_gives_what_the_real_one_gave(name, photo):
    key = f"{name} {photo}"
    was, y = RECORDED["runs"][key], pipelines.named(name).run(PHOTOS[photo])
    assert [*y.shape] == was["shape"]
    assert str(y.dtype) == was["dtype"]
    if name not in FLOATS and key not in ONE_LEVEL:
        y = np.ascontiguousarray(y)
        assert hashlib.sha256(y.tobytes()).hexdigest() == was["sha256"]
        return
    gap = np.abs(sampled(y).astype(np.float64) - SAMPLES[key]) / level(name)
    assert (gap < 1.01).all()
    assert (gap > 1e-3).mean() <= (0.01 if key in ONE_LEVEL else 0)


def test_every_run_that_was_recorded_is_known():
    named = {key.rpartition(" ")[0] for key in RECORDED["runs"]}
    assert named == set(pipelines.names())
    assert len(named) == 45


@for_each(list(RECORDED["translations"]))
def test_the_code_is_what_was_run_in_its_library(key):
    name, _, to = key.partition(" to ")
    was = RECORDED["translations"][key]
    assert pipelines.translate(pipelines.named(name), to) == was["code"]
    # One pipeline has OpenCV's linear, one level off at 7e-6 of the values.
    assert was["largest"] < (2e-2 if to == "albumentations" else 1e-6)


@for_each(pipelines.names())
def test_json_gives_the_pipeline_back(name):
    made = pipelines.named(name)
    assert rl.Pipeline.from_json(made.to_json()) == made
    assert made.call.split("(")[0]
    assert made.checked


RUN_HERE = {
    "pillow": "PIL",
    "opencv": "cv2",
    "tensorflow": "tensorflow",
    "torch": "torch",
    "keras": "keras",
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("to", RUN_HERE)
def test_the_code_runs_and_gives_the_same(to):
    pytest.importorskip(RUN_HERE[to])
    tried, x = 0, PHOTOS["odd"]
    for name in pipelines.names():
        pipeline = pipelines.named(name)
        try:
            code = pipelines.translate(pipeline, to)
        except pipelines.NotExpressible:
            continue
        space = {}
        exec(code, space)
        if to == "keras":
            got = np.asarray(space["preprocess"](x[None].astype(np.float32)))[0]
        else:
            got = space["preprocess"](x)
        expected = pipeline.run(x)
        assert got.shape == expected.shape, name
        gap = np.abs(got - expected) / level(name)
        rounded = "float_rounded" in pipeline.to_json() or f"{name} odd" in ONE_LEVEL
        assert (gap > 0.01).mean() <= (1e-4 if rounded else 0), name
        assert gap.max() < 1.01, name
        tried += 1
    assert tried >= 2


@pytest.mark.parametrize(
    ("name", "to", "words"),
    [
        ("openai.clip", "transformers", "the crop's offset floor"),
        ("transformers.clip.pillow", "torchvision", "the crop's offset half_even"),
        ("openai.clip", "albumentations", "it has opencv.linear"),
        ("openai.clip", "torch", "bytes are rounded otherwise"),
        ("ultralytics.letterbox", "torchvision", "in this order"),
        ("detectron2.800", "torchvision", "reads RGB"),
        ("keras.resnet50.load_img", "keras", "in this order"),
        ("transformers.qwen2_vl.torch", "torch", "'layout'"),
    ],
)
def test_what_a_library_cannot_say_is_refused_with_the_reason(name, to, words):
    with pytest.raises(pipelines.NotExpressible) as told:
        pipelines.translate(pipelines.named(name), to)
    assert words in str(told.value)
