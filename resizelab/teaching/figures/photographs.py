"""A photograph with an object in it, and what a map of few pixels says of it."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from resizelab.checks import FloatArray
from resizelab.teaching.explorers.base import Item

FEW = 3 * 64 * 64
# The first is that of PyTorch's default: the grid beside which others are shown.
GRIDS = ("half_pixel", "align_corners", "asymmetric")


@dataclass(frozen=True)
class Photograph:
    """A photograph, and an ellipse that is laid by hand around its object.

    Parameters
    ----------
    picture : bytes
        WebP, of any resolution.
    size : (int, int)
        Height and width, in the pixels that are counted.
    ellipse : (float, float, float, float)
        Middle across and down, half width and half height, from the picture's corner.

    >>> Photograph(b"", (4, 4), (2, 2, 1, 1)).mask().sum()
    np.int64(4)
    """

    picture: bytes
    size: tuple[int, int]
    ellipse: tuple[float, float, float, float]

    @classmethod
    def read(cls, path: str | Path) -> Photograph:
        """Return the photograph ``path``: the WebP and JSON files of that name."""
        path = Path(path)
        known = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        picture = path.with_suffix(".webp").read_bytes()
        return cls(picture, tuple(known["size"]), tuple(known["ellipse"]))

    def mask(self) -> NDArray[np.bool_]:
        """Return which pixels have their centre inside, (height, width)."""
        y, x = np.indices(self.size) + 0.5
        cx, cy, rx, ry = self.ellipse
        inside: NDArray[np.bool_] = ((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2 <= 1
        return inside

    def share(self, side: int) -> FloatArray:
        """Return how much of each block of ``side`` pixels the object covers."""
        high, wide = (n // side for n in self.size)
        blocks = self.mask().reshape(high, side, wide, side)
        shares: FloatArray = blocks.mean((1, 3))
        return shares

    def depth(self, fold: int = 1) -> FloatArray:
        """Return how deep inside the object each pixel's centre lies, in pixels.

        Outside it is negative. ``fold`` counts in pixels so many times smaller.

        >>> Photograph(b"", (4, 4), (2, 2, 1, 1)).depth().round(1)[1]
        array([-0.6,  0.3,  0.3, -0.6])
        """
        y, x = (np.indices([n * fold for n in self.size]) + 0.5) / fold
        cx, cy, rx, ry = self.ellipse
        turn = np.linspace(0, 2 * np.pi, 720, endpoint=False)
        edge = (cx + rx * np.cos(turn), cy + ry * np.sin(turn))
        far = np.full(x.shape, np.inf)
        for at_x, at_y in zip(*edge, strict=True):
            np.minimum(far, np.hypot(x - at_x, y - at_y), out=far)
        inside = ((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2 <= 1
        signed: FloatArray = fold * np.where(inside, far, -far)
        return signed

    @property
    def box(self) -> FloatArray:
        """The ellipse's box from edge to edge: left, top, right, bottom."""
        cx, cy, rx, ry = self.ellipse
        return np.array([cx - rx, cy - ry, cx + rx, cy + ry], float)

    def pixels(self) -> NDArray[np.uint8]:
        """Return the picture itself, (rows, columns, 3)."""
        # Imported here: who only looks at figures needs no Pillow.
        from PIL import Image

        with Image.open(io.BytesIO(self.picture)) as opened:
            return np.asarray(opened.convert("RGB"))

    @property
    def keys(self) -> dict[str, str]:
        """What drawings call this photograph's arrays."""
        return {name: name for name in ("photo", "size", "truth")}

    def items(self) -> dict[str, Item]:
        """Return the picture's bytes, its size, and the ellipse."""
        return {
            "photo": np.frombuffer(self.picture, np.uint8),
            "size": np.array(self.size, float),
            "truth": np.array(self.ellipse, float),
        }


def webp(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a picture as the bytes of a WebP: one of few pixels without loss."""
    from PIL import Image

    out = io.BytesIO()
    Image.fromarray(pixels).save(
        out, "WEBP", lossless=pixels.size < FEW, quality=60, method=6
    )
    return np.frombuffer(out.getvalue(), np.uint8)
