"""What stands for a pixel outside the input: everything a boundary rule decides."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.checks import FloatArray, IndexArray

Mask = NDArray[np.bool_]


def _symmetric(j: IndexArray, n: int) -> IndexArray:  # d c b a | a b c d | d c b a
    j = np.mod(j, 2 * n)
    return np.where(j < n, j, 2 * n - 1 - j)


def _reflect(j: IndexArray, n: int) -> IndexArray:  # d c b | a b c d | c b a
    j = np.mod(j, max(1, 2 * n - 2))
    return np.where(j < n, j, 2 * n - 2 - j)


@dataclass(frozen=True)
class Boundary:
    """A rule: the pixel inside 0 … n - 1 that ``stands`` for each (None: the nearest).

    Where taps outside do not read that pixel, ``reads`` is False; where they do not
    count in the sum that weights are divided by either, ``counts`` is. With ``odd``
    a line goes on as a line, see `continued`.
    """

    stands: Callable[[IndexArray, int], IndexArray] | None = None
    reads: bool = True
    counts: bool = True
    odd: bool = False


BOUNDARIES: Mapping[str, Boundary] = {
    "edge": Boundary(),
    "exclude": Boundary(reads=False, counts=False),
    "symmetric": Boundary(_symmetric),
    "reflect": Boundary(_reflect),
    "odd_reflect": Boundary(_reflect, odd=True),
    "wrap": Boundary(np.mod),
    "constant": Boundary(reads=False),
}
# Words of other libraries that a near match would send astray.
BOUNDARY_WORDS = {
    "replicate": "edge",
    "border": "edge",
    "mirror": "reflect",
    "grid-wrap": "wrap",
    "circular": "wrap",
    "zeros": "constant",
}
# What a position outside becomes before taps are found.
POSITION_RULES = ("wrap_corners", "one_later")


def seen(
    tap: FloatArray, n: int, rule: str, padding: int | None = None
) -> tuple[IndexArray, Mask, Mask]:
    """Return the pixel that each tap reads, whether it does, and whether it counts.

    Taps more than ``padding`` pixels outside do neither.

    >>> pixel, reads, counts = seen(np.array([-2.0, 0.0, 3.0, 4.0]), 4, "symmetric")
    >>> pixel
    array([1, 0, 3, 3])
    >>> seen(np.array([-1.0, 0.0]), 4, "exclude")[1]
    array([False,  True])
    """
    j, boundary = tap.astype(np.intp), BOUNDARIES[rule]
    if j.size and j.min() >= 0 and j.max() < n:  # as most of a long axis
        return j, (every := np.ones(j.shape, bool)), every
    inside = (j >= 0) & (j < n)
    near = True if padding is None else (j >= -padding) & (j < n + padding)
    reads, counts = inside | boundary.reads, inside | boundary.counts
    pixel = boundary.stands(j, n) if boundary.stands else j.clip(0, n - 1)
    return pixel, reads & near, counts & near


def continued(
    tap: FloatArray, pixel: IndexArray, weight: FloatArray, n: int
) -> tuple[IndexArray, FloatArray]:
    """Return the taps of an odd rule: twice the end, less the pixel that stands there.

    >>> tap, pixel = np.array([[-1.0, 0.0]]), np.array([[1, 0]])
    >>> continued(tap, pixel, np.ones((1, 2)), 4)
    (array([[1, 0, 0, 0]]), array([[-1.,  1.,  2.,  0.]]))
    """
    outside, end = (tap < 0) | (tap >= n), tap.clip(0, n - 1).astype(np.intp)
    twice = np.where(outside, 2 * weight, 0.0)
    mirrored = np.where(outside, -weight, weight)
    return np.concatenate([pixel, end], 1), np.concatenate([mirrored, twice], 1)


def position_inside(x: FloatArray, n: int, rule: str) -> FloatArray:
    """Return positions, those outside moved by one of `POSITION_RULES`."""
    if rule == "one_later":
        return np.trunc(x) + (x - np.floor(x))
    last = n - 1.0
    if n == 1:
        return np.zeros_like(x)
    # SciPy's "wrap": the two ends are one point, so a row repeats after n - 1 pixels.
    before = x + last * (np.trunc(-x / last) + 1)
    beyond = x - last * np.trunc(x / last)
    return np.where(x < 0, before, np.where(x > last, beyond, x))


def position_outside(x: FloatArray, n: int, from_edges: bool) -> Any:
    """Say of each position whether it lies outside the pixels' centres, or edges."""
    margin = 0.5 if from_edges else 0.0
    return (x < -margin) | (x > n - 1 + margin)
