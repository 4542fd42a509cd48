"""A matrix applied to the input first: B-spline, Gaussian, integer box.

Also the index rule that says which pixel stands for one outside the input.
"""

import math

import numpy as np

from resizelab.axis.banded import dense
from resizelab.axis.kernel import kernel
from resizelab.checks import FloatArray, IndexArray

PAD = 12  # pixels that SciPy adds to each end where its spline filter has no exact rule


def fold(j: IndexArray, n: int, boundary: str) -> IndexArray:
    """Return the pixel inside 0 … n - 1 that stands for pixel ``j``.

    Taps that a boundary rule drops keep weight zero elsewhere; their index is clipped.

    >>> fold(np.array([-2, -1, 0, 3, 4, 5]), 4, "symmetric")
    array([1, 0, 0, 3, 3, 2])
    >>> fold(np.array([-2, -1, 0, 3, 4, 5]), 4, "reflect")
    array([2, 1, 0, 3, 2, 1])
    """
    if n == 1:
        return np.zeros_like(j)
    if boundary == "symmetric":  # d c b a | a b c d | d c b a
        j = np.mod(j, 2 * n)
        return np.where(j < n, j, 2 * n - 1 - j)
    if boundary == "reflect":  # d c b | a b c d | c b a
        j = np.mod(j, 2 * n - 2)
        return np.where(j < n, j, 2 * n - 2 - j)
    if boundary == "wrap":
        return np.mod(j, n)
    return np.clip(j, 0, n - 1)


def convolution(taps: FloatArray, n: int, boundary: str) -> FloatArray:
    """Return the (n, n) matrix of a centred filter under a boundary rule."""
    half = len(taps) // 2
    j = np.arange(n)[:, None] + np.arange(-half, half + 1)
    weight = np.tile(taps, (n, 1))
    if boundary in ("constant", "exclude"):
        weight[(j < 0) | (j >= n)] = 0.0
    if boundary == "exclude":
        weight /= weight.sum(1, keepdims=True)
    return dense(fold(j, n, boundary), weight, n)


def bspline(n: int, order: int, boundary: str) -> FloatArray:
    """Return the (n, n) matrix that turns samples into B-spline coefficients.

    It is the exact inverse of sampling the spline at the pixels (Unser 1999).
    """
    if order < 2 or n == 1:
        return np.eye(n)
    half = order // 2
    taps = kernel("bspline", order=order)(np.arange(-half, half + 1.0))
    inverse: FloatArray = np.linalg.inv(convolution(taps, n, boundary))
    return inverse


def bspline_aliased(n: int, order: int) -> FloatArray:
    """Return SciPy's matrix for the boundary "symmetric": its first sum goes wrong.

    The last term of that sum reads the first coefficient, which by then holds the sum
    so far. The error falls as z**(2n), z being the filter's largest pole; beyond a
    dozen pixels it is gone. SciPy issue 24550, in versions before 1.18.
    """
    c: FloatArray = np.eye(n)
    if order < 2 or n == 1:
        return c
    for z in _poles(order):
        c *= (1 - z) * (1 - 1 / z)
        far = z**n
        powers = z ** np.arange(1, n)
        total = c[0] + far * c[-1] + powers[:-1] @ (c[1:-1] + far * c[-2:0:-1])
        total += powers[-1] * (c[-1] + far * total)  # where far * c[0] was meant
        c[0] += total * z / (1 - far * far)
        for i in range(1, n):
            c[i] += z * c[i - 1]
        c[-1] *= z / (z - 1)
        for i in range(n - 2, -1, -1):
            c[i] = z * (c[i + 1] - c[i])
    return c


def _poles(order: int) -> FloatArray:
    """Return the poles inside the unit circle of the filter that inverts a spline."""
    half = order // 2
    taps = kernel("bspline", order=order)(np.arange(-half, half + 1.0))
    roots = np.roots(taps).real
    inside: FloatArray = roots[np.abs(roots) < 1]
    return inside


def padded(n: int, boundary: str, fill: float | None) -> tuple[FloatArray, FloatArray]:
    """Return what adds `PAD` pixels to each end: an (n + 2 PAD, n) matrix, an offset.

    >>> matrix, offset = padded(3, "edge", None)
    >>> matrix.shape, offset.any()
    ((27, 3), np.False_)
    """
    j = np.arange(-PAD, n + PAD)
    outside = (j < 0) | (j >= n)
    matrix: FloatArray = np.zeros((len(j), n))
    matrix[np.arange(len(j)), fold(j, n, boundary)] = 1.0
    if boundary == "constant":
        matrix[outside] = 0.0
    return matrix, np.where(outside, fill or 0.0, 0.0)


def gaussian(n: int, sigma: float, boundary: str, truncate: float = 4.0) -> FloatArray:
    """Return the (n, n) blur of a Gaussian cut at ``truncate`` sigma, summing to 1."""
    if sigma <= 0:
        return np.eye(n)
    half = int(truncate * sigma + 0.5)
    taps = np.exp(-0.5 * (np.arange(-half, half + 1) / sigma) ** 2)
    return convolution(taps / taps.sum(), n, boundary)


def box(n: int, factor: int) -> FloatArray:
    """Return the (ceil(n / factor), n) matrix of means of ``factor`` pixels.

    The last cell averages what is left. No full cell is needed.
    """
    cells = math.ceil(n / factor)
    matrix: FloatArray = np.zeros((cells, n))
    matrix[np.arange(n) // factor, np.arange(n)] = 1.0
    matrix /= matrix.sum(1, keepdims=True)
    return matrix
