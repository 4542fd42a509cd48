"""From a spec and two sizes to an operator: which pixels, and how much of each."""

import math

import numpy as np

from resizelab import checks
from resizelab.axis import picking, prefilter, steps
from resizelab.axis.kernel import PICKING, Kernel, kernel
from resizelab.axis.operator import Weights
from resizelab.axis.spec import Particulars, Spec
from resizelab.axis.steps import Region
from resizelab.checks import FloatArray


def weights(
    spec: Spec,
    n_in: int,
    n_out: int,
    scale: float | None = None,
    particulars: Particulars | None = None,
    roi: Region = None,
) -> Weights:
    """Return the operator of one axis.

    Parameters
    ----------
    spec : Spec
        The ideas: kernel, grid, boundary, …
    n_in, n_out : int
        Pixels of the axis before and after.
    scale : float, optional
        n_out / n_in as given by the caller; needed where ``step_from`` is "scale".
    particulars : Particulars, optional
        Neutral by default.
    roi : (float, float), optional
        The region read, for the grids that have one.

    >>> from resizelab import Spec
    >>> weights(Spec(), 4, 8) @ np.array([0.0, 10.0, 20.0, 30.0])
    array([ 0. ,  2.5,  7.5, 12.5, 17.5, 22.5, 27.5, 30. ])
    """
    n_in, n_out = checks.size("n_in", n_in), checks.size("n_out", n_out)
    p = particulars or Particulars()
    given, roi = steps.given(spec, p, n_in, n_out, scale, roi)
    if steps.copies(p, n_in, n_out, given):
        return Weights.identity(n_in)
    if steps.doubles(p, n_in, n_out):
        index = np.arange(n_out)[:, None] // 2
        return Weights(index, np.ones(index.shape), n_in)
    if p.prefilter:
        return _prefiltered(spec, p, n_in, n_out, given, roi)
    return _sampled(spec, p, n_in, n_out, given, roi)


def _prefiltered(
    spec: Spec,
    p: Particulars,
    n_in: int,
    n_out: int,
    scale: float | None,
    roi: Region,
) -> Weights:
    """Compose the matrices applied to the input first with the sampling."""
    step = n_in / n_out if scale is None else 1 / scale
    before: FloatArray = np.eye(n_in)
    outside = np.zeros(n_in)  # what is taken from a constant outside
    n, pad = n_in, 0
    for name in p.prefilter:
        if name == "box":
            assert p.reduce_gap is not None
            factor = max(1, int(step / p.reduce_gap))
            matrix, offset = prefilter.box(n, factor), None
            first, last = roi or (0.0, float(n_in))
            roi, n = (first / factor, last / factor), len(matrix)
        elif name == "gaussian":
            sigma = max(0.0, (step - 1) / 2) if not p.blur_sigma else p.blur_sigma[-1]
            matrix = prefilter.gaussian(n, sigma, spec.boundary)
            offset = (spec.fill or 0.0) * (1 - matrix.sum(1))
        else:
            matrix, offset = _spline_coefficients(name, spec, n)
            pad = (len(matrix) - n) // 2
        before, outside = matrix @ before, matrix @ outside
        outside = outside if offset is None else outside + offset
    prepared = Weights.from_dense(before, outside if outside.any() else None)
    return _sampled(spec, p, n, n_out, scale, roi, pad).after(prepared)


def _spline_coefficients(
    name: str, spec: Spec, n: int
) -> tuple[FloatArray, FloatArray | None]:
    if spec.order is None:
        raise ValueError(f"prefilter {name!r} needs kernel='bspline'")
    if name == "bspline_aliased":
        return prefilter.bspline_aliased(n, spec.order), None
    if name == "bspline":
        rule = spec.boundary if spec.boundary in ("symmetric", "wrap") else "reflect"
        return prefilter.bspline(n, spec.order, rule), None
    wider, fill = prefilter.padded(n, spec.boundary, spec.fill)
    rule = "reflect" if spec.boundary == "constant" else "symmetric"
    inverse = prefilter.bspline(len(wider), spec.order, rule)
    return inverse @ wider, inverse @ fill


def _sampled(
    spec: Spec,
    p: Particulars,
    n_in: int,
    n_out: int,
    scale: float | None,
    roi: Region,
    pad: int = 0,
) -> Weights:
    g = steps.sampled(spec, p, n_in, n_out, scale, roi)
    x = g.positions()
    if p.fraction_bits is not None:
        x = np.rint(np.ldexp(x, p.fraction_bits)) / 2.0**p.fraction_bits
    x, asked = _moved_inside(x, n_in, p.outside_positions), x
    if spec.kernel in PICKING:
        j, w = picking.taps(spec, p, g, _searched(x, p, 1.0))
        raw = _bounded(spec, p, j + pad, w, n_in + 2 * pad)
    else:
        ratio = n_out / n_in if scale is None else scale
        step = g.step if p.stretch_by == "grid" else 1 / ratio
        stretch = max(1.0, step) if spec.antialias else 1.0
        j, w = _by_distance(spec, p, x, stretch)
        raw = _bounded(spec, p, j + pad, w, n_in + 2 * pad)
    return _extrapolated(spec, p, asked, raw)


