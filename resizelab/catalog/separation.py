"""What separates two conventions: sizes, an input, and how much it shows."""

from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab import checks, measure
from resizelab.arrays import resizing
from resizelab.arrays.sizes import output_size
from resizelab.axis import Convention, Weights
from resizelab.catalog.finding import Wanted, settled
from resizelab.catalog.signatures import SAME, SCALED, SIZES, TIES

REACH = 2**20  # whole numbers of wide types stay below it, as no engine overflows there
Array = NDArray[Any]

ENOUGH = 0.9  # of the largest difference: then the smallest sizes serve best
# Two axes at once, for rules that look at the other axis.
PLANES = (((4, 4), (4, 8)), ((4, 4), (8, 4)), ((6, 7), (9, 4)), ((8, 12), (4, 6)))


def limits(dtype: Any) -> tuple[int, int]:
    """Return the lowest and highest number of an integer type that pictures hold."""
    info = np.iinfo(dtype)
    return max(info.min, -REACH), min(info.max, REACH)


@lru_cache(maxsize=256)
def picture(shape: tuple[int, int], dtype: str, seed: int) -> Array:
    """Return a random picture with a third of its pixels at the ends of the range."""
    rng = np.random.default_rng(seed)
    x = np.clip(rng.uniform(-0.3, 1.3, shape), 0, 1)
    if seed % 4 == 3:
        x = np.rint(x)  # black and white: kernels overshoot most
    kind = np.dtype(dtype)
    if kind.kind == "f":
        return x.astype(kind)
    low, high = limits(kind)
    return np.rint(low + x * (high - low)).astype(kind)


@dataclass(frozen=True)
class Separation:
    """Sizes and an input that separate two conventions best.

    Parameters
    ----------
    n_in, n_out : tuple of int
        Sizes of each axis before and after: one axis, or two where only a rule that
        looks at both separates them.
    x : array
        An input between 0 and 1 whose results differ most.
    left, right : array
        What the two make of it.
    difference : float
        The largest difference of the two results; 0 if nothing was found.
    scale : float, optional
        The scale given besides, where one of the two takes one.
    """

    n_in: tuple[int, ...]
    n_out: tuple[int, ...]
    x: Array
    left: Array
    right: Array
    difference: float
    scale: float | None = None
    _pair: tuple[Convention, Convention] | None = field(default=None, repr=False)

    def bound(self, n_in: int, n_out: int, scale: float | None = None) -> float:
        """Return how far results can be apart at your sizes, for inputs in 0 … 1.

        One axis; on two, the bounds of both axes add up, each times the other's sum of
        absolute weights (1 without negative lobes).
        """
        assert self._pair is not None
        a, b = (_weights(c, n_in, n_out, scale) for c in self._pair)
        return measure.operator_difference(a, b)


def probe(
    a: Wanted, b: Wanted, n_in: int | None = None, n_out: int | None = None
) -> Separation:
    """Return sizes and an input that separate two conventions best.

    With ``n_in`` and ``n_out``, the input that separates them best at these sizes: its
    difference is the error bound, that no input between 0 and 1 exceeds.

    >>> found = probe("torch.bilinear", "torch.bilinear.align_corners")
    >>> found.n_in, found.n_out, round(found.difference, 2)
    ((3,), (1,), 1.0)
    >>> round(probe("torch.bilinear", "tf1.bilinear", 4, 8).difference, 2)
    0.25
    >>> round(found.bound(224, 448), 3)
    0.249
    """
    pair = settled(a, "a"), settled(b, "b")
    if (n_in is None) != (n_out is None):
        raise ValueError("give n_in and n_out, or neither")
    if n_in is not None and n_out is not None:
        sizes = [one_pair(n_in, n_out)]
    else:
        sizes = _sizes(pair)
    found = [one for n, m, s in sizes if (one := _line(pair, n, m, s)) is not None]
    most = max((one.difference for one in found), default=0.0)
    if most > SAME:
        good = [one for one in found if one.difference >= ENOUGH * most]
        return min(good, key=lambda one: one.n_in[0] + one.n_out[0])
    planes = [_plane(pair, *plane) for plane in PLANES] if n_in is None else []
    found += [one for one in planes if one is not None]
    if not found:
        raise ValueError(f"{pair[0].name} and {pair[1].name} share no size here")
    return max(found, key=lambda one: one.difference)


def one_pair(n_in: int, n_out: int) -> tuple[int, int, float | None]:
    """Return the user's own sizes, checked."""
    return checks.size("n_in", n_in), checks.size("n_out", n_out), None


def _sizes(pair: tuple[Convention, ...]) -> list[tuple[int, int, float | None]]:
    found: list[tuple[int, int, float | None]] = [(n, m, None) for n, m in SIZES + TIES]
    if any(c.spec.step_from != "sizes" or c.scale for c in pair):
        rule = pair[0].particulars.size_rule
        found += [(n, output_size(n, s, rule), s) for n, s in SCALED if n * s >= 1]
    return found


def _weights(c: Convention, n: int, m: int, scale: float | None) -> Weights:
    """Return the operator of the last axis; what a row carries for it is kept."""
    carried = c.scale[-1:] if c.scale else None
    last = c.replace(scale=carried, roi=None if c.roi is None else c.roi[-1:])
    if scale is None and c.spec.step_from == "scale" and carried is None:
        scale = m / n
    return resizing.weights(last, n, m, scale)


def _line(
    pair: tuple[Convention, Convention], n: int, m: int, scale: float | None
) -> Separation | None:
    try:
        left, right = (_weights(c, n, m, scale) for c in pair)
    except ValueError:
        return None  # one of the two has no such size
    if left.shape != right.shape:
        return None
    gap = left.dense() - right.dense()
    constant = left.offsets - right.offsets
    up = np.maximum(gap, 0).sum(1) + constant
    down = np.maximum(-gap, 0).sum(1) - constant
    row = int(np.maximum(up, down).argmax())
    x = (gap[row] > 0 if up[row] >= down[row] else gap[row] < 0).astype(np.float64)
    ys = left.apply(x), right.apply(x)
    away = float(np.abs(ys[0] - ys[1]).max())
    return Separation((n,), (left.n_out,), x, *ys, away, scale, pair)


def _plane(
    pair: tuple[Convention, Convention], before: tuple[int, int], after: tuple[int, int]
) -> Separation | None:
    best: Separation | None = None
    for seed, dtype in product((3, 4, 7), ("float32",)):
        x = picture(before, dtype, seed)
        try:
            left, right = (resizing.resize(x, after, c) for c in pair)
        except ValueError:
            return None
        if left.shape != right.shape:
            return None
        away = float(np.abs(left - right).max())
        if best is None or away > best.difference:
            best = Separation(before, left.shape, x, left, right, away, None, pair)
    return best
