"""Chains of resizes: where content goes, step after step.

A pixel's true place keeps its share of the picture: output pixel i of n_out stands over
input position (i + 1/2) * n_in / n_out - 1/2. Content has moved by the distance from
where an output reads to where it stands.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from resizelab import checks
from resizelab.checks import FloatArray
from resizelab.operators import Weights
from resizelab.sampling import weights
from resizelab.specs import Spec


@dataclass(frozen=True)
class Drift:
    """What a chain has done to one axis after ``step`` resizes.

    Lengths are in pixels of the original; ``in_current`` converts to those of the
    current image. Positive means towards the end of the axis (right, down).

    Parameters
    ----------
    step : int
        How many resizes lie behind.
    n : int
        Pixels of the axis now.
    shift : float
        How far content at the centre has moved.
    stretch : float
        How much further out content at an edge has moved than content at the centre.
    blur : float
        Standard deviation of what one output pixel averages; negative lobes make it
        smaller, and a kernel such as Keys' can leave it at 0.
    operator : Weights
        The whole chain as one operator.
    """

    step: int
    n: int
    shift: float
    stretch: float
    blur: float
    operator: Weights

    def in_current(self) -> tuple[float, float, float]:
        """Return (shift, stretch, blur) in pixels of the current image."""
        ratio = self.n / self.operator.n_in
        return self.shift * ratio, self.stretch * ratio, self.blur * ratio


def chain(spec: Spec, n: int, sizes: Sequence[int]) -> tuple[Drift, ...]:
    """Return the drift after each resize of ``n`` pixels to ``sizes`` in turn.

    >>> last = chain(Spec(grid="asymmetric"), 16, [32, 64, 128])[-1]
    >>> round(last.shift, 4), round(last.in_current()[0], 4)
    (-0.4375, -3.5)
    """
    total = Weights.identity(checks.size("n", n))
    steps = []
    for k, size in enumerate(sizes, 1):
        total = weights(spec, total.n_out, size) @ total
        shift, stretch = movement(total)
        steps.append(Drift(k, total.n_out, shift, stretch, blur(total), total))
    return tuple(steps)


def doubling(spec: Spec, n: int, steps: int) -> tuple[Drift, ...]:
    """Return the drift after each of ``steps`` enlargements by two.

    >>> [d.n for d in doubling(Spec(), 4, 3)]
    [8, 16, 32]
    """
    steps = checks.size("steps", steps)
    return chain(spec, n, [checks.size("n", n) * 2**k for k in range(1, steps + 1)])


def displacement(operator: Weights) -> FloatArray:
    """Return how far each output's content has moved, in input pixels, (n_out,)."""
    i = np.arange(operator.n_out)
    stands = (i + 0.5) * operator.n_in / operator.n_out - 0.5
    moved: FloatArray = stands - operator.centroids()
    return moved


def movement(operator: Weights) -> tuple[float, float]:
    """Return (shift at the centre, stretch at the edge) of an operator.

    A straight line is fitted to the displacement of the inner outputs: those that no
    boundary rule touches, or the middle half where there are too few.
    """
    i = np.arange(operator.n_out)
    stands = (i + 0.5) * operator.n_in / operator.n_out - 0.5
    half = operator.n_in / 2
    place = (stands - (operator.n_in - 1) / 2) / half  # -1 … 1 from edge to edge
    moved = displacement(operator)
    inner = _inner(operator)
    if inner.sum() < 2:
        return float(np.interp(0.0, place, moved)), 0.0
    slope, centre = np.polyfit(place[inner], moved[inner], 1)
    return float(centre), float(slope)


def _inner(operator: Weights) -> NDArray[np.bool_]:
    read = np.where(np.abs(operator.weight) > 1e-12, operator.index, -1)
    last = read.max(1)
    first = np.where(read < 0, operator.n_in, read).min(1)
    inner: NDArray[np.bool_] = (first > 0) & (last < operator.n_in - 1)
    if inner.sum() < 2:
        i = np.arange(operator.n_out)
        quarter = operator.n_out / 4
        inner = (i >= quarter - 0.5) & (i <= operator.n_out - 0.5 - quarter)
    return inner


def blur(operator: Weights) -> float:
    """Return the blur of an operator, in input pixels: the root of the mean variance.

    >>> round(blur(weights(Spec(), 16, 32)), 4)  # linear x2: variance f (1 - f)
    0.433
    """
    away = operator.index - operator.centroids()[:, None]
    variance = (operator.weight * away**2).sum(1)
    return float(np.sqrt(max(0.0, float(variance[_inner(operator)].mean()))))
