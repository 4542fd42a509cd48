"""Record what real preprocessing gives on three photographs: tests/golden/pipelines.*.

It needs an environment of its own, for none of this is among the engines: torch 2.13,
torchvision 0.28, timm 1.0.31, transformers 5.24, albumentations 2.0.8 with albucore
0.0.24, tensorflow 2.21, keras 3.15, opencv 5.0, onnxruntime-extensions 0.15.2. What
writes into a home directory when it is imported, or will not install, is run by its
formula, in the library that does its resize; its row says so.

The code that `translate` writes for torchvision, transformers and albumentations is
run here too, and kept: the tests see that it is still what is written.
"""

import hashlib
import io
import json
from pathlib import Path

import albumentations as A  # noqa: N812
import cv2
import keras
import numpy as np
import onnx
import onnxruntime
import onnxruntime_extensions as extensions
import skimage.data
import tensorflow as tf
import timm.data
import torch
import torchvision.transforms as T  # noqa: N812
import transformers as hf
from onnxruntime_extensions.tools import pre_post_processing as steps
from PIL import Image
from torchvision.models.detection.transform import GeneralizedRCNNTransform
from torchvision.transforms import _presets as presets
from torchvision.transforms import v2

from resizelab import pipelines

GOLDEN = Path(__file__).parents[1] / "golden"
SAMPLES = 200
ASTRONAUT = skimage.data.astronaut()
PHOTOS = {
    "whole": ASTRONAUT,
    "odd": np.ascontiguousarray(ASTRONAUT[40:211, 130:367]),
    "even": np.ascontiguousarray(ASTRONAUT[40:211, 130:368]),
}
MEAN, STD = [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]
CLIP = ([0.48145466, 0.4578275, 0.40821073], [0.26862954, 0.26130258, 0.27577711])
BICUBIC = T.InterpolationMode.BICUBIC


def pil(x):
    return Image.fromarray(x)


def tensor(x):
    return torch.from_numpy(x).permute(2, 0, 1).contiguous()


def bgr(x):
    return np.ascontiguousarray(x[..., ::-1])


def chw(x):
    return np.ascontiguousarray(x.transpose(2, 0, 1))


def of(transform, kind=pil):
    return lambda x: transform(kind(x)).numpy()


def v2_of(**options):
    tail = [v2.CenterCrop(224), v2.ToDtype(torch.float32, scale=True)]
    tail.append(v2.Normalize(MEAN, STD))
    return of(v2.Compose([v2.Resize(256, **options), *tail]), tensor)


def detection(x, scripted=False):
    resize = GeneralizedRCNNTransform(800, 1333, MEAN, STD).eval()
    resize = torch.jit.script(resize) if scripted else resize
    return resize([presets.ObjectDetection()(pil(x))])[0].tensors[0].numpy()


def torchvision():
    preset, segment = presets.ImageClassification, presets.SemanticSegmentation
    middle = [T.Resize(224, BICUBIC), T.CenterCrop(224)]
    after = T.Normalize(*CLIP)
    return {
        "torchvision.classification.pil": of(preset(crop_size=224)),
        "torchvision.classification.tensor": of(preset(crop_size=224), tensor),
        "torchvision.v2.tensor": v2_of(),
        "torchvision.v2.no_antialias": v2_of(antialias=False),
        "torchvision.to_tensor_first": of(T.Compose([T.ToTensor(), *middle, after])),
        "torchvision.segmentation.pil": of(segment(resize_size=520)),
        "torchvision.segmentation.tensor": of(segment(resize_size=520), tensor),
        "torchvision.detection": detection,
        "torchvision.detection.scripted": lambda x: detection(x, scripted=True),
        "openai.clip": of(T.Compose([*middle, T.ToTensor(), after])),
    }


def timm_of(**options):
    made = timm.data.create_transform((3, 224, 224), interpolation="bicubic", **options)
    return of(made)


def processor(name, **options):
    def run(x):
        made = getattr(hf, name)(**options)
        values = np.asarray(made(images=pil(x), return_tensors="pt")["pixel_values"])
        return values if values.ndim == 2 else values[0]

    return run


def processors(tag, suffix):
    square = {"height": 336, "width": 336}
    asked = {
        "vit": ("ViT", {}),
        "clip": ("CLIP", {}),
        "siglip": ("Siglip", {}),
        "convnext_224": (
            "ConvNext",
            {"size": {"shortest_edge": 224}, "crop_pct": 224 / 256},
        ),
        "convnext_384": ("ConvNext", {"size": {"shortest_edge": 384}}),
        "detr": ("Detr", {}),
        "segformer": ("Segformer", {}),
        "llava": (
            "Llava",
            {"do_pad": True, "size": {"shortest_edge": 336}, "crop_size": square},
        ),
        "qwen2_vl": ("Qwen2VL", {}),
    }
    return {
        f"transformers.{name}.{tag}": processor(
            f"{kind}ImageProcessor{suffix}", **options
        )
        for name, (kind, options) in asked.items()
    }


