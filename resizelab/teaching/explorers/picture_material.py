"""The picture explorer's material: pictures, menus, and the operators of both axes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from resizelab.arrays.resizing import plan
from resizelab.axis.operator import Weights
from resizelab.axis.spec import Spec
from resizelab.checks import FloatArray
from resizelab.teaching.messages import say, spoken
from resizelab.teaching.patterns import NAMES, pattern

from .base import KEPT
from .choosing import Chosen
from .controls import Control, State

BY = "\N{MULTIPLICATION SIGN}"
SHOWN = 4  # conventions side by side
SMALL, LARGE, LARGEST = 16, 32, 64
RECORDED_SIZES = (4, 7, 12, 24, 32)
_NAMED = spoken({name: name for name in NAMES if name != "zone"})
PATTERNS = {
    **{name: f"{told}, 16{BY}16" for name, told in _NAMED.items()},
    "scene32": f"{_NAMED['scene']}, 32{BY}32",
    "zone32": f"{say('zone plate')}, 32{BY}32",
}
ABOUT_DTYPES = say("uint8 shows what the real libraries return.")
OWN = f"own{LARGE}"  # the reader's photograph
# Where no recorded integers can be shown.
WHY = {
    "none": say("No library was run here."),
    "drawn": say("A drawing has no recording."),
    OWN: say("Your photograph has no recording."),
    "sizes": say(
        "Recorded at {sizes}, squares only.", sizes=", ".join(map(str, RECORDED_SIZES))
    ),
    "floats": say(" Floats are computed."),
}
# Darker, equal and brighter than the reference, on a light page and on a dark one.
HUES = ((11, 98, 184), (246, 248, 250), (168, 67, 0))
HUES_DARK = ((108, 182, 255), (30, 36, 44), (246, 157, 80))
SAYS = {"hues": (HUES, HUES_DARK), "words": WHY}
DTYPES = spoken({"float": "float, computed", "uint8": "uint8, recorded"})


def levels(key: str) -> NDArray[np.uint8]:
    """Return the grey levels of a pattern of the menu."""
    return pattern(key.rstrip("32"), size_of(key))


def size_of(key: str) -> int:
    """Return the pixels of one side of a pattern; a drawing has 16."""
    return LARGE if key.endswith(str(LARGE)) else SMALL


def sides(state: State) -> tuple[int, int]:
    """Return the height and width that a state asks for."""
    return state["height"], state["width"] or state["height"]


def operators(
    chosen: Chosen, n: int, height: int, width: int
) -> tuple[Weights, Weights]:
    """Return the operators of the rows' axis and of the columns' axis."""
    work = dict(plan((n, n), (height, width), chosen).work)
    return work[0], work[1]


def resized(chosen: Chosen, x: FloatArray, height: int, width: int) -> FloatArray:
    """Return ``x`` resized, in float64."""
    down, across = operators(chosen, len(x), height, width)
    y: FloatArray = across.apply(down.apply(x, 0), 1)
    return y


def coupled(chosen: Chosen) -> bool:
    """Say whether an axis' operator depends on the size asked for along the other.

    OpenCV, for one, averages areas only if no axis grows.
    """
    n = SMALL
    sizes = (n // 3, n, 2 * n - 3)  # no whole steps: there areas and lines agree
    for m in sizes:
        alone = operators(chosen, n, m, m)[0].dense()
        for other in sizes:
            beside = operators(chosen, n, m, other)[0].dense()
            if not np.array_equal(alone, beside):
                return True
    return False


def controls(names: Iterable[str], live: Sequence[str]) -> tuple[Control, ...]:
    """Return what a reader can move; the conventions in ``live`` need a kernel."""
    menu = {n: n + " (needs a kernel)" * (n in live) for n in names}
    own = {OWN: f"your photograph, {LARGE}{BY}{LARGE}"}
    pictures = {**PATTERNS, **own, "drawn": f"your drawing, 16{BY}16"}
    size = {"kind": "range", "max": LARGEST, "live_max": 128, "step": 1}
    level = {"min": 0, "max": 255}
    drawing = {"kind": "numbers", "step": 1, "count": SMALL * SMALL, **level}
    corner = {"min": 0, "max": KEPT - LARGE, "step": 1, "count": 2}
    return (
        _choice("pattern", "picture", pictures),
        {**_choice("dtype", "numbers", DTYPES), "hint": ABOUT_DTYPES},
        {"key": "height", "label": "output height", "min": 1, **size},
        {"key": "width", "label": "output width (0: like height)", "min": 0, **size},
        _choice("reference", "differences from", menu),
        _brush(level),
        {
            "key": "conventions",
            "kind": "choices",
            "label": say("side by side (up to {most})", most=SHOWN),
            "options": menu,
        },
        {"key": "pixels", "label": "your drawing", **drawing},
        {"key": "corner", "kind": "numbers", "label": "your photograph", **corner},
    )


def _choice(key: str, label: str, options: Mapping[str, str]) -> Control:
    return {"key": key, "kind": "choice", "label": label, "options": dict(options)}


def _brush(level: Mapping[str, int]) -> Control:
    label = say("brush (0 dark, 255 bright)")
    return {"key": "ink", "kind": "range", "label": label, "step": 15, **level}


def linkable(conventions: dict[str, Chosen]) -> dict[str, Chosen]:
    """Check names and meanings: links hold the names, the page multiplies."""
    for name, chosen in conventions.items():
        if not re.fullmatch(r"[A-Za-z0-9_.-]+", name):
            raise ValueError(
                f"name {name!r}: it stands in links, so use letters, digits, . _ and -"
            )
        if not isinstance(chosen, Spec) and chosen.particulars.clip_to_input:
            raise ValueError(
                f"{name} clips to the input's range, which no matrix does: choose a "
                "convention without clip_to_input"
            )
    return conventions
