"""Homework: write the matrix of a linear resize."""

from __future__ import annotations

from typing import Any

import numpy as np

from resizelab.arrays.resizing import weights
from resizelab.axis.spec import Spec

from .task import Task


def linear_weights(n_in, n_out):
    """Return the (n_out, n_in) matrix that resizes n_in pixels to n_out."""
    place = (np.arange(n_out) + 0.5) * n_in / n_out - 0.5
    place = np.clip(place, 0, n_in - 1)
    left = np.floor(place).astype(int)
    right = np.minimum(left + 1, n_in - 1)
    matrix = np.zeros((n_out, n_in))
    np.add.at(matrix, (np.arange(n_out), left), 1 - (place - left))
    np.add.at(matrix, (np.arange(n_out), right), place - left)
    return matrix


def _dense(n_in: int, n_out: int, **choices: Any) -> Any:
    return weights(Spec(**choices), n_in, n_out).dense()


def _open_border(n_in: int, n_out: int) -> Any:
    place = (np.arange(n_out) + 0.5) * n_in / n_out - 0.5
    return np.maximum(1 - np.abs(np.arange(n_in) - place[:, None]), 0)


TASK = Task(
    name="linear-weights",
    title="The matrix of a linear resize",
    words="""\
A linear resize of one axis is a matrix: row i holds the weights of the pixels that output i mixes.
Pixels are tiles, as in PyTorch with `align_corners=False`: output i reads at (i + 1/2) · n_in / n_out − 1/2.
A place outside the first and the last centre counts as that centre.
Write `linear_weights(n_in, n_out)` with NumPy alone.""",
    solution=linear_weights,
    slips={
        "align_corners": (
            lambda a, b: _dense(a, b, grid="align_corners"),
            "Your pixels are posts: both ends stay where they are. Here they are tiles.",
        ),
        "asymmetric": (
            lambda a, b: _dense(a, b, grid="asymmetric"),
            "You read at i · n_in / n_out, as TensorFlow 1 does: half a pixel is missing.",
        ),
        "an open border": (
            _open_border,
            "Rows at the border do not sum to one: a place outside counts as the "
            "nearest centre.",
        ),
        "nearest": (
            lambda a, b: _dense(
                a, b, kernel="nearest", nearest_mode="round_prefer_floor"
            ),
            "Each row takes one pixel whole. A linear resize mixes two.",
        ),
        "antialias": (
            lambda a, b: _dense(a, b, antialias=True),
            "You average when the axis shrinks. Here it reads two pixels, whatever the "
            "sizes.",
        ),
        "the transpose": (
            lambda a, b: _dense(a, b).T,
            "Rows are columns: the matrix has a row for each output.",
        ),
    },
    shown=((4, 8), (5, 3)),
    always=((9, 4), (1, 3), (7, 12)),
    draw=lambda source: (source.randint(3, 20), source.randint(2, 25)),
    think="Which of your rows would be wrong under align_corners, and which right? Why?",
    rubric={"says that the middle row is the same": 1, "gives the reason": 1},
)
