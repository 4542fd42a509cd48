"""The explorer "nearest": which input pixel each output copies, two rules at once."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.axis.convention import Convention
from resizelab.axis.grid import grid
from resizelab.axis.spec import Spec
from resizelab.teaching.palette import style

from .base import Explorer, Item, module, styles
from .choosing import Chosen, Names, in_menu, index_map, named
from .controls import State
from .payload import pack

CONVENTIONS = (
    "torch.nearest",
    "torch.nearest-exact",
    "opencv.nearest",
    "pillow.nearest",
    "tf1.nearest",
    "tf1.nearest.align_corners",
    "tf2.nearest",
    "half_pixel.round_prefer_floor",
)
LARGEST = 64  # sizes that travel with the page
TIE, EDGE = 1, 2  # flags beside each step of an index map


class NearestExplorer(Explorer):
    """Two index maps, lines from outputs to inputs, ties and mismatches marked.

    The input pixels lie in the middle, the outputs of one convention above and of
    the other below, so two equal maps are mirror images.
    """

    _esm = module("nearest_explorer.js")
    _css = styles()
    heading = "Which neighbour is nearest?"
    caption = (
        "Change a size until the two rows part. "
        "Point at an output, or tap it, to see what it copies."
    )
    height = (636, 772)

    def __init__(
        self,
        n_in: int = 4,
        n_out: int = 10,
        above: str = CONVENTIONS[0],
        below: str = CONVENTIONS[1],
        conventions: Names = CONVENTIONS,
        name: str = "nearest",
    ):
        self.menu = named(conventions)
        options = {n: n for n in self.menu}
        self.controls = (
            _choice("above", options),
            _choice("below", options),
            _range("n_in", "input pixels", 1, LARGEST, live_max=256),
            _range("n_out", "output pixels", 1, LARGEST, live_max=256),
            _range("pixel", "look at output pixel", 0, 255, below="n_out", wide=True),
        )
        start = {
            "above": in_menu("above", above, self.menu),
            "below": in_menu("below", below, self.menu),
            "n_in": n_in,
            "n_out": n_out,
            "pixel": 0,
        }
        super().__init__(name, start, self.menu)

    def compute(self, state: State) -> dict[str, Item]:
        """Return the maps of both conventions at two sizes (see ``coded``)."""
        n_in, n_out = state["n_in"], state["n_out"]
        return {
            f"{name}|{n_in}|{n_out}": coded(self.menu[name], n_in, n_out)
            for name in (state["above"], state["below"])
        }

    def export(self) -> bytes:
        """Return the maps of every convention at every pair of sizes, end to end.

        They follow each other by n_in, then n_out, then convention: neighbours are
        alike, and so the box packs small.
        """
        sizes = range(1, LARGEST + 1)
        maps = [
            coded(chosen, n_in, n_out)
            for n_in in sizes
            for n_out in sizes
            for chosen in self.menu.values()
        ]
        return pack({"all": np.concatenate(maps)})

    def _maps(self) -> dict[str, NDArray[Any]]:
        n_in, n_out = self.state["n_in"], self.state["n_out"]
        names = self.state["above"], self.state["below"]
        return {n: index_map(self.menu[n], n_in, n_out) for n in names}

    def sentence(self) -> str:
        """Return at how many outputs the two differ, and at which."""
        n_in, n_out = self.state["n_in"], self.state["n_out"]
        above, below = self.state["above"], self.state["below"]
        a, b = (index_map(self.menu[n], n_in, n_out) for n in (above, below))
        apart = np.flatnonzero(a != b)
        listed = ", ".join(f"{i} ({a[i]} or {b[i]})" for i in apart)
        return (
            f"{n_in} input pixels, {n_out} output pixels: {above} and {below} copy "
            f"different pixels at {len(apart)} of {n_out} outputs"
            f"{': ' if listed else ''}{listed}."
        )

    def figure(self) -> Any:
        """Return the starting state: inputs between two rows of outputs."""
        from matplotlib.figure import Figure

        n_in, n_out = self.state["n_in"], self.state["n_out"]
        figure = Figure(figsize=(6.4, 2.6), layout="constrained")
        axes = figure.subplots()
        middle = np.arange(n_in)
        axes.plot(middle, 0 * middle, "s", color="#8a949e")
        out = (np.arange(n_out) + 0.5) * n_in / n_out - 0.5
        for y, (name, index) in zip((1, -1), self._maps().items(), strict=False):
            look = style(name)
            axes.plot([out, index], [y + 0 * out, 0 * out], color=look.light, lw=1)
            axes.plot(out, y + 0 * out, look.mpl_marker, color=look.light)
        axes.set_yticks((1, 0, -1), (self.state["above"], "input", self.state["below"]))
        axes.set_xlabel("input pixels")
        axes.spines[["top", "right", "left"]].set_visible(False)
        return figure


def nearest(
    n_in: int = 4,
    n_out: int = 10,
    above: str = CONVENTIONS[0],
    below: str = CONVENTIONS[1],
    conventions: Names = CONVENTIONS,
    *,
    name: str = "nearest",
) -> NearestExplorer:
    """Show which input pixel each output copies, by two conventions at once.

    ``conventions`` are the menu's: names of the table, ideas such as
    ``half_pixel.round_prefer_floor``, or a mapping from a name to a Spec or a
    Convention of your own; all with kernel="nearest".

    >>> print(nearest(4, 10).sentence())
    4 input pixels, 10 output pixels: torch.nearest and torch.nearest-exact copy \
