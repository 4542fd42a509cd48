"""Weights by distance: what each named kernel computes."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from resizelab.checks import FloatArray

# A window over a sinc: 1 in the middle, u = -1 and 1 at its ends.
TAPERS: dict[str, Callable[[FloatArray], FloatArray]] = {
    "none": np.ones_like,
    "lanczos": np.sinc,
    "hamming": lambda u: 0.54 + 0.46 * np.cos(np.pi * u),
    "hann": lambda u: 0.5 + 0.5 * np.cos(np.pi * u),
    "blackman": lambda u: 0.42 + 0.5 * np.cos(np.pi * u) + 0.08 * np.cos(2 * np.pi * u),
    "welch": lambda u: 1 - u * u,
    "cosine": lambda u: np.cos(np.pi * u / 2),
}
HARRIS = (0.35875, 0.48829, 0.14128, 0.01168)  # Harris 1978, minimum 4-term
POLE = math.sqrt(3) - 2  # of the filter that inverts the cubic B-spline


@dataclass(frozen=True)
class Cubic:
    """The piecewise cubic of b and c."""

    b: float
    c: float

    def __call__(self, d: FloatArray) -> FloatArray:
        """Return the weights at distances ``d``."""
        # Mitchell and Netravali 1988, eq. 8; Keys 1981, eq. 4 is b = 0, c = -a.
        b, c, t = self.b, self.c, np.abs(d)
        near = (6 - 2 * b, -18 + 12 * b + 6 * c, 12 - 9 * b - 6 * c)
        far = (8 * b + 24 * c, -12 * b - 48 * c, 6 * b + 30 * c, -b - 6 * c)
        inner = near[0] + t * t * (near[1] + t * near[2])
        outer = far[0] + t * (far[1] + t * (far[2] + t * far[3]))
        return np.where(t <= 1, inner, outer) / 6


@dataclass(frozen=True)
class Lanczos:
    """A sinc under the middle lobe of another."""

    lobes: int

    def __call__(self, d: FloatArray) -> FloatArray:
        """Return the weights at distances ``d``."""
        return np.sinc(d) * np.sinc(d / self.lobes)


@dataclass(frozen=True)
class Gaussian:
    """A Gaussian, cut."""

    sigma: float
    cut: float

    def __call__(self, d: FloatArray) -> FloatArray:
        """Return the weights at distances ``d``."""
        # Open at the cut: a tap exactly there has weight zero.
        bell = np.exp(-0.5 * (d / self.sigma) ** 2)
        return np.where(np.abs(d) < self.cut, bell, 0.0)


@dataclass(frozen=True)
class BSpline:
    """The cardinal B-spline of an order."""

    order: int

    def __call__(self, d: FloatArray) -> FloatArray:
        """Return the weights at distances ``d``."""
        # The cardinal B-spline as a sum of shifted powers (Unser 1999, eq. 2).
        half = (self.order + 1) / 2
        t = half - np.abs(d)
        total = np.zeros_like(t)
        for k in range(math.ceil(half)):
            term = np.maximum(t - k, 0.0) ** self.order
            total += (-1) ** k * math.comb(self.order + 1, k) * term
        return total / math.factorial(self.order)


@dataclass(frozen=True)
class WindowedSinc:
    """A sinc under a window of ``lobes`` zeros a side, ``blur`` times as wide."""

    lobes: int
    taper: str
    blur: float = 1.0

    def __call__(self, d: FloatArray) -> FloatArray:
        """Return the weights at distances ``d``."""
        t = d / self.blur
        weight: FloatArray = np.sinc(t) * TAPERS[self.taper](t / self.lobes)
        return weight


@dataclass(frozen=True)
class GaussianLessCut:
    """A Gaussian less its value at the cut, so that it ends in zero."""

    sigma: float
    cut: float

    def __call__(self, d: FloatArray) -> FloatArray:
        """Return the weights at distances ``d``."""
        ends = math.exp(-0.5 * (self.cut / self.sigma) ** 2)
        weight: FloatArray = np.exp(-0.5 * (d / self.sigma) ** 2) - ends
        return weight.clip(0.0)


@dataclass(frozen=True)
class GaussianOverPixels:
    """A Gaussian's share of each pixel's width, and not its height in the middle."""

    sigma: float
    cut: float

    def __call__(self, d: FloatArray) -> FloatArray:
        """Return the weights at distances ``d``."""
        edges = (np.stack([d - 0.5, d + 0.5]) / (self.sigma * math.sqrt(2))).ravel()
        below = np.array([math.erf(edge) for edge in edges]).reshape(2, *np.shape(d))
        share: FloatArray = 0.5 * (below[1] - below[0])
        return share


def closed_box(d: FloatArray) -> FloatArray:
    """Return one: a pixel on the border of two outputs counts in both."""
    return np.ones_like(d)


def hann(d: FloatArray) -> FloatArray:
    """Return one wave of a cosine, raised."""
    wave: FloatArray = 0.5 + 0.5 * np.cos(np.pi * d)
    return wave


def magic_sharp(d: FloatArray) -> FloatArray:
    """Return the Magic Kernel Sharp of 2013 (Costella)."""
    t = np.abs(d)
    near, middle = 17 / 16 - 7 / 4 * t * t, t * t - 11 / 4 * t + 7 / 4
    return np.where(t < 0.5, near, np.where(t < 1.5, middle, -0.125 * (t - 2.5) ** 2))


def blackman_harris(d: FloatArray) -> FloatArray:
    """Return the Blackman-Harris window, 3 pixels wide."""
    waves = [a * np.cos(2 * np.pi * k * d / 3) for k, a in enumerate(HARRIS)]
    total: FloatArray = np.sum(waves, 0)
    return total


def cardinal_spline(d: FloatArray) -> FloatArray:
    """Return the cubic spline that is 1 at one pixel and 0 at all others."""
    t = np.abs(d)
    k = np.minimum(t, 14).astype(np.intp)
    u = t - k
    v = 1 - u  # and no power: NumPy's is slow
    pixels = np.arange(-1, 17)  # beyond 12 nothing is left
    c = np.where(pixels < 13, math.sqrt(3) * POLE ** np.abs(pixels), 0.0)
    total: FloatArray = c[k] * (v * v * v / 6) + c[k + 3] * (u * u * u / 6)
    total += c[k + 1] * (2 / 3 - u * u + u * u * u / 2)
    total += c[k + 2] * (2 / 3 - v * v + v * v * v / 2)
    return total
