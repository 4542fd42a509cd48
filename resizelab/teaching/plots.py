"""Matplotlib pictures: each takes `ax`, draws one idea, returns `ax`."""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab import checks
from resizelab.axis.grid import Grid
from resizelab.axis.kernel import Kernel
from resizelab.axis.operator import Weights
from resizelab.drift import Drift
from resizelab.teaching import inked
from resizelab.teaching.extras import extra
from resizelab.teaching.palette import style as look

with extra("plots", "plots"):
    import matplotlib as mpl
    import matplotlib.pyplot as plt
    from matplotlib.axes import Axes
    from matplotlib.colors import TwoSlopeNorm
    from matplotlib.figure import Figure
    from matplotlib.patches import Rectangle

INK = "#5b6470"  # legible on white paper and on a dark page
QUIET = "#9aa3ad"
WEIGHTS = "RdBu"  # red subtracts, blue adds


@contextmanager
def style(size: tuple[float, float] = (4.8, 3.0)) -> Iterator[None]:
    """Draw in the book's look: transparent paper, ink that suits light and dark."""
    settings: dict[Any, Any] = {
        "figure.figsize": size,
        "figure.dpi": 120,
        "figure.facecolor": "none",
        "axes.facecolor": "none",
        "savefig.facecolor": "none",
        "savefig.bbox": "tight",
        "text.color": INK,
        "axes.labelcolor": INK,
        "axes.edgecolor": QUIET,
        "xtick.color": INK,
        "ytick.color": INK,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "legend.frameon": False,
        "font.size": 10,
    }
    # A notebook's backend turns interaction on when it is first asked for. Inside the
    # context that would be undone at its end, and only one figure would be shown.
    plt.draw_if_interactive()  # type: ignore[no-untyped-call]
    inked.shown()
    with mpl.rc_context(rc=settings):
        yield


class _Once(Figure):
    """A figure that a notebook shows once, though it is also a cell's last value."""

    def _ipython_display_(self) -> None:
        plt.close(self)  # or it would be shown again at the cell's end
        raise NotImplementedError  # IPython then shows it as it shows any figure


def _axes(ax: Axes | None) -> Axes:
    return plt.gca() if ax is None else ax


def _some(parameter: str, named: Mapping[str, Any]) -> None:
    if not named:
        raise ValueError(f"nothing to draw: {parameter} is empty")


def _line(name: str, extra: Mapping[str, Any]) -> dict[str, Any]:
    mine = look(name)
    return {
        "color": mine.light,
        "marker": mine.mpl_marker,
        "label": name,
        "markersize": 6,
        **extra,
    }


def grids(grids: Mapping[str, Grid], *, ax: Axes | None = None, **line: Any) -> Axes:
    """Draw where each grid reads, one row a grid, over the input pixels as tiles."""
    _some("grids", grids)
    ax = _axes(ax)
    n_in = next(iter(grids.values())).n_in
    for j in range(n_in):
        ax.axvspan(j - 0.5, j + 0.5, color=QUIET, alpha=0.10 if j % 2 else 0.22, lw=0)
    for row, (name, grid) in enumerate(grids.items()):
        x = grid.positions()
        ax.plot(x, np.full(len(x), row), **{"ls": "none", **_line(name, line)})
    ax.set(yticks=range(len(grids)), yticklabels=list(grids), xlabel="input pixel")
    ax.set(ylim=(len(grids) - 0.5, -0.5), xticks=range(n_in))
    return ax


def samples(
    values: Sequence[float] | NDArray[Any],
    *,
    name: str = "half_pixel",
    ax: Axes | None = None,
    **line: Any,
) -> Axes:
    """Draw one row of pixels as stems at the places where the pixels stand."""
    ax = _axes(ax)
    i = np.arange(len(values))
    ax.plot(i, values, **_line(name, line))
    ax.set(xlabel="output pixel", ylabel="value")
    return ax


def matrix(w: Weights, *, ax: Axes | None = None, numbers: bool | None = None) -> Axes:
    """Draw an operator as a shaded matrix: one row an output, one column an input."""
    ax = _axes(ax)
    dense = w.dense()
    peak = float(np.abs(dense).max()) or 1.0
    ax.imshow(dense, cmap=WEIGHTS, norm=TwoSlopeNorm(0.0, -peak, peak), aspect="auto")
    ax.set(xlabel="input pixel", ylabel="output pixel")
    if numbers if numbers is not None else dense.size <= 160:
        for i, j in np.argwhere(np.abs(dense) > 1e-9):
            strong = abs(dense[i, j]) > 0.6 * peak
            text = f"{dense[i, j]:.3g}"
            ink = "white" if strong else "black"
            ax.text(j, i, text, ha="center", va="center", color=ink, fontsize=8)
    return ax