def _moved_inside(x: FloatArray, n: int, rule: str | None) -> FloatArray:
    if rule is None:
        return x
    if rule == "one_later":
        return np.trunc(x) + (x - np.floor(x))
    last = n - 1.0
    if n == 1:
        return np.zeros_like(x)
    # SciPy's "wrap": the two ends are one point, so a row repeats after n - 1 pixels.
    before = x + last * (np.trunc(-x / last) + 1)
    beyond = x - last * np.trunc(x / last)
    return np.where(x < 0, before, np.where(x > last, beyond, x))


def _searched(x: FloatArray, p: Particulars, reach: float) -> FloatArray:
    """Return positions as `window_search` finds them."""
    if p.window_search == "position":
        return x
    # onnx.reference: the fraction is the position's own, the pixel is the floor of the
    # position plus the padding. A fraction lost in that sum looks like a whole pixel,
    # and of a whole pixel's two neighbours the window begins with the lower.
    pad, pixel = math.ceil(reach), np.floor(x)
    return np.where((x > pixel) & (x + pad == pixel + pad), x - 1, x)


def _by_distance(
    spec: Spec, p: Particulars, x: FloatArray, stretch: float
) -> tuple[FloatArray, FloatArray]:
    """Return the pixels near each position and their weights, (n_out, taps) both."""
    k = _kernel_of(spec)
    reach = k.radius * stretch
    x = _searched(x, p, reach)
    first = np.ceil(x - reach)
    taps = math.floor(2 * reach) + 1
    j = first[:, None] + np.arange(taps)
    w = k(_distances(j - x[:, None], stretch, p))
    if p.window == "half_open":
        # Pillow truncates (centre ∓ reach + 1/2) to find the taps, and a tap lost to
        # that rounding is lost even if the kernel would give it weight.
        centre = x + 0.5
        low, high = np.floor(centre - reach + 0.5), np.floor(centre + reach + 0.5)
        w = np.where((j >= low[:, None]) & (j < high[:, None]), w, 0.0)
    return j, w


def _distances(pixels: FloatArray, stretch: float, p: Particulars) -> FloatArray:
    if p.distance_arithmetic == "float64":
        return pixels * (1.0 / stretch)
    # The engine holds the scale and inverts it twice, in float32.
    share = np.float32(1) / np.float32(1.0 / float(np.float32(1.0 / stretch)))
    return (pixels.astype(np.float32) * share).astype(np.float64)


def _kernel_of(spec: Spec) -> Kernel:
    if isinstance(spec.kernel, Kernel):
        return spec.kernel
    names = ("a", "b", "c", "lobes", "sigma", "cut", "order")
    given = {n: getattr(spec, n) for n in names if getattr(spec, n) is not None}
    return kernel(spec.kernel, **given)


def _bounded(
    spec: Spec, p: Particulars, j: FloatArray, w: FloatArray, n: int
) -> Weights:
    """Apply the boundary rule to taps ``j`` and normalise the weights ``w``."""
    tap = j.astype(np.intp)
    if p.padding is not None:
        w = np.where((tap < -p.padding) | (tap >= n + p.padding), 0.0, w)
    # Only "exclude" changes the sum by dropping taps: a tap that reads the edge, a
    # mirror image or a constant keeps its weight.
    drops = spec.boundary == "exclude"
    peak = float(np.abs(w).max())  # what counts as nothing depends on the kernel
    if p.normalise == "before" or (p.normalise == "after" and not drops):
        w = _normalised(w, peak)
    offset = None
    if drops or spec.boundary == "constant":
        outside = (tap < 0) | (tap >= n)
        if spec.fill:
            offset = np.where(outside, w, 0.0).sum(1) * spec.fill
        w = np.where(outside, 0.0, w)
    if p.normalise == "after" and drops:
        w = _normalised(w, peak)
    return Weights(prefilter.fold(tap, n, spec.boundary), w, n, offset)


def _normalised(w: FloatArray, peak: float) -> FloatArray:
    total = w.sum(1, keepdims=True)
    # A row that reads nothing stays zero; dividing would make it NaN.
    share: FloatArray = np.zeros_like(w)
    np.divide(w, total, out=share, where=np.abs(total) > 1e-12 * peak)
    return share


def _extrapolated(spec: Spec, p: Particulars, x: FloatArray, w: Weights) -> Weights:
    if spec.extrapolation is None:
        return w
    margin = 0.5 if p.extrapolation_edges else 0.0
    outside = (x < -margin) | (x > w.n_in - 1 + margin)
    if not outside.any():
        return w
    offset = np.zeros(w.n_out) if w.offset is None else w.offset
    offset = np.where(outside, spec.extrapolation, offset)
    weight = np.where(outside[:, None], 0.0, w.weight)
    return Weights(w.index, weight, w.n_in, offset if offset.any() else None)
