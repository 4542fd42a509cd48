"""The explorer "grid": where an output pixel reads in the input, grid by grid."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

import numpy as np

from resizelab.arrays.resizing import weights
from resizelab.axis.grid import grid as positions_of
from resizelab.axis.spec import Spec
from resizelab.teaching import words
from resizelab.teaching.messages import say, spoken
from resizelab.teaching.palette import style

from .base import Explorer, Item, module, styles
from .controls import State, ranged

# The dial runs through these three, in this order: 0, 1, 2.
STOPS = ("asymmetric", "half_pixel", "align_corners")
_REMARKS = spoken({"tf_half_pixel_for_nn": " (made for nearest)"})
MODES = (*STOPS, "tf_half_pixel_for_nn", "pytorch_half_pixel")


class GridExplorer(Explorer):
    """Input pixels as tiles, output pixels of each grid as markers, and a dial.

    The dial mixes the positions of two grids.  From asymmetric to half_pixel every
    read slides by the same amount; from half_pixel to align_corners the row
    stretches about its middle.
    """

    _esm = module("grid_explorer.js")
    _css = styles()
    says = words.GRID
    heading = say("Where does an output pixel read?")
    caption = say(
        "Turn the dial: the row slides, then stretches. "
        "Tap a marker to see its taps and weights."
    )
    height = (900, 1070)

    def __init__(
        self,
        n_in: int = 4,
        n_out: int = 8,
        mode: Sequence[str] = STOPS,
        spec: Spec | None = None,
        name: str = "grid",
    ):
        self.spec = spec or Spec(kernel="linear", grid="half_pixel")
        self.controls = (
            ranged("n_in", "input pixels", 2, 8, live_max=16),
            ranged("n_out", "output pixels", 1, 16, live_max=32),
            ranged("pixel", "look at output pixel", 0, 31, below="n_out", wide=True),
            {
                **ranged("dial", "dial", 0, 2, 0.01),
                "wide": True,
                "stops": {stop: k for k, stop in enumerate(STOPS)},
                "hint": "Left half: every read slides alike. "
                "Right half: the row stretches about its middle.",
            },
            {
                "key": "mode",
                "kind": "choices",
                "label": "grids",
                "options": {m: m + _REMARKS.get(m, "") for m in MODES},
            },
        )
        start = {"n_in": n_in, "n_out": n_out, "pixel": min(1, n_out - 1), "dial": 0.5}
        super().__init__(name, {**start, "mode": list(mode)}, (*MODES, "dial"))

    def compute(self, state: State) -> dict[str, Item]:
        """Return positions (``x|…``) and operators (``w|…``) for two sizes."""
        n_in, n_out = state["n_in"], state["n_out"]
        items: dict[str, Item] = {}
        for mode in dict.fromkeys((*STOPS, *state["mode"])):
            key = f"{mode}|{n_in}|{n_out}"
            items["x|" + key] = positions_of(mode, n_in, n_out).positions()
            items["w|" + key] = weights(self.spec.replace(grid=mode), n_in, n_out)
        return items

    def states(self) -> Iterable[State]:
        """Return every pair of sizes the sliders reach without a kernel."""
        sizes = product(range(2, 9), range(1, 17))
        return ({"n_in": n, "n_out": m, "mode": list(MODES)} for n, m in sizes)

    def sentence(self) -> str:
        """Return where each grid reads the second output pixel."""
        n_in, n_out = self.state["n_in"], self.state["n_out"]
        pixel = self.state["pixel"]
        reads = ", ".join(
            say("{m} at {x:g}", m=m, x=positions_of(m, n_in, n_out).positions()[pixel])
            for m in self.state["mode"]
        )
        return say(
            "{n} input pixels, {m} output pixels. Output pixel {pixel} reads: {reads}.",
            n=n_in,
            m=n_out,
            pixel=pixel,
            reads=reads,
        )

    def figure(self) -> Any:
        """Return the starting state: tiles above, one row of markers per grid."""
        from matplotlib.figure import Figure

        n_in, n_out, modes = (self.state[k] for k in ("n_in", "n_out", "mode"))
        figure = Figure(figsize=(6.4, 0.9 + 0.55 * len(modes)), layout="constrained")
        axes = figure.subplots()
        axes.bar(
            np.arange(n_in), 0.7, 0.94, -0.35, color="#dde3ea", edgecolor="#8a949e"
        )
        for j in range(n_in):
            axes.text(j, 0, str(j), ha="center", va="center")
        for k, mode in enumerate(modes, start=1):
            look = style(mode)
            reads = positions_of(mode, n_in, n_out).positions()
            axes.axhline(-k, color="#8a949e", linewidth=0.7, zorder=0)
            axes.plot(reads, np.full(n_out, -k), look.mpl_marker, color=look.light)
        axes.set_yticks(range(0, -len(modes) - 1, -1), [say("input"), *modes])
        axes.set_xlabel(say("position in input pixels"))
        axes.set_xlim(-1, n_in)
        axes.spines[["top", "right", "left"]].set_visible(False)
        return figure


def grid(
    n_in: int = 4,
    n_out: int = 8,
    mode: Sequence[str] = STOPS,
    spec: Spec | None = None,
    name: str = "grid",
) -> GridExplorer:
    """Show where each grid reads; ``mode`` names the rows that are on at first.

    ``spec`` gives the kernel behind the weights (linear, if not given).
    """
    return GridExplorer(n_in, n_out, mode, spec, name)