def kernel(k: Kernel, *, name: str = "", ax: Axes | None = None, **line: Any) -> Axes:
    """Draw weight against distance, in input pixels."""
    ax = _axes(ax)
    d = np.linspace(-k.radius - 0.5, k.radius + 0.5, 401)
    ax.plot(d, k(d), **{**_line(name or k.name, line), "marker": ""})
    ax.axhline(0, color=QUIET, lw=0.8)
    ax.set(xlabel="distance in input pixels", ylabel="weight")
    return ax


def response(k: Kernel, *, name: str = "", ax: Axes | None = None, **line: Any) -> Axes:
    """Draw the kernel's frequency response, in cycles per input pixel.

    An ideal interpolator passes all up to 1/2 and nothing beyond.
    """
    ax = _axes(ax)
    f = np.linspace(0.0, 1.5, 301)
    ax.plot(f, k.response(f), **{**_line(name or k.name, line), "marker": ""})
    ax.axvline(0.5, color=QUIET, lw=0.8, ls=":")
    ax.set(xlabel="cycles per input pixel", ylabel="response")
    return ax


def drifts(
    chains: Mapping[str, Sequence[Drift]],
    field: str = "shift",
    *,
    current: bool = False,
    ax: Axes | None = None,
    **line: Any,
) -> Axes:
    """Draw shift, stretch or blur after each step, one line a convention."""
    ax = _axes(ax)
    faces = ("shift", "stretch", "blur")
    place = faces.index(checks.one_of("field", field, faces))
    for name, steps in chains.items():
        if current:
            values = [d.in_current()[place] for d in steps]
        else:
            values = [getattr(d, field) for d in steps]
        ax.plot([d.step for d in steps], values, **_line(name, line))
    whose = "the current image" if current else "the original"
    ax.set(xlabel="resizes so far", ylabel=f"{field} in pixels of {whose}")
    ax.axhline(0, color=QUIET, lw=0.8)
    return ax


def tiles(
    named: Mapping[str, Sequence[float] | NDArray[Any]],
    *,
    vmin: float = 0.0,
    vmax: float = 30.0,
    letters: int = 52,
) -> Any:
    """Draw rows of pixels as grey tiles, each under its name; returns the figure.

    All rows cover one width, whatever their number of pixels. A name breaks into
    lines of at most ``letters``.
    """
    names = [textwrap.wrap(name, letters) for name in named]
    height = sum(0.22 * len(lines) + 0.62 for lines in names)
    figure, ax = plt.subplots(figsize=(5.0, height), FigureClass=_Once)
    ax.set(xlim=(0, 1), ylim=(height, 0))
    ax.set_axis_off()
    y = 0.0
    for lines, row in zip(names, named.values(), strict=True):
        y += 0.22 * len(lines)
        ax.text(0, y, "\n".join(lines), va="bottom", fontsize=10)
        for i, value in enumerate(row):
            grey = float(np.clip((value - vmin) / (vmax - vmin), 0, 1))
            corner, width = (i / len(row), y + 0.04), 1 / len(row)
            ax.add_patch(Rectangle(corner, width, 0.4, fc=str(grey), ec=QUIET))
            middle = (i + 0.5) * width, y + 0.24
            ink = "white" if grey < 0.5 else "black"
            told = f"{value:.3g}".replace("-", "\N{MINUS SIGN}")
            # A digit is two thirds of its height wide, and there is air beside it.
            size = min(11, 5.0 * 72 * width / (0.8 * len(told)))
            text = ax.text(*middle, told, color=ink, fontsize=size)
            text.set(ha="center", va="center")
        y += 0.62
    return figure


def pictures(
    named: Mapping[str, NDArray[Any]],
    *,
    columns: int = 4,
    vmin: float = 0.0,
    vmax: float = 1.0,
    numbers: bool = False,
) -> Any:
    """Draw small pictures side by side under their names; returns the figure.

    ``numbers`` writes the value into each pixel of those with at most 64 pixels.
    """
    _some("named", named)
    count = len(named)
    columns = min(columns, count)
    rows = -(-count // columns)
    figure, axes = plt.subplots(
        *(rows, columns),
        figsize=(2.4 * columns, 2.6 * rows),
        squeeze=False,
        FigureClass=_Once,
        label=inked.WRAPS,
    )
    for ax in axes.flat[count:]:
        ax.set_axis_off()
    for ax, (name, picture) in zip(axes.flat, named.items(), strict=False):
        ax.imshow(picture, cmap="gray", vmin=vmin, vmax=vmax, interpolation="none")
        # White on a white page, or black on a dark one, needs an outline.
        ax.spines[:].set_visible(True)
        ax.set(xticks=[], yticks=[])
        ax.set_title(name, fontsize=9)
        if numbers and picture.size <= 64:
            _write_values(ax, picture, (vmin + vmax) / 2)
    return figure


def _write_values(ax: Axes, picture: NDArray[Any], middle: float) -> None:
    for (i, j), value in np.ndenumerate(picture):
        ink = "black" if value > middle else "white"
        # Rounded first: a value such as 1e-8 is the engine's way to write 0.
        text = f"{np.round(value, 2) + 0.0:g}"
        ax.text(j, i, text, ha="center", va="center", color=ink, fontsize=9)
