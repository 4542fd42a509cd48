"""Homework: write the nearest rule of an engine, to the last bit."""

from __future__ import annotations

import numpy as np

from resizelab.axis.grid import grid
from resizelab.axis.picking import nearest_index
from resizelab.checks import FloatArray

from .task import Task


def nearest_rule(n_in, n_out):
    """Return, for each of the n_out outputs, the index of the pixel it copies."""
    step = np.float32(n_in / n_out)
    place = np.arange(n_out, dtype=np.float32) * step
    return np.minimum(np.floor(place).astype(int), n_in - 1)


def _picked(mode: str, rounding: str, n_in: int, n_out: int) -> FloatArray:
    index = nearest_index(grid(mode, n_in, n_out).positions(), rounding)
    return np.clip(index, 0, n_in - 1).astype(float)


TASK = Task(
    name="nearest-rule",
    title="Which pixel does nearest copy?",
    words="""\
PyTorch's `F.interpolate(mode="nearest")` copies, for output i, the pixel at i · n_in / n_out, cut to a whole number.
It computes the step n_in / n_out once, rounds it to `float32`, and multiplies in `float32`.
Write `nearest_rule(n_in, n_out)`, which gives the index for each output.
It has to be right at every size, 3 to 123 included.""",
    solution=nearest_rule,
    slips={
        "whole numbers": (
            lambda a, b: np.arange(b) * a // b,
            "You compute without rounding. PyTorch's step is a float32, and at some "
            "sizes it falls below a whole number.",
        ),
        "nearest-exact": (
            lambda a, b: _picked("half_pixel", "round_prefer_ceil", a, b),
            'You read at the centres of tiles: that is mode="nearest-exact".',
        ),
        "rounded": (
            lambda a, b: np.minimum(np.floor(np.arange(b) * a / b + 0.5), a - 1),
            "You round the place. PyTorch cuts it.",
        ),
        "align_corners": (
            lambda a, b: _picked("align_corners", "half_away", a, b),
            "Both ends stay where they are: those are posts.",
        ),
    },
    shown=((9, 3), (4, 10), (5, 7)),
    always=((3, 123), (2, 82), (11, 4)),
    draw=lambda source: (source.randint(3, 40), source.randint(5, 90)),
    think="Find two sizes at which whole numbers give another index, and say which output it is.",
    rubric={"two sizes that differ": 1, "the output, and why the step is too small": 1},
)