def load_img(x):
    packed = io.BytesIO()
    pil(x).save(packed, "PNG")
    packed.seek(0)
    y = keras.utils.img_to_array(keras.utils.load_img(packed, target_size=(224, 224)))
    return keras.applications.resnet50.preprocess_input(y.copy())


def resizing(application, **options):
    def run(x):
        y = keras.layers.Resizing(224, 224, **options)(x[None].astype(np.float32))
        return application.preprocess_input(np.array(y))[0]

    return run


def letterbox(x, auto):
    """Return what ultralytics' LetterBox and its predictor do, by their formula."""
    h, w = x.shape[:2]
    r = min(640 / h, 640 / w)
    new = round(w * r), round(h * r)
    dw, dh = 640 - new[0], 640 - new[1]
    if auto:
        dw, dh = np.mod(dw, 32), np.mod(dh, 32)
    y = bgr(x) if new == (w, h) else cv2.resize(bgr(x), new)
    rows = round(dh / 2 - 0.1), round(dh / 2 + 0.1)
    columns = round(dw / 2 - 0.1), round(dw / 2 + 0.1)
    grey = (114, 114, 114)
    y = cv2.copyMakeBorder(y, *rows, *columns, cv2.BORDER_CONSTANT, value=grey)
    return (torch.from_numpy(chw(y[..., ::-1])).float() / 255).numpy()


def mmseg(x):
    """Return what mmcv's imrescale and imnormalize do, by their formula."""
    h, w = x.shape[:2]
    k = min(2048 / max(h, w), 512 / min(h, w))
    y = cv2.resize(bgr(x), (int(w * k + 0.5), int(h * k + 0.5))).astype(np.float32)
    cv2.cvtColor(y, cv2.COLOR_BGR2RGB, y)
    cv2.subtract(y, np.float64([[123.675, 116.28, 103.53]]), y)
    cv2.multiply(y, 1 / np.float64([[58.395, 57.12, 57.375]]), y)
    return chw(y)


def rapidocr(x):
    """Return what rapidocr's detector reads, by its formula."""
    h, w = x.shape[:2]
    ratio = max(1.0, 736 / min(h, w))
    rows, columns = (int(round(int(n * ratio) / 32) * 32) for n in (h, w))
    y = cv2.resize(bgr(x), (columns, rows)).astype(np.float32) * np.float32(1 / 255.0)
    half = np.array([0.5, 0.5, 0.5])
    return chw(((y - half) / half).astype(np.float32))


def detectron2(x):
    """Return what ResizeShortestEdge and the model's normalisation do."""
    h, w = x.shape[:2]
    scale = 800 / min(h, w)
    new = [800, scale * w] if h < w else [scale * h, 800]
    if max(new) > 1333:
        new = [n * 1333 / max(new) for n in new]
    size = int(new[1] + 0.5), int(new[0] + 0.5)
    y = chw(np.asarray(pil(bgr(x)).resize(size, Image.Resampling.BILINEAR)))
    mean = np.float32([103.53, 116.28, 123.675]).reshape(3, 1, 1)
    return (y.astype(np.float32) - mean) / np.float32(1)


def onnx_extensions():
    """Return ONNX Runtime's own preprocessing, written into a model by its tools."""
    image = steps.create_named_value("image", onnx.TensorProto.UINT8, ["n"])
    made = steps.PrePostProcessor([image], 18)
    values = list(zip(MEAN, STD, strict=True))
    made.add_pre_processing(
        [
            steps.ConvertImageToBGR(),
            steps.ReverseAxis(axis=2, dim_value=3, name="BGR_to_RGB"),
            steps.Resize(256),
            steps.CenterCrop(224, 224),
            steps.ImageBytesToFloat(),
            steps.ChannelsLastToChannelsFirst(),
            steps.Normalize(values, layout="CHW"),
        ]
    )
    helper = onnx.helper
    ends = [helper.make_tensor_value_info(n, 1, [3, 224, 224]) for n in "xy"]
    node = helper.make_node("Identity", ["x"], ["y"])
    graph = helper.make_graph([node], "same", ends[:1], ends[1:])
    opset = helper.make_opsetid("", 18)
    model = made.run(helper.make_model(graph, opset_imports=[opset], ir_version=8))
    options = onnxruntime.SessionOptions()
    options.register_custom_ops_library(extensions.get_library_path())
    content, cpu = model.SerializeToString(), ["CPUExecutionProvider"]
    session = onnxruntime.InferenceSession(content, options, providers=cpu)

    def run(x):
        packed = io.BytesIO()
        pil(x).save(packed, "PNG")
        return session.run(None, {"image": np.frombuffer(packed.getvalue(), np.uint8)})[
            0
        ]

    return run


