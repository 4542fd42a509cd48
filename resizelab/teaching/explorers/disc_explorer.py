"""The explorer "disc": a small lesion in logits at a stride, brought up again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab import checks, measure
from resizelab.arrays.resizing import weights
from resizelab.axis.grid import grid as grid_of
from resizelab.axis.operator import Weights
from resizelab.axis.spec import Spec
from resizelab.checks import FloatArray
from resizelab.teaching import words
from resizelab.teaching.messages import say
from resizelab.teaching.palette import style

from .base import Explorer, Item, module, styles
from .controls import State, choice, ranged

Mask = NDArray[np.bool_]

N = 96
STRIDES = ("4", "8", "16", "32")
# The dial runs through these three, in this order: 0, 1, 2.
STOPS = ("asymmetric", "half_pixel", "align_corners")
PARTS = 8  # steps of the dial from one stop to the next
# What counts as inside is decided alike here and in the page, whatever the rounding.
EDGE = -1e-9


class DiscExplorer(Explorer):
    """A disc whose logits a perfect network puts on one grid and the page on another.

    The logits are the distance to the disc's edge, positive inside.  They are read at
    the pixels where the grid of the training has them, every ``stride`` pixels, and
    enlarged by the grid under the dial; what is not negative is the mask.
    """

    _esm = module("disc_explorer.js")
    _css = styles()
    says = words.DISC
    heading = say("What does another grid cost a small lesion?")
    caption = say(
        "Turn the dial away from the grid of the training and watch Dice fall; tap the "
        "picture to move the lesion. Each dot is a logit, where the dial's grid takes "
        "it to stand; the large ones say: lesion."
    )
    height = (840, 1250)

    def __init__(
        self,
        radius: float = 5.0,
        stride: int = 4,
        trained: str = "half_pixel",
        dial: float = 1.0,
        x: float = 30.0,
        y: float = 60.0,
        name: str = "disc",
    ):
        checks.one_of("trained", trained, STOPS)
        strides = {s: say("{n} pixels", n=s) for s in STRIDES}
        self.controls = (
            {
                **ranged("dial", "dial: the grid it is run with", 0, 2, 1 / PARTS),
                "wide": True,
                "stops": {stop: k for k, stop in enumerate(STOPS)},
            },
            choice("stride", "one logit every", strides),
            choice("trained", "trained with", {stop: stop for stop in STOPS}),
            {**ranged("radius", "radius of the lesion", 2, 24, 0.5), "wide": True},
            ranged("x", "its middle, across", 0, N - 1, 0.25),
            ranged("y", "its middle, down", 0, N - 1, 0.25),
        )
        start = {"dial": dial, "stride": str(stride), "trained": trained}
        place = {"radius": radius, "x": x, "y": y}
        super().__init__(name, {**start, **place}, STOPS)

    def compute(self, state: State) -> dict[str, Item]:
        """Return the sampler, the enlargement at each step of the dial, and places.

        ``s|`` reads 96 pixels where the trained grid has its logits.  ``u|…|k``
        enlarges with the dial at k / 8.  ``p|`` holds, for each k, the pixels over
        which that enlargement takes the logits to stand, (17, logits).
        """
        stride, trained = state["stride"], state["trained"]
        n = N // int(stride)
        lines = [dial_line(k, n) for k in range(2 * PARTS + 1)]
        sampler = weights(Spec(grid=trained), N, n)
        items: dict[str, Item] = {f"s|{trained}|{stride}": sampler}
        places = [(np.arange(n) - first) / step for first, step in lines]
        items[f"p|{stride}"] = np.array(places)
        for k in range(len(lines)):
            items[f"u|{stride}|{k}"] = enlargement(k, n)
        return items

    def states(self) -> Iterable[State]:
        """Return every stride with every training."""
        return ({"stride": s, "trained": t} for s in STRIDES for t in STOPS)

    def masks(self) -> tuple[Mask, Mask, Mask]:
        """Return the truth, the mask and the mask of the trained grid, (96, 96)."""
        stride, trained = self.state["stride"], self.state["trained"]
        items = self.compute(self.state)
        level = depth(self.state["x"], self.state["y"], self.state["radius"])
        logits = _both(items[f"s|{trained}|{stride}"], level)
        at = (at_dial(self.state["dial"]), PARTS * STOPS.index(trained))
        mask, matched = (_both(items[f"u|{stride}|{k}"], logits) for k in at)
        return level >= EDGE, mask >= EDGE, matched >= EDGE

    def sentence(self) -> str:
        """Return Dice under the dial's grid and under the trained one."""
        truth, mask, matched = self.masks()
        s = self.state
        return say(
            "A lesion of radius {radius:g}, one logit every {stride} pixels, trained "
            "with {trained}. Run with {run}: Dice {dice:.2f}. Run as trained: "
            "{matched:.2f}.",
            run=dial_name(s["dial"]),
            dice=measure.dice(truth, mask),
            matched=measure.dice(truth, matched),
            **{k: s[k] for k in ("radius", "stride", "trained")},
        )

    def figure(self) -> Any:
        """Return the mask in colour and the truth as an outline."""
        from matplotlib.figure import Figure

        truth, mask, _ = self.masks()
        figure = Figure(figsize=(4.2, 4.2), layout="constrained")
        axes = figure.subplots()
        look = style(STOPS[min(2, round(self.state["dial"]))])
        axes.contourf(mask.astype(float), [0.5, 1.5], colors=[look.light], alpha=0.5)
        axes.contour(truth.astype(float), [0.5], colors=["#1f2328"])
        axes.set(xlim=(-0.5, N - 0.5), ylim=(N - 0.5, -0.5), aspect="equal")
        axes.set_title(f"Dice {measure.dice(truth, mask):.2f}")
        return figure


