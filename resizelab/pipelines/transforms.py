"""Pipelines as the transforms and processors of four libraries: what their classes say.

Each has its own rule for sizes and offsets; a pipeline with another rule is refused
with both named, for that is what people find out late.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from resizelab.catalog import NotExpressible
from resizelab.pipelines.decoding import Decode
from resizelab.pipelines.pipeline import Pipeline
from resizelab.pipelines.pixels import Normalise
from resizelab.pipelines.spatial import Crop, Pad, Resize

# Rows by what the libraries call them.
PLAIN = {"pillow.bilinear": "BILINEAR", "pillow.bicubic": "BICUBIC"}
PLAIN |= {"pillow.nearest": "NEAREST", "pillow.box": "BOX", "pillow.lanczos": "LANCZOS"}
PLAIN |= {"pillow.hamming": "HAMMING", "torch.bilinear.antialias": "BILINEAR"}
PLAIN |= {"torch.bicubic.antialias": "BICUBIC"}
OPENCV = {"opencv.linear": "LINEAR", "opencv.area": "AREA", "opencv.cubic": "CUBIC"}
OPENCV |= {"opencv.nearest": "NEAREST", "opencv.lanczos4": "LANCZOS4"}
KERAS = {f"{who}.{m}": m for who in ("keras.resizing", "tf2") for m in ("bilinear",)}


@dataclass(frozen=True)
class Said:
    """The stages that these libraries know, one of each at most, and the row's name."""

    mode: str
    resize: Resize
    normal: Normalise
    crop: Crop | None
    pad: Pad | None
    layout: bool

    @property
    def values(self) -> tuple[list[float], list[float]]:
        """Mean and deviation, one a channel."""
        mean, std = self.normal.mean or (0.0,) * 3, self.normal.std or (1.0,) * 3
        return list(mean), list(std)


def _said(
    p: Pipeline,
    who: str,
    rows: dict[str, str],
    numbers: str,
    rules: Sequence[str],
    offset: str,
    order: str = "resize crop normalise layout",
) -> Said:
    """Return the stages in the order a library has them, or say what it lacks."""

    def one(what: str, got: str, allowed: Sequence[str]) -> None:
        if got not in allowed:
            raise NotExpressible(
                f"{who} has {what} {' or '.join(allowed)}; {p.name} has {got}"
            )

    found = _ordered(p, who, order)
    resize, normal = found["resize"], found["normalise"]
    crop, pad = found.get("crop"), found.get("pad")
    if resize.convention not in rows or resize.numbers != numbers:
        raise NotExpressible(
            f"{who} does not resize as {resize.convention} ({resize.numbers}) does; it "
            f"has {', '.join(rows)} ({numbers})"
        )
    one("the size rule", resize.rule, rules)
    if crop and crop.rule == "size":
        one("the crop's offset", crop.offset, (offset,))
    if pad:
        one("the pad's offset", pad.offset, (offset,))
    if numbers == "bytes" and (normal.divisor != 255 or "first" in normal.form):
        raise NotExpressible(f"{who} divides by 255 first; {p.name} does not")
    row = rows[resize.convention]
    return Said(row, resize, normal, crop, pad, "layout" in found)


def _ordered(p: Pipeline, who: str, order: str) -> dict[str, Any]:
    """Return the stages by kind, if they stand in this order."""
    found = {s.kind: s for s in p.stages}
    kinds = [s.kind for s in p.stages if not isinstance(s, Decode)]
    if any(isinstance(s, Decode) and s.colours == "BGR" for s in p.stages):
        raise NotExpressible(f"{who} reads RGB; {p.name} goes on with BGR")
    ordered = [kind for kind in order.split() if kind in kinds]
    if kinds != ordered or not {"resize", "normalise"} <= set(kinds):
        listed = ", ".join(kinds)
        raise NotExpressible(f"{who} has no {listed} in this order ({p.name})")
    return found


def _written(imports: str, call: str, lines: Sequence[str]) -> str:
    opened, closed = call.split("|")
    body = "".join(f"    {line},\n" for line in lines)
    return f"{imports}\npreprocess = {opened}\n{body}{closed}\n"


