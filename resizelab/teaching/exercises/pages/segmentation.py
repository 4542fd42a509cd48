"""The exercises of the page "segmentation"."""

import numpy as np

from resizelab import measure
from resizelab.teaching.exercises.exercise import Exercise


def _moved_square(side: int, off: int) -> dict[str, float]:
    n = side + off
    truth, mask, across = np.zeros((3, n, n), bool)
    truth[off:, off:] = True
    mask[:side, :side] = True
    across[off:, :side] = True
    score = measure.dice(truth, mask)
    return {
        "Dice": score,
        "IoU": measure.iou(truth, mask),
        "one axis alone": measure.dice(truth, across),
        "the share that is missed": 1 - score,
    }


square = Exercise(
    name="segmentation-square",
    stem="""\
A lesion is a square of {side} × {side} pixels.
The mask is the same square, {off} pixels too far left and {off} too high.
What is its Dice?""",
    values={"side": 8, "off": 2},
    draws={"side": (6, 7, 8, 9, 10, 12, 14, 16, 18, 20), "off": (2, 3, 4)},
    answers=_moved_square,
    shown=lambda side, off: {"common": side - off},
    tolerance=0.005,
    hint="The two squares share a square of {common} × {common} pixels.",
    feedback={
        "Dice": "Right: twice the common area over the sum of both.",
        "IoU": "Not yet: that is IoU, which divides by the area of either. "
        "Dice divides by the mean of the two areas.",
        "one axis alone": "Not yet: that is a move along one axis. This one is along "
        "both.",
        "the share that is missed": "Not yet: that is the share of the lesion outside "
        "the mask.",
    },
)


def _right_size(steps: int, about: int) -> dict[str, float]:
    s = 2**steps
    sizes = range(about - 7, about + 8)
    # Padded convolutions stand on every s-th pixel, pools over whole cells of s.
    posts = [n for n in sizes if (n - 1) % s == 0]
    tiles = [n for n in sizes if n % s == 0]
    return {
        "align_corners": posts[0],
        "half_pixel and pooling": tiles[0],
        "one too few": tiles[0] - 1,
    }


size = Exercise(
    name="segmentation-size",
    stem="""\
A network goes down by {steps} convolutions (3 × 3, stride 2, padding 1) and comes up with align_corners.
Which input size from {low} to {high} pixels brings every pixel back to its place?""",
    values={"steps": 5, "about": 512},
    draws={"steps": (4, 5), "about": range(128, 1025, 32)},
    answers=_right_size,
    shown=lambda steps, about: {
        "low": about - 7,
        "high": about + 7,
        "stride": 2**steps,
    },
    unit="pixels",
    tolerance=0.1,
    hint="""\
The convolutions read one pixel in {stride}, from the first on.
The last pixel must be one of them.""",
    feedback={
        "align_corners": "Right: one more than a multiple of the stride.",
        "half_pixel and pooling": "Not yet: that size suits pooling and half_pixel, "
        "which count tiles. Padded convolutions and align_corners count posts.",
        "one too few": "Not yet: posts are one more than tiles, not one fewer.",
    },
)
