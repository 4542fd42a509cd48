"""The grids and kernels that models enlarge with, and what two of them differ by."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from resizelab.arrays import resizing
from resizelab.axis import Spec, Weights
from resizelab.axis.grid import grid
from resizelab.checks import FloatArray

GRIDS = ("half_pixel", "asymmetric", "align_corners")
OUT: dict[str, object] = {"boundary": "exclude"}
# nearest: the rounding that centres a block on the pixel it repeats.
KERNELS: dict[str, dict[str, object]] = {
    "linear": {"kernel": "linear"},
    "cubic a=-0.75": {"kernel": "cubic", "a": -0.75},
    "cubic a=-0.5": {"kernel": "cubic", "a": -0.5},
    "nearest": {"kernel": "nearest", "nearest_mode": "round_prefer_floor"},
}
# The same, otherwise at the border or between sizes that are no multiples.
VARIANTS: dict[str, dict[str, object]] = {
    "cubic a=-0.75, border left out": {**KERNELS["cubic a=-0.75"], **OUT},
    "cubic a=-0.5, border left out": {**KERNELS["cubic a=-0.5"], **OUT},
    "nearest, floored": {"kernel": "nearest", "nearest_mode": "floor"},
}
STRIDES = (2, 4, 8, 16, 32)
LARGEST = 64  # the largest stride that is looked for
FEWEST = 3  # low-resolution pixels that a stride must leave of an axis
FINEST = 20  # scales are looked for in steps of 1 / n for all n up to this, and 1 / 100

Stride = tuple[float, float]


@dataclass(frozen=True)
class Upsampling:
    """A grid and a kernel, as models enlarge with.

    ``scale`` is given where the step is its inverse, not the quotient of the sizes.
    """

    grid: str
    kernel: str
    scale: float | None = None

    @cached_property
    def spec(self) -> Spec:
        """The choice as a Spec."""
        choices = {**KERNELS, **VARIANTS}[self.kernel]
        if self.scale is not None:
            choices = {**choices, "step_from": "scale"}
        return Spec(grid=self.grid, **choices)  # type: ignore[arg-type]

    @property
    def family(self) -> str:
        """The kernel, whatever it does at the border."""
        return self.kernel.split(",")[0]

    def operator(self, n_in: int, n_out: int) -> Weights:
        """Return the one-axis operator."""
        return _operator(self, n_in, n_out)


@lru_cache(maxsize=512)
def _operator(upsampling: Upsampling, n_in: int, n_out: int) -> Weights:
    return resizing.weights(upsampling.spec, n_in, n_out, upsampling.scale)


def low_size(n_out: int, stride: float) -> int:
    """Return how many pixels became ``n_out``: also where sizes are made for corners.

    >>> low_size(512, 8), low_size(513, 16)
    (64, 33)
    """
    if (n_out - 1) % stride == 0:
        return int((n_out - 1) // stride) + 1
    return max(1, round(n_out / stride))


def whole_strides(size: tuple[int, int]) -> list[Stride]:
    """Return the whole strides, one for both axes, that two sizes allow.

    >>> whole_strides((97, 129))[:3]
    [(2.0, 2.0), (4.0, 4.0), (8.0, 8.0)]
    """
    found = []
    for s in range(2, LARGEST + 1):
        rest = {n % s for n in size}
        if (rest == {0} or rest == {1}) and min(size) // s >= FEWEST:
            found.append((float(s), float(s)))
    return found


def scales(n_in: int, n_out: int) -> list[float]:
    """Return the round scales that make ``n_out`` of ``n_in`` by the floor.

    >>> scales(27, 62)[0]
    2.3
    """
    found: set[float] = set()
    for parts in (*range(1, FINEST + 1), 100):
        low = int(np.ceil(n_out * parts / n_in))
        high = int(np.ceil((n_out + 1) * parts / n_in))
        found |= {k / parts for k in range(low, high) if k * n_in != n_out * parts}
    return sorted(found, key=lambda s: (len(f"{s:.6g}"), s))


def line(ref: str, got: str, n_in: int, n_out: int) -> tuple[float, float]:
    """Return (shift, stretch) of content from grid ``ref`` to grid ``got``.

    Both in output pixels: what stands at i under ``got`` stands at the i under ``ref``
    that reads the same position.

    >>> line("half_pixel", "asymmetric", 64, 512)  # -(s - 1) / 2
    (-3.5, 0.0)
    >>> line("half_pixel", "align_corners", 64, 512)
    (0.0, 3.5)
    """
    a, b = (grid(name, n_in, n_out) for name in (ref, got))
    ends = np.array([0.0, n_out - 1.0])
    read = (ends + b.phase) * b.step - b.offset
    stood = (read + a.offset) / a.step - a.phase if a.step else ends
    first, last = ends - stood
    return round(float(first + last) / 2, 9), round(float(last - first) / 2, 9)


def spread(upsampling: Upsampling, n_in: int, n_out: int) -> float:
    """Return the variance of what an output averages about its place, in output px².

    Linear: s²/6; nearest: s²/12; cubic with a = -0.5: none.

    >>> round(spread(Upsampling("half_pixel", "nearest"), 16, 128), 2)  # (s² - 1) / 12
    5.25
    """
    w = upsampling.operator(n_in, n_out)
    g = grid(upsampling.grid, n_in, n_out)
    position: FloatArray = g.positions()[:, None]
    variance = (w.weight * (w.index - position) ** 2).sum(1)
    middle = slice(n_out // 4, max(n_out // 4 + 1, n_out - n_out // 4))
    step = n_in / n_out
    return float(variance[middle].mean() / step**2)


def inverse(matrix: FloatArray, ridge: float = 1e-9) -> FloatArray:
    """Return the least-squares inverse; pixels that nothing reads come out as 0."""
    normal: NDArray[np.float64] = matrix.T @ matrix
    normal += ridge * np.trace(normal) / len(normal) * np.eye(len(normal))
    solved: FloatArray = np.linalg.solve(normal, matrix.T)
    return solved
