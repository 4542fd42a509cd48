"""What is applied to the input first: B-spline, Gaussian, integer box, as operators."""

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from resizelab import checks
from resizelab.axis import boundary
from resizelab.axis.kernel import kernel
from resizelab.axis.operator import Weights
from resizelab.axis.sparse import NEGLIGIBLE
from resizelab.axis.spec import Axis
from resizelab.axis.weight_functions import GaussianOverPixels
from resizelab.checks import FloatArray, IndexArray

Filters = list[Callable[[IndexArray], Weights]]

PAD = 12  # pixels that SciPy adds to each end where its spline filter has no exact rule
ALIASED = 64  # pixels beyond which SciPy's slip at a symmetric border is gone


def around(axis: Axis) -> tuple[Axis, Filters]:
    """Return the axis that is sampled, and the filters that come first, in order.

    Each filter is a function of the pixels that are needed of it.
    """
    p = axis.particulars
    found: Filters = []
    for name in p.prefilter:
        step = 1 / axis.scale if axis.scale else axis.n_in / axis.n_out
        if name == "box":
            axis, more = _reduced(axis)
            found += more
        elif name == "gaussian":
            sigma = max(0.0, (step - 1) / 2) if not p.blur_sigma else p.blur_sigma[-1]
            found.append(_blur(axis, sigma))
        else:
            axis, more = _splined(axis, name)
            found += more
    return axis, found


def reduction(axis: Axis) -> int:
    """Return how many pixels of an axis become one before it is resampled."""
    first, last = axis.region or (0.0, float(axis.n_in))
    step = 1 / axis.scale if axis.scale else (last - first) / axis.n_out
    return int(step / (axis.particulars.reduce_gap or math.inf)) or 1


def _reduced(axis: Axis) -> tuple[Axis, Filters]:
    """Return the axis after Pillow's reduction, which sees the pixels near the box.

    Half a pixel of the kernel's reach is left out there, and what lies beyond is gone.
    """
    n, factor = axis.n_in, reduction(axis)
    first, last = axis.region or (0.0, float(n))
    plain = axis.replace(spec=axis.spec.replace(antialias=False))
    margin = (plain.kernel.radius - 0.5) * (last - first) / axis.n_out
    start, stop = max(0, int(first - margin)), min(n, math.ceil(last + margin))
    if (factor, start, stop) == (1, 0, n):
        return axis, []
    # Pillow's call takes float32.
    ends = [float(np.float32((end - start) / factor)) for end in (first, last)]
    cells = math.ceil((stop - start) / factor)
    left = axis.replace(n_in=cells, region=(ends[0], ends[1]))
    return left, [partial(box, n, factor, start=start, stop=stop)]


def _blur(axis: Axis, sigma: float) -> Callable[[IndexArray], Weights]:
    """Return the Gaussian that an axis goes through, by its own rules."""
    p, half = axis.particulars, None
    if p.blur_taps == "four_sigma":
        half = int(max(4 * sigma, 3)) // 2
    rule = p.blur_boundary or axis.spec.boundary
    areas, fill = p.blur_weights == "areas", axis.spec.fill or 0.0
    return partial(gaussian, axis.n_in, sigma, rule, fill, half=half, areas=areas)


def _splined(axis: Axis, name: str) -> tuple[Axis, Filters]:
    spec, n = axis.spec, axis.n_in
    if spec.order is None:
        raise ValueError(f"prefilter {name!r} needs kernel='bspline'")
    if spec.order < 2:
        return axis, []
    if name == "bspline_aliased" and 1 < n <= ALIASED:
        return axis, [partial(bspline_aliased, n, spec.order)]
    rule, margin = "symmetric", 0
    before: Filters = []
    if name == "bspline":
        rule = exact(spec.boundary)
    elif name == "padded_bspline":
        rule = "reflect" if spec.boundary == "constant" else "symmetric"
        margin, before = PAD, [partial(padded, n, spec.boundary, spec.fill or 0.0)]
    # The pixels of a coefficient follow the filter's own rule at the ends.
    spec = spec.replace(boundary=rule, fill=None)
    shares = tuple(inverse_taps(spec.order or 0))
    return axis.replace(spec=spec, margin=margin, spreads=shares), before


def exact(boundary: str) -> str:
    """Return the rule under which a spline's filter is its inverse."""
    return boundary if boundary in ("symmetric", "wrap") else "reflect"