def depth(x: float, y: float, radius: float) -> FloatArray:
    """Return how deep inside a disc each pixel's centre lies, negative outside.

    >>> depth(30, 60, 5)[60, 28:38]
    array([ 3.,  4.,  5.,  4.,  3.,  2.,  1.,  0., -1., -2.])
    """
    pixels = np.arange(N)
    far: FloatArray = np.hypot(pixels - x, (pixels - y)[:, None])
    return radius - far


def at_dial(dial: float) -> int:
    """Return the dial's step nearest to ``dial``."""
    return int(np.floor(dial * PARTS + 0.5))


def dial_name(dial: float) -> str:
    """Return in words which grid the dial is on.

    >>> dial_name(1), dial_name(1.25)
    ('half_pixel', '25 % from half_pixel to align_corners')
    """
    low, part = divmod(at_dial(dial), PARTS)
    if not part:
        return STOPS[low]
    share = f"{100 * part / PARTS:g}"
    return words.DISC["part"].format(share=share, low=STOPS[low], high=STOPS[low + 1])


def dial_line(k: int, n: int) -> tuple[float, float]:
    """Return where the first of 96 pixels reads among ``n``, and the step.

    Between two stops the positions of both are mixed in proportion.
    """
    low = min(1, k // PARTS)
    part = k / PARTS - low
    one, two = (grid_of(stop, n, N).positions() for stop in STOPS[low : low + 2])
    first, second = ((1 - part) * one + part * two)[:2]
    return float(first), float(second - first)


def enlargement(k: int, n: int) -> Weights:
    """Return the linear enlargement of ``n`` logits to 96 pixels at a dial step."""
    first, step = dial_line(k, n)
    edge = first + (1 - step) / 2  # where the first pixel begins, as a tile
    return weights(Spec(grid="box"), n, N, roi=(edge, edge + N * step))


def disc(
    radius: float = 5.0,
    stride: int = 4,
    trained: str = "half_pixel",
    dial: float = 1.0,
    x: float = 30.0,
    y: float = 60.0,
    name: str = "disc",
) -> DiscExplorer:
    """Show a lesion of ``radius`` pixels at (``x``, ``y``) and its mask.

    ``dial`` is the grid it is run with: 0 asymmetric, 1 half_pixel, 2 align_corners.
    """
    return DiscExplorer(radius, stride, trained, dial, x, y, name)


def _both(operator: Item, image: FloatArray) -> FloatArray:
    """Apply one operator to both axes."""
    assert isinstance(operator, Weights)
    out: FloatArray = operator.apply(operator.apply(image, 0), 1)
    return out
