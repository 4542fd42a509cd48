"""Kernel families with free parameters, and their operators for a free grid."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from resizelab.axis.boundary import seen
from resizelab.axis.kernel import Kernel, kernel
from resizelab.checks import FloatArray

BLURRED = (0.05, 20.0)  # sigma, in pixels, that a fit may try
SIGMAS = 4.0  # a Gaussian is cut there


@dataclass(frozen=True)
class Family:
    """A kernel's name, its fixed parameters, and those to fit with where they start."""

    name: str
    start: Mapping[str, float] = field(default_factory=dict)
    fixed: Mapping[str, int] = field(default_factory=dict)
    prefiltered: bool = False

    def kernel(self, values: FloatArray, step: float) -> Kernel:
        """Return the kernel for values of the free parameters."""
        given = dict(zip(self.start, map(float, values), strict=True))
        if self.name == "area":  # what of a pixel lies in an output's cell
            return Kernel("area", step / 2 + 0.5, lambda d: overlap(d, step))
        if self.name == "gaussian":
            sigma = float(np.clip(given["sigma"], *BLURRED))
            return kernel("gaussian", sigma=sigma, cut=SIGMAS * sigma)
        return kernel(self.name, **given, **self.fixed)


# Simple families first: one with more parameters must explain clearly more.
FAMILIES = (
    Family("linear"),
    Family("hamming"),
    Family("area"),
    *(Family("lanczos", fixed={"lobes": lobes}) for lobes in (2, 3, 4, 5)),
    Family("cubic", {"a": -0.6}),
    *(Family("bspline", fixed={"order": k}) for k in (2, 3)),
    *(Family("bspline", fixed={"order": k}, prefiltered=True) for k in (2, 3, 4, 5)),
    Family("gaussian", {"sigma": 0.6}),
    Family("cubic", {"b": 0.3, "c": 0.3}),
)


def overlap(d: FloatArray, width: float) -> FloatArray:
    """Return how much of a pixel at distance ``d`` lies in a cell of ``width``.

    >>> overlap(np.array([0.0, 1.0, 2.0]), 2.0)
    array([1. , 0.5, 0. ])
    """
    low, high = np.maximum(d - 0.5, -width / 2), np.minimum(d + 0.5, width / 2)
    shared: FloatArray = np.maximum(high - low, 0.0)
    return shared


def operator(
    k: Kernel,
    x: FloatArray,
    stretch: float,
    n: int,
    boundary: str = "constant",
    inverse: FloatArray | None = None,
) -> FloatArray:
    """Return the dense operator that reads ``n`` pixels at positions ``x``.

    ``inverse`` is a prefilter's matrix; with one, taps outside are mirrored.
    """
    reach = k.radius * stretch
    first, last = np.floor(x.min() - reach), np.ceil(x.max() + reach)
    j = np.arange(first, last + 1)
    # A cell is as wide as the step already: it is not stretched once more.
    w = k((j[None] - x[:, None]) / stretch)
    w = w / _total(w)
    rule = "reflect" if inverse is not None else boundary
    pixel, reads, counts = seen(j, n, rule)
    w = np.where(reads, w, 0.0)
    if not counts.all():
        w = w / _total(w)
    matrix = np.zeros((len(x), n))
    np.add.at(matrix.T, pixel, w.T)
    return matrix if inverse is None else matrix @ inverse


def _total(w: FloatArray) -> FloatArray:
    total = w.sum(1, keepdims=True)
    return np.where(np.abs(total) > 1e-9, total, 1.0)


Model = Callable[[FloatArray], FloatArray]


def least_squares(
    model: Model, start: FloatArray, steps: int = 30
) -> tuple[FloatArray, FloatArray]:
    """Return the parameters that bring ``model`` to zero, and their errors.

    Gauss and Newton with halved steps: the residual never grows. Errors are standard
    errors, from what remains.
    """
    theta, rest = start.astype(np.float64), model(start)
    small = 1e-6 * np.maximum(1.0, np.abs(theta))
    slopes = np.zeros((len(rest), len(theta)))
    for _ in range(steps):
        for p in range(len(theta)):
            moved = theta.copy()
            moved[p] += small[p]
            slopes[:, p] = (model(moved) - rest) / small[p]
        move = np.linalg.lstsq(slopes, -rest, rcond=None)[0]
        best = float(rest @ rest)
        for _ in range(8):
            tried = model(theta + move)
            if float(tried @ tried) < best:
                break
            move = move / 2
        else:
            break
        theta, rest = theta + move, tried
        if best - float(rest @ rest) < 1e-12 * best or np.abs(move).max() < 1e-10:
            break
    spare = max(1, len(rest) - len(theta))
    noise = max(float(rest @ rest) / spare, 1e-16)
    spread = np.linalg.pinv(slopes.T @ slopes)
    return theta, np.sqrt(noise * np.abs(np.diag(spread)))
