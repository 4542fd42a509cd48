"""Homework: bring boxes back from a letterbox."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from .task import Case, Task


def boxes_back(boxes, size, canvas):
    """Return boxes (x0, y0, x1, y1) of the canvas in the pixels of the picture."""
    (height, width), (high, wide) = size, canvas
    scale = min(high / height, wide / width)
    h, w = round(height * scale), round(width * scale)
    top, left = (high - h) // 2, (wide - w) // 2
    moved = np.asarray(boxes, float) - [left, top, left, top]
    return moved * [width / w, height / h, width / w, height / h]


def _slip(boxes: Any, size: Any, canvas: Any, kind: str) -> Any:
    (height, width), (high, wide) = size, canvas
    scale = min(high / height, wide / width)
    h, w = round(height * scale), round(width * scale)
    pad = np.array([(wide - w) // 2, (high - h) // 2] * 2)
    by = np.array([width / w, height / h] * 2)
    if kind == "one scale":
        by = np.full(4, 1 / scale)
    if kind == "no padding":
        pad = pad * 0
    if kind == "padding at the end":
        return np.asarray(boxes, float) * by - pad
    if kind == "y first":
        pad, by = pad[[1, 0, 3, 2]], by[[1, 0, 3, 2]]
    if kind == "stretched":
        by, pad = np.array([width / wide, height / high] * 2), pad * 0
    return (np.asarray(boxes, float) - pad) * by


def _as(kind: str) -> Any:
    return lambda boxes, size, canvas: _slip(boxes, size, canvas, kind)


def _drawn(source: random.Random) -> Case:
    size = source.sample(range(301, 900), 2)
    box = [source.randint(100, 200) for _ in "xy"] + [
        source.randint(250, 400) for _ in "xy"
    ]
    return [box], tuple(size), (source.choice((512, 640)), source.choice((512, 640)))


TASK = Task(
    name="boxes-back",
    title="Boxes back from the letterbox",
    words="""\
A detector gets its picture in a letterbox: resized by one factor until it fits the canvas, each side rounded to whole pixels with `round`, then padded; the half of the padding, cut to whole pixels, stands left and above.
It answers with boxes (x0, y0, x1, y1) in pixels of the canvas, counted from its upper left edge.
Write `boxes_back(boxes, size, canvas)`, which gives them in the picture's pixels; size and canvas are (height, width).""",
    solution=boxes_back,
    slips={
        "padding left on": (
            _as("no padding"),
            "The padding was never taken off: boxes stand too far to the right or too low.",
        ),
        "one factor for both axes": (
            _as("one scale"),
            "You divide by the factor that was asked for. Each side was rounded, so each "
            "has its own: width / w and height / h.",
        ),
        "padding taken off last": (
            _as("padding at the end"),
            "You scale first and take the padding off then. Padding is in pixels of the "
            "canvas.",
        ),
        "y before x": (
            _as("y first"),
            "Height and width are swapped: a box is (x0, y0, x1, y1), a size (height, "
            "width).",
        ),
        "no letterbox": (
            _as("stretched"),
            "You treat the picture as stretched to the canvas.",
        ),
    },
    shown=(([[100, 100, 300, 400]], (480, 640), (640, 640)),),
    always=(
        ([[120, 130, 300, 310]], (333, 500), (512, 512)),
        ([[10, 200, 90, 280], [200, 150, 400, 380]], (701, 433), (640, 512)),
    ),
    draw=_drawn,
    think="How large is the error of one factor for both axes, at most, for a 640 canvas?",
    rubric={
        "half a pixel of the canvas over the side": 1,
        "a number, in pixels of the picture": 1,
    },
)
