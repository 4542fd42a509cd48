"""The explorer "drift": a bright spot under one doubling after another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from resizelab import checks
from resizelab.arrays.resizing import weights
from resizelab.axis.kernel import Kernel
from resizelab.axis.spec import Spec
from resizelab.drift import Drift, doubling
from resizelab.teaching import words
from resizelab.teaching.messages import say, spoken
from resizelab.teaching.palette import style

from .base import Explorer, Item, module, styles
from .controls import State, choice, ranged

STEPS = 5
GRIDS = {
    "half_pixel": "half_pixel (torch, TensorFlow 2)",
    "align_corners": "align_corners",
    "asymmetric": "asymmetric (TensorFlow 1)",
}
KERNELS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "linear": ("linear", {"kernel": "linear"}),
    "cubic-0.5": ("cubic, a = −0.5", {"kernel": "cubic", "a": -0.5}),  # noqa: RUF001
    "cubic-0.75": ("cubic, a = −0.75", {"kernel": "cubic", "a": -0.75}),  # noqa: RUF001
    "nearest": (
        "nearest",
        {"kernel": "nearest", "nearest_mode": "round_prefer_floor"},
    ),
}


class DriftExplorer(Explorer):
    """A row of pixels doubled up to five times, one block of strips per grid.

    Every strip is as wide as the row, so a point that keeps its place stays on one
    line from top to bottom.
    """

    _esm = module("drift_explorer.js")
    _css = styles()
    says = words.DRIFT
    heading = say("Where does a point go?")
    caption = say(
        "Add a doubling: the spot leaves its line, or it does not. "
        "Then move the spot from the left end to the right. "
        "All rows are drawn equally wide; the numbers count the row's own pixels."
    )
    height = (935, 1140)

    def __init__(
        self,
        n: int = 16,
        steps: int = 3,
        grid: Sequence[str] = tuple(GRIDS),
        kernel: str = "linear",
        mark: float = 4.0,
        own: Kernel | None = None,
        name: str = "drift",
    ):
        if own is not None and not isinstance(own, Kernel):
            raise TypeError(f"own must be a Kernel; got {type(own).__name__}")
        self.kernels = {key: dict(fields) for key, (_, fields) in KERNELS.items()}
        labels = {key: label for key, (label, _) in KERNELS.items()}
        if own is not None:
            self.kernels["own"], labels["own"] = {"kernel": own}, own.name
        checks.one_of("kernel", kernel, labels)
        rows = spoken({"spot": "a bright spot", "edge": "an edge"})
        self.controls = (
            ranged("steps", "doublings", 1, STEPS, 1),
            choice("kernel", "kernel", labels),
            choice("row", "content", rows),
            {
                **ranged("mark", "pixel to follow", 0, 31, 0.5),
                "below": "n",
                "wide": True,
                "hint": "Half a pixel is the border of two.",
            },
            {**choice("grid", "grids", GRIDS), "kind": "choices"},
            {**ranged("n", "pixels at first", 12, 32), "own": True},  # set by Python
        )
        start = {"steps": steps, "kernel": kernel, "mark": mark, "row": "spot"}
        grids = grid if isinstance(grid, str) else list(grid)  # a string is told
        super().__init__(name, {**start, "grid": grids, "n": n}, GRIDS)

    def spec(self, grid: str, kernel: str) -> Spec:
        """Return what one doubling is, by the names of grid and kernel."""
        return Spec(grid=grid, **self.kernels[kernel])

    def compute(self, state: State) -> dict[str, Item]:
        """Return the drift of five doublings and the operator of each.

        ``d|`` holds shift, stretch and blur in pixels of the original, then of the
        current image, (5, 6).  ``p|`` holds for each half pixel where it lands and
        how far it has moved, in pixels of the current image, (5, 2n - 1, 2).
        ``u|…|k`` doubles the row the k-th time.
        """
        n = state["n"]
        items: dict[str, Item] = {}
        for grid in state["grid"]:
            spec = self.spec(grid, state["kernel"])
            key = f"{grid}|{state['kernel']}|{n}"
            steps = doubling(spec, n, STEPS)
            items["d|" + key] = np.array(
                [[d.shift, d.stretch, d.blur, *d.in_current()] for d in steps]
            )
            places = np.arange(2 * n - 1) / 2
            lands = [[d.lands(p) for p in places] for d in steps]
            true = [(places + 0.5) * d.n / n - 0.5 for d in steps]
            items["p|" + key] = np.stack([lands, np.subtract(lands, true)], axis=-1)
            for k in range(STEPS):
                items[f"u|{key}|{k}"] = weights(spec, n * 2**k, n * 2 ** (k + 1))
        return items

    def states(self) -> Iterable[State]:
        """Return every kernel, with all grids."""
        start = {"grid": list(GRIDS), "n": self.state["n"]}
        return ({**start, "kernel": kernel} for kernel in self.kernels)

    def _last(self, grid: str) -> Drift:
        spec = self.spec(grid, self.state["kernel"])
        return doubling(spec, self.state["n"], self.state["steps"])[-1]

    def sentence(self) -> str:
        """Return where the marked point is after all doublings."""
        n, steps, mark = (self.state[k] for k in ("n", "steps", "mark"))
        true = (mark + 0.5) * 2**steps - 0.5
        lands = ", ".join(
            say("{g} puts it at {x:.2f}", g=g, x=self._last(g).lands(mark))
            for g in self.state["grid"]
        )
        return say(
            "Pixel {mark:g} of {n}, doubled {steps} times, belongs at {true:g}: "
            "{lands}.",
            mark=mark,
            n=n,
            steps=steps,
            true=true,
            lands=lands,
        )

    def figure(self) -> Any:
        """Return the last row under each grid; a dotted line is where it belongs."""
        from matplotlib.figure import Figure

        n, mark, grids = (self.state[k] for k in ("n", "mark", "grid"))
        spot = (np.abs(np.arange(n) - mark) <= 0.5).astype(float)
        count = len(grids)
        figure = Figure(figsize=(6.4, 0.6 + 1.1 * count), layout="constrained")
        axes = figure.subplots(count, 1, sharex=True, squeeze=False)[:, 0]
        for ax, grid in zip(axes, grids, strict=True):
            last = self._last(grid)
            edges = np.arange(last.n + 1) / last.n * n - 0.5
            color = style(grid).light
            ax.stairs(last.operator @ spot, edges, fill=True, color=color)
            ax.axvline(mark, color="#1f2328", linestyle=":")
            ax.set_ylabel(grid, rotation=0, ha="right", va="center")
            ax.set_yticks([])
        axes[-1].set_xlabel(say("input pixel"))
        return figure


def drift(
    n: int = 16,
    steps: int = 3,
    grid: Sequence[str] = tuple(GRIDS),
    kernel: str = "linear",
    mark: float = 4.0,
    own: Kernel | None = None,
    name: str = "drift",
) -> DriftExplorer:
    """Show what ``steps`` doublings do to the content of input pixel ``mark``.

    ``own`` adds a kernel of the reader's; ``kernel="own"`` starts with it.
    """
    return DriftExplorer(n, steps, grid, kernel, mark, own, name)
