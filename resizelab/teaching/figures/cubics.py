"""The page state of the cubic kernels: a, a border rule, an output, a place."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from resizelab.arrays.resizing import weights
from resizelab.axis.boundary import seen
from resizelab.axis.grid import grid
from resizelab.axis.kernel import kernel
from resizelab.axis.operator import Weights
from resizelab.axis.spec import Spec
from resizelab.teaching.explorers.base import Item
from resizelab.teaching.explorers.controls import State
from resizelab.teaching.figures.page import Page, whole
from resizelab.teaching.figures.scale_words import CUBIC

KINDS = ("ringing", "bells", "ribbons", "off", "outside")
RULES = ("edge", "exclude", "symmetric", "reflect", "wrap", "constant")
AS = tuple(round(k / 20, 2) for k in range(-20, 1))
STOPS = {f"{a:g}".replace("-", "\N{MINUS SIGN}"): a for a in (-1, -0.75, -0.5, 0)}
RAMP = np.array([0.0, 10.0, 20.0, 30.0])
# A bright bar on a dark ground, enlarged this many times.
BAR, TIMES = np.repeat([0.25, 0.75, 0.25], 4), 8
OUTSIDE = 2  # pixels that do not exist, at each end
INSIDE = slice(2 * TIMES, -2 * TIMES)  # outputs that do not feel the border
ROWS = {"line": 1, "parabola": 2}  # pixel j holds j to this power
NOTHING, ZERO = -2, -1  # what stands for a pixel outside, where no pixel does
LOOKS = {"cubic": "cubic", **{f"cubic{a}": f"cubic{a}" for a in ("-0.5", "-0.75")}}
LOOKS |= {"cubic-1": "cubic-1"}


_AT = {"kind": "range", "min": -1, "max": 0, "step": 0.05, "stops": STOPS}
_RULES = {rule: CUBIC["rule." + rule] for rule in RULES}
_ROWS = {row: CUBIC["row." + row] for row in ROWS}
CONTROLS = (
    {"key": "a", "label": CUBIC["control.a"], **_AT},
    whole("pixel", CUBIC["head.pixel"], 0, 7),
    whole("end", CUBIC["head.pixel"], 0, 7),
    whole("spot", CUBIC["control.spot"], 0, len(BAR) * TIMES - 1),
    {
        "key": "rule",
        "quiet": True,
        "kind": "choice",
        "label": CUBIC["control.rule"],
        "options": _RULES,
    },
    {
        "key": "row",
        "kind": "choice",
        "label": CUBIC["control.row"],
        "options": _ROWS,
    },
)
KEYS = {
    **{"w": "w|{a}|{rule}", "v": "v|{a}", "e": "e|{a}", "curve": "curve|{a}"},
    **{"off": "off|{row}|{a}", "stands": "stands|{rule}"},
    **{k: k for k in ("x", "bar", "values", "range", "outside")},
    **{k: k for k in ("most", "per", "span")},
    "alone": "yes",
    "look": "cubic g-cubic{a}",
}


def _ruled(rule: str) -> np.ndarray:
    """Return what stands for each pixel from -2 on: a pixel, a zero or nothing."""
    pixel, reads, counts = seen(np.arange(-OUTSIDE, 4.0 + OUTSIDE), 4, rule)
    return np.where(reads, pixel, np.where(counts, ZERO, NOTHING)).astype("i2")


def items(state: State) -> dict[str, Item]:
    """Return the operators and arrays of one a and one rule."""
    a, rule = state["a"], state["rule"]
    key, large = f"{a:g}", len(BAR) * TIMES
    k, x = kernel("cubic", a=a), grid("half_pixel", 4, 8).positions()
    d = np.arange(-40, 41) / 20
    bell = np.stack([d, k(d)], 1).ravel()
    taps = np.floor(x)[:, None] + np.arange(-1, 3)
    edge = weights(Spec(kernel="cubic", a=a), len(BAR), large)
    op = weights(Spec(kernel="cubic", a=a, boundary=rule), 4, 8)
    enlarged = edge @ BAR
    inner = grid("half_pixel", len(BAR), large).positions()
    found: dict[str, Item] = {
        "x": x,
        "bar": BAR,
        "values": RAMP,
        "range": np.array([0.0, 30.0]),
        "outside": np.array([-OUTSIDE, 4], "i2"),
        "most": np.array([0.25]),
        "per": np.array([TIMES], "i2"),
        "span": np.array([INSIDE.start], "i2"),
        f"curve|{key}": bell.astype(np.float32),
        # Pixels -2 to 5 as if all of them existed.
        f"v|{key}": Weights((taps + OUTSIDE).astype(int), k(x[:, None] - taps), 8),
        f"e|{key}": edge,
        f"ends|{key}": np.array([enlarged.min(), enlarged.max()]),
        f"w|{key}|{rule}": op,
        f"stands|{rule}": _ruled(rule),
    }
    for row, power in ROWS.items():
        off = edge @ np.arange(float(len(BAR))) ** power - inner**power
        found[f"off|{row}|{key}"] = off[INSIDE].astype(np.float32)
    found[f"fourth|{key}"] = (weights(Spec(kernel="cubic", a=a), 4, 8) @ RAMP)[3:4]
    return found


def cubic(name: str = "cubic", **start: Any) -> Page:
    """Return the page state of the cubic kernels.

    It holds ``a``, an output ``pixel`` of 4 → 8, the border's ``rule`` and the output
    at its ``end``, a ``spot`` of the enlarged bar, and the ``row`` whose
    points the outputs should meet.

    >>> cubic(a=-0.5).figure("bells").setup["page"]
    'cubic'
    """
    first = {
        "a": -0.75,
        "pixel": 3,
        "spot": 38,
        "end": 0,
        "rule": "edge",
        "row": "line",
    }
    return Page(
        name,
        CONTROLS,
        {**first, **start},
        items,
        ({"a": a, "rule": rule} for a, rule in product(AS, RULES)),
        kinds=KINDS,
        words=CUBIC,
        told={
            "low": ("ends|{a}", "first"),
            "high": ("ends|{a}", "last"),
            "fourth": ("fourth|{a}", "first"),
        },
        looks=LOOKS,
        keys=KEYS,
    )
