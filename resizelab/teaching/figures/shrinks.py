"""The page states of shrinking: who is read, what stripes become, three areas."""

from __future__ import annotations

from typing import Any

import numpy as np

from resizelab.arrays.resizing import weights
from resizelab.axis.grid import grid
from resizelab.axis.kernel import Stretched, kernel
from resizelab.catalog import convention
from resizelab.teaching.explorers.base import Item
from resizelab.teaching.explorers.controls import Control, State
from resizelab.teaching.figures.page import Page, whole
from resizelab.teaching.figures.scale_words import SHRINK

KINDS = ("ribbons", "bells", "stripes")
N_IN, STRIPES = 12, 48
HOW = {"plain": "torch.bilinear", "antialias": "torch.bilinear.antialias"}
WAYS = {**HOW, "area": "opencv.area"}
AREAS = {"torch": "torch.area", "opencv": "opencv.area", "pillow": "pillow.box"}
LOOKS = {**WAYS, **AREAS}  # one style sheet for the page
AWAY = 2  # outputs at each end that feel the border


def _how(options: dict[str, str]) -> Control:
    labels = {key: SHRINK["how." + key] for key in options}
    return {
        "key": "how",
        "quiet": True,
        "kind": "choice",
        "label": SHRINK["control.how"],
        "options": labels,
    }


def _outputs(least: int, most: int) -> tuple[Control, Control]:
    return (
        whole("n_out", SHRINK["control.n_out"], least, most),
        whole("pixel", SHRINK["head.pixel"], 0, most - 1, below="n_out"),
    )


def _reads(state: State) -> dict[str, Item]:
    """Return operators, reads, kernels' corners and how many pixels nobody reads."""
    m = state["n_out"]
    step = N_IN / m
    found: dict[str, Item] = {f"x|{m}": grid("half_pixel", N_IN, m).positions()}
    for how, name in HOW.items():
        key, wide = f"{how}|{m}", step if how == "antialias" else 1.0
        tent = Stretched(kernel("linear"), wide)
        corners = np.array([-tent.radius, 0.0, tent.radius])
        found["w|" + key] = op = weights(convention(name), N_IN, m)
        found["curve|" + key] = np.stack([corners, tent(corners)], 1).ravel()
        unread = (abs(op.dense()) < 1e-9).all(0).sum()
        found["unread|" + key] = np.array([unread], "u1")
    return found


def shrinking(name: str = "shrink", **start: Any) -> Page:
    """Return 12 pixels that become fewer, without antialias and with it.

    >>> page = shrinking(n_out=4)
    >>> page.figure("ribbons", "unread", how="plain").setup["fixed"]
    {'how': 'plain'}
    """
    sizes = range(2, N_IN + 1)
    return Page(
        name,
        (*_outputs(sizes[0], sizes[-1]), _how(HOW)),
        {"n_out": 4, "pixel": 1, "how": "antialias", **start},
        _reads,
        ({"n_out": m} for m in sizes),
        kinds=KINDS,
        words=SHRINK,
        told={f"unread:{how}": (f"unread|{how}|{{n_out}}", "first") for how in HOW},
        looks=LOOKS,
        keys={
            "w": "w|{how}|{n_out}",
            "x": "x|{n_out}",
            "curve": "curve|{how}|{n_out}",
            "look": "{how}",
        },
    )


def _striped(state: State) -> dict[str, Item]:
    m = state["n_out"]
    values = np.tile(np.array([0, 1], np.float32), STRIPES // 2)
    found: dict[str, Item] = {"values": values}
    for way, name in WAYS.items():
        made = weights(convention(name), STRIPES, m) @ values
        found[f"made|{way}|{m}"] = made.astype(np.float32)
        found[f"spread|{way}|{m}"] = np.array([np.ptp(made[AWAY:-AWAY])])
    return found


def stripes(name: str = "stripes", **start: Any) -> Page:
    """Return 48 stripes of one pixel that become fewer pixels in three ways.

    It tells how far the brightest and the darkest output are apart, without two at
    each end.
    """
    sizes = range(8, STRIPES + 1)
    return Page(
        name,
        _outputs(sizes[0], sizes[-1]),
        {"n_out": 16, "pixel": 5, **start},
        _striped,
        ({"n_out": m} for m in sizes),
        kinds=KINDS,
        words=SHRINK,
        told={f"spread:{way}": (f"spread|{way}|{{n_out}}", "first") for way in WAYS},
        looks=LOOKS,
        keys={"values": "values", "ways": " ".join(WAYS)},
    )


def _averaged(_: State) -> dict[str, Item]:
    values = np.arange(0, 70, 10.0)
    found: dict[str, Item] = {"values": values, "range": np.array([0.0, 60.0])}
    found |= {
        f"w|{how}": weights(convention(name), 7, 3) for how, name in AREAS.items()
    }
    return found


def areas(name: str = "areas", **start: Any) -> Page:
    """Return 7 pixels that become 3 under the areas of three libraries."""
    return Page(
        name,
        (whole("pixel", SHRINK["head.pixel"], 0, 2), _how(AREAS)),
        {"pixel": 0, "how": "torch", **start},
        _averaged,
        ({},),
        kinds=KINDS,
        words=SHRINK,
        told={},
        looks=LOOKS,
        keys={"w": "w|{how}", "values": "values", "range": "range", "look": "{how}"},
    )