def torchvision(p: Pipeline) -> str:
    """Return a ``T.Compose`` of PIL images; of the torch kernel, a ``v2.Compose``."""
    s = _said(p, "torchvision", PLAIN, "bytes", ("short_int", "exact"), "half_even")
    size = str(s.resize.size)
    if s.resize.rule == "short_int":
        size = ", max_size=".join(map(str, s.resize.size))
    lines = [f"T.Resize({size}, T.InterpolationMode.{s.mode})"]
    lines += [f"T.CenterCrop({s.crop.size})"] if s.crop else []
    values = "T.Normalize({}, {})".format(*s.values)
    if s.resize.convention.startswith("pillow"):
        imports = "import torch\nimport torchvision.transforms as T"
        return _written(imports, "T.Compose([|])", [*lines, "T.ToTensor()", values])
    imports = "import torch\nfrom torchvision.transforms import v2 as T"
    lines = ["T.PILToTensor()", *lines, "T.ToDtype(torch.float32, scale=True)", values]
    return _written(imports, "T.Compose([|])", lines)


def transformers(p: Pipeline) -> str:
    """Return a ``CLIPImageProcessor``: the one that has every choice."""
    s = _said(p, "transformers", PLAIN, "bytes", ("short_int", "exact"), "floor")
    size = {"height": s.resize.size[0], "width": s.resize.size[-1]}
    if s.resize.rule == "short_int":
        if len(s.resize.size) > 1:
            raise NotExpressible("transformers caps the long side by another rule")
        size = {"shortest_edge": s.resize.size[0]}
    lines = [f"size={size}", f"resample=PIL.Image.Resampling.{s.mode}"]
    if s.crop:
        height, width = s.crop.size
        lines.append(f"crop_size={{'height': {height}, 'width': {width}}}")
    lines.append(f"do_center_crop={s.crop is not None}")
    lines += [f"image_mean={s.values[0]}", f"image_std={s.values[1]}"]
    backend = "Pil" if s.resize.convention.startswith("pillow") else ""
    imports = "import PIL.Image\nimport transformers"
    return _written(imports, f"transformers.CLIPImageProcessor{backend}(|)", lines)


def albumentations(p: Pipeline) -> str:
    """Return an ``A.Compose`` of RGB bytes."""
    rules = {"round_short": "SmallestMaxSize", "round_long": "LongestMaxSize"}
    rules |= {"exact": "Resize"}
    order = "resize crop pad normalise layout"
    s = _said(p, "albumentations", OPENCV, "bytes", tuple(rules), "floor", order)
    size = ", ".join(map(str, s.resize.size))
    name = rules[s.resize.rule]
    lines = [f"A.{name}({size}, interpolation=cv2.INTER_{s.mode})"]
    lines += ["A.CenterCrop({}, {})".format(*s.crop.size)] if s.crop else []
    if s.pad:
        size = "{}, {}".format(*s.pad.size)
        lines.append(f"A.PadIfNeeded({size}, fill={s.pad.value[0]})")
    lines.append("A.Normalize({}, {})".format(*s.values))
    imports = "import albumentations as A\nimport cv2"
    if s.layout:
        imports += "\nfrom albumentations.pytorch import ToTensorV2"
        lines.append("ToTensorV2()")
    return _written(imports, "A.Compose([|])", lines)


def keras(p: Pipeline) -> str:
    """Return a ``keras.Sequential`` of float32 batches of 0 … 255."""
    order = "crop resize normalise"
    s = _said(p, "keras", KERAS, "float", ("exact",), "floor", order)
    if s.crop and s.crop.rule != "aspect_float32":
        raise NotExpressible("keras crops to an aspect, or not at all")
    gain, offset = (values.tolist() for values in s.normal.line())
    size = ", ".join(map(str, s.resize.size))
    crops = f"crop_to_aspect_ratio={s.crop is not None}"
    lines = [f"keras.layers.Resizing({size}, {s.mode!r}, {crops})"]
    lines.append(f"keras.layers.Rescaling({gain}, {offset})")
    return _written("import keras", "keras.Sequential([|])", lines)


TARGETS: dict[str, Callable[[Pipeline], str]] = {
    f.__name__: f for f in (torchvision, transformers, albumentations, keras)
}
