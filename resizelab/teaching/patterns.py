"""Small pictures drawn by code: what the explorers resize and the chapters show.

>>> pattern("frame").shape, int(pattern("frame").max())
((16, 16), 255)
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from resizelab import checks
from resizelab.checks import FloatArray

FINE = 8  # points a pixel, each way, that a shape with slanted edges is drawn with
_F = ("##########", "##########", "##", "##", "########", "########", "##", "##", "##")


def _frame(n: int) -> FloatArray:
    """Draw a border two pixels wide and a square in the middle: TensorFlow 1's bane."""
    edge = np.minimum(np.arange(n), np.arange(n)[::-1])
    ring = np.minimum.outer(edge, edge)
    return ((ring < 2) | (ring > n // 2 - 3)).astype(np.float64)


def _checker(n: int) -> FloatArray:
    cells: FloatArray = np.add.outer(np.arange(n), np.arange(n)) % 2.0
    return cells


def _diagonal(n: int) -> FloatArray:
    apart = np.abs(np.subtract.outer(np.arange(n), np.arange(n)))
    return (apart < 2).astype(np.float64)


def _letter(n: int) -> FloatArray:
    """Draw an F, which no flip and no turn maps onto itself."""
    small = np.zeros((16, 16))
    for row, ink in enumerate(_F + (_F[-1],) * 3, start=2):
        small[row, 3 : 3 + len(ink)] = 1
    large: FloatArray = np.kron(small, np.ones((n // 16, n // 16)))
    return large


def _drawn(n: int, shade: Callable[..., FloatArray]) -> FloatArray:
    """Average a function of (down, across), both from 0 to 1, over each pixel."""
    fine = (np.arange(n * FINE) + 0.5) / (n * FINE)
    picture: FloatArray = np.broadcast_to(
        shade(fine[:, None], fine[None]), (n * FINE, n * FINE)
    )
    means: FloatArray = np.mean(picture.reshape(n, FINE, n, FINE), (1, 3))
    return means


def _ring(n: int) -> FloatArray:
    def shade(v: FloatArray, u: FloatArray) -> FloatArray:
        return np.where(np.abs(np.hypot(u - 0.5, v - 0.5) - 0.34) < 0.06, 1.0, 0.0)

    return _drawn(n, shade)


def _zone(n: int) -> FloatArray:
    """Draw rings that grow finer outwards, up to one period in two pixels."""

    def shade(v: FloatArray, u: FloatArray) -> FloatArray:
        square = (u - 0.5) ** 2 + (v - 0.5) ** 2
        return 0.5 + 0.5 * np.cos(np.pi * n * square)

    return _drawn(n, shade)


def _scene(n: int) -> FloatArray:
    """Draw the book's small scene: a house on a hill, with a lit window, by moonlight.

    It has a thin line (the pole), slanted edges, a soft gradient and no symmetry.
    """

    def shade(v: FloatArray, u: FloatArray) -> FloatArray:
        sky = 0.62 - 0.4 * v + 0 * u
        moon = np.hypot(u - 0.78, v - 0.22) < 0.12
        hill = v > 0.78 - 0.10 * np.sin(3.6 * u + 0.4)
        wall = (np.abs(u - 0.36) < 0.19) & (v > 0.47) & (v < 0.78)
        roof = (v > 0.24) & (v < 0.47) & (np.abs(u - 0.36) < 1.1 * (v - 0.24))
        window = (np.abs(u - 0.30) < 0.065) & (np.abs(v - 0.60) < 0.065)
        door = (np.abs(u - 0.46) < 0.05) & (v > 0.58) & (v < 0.78)
        pole = (np.abs(u - 0.844) < 0.5 / 16) & (v > 0.44) & (v < 0.75)
        layers = ((moon, 1.0), (pole, 0.9), (hill, 0.14), (roof, 0.05), (wall, 0.5))
        for where, level in (*layers, (window, 1.0), (door, 0.1)):
            sky = np.where(where, level, sky)
        return sky

    return _drawn(n, shade)


_PATTERNS: dict[str, Callable[[int], FloatArray]] = {
    "frame": _frame,
    "checker": _checker,
    "ring": _ring,
    "diagonal": _diagonal,
    "letter": _letter,
    "scene": _scene,
    "zone": _zone,
}
NAMES = tuple(_PATTERNS)


def pattern(name: str, n: int = 16) -> NDArray[np.uint8]:
    """Return a picture of n x n grey levels from 0 (dark) to 255.

    ``n`` is a multiple of 16. Divided by 255 it is the float picture, so that integer
    and float results begin with the same one.

    >>> int(pattern("checker")[:8].astype(int).sum() / 255)
    64
    """
    checks.one_of("pattern", name, NAMES)
    if checks.size("n", n) % 16:
        raise ValueError(f"n must be a multiple of 16; got {n}")
    levels: NDArray[np.uint8] = np.floor(_PATTERNS[name](n) * 255 + 0.5).astype("u1")
    return levels
