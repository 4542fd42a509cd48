"""Pipelines as the transforms and processors of four libraries: what their classes say.

Each has its own rule for sizes and offsets; a pipeline with another rule is refused
with both named, for that is what people find out late.
"""

from collections.abc import Callable, Sequence
from typing import Any

from resizelab.catalog import NotExpressible
from resizelab.pipelines.decoding import Decode
from resizelab.pipelines.pipeline import Pipeline
from resizelab.pipelines.pixels import Layout, Normalise
from resizelab.pipelines.spatial import Crop, Pad, Resize

MODES = {
    "nearest": "NEAREST",
    "box": "BOX",
    "bilinear": "BILINEAR",
    "hamming": "HAMMING",
    "bicubic": "BICUBIC",
    "lanczos": "LANCZOS",
}
OPENCV = {
    "opencv.linear": "cv2.INTER_LINEAR",
    "opencv.area": "cv2.INTER_AREA",
    "opencv.cubic": "cv2.INTER_CUBIC",
    "opencv.nearest": "cv2.INTER_NEAREST",
    "opencv.lanczos4": "cv2.INTER_LANCZOS4",
}
Kinds = tuple[type, ...]


def _stages(p: Pipeline, who: str, *shapes: Kinds) -> list[Any]:
    """Return the stages but for the decoding, if they stand in one of these orders."""
    found = [s for s in p.stages if not isinstance(s, Decode)]
    if any(isinstance(s, Decode) and s.colours == "BGR" for s in p.stages):
        raise NotExpressible(f"{who} reads RGB; {p.name} goes on with BGR")
    if tuple(type(s) for s in found) not in shapes:
        order = ", ".join(s.kind for s in found)
        raise NotExpressible(f"{who} has no {order} in this order ({p.name})")
    return found


def _one(p: Pipeline, who: str, what: str, got: str, allowed: Sequence[str]) -> str:
    if got not in allowed:
        raise NotExpressible(
            f"{who} has {what} {' or '.join(allowed)}; {p.name} has {got}"
        )
    return got


def _row(p: Pipeline, who: str, stage: Resize, libraries: Sequence[str]) -> str:
    """Return the name of the mode in capitals, of a byte kernel of these libraries."""
    parts = stage.convention.split(".")
    mode, antialias = parts[1], parts[0] == "pillow" or parts[2:] == ["antialias"]
    known = mode in MODES and antialias and stage.numbers == "bytes"
    if parts[0] not in libraries or not known:
        raise NotExpressible(
            f"{who} does not resize as {stage.convention} ({stage.numbers}) does"
        )
    return MODES[mode]


def _listed(values: Sequence[float] | None, otherwise: float) -> str:
    return str(list(values or (otherwise,) * 3))


def _scaled(p: Pipeline, who: str, stage: Normalise) -> None:
    """Refuse levels that are not 0 … 255 before mean and deviation."""
    if stage.divisor != 255 or stage.form == "mean_first":
        raise NotExpressible(f"{who} divides by 255 first; {p.name} does not")


def _written(imports: Sequence[str], call: str, lines: Sequence[str]) -> str:
    body = "".join(f"    {line},\n" for line in lines)
    opened, closed = call.split("|")
    return "\n".join([*imports, f"preprocess = {opened}\n{body}{closed}", ""])


def torchvision(p: Pipeline) -> str:
    """Return a ``T.Compose`` of PIL images; of the torch kernel, a ``v2.Compose``."""
    who, tail = "torchvision", (Normalise, Layout)
    found = _stages(p, who, (Resize, Crop, *tail), (Resize, *tail))
    resize, normal = found[0], found[-2]
    _one(p, who, "the size rule", resize.rule, ("short_int", "exact"))
    mode = _row(p, who, resize, ("pillow", "torch"))
    _scaled(p, who, normal)
    size = str(resize.size)
    if resize.rule == "short_int":
        size = ", max_size=".join(map(str, resize.size))
    lines = [f"T.Resize({size}, T.InterpolationMode.{mode})"]
    if isinstance(found[1], Crop):
        _one(p, who, "the crop's offset", found[1].offset, ("half_even",))
        lines.append(f"T.CenterCrop({found[1].size})")
    values = f"T.Normalize({_listed(normal.mean, 0.0)}, {_listed(normal.std, 1.0)})"
    if resize.convention.startswith("pillow"):
        imports = ["import torch", "import torchvision.transforms as T"]
        lines += ["T.ToTensor()", values]
    else:
        imports = ["import torch", "from torchvision.transforms import v2 as T"]
        lines = ["T.PILToTensor()", *lines, "T.ToDtype(torch.float32, scale=True)"]
        lines.append(values)
    return _written(imports, "T.Compose([|])", lines)