different pixels at 2 of 10 outputs: 2 (0 or 1), 7 (2 or 3).
    """
    return NearestExplorer(n_in, n_out, above, below, conventions, name)


def coded(chosen: Chosen, n_in: int, n_out: int) -> NDArray[Any]:
    """Return an index map as one number an output: 4 · step + EDGE + TIE.

    ``step`` is how far the index moves on from the output before (from 0, at the
    first).  TIE: two input pixels are equally near.  EDGE: the exact position lies
    where the convention's own rule jumps, so that the last bit decides.
    """
    steps = np.diff(index_map(chosen, n_in, n_out), prepend=0)
    if steps.min() < 0:
        raise ValueError("an index map that runs backwards has no steps to send")
    flags = TIE * ties(n_in, n_out) + EDGE * edges(chosen, n_in, n_out)
    codes = 4 * steps + flags
    return codes.astype(np.uint8 if codes.max() < 2**8 else np.uint16)


def ties(n_in: int, n_out: int) -> NDArray[np.bool_]:
    """Return which outputs have their centre midway between two input pixels.

    >>> ties(15, 5).any(), ties(16, 4).all()
    (np.False_, np.True_)
    """
    centre = Fraction(n_in, 2 * n_out)
    return _whole(centre, 2 * centre, n_in, n_out)


def edges(chosen: Chosen, n_in: int, n_out: int) -> NDArray[np.bool_]:
    """Return where exact arithmetic meets the jump of a convention's own rule.

    A rule jumps between pixels k - 1 and k: rounding at k - 1/2, the floor at k.
    """
    spec = chosen.spec if isinstance(chosen, Convention) else chosen
    assert isinstance(spec, Spec)
    scale = chosen.scale if isinstance(chosen, Convention) else None
    sized = scale is None or spec.step_from == "sizes"
    g = grid(spec.grid, n_in, n_out, None if sized or not scale else scale[0])
    step = Fraction(g.span) / Fraction(g.count)
    start = Fraction(g.phase) * step - Fraction(g.offset) + Fraction(g.shift)
    mode = spec.nearest_mode
    if mode == "ceil" or (mode == "simple" and step > 1):
        start += 1  # the ceiling jumps from k - 1 to k just after k - 1
    elif mode not in ("floor", "simple"):
        start += Fraction(1, 2)
    return _whole(start, step, n_in, n_out)


def _whole(start: Fraction, step: Fraction, n_in: int, n_out: int) -> NDArray[Any]:
    """Return where start + i · step is a whole number from 1 to n_in - 1."""
    common = start.denominator * step.denominator
    a, b = int(start * common), int(step * common)
    at = (a + i * b for i in range(n_out))
    inside = common, (n_in - 1) * common
    return np.array([x % common == 0 and inside[0] <= x <= inside[1] for x in at])


def _choice(key: str, options: dict[str, str]) -> dict[str, Any]:
    return {"key": key, "kind": "choice", "label": key, "options": options}


def _range(key: str, label: str, low: int, high: int, **more: Any) -> dict[str, Any]:
    base = {"key": key, "kind": "range", "label": label, "min": low, "max": high}
    return {**base, "step": 1, **more}
