"""Where points, boxes, masks, cameras and flow go when a picture is resized.

``place`` gives the `Placement` of a resize, ``crop`` that of a crop; a placement moves
points, boxes, masks and camera matrices, and ``flow`` resizes an optical flow. What
origins, orders and forms of coordinates there are: see `resizelab.geometry.placements`.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab import checks
from resizelab.arrays import resizing
from resizelab.arrays.resizing import Plan
from resizelab.arrays.sizes import Axes, Scale, Shape
from resizelab.axis import Convention, Grid, Kernel, Spec, Weights
from resizelab.axis.kernel import PICKING
from resizelab.geometry.boxes import to_edges
from resizelab.geometry.placements import PLANE, Placement


def place(
    choice: Spec | Convention | Grid | Sequence[Grid],
    shape_in: Sequence[int] | None = None,
    shape: Shape = None,
    *,
    axes: Axes = None,
    scale: Scale = None,
    roi: Sequence[tuple[float, float]] | None = None,
) -> Placement:
    """Return the placement of a resize.

    Parameters
    ----------
    choice : Spec, Convention, Grid or sequence of Grid
        What is computed; grids know their sizes, so they come alone. A kernel that
        picks or counts whole pixels (nearest, area, a reader's own) is placed where
        its outputs read on average.
    shape_in, shape, axes, scale
        As in `resize`: the input's shape, the output's, which axes, and the scale
        where that fixes the step. The placement has the resized axes only.
    roi : sequence of (float, float), optional
        What each axis reads, for the grids that take a region; see `grids.grid`.

    >>> place(Spec(grid="asymmetric"), (480, 640, 3), (240, 320), axes=(0, 1)).start
    (0.0, 0.0)
    >>> crop = Spec(grid="tf_crop_and_resize")
    >>> place(crop, (5, 5), (3, 3), roi=[(0.25, 0.75), (0, 1)]).start
    (1.0, 0.0)
    """
    if not isinstance(choice, (Spec, Convention)):
        grids = _grids(choice)
        if (shape_in, shape, axes, scale, roi) != (None,) * 5:
            raise ValueError("a Grid knows its sizes: give it alone")
        return _placed([_line(g) for g in grids], grids)
    if roi is not None:
        regions = checks.each("roi", roi, checks.pair)
        if isinstance(choice, Spec):
            choice = Convention(name="spec", spec=choice)
        choice = choice.replace(roi=regions)
    before = checks.sizes("shape_in", shape_in)
    settled = resizing.plan(before, shape, choice, axes=axes, scale=scale, built=False)
    lines = [_seen(settled, k) for k in range(len(settled.axes))]
    return _placed(lines, [axis.placed for axis in settled.axes])


def crop(shape_in: Sequence[int], box: Any, form: str) -> Placement:
    """Return the placement of a crop: whole pixels of a plane, copied.

    ``box`` is one box of whole numbers; see `resizelab.geometry.boxes` for ``form``.

    >>> crop((480, 640), (100, 50, 300, 250), "xyxy_edges").shape_out
    (200, 200)
    """
    shape = checks.sizes("shape_in", shape_in)
    if checks.array("box", box).shape != (4,):
        raise ValueError(f"box must be four numbers; got {box!r}")
    if len(shape) != PLANE:
        raise ValueError(f"shape_in must have two sizes; got {shape_in!r}")
    left, top, right, bottom = to_edges(box, form)
    pairs = ((top, bottom, shape[0]), (left, right, shape[1]))
    if any(not float(v).is_integer() for v in (left, top, right, bottom)):
        raise ValueError(
            f"box must lie on whole pixels: a crop copies them; got {box!r}. For a "
            "region with fractions, use a grid that takes one (box)"
        )
    if not all(0 <= a < b <= n for a, b, n in pairs):
        raise ValueError(
            f"box must lie within the picture of {shape[0]} rows and {shape[1]} "
            f"columns and hold a pixel; got {box!r} as {form}"
        )
    size = int(bottom - top), int(right - left)
    return Placement((1.0, 1.0), (float(top), float(left)), shape, size)


def flow(
    field: Any,
    shape: Sequence[int],
    spec: Spec | Convention | None = None,
    order: str = "xy",
) -> NDArray[Any]:
    """Return an optical flow resized to ``shape``: its places and its vectors.

    ``field`` is ``(*sizes, rank)``, displacements in its own pixels, last axis in
    ``order``. It is resized as a picture is, and every vector is then multiplied by
    the output pixels that an input pixel becomes.

    >>> still = np.ones((4, 4, 2))
    >>> flow(still, (8, 12))[0, 0]  # (dx, dy)
    array([3., 2.])
    """
    spec = Spec() if spec is None else spec
    vectors = checks.array("field", field)
    rank = vectors.ndim - 1
    if vectors.dtype.kind != "f" or rank < 1 or vectors.shape[-1] != rank:
        raise ValueError(
            "field must hold floats of shape (*sizes, rank): one number an axis in "
            f"every pixel; got shape {vectors.shape} and dtype {vectors.dtype}"
        )
    plane = tuple(range(rank))
    placed = place(spec, vectors.shape[:-1], shape)
    moved = resizing.resize(vectors, shape, spec, axes=plane)
    scaled: NDArray[Any] = placed.vectors(moved, order).astype(vectors.dtype)
    return scaled


def _grids(choice: Any) -> list[Grid]:
    grids = [choice] if isinstance(choice, Grid) else choice
    listed = isinstance(grids, (list, tuple)) and len(grids) > 0
    if not listed or not all(isinstance(g, Grid) for g in grids):
        raise TypeError(
            "choice must be a Spec, a Convention, a Grid or a list of Grids; got "
            f"{choice!r}{_looked_up(choice)}"
        )
    return list(grids)


def _looked_up(choice: Any) -> str:
    name = isinstance(choice, str)
    return ". A name is looked up with resizelab.convention" if name else ""


def _placed(lines: Sequence[tuple[float, float]], grids: Sequence[Grid]) -> Placement:
    sizes = [(g.n_in, g.n_out) for g in grids]
    before, after = zip(*sizes, strict=True)
    step, start = zip(*lines, strict=True)
    return Placement(step, start, before, after)


def _line(g: Grid) -> tuple[float, float]:
    if g.n_in == g.n_out == 1 and g.span == 0:
        return 1.0, -g.offset  # one pixel on one pixel has no step of its own
    return g.step, g.phase * g.step - g.offset + g.shift


def _seen(settled: Plan, k: int) -> tuple[float, float]:
    """Return the line of what outputs show: a whole pixel may lie beside its place."""
    axis = settled.axes[k]
    step, start = _line(axis.placed)
    # A box picks whole pixels too, where an axis grows.
    kernel = axis.spec.kernel
    if kernel in (*PICKING, "box") or isinstance(kernel, Kernel):
        start += _lean(dict(settled.work)[settled.numbers[k]], axis.placed)
    return step, start


def _lean(operator: Weights, g: Grid) -> float:
    """Return how far from their positions outputs read, on average over periods."""
    first, last = operator.index.min(1), operator.index.max(1)
    inner = np.flatnonzero((first > 0) & (last < g.n_in - 1))
    if not len(inner):
        inner = np.arange(g.n_out)
    # The fractions that outputs read at repeat with the step's denominator.
    period = Fraction(g.step).limit_denominator(len(inner)).denominator
    inner = inner[: len(inner) - len(inner) % period]
    away = operator.centroids()[inner] - g.positions()[inner]
    return float(np.mean(away))