def transformers(p: Pipeline) -> str:
    """Return a ``CLIPImageProcessor``: the one that has every choice."""
    who, tail = "transformers", (Normalise, Layout)
    found = _stages(p, who, (Resize, Crop, *tail), (Resize, *tail))
    resize, normal = found[0], found[-2]
    _one(p, who, "the size rule", resize.rule, ("short_int", "exact"))
    mode = _row(p, who, resize, ("pillow", "torch"))
    _scaled(p, who, normal)
    backend = "Pil" if resize.convention.startswith("pillow") else ""
    size = {"height": resize.size[0], "width": resize.size[-1]}
    if resize.rule == "short_int":
        if len(resize.size) > 1:
            raise NotExpressible(f"{who} caps the long side by a rule of its own")
        size = {"shortest_edge": resize.size[0]}
    lines = [f"size={size}", f"resample=PIL.Image.Resampling.{mode}"]
    crop = found[1] if isinstance(found[1], Crop) else None
    if crop:
        _one(p, who, "the crop's offset", crop.offset, ("floor",))
        height, width = crop.size
        lines.append(f"crop_size={{'height': {height}, 'width': {width}}}")
    lines.append(f"do_center_crop={crop is not None}")
    lines.append(f"image_mean={_listed(normal.mean, 0.0)}")
    lines.append(f"image_std={_listed(normal.std, 1.0)}")
    imports = ["import PIL.Image", "import transformers"]
    return _written(imports, f"transformers.CLIPImageProcessor{backend}(|)", lines)


def albumentations(p: Pipeline) -> str:
    """Return an ``A.Compose`` of RGB bytes."""
    who = "albumentations"
    found = _stages(
        p,
        who,
        *((Resize, *middle, Normalise, *end) for middle in MIDDLES for end in ENDS),
    )
    resize, *_ = found
    normal = next(s for s in found if isinstance(s, Normalise))
    if resize.convention not in OPENCV or resize.step != "sizes":
        raise NotExpressible(
            f"{who} resizes with OpenCV; {p.name} is {resize.convention}"
        )
    _scaled(p, who, normal)
    rules = {"round_short": "SmallestMaxSize", "round_long": "LongestMaxSize"}
    _one(p, who, "the size rule", resize.rule, (*rules, "exact"))
    name = rules.get(resize.rule, "Resize")
    mode = f"interpolation={OPENCV[resize.convention]}"
    lines = [f"A.{name}({', '.join(map(str, resize.size))}, {mode})"]
    for stage in found[1:]:
        if isinstance(stage, Crop):
            _one(p, who, "the crop's offset", stage.offset, ("floor",))
            lines.append("A.CenterCrop({}, {})".format(*stage.size))
        if isinstance(stage, Pad):
            _one(p, who, "the pad's offset", stage.offset, ("floor",))
            size = "{}, {}".format(*stage.size)
            lines.append(f"A.PadIfNeeded({size}, fill={stage.value[0]})")
    lines.append(
        f"A.Normalize({_listed(normal.mean, 0.0)}, {_listed(normal.std, 1.0)})"
    )
    lines += ["ToTensorV2()"] * (isinstance(found[-1], Layout))
    imports = ["import albumentations as A", "import cv2"]
    imports += ["from albumentations.pytorch import ToTensorV2"] * (lines[-1][0] == "T")
    return _written(imports, "A.Compose([|])", lines)


MIDDLES: tuple[Kinds, ...] = ((), (Crop,), (Pad,))
ENDS: tuple[Kinds, ...] = ((), (Layout,))


def keras(p: Pipeline) -> str:
    """Return a ``keras.Sequential`` of float32 batches of 0 … 255."""
    who = "keras"
    found = _stages(p, who, (Resize, Normalise), (Crop, Resize, Normalise))
    resize, normal = found[-2:]
    _one(p, who, "the size rule", resize.rule, ("exact",))
    library, _, mode = resize.convention.rpartition(".")
    if library not in ("keras.resizing", "tf2") or resize.numbers != "float":
        raise NotExpressible(
            f"{who} resizes floats by its own rows; {p.name} is {resize.convention} "
            f"({resize.numbers})"
        )
    crops = isinstance(found[0], Crop)
    if crops:
        _one(p, who, "the crop's rule", found[0].rule, ("aspect_float32",))
    gain, offset = (values.tolist() for values in normal.line())
    size = ", ".join(map(str, resize.size))
    lines = [
        f"keras.layers.Resizing({size}, {mode!r}, crop_to_aspect_ratio={crops})",
        f"keras.layers.Rescaling({gain}, {offset})",
    ]
    return _written(["import keras"], "keras.Sequential([|])", lines)


TARGETS: dict[str, Callable[[Pipeline], str]] = {
    "torchvision": torchvision,
    "transformers": transformers,
    "albumentations": albumentations,
    "keras": keras,
}
