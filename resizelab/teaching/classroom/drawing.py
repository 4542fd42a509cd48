"""Two drawings: what is marked on a photograph, and what each way costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from resizelab.teaching.palette import style
from resizelab.teaching.plots import INK, QUIET

from .photographs import marks, photograph
from .study import Row

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MARK = "#ffd400"
GOOD, BAD = style("half_pixel").light, style("dial").light  # blue, red


def marked(name: str, ax: Axes) -> Axes:
    """Draw a photograph with its masks' outlines, its boxes and its points."""
    from matplotlib.patches import Ellipse, Rectangle

    picture, known = photograph(name), marks(name)
    high, wide = picture.shape[:2]
    ax.imshow(picture, extent=(0, wide, high, 0), interpolation="nearest")
    for cx, cy, rx, ry in known.ellipses.values():
        ax.add_patch(Ellipse((cx, cy), 2 * rx, 2 * ry, fill=False, ec=_MARK, lw=1.5))
    for left, top, right, bottom in known.boxes().values():
        size = right - left, bottom - top
        ax.add_patch(
            Rectangle((left, top), *size, fill=False, ec="white", ls=":", lw=1)
        )
    across, down = zip(*known.points.values(), strict=True)
    ax.plot(across, down, "+", color=_MARK, ms=9, mew=1.8)
    ax.set(xticks=[], yticks=[], title=f"{name}, {wide} × {high}")
    return ax


def changes(rows: Sequence[Row], ax: Axes) -> Axes:
    """Draw each way's change in points with its interval, in groups."""
    ticks, at, group = [], 0.0, rows[0].group
    ax.axvline(0, color=QUIET, lw=0.8)
    for row in rows:
        at += 1.0 if row.group == group else 1.7
        group = row.group
        low, high = row.change_interval
        ax.plot([low, high], [at, at], color=INK, lw=2, alpha=0.5)
        hue = GOOD if high >= 0 else BAD
        ax.plot(row.change, at, "o", color=hue, ms=5)
        ticks.append(at)
    ax.set_yticks(ticks, [row.name for row in rows], fontsize=9)
    ax.set(ylim=(at + 1, 0.2), xlabel="change, points")
    return ax
