"""The explorer "box": a picture is resized one way, and its box moved another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from resizelab import checks
from resizelab.arrays.resizing import weights
from resizelab.axis.spec import Spec
from resizelab.checks import FloatArray
from resizelab.geometry.boxes import iou
from resizelab.geometry.mapping import place
from resizelab.teaching.palette import style
from resizelab.teaching.patterns import pattern

from .base import Explorer, Item, module, styles
from .controls import State, choice, ranged

N = 16
SIZES = range(4, 65, 4)  # of the output, without a kernel
SCENE = 0.5  # how bright the scene is beside its object
GRIDS = ("half_pixel", "align_corners", "asymmetric")
# What people write, and the grid that it is right for.
RULES = {
    "edges": ("edges × scale", "half_pixel"),  # noqa: RUF001
    "corners": ("corners on corners", "align_corners"),
    "centres": ("centres × scale", "asymmetric"),  # noqa: RUF001
    "inclusive": ("first and last pixel × scale", None),  # noqa: RUF001
}


class BoxExplorer(Explorer):
    """A bright square in the book's scene, before and after, with its box.

    The picture is resized under one grid; the box follows by a rule of its own. Where
    the rule is another grid's, the box slides off.
    """

    _esm = module("box_explorer.js")
    _css = styles()
    heading = "Does the box follow its object?"
    caption = (
        "Choose another rule for the box, then a smaller object: the box slides off. "
        "Tap a picture to move the object."
    )
    height = (897, 1090)

    def __init__(
        self,
        grid: str = "half_pixel",
        rule: str = "centres",
        n_out: int = 48,
        left: int = 5,
        top: int = 4,
        side: int = 3,
        spec: Spec | None = None,
        name: str = "box",
    ):
        checks.one_of("grid", grid, GRIDS)
        checks.one_of("rule", rule, RULES)
        self.spec = spec or Spec()
        rules = {key: label for key, (label, _) in RULES.items()}
        self.controls = (
            choice("grid", "the picture", {g: g for g in GRIDS}),
            choice("rule", "the box", rules),
            {
                **ranged("n_out", f"{N} pixels become", SIZES[0], SIZES[-1]),
                "step": SIZES.step,
                "live_max": 128,
                "wide": True,
            },
            ranged("side", "side of the object", 1, 8, wide=True),
            ranged("left", "object from the left", 0, N - 1),
            ranged("top", "object from the top", 0, N - 1),
        )
        start = {"grid": grid, "rule": rule, "n_out": n_out, "side": side}
        looks = (*GRIDS, "inclusive")
        super().__init__(name, {**start, "left": left, "top": top}, looks)

    def compute(self, state: State) -> dict[str, Item]:
        """Return operators, edges and the scene.

        ``w|grid|m`` resizes an axis, ``b|rule|m`` holds where a box's first and last
        edges go from each edge of the input, (2, 17).
        """
        m = int(state["n_out"])
        items: dict[str, Item] = {"scene": SCENE * pattern("scene", N) / 255}
        for grid in GRIDS:
            items[f"w|{grid}|{m}"] = weights(self.spec.replace(grid=grid), N, m)
        for rule in RULES:
            items[f"b|{rule}|{m}"] = self.edges(rule, m)
        return items

    def states(self) -> Iterable[State]:
        """Return every size that the slider reaches without a kernel."""
        return ({"n_out": m} for m in SIZES)

    def edges(self, rule: str, m: int) -> FloatArray:
        """Return where the edges 0 … 16 go, as a box's first and as its last, (2, 17).

        Edges are counted with pixel edges at integers, before and after.
        """
        edge = np.arange(N + 1.0)
        grid = RULES[rule][1]
        if grid is None:  # the last pixel, times the scale, is taken for the last pixel
            return np.stack([edge * m / N, (edge - 1) * m / N + 1])
        placed = place(self.spec.replace(grid=grid), (N,), (m,))
        moved = placed.points(edge[:, None], "centre_at_half")[:, 0]
        return np.stack([moved, moved])

    def _boxes(self) -> Mapping[str, FloatArray]:
        """Return the object's own place and its box, (left, top, right, bottom)."""
        side, m = self.state["side"], int(self.state["n_out"])
        first = [min(self.state[key], N - side) for key in ("left", "top")]
        true = {label: key for key, (_, label) in RULES.items()}[self.state["grid"]]
        found = {}
        for name, rule in (("object", true), ("box", self.state["rule"])):
            low, high = self.edges(rule, m)
            corners = [low[k] for k in first] + [high[k + side] for k in first]
            found[name] = np.array(corners)
        return found

    def sentence(self) -> str:
        """Return how far the box is off, and the IoU."""
        both, s = self._boxes(), self.state
        middle = (both["box"] - both["object"]).reshape(2, 2).mean(0)
        shared = float(iou(both["object"], both["box"], "xyxy_edges"))
        return (
            f"An object of {s['side']} by {s['side']} pixels in {N} by {N}, resized to "
            f"{s['n_out']:g} by {s['n_out']:g} with {s['grid']}. Its box, moved by "
            f"“{RULES[s['rule']][0]}”, is off by {middle[0]:+.2f} pixels across and "
            f"{middle[1]:+.2f} down: IoU {shared:.2f}."
        )

    def picture(self) -> FloatArray:
        """Return the input: the scene with its object, (16, 16)."""
        side = self.state["side"]
        left, top = (min(self.state[key], N - side) for key in ("left", "top"))
        shown: FloatArray = SCENE * pattern("scene", N) / 255
        shown[top : top + side, left : left + side] = 1.0
        return shown

    def figure(self) -> Any:
        """Return the resized picture, its object dashed, the box drawn through."""
        from matplotlib.figure import Figure
        from matplotlib.patches import Rectangle

        m = int(self.state["n_out"])
        w = weights(self.spec.replace(grid=self.state["grid"]), N, m).dense()
        figure = Figure(figsize=(5, 5.2), layout="constrained")
        ax = figure.subplots()
        across = (0, m, m, 0)
        ax.imshow(w @ self.picture() @ w.T, "gray", vmin=0, vmax=1, extent=across)
        rule = RULES[self.state["rule"]][1] or "inclusive"
        looks = {"object": ("#000000", "--"), "box": (style(rule).light, "-")}
        for name, box in self._boxes().items():
            color, dashes = looks[name]
            size = box[2] - box[0], box[3] - box[1]
            drawn = Rectangle(
                (box[0], box[1]), *size, fill=False, color=color, ls=dashes, lw=2
            )
            ax.add_patch(drawn)
        ax.set_xlabel("dashed: the object; drawn through: its box")
        return figure


def boxes(
    grid: str = "half_pixel",
    rule: str = "centres",
    n_out: int = 48,
    left: int = 5,
    top: int = 4,
    side: int = 3,
    spec: Spec | None = None,
    name: str = "box",
) -> BoxExplorer:
    """Show an object whose picture follows ``grid`` and whose box follows ``rule``.

    ``spec`` gives the kernel of the picture (linear, if not given).
    """
    return BoxExplorer(grid, rule, n_out, left, top, side, spec, name)
