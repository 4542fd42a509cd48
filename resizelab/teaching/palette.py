"""One colour and one marker per convention, for the whole book.

Plots and explorers ask here and nowhere else, so a reader who has learnt that
align_corners is the orange square meets it again in every picture.  No two names
share both a colour and a marker, so the pictures also work without colour.
"""

from __future__ import annotations

import math
import zlib
from typing import NamedTuple

# Each hue twice: dark enough for white paper, light enough for a dark page
# (at least 4.5:1 against #ffffff and against #14181e).
_HUES = {
    "blue": ("#0b62b8", "#6cb6ff"),
    "orange": ("#a84300", "#f69d50"),
    "green": ("#0f7a3d", "#57c785"),
    "purple": ("#7a3fc0", "#c49bff"),
    "red": ("#b3261e", "#ff8f87"),
    "teal": ("#087682", "#4fcbd8"),
    "pink": ("#ad2f7f", "#f58ac7"),
    "brown": ("#77590a", "#d9b44a"),
}

# What is no convention: letters, lines, tiles, by the colours that plots draw them in.
_GREYS = {
    "ink": ("#5b6470", "#b4bdc8"),
    "line": ("#9aa3ad", "#6a7480"),
    "tile": ("#dde3ea", "#2c343e"),
}

_NAMED = {f"hue-{name}": both for name, both in _HUES.items()}
_NAMED |= {f"plot-{name}": both for name, both in _GREYS.items()}


class Style(NamedTuple):
    """How one convention looks.

    ``light`` and ``dark`` are hex colours for a light and a dark page; ``marker``
    is a shape's name, which ``mpl_marker`` says in Matplotlib's letters.
    """

    light: str
    dark: str
    marker: str

    @property
    def mpl_marker(self) -> str:
        """The marker as Matplotlib names it."""
        return MARKERS[self.marker]


MARKERS = {
    "circle": "o",
    "square": "s",
    "triangle": "^",
    "diamond": "D",
    "down": "v",
    "plus": "P",
    "cross": "X",
    "star": "*",
}

_PLUS = [
    *[(-0.35, -1.1), (0.35, -1.1), (0.35, -0.35), (1.1, -0.35)],
    *[(1.1, 0.35), (0.35, 0.35), (0.35, 1.1), (-0.35, 1.1)],
    *[(-0.35, 0.35), (-1.1, 0.35), (-1.1, -0.35), (-0.35, -0.35)],
]


def _star(points: int, outer: float, inner: float) -> list[tuple[float, float]]:
    turns = [math.pi * (k / points - 0.5) for k in range(2 * points)]
    sizes = [inner if k % 2 else outer for k in range(2 * points)]
    return [
        (round(r * math.cos(a), 3), round(r * math.sin(a), 3))
        for r, a in zip(sizes, turns, strict=True)
    ]


_CORNERS: dict[str, list[tuple[float, float]]] = {
    "circle": [],
    "square": [(-0.88, -0.88), (0.88, -0.88), (0.88, 0.88), (-0.88, 0.88)],
    "triangle": [(0, -1.15), (1.1, 0.8), (-1.1, 0.8)],
    "diamond": [(0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0)],
    "down": [(0, 1.15), (1.1, -0.8), (-1.1, -0.8)],
    "plus": _PLUS,
    "cross": [(round(0.72 * (x - y), 3), round(0.72 * (x + y), 3)) for x, y in _PLUS],
    "star": _star(5, 1.25, 0.55),
}