def convolution(
    taps: FloatArray,
    n: int,
    rule: str,
    fill: float = 0.0,
    wanted: IndexArray | None = None,
) -> Weights:
    """Return a centred filter under a boundary rule, as an operator."""
    places = np.arange(n) if wanted is None else wanted
    checks.weights(len(places), len(taps), f"a filter of {len(taps)} taps")
    half = len(taps) // 2
    j = places[:, None] + np.arange(-half, half + 1.0)
    pixel, reads, counts = boundary.seen(j, n, rule)
    weight = np.where(counts, taps, 0.0)
    if not counts.all():
        weight /= weight.sum(1, keepdims=True)
    outside = np.where(reads, 0.0, weight).sum(1)
    offset = fill * outside if fill else None
    return Weights(pixel, np.where(reads, weight, 0.0), n, offset).merged


def inverse_taps(order: int) -> FloatArray:
    """Return the filter that turns samples into B-spline coefficients.

    It is the exact inverse of sampling the spline at the pixels (Unser 1999), whose
    response dies out within some dozens of pixels.

    >>> round(float(inverse_taps(3).max()), 4)  # sqrt(3)
    1.7321
    """
    half = order // 2
    sampled = kernel("bspline", order=order)(np.arange(-half, half + 1.0))
    poles = _poles(order)
    slopes = np.polyval(np.polyder(sampled), poles)
    reach = math.ceil(math.log(NEGLIGIBLE) / math.log(np.abs(poles).max()))
    k = np.arange(reach + 1)[:, None] + half - 1
    right: FloatArray = (poles**k / slopes).sum(1)
    return np.concatenate([right[:0:-1], right])


def bspline(n: int, order: int, rule: str) -> Weights:
    """Return that filter under a boundary rule, as an operator."""
    if order < 2 or n == 1:
        return Weights.identity(n)
    return convolution(inverse_taps(order), n, rule)


def bspline_aliased(n: int, order: int, wanted: IndexArray | None = None) -> Weights:
    """Return SciPy's filter for the boundary "symmetric": its first sum goes wrong.

    The last term of that sum reads the first coefficient, which by then holds the sum
    so far. The error falls as z**(2n), z being the filter's largest pole; beyond a
    dozen pixels it is gone. SciPy issue 24550, in versions before 1.18.
    """
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
    return Weights.from_dense(c if wanted is None else c[wanted])


def _poles(order: int) -> FloatArray:
    """Return the poles inside the unit circle of the filter that inverts a spline."""
    half = order // 2
    taps = kernel("bspline", order=order)(np.arange(-half, half + 1.0))
    roots = np.roots(taps).real
    inside: FloatArray = roots[np.abs(roots) < 1]
    return inside


def padded(n: int, rule: str, fill: float, wanted: IndexArray | None = None) -> Weights:
    """Return what adds `PAD` pixels to each end.

    >>> padded(3, "edge", 0.0).shape
    (27, 3)
    """
    j = np.arange(-PAD, n + PAD, dtype=np.float64)[:, None]
    j = j if wanted is None else j[wanted]
    pixel, reads, _ = boundary.seen(j, n, rule)
    offset = np.where(reads[:, 0], 0.0, fill) if fill else None
    return Weights(pixel, reads.astype(np.float64), n, offset)


def gaussian(
    n: int,
    sigma: float,
    rule: str,
    fill: float = 0.0,
    wanted: IndexArray | None = None,
    *,
    half: int | None = None,
    areas: bool = False,
) -> Weights:
    """Return the blur of a Gaussian of ``half`` taps a side, four sigma by default.

    Taps are its heights, divided by their sum, or its ``areas`` over the pixels.
    """
    places = np.arange(n) if wanted is None else wanted
    if sigma <= 0:
        return Weights(places[:, None], np.ones((len(places), 1)), n)
    half = int(4 * sigma + 0.5) if half is None else half
    checks.weights(len(places), 2 * half + 1, f"a Gaussian of sigma {sigma:g}")
    pixels = np.arange(-half, half + 1.0)
    if areas:
        shares = GaussianOverPixels(sigma, half)(pixels)
        return convolution(shares, n, rule, fill, wanted)
    taps = np.exp(-0.5 * (pixels / sigma) ** 2)
    return convolution(taps / taps.sum(), n, rule, fill, wanted)


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


def box(
    n: int,
    factor: int,
    wanted: IndexArray | None = None,
    start: int = 0,
    stop: int | None = None,
) -> Weights:
    """Return the means of ``factor`` pixels from ``start`` to ``stop``, one a row.

    The last cell averages what is left. No full cell is needed.
    """
    stop = n if stop is None else stop
    cells = np.arange(math.ceil((stop - start) / factor)) if wanted is None else wanted
    j = start + cells[:, None] * factor + np.arange(min(factor, stop - start))
    weight = (j < stop) / (j < stop).sum(1, keepdims=True)
    return Weights(np.minimum(j, stop - 1), weight, n)
