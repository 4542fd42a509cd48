"""The explorer "picture": one picture through several conventions, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from resizelab import measure
from resizelab.checks import FloatArray
from resizelab.teaching import words
from resizelab.teaching.messages import say
from resizelab.teaching.palette import style

from . import recordings
from .bank import bank
from .base import Explorer, Item, module, styles
from .choosing import Names, in_menu, named
from .controls import State
from .payload import pack
from .picture_material import (
    BY,
    HUES,
    LARGE,
    LARGEST,
    PATTERNS,
    RECORDED_SIZES,
    SAYS,
    SHOWN,
    SMALL,
    controls,
    coupled,
    levels,
    linkable,
    operators,
    resized,
    sides,
    size_of,
)

BUDGET = 110_000  # bytes of a payload


class PictureExplorer(Explorer):
    """A picture to choose or draw, its resizes, and how they differ from one of them.

    Float results are computed in the page from shipped operators. Integer results are
    what the real library returned for the shipped patterns at a few sizes.
    """

    _esm = module("picture_explorer.js")
    _css = styles()
    says = words.PICTURE
    heading = say("One picture, several resizes.")
    caption = say(
        "Change the size, or draw on the picture: tap a cell, drag sideways, or use "
        "arrow keys and Space. Orange is brighter than the reference, blue darker."
    )
    height = (1206, 2272)

    def __init__(
        self,
        conventions: Names,
        pattern: str = "frame",
        size: tuple[int, int] = (4, 4),
        reference: str | None = None,
        on: Sequence[str] | None = None,
        live: Sequence[str] = (),
        engines: Any = None,
        recorded: str | Path | None = None,
        name: str = "picture",
    ):
        self.chosen = linkable(named(conventions))
        self.live = [in_menu("live", each, self.chosen) for each in live]
        menu = [each for each in self.chosen if each not in self.live]
        if not menu:
            raise ValueError("live: at least one convention has to ship with the page")
        first = reference or menu[0]
        shown = [in_menu("on", each, self.chosen) for each in on or menu[:SHOWN]]
        if len(shown) > SHOWN:
            raise ValueError(f"on has {len(shown)} names: at most {SHOWN} are shown")
        state: State = {
            "pattern": in_menu("pattern", pattern, PATTERNS),
            "height": size[0],
            "width": 0 if size[0] == size[1] else size[1],
            "dtype": "float",
            "ink": 255,
            "reference": in_menu("reference", first, self.chosen),
            "conventions": shown,
        }
        self.controls = controls(self.chosen, self.live)
        self.recordings = None
        if engines is not None:
            pictures = {key: levels(key) for key in PATTERNS}
            self.recordings = recordings.gather(
                self.chosen, engines, recorded, pictures, RECORDED_SIZES
            )
        super().__init__(name, state, self.chosen)

    def compute(self, state: State) -> dict[str, Item]:
        """Return the operators of both axes (``w|…``) for the conventions shown."""
        n = size_of(state["pattern"])
        height, width = sides(state)
        items: dict[str, Item] = {}
        for name in dict.fromkeys([*state["conventions"], state["reference"]]):
            keys = self.pair_of_keys(name, n, height, width)
            pair = operators(self.chosen[name], n, height, width)
            items.update(zip(keys, pair, strict=True))
        return items

    def pair_of_keys(
        self, name: str, n: int, height: int, width: int
    ) -> tuple[str, str]:
        """Return the keys of both axes; an axis may have to know the other one."""
        if height == width or not coupled(self.chosen[name]):
            return f"w|{name}|{n}|{height}", f"w|{name}|{n}|{width}"
        both = f"w|{name}|{n}|{height}.{width}"
        return both + "|0", both + "|1"

    def export(self) -> bytes:
        """Return the pictures, all operators in a bank, and the recorded results."""
        shipped = {k: c for k, c in self.chosen.items() if k not in self.live}
        found = {
            (name, n, m): operators(c, n, m, m)[0]
            for n in (SMALL, LARGE)
            for m in range(1, LARGEST + 1)
            for name, c in shipped.items()
        }
        arrays, meta = bank(found)
        pictures = {f"p|{key}": levels(key) for key in PATTERNS}
        meta["coupled"] = [name for name, c in self.chosen.items() if coupled(c)]
        meta |= {"recorded": self._recorded(arrays), **SAYS}
        box = pack({**arrays, **pictures}, meta)
        if len(box) > BUDGET:
            raise ValueError(
                f"conventions: {len(shipped)} of them take {len(box)} bytes, more than "
                f"{BUDGET}; name some of them in live=… instead"
            )
        return box

    def _recorded(self, arrays: dict[str, Any]) -> dict[str, Any] | None:
        if self.recordings is None:
            return None
        for name, recording in self.recordings.items():
            for case, result in recording.levels.items():
                arrays[f"u|{name}|{case}"] = result
        told = {name: r.words for name, r in self.recordings.items()}
        floats = [name for name, r in self.recordings.items() if r.floats]
        return {"sizes": list(RECORDED_SIZES), "told": told, "floats": floats}

    def results(self) -> dict[str, FloatArray]:
        """Return the starting state's float results, from 0 to 1, by convention."""
        s = self.state
        x = levels(s["pattern"]) / 255.0
        return {
            name: resized(self.chosen[name], x, *sides(s))
            for name in dict.fromkeys([s["reference"], *s["conventions"]])
        }

    def sentence(self) -> str:
        """Return how far each convention is from the reference."""
        s, y = self.state, self.results()
        height, width = sides(s)
        gaps = []
        for name in s["conventions"]:
            if name != s["reference"]:
                d = measure.difference(y[name], y[s["reference"]])
                told = "{name} by up to {most:.3g}, on average {mean:.3g}"
                gaps.append(say(told, name=name, most=d.largest, mean=d.mean))
        return say(
            "The pattern {pattern}, resized to {size}. From {reference} differ: "
            "{gaps}.",
            pattern=PATTERNS[s["pattern"]],
            size=f"{height}{BY}{width}",
            reference=s["reference"],
            gaps="; ".join(gaps) or say("none"),
        )

    def figure(self) -> Any:
        """Return the picture, its resizes, and their differences below."""
        from matplotlib.colors import LinearSegmentedColormap
        from matplotlib.figure import Figure

        ramp = LinearSegmentedColormap.from_list("", np.array(HUES) / 255)
        s, y = self.state, self.results()
        shown = s["conventions"]
        figure = Figure(figsize=(2 * (len(shown) + 1), 4.4), layout="constrained")
        axes = figure.subplots(2, len(shown) + 1, squeeze=False)
        grey = {"cmap": "gray", "vmin": 0, "vmax": 1, "extent": (0, 1, 1, 0)}
        axes[0, 0].imshow(levels(s["pattern"]) / 255, **grey)
        axes[0, 0].set_title(PATTERNS[s["pattern"]], size=8)
        gaps = [y[name] - y[s["reference"]] for name in shown]
        most = max([float(np.abs(g).max()) for g in gaps] + [1e-6])
        for k, (name, gap) in enumerate(zip(shown, gaps, strict=True), start=1):
            axes[0, k].imshow(y[name], **grey)
            axes[0, k].set_title(
                name.replace(".", ".\n", 1), size=8, color=style(name).light
            )
            way = {"cmap": ramp, "vmin": -most, "vmax": most}
            axes[1, k].imshow(gap, **{**grey, **way})
            axes[1, k].set_title(
                say("difference: max {most:.3g}", most=np.abs(gap).max()), size=8
            )
        for each in axes.flat:
            each.set(xticks=[], yticks=[])
            each.spines[:].set_color("#8a949e")
        axes[1, 0].set_axis_off()
        return figure


def picture(
    conventions: Names,
    pattern: str = "frame",
    size: tuple[int, int] = (4, 4),
    *,
    reference: str | None = None,
    on: Sequence[str] | None = None,
    live: Sequence[str] = (),
    engines: Any = None,
    recorded: str | Path | None = None,
    name: str = "picture",
) -> PictureExplorer:
    """Show one picture through several conventions, and how they differ.

    ``conventions`` fills the menu; the first four are shown at first, or those named
    in ``on``. Differences are taken from ``reference`` (the first, if not given).
    ``live`` names those that only a kernel computes. With
    ``engines=resizelab.engines`` the page also shows what the real libraries return
    for uint8; where one is missing, the file ``recorded`` answers.

    >>> picture(["torch.bilinear", "tf1.bilinear"]).state["reference"]
    'torch.bilinear'
    """
    return PictureExplorer(
        conventions, pattern, size, reference, on, live, engines, recorded, name
    )
