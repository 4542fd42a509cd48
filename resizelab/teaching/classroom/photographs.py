"""Six photographs for a class, what is marked on them, and what is cut out of them.

Pixel (row, column) covers the square from its numbers to those plus one: marks are
counted from the picture's corner, across first.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import numpy as np

from resizelab import checks
from resizelab.arrays.resizing import resize
from resizelab.axis.spec import Spec
from resizelab.checks import FloatArray
from resizelab.modelfiles import files

Bytes = np.ndarray[Any, np.dtype[np.uint8]]
Part = Literal["train", "test"]

FOLDER = Path(__file__).parent / "data"
# name: whose it is, and under which terms
SOURCES = {
    "brick": ("cc0textures.com, Bricks25", "CC0"),
    "grass": ("linolafett", "CC0"),
    "gravel": ("cc0textures.com, Gravel04", "CC0"),
    "cat": ("Stéfan van der Walt", "CC0"),
    "cup": ("Rachel Michetti", "CC0"),
    "face": ("NASA", "public domain"),
}
SURFACES = ("brick", "grass", "gravel", "cat")
PARTS = ("train", "test")
TILE, SCENE = 40, 192
# The background beside the cat is nobody's surface.
_FROM, _TO = {"cat": 40}, {"cat": 330}
_CELLS = 5  # blots across a scene
_LUMA = np.array([299, 587, 114])  # Rec. 601, in thousandths


@dataclass(frozen=True)
class Marks:
    """What was marked on a photograph by hand, in its pixels, across first.

    ``ellipses`` are (middle across, middle down, half width, half height), from which
    masks and boxes follow; ``points`` are (across, down).
    """

    ellipses: dict[str, tuple[float, float, float, float]]
    points: dict[str, tuple[float, float]]

    def boxes(self) -> dict[str, FloatArray]:
        """Return each ellipse's box from edge to edge: left, top, right, bottom.

        >>> marks("face").boxes()["mouth"].tolist()
        [107.0, 137.5, 149.0, 154.5]
        """
        return {
            name: np.array([cx - rx, cy - ry, cx + rx, cy + ry], float)
            for name, (cx, cy, rx, ry) in self.ellipses.items()
        }

    def mask(self, name: str, shape: tuple[int, int]) -> np.ndarray[Any, Any]:
        """Return the pixels (height, width) whose middle lies in an ellipse.

        >>> marks("cup").mask("rim", (200, 300)).sum()
        np.int64(8637)
        """
        found = self.ellipses[checks.one_of("name", name, self.ellipses)]
        cx, cy, rx, ry = found
        down, across = (np.arange(checks.size("shape", n)) + 0.5 for n in shape)
        far = np.add.outer(((down - cy) / ry) ** 2, ((across - cx) / rx) ** 2)
        return np.asarray(far <= 1)


def photograph(name: str) -> Bytes:
    """Return a photograph, (height, width) or (height, width, 3) bytes; needs Pillow.

    >>> photograph("cat").shape
    (300, 451, 3)
    """
    checks.one_of("name", name, SOURCES)
    found = files.array(FOLDER / f"{name}.webp")
    # WebP has no grey pictures: theirs come back as three equal channels.
    return found[..., 0] if (found == found[..., :1]).all() else found


def marks(name: str) -> Marks:
    """Return what is marked on a photograph: "cat", "cup" or "face"."""
    all_ = json.loads((FOLDER / "marks.json").read_text(encoding="utf-8"))
    found = all_[checks.one_of("name", name, all_)]
    return Marks(*({k: tuple(v) for k, v in found[kind].items()} for kind in found))


@cache
def surface(name: str, part: Part) -> Bytes:
    """Return the half of a surface that is trained or tested on, in grey.

    The left half is for training, the right one for testing: no pixel is in both.

    >>> surface("brick", "test").shape
    (512, 256)
    """
    checks.one_of("name", name, SURFACES)
    grey = photograph(name)[:, _FROM.get(name) : _TO.get(name)]
    if grey.ndim == 3:
        grey = ((grey.astype(int) @ _LUMA + 500) // 1000).astype(np.uint8)
    checks.one_of("part", part, PARTS)
    return np.array_split(grey, 2, axis=1)[PARTS.index(part)]


def tiles(part: Part) -> tuple[Bytes, Any]:
    """Return the surfaces cut into squares of `TILE`, beside each other, and labels.

    >>> x, y = tiles("test")
    >>> x.shape, [int((y == k).sum()) for k in range(4)]
    ((237, 40, 40), [72, 72, 72, 21])
    """
    found, labels = [], []
    for label, name in enumerate(SURFACES):
        x = surface(name, part)
        rows, columns = (n // TILE for n in x.shape)
        cut = x[: rows * TILE, : columns * TILE].reshape(rows, TILE, columns, TILE)
        found.append(cut.swapaxes(1, 2).reshape(-1, TILE, TILE))
        labels += [label] * (rows * columns)
    return np.concatenate(found), np.array(labels)


def crops(count: int, seed: int, part: Part = "train") -> tuple[Bytes, Any]:
    """Return squares cut anywhere, half of them mirrored, and their labels."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(len(SURFACES), size=checks.size("count", count))
    return np.stack([_crop(rng, SURFACES[k], part, TILE) for k in labels]), labels


def scenes(count: int, seed: int, part: Part = "test") -> tuple[Bytes, Any]:
    """Return composed pictures (count, `SCENE`, `SCENE`) and their maps of classes.

    Smooth blots say which surface lies where; each is filled from the photograph of
    its class, mirrored at its edge where the photograph is smaller than the scene.

    >>> x, truth = scenes(2, seed=5)
    >>> x.shape, x.dtype, sorted(set(truth.ravel().tolist()))
    ((2, 192, 192), dtype('uint8'), [0, 1, 2, 3])
    """
    rng = np.random.default_rng(seed)
    smooth = Spec(kernel="cubic", a=-0.5)
    found, maps = [], []
    for _ in range(checks.size("count", count)):
        fields = rng.standard_normal((len(SURFACES), _CELLS, _CELLS))
        truth = resize(fields, (SCENE, SCENE), smooth, axes=(1, 2)).argmax(0)
        filled = np.stack([_crop(rng, name, part, SCENE) for name in SURFACES])
        found.append(np.take_along_axis(filled, truth[None], 0)[0])
        maps.append(truth)
    return np.stack(found), np.stack(maps)


def _crop(rng: np.random.Generator, name: str, part: Part, n: int) -> Bytes:
    x = surface(name, part)
    short = [max(0, n - size) for size in x.shape]
    x = np.pad(x, [(0, s) for s in short], mode="reflect")
    top, left = (int(rng.integers(size - n + 1)) for size in x.shape)
    cut = x[top : top + n, left : left + n]
    return cut[:, ::-1] if rng.integers(2) else cut
