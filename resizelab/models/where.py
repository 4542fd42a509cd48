"""Where two results differ: at the border, along edges of the content, everywhere."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.checks import FloatArray

LARGEST = 256  # pixels of a map's side: larger results are looked at in blocks
RING = 8  # the border is this part of the shorter side
PLANE = 2
MOST = 0.9  # of the error
STEEP = 0.75  # quantile of the gradient: above it is an edge


@dataclass(frozen=True)
class Map:
    """Where a result differs: a picture of (height, width) bytes, and words.

    255 is the largest error of the result; blocks of large results hold their largest.
    """

    tensor: str
    pixels: NDArray[np.uint8]
    words: str


def map_of(tensor: str, error: FloatArray, ref: FloatArray) -> Map | None:
    """Return where errors lie in the plane of the last two axes, or the two in front.

    A result without a plane has no map.

    >>> error = np.zeros((1, 3, 64, 64)); error[..., 0] = 1
    >>> map_of("y", error, np.zeros_like(error)).words
    'at the border: 100 % of the error on 23 % of the area'
    """
    axes = _plane(error.shape)
    if axes is None:
        return None
    others = tuple(k for k in range(error.ndim) if k not in axes)
    plane, content = error.max(axis=others), ref.mean(axis=others)
    whole = float(plane.sum())
    if not whole:
        return None
    words = _words(plane, content, whole)
    blocks = _blocks(plane)
    return Map(tensor, np.round(255 * blocks / blocks.max()).astype(np.uint8), words)


def _plane(shape: tuple[int, ...]) -> tuple[int, int] | None:
    """Return the axes of height and width: channels are the fewer."""
    if len(shape) < PLANE or min(shape[-2:]) < PLANE:
        return None
    last = len(shape) - 1
    channels_last = len(shape) > PLANE + 1 and shape[last] < min(shape[1:last])
    return (last - 2, last - 1) if channels_last else (last - 1, last)


def _words(plane: FloatArray, content: FloatArray, whole: float) -> str:
    ring = max(1, min(plane.shape) // (2 * RING))
    border = np.ones(plane.shape, bool)
    if min(plane.shape) > 2 * ring:
        border[ring:-ring, ring:-ring] = False
    slope = np.hypot(*np.gradient(content))
    edges = slope > max(float(np.quantile(slope, STEEP)), 0.0)
    for mask, where in ((border, "at the border"), (edges, "along edges")):
        share, area = float(plane[mask].sum()) / whole, float(mask.mean())
        if share > MOST and area < MOST / 2:
            percents = f"{100 * share:.0f} % of the error on {100 * area:.0f} %"
            return f"{where}: {percents} of the area"
    touched = float((plane > plane.max() / 100).mean())
    where = "everywhere" if touched > MOST / 2 else "in places"
    return f"{where}: {100 * touched:.0f} % of the area"


def _blocks(plane: FloatArray) -> FloatArray:
    """Return the plane with blocks in the place of pixels where it is large."""
    for axis in (0, 1):
        size = -(-plane.shape[axis] // LARGEST)
        starts: Any = np.arange(0, plane.shape[axis], size)
        plane = np.maximum.reduceat(plane, starts, axis=axis)
    return plane
