"""The exercises of the page "nearest"."""

import numpy as np

from resizelab.axis.grid import grid
from resizelab.axis.picking import nearest_index
from resizelab.teaching.exercises.exercise import Exercise

_DOWN = "asymmetric, rounded down"
_HALF = "half_pixel, rounded to the nearest"
_LAST = "align_corners, rounded to the nearest"


def _copied(n_in: int, n_out: int, pixel: int) -> dict[str, float]:
    def read(mode: str, rounding: str) -> float:
        places = grid(mode, n_in, n_out).positions()
        index = nearest_index(places, rounding)[pixel - 1]
        return float(np.clip(index, 0, n_in - 1))

    return {
        _HALF: read("half_pixel", "round_prefer_ceil"),
        _DOWN: read("asymmetric", "floor"),
        _LAST: read("align_corners", "half_away"),
    }


copied = Exercise(
    name="nearest-copied",
    stem="""\
Shrink {n_in} pixels to {n_out} with `torch.nearest-exact`, which reads by half_pixel and rounds to the nearest.
The first pixel has index 0.
Which index does output {last} copy?""",
    values={"n_in": 9, "n_out": 3, "pixel": 3},
    draws={
        "n_in": (9, 10, 11, 12, 13, 14, 15, 21),
        "n_out": (3, 5, 7),
        "pixel": (2, 3),
    },
    answers=_copied,
    shown=lambda n_in, n_out, pixel: {"last": pixel - 1},
    tolerance=0.4,
    hint="The place is ({last} + 0.5) · {n_in}/{n_out} − 0.5.",
    feedback={_DOWN: "Not yet: that is what `torch.nearest` copies."},
)


def _ties(n_in: int, n_out: int) -> dict[str, float]:
    def count(mode: str) -> float:
        places = grid(mode, n_in, n_out).positions()
        return float(np.isclose(places % 1, 0.5).sum())

    return {"half_pixel": count("half_pixel"), "align_corners": count("align_corners")}


ties = Exercise(
    name="nearest-ties",
    stem="""\
{n_in} pixels become {n_out}.
Under half_pixel, how many outputs read exactly between two pixels?""",
    values={"n_in": 4, "n_out": 10},
    draws={"n_in": range(3, 13), "n_out": range(3, 17)},
    answers=_ties,
    unit="outputs",
    tolerance=0.4,
    hint="Write the places down: they start at {start:.2f}, and the step is {step:.2f}.",
    shown=lambda n_in, n_out: {
        "start": 0.5 * n_in / n_out - 0.5,
        "step": n_in / n_out,
    },
    feedback={"align_corners": "Not yet: that counts the ties of align_corners."},
)
