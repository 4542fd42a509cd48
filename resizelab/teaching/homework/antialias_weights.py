"""Homework: shrink without aliasing, by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from resizelab.arrays.resizing import weights
from resizelab.axis.spec import Spec

from .task import Task


def antialias_weights(n_in, n_out):
    """Return the (n_out, n_in) matrix of a linear resize with antialias."""
    step = n_in / n_out
    wide = max(step, 1)
    place = (np.arange(n_out) + 0.5) * step - 0.5
    away = np.abs(np.arange(n_in) - place[:, None]) / wide
    tent = np.maximum(1 - away, 0)
    return tent / tent.sum(axis=1, keepdims=True)


def _tent(n_in: int, n_out: int, wide: float) -> Any:
    place = (np.arange(n_out) + 0.5) * n_in / n_out - 0.5
    return np.maximum(1 - np.abs(np.arange(n_in) - place[:, None]) / wide, 0)


def _narrowed(n_in: int, n_out: int) -> Any:
    tent = _tent(n_in, n_out, n_in / n_out)
    return tent / np.maximum(tent.sum(axis=1, keepdims=True), 1e-9)


def _block(n_in: int, n_out: int) -> Any:
    edges = np.arange(n_out + 1) * n_in / n_out
    left, right = edges[:-1, None], edges[1:, None]
    pixel = np.arange(n_in)
    share = np.minimum(right, pixel + 1) - np.maximum(left, pixel)
    return np.maximum(share, 0) * n_out / n_in


TASK = Task(
    name="antialias-weights",
    title="Antialias by hand",
    words="""\
Linear reads two pixels, so a resize that shrinks tenfold never looks at eight of ten.
With antialias the tent is made as wide as the step is long, and a row sums to one again.
Pixels are tiles, and pixels outside the picture are left out.
Where the axis grows, the tent stays as it is.
Write `antialias_weights(n_in, n_out)`: what Pillow's `BILINEAR` and PyTorch's `antialias=True` compute.""",
    solution=antialias_weights,
    slips={
        "no antialias": (
            lambda a, b: weights(Spec(), a, b).dense(),
            "Your tent keeps its width, and most pixels are never read.",
        ),
        "rows that do not sum to one": (
            lambda a, b: _tent(a, b, max(a / b, 1)) / max(a / b, 1),
            "You divide by the step. At the border a row has fewer taps, and a flat "
            "picture darkens.",
        ),
        "a narrow tent": (
            _narrowed,
            "Your tent gets narrower where the axis grows. It must not be less than one "
            "pixel wide on each side.",
        ),
        "the mean of a block": (
            _block,
            "That is area, as OpenCV's INTER_AREA. Antialias weighs the near pixels more.",
        ),
        "the border repeated": (
            lambda a, b: weights(Spec(antialias=True, boundary="edge"), a, b).dense(),
            "You let the last pixel stand in for those outside. They are left out.",
        ),
    },
    shown=((8, 4), (10, 3)),
    always=((12, 5), (3, 7), (20, 3)),
    draw=lambda source: (source.randint(9, 30), source.randint(2, 8)),
    think="A line one pixel wide is shrunk tenfold. What is left of it, with antialias and without?",
    rubric={
        "a tenth of its brightness, wherever it stands": 1,
        "all or nothing without": 1,
    },
)
