"""The exercises of the page "tf1-bug"."""

from typing import Any

import numpy as np

from resizelab.arrays.resizing import weights
from resizelab.axis.grid import grid
from resizelab.axis.spec import Spec
from resizelab.teaching.exercises.exercise import Exercise


def _frame(n: int, m: int, more: int) -> int:
    """Return a frame's width: as many pixels as lie before the first read, or more."""
    return int(grid("half_pixel", n, m).positions()[0]) + more


def _corner(n: int, m: int, more: int) -> dict[str, float]:
    frame = _frame(n, m, more)
    to_edge = np.minimum(np.arange(n), np.arange(n)[::-1])
    dark = (to_edge >= frame).astype(float)

    def says(**choices: Any) -> float:
        # The frame is bright where a row or a column is not dark.
        return float(1 - (weights(Spec(**choices), n, m) @ dark)[0] ** 2)

    return {
        "half_pixel": says(grid="half_pixel"),
        "asymmetric": says(grid="asymmetric"),
        "half_pixel, antialias": says(grid="half_pixel", antialias=True),
        "the mean of a block": float(1 - dark[: n // m].mean() ** 2),
    }


thin_frame = Exercise(
    name="tf1-bug-thin-frame",
    stem="""\
A dark picture of {n}×{n} pixels has a bright frame of width {frame} and no square.
`half_pixel_centers=True` shrinks it to {m}×{m}, and its result passes the flip test.
Dark is 0 and bright is 1: how bright is a corner of the small picture?""",
    values={"n": 16, "m": 4, "more": 0},
    draws={"n": range(20, 49), "m": (3, 4, 5, 6), "more": (0, 1, 1, 1)},
    answers=_corner,
    shown=lambda n, m, more: {"frame": _frame(n, m, more)},
    tolerance=0.01,
    hint="The first output reads at {n}/{m}/2 − 1/2 along each axis. "
    "Which two pixels does it blend, and are they in the frame?",
    feedback={
        "half_pixel": "Right: it blends two pixels along each axis and sees no other. "
        "Symmetric is not yet faithful.",
        "asymmetric": "Not yet: that is the old default, which reads pixel 0.",
        "half_pixel, antialias": "Not yet: that is `antialias=True` of version 2, which "
        "reads a whole block and some more.",
        "the mean of a block": "Not yet: that is the mean of the first block. The "
        "operation blends only two pixels along each axis.",
    },
)


def _move(step: int, m: int) -> dict[str, float]:
    half, asymmetric = (
        float(grid(name, step * m, m).positions()[0])
        for name in ("half_pixel", "asymmetric")
    )
    return {
        "the grids' distance": half - asymmetric,
        "the other way": asymmetric - half,
        "output pixels": (half - asymmetric) / step,
        "half a step": step / 2,
        "one step": float(step),
    }


repair = Exercise(
    name="tf1-bug-repair",
    stem="""\
You hold a graph with the bug and may only change its input.
It shrinks {n} pixels to {m} along each axis.
By how many input pixels do you move the content to the upper left, so that the old operation gives the half-pixel answer?""",
    values={"step": 3, "m": 5},
    draws={"step": range(3, 32, 2), "m": (4, 5, 6, 7, 8, 16)},
    answers=_move,
    unit="input pixels",
    tolerance=0.05,
    hint="Where does the first output read under each grid, with a step of {step}? "
    "The content has to come to where the old operation reads.",
    feedback={
        "the grids' distance": "Right. With an even step the distance ends in one half, "
        "and no whole shift mends it.",
        "the other way": "Not yet: the old operation reads too far to the upper left "
        "already. Bring the content to it.",
        "output pixels": "Not yet: that is the distance in pixels of the small picture.",
        "half a step": "Not yet: half a step is where a block ends, not its middle pixel.",
    },
    shown=lambda step, m: {"n": step * m},
)
