"""The page state of segmentation: a stride, a grid, and what a way down asks for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab import measure
from resizelab.arrays.resizing import weights
from resizelab.axis.operator import Weights
from resizelab.axis.spec import Spec
from resizelab.checks import FloatArray
from resizelab.teaching.explorers.base import Item
from resizelab.teaching.explorers.controls import State, choice, ranged
from resizelab.teaching.figures.page import Page
from resizelab.teaching.figures.photo_words import MASKS
from resizelab.teaching.figures.photographs import GRIDS, Photograph

KINDS = ("mask", "pairs", "moves")
WAYS = ("pool", "padded", "same")
PLACES, BORDER, DEEP = 21, 16, 4
FEW = 2.0**20  # what a weight is rounded to, so that a page stays small

CONTROLS = (
    ranged("step", MASKS["control.step"], 2, 5),
    choice("grid", MASKS["control.grid"], {g: g for g in GRIDS}, quiet=True),
    ranged("n", MASKS["control.n"], 256, 257),
    choice("way", MASKS["control.way"], {w: MASKS["way." + w] for w in WAYS}),
    ranged("place", MASKS["control.place"], 0, 100, 100 // (PLACES - 1)),
)


def _up(grid: str, n: int, stride: int) -> Weights:
    return weights(Spec(grid=grid), n // stride, n)


def logits(depth: FloatArray, stride: int) -> FloatArray:
    """Return a perfect network's numbers: the depth where half_pixel has them."""
    down, right = (weights(Spec(), n, n // stride) for n in depth.shape)
    read: FloatArray = np.round(right.apply(down.apply(depth, 0), 1) * FEW) / FEW
    return read


def mask(read: FloatArray, grid: str, stride: int) -> NDArray[np.bool_]:
    """Return where the enlarged numbers are not negative."""
    down, right = (_up(grid, n * stride, stride) for n in read.shape)
    inside: NDArray[np.bool_] = right.apply(down.apply(read, 0), 1) >= -1e-9
    return inside


@cache
def moved(n: int, way: str, grid: str) -> FloatArray:
    """Return how far content has moved after four halvings and one enlargement.

    The halvings are 2 x 2 pooling, or convolutions with stride 2: with padding 1, or
    with TensorFlow's SAME. The outermost 16 pixels are left out.

    >>> moved(256, "pool", "half_pixel").any(), moved(256, "padded", "half_pixel").max()
    (np.False_, np.float64(7.5))
    """
    x = np.arange(n, dtype=float)
    for _ in range(DEEP):
        if way == "pool":
            x = x[: len(x) // 2 * 2].reshape(-1, 2).mean(1)
        else:
            x = x[int(way == "same" and len(x) % 2 == 0) :: 2]
    gone: FloatArray = np.arange(n) - weights(Spec(grid=grid), len(x), n) @ x
    return gone[BORDER:-BORDER].round(9) + 0.0


def _items(photograph: Photograph, depth: FloatArray, state: State) -> dict[str, Item]:
    step, n, way = state["step"], state["n"], state["way"]
    stride, truth = 2**step, depth >= 0
    read = logits(depth, stride)
    found: dict[str, Item] = {**photograph.items(), f"map|{step}": read}
    found[f"stride|{step}"] = np.array([float(stride)])
    for grid in GRIDS:
        for part, size in zip(("down", "right"), photograph.size, strict=True):
            found[f"{part}|{grid}|{step}"] = _up(grid, size, stride)
        dice = float(measure.dice(truth, mask(read, grid, stride)))
        found[f"dice|{grid}|{step}"] = np.array([dice])
        gone = moved(n, way, grid)
        some = np.linspace(0, len(gone) - 1, PLACES).round().astype(int)
        found[f"moved|{grid}|{n}|{way}"] = gone[some]
        found[f"most|{grid}|{n}|{way}"] = np.array([np.abs(gone).max()])
    return found


def masks(photograph: Photograph, name: str = "mask", **start: Any) -> Page:
    """Return the page state of segmentation.

    It holds ``step`` (one logit every 2 ** step pixels), ``grid`` (that the network is
    run with), ``n`` and ``way`` (of a network that goes down) and ``place``.
    """
    first = {"step": 3, "grid": "asymmetric", "n": 256, "way": "pool", "place": 50}
    states = [{**first, "step": k} for k in range(2, 6)]
    states += [{**first, "n": n, "way": w} for n in (256, 257) for w in WAYS]
    keys = {"map": "map|{step}", "look": "{grid}"}
    for k, grid in (("", "{grid}"), (":home", GRIDS[0])):
        for part, of in (("down", "down"), ("right", "right"), ("told", "dice")):
            keys[part + k] = f"{of}|{grid}|{{step}}"
    keys |= {f"moves:{grid}": f"moved|{grid}|{{n}}|{{way}}" for grid in GRIDS}
    told = {f"dice:{grid}": (f"dice|{grid}|{{step}}", "first") for grid in GRIDS}
    told |= {f"most:{g}": (f"most|{g}|{{n}}|{{way}}", "first") for g in GRIDS}
    told["stride"] = "stride|{step}", "first"
    return Page(
        name,
        CONTROLS,
        {**first, **start},
        partial(_items, photograph, photograph.depth()),
        states,
        kinds=KINDS,
        words=MASKS,
        told=told,
        looks=GRIDS,
        keys={**photograph.keys, **keys},
    )


def pairs(miou: Mapping[tuple[int, str, str], float], name: str = "pair") -> Page:
    """Return the page state of what was measured for pairs of grids.

    It holds ``step``, as `masks` does. ``miou`` is in %, by (stride, grid of the
    training, grid of the run).
    """

    def items(state: State) -> dict[str, Item]:
        stride = 2 ** state["step"]
        known = [miou[stride, made, run] for made in GRIDS for run in GRIDS]
        stride_ = np.array([float(stride)])
        return {
            f"miou|{state['step']}": np.array(known),
            f"stride|{state['step']}": stride_,
        }

    return Page(
        name,
        CONTROLS[:2],
        {"step": 3, "grid": GRIDS[0]},
        items,
        [{"step": k} for k in range(2, 6)],
        kinds=KINDS,
        words=MASKS,
        told={"stride": ("stride|{step}", "first")},
        looks=GRIDS,
        keys={"miou": "miou|{step}"},
    )
