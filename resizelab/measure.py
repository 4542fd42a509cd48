"""Numbers that say how two arrays, or two operators, differ."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from resizelab import checks
from resizelab.axis.operator import Weights
from resizelab.checks import FloatArray


@dataclass(frozen=True)
class Difference:
    """How far two arrays of one shape are apart, in the arrays' own unit.

    ``beyond`` is the share of entries that differ by more than ``level``.
    """

    largest: float
    mean: float
    beyond: float
    level: float
    where: tuple[int, ...]


def difference(a: Any, b: Any, level: float = 1.0) -> Difference:
    """Return how far ``a`` and ``b`` are apart.

    >>> d = difference([0, 10, 20], [0, 12, 20])
    >>> d.largest, d.where, round(d.beyond, 2)
    (2.0, (1,), 0.33)
    """
    left, right = _same_shape(a, b)
    gap = np.abs(left - right)
    place = np.unravel_index(int(gap.argmax()), gap.shape)
    return Difference(
        largest=float(gap.max()),
        mean=float(gap.mean()),
        beyond=float((gap > checks.number("level", level)).mean()),
        level=level,
        where=tuple(int(k) for k in place),
    )


def operator_difference(a: Weights, b: Weights) -> float:
    """Return the largest error of one over the other for inputs between 0 and 1.

    An input can be 1 wherever A - B is positive and 0 elsewhere, or the other way
    round; the worst row decides, and no picture can do worse.

    >>> import resizelab as rl
    >>> half, corners = rl.Spec(), rl.Spec(grid="align_corners")
    >>> round(operator_difference(rl.weights(half, 4, 8), rl.weights(corners, 4, 8)), 3)
    0.179
    """
    for name, operator in (("a", a), ("b", b)):
        checks.a(name, operator, Weights)
    if a.shape != b.shape:
        raise ValueError(f"operators must have one shape; got {a.shape} and {b.shape}")
    gap = a.dense() - b.dense()
    up, down = np.maximum(gap, 0).sum(1), np.maximum(-gap, 0).sum(1)
    offset = a.offsets - b.offsets
    return float(np.maximum(up + offset, down - offset).max())


def cosine(a: Any, b: Any) -> float:
    """Return the cosine similarity of two arrays, flattened.

    It is blind to a factor, and two unrelated positive maps still score high:
    do not take 0.9 for "almost equal".

    >>> cosine([1.0, 2.0], [2.0, 4.0])
    1.0
    """
    left, right = _same_shape(a, b)
    length = float(np.linalg.norm(left) * np.linalg.norm(right))
    if length == 0:
        raise ValueError("the cosine of an array of zeros is not defined")
    return round(float(left.ravel() @ right.ravel()) / length, 15)


def dice(truth: Any, mask: Any) -> float:
    """Return ``2 |both| / (|truth| + |mask|)`` of two masks of one shape.

    Any number but 0 counts as inside. Raises ValueError where both masks are empty.

    >>> dice([0, 1, 1, 0], [0, 0, 1, 1])
    0.5
    """
    both, either = _overlap(truth, mask)
    return 2 * both / (both + either)


def iou(truth: Any, mask: Any) -> float:
    """Return ``|both| / |either|`` of two masks; Dice is ``2 iou / (1 + iou)``.

    Any number but 0 counts as inside. Raises ValueError where both masks are empty.

    >>> round(iou([0, 1, 1, 0], [0, 0, 1, 1]), 3)
    0.333
    """
    both, either = _overlap(truth, mask)
    return both / either


def mean_iou(truth: Any, labels: Any) -> float:
    """Return the mean over all classes of their ``iou`` (mIoU).

    Both arrays hold class numbers and have one shape; stack the maps of a whole test
    set, as benchmarks do. A class that occurs in neither has no part in the mean.
    Every number is a class: take out pixels to be ignored (255, say) beforehand.

    >>> round(mean_iou([0, 0, 1, 2], [0, 1, 1, 2]), 3)  # 1/2, 1/2 and 1
    0.667
    """
    left, right = _without_nan(truth, labels, "truth and labels")
    classes = np.union1d(left, right)
    return float(np.mean([iou(left == c, right == c) for c in classes]))


def local_shift(before: Any, after: Any, window: int = 9) -> FloatArray:
    """Return how far the content of ``after`` has moved against ``before``, per pixel.

    Both are (n,) samples of one line. In each window the move is the least-squares
    answer to after = before - shift * slope; it serves moves below one pixel on smooth
    lines. NaN marks windows without slope.

    >>> line = np.sin(np.arange(40) / 4)
    >>> moved = np.sin((np.arange(40) - 0.3) / 4)
    >>> round(float(np.nanmedian(local_shift(line, moved))), 2)
    0.3
    """
    left, right = _same_shape(before, after)
    if left.ndim != 1:
        raise ValueError(f"before must have one axis; got shape {left.shape}")
    if len(left) < 2:
        raise ValueError(f"before must have at least 2 samples; got {len(left)}")
    window = checks.size("window", window)
    slope = np.gradient((left + right) / 2)
    ones = np.ones(min(window, len(left)))
    lift = np.convolve(slope * (left - right), ones, "same")
    power = np.convolve(slope**2, ones, "same")
    flat = power <= 1e-12 * max(float(power.max()), 1e-300)
    return np.where(flat, np.nan, lift / np.where(flat, 1.0, power))


def _overlap(truth: Any, mask: Any) -> tuple[int, int]:
    """Return how many pixels are inside both masks, and inside either."""
    left, right = (m != 0 for m in _without_nan(truth, mask, "truth and mask"))
    both, either = int((left & right).sum()), int((left | right).sum())
    if not either:
        raise ValueError("truth and mask are both empty: nothing to compare")
    return both, either


def _without_nan(a: Any, b: Any, names: str) -> tuple[FloatArray, FloatArray]:
    """Return both; NaN is neither inside nor outside, and of no class."""
    left, right = _same_shape(a, b, names)
    if np.isnan(left).any() or np.isnan(right).any():
        raise ValueError(f"{names} must not hold NaN")
    return left, right


def _same_shape(
    a: Any, b: Any, names: str = "a and b"
) -> tuple[FloatArray, FloatArray]:
    left, right = checks.numbers(names, a), checks.numbers(names, b)
    if left.shape != right.shape:
        raise ValueError(
            f"{names} must have one shape; got {left.shape} and {right.shape}"
        )
    if left.size == 0:
        raise ValueError(f"{names} are empty; got shape {left.shape}")
    return left, right
