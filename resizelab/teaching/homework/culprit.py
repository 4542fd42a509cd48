"""Homework: find the culprit of two arrays."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from resizelab.arrays.resizing import weights
from resizelab.axis.spec import Spec

from .task import Case, Task

MAKERS = {
    "half_pixel": Spec(),
    "align_corners": Spec(grid="align_corners"),
    "asymmetric": Spec(grid="asymmetric"),
    "none": Spec(kernel="cubic", a=-0.75),
}


def culprit(x, y):
    """Return "half_pixel", "align_corners", "asymmetric" or "none" of them."""
    n, m = len(x), len(y)
    i = np.arange(m)
    places = {
        "half_pixel": (i + 0.5) * n / m - 0.5,
        "align_corners": i * (n - 1) / (m - 1),
        "asymmetric": i * n / m,
    }
    for name, place in places.items():
        if np.abs(np.interp(place, np.arange(n), x) - y).max() < 1e-4:
            return name
    return "none"


def _rows(maker: str, n_in: int, n_out: int) -> Case:
    x = np.random.default_rng(1000 * n_in + n_out).integers(0, 256, n_in).astype(float)
    return x, weights(MAKERS[maker], n_in, n_out) @ x


def _by(score: Any, none_above: float = np.inf) -> Any:
    """Return a detective who takes the grid of the least ``score``."""

    def detective(x: Any, y: Any) -> str:
        grids = {k: spec for k, spec in MAKERS.items() if k != "none"}
        scores = {
            name: score(weights(spec, len(x), len(y)) @ x, y)
            for name, spec in grids.items()
        }
        best = min(scores, key=lambda name: scores[name])
        return best if scores[best] <= none_above else "none"

    return detective


def _drawn(source: random.Random) -> Case:
    # More than two pixels and no equal sizes, or two grids are one.
    n_in = source.randint(5, 12)
    return source.choice(list(MAKERS)), n_in, n_in + source.randint(3, 15)


TASK = Task(
    name="culprit",
    title="Find the culprit of two arrays",
    words="""\
`x` went into a linear resize of one axis, and `y` came out.
Which of the three grids was it: half_pixel (i + 1/2) · n/m − 1/2, align_corners i · (n − 1)/(m − 1), or asymmetric i · n/m?
Write `culprit(x, y)`, which returns the grid's name, or "none" if none of the three gives `y`.
A place outside the first and the last centre counts as that centre.""",
    solution=culprit,
    slips={
        "a closest that does not fit": (
            _by(lambda a, b: np.abs(a - b).max()),
            "You always name somebody. Rebuild y from your answer: where it does not "
            "come out, the answer is none.",
        ),
        "a look at the middle": (
            _by(lambda a, b: abs(a[len(a) // 2] - b[len(b) // 2])),
            "You compare the middle, where half_pixel and align_corners read the same "
            "place.",
        ),
        "a look at the ends": (
            _by(lambda a, b: abs(a[-1] - b[-1]), 1e-4),
            "You compare the last numbers. At that end all three grids may say the same.",
        ),
    },
    shown=(("half_pixel", 4, 8), ("asymmetric", 5, 9)),
    always=(
        ("align_corners", 7, 13),
        ("none", 8, 16),
        ("none", 6, 11),
        ("half_pixel", 5, 15),
        ("asymmetric", 6, 17),
    ),
    given=_rows,
    draw=_drawn,
    think="Give an x for which no look at y can tell half_pixel from asymmetric.",
    rubric={"a flat x": 1, "says that weights sum to one": 1},
)
