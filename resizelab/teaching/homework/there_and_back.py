"""Homework: shrink and enlarge without drift."""

from __future__ import annotations

from typing import Any

import numpy as np

from resizelab.arrays.resizing import weights
from resizelab.axis.spec import Spec

from .task import Task


def there_and_back(x, k):
    """Return (small, back): x shrunk k times, and small enlarged k times again."""
    small = x.reshape(-1, k).mean(axis=1)
    place = (np.arange(len(x)) + 0.5) / k - 0.5
    back = np.interp(place, np.arange(len(small)), small)
    return small, back


def _by(down: str, up: str) -> Any:
    def trip(x: Any, k: int) -> tuple[Any, Any]:
        few = len(x) // k
        small = weights(Spec(grid=down), len(x), few) @ x
        return small, weights(Spec(grid=up), few, len(x)) @ small

    return trip


def _ramp(k: int, blocks: int) -> tuple[Any, int]:
    return np.arange(float(k * blocks)), k


def _off(answer: Any) -> Any:
    """Return how far content has moved, away from the border, in pixels of x.

    x is a ramp whose value is its place; whatever shrinks and enlarges fairly keeps it.
    """
    try:
        small, back = (np.asarray(part, float) for part in answer)
        k = len(back) / len(small)
        centres = (np.arange(len(small)) + 0.5) * k - 0.5
        near = int(2 * k)
        off = (back - np.arange(len(back)))[near:-near]
        return (small - centres)[2:-2], off, np.float64(k)
    except (TypeError, ValueError, ZeroDivisionError):
        return repr(answer)


TASK = Task(
    name="there-and-back",
    title="There and back without drift",
    words="""\
An encoder shrinks, a decoder enlarges, and the answer has moved: half a pixel here, half a pixel there.
`x` has k · m numbers.
Write `there_and_back(x, k)`, which returns two rows: `small` with m numbers, and `back` with as many as x.
Away from the border nothing may have moved, neither in `small` nor in `back`: pixel j of `small` stands over the middle of its k pixels.
How you average is your choice.""",
    solution=there_and_back,
    slips={
        "every k-th pixel, then half_pixel": (
            _by("asymmetric", "half_pixel"),
            "small takes the first pixel of each k and back is fair: content has moved "
            "(k − 1)/2 pixels to the upper left's opposite.",
        ),
        "asymmetric both ways": (
            _by("asymmetric", "asymmetric"),
            "back is in its place, but small is not: a box found on it is off.",
        ),
        "half_pixel down, asymmetric up": (
            _by("half_pixel", "asymmetric"),
            "small is right, and enlarging moved it.",
        ),
        "posts": (
            _by("align_corners", "align_corners"),
            "Pixels are posts here: small is stretched towards its ends.",
        ),
        "tiles down, posts up": (
            _by("half_pixel", "align_corners"),
            "small is right, and enlarging stretched it: its ends were pinned.",
        ),
    },
    shown=((2, 8),),
    always=((3, 9), (4, 10)),
    given=_ramp,
    seen=_off,
    draw=lambda source: (source.randint(2, 8), source.randint(8, 14)),
    think="Why is every k-th pixel fair to `back` if back is asymmetric, and to whom is it not?",
    rubric={
        "both moves cancel": 1,
        "whoever reads small: boxes, a second branch, a loss": 1,
    },
)
