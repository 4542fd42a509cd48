"""The images within an SVG of Matplotlib's, in fewer bytes."""

from __future__ import annotations

import base64
import io
import re
from typing import Any

from resizelab.teaching.extras import extra

with extra("small images", "plots"):
    from PIL import Image

# From this many bytes on a picture may lose what nobody sees.
MUCH = 24_000


def smaller(node: Any, scale: float) -> None:
    """Write an ``<image>`` anew in the fewest bytes; smooth if it has too many pixels.

    Pixels that are drawn larger than they are stay squares. ``scale`` is CSS pixels a
    unit of the drawing. Raises ValueError for an image that is not in the SVG itself.
    """
    head, _, data = node.get("href").partition(",")
    if "base64" not in head:
        raise ValueError(f"href={head[:80]!r}: an image within the SVG is needed")
    picture: Any = Image.open(io.BytesIO(base64.b64decode(data)))
    if picture.mode == "RGBA" and picture.getextrema()[3][0] == 255:
        picture = picture.convert("RGB")
    if picture.mode == "RGB" and _grey(picture):
        picture = picture.convert("L")
    told = "png", _written(picture, "PNG", optimize=True)
    ways: list[dict[str, Any]] = [{"lossless": True}, {"quality": 90}]
    for way in ways:
        if way.get("lossless") or len(told[1]) > MUCH:
            other = _written(picture, "WEBP", method=6, **way)
            told = min(told, ("webp", other), key=lambda each: len(each[1]))
    node.set(
        "href", f"data:image/{told[0]};base64,{base64.b64encode(told[1]).decode()}"
    )
    shown = scale * _width(node)
    node.attrib.pop("style", None)
    if picture.width < shown:
        node.set("style", "image-rendering:pixelated")


def _width(node: Any) -> float:
    """Return how many points wide an image is drawn."""
    scale = re.search(r"matrix\(([\d.-]+)|scale\(([\d.-]+)", node.get("transform", ""))
    grown = abs(float(scale[1] or scale[2])) if scale else 1.0
    return float(node.get("width")) * grown


def _grey(picture: Any) -> bool:
    red, *others = (band.tobytes() for band in picture.split())
    return all(band == red for band in others)


def _written(picture: Any, kind: str, **how: Any) -> bytes:
    file = io.BytesIO()
    picture.save(file, kind, **how)
    return file.getvalue()
