"""The page state of one row of pixels: where each output reads, and what it takes."""

from __future__ import annotations

from typing import Any

import numpy as np

from resizelab.arrays.resizing import weights
from resizelab.axis.grid import grid
from resizelab.axis.kernel import kernel
from resizelab.axis.spec import Spec
from resizelab.teaching.explorers.base import Item
from resizelab.teaching.explorers.controls import State
from resizelab.teaching.figures.page import Page
from resizelab.teaching.figures.row_words import RECIPE

VALUES = {"climb": (0.0, 10.0, 20.0, 30.0), "spot": (0.0, 0.0, 30.0, 0.0)}
N_IN, N_OUT = 4, range(1, 17)
GRID, SHAPE = "half_pixel", "linear"
KINDS = ("steps", "wall", "tent", "ribbons", "matrix")

CONTROLS = (
    {
        **{"key": "n_out", "kind": "range", "label": RECIPE["control.n_out"]},
        **{"min": 1, "max": N_OUT[-1], "step": 1},
    },
    {
        **{"key": "pixel", "kind": "range", "label": RECIPE["head.pixel"]},
        **{"min": 0, "max": N_OUT[-1] - 1, "step": 1, "below": "n_out"},
    },
    {
        **{"key": "values", "kind": "choice", "label": RECIPE["control.values"]},
        "options": {
            key: ", ".join(f"{v:g}" for v in row) for key, row in VALUES.items()
        },
    },
)


def items(state: State) -> dict[str, Item]:
    """Return what ``n_out`` outputs read and take, and the kernel's shape.

    ``x|8`` are positions, ``u|8`` the same from the left end of the first tile,
    ``w|8`` the operator, ``tap|8`` and ``share|8`` the taps before anything is done
    about those outside; ``climb`` and ``spot`` are the input pixels.
    """
    n_out, k = state["n_out"], kernel(SHAPE)
    x = grid(GRID, N_IN, n_out).positions()
    taps = np.floor(x)[:, None] + np.arange(2)
    offsets = np.linspace(-k.radius, k.radius, 41)
    return {
        f"x|{n_out}": x,
        f"u|{n_out}": x + 0.5,
        f"w|{n_out}": weights(Spec(kernel=SHAPE, grid=GRID), N_IN, n_out),
        f"size|{n_out}": np.array([N_IN / n_out]),
        f"tap|{n_out}": taps.astype(np.int16),
        f"share|{n_out}": k(taps - x[:, None]),
        "offset": offsets,
        "height": k(offsets),
        "range": np.array([0.0, 30.0]),
        **{key: np.array(row) for key, row in VALUES.items()},
    }


def recipe(name: str = "row", **start: Any) -> Page:
    """Return the page state of four pixels that become ``n_out``, linearly.

    It holds ``n_out``, ``pixel`` and ``values``.

    >>> page = recipe(n_out=8)
    >>> page.figure("tent").setup["page"]
    'row'
    """
    first = {"n_out": 8, "pixel": 1, "values": "climb"}
    return Page(
        name,
        CONTROLS,
        {**first, **start},
        items,
        ({"n_out": m} for m in N_OUT),
        kinds=KINDS,
        words=RECIPE,
        told={
            "position": ("x|{n_out}", "here"),
            "middle": ("u|{n_out}", "here"),
            "size": ("size|{n_out}", "first"),
        },
        looks=(GRID,),
        keys={
            **{k: f"{k}|{{n_out}}" for k in ("x", "u", "w", "tap", "share")},
            **{k: k for k in ("offset", "height", "range")},
            "values": "{values}",
            "look": GRID,
        },
    )