def blob(x, divisor, size, mean, crop):
    return cv2.dnn.blobFromImage(
        bgr(x), 1 / divisor, (size, size), (mean,) * 3, swapRB=True, crop=crop
    )[0]


def every():
    """Return each pipeline's name and the real thing, RGB bytes to array."""
    normalise = A.Normalize(MEAN, STD)
    short = [A.SmallestMaxSize(256), A.CenterCrop(224, 224), normalise]
    boxed = [A.LongestMaxSize(512), A.PadIfNeeded(512, 512, fill=0), normalise]
    applications = keras.applications
    return {
        **torchvision(),
        "timm.crop_pct": timm_of(crop_pct=0.9),
        "timm.border": timm_of(crop_pct=1.0, crop_mode="border"),
        "timm.squash": timm_of(crop_pct=0.95, crop_mode="squash"),
        **processors("torch", ""),
        **processors("pillow", "Pil"),
        "keras.resnet50.load_img": load_img,
        "keras.mobilenet.crop_to_aspect": resizing(
            applications.mobilenet, crop_to_aspect_ratio=True
        ),
        "keras.densenet.resizing": resizing(applications.densenet),
        "tf.resize_with_pad": lambda x: tf.image.resize_with_pad(x, 640, 640).numpy(),
        "ultralytics.letterbox": lambda x: letterbox(x, False),
        "ultralytics.letterbox.auto": lambda x: letterbox(x, True),
        "albumentations.short": lambda x: A.Compose(short)(image=x)["image"],
        "albumentations.letterbox": lambda x: A.Compose(boxed)(image=x)["image"],
        "opencv.blob.crop": lambda x: blob(x, 127.5, 300, 127.5, True),
        "opencv.blob.stretch": lambda x: blob(x, 255, 416, 0, False),
        "mmseg.2048x512": mmseg,
        "rapidocr.det": rapidocr,
        "detectron2.800": detectron2,
        "onnxruntime_extensions.resize_crop": onnx_extensions(),
    }


def sampled(y):
    """Return values from all over an array, the same places for the same shape."""
    flat = np.ascontiguousarray(y).ravel()
    return flat[np.linspace(0, flat.size - 1, SAMPLES).astype(int)]


RUNS = {
    "torchvision": lambda made, x: made(pil(x)).numpy(),
    "transformers": lambda made, x: np.asarray(
        made(images=pil(x), return_tensors="pt")["pixel_values"]
    )[0],
    "albumentations": lambda made, x: np.asarray(made(image=x)["image"]),
}


def translations():
    """Run the code that is written for each library; keep it with how far it is off."""
    found = {}
    for name in pipelines.names():
        pipeline = pipelines.named(name)
        for to, run in RUNS.items():
            try:
                code = pipelines.translate(pipeline, to)
            except pipelines.NotExpressible:
                continue
            space = {}
            exec(code, space)
            gaps = []
            for x in (PHOTOS["whole"], PHOTOS["odd"]):
                y, z = pipeline.run(x), run(space["preprocess"], x)
                assert y.shape == z.shape, (name, to, y.shape, z.shape)
                gaps.append(float(np.abs(y - z).max()))
            found[f"{name} to {to}"] = {"code": code, "largest": max(gaps)}
            print(name, to, gaps)
    return found


def main():
    """Run everything and write both files."""
    whole, arrays = {}, {}
    for name, run in every().items():
        for photo, x in PHOTOS.items():
            y = np.ascontiguousarray(run(x))
            key = f"{name} {photo}"
            digest = hashlib.sha256(y.tobytes()).hexdigest()
            whole[key] = {"shape": y.shape, "dtype": str(y.dtype), "sha256": digest}
            arrays[key] = sampled(y)
        print(name)
    told = {"runs": whole, "translations": translations()}
    text = json.dumps(told, indent=0) + "\n"
    (GOLDEN / "pipelines.json").write_text(text, "utf-8")
    np.savez_compressed(GOLDEN / "pipelines.npz", **arrays)


if __name__ == "__main__":
    main()
