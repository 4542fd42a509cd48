"""The page states of sizes: a product beside a whole number, and two steps."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.arrays.sizes import output_size
from resizelab.axis.grid import grid
from resizelab.teaching.explorers.base import Item
from resizelab.teaching.explorers.controls import State
from resizelab.teaching.figures.page import Page, whole
from resizelab.teaching.figures.scale_words import SIZES

KINDS = ("knife", "lost", "rounded", "reads")
MOST = 128  # input and output pixels on the map
RULES = ("floor", "half_even", "half_up", "ceil")
N = range(2, 17)  # pixels that a factor multiplies
TYPES = ("float64", "float32")
LOOKS = {
    **{"float64": "torch", "float32": "onnxruntime"},
    **{"factor": "torch.bilinear.antialias", "sizes": "torch"},
}


def _lost() -> NDArray[np.uint8]:
    """Return the pairs of sizes that lose a pixel in float64, flat: n, m, n, m."""
    n, m = np.mgrid[1 : MOST + 1, 1 : MOST + 1]
    return (np.argwhere(np.floor(n * (m / n)) < m) + 1).astype(np.uint8).ravel()


LOST = _lost()


def _short(state: State) -> dict[str, Item]:
    """Return how far n * (m / n) is from m for each m, in steps of its type, plus one.

    So 0 is a step short, 1 is m and 2 a step above; there is no m of 0.
    """
    n, m = state["n_in"], np.arange(1, MOST + 1)
    found: dict[str, Item] = {"lost": LOST}
    for name in TYPES:
        a, b = np.array(n, name), m.astype(name)
        made = a * (m / n).astype(name)
        step = b - np.nextafter(b, np.zeros_like(b))
        steps = np.rint((made - b) / step) + 1
        found[f"{name}|{n}"] = np.append(1, steps).astype("u1")
        found[f"size|{name}|{n}"] = np.append(0, m - (steps < 1)).astype("u1")
    return found


def knife(name: str = "knife", **start: Any) -> Page:
    """Return two sizes, ``n_in`` and ``n_out``, and the product that should be one.

    >>> page = knife(n_in=88, n_out=120)
    >>> int(page.items(page.start)["size|float64|88"][120])
    119
    """
    sizes = ("n_in", "n_out")
    return Page(
        name,
        [whole(key, SIZES["control." + key], 1, MOST) for key in sizes],
        {"n_in": 88, "n_out": 120, **start},
        _short,
        ({"n_in": n} for n in range(1, MOST + 1)),
        kinds=KINDS,
        words=SIZES,
        told={f"size:{t}": (f"size|{t}|{{n_in}}", "at:n_out") for t in TYPES},
        looks=LOOKS,
        keys={"lost": "lost", **{t: f"{t}|{{n_in}}" for t in TYPES}},
    )


def _rounded(state: State) -> dict[str, Item]:
    n, factor = state["n"], state["factor"]
    key, scale = f"{factor:g}", float(factor)
    small = np.arange(N[0], N[-1] + 1)
    found: dict[str, Item] = {
        f"product|{key}": np.append([0.0, 0.0], small * scale),
    }
    for rule in RULES:
        sizes = [output_size(int(k), scale, rule) for k in small]
        found[f"{rule}|{key}"] = np.append([0, 0], sizes).astype("u1")
    m = output_size(n, scale, "floor")
    by_factor = grid("half_pixel", n, m, scale)
    by_sizes = grid("half_pixel", n, m)
    for name, one in (("factor", by_factor), ("sizes", by_sizes)):
        found[f"{name}|{n}|{key}"] = one.positions()
        found[f"step|{name}|{n}|{key}"] = np.array([one.step])
    return found


def rounding(name: str = "round", **start: Any) -> Page:
    """Return ``n`` pixels times a ``factor``: what comes out, and where it is read.

    >>> page = rounding(n=5, factor=1.5)
    >>> int(page.items(page.start)["floor|1.5"][5])
    7
    """
    tenths = {"kind": "range", "min": 0.5, "max": 3, "step": 0.1}
    whose = ("factor", "sizes")
    return Page(
        name,
        (
            whole("n", SIZES["control.n"], N[0], N[-1]),
            {"key": "factor", "label": SIZES["control.factor"], **tenths},
            whole("pixel", SIZES["head.pixel"], 0, 47),
        ),
        {"n": 7, "factor": 1.5, "pixel": 9, **start},
        _rounded,
        ({"n": n, "factor": k / 10} for n in N for k in range(5, 31)),
        kinds=KINDS,
        words=SIZES,
        told={
            **{f"size:{rule}": (f"{rule}|{{factor}}", "at:n") for rule in RULES},
            **{f"step:{w}": (f"step|{w}|{{n}}|{{factor}}", "first") for w in whose},
            **{f"last:{w}": (f"{w}|{{n}}|{{factor}}", "last") for w in whose},
        },
        looks=LOOKS,
        keys={
            "product": "product|{factor}",
            **{rule: f"{rule}|{{factor}}" for rule in RULES},
            **{w: f"{w}|{{n}}|{{factor}}" for w in whose},
            "rules": " ".join(RULES),
        },
    )