_NAMES = {
    # coordinate grids
    "half_pixel": ("blue", "circle"),
    "align_corners": ("orange", "square"),
    "asymmetric": ("green", "triangle"),
    "tf_half_pixel_for_nn": ("purple", "diamond"),
    "pytorch_half_pixel": ("teal", "down"),
    "half_pixel_symmetric": ("pink", "plus"),
    "tf_crop_and_resize": ("brown", "cross"),
    "dial": ("red", "star"),
    "half_pixel.keys": ("blue", "down"),
    "half_pixel.cubic": ("red", "down"),
    "half_pixel.area": ("blue", "plus"),
    "half_pixel.lanczos3": ("blue", "cross"),
    "half_pixel.round_prefer_floor": ("blue", "triangle"),
    "half_pixel.round_prefer_ceil": ("purple", "cross"),
    # kernels
    "cubic": ("blue", "star"),
    "cubic-0.5": ("teal", "triangle"),
    "cubic-0.6": ("brown", "triangle"),
    "cubic-0.75": ("red", "triangle"),
    "cubic-1": ("purple", "triangle"),
    "linear": ("green", "circle"),
    "mitchell": ("orange", "down"),
    "lanczos2": ("pink", "diamond"),
    "lanczos3": ("pink", "down"),
    "lanczos4": ("pink", "triangle"),
    "box": ("green", "down"),
    "hamming": ("brown", "down"),
    "bspline": ("purple", "down"),
    "own": ("red", "plus"),
    # a rule for boxes that is no grid
    "inclusive": ("red", "cross"),
    # libraries, and their calls: orange and green are the hues of align_corners and
    # asymmetric, so only what reads on those grids has them
    "torch": ("red", "circle"),
    "torch.nearest-exact": ("red", "diamond"),
    "tensorflow": ("teal", "plus"),
    "tf1": ("green", "square"),
    "tf1.nearest.align_corners": ("orange", "diamond"),
    "tf1.nearest.half_pixel_centers": ("pink", "star"),
    "tf2": ("teal", "diamond"),
    "opencv": ("purple", "circle"),
    "opencv.nearest_exact": ("purple", "plus"),
    "pillow": ("teal", "square"),
    "onnx": ("blue", "square"),
    "onnxruntime": ("blue", "diamond"),
    "skimage": ("brown", "circle"),
    "scipy": ("pink", "circle"),
    "jax": ("pink", "square"),
    "openvino": ("purple", "square"),
    "tflite": ("pink", "cross"),
    "ncnn": ("brown", "square"),
    "resize_right": ("teal", "circle"),
    "keras": ("red", "square"),
    "resizelab": ("brown", "plus"),
    # calls that stand beside their library's plain one
    "torch.bilinear.antialias": ("brown", "star"),
    "torch.bicubic.antialias": ("brown", "diamond"),
    "tf2.bilinear.antialias": ("teal", "cross"),
    "tf1.bilinear.align_corners": ("orange", "star"),
    "opencv.area": ("purple", "star"),
    "pillow.lanczos": ("teal", "star"),
}

_ALIASES = {
    "pytorch": "torch",
    "tensorflow 1": "tf1",
    "tensorflow 2": "tf2",
    "tensorflow2": "tf2",
    "tensorflow1": "tf1",
    "scikit-image": "skimage",
    "onnx runtime": "onnxruntime",
    "litert": "tflite",
    "resize-right": "resize_right",
}


def style(name: str) -> Style:
    """Return the colour and marker of a grid, a library or a convention's name.

    A full name takes its library's look (``"torch.bilinear"`` looks like
    ``"torch"``) unless it is listed itself.  An unknown name gets a look of its
    own that never changes.

    >>> style("align_corners").marker
    'square'
    >>> style("torch.bilinear") == style("PyTorch")
    True
    """
    low = name.strip().lower()
    for key in (low, low.split(".", 1)[0]):
        key = _ALIASES.get(key, key)
        if key in _NAMES:
            hue, marker = _NAMES[key]
            return Style(*_HUES[hue], marker)
    # A hash of the letters, not of this run: the same name looks the same tomorrow.
    number = zlib.crc32(low.encode())
    hues, markers = list(_HUES), list(MARKERS)
    hue = hues[number % len(hues)]
    return Style(*_HUES[hue], markers[number // len(hues) % len(markers)])


def corners(marker: str) -> list[list[float]]:
    """Return a marker's corners as [x, y], y down, for a marker of size 1.

    A circle has none. Raises KeyError for an unknown marker.

    >>> corners("triangle")
    [[0, -1.15], [1.1, 0.8], [-1.1, 0.8]]
    """
    return [list(place) for place in _CORNERS[marker]]


def variable(colour: str) -> str:
    """Return the name that pages know a colour by, with the colour; others unchanged.

    >>> variable("#0b62b8"), variable("#ffffff")
    ('var(--hue-blue,#0b62b8)', '#ffffff')
    """
    for name, (light, _) in _NAMED.items():
        if colour == light:
            return f"var(--{name},{light})"
    return colour


def sheet() -> str:
    """Return the style sheet that gives each colour its value, by the page's theme."""
    light, dark = (
        ";".join(f"--{name}:{both[k]}" for name, both in _NAMED.items()) for k in (0, 1)
    )
    return f":root{{{light}}}\nhtml[data-theme=dark]{{{dark}}}\n"


def names() -> list[str]:
    """Return the names that have a look of their own, in a fixed order."""
    return list(_NAMES)
