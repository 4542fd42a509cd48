"""The game of the hidden call: send a row, read the answer, see who is crossed out.

The state is the row to send (its shape, where its pixel or edge stands), how many
pixels are asked for, and what was sent so far. A page holds the operators of all
suspects; what they are is compared with the real libraries where the page is made.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

import numpy as np

from resizelab.arrays.resizing import weights
from resizelab.catalog import convention
from resizelab.checks import FloatArray
from resizelab.teaching.explorers.base import Item
from resizelab.teaching.explorers.controls import State
from resizelab.teaching.figures.game_words import SUSPECTS
from resizelab.teaching.figures.page import Page

N_IN, N_OUT, FULL = 8, range(3, 17), 10.0
SHAPES = ("flat", "ramp", "pixel", "edge")
# Answers farther apart than this, in levels of 0 to 10, are two answers.
APART = 0.05
# What the page calls them, and what the table does.
CALLS = {
    "torch bilinear": "torch.bilinear",
    "TF 1 bilinear": "tf1.bilinear",
    "torch align_corners": "torch.bilinear.align_corners",
    "Pillow BILINEAR": "pillow.bilinear",
    "torch bicubic": "torch.bicubic",
    "TF 2 bicubic": "tf2.bicubic",
    "Pillow BICUBIC": "pillow.bicubic",
    "OpenCV INTER_AREA": "opencv.area",
    "torch nearest": "torch.nearest",
    "torch nearest-exact": "torch.nearest-exact",
    "torch grid_sample": "torch.grid_sample.bilinear.zeros",
}
# The cases' hidden calls.
HIDDEN = (
    *("opencv.area", "pillow.bicubic", "torch.nearest-exact", "torch.bilinear"),
    *("torch.grid_sample.bilinear.zeros", "tf2.bicubic"),
)
PROBES = 6  # the most that may be sent

_WHOLE = {"kind": "range", "step": 1}
CONTROLS = (
    {
        **_WHOLE,
        "key": "case",
        "label": SUSPECTS["control.case"],
        "min": 1,
        "max": len(HIDDEN),
    },
    {
        "key": "shape",
        "kind": "choice",
        "label": SUSPECTS["control.shape"],
        "options": {shape: SUSPECTS["shape." + shape] for shape in SHAPES},
    },
    {
        **_WHOLE,
        "key": "pixel",
        "label": SUSPECTS["control.pixel"],
        "min": 0,
        "max": N_IN - 1,
    },
    {
        **_WHOLE,
        "key": "n_out",
        "label": SUSPECTS["control.n_out"],
        "min": N_OUT[0],
        "max": N_OUT[-1],
    },
    # Each as shape · 1000 + pixel · 100 + n_out, the first shape being 1; 0 is none.
    {
        **_WHOLE,
        "key": "sent",
        "kind": "numbers",
        "label": SUSPECTS["control.sent"],
        "min": 0,
        "max": 9999,
        "count": PROBES,
    },
)


def sent(shape: str) -> FloatArray:
    """Return the rows of a shape, one for each place of its pixel: (8, 8).

    >>> sent("edge")[6]
    array([ 0.,  0.,  0.,  0.,  0.,  0., 10., 10.])
    """
    at, j = np.indices((N_IN, N_IN))
    rows = {
        "flat": j * 0 + 1,
        "ramp": j / (N_IN - 1),
        "pixel": j == at,
        "edge": j >= at,
    }
    return np.asarray(FULL * rows[shape], np.float64)


def items(state: State) -> dict[str, Item]:
    """Return the rows, the suspects' operators for an ``n_out``, and what is hidden."""
    found: dict[str, Item] = {f"x|{shape}": sent(shape) for shape in SHAPES}
    for k, name in enumerate(CALLS.values()):
        found[f"w|{k}|{state['n_out']}"] = weights(
            convention(name), N_IN, state["n_out"]
        )
    return found | {
        "hidden": np.array([list(CALLS.values()).index(h) for h in HIDDEN], np.uint8),
        "fewest": np.array(fewest(), np.uint8),
        "apart": np.array([APART]),
    }


@cache
def fewest() -> list[int]:
    """Return for each case how many probes can do it: one, two, or more (3)."""
    same = []  # a probe: which suspects answer as which
    for n_out, shape in product(N_OUT, SHAPES):
        rows = sent(shape)
        y = np.stack(
            [
                weights(convention(c), N_IN, n_out).dense() @ rows.T
                for c in CALLS.values()
            ]
        )
        far = np.abs(y[:, None] - y[None]).max(2)  # (suspects, suspects, 8)
        same.append(np.moveaxis(far <= APART, 2, 0))
    left = np.concatenate(same)
    best = []
    for name in HIDDEN:
        one = left[:, list(CALLS.values()).index(name)]
        two = (one[:, None] & one[None]).sum(2).min()
        best.append(1 if one.sum(1).min() == 1 else 2 if two == 1 else 3)
    return best


def suspects(name: str = "game", **start: Any) -> Page:
    """Return the page state of the game.

    It holds ``case``, ``shape``, ``pixel``, ``n_out`` and ``sent``.

    >>> suspects(case=2).figure("suspects").state["case"]
    2
    """
    first = {"case": 1, "shape": "flat", "pixel": 3, "n_out": 16, "sent": [0] * PROBES}
    words = {**SUSPECTS, **{f"call.{k}": call for k, call in enumerate(CALLS)}}
    return Page(
        name,
        CONTROLS,
        {**first, **start},
        items,
        ({"n_out": m} for m in N_OUT),
        kinds=("suspects",),
        words=words,
        told={},
        looks=(),
        keys={},
    )
