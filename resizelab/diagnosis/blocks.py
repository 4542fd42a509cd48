"""Notice that one of two maps is made of blocks, as a nearest neighbour makes them."""

from collections.abc import Iterable

import numpy as np

from resizelab.checks import FloatArray

LEAST = 4  # a stride whose blocks have an inside
FLAT = 1e-3  # of the mean rise: at most so much within blocks, or they are none
SLOPED = 0.02  # of it: under other kernels at least so much, even behind a high pass


def blocky(
    ref: FloatArray, got: FloatArray, strides: Iterable[tuple[float, float]]
) -> tuple[bool, bool] | None:
    """Return which of two maps, (C, H, W), is made of blocks and the other is not.

    Convolutions behind the resize round the blocks' rims off, but what is far enough
    from a rim stays flat.

    >>> ramp = np.arange(48.0).reshape(1, 1, 48) * np.ones((1, 48, 1))
    >>> steps = ramp // 8 * 8
    >>> blocky(ramp, steps, [(8.0, 8.0)])
    (False, True)
    """
    for stride in strides:
        shares = [_evenness(m, stride) for m in (ref, got)]
        low, high = min(shares), max(shares)
        if low < FLAT and high > SLOPED:
            return shares[0] == low, shares[1] == low
    return None


def _evenness(m: FloatArray, stride: tuple[float, float]) -> float:
    """Return the median rise over the mean rise of a period, for the flatter axis."""
    found = [1.0]
    for axis, s in zip((1, 2), stride, strict=True):
        if s < LEAST or s != int(s) or m.shape[axis] < 2 * s:
            continue
        rise = (np.diff(m, axis=axis) ** 2).mean(axis=(0, 3 - axis))
        periods = rise[: len(rise) // int(s) * int(s)].reshape(-1, int(s)).mean(0)
        if periods.mean() > 0:
            found.append(float(np.median(periods) / periods.mean()))
    return min(found)
