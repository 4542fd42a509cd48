"""The explorer "recipe": one output pixel's position, taps, weights and sum."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from resizelab.arrays.resizing import weights
from resizelab.axis.convention import Convention
from resizelab.teaching import words
from resizelab.teaching.messages import say
from resizelab.teaching.palette import style

from .base import Explorer, Item, module, styles
from .choosing import Names, in_menu, named, positions
from .controls import State

CONVENTIONS = (
    "half_pixel.linear",
    "align_corners.linear",
    "asymmetric.linear",
    "half_pixel.keys",
    "half_pixel.cubic",
    "half_pixel.round_prefer_floor",
)
NONE = "none"
MOST = 8  # input pixels that a phone has room for


class Recipe(Explorer):
    """Input pixels that can be dragged, the output row below, the matrix beside.

    The chosen output pixel shows where it reads, which pixels count, how much, and
    the sum.
    """

    _esm = module("recipe_explorer.js")
    _css = styles()
    says = words.RECIPE
    heading = say("What is one output made of?")
    caption = say(
        "Drag a pixel up or sideways, or type its value. "
        "Point at an output, or tap it, for its recipe."
    )

    def __init__(
        self,
        values: Sequence[float] = (0, 10, 20, 30),
        n_out: int = 8,
        convention: str = CONVENTIONS[0],
        conventions: Names = CONVENTIONS,
        against: str = NONE,
        limits: tuple[float, float] = (0, 40),
        name: str = "recipe",
    ):
        self.menu = _linear(named(conventions))
        numbers = _values(values, limits)
        self.n_in = len(numbers)
        options = {n: n for n in self.menu}
        self.controls = (
            _choice("convention", "convention", options),
            _choice("against", "beside it", {NONE: words.RECIPE["nothing"], **options}),
            {
                "key": "values",
                "kind": "numbers",
                "label": "input pixels",
                "min": limits[0],
                "max": limits[1],
                "count": self.n_in,
            },
            {**_range("n_out", "output pixels", 1, 16), "live_max": 32},
            {**_range("pixel", "look at output", 0, 31), "below": "n_out"},
        )
        start = {
            "convention": in_menu("convention", convention, self.menu),
            "against": in_menu("against", against, (NONE, *self.menu)),
            "values": numbers,
            "n_out": n_out,
            "pixel": min(1, n_out - 1),
        }
        beside = against != NONE  # it has a line of its own, and so has a fifth pixel
        self.height = (
            582 + 66 * beside,
            840 + 128 * beside + 44 * max(0, self.n_in - 4),
        )
        super().__init__(name, start, self.menu)

    def compute(self, state: State) -> dict[str, Item]:
        """Return positions (``x|…``) and operators (``w|…``) of what is shown."""
        n_out = state["n_out"]
        items: dict[str, Item] = {}
        for name in dict.fromkeys((state["convention"], state["against"])):
            if name != NONE:
                chosen, key = self.menu[name], f"{name}|{n_out}"
                items["x|" + key] = positions(chosen, self.n_in, n_out)
                items["w|" + key] = weights(chosen, self.n_in, n_out)
        return items

    def states(self) -> Iterable[State]:
        """Return every convention at every size the slider reaches."""
        sizes = range(1, 17)
        return (
            {"convention": n, "against": NONE, "n_out": m}
            for n in self.menu
            for m in sizes
        )

    def _shown(self) -> tuple[str, int, list[tuple[int, float]], float]:
        """Return the convention, the output pixel, its taps and its sum."""
        name, i = self.state["convention"], self.state["pixel"]
        operator = weights(self.menu[name], self.n_in, self.state["n_out"])
        row = operator.dense()[i]
        taps = [(int(j), float(row[j])) for j in np.flatnonzero(row)]
        return name, i, taps, float(operator.apply(self._pixels())[i])

    def _pixels(self) -> np.ndarray[Any, Any]:
        return np.asarray(self.state["values"], np.float64)

    def sentence(self) -> str:
        """Return the recipe of the chosen output pixel."""
        name, i, taps, total = self._shown()
        x = positions(self.menu[name], self.n_in, self.state["n_out"])[i]
        pixels = self._pixels()
        recipe = " + ".join(f"{w:.3g} · {pixels[j]:g}" for j, w in taps)
        return say(
            "{n} input pixels, {m} output pixels. {name}: output pixel {i} reads at "
            "{x:.3g}, {recipe} = {total:.3g}.",
            n=self.n_in,
            m=self.state["n_out"],
            name=name,
            i=i,
            x=x,
            recipe=recipe or words.RECIPE["nothing"],
            total=total,
        )

    def figure(self) -> Any:
        """Return the starting state: bars, where the outputs read, one recipe."""
        from matplotlib.figure import Figure

        name, i, taps, total = self._shown()
        n_out, look = self.state["n_out"], style(name)
        x = positions(self.menu[name], self.n_in, n_out)
        pixels = self._pixels()
        out = weights(self.menu[name], self.n_in, n_out).apply(pixels)
        figure = Figure(figsize=(6.4, 3.0), layout="constrained")
        axes = figure.subplots()
        bars = axes.bar(
            np.arange(self.n_in), pixels, 0.94, color="#dde3ea", edgecolor="#8a949e"
        )
        axes.bar_label(bars, [f"{v:g}" for v in pixels], color="#5b6470")
        for j, w in taps:
            axes.annotate(f"{w:.3g}", ((j + x[i]) / 2, (pixels[j] + total) / 2))
            axes.plot([j, x[i]], [pixels[j], total], color=look.light, linewidth=1)
        axes.plot(x, out, look.mpl_marker, color=look.light, markersize=5)
        axes.plot(x[i], total, look.mpl_marker, color=look.light, markersize=10)
        axes.set(xlabel=say("position in input pixels"), ylabel=say("value"))
        axes.set_xticks(range(self.n_in))
        axes.spines[["top", "right"]].set_visible(False)
        return figure


def recipe(
    values: Sequence[float] = (0, 10, 20, 30),
    n_out: int = 8,
    convention: str = CONVENTIONS[0],
    conventions: Names = CONVENTIONS,
    *,
    against: str = NONE,
    limits: tuple[float, float] = (0, 40),
    name: str = "recipe",
) -> Recipe:
    """Show of what each output pixel is made.

    ``convention`` is shown at first, and ``against`` beside it, if one is named.
    ``conventions`` are the menu's: names of the table, ideas such as
    ``half_pixel.linear`` (see choosing.py), or a mapping from a name to a Spec or a
    Convention of your own.  Values stay within ``limits``.

    >>> recipe(n_out=8).sentence().split(": ")[1]
    'output pixel 1 reads at 0.25, 0.75 · 0 + 0.25 · 10 = 2.5.'
    """
    return Recipe(values, n_out, convention, conventions, against, limits, name)


def _linear(menu: dict[str, Any]) -> dict[str, Any]:
    for name, chosen in menu.items():
        if isinstance(chosen, Convention) and chosen.particulars.clip_to_input:
            raise ValueError(
                f"convention {name!r} clips its result to the input's range: "
                "no sum of weights tells that"
            )
    return menu


def _values(values: Sequence[float], limits: tuple[float, float]) -> list[float]:
    low, high = limits
    if not low < high:
        raise ValueError(f"limits={limits!r}: the first must be below the second")
    if not 1 <= len(values) <= MOST:
        raise ValueError(f"values has {len(values)} numbers: 1 to {MOST} are allowed")
    for value in values:
        if not low <= value <= high:
            raise ValueError(
                f"values has {value!r}: numbers from {low} to {high} are allowed; "
                "limits=… changes that"
            )
    return [float(v) for v in values]


def _choice(key: str, label: str, options: dict[str, str]) -> dict[str, Any]:
    return {"key": key, "kind": "choice", "label": label, "options": options}


def _range(key: str, label: str, low: int, high: int) -> dict[str, Any]:
    base = {"key": key, "kind": "range", "label": label, "min": low, "max": high}
    return {**base, "step": 1}
