"""The page state of repeated resizes: doublings, a place, and a network's levels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from itertools import product
from typing import Any

import numpy as np

from resizelab import drift
from resizelab.arrays.resizing import weights
from resizelab.axis.operator import Weights
from resizelab.axis.spec import Spec
from resizelab.checks import FloatArray
from resizelab.teaching.explorers.base import Item
from resizelab.teaching.explorers.controls import State, choice, ranged
from resizelab.teaching.figures.page import Page
from resizelab.teaching.figures.photo_words import CHAINS
from resizelab.teaching.figures.photographs import GRIDS, Photograph

KINDS = ("mask", "growth", "moves", "levels")
STEPS, WIDE, DEEP = 5, 64, 3
# A way down is an operator: the mean of two pixels, or a tent on every second pixel.
DOWN = {
    "pool": Spec(kernel="area"),
    "strided": Spec(grid="asymmetric", antialias=True),
}
UP = {grid: Spec(grid=grid) for grid in ("half_pixel", "asymmetric")}
WAYS = tuple(f"{way}{k}" for way in "du" for k in range(1, DEEP + 1))

CONTROLS = (
    ranged("step", CHAINS["control.step"], 0, STEPS),
    choice("grid", CHAINS["control.grid"], {g: g for g in GRIDS}, quiet=True),
    ranged("pixel", CHAINS["control.pixel"], 24, 40),
    ranged("place", CHAINS["control.place"], 0, 15, 0.5),
    *(
        choice(
            way,
            CHAINS["control." + way[0]],
            {k: CHAINS["way." + k] for k in (DOWN if way[0] == "d" else UP)},
        )
        for way in WAYS
    ),
)


@cache
def _chain(grid: str, n: int) -> tuple[drift.Drift, ...]:
    return drift.doubling(Spec(grid=grid), n, STEPS)


def _operator(grid: str, n: int, step: int) -> Weights:
    """Return a chain as one operator, in so few bits that the page stays small."""
    whole = _chain(grid, n)[step - 1].operator if step else Weights.identity(n)
    return replace(whole, weight=np.round(whole.weight * 2**20) / 2**20)


def _moved(grid: str, n: int, step: int, places: FloatArray) -> FloatArray:
    """Return how far places have moved, in pixels of the image after ``step``."""
    if not step:
        return np.zeros(len(places))
    last = _chain(grid, n)[step - 1]
    true = (places + 0.5) * last.n / n - 0.5
    return np.array([last.lands(p) for p in places]) - true


def ways(state: State) -> Iterator[tuple[Spec, int]]:
    """Return each resize of a network's levels: what it is, and the size it makes."""
    size = WIDE
    for way in WAYS:
        known, size = (DOWN, size // 2) if way[0] == "d" else (UP, size * 2)
        yield known[state[way]], size


@cache
def _out(*chosen: str) -> float:
    specs, sizes = zip(*ways(dict(zip(WAYS, chosen, strict=True))), strict=True)
    return drift.chain(specs, WIDE, sizes)[-1].shift


@cache
def _level(n: int) -> dict[str, Item]:
    found: dict[str, Item] = {
        f"down|{k}|{n}": weights(spec, n, n // 2) for k, spec in DOWN.items()
    }
    return found | {f"up|{k}|{n // 2}": weights(s, n // 2, n) for k, s in UP.items()}


def spot(pixel: int) -> FloatArray:
    """Return a spot of the network's picture, (64,)."""
    return np.exp(-((np.arange(WIDE) - pixel) ** 2) / 32)


def _items(photograph: Photograph, state: State) -> dict[str, Item]:
    high, wide = (n // 8 for n in photograph.size)
    step, chosen = state["step"], [state[way] for way in WAYS]
    across, down = (np.array([v / 8 - 0.5]) for v in photograph.ellipse[:2])
    found: dict[str, Item] = {**photograph.items(), "map": photograph.share(8) - 0.5}
    for grid in GRIDS:
        key = f"|{grid}|{step}"
        found["down" + key] = _operator(grid, high, step)
        found["right" + key] = _operator(grid, wide, step)
        ends = ((wide, across), (high, down))
        found["off" + key] = np.ravel([_moved(grid, n, step, at) for n, at in ends])
        found["moved" + key] = _moved(grid, 16, step, np.arange(31) / 2)
    lost = np.array([-d.in_current()[0] for d in _chain("asymmetric", 16)])
    found |= {"now": lost, "first": lost / 2.0 ** np.arange(1, STEPS + 1)}
    now = -_moved("asymmetric", 16, step, np.array([7.5]))
    found |= {f"lost|{step}": now + 0, f"share|{step}": now / 2**step + 0}
    found[f"n|{step}"] = np.array([16.0 * 2**step])
    for n in (64, 32, 16):
        found |= _level(n)
    found[f"blob|{state['pixel']}"] = spot(state["pixel"])
    found["out|" + "|".join(chosen)] = np.array([_out(*chosen) + 0.0])
    return found


def _keys() -> dict[str, str]:
    """Return what the drawings call the items."""
    keys = {"now": "now", "first": "first", "look": "asymmetric"}
    keys |= {"map": "map", "blob": "blob|{pixel}"}
    keys["out"] = "out|" + "|".join(f"{{{way}}}" for way in WAYS)
    for k, grid in (("", "{grid}"), (":home", GRIDS[0])):
        for part, of in (("down", "down"), ("right", "right"), ("told", "off")):
            keys[part + k] = f"{of}|{grid}|{{step}}"
    keys |= {f"moves:{grid}": f"moved|{grid}|{{step}}" for grid in GRIDS}
    for n in (64, 32, 16):
        keys |= {f"down:{k}:{n}": f"down|{k}|{n}" for k in DOWN}
        keys |= {f"up:{k}:{n // 2}": f"up|{k}|{n // 2}" for k in UP}
    return keys


def chains(photograph: Photograph, name: str = "chain", **start: Any) -> Page:
    """Return the page state of repeated resizes.

    It holds ``step`` (doublings), ``grid``, ``place`` (of 16 pixels), and of the
    network ``d1`` … ``d3`` (down), ``u1`` … ``u3`` (up) and ``pixel`` (its spot).
    ``photograph`` has a mask that begins as a map of an eighth.
    """
    first = {"step": 3, "grid": "asymmetric", "pixel": 31, "place": 0}
    first |= {way: "pool" if way[0] == "d" else "half_pixel" for way in WAYS}
    states = [{**first, "step": k} for k in range(STEPS + 1)]
    states += [{**first, "pixel": k} for k in range(24, 41)]
    both = [tuple(DOWN)] * DEEP + [tuple(UP)] * DEEP
    states += [
        first | dict(zip(WAYS, chosen, strict=True)) for chosen in product(*both)
    ]
    keys = _keys()
    told = {k: (k + "|{step}", "first") for k in ("lost", "share", "n")}
    return Page(
        name,
        CONTROLS,
        {**first, **start},
        partial(_items, photograph),
        states,
        kinds=KINDS,
        words=CHAINS,
        told={**told, "out": (keys["out"], "first")},
        looks=GRIDS,
        keys={**photograph.keys, **keys},
    )
