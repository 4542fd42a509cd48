"""The page state of the grids: two sizes, an output pixel, a grid and a dial."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from resizelab.arrays.resizing import weights
from resizelab.axis.grid import grid as positions_of
from resizelab.axis.spec import Spec
from resizelab.teaching.explorers.base import Item
from resizelab.teaching.explorers.controls import State
from resizelab.teaching.figures.page import Page, whole
from resizelab.teaching.figures.words import GRIDS

# The dial runs through these, in this order: 0, 1, 2.
STOPS = ("asymmetric", "half_pixel", "align_corners")
KINDS = ("tiles", "ribbons", "dial")
N_IN, N_OUT = range(2, 9), range(1, 17)

CONTROLS = (
    whole("n_in", "input pixels", 2, N_IN[-1]),
    whole("n_out", "output pixels", 1, N_OUT[-1]),
    whole("pixel", GRIDS["head.pixel"], 0, N_OUT[-1] - 1, below="n_out"),
    {
        "key": "grid",
        "kind": "choice",
        "label": GRIDS["control.grid"],
        "quiet": True,
        "options": {stop: stop for stop in STOPS},
    },
    {
        "key": "dial",
        "kind": "range",
        "label": GRIDS["control.dial"],
        "quiet": True,
        "min": 0,
        "max": 2,
        "step": 0.01,
        "stops": {stop: k for k, stop in enumerate(STOPS)},
    },
)


# Of ribbons that show pixels, 0, 10, 20 …, and what becomes of them.
CLIMB = {"values": "climb|{n_in}", "range": "range|{n_in}"}


def items(state: State) -> dict[str, Item]:
    """Return positions (``x|…``) and linear operators (``w|…``) of the three grids."""
    n = state["n_in"]
    found: dict[str, Item] = {
        f"climb|{n}": 10.0 * np.arange(n),
        f"range|{n}": np.array([0.0, 10.0 * (n - 1)]),
    }
    for name in STOPS:
        key = f"{name}|{state['n_in']}|{state['n_out']}"
        sizes = state["n_in"], state["n_out"]
        found["x|" + key] = positions_of(name, *sizes).positions()
        found["w|" + key] = weights(Spec(kernel="linear", grid=name), *sizes)
    return found


def grids(name: str = "grid", inputs: range = N_IN, **start: Any) -> Page:
    """Return the page state of the grids.

    It holds ``n_in`` (of ``inputs``), ``n_out``, ``pixel``, ``grid`` and ``dial``.

    >>> page = grids(n_in=4, n_out=8)
    >>> page.figure("ribbons").setup["page"]
    'grid'
    """
    first = {"n_in": 4, "n_out": 8, "pixel": 1, "grid": "half_pixel", "dial": 0.5}
    told = {}
    for stop in STOPS:
        key = f"x|{stop}|{{n_in}}|{{n_out}}"
        for how in ("first", "last", "step", "here"):
            told[f"{how}:{stop}"] = key, how
    sizes = product(inputs, N_OUT)
    controls = [
        {**c, "min": inputs[0], "max": inputs[-1]} if c["key"] == "n_in" else c
        for c in CONTROLS
    ]
    return Page(
        name,
        controls,
        {**first, **start},
        items,
        ({"n_in": n, "n_out": m} for n, m in sizes),
        kinds=KINDS,
        words=GRIDS,
        told=told,
        looks=(*STOPS, "dial"),
        keys={
            "w": "w|{grid}|{n_in}|{n_out}",
            "x": "x|{grid}|{n_in}|{n_out}",
            "look": "{grid}",
        },
    )
