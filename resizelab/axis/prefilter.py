"""What is applied to the input first: B-spline, Gaussian, integer box, as operators."""

import math

import numpy as np

from resizelab import checks
from resizelab.axis import boundary
from resizelab.axis.kernel import kernel
from resizelab.axis.operator import Weights
from resizelab.axis.sparse import NEGLIGIBLE
from resizelab.axis.spec import Axis
from resizelab.axis.weight_functions import GaussianOverPixels
from resizelab.checks import FloatArray

PAD = 12  # pixels that SciPy adds to each end where its spline filter has no exact rule
CIRCLE = 1024  # samples on which a spline's inverse is computed: it has long died out
ALIASED = 64  # pixels beyond which SciPy's slip at a symmetric border is gone


def prepared(axis: Axis) -> tuple[Weights, Axis]:
    """Return the operator of the prefilters, and the axis that is then sampled."""
    p = axis.particulars
    total = Weights.identity(axis.n_in)
    for name in p.prefilter:
        step = 1 / axis.scale if axis.scale else axis.n_in / axis.n_out
        n = axis.n_in
        if name == "box":
            assert p.reduce_gap is not None
            factor = int(step / p.reduce_gap)
            if factor <= 1:
                continue
            made = box(n, factor)
            first, last = axis.region or (0.0, float(n))
            region = (first / factor, last / factor)
            axis = axis.replace(n_in=made.n_out, region=region)
        elif name == "gaussian":
            sigma = max(0.0, (step - 1) / 2) if not p.blur_sigma else p.blur_sigma[-1]
            made = _blur(axis, sigma)
        else:
            made = _spline_coefficients(axis, name)
            axis = axis.replace(margin=(made.n_out - n) // 2)
        total = made.after(total)
    return total, axis


def _blur(axis: Axis, sigma: float) -> Weights:
    """Return the Gaussian that an axis goes through, by its own rules."""
    p, n, half = axis.particulars, axis.n_in, None
    if p.blur_taps == "four_sigma":
        half = int(max(4 * sigma, 3)) // 2
    rule = p.blur_boundary or axis.spec.boundary
    areas = p.blur_weights == "areas"
    return gaussian(n, sigma, rule, axis.spec.fill or 0.0, half=half, areas=areas)


def _spline_coefficients(axis: Axis, name: str) -> Weights:
    spec, n = axis.spec, axis.n_in
    if spec.order is None:
        raise ValueError(f"prefilter {name!r} needs kernel='bspline'")
    if name == "bspline_aliased":
        return bspline_aliased(n, spec.order)
    if name == "bspline":
        rule = spec.boundary if spec.boundary in ("symmetric", "wrap") else "reflect"
        return bspline(n, spec.order, rule)
    wider = padded(n, spec.boundary, spec.fill or 0.0)
    rule = "reflect" if spec.boundary == "constant" else "symmetric"
    return bspline(wider.n_out, spec.order, rule).after(wider)


def convolution(taps: FloatArray, n: int, rule: str, fill: float = 0.0) -> Weights:
    """Return a centred filter under a boundary rule, as an operator."""
    checks.weights(n, len(taps), f"a filter of {len(taps)} taps")
    half = len(taps) // 2
    j = np.arange(n)[:, None] + np.arange(-half, half + 1.0)
    pixel, reads, counts = boundary.seen(j, n, rule)
    weight = np.where(counts, taps, 0.0)
    if not counts.all():
        weight /= weight.sum(1, keepdims=True)
    outside = np.where(reads, 0.0, weight).sum(1)
    offset = fill * outside if fill else None
    return Weights(pixel, np.where(reads, weight, 0.0), n, offset).merged


def bspline(n: int, order: int, rule: str) -> Weights:
    """Return what turns samples into B-spline coefficients.

    It is the exact inverse of sampling the spline at the pixels (Unser 1999), whose
    response dies out within some dozens of pixels.
    """
    if order < 2 or n == 1:
        return Weights.identity(n)
    circle = np.zeros(CIRCLE)
    at = np.arange(-(order // 2), order // 2 + 1)
    circle[at] = kernel("bspline", order=order)(at.astype(np.float64))
    response = np.fft.ifft(1 / np.fft.fft(circle)).real
    reach = int(np.flatnonzero(np.abs(response[: CIRCLE // 2]) > NEGLIGIBLE).max())
    return convolution(response[np.arange(-reach, reach + 1)], n, rule)


def bspline_aliased(n: int, order: int) -> Weights:
    """Return SciPy's filter for the boundary "symmetric": its first sum goes wrong.

    The last term of that sum reads the first coefficient, which by then holds the sum
    so far. The error falls as z**(2n), z being the filter's largest pole; beyond a
    dozen pixels it is gone. SciPy issue 24550, in versions before 1.18.
    """
    if order < 2 or n == 1 or n > ALIASED:
        return bspline(n, order, "symmetric")
    c: FloatArray = np.eye(n)
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
    return Weights.from_dense(c)


def _poles(order: int) -> FloatArray:
    """Return the poles inside the unit circle of the filter that inverts a spline."""
    half = order // 2
    taps = kernel("bspline", order=order)(np.arange(-half, half + 1.0))
    roots = np.roots(taps).real
    inside: FloatArray = roots[np.abs(roots) < 1]
    return inside


def padded(n: int, rule: str, fill: float) -> Weights:
    """Return what adds `PAD` pixels to each end.

    >>> padded(3, "edge", 0.0).shape
    (27, 3)
    """
    j = np.arange(-PAD, n + PAD, dtype=np.float64)[:, None]
    pixel, reads, _ = boundary.seen(j, n, rule)
    offset = np.where(reads[:, 0], 0.0, fill) if fill else None
    return Weights(pixel, reads.astype(np.float64), n, offset)


def gaussian(
    n: int,
    sigma: float,
    rule: str,
    fill: float = 0.0,
    half: int | None = None,
    areas: bool = False,
) -> Weights:
    """Return the blur of a Gaussian of ``half`` taps a side, four sigma by default.

    Taps are its heights, divided by their sum, or its ``areas`` over the pixels.
    """
    if sigma <= 0:
        return Weights.identity(n)
    half = int(4 * sigma + 0.5) if half is None else half
    checks.weights(n, 2 * half + 1, f"a Gaussian of sigma {sigma:g}")
    pixels = np.arange(-half, half + 1.0)
    if areas:
        return convolution(GaussianOverPixels(sigma)(pixels), n, rule, fill)
    taps = np.exp(-0.5 * (pixels / sigma) ** 2)
    return convolution(taps / taps.sum(), n, rule, fill)


def pyramid(n: int, level: int) -> Weights:
    """Return ``level`` halvings: pairs averaged, or 1 2 1 where a length is odd.

    >>> pyramid(5, 1).dense()
    array([[0.25, 0.5 , 0.25, 0.  , 0.  ],
           [0.  , 0.  , 0.25, 0.5 , 0.25]])
    """
    halved = Weights.identity(n)
    for _ in range(level):
        if (n := halved.n_out) > 1:
            taps = np.array([0.25, 0.5, 0.25] if n % 2 else [0.5, 0.5])
            j = 2 * np.arange(n // 2)[:, None] + np.arange(len(taps))
            halved = Weights(j, np.tile(taps, (n // 2, 1)), n).after(halved)
    return halved


def box(n: int, factor: int) -> Weights:
    """Return the means of ``factor`` pixels, (ceil(n / factor), n).

    The last cell averages what is left. No full cell is needed.
    """
    j = np.arange(math.ceil(n / factor))[:, None] * factor + np.arange(min(factor, n))
    weight = (j < n) / (j < n).sum(1, keepdims=True)
    return Weights(np.minimum(j, n - 1), weight, n)
