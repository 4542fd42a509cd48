"""The worksheet and its key: 4 → 8 pixels by hand under four grids, on one page."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from resizelab.arrays.resizing import weights
from resizelab.axis.grid import grid
from resizelab.axis.spec import Spec

PIXELS = (0, 10, 20, 30)
N_OUT = 8
# Outputs that are left to the class: the ends, where the grids part, and enough to
# read a row backwards.
ASKED = (0, 1, 6, 7)
# The rule of each grid in the words of the sheet.
GRIDS = {
    "half_pixel": "tiles: (i + 1/2) · 4/8 − 1/2",
    "align_corners": "fence posts: i · 3/7",
    "asymmetric": "the tiles' step from the first post: i · 4/8",
    "tf_half_pixel_for_nn": "half_pixel without its last term: (i + 1/2) · 4/8",
}
QUESTIONS = (
    "1. Read the rows backwards. Which grids give 30 minus the same numbers?",
    "2. Where is the middle of the eight positions? The middle of the input is 1.5.",
    "3. How far does the middle of the picture move, in input pixels?",
)
_SIZE = (8.27, 11.69)  # A4, in inches


def numbers(name: str) -> tuple[list[str], list[str]]:
    """Return the positions and the values under a grid, as they stand on the key.

    >>> numbers("asymmetric")[1]
    ['0', '5', '10', '15', '20', '25', '30', '30']
    """
    places = grid(name, len(PIXELS), N_OUT).positions()
    values = weights(Spec(grid=name), len(PIXELS), N_OUT) @ np.array(PIXELS, float)
    return [_short(x) for x in places], [_short(y) for y in values]


def solutions() -> list[str]:
    """Return the answers to the sheet's questions, computed."""
    pixels = np.array(PIXELS, float)
    fair, middles, moves = [], [], []
    for name in GRIDS:
        w = weights(Spec(grid=name), len(PIXELS), N_OUT)
        if np.allclose((w @ pixels)[::-1], w @ pixels[::-1]):
            fair.append(name)
        middle = grid(name, len(PIXELS), N_OUT).positions().mean()
        middles.append(f"{name} {_short(middle)}")
        moves.append(f"{name} {_short((len(PIXELS) - 1) / 2 - middle)}")
    return [
        " and ".join(fair) + ".",
        ", ".join(middles) + ".",
        ", ".join(moves) + " (a minus: to the left).",
    ]


def pdf(filled: bool) -> bytes:
    """Return the worksheet, or with ``filled`` its key, as a PDF of one page."""
    import matplotlib as mpl

    # 42 embeds the letters themselves, so the text can be searched and copied.
    with mpl.rc_context({"pdf.fonttype": 42}):
        out = io.BytesIO()
        told = {"Title": _title(filled), "Author": "Resize Lab", "CreationDate": None}
        sheet(filled).savefig(out, format="pdf", metadata=told)
    return out.getvalue()


def sheet(filled: bool) -> Any:
    """Return the worksheet, or its key, as a Matplotlib figure of one A4 page."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=_SIZE)
    _head(figure, filled)
    for k, name in enumerate(GRIDS):
        _grid(figure, name, 0.72 - 0.12 * k, filled)
    _questions(figure, filled)
    return figure


def _title(filled: bool) -> str:
    return "4 → 8 pixels by hand" + (": the key" if filled else "")


def _head(figure: Any, filled: bool) -> None:
    figure.text(0.08, 0.945, _title(filled), size=19, weight="bold")
    if not filled:
        figure.text(0.92, 0.948, "Name ______________________", size=10, ha="right")
    rules = (
        "Four pixels become eight. Output pixel i reads at a position. Fill in outputs "
        "0, 1, 6 and 7.",
        "A position before 0 counts as 0, one past 3 as 3. Between two pixels, mix "
        "them:",
        "at 0.75 a quarter of pixel 0 and three quarters of pixel 1.",
    )
    for k, rule in enumerate(rules):
        figure.text(0.08, 0.918 - 0.019 * k, rule, size=10)
    axes = figure.add_axes((0.25, 0.79, 0.5, 0.075))
    axes.set_axis_off()
    axes.set(xlim=(-0.6, 3.6), ylim=(0, 1))
    for j, value in enumerate(PIXELS):
        axes.add_patch(_box(j - 0.5, 0.35, 1, 0.6))
        axes.text(j, 0.65, str(value), ha="center", va="center", size=14)
        axes.text(j, 0.12, f"pixel {j}", ha="center", va="center", size=8)


def _box(x: float, y: float, width: float, height: float) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle((x, y), width, height, fill=False, lw=0.8)


def _grid(figure: Any, name: str, top: float, filled: bool) -> None:
    """Draw a grid's two rows of eight fields, from ``top`` down."""
    figure.text(0.08, top + 0.026, name, size=11, weight="bold")
    last = "  (if there is time)" if name == list(GRIDS)[-1] else ""
    figure.text(0.32, top + 0.026, GRIDS[name] + last, size=10)
    axes = figure.add_axes((0.08, top - 0.065, 0.84, 0.08))
    axes.set_axis_off()
    axes.set(xlim=(-1.6, N_OUT + 0.02), ylim=(0, 2.5))
    rows = numbers(name)
    for row, (words, y) in enumerate((("position", 1.05), ("value", 0.05))):
        axes.text(-1.6, y + 0.45, words, va="center", size=10)
        for i in range(N_OUT):
            axes.add_patch(_box(i, y, 1, 0.95))
            if filled or i not in ASKED:
                text, ink = rows[row][i], "black" if i in ASKED else "0.45"
                axes.text(
                    *(i + 0.5, y + 0.45, text),
                    **{"ha": "center", "va": "center", "size": 11, "color": ink},
                )
    for i in range(N_OUT):
        axes.text(i + 0.5, 2.25, str(i), ha="center", va="center", size=8)


def _questions(figure: Any, filled: bool) -> None:
    answers = solutions()
    for k, question in enumerate(QUESTIONS):
        y = 0.225 - 0.058 * k
        figure.text(0.08, y, question, size=10)
        if filled:
            figure.text(0.1, y - 0.021, answers[k], size=9)
        else:
            figure.text(0.1, y - 0.027, "_" * 76, size=9, color="0.6")
    figure.text(
        0.08, 0.04, "Resize Lab, CC BY 4.0. Numbers computed by resizelab.", size=8
    )


def _short(x: float) -> str:
    return f"{x:.2f}".rstrip("0").rstrip(".").replace("-", "−")
