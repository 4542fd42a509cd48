"""What the card's page knows beside the recorded answers, as data.

* `dresses`: what is done to all numbers alike: divided by 255, a mean taken off, grey
  made of colours;
* `recipes`: the one-axis resizes that people call, as numbers with which the page
  works out a second resize, a crop or a frame of any size.
"""

import tomllib
from collections.abc import Sequence
from importlib import resources
from itertools import product
from typing import Any

import numpy as np

import resizelab as rl
from resizelab.axis.convention import Convention
from resizelab.axis.kernel import PICKING
from resizelab.axis.operator import Weights
from resizelab.axis.spec import Axis
from resizelab.catalog import phrases
from resizelab.pipelines import known
from resizelab.pipelines.pixels import Normalise
from resizelab.teaching.messages import spoken_below

# position = (output pixel + phase) · step - offset; corners: step = (n - 1) / (m - 1)
GRIDS = {
    "half_pixel": (0.5, 0.5, False),
    "tf_half_pixel_for_nn": (0.5, 0.0, False),
    "asymmetric": (0.0, 0.0, False),
    "align_corners": (0.0, 0.0, True),
}
# What is added to a position before it is cut to a pixel; a tie is a tie.
ROUNDED = {
    "floor": 1e-6,
    "round_prefer_ceil": 0.5 + 1e-6,
    "round_prefer_floor": 0.5 - 1e-6,
}
FINE = 8  # polynomials a pixel, of a kernel that is none itself
# Sizes on which two calls have to agree to be one recipe.
ASKED = ((12, 21), (22, 5), (12, 24), (24, 21), (22, 11), (44, 5), (16, 21))
SENTENCES = ("said", "name", "page")  # what holds sentences in card_words.toml
SAME = 2e-3  # of a weight: TensorFlow's cubic is a table of 1024 steps


def words() -> dict[str, Any]:
    """Return what the page says, and the numbers of what is done to all pixels."""
    text = (resources.files(__package__) / "card_words.toml").read_text("utf-8")
    found: dict[str, Any] = spoken_below(tomllib.loads(text), *SENTENCES)
    return found


def material() -> dict[str, Any]:
    """Return what the page needs of it, but for the recipes, which are recorded."""
    told = words()
    page = told["page"]
    chroma = np.full((8, 8), 99)
    chroma[:4, :4] = told["jpeg_colours"]
    tables = [told["jpeg"], chroma.ravel().tolist()]
    made = {"dresses": dresses(), "jpeg": tables, "sentences": page}
    made |= {key: told[key] for key in ("models", "curves")}
    return {**made, "directions": page["directions"]}


def dresses() -> list[dict[str, Any]]:
    """Return y = gain · x + offset a channel, the plainest first, and its sentence.

    >>> dresses()[1]["said"], round(1 / dresses()[1]["gains"][0])
    ('divided by 255', 255)
    """
    told = words()
    made: list[dict[str, Any]] = []

    def add(gain: Any, offset: Any, said: str, **more: Any) -> None:
        both = [
            [float(f"{v:.8g}") for v in np.broadcast_to(w, 3)] for w in (gain, offset)
        ]
        made.append({"gains": both[0], "offsets": both[1], "said": said, **more})

    plain = [(d["gain"], d["offset"], d["said"]) for d in told["plain"]]
    for gain, offset, said in plain:
        add(gain, offset, said)
    for norm in told["norm"]:
        stage = next(
            s
            for s in known.named(norm["pipeline"]).stages
            if isinstance(s, Normalise) and s.mean
        )
        mean, std = np.array(stage.mean), np.array(stage.std or (1.0,) * 3)
        for key, order in (("norm", 1), ("norm_reversed", -1)):
            m, s = mean[::order], std[::order]
            add(1 / (stage.divisor * s), -m / s, told["said"][key].format(**norm))
        if stage.divisor != 1:
            add(1 / std, -mean / std, told["said"]["norm_undivided"].format(**norm))
    for grey, (gain, offset, said) in product(told["grey"], plain[:4]):
        r, g, b = grey["weights"]
        # The card's blue is 255 less its red, which is its green.
        own, shift = r + g - b, 255 * b
        both = f"{grey['said']}, {said}" if said else grey["said"]
        add(gain * own, gain * shift + offset, both, grey=True)
    return made


def recipes(calls: Sequence[Sequence[Any]]) -> list[dict[str, Any]]:
    """Return the recipes that ``card_words.toml`` names, with the calls of each."""
    rows = [rl.convention(name) for name, *_ in calls if name in rl.conventions()]
    operators = {r.name: _operators(r) for r in rows if r.scale is None}
    place = {name: k for k, (name, *_) in enumerate(calls)}
    made = []
    for name in words()["recipes"]:
        row = rl.convention(name)
        own, fields = _operators(row), recipe(row)
        # A picture that grows on one axis is not what one axis alone tells.
        alike = [r for r in rows if dict(r.growing).get("kernel") == fields["grows"]]
        asked = [r.name for r in alike if r.name in operators]
        members = [place[k] for k in asked if _alike(own, operators[k])]
        made.append({**fields, "calls": members})
    return made


def recipe(row: Convention) -> dict[str, Any]:
    """Return one row as the numbers with which the page makes its operators."""
    spec = row.spec
    phase, offset, corners = GRIDS[spec.grid]
    told: dict[str, Any] = {
        "name": row.name,
        "said": phrases.common([row]),
        "grid": [phase, offset, corners],
        "antialias": spec.antialias,
        "outside": spec.boundary,
        "blur": "gaussian" in row.particulars.prefilter,
        "spline": "bspline" in row.particulars.prefilter,
        "grows": dict(row.growing).get("kernel"),
    }
    if spec.kernel == "nearest":
        summed = row.particulars.coordinate_arithmetic == "running_sum"
        tie = 0.0 if summed else ROUNDED[spec.nearest_mode or "floor"]
        return {**told, "pick": tie, "summed": summed}
    if spec.kernel in PICKING:
        return {**told, "cells": spec.kernel}
    kernel = Axis(8, 8, spec).kernel
    per = 2 if spec.kernel == "box" else 1
    if spec.kernel not in ("linear", "cubic", "box", "bspline"):
        per = FINE
    # Its last point belongs to a box alone.
    closed = spec.kernel == "box"
    return {**told, "per": per, "pieces": pieces(kernel, per), "closed": closed}


def pieces(kernel: Any, per: int) -> list[list[float]]:
    """Return a kernel as cubics, ``per`` a pixel, each of its own 0 … 1."""
    nodes = (1 - np.cos(np.pi * (np.arange(8) + 0.5) / 8)) / 2
    count = round(kernel.radius * per)
    at = (np.arange(count)[:, None] + nodes) / per
    return [
        [
            round(float(c), 5)
            for c in np.polynomial.polynomial.polyfit(nodes, kernel(x), 3)
        ]
        for x in at
    ]


def _operators(row: Convention) -> list[Weights]:
    return [rl.weights(row, n, m) for n, m in ASKED]


def _alike(some: Sequence[Weights], others: Sequence[Weights]) -> bool:
    pairs = zip(some, others, strict=True)
    return all(np.abs(a.dense() - b.dense()).max() < SAME for a, b in pairs)
