"""Chains of resizes: where content goes, step after step.

A pixel's true place keeps its share of the picture: output pixel i of n_out stands over
input position (i + 1/2) * n_in / n_out - 1/2. Content has moved by the distance from
where an output reads to where it stands.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from resizelab import checks
from resizelab.arrays.resizing import weights
from resizelab.axis import Convention, Spec, Weights
from resizelab.checks import FloatArray

Choice = Spec | Convention


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
        How much further outwards content under the outermost pixels has moved.
    blur : float
        Standard deviation of what one output pixel averages; negative lobes make it
        smaller. It is 0 for Keys' cubic with a = -0.5, and where lobes outweigh the
        middle (a = -0.75), which sharpens.
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

    def lands(self, place: float) -> float:
        """Return where content of input position ``place`` is, in current pixels.

        It follows the line of shift and stretch, so no border rule has a part in it.

        >>> last = doubling(Spec(grid="asymmetric"), 16, 3)[-1]
        >>> round(last.lands(7.5), 9)  # its true place is 63.5
        60.0
        """
        place = checks.number("place", place)
        step = self.operator.n_in / self.n
        slope = step - self.stretch / max((self.n - 1) / 2, 0.5)
        return (place + 0.5 - step / 2 + self.shift - self.stretch) / slope


def chain(
    spec: Choice | Sequence[Choice], n: int, sizes: Sequence[int]
) -> tuple[Drift, ...]:
    """Return the drift after each resize of ``n`` pixels to ``sizes`` in turn.

    ``spec`` is one choice for all resizes, or a sequence with one for each.

    >>> last = chain(Spec(grid="asymmetric"), 16, [32, 64, 128])[-1]
    >>> round(last.shift, 4), round(last.in_current()[0], 4)
    (-0.4375, -3.5)
    >>> mixed = chain([Spec(), Spec(grid="asymmetric")], 16, [32, 64])
    >>> [round(d.in_current()[0], 4) for d in mixed]
    [0.0, -0.5]
    """
    total = Weights.identity(checks.size("n", n))
    sizes = checks.sizes("sizes", sizes)
    steps = []
    for k, (choice, size) in enumerate(zip(_each(spec, sizes), sizes, strict=True), 1):
        total = weights(choice, total.n_out, size) @ total
        shift, stretch = movement(total)
        steps.append(Drift(k, total.n_out, shift, stretch, blur(total), total))
    return tuple(steps)


def _each(spec: Choice | Sequence[Choice], sizes: Sequence[int]) -> Sequence[Choice]:
    if isinstance(spec, (Spec, Convention)):
        return [spec] * len(sizes)
    each: Sequence[Choice] = checks.made(
        "spec", spec, tuple, "be a Spec, or a sequence of them"
    )
    if len(each) != len(sizes):
        raise ValueError(
            f"spec must be one Spec, or one for each of the {len(sizes)} sizes; "
            f"got {len(each)}"
        )
    return each


def doubling(spec: Choice, n: int, steps: int) -> tuple[Drift, ...]:
    """Return the drift after each of ``steps`` enlargements by two.

    >>> [d.n for d in doubling(Spec(), 4, 3)]
    [8, 16, 32]
    """
    steps = checks.size("steps", steps)
    return chain(spec, n, [checks.size("n", n) * 2**k for k in range(1, steps + 1)])


def displacement(operator: Weights) -> FloatArray:
    """Return how far each output's content has moved, in input pixels, (n_out,).

    An output that reads nothing has NaN.
    """
    i = np.arange(checks.a("operator", operator, Weights).n_out)
    stands = (i + 0.5) * operator.n_in / operator.n_out - 0.5
    moved: FloatArray = stands - operator.centroids()
    return moved


def movement(operator: Weights) -> tuple[float, float]:
    """Return (shift at the centre, stretch at the outermost pixel) of an operator.

    A straight line is laid through the displacement of the inner outputs: those that
    no boundary rule touches, or the middle half where there are too few.

    >>> corners = weights(Spec(grid="align_corners"), 4, 8)
    >>> shift, stretch = movement(corners)
    >>> abs(round(shift, 9)), round(stretch, 9)  # (s - 1) / (2 s) with s = 2
    (0.0, 0.25)
    """
    inner = _inner(operator)  # which looks at the operator, too
    moved = displacement(operator)[inner]
    middle = (operator.n_out - 1) / 2
    place = (inner - middle) / max(middle, 0.5)  # -1 first, 1 last
    if len(place) < 2:
        return float(moved.mean()), 0.0
    # Means of two halves of whole periods: unlike a least-squares line they do not
    # take the alternation of a nearest or a sharpening cubic kernel for a slope.
    half = _whole_periods(len(place) // 2, operator)
    ends = [slice(None, half), slice(len(place) - half, None)]
    left, right = (np.array([place[e].mean(), moved[e].mean()]) for e in ends)
    run, rise = right - left
    between, mean = (left + right) / 2
    slope = float(rise / run)
    return float(mean - slope * between), slope


def _whole_periods(count: int, operator: Weights) -> int:
    """Return ``count`` cut to whole periods of the fractions that outputs read at."""
    period = operator.n_out // math.gcd(operator.n_in, operator.n_out)
    return count - count % period if count >= period else count


def _inner(operator: Weights) -> NDArray[np.intp]:
    """Return the outputs that no boundary rule touches, in whole periods."""
    checks.a("operator", operator, Weights)
    reads = np.abs(operator.weight) > 1e-12
    first = np.where(reads, operator.index, operator.n_in).min(1)
    last = np.where(reads, operator.index, -1).max(1)
    something = reads.any(1)
    inner = something & (first > 0) & (last < operator.n_in - 1)
    if inner.sum() < 2:
        i = np.arange(operator.n_out)
        quarter = operator.n_out / 4
        middle = (i >= quarter - 0.5) & (i <= operator.n_out - 0.5 - quarter)
        inner = middle & something
    if not inner.any():
        raise ValueError(
            f"no output of the operator {operator.shape} reads the input: it moves "
            "nothing"
        )
    found = np.flatnonzero(inner)
    return found[: _whole_periods(len(found), operator)]


def blur(operator: Weights) -> float:
    """Return the blur of an operator, in input pixels: the root of the mean variance.

    >>> round(blur(weights(Spec(), 16, 32)), 4)  # linear x2: variance f (1 - f)
    0.433
    """
    inner = _inner(operator)
    away = operator.index - operator.centroids()[:, None]
    variance = (operator.weight * away**2).sum(1)
    return float(np.sqrt(max(0.0, float(variance[inner].mean()))))
