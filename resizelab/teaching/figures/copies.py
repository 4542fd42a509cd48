"""The page state of nearest: two rules, two sizes, and a wire in a mask."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.axis.convention import Convention
from resizelab.axis.grid import grid
from resizelab.axis.spec import Spec
from resizelab.teaching.explorers.base import Item
from resizelab.teaching.explorers.choosing import Chosen, index_map, named
from resizelab.teaching.explorers.controls import State
from resizelab.teaching.figures.page import Page
from resizelab.teaching.figures.row_words import COPIES

RULES = {
    "torch.nearest": "PyTorch nearest",
    "torch.nearest-exact": "PyTorch nearest-exact",
    "opencv.nearest": "OpenCV INTER_NEAREST",
    "opencv.nearest_exact": "OpenCV INTER_NEAREST_EXACT",
    "pillow.nearest": "Pillow NEAREST",
    "tf2.nearest": "TensorFlow 2 nearest",
    "tf1.nearest": "TensorFlow 1 nearest",
    "tf1.nearest.align_corners": "TensorFlow 1, align_corners",
    "onnxruntime.nearest": "ONNX Runtime nearest",
    "half_pixel.round_prefer_floor": "half_pixel, ties down",
}
MENU = named(list(RULES))
LARGEST = 18
SIZES = range(1, LARGEST + 1)
MASK = 8, 4  # the sizes at which the prose tells what is left of a wire
TOLD = {"torch": "torch.nearest", "pillow": "pillow.nearest"}


def spec_of(chosen: Chosen) -> Spec:
    """Return the choices of a convention, or those that were given as such."""
    spec = chosen.spec if isinstance(chosen, Convention) else chosen
    assert isinstance(spec, Spec)
    return spec


LOOKS = {name: spec_of(chosen).grid for name, chosen in MENU.items()}
GRIDS = tuple(dict.fromkeys(LOOKS.values()))


def reads(name: str, n_in: int, n_out: int) -> list[Fraction]:
    """Return where outputs read under a grid, exactly, from the middle of pixel 0.

    >>> [float(x) for x in reads("tf_half_pixel_for_nn", 8, 4)]
    [0.5, 2.5, 4.5, 6.5]
    """
    g = grid(name, n_in, n_out)
    step = Fraction(g.span) / Fraction(g.count)
    # Where an output is read in its own pixel, there the input's pixel is counted from.
    start = Fraction(g.phase) * (step - 1) + Fraction(g.shift)
    return [start + i * step for i in range(n_out)]


def ties(name: str, n_in: int, n_out: int) -> NDArray[np.bool_]:
    """Return which outputs read exactly between two pixels under a grid.

    >>> ties("half_pixel", 8, 4).all(), ties("asymmetric", 8, 4).any()
    (np.True_, np.False_)
    """
    between = [(2 * x) % 2 == 1 for x in reads(name, n_in, n_out)]
    inside = [0 < x < n_in - 1 for x in reads(name, n_in, n_out)]
    return np.logical_and(between, inside)


def items(state: State) -> dict[str, Item]:
    """Return what each rule copies, where each grid reads, and what is left of a wire.

    ``k|8|4`` holds a row of input pixels for each rule, ``x|8|4`` and ``tie|8|4`` a
    row of reads for each grid; ``left|torch`` counts by the wire's place.
    """
    n_in, n_out = sizes = state["n_in"], state["n_out"]
    found: dict[str, Item] = {
        f"k|{n_in}|{n_out}": np.stack(
            [index_map(chosen, *sizes) for chosen in MENU.values()]
        ).astype(np.uint8),
        f"x|{n_in}|{n_out}": np.array([reads(g, *sizes) for g in GRIDS], np.float32),
        f"tie|{n_in}|{n_out}": np.stack([ties(g, *sizes) for g in GRIDS]).astype(
            np.uint8
        ),
        "grid": np.array([GRIDS.index(LOOKS[name]) for name in MENU], np.uint8),
    }
    for key, name in TOLD.items():
        copied = index_map(MENU[name], *MASK)
        found[f"left|{key}"] = np.bincount(copied, minlength=MASK[0]).astype(np.uint8)
    return found


def _range(key: str, low: int, high: int, **more: Any) -> dict[str, Any]:
    base = {"key": key, "kind": "range", "label": COPIES[f"control.{key}"]}
    return {**base, "min": low, "max": high, "step": 1, **more}


def _rule(key: str) -> dict[str, Any]:
    base = {"key": key, "kind": "choice", "label": COPIES[f"control.{key}"]}
    return {**base, "options": RULES, "looks": LOOKS}


def copies(
    name: str = "near", inputs: range = SIZES, outputs: range = SIZES, **start: Any
) -> Page:
    """Return the page state of two nearest rules.

    It holds ``above``, ``below``, ``n_in`` (of ``inputs``), ``n_out`` (of
    ``outputs``), ``pixel`` and ``wire``.

    >>> page = copies(n_in=16, n_out=4)
    >>> page.figure("copies").setup["page"]
    'near'
    """
    first = {"above": "torch.nearest", "below": "torch.nearest-exact"}
    sizes = {"n_in": 4, "n_out": 10, "pixel": 2, "wire": 5}
    controls = (
        *(_rule("above"), _rule("below")),
        _range("n_in", inputs[0], inputs[-1]),
        _range("n_out", outputs[0], outputs[-1]),
        _range("pixel", 0, outputs[-1] - 1, below="n_out"),
        _range("wire", 0, MASK[0] - 1),
    )
    return Page(
        name,
        controls,
        {**first, **sizes, **start},
        items,
        ({"n_in": n, "n_out": m} for n, m in product(inputs, outputs)),
        kinds=("copies", "wire"),
        words=COPIES,
        told={key: (f"left|{key}", "at:wire") for key in TOLD},
        looks=GRIDS,
        keys={
            **{k: f"{k}|{{n_in}}|{{n_out}}" for k in ("k", "x", "tie")},
            "grid": "grid",
        },
    )
