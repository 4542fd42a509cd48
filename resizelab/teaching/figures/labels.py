"""The page state of labels: a box found in a small picture, drawn on the large one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from resizelab import geometry
from resizelab.axis.spec import Spec
from resizelab.checks import FloatArray
from resizelab.pipelines import Pad, Pipeline, Resize
from resizelab.teaching.explorers.base import Item
from resizelab.teaching.explorers.controls import State, choice, ranged
from resizelab.teaching.figures.page import Page
from resizelab.teaching.figures.photo_words import LABELS
from resizelab.teaching.figures.photographs import GRIDS, Photograph, webp

KINDS = ("labels", "zero")
FORM = "xyxy_edges"
RULES = (*GRIDS, "inclusive")
BACK = ("unpad", "divide", "stretch")
SQUARE, SCALE = 640, 4

CONTROLS = (
    ranged("step", LABELS["control.step"], 1, 4),
    choice("rule", LABELS["control.rule"], {r: LABELS["rule." + r] for r in RULES}),
    choice("back", LABELS["control.back"], {b: LABELS["back." + b] for b in BACK}),
    ranged("place", LABELS["control.place"], 0, 7),
    choice("scene", LABELS["control.scene"], {"plain": "", "letterbox": ""}),
)


def ruled(box: FloatArray, rule: str, small: Any, large: Any) -> FloatArray:
    """Return a box of the small picture in the large one, as a rule has it.

    >>> ruled(np.array([1.0, 1, 2, 2]), "inclusive", (4, 4), (16, 16))
    array([4., 4., 5., 5.])
    """
    if rule == "inclusive":  # the last pixel, times the scale, is taken for the last
        scale = large[1] / small[1]
        last: FloatArray = (box - [0, 0, 1, 1]) * scale + [0, 0, 1, 1]
        return last
    return geometry.place(Spec(grid=rule), small, large).boxes(box, FORM)


def boxed(side: int) -> Pipeline:
    """Return the letterbox of ``side`` pixels."""
    resize = Resize(convention="opencv.linear", rule="round_fit", size=(side, side))
    pad = Pad(size=(side, side), value=(114,))
    return Pipeline(name="letterbox", stages=(resize, pad))


def told(box: FloatArray, truth: FloatArray) -> FloatArray:
    """Return how far a box lies across and down, how much wider it is, and the IoU."""
    off = (box - truth).reshape(2, 2)
    wider = off[1, 0] - off[0, 0]
    shared = float(geometry.iou(box, truth, FORM))
    return np.array([*off.mean(0), wider, shared]).round(9) + 0.0


def _plain(photograph: Photograph, step: int) -> dict[str, Item]:
    high, wide = photograph.size
    side, truth = 2**step, photograph.box
    rows = photograph.pixels().reshape(high // side, side, wide // side, side, 3)
    small = rows.mean((1, 3)).round().astype(np.uint8)
    found: dict[str, Item] = {
        f"small|plain|{step}": webp(small),
        f"from|plain|{step}": truth / side,
        f"shape|plain|{step}": np.array(small.shape[:2], float),
    }
    for rule in RULES:
        mapped = ruled(truth / side, rule, small.shape[:2], (high, wide))
        for back in BACK:
            found[f"mapped|plain|{step}|{rule}|{back}"] = mapped
            found[f"told|plain|{step}|{rule}|{back}"] = told(mapped, truth)
    return found


def _letterbox(photograph: Photograph, step: int) -> dict[str, Item]:
    high, wide = photograph.size
    side, truth = SQUARE // 2**step, photograph.box
    pipeline = boxed(side)
    inside = pipeline.boxes(truth, (high, wide), FORM)
    scale = side / max(high, wide)
    backs = {
        "unpad": pipeline.boxes(inside, (high, wide), FORM, "back"),
        "divide": inside / scale,
        "stretch": inside * np.array([wide, high, wide, high]) / side,
    }
    found: dict[str, Item] = {
        f"small|letterbox|{step}": webp(pipeline.run(photograph.pixels())),
        f"from|letterbox|{step}": inside,
        f"shape|letterbox|{step}": np.array([side, side], float),
    }
    for back, mapped in backs.items():
        for rule in RULES:
            found[f"mapped|letterbox|{step}|{rule}|{back}"] = mapped
            found[f"told|letterbox|{step}|{rule}|{back}"] = told(mapped, truth)
    return found


def _items(scenes: Mapping[str, Photograph], state: State) -> dict[str, Item]:
    step, place = state["step"], state["place"]
    found = _plain(scenes["plain"], step) | _letterbox(scenes["letterbox"], step)
    for scene, photograph in scenes.items():
        own = photograph.items()
        found |= {f"photo|{scene}": own["photo"], f"size|{scene}": own["size"]}
        found[f"truth|{scene}"] = photograph.box
    near, cut, low = (
        np.asarray(found[f"told|{scene}|{step}|{rule}|divide"])
        for scene, rule in (
            ("plain", "asymmetric"),
            ("plain", "inclusive"),
            ("letterbox", "asymmetric"),
        )
    )
    numbers = {"off": -near[0], "iou": near[3], "cut": -cut[2], "down": low[1]}
    numbers |= {"scale": 2.0**step, "side": SQUARE / 2**step}
    found |= {f"{k}|{step}": np.array([v]) for k, v in numbers.items()}
    placed = geometry.place(Spec(), (8,), (8 * SCALE,))
    counts = {
        "centre": placed.points([float(place)])[0],
        "times": float(SCALE * place),
        "corner": place + 0.5,
        "edge": placed.points([place + 0.5], "centre_at_half")[0],
    }
    return found | {f"{k}|{place}": np.array([v]) for k, v in counts.items()}


def labels(
    plain: Photograph, letterbox: Photograph, name: str = "label", **start: Any
) -> Page:
    """Return the page state of labels.

    It holds ``step`` (how often the picture was halved), ``rule`` (how its box is
    moved back), ``back`` (the same out of a letterbox), ``place`` (of 8 pixels).
    """
    first = {"step": 3, "rule": "asymmetric", "back": "divide", "place": 2}
    states = [{**first, "step": k} for k in range(1, 5)]
    states += [{**first, "place": k} for k in range(8)]
    keys = {k: f"{k}|{{scene}}|{{step}}" for k in ("small", "from", "shape")}
    keys |= {k: f"{k}|{{scene}}" for k in ("photo", "size", "truth")}
    for k in ("mapped", "told"):
        keys[k] = f"{k}|{{scene}}|{{step}}|{{rule}}|{{back}}"
    steps = ("off", "iou", "cut", "down", "scale", "side")
    places = ("centre", "times", "corner", "edge")
    known = {k: (k + "|{step}", "first") for k in steps}
    known |= {k: (k + "|{place}", "first") for k in places}
    return Page(
        name,
        CONTROLS,
        {**first, "scene": "plain", **start},
        partial(_items, {"plain": plain, "letterbox": letterbox}),
        states,
        kinds=KINDS,
        words=LABELS,
        told=known,
        looks=(*RULES, "dial"),
        keys={"look": "{rule}", **keys, **{k: v[0] for k, v in known.items()}},
    )
