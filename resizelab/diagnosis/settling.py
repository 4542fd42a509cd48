"""Two outputs of one model, made comparable: channels first, finite, few enough.

Logits, feature maps and masks come as HW, CHW, HWC, NCHW or NHWC. Which axis counts
channels is guessed from the values: neighbours along it are no more alike than others.
"""

from itertools import permutations
from typing import Any

import numpy as np

from resizelab import checks
from resizelab.arrays import layouts
from resizelab.checks import FloatArray
from resizelab.diagnosis.maps import Pair

LAYOUTS = {
    name: len(name) for name in layouts.LAYOUTS if {*"HW"} <= {*name} <= {*"NCHW"}
}
SMALLEST = 8  # pixels of an axis; fewer tell nothing about a move
GUESSED = 96  # pixels of an axis from which the layout is guessed
LABELS = 8  # of a mask
MOST_LABELS = 64
PIECES = 0.6  # share of equal neighbours from which whole numbers count as labels


def settle(ref: Any, got: Any, layout: str | None = None) -> Pair:
    """Return two outputs as a `Pair`, or raise ValueError where they are none.

    >>> a = np.arange(300.0).reshape(10, 10, 3)
    >>> settle(a, a.transpose(2, 0, 1)).ref.shape
    (3, 10, 10)
    """
    left, right = _numbers("ref", ref), _numbers("got", got)
    remarks: list[str] = []
    left, right, reduced = _labelled(left, right)
    left, right = _same_rank(left, right)
    if layout is not None:
        checks.one_of("layout", layout, LAYOUTS)
        if LAYOUTS[layout] != left.ndim:
            raise ValueError(
                f"layout={layout!r} has {LAYOUTS[layout]} axes; the outputs have "
                f"{left.ndim}: {left.shape}"
            )
    right, swapped = _same_shape(left, right)
    remarks += [told for told in (reduced, swapped) if told]
    x, y = (_channels_first(a, layout or _guess(left, right)) for a in (left, right))
    if min(x.shape[1:]) < SMALLEST:
        raise ValueError(
            f"an output must have at least {SMALLEST} pixels an axis; got height and "
            f"width {x.shape[1:]} of shape {left.shape}"
        )
    mask = len(x) == 1 and _is_mask(x[0]) and _is_mask(y[0])
    if mask:
        x, y = _one_map_a_label(x[0], y[0])
        remarks.append("these are masks: moves are known to about a pixel, no finer")
    pair = Pair(x, y, mask, swapped, reduced, tuple(remarks))
    liveliest = float(np.minimum(*pair.deviations).max())
    if liveliest <= 1e-12 * max(float(np.abs(x).max()), 1e-300):
        raise ValueError("ref or got is flat: a map without content tells nothing")
    return pair


def _numbers(name: str, value: Any) -> FloatArray:
    array = np.asarray(value)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name} must hold real numbers; got dtype {array.dtype}")
    if array.ndim not in (2, 3, 4, 5) or array.size == 0:
        raise ValueError(
            f"{name} must be {', '.join(LAYOUTS)}, not empty; got shape {array.shape}"
        )
    x = array if array.dtype == np.float32 else array.astype(np.float64)
    wrong = x.size - int(np.count_nonzero(np.isfinite(x)))
    if wrong:
        raise ValueError(
            f"{name} has {wrong} values that are not finite: mend it first"
        )
    return x


def _labelled(
    left: FloatArray, right: FloatArray
) -> tuple[FloatArray, FloatArray, str]:
    """Return labels for scores, where one side holds scores and the other labels."""
    for scores, labels, name in ((left, right, "got"), (right, left, "ref")):
        x, y = _bare(scores, 3), _bare(labels, 2)
        if x.ndim != 3 or y.ndim != 2 or (y != np.rint(y)).any():
            continue
        for axis in (0, 2):
            rest = x.shape[1:] if axis == 0 else x.shape[:2]
            if x.shape[axis] > 1 and rest == y.shape:
                told = f"{name} holds the argmax over channels, the other the scores"
                x = x.argmax(axis).astype(np.float64)
                return (x, y, told) if name == "got" else (y, x, told)
    return left, right, ""


def _bare(x: FloatArray, rank: int) -> FloatArray:
    """Drop leading axes of one entry down to a rank."""
    while x.ndim > rank and x.shape[0] == 1:
        x = x[0]
    return x


def _same_rank(left: FloatArray, right: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Drop leading axes of one entry that only one of the two has, or a fifth."""
    rank = min(left.ndim, right.ndim, 4)
    both = [_bare(x, rank) for x in (left, right)]
    if both[0].ndim != both[1].ndim:
        raise ValueError(
            "ref and got must have one number of axes; got shapes "
            f"{left.shape} and {right.shape}"
        )
    return both[0], both[1]


def _same_shape(x: FloatArray, y: FloatArray) -> tuple[FloatArray, str]:
    """Return ``y`` with the axes of ``x``, and what was done if anything was."""
    if x.shape == y.shape:
        return y, ""
    orders = [
        order
        for order in permutations(range(y.ndim))
        if tuple(y.shape[k] for k in order) == x.shape
    ]
    if not orders:
        told = f"ref and got have different sizes, {x.shape} and {y.shape}: "
        if x.shape[-2:] == y.shape[-2:]:
            told += "channels or batch differ, so they are not one output of one model"
        else:
            told += (
                "that is a rule for sizes (floor, round, ceil), padding or a crop, not "
                "a grid; see output_size"
            )
        raise ValueError(told)
    # Of several, the one that makes the values most alike.
    order = max(orders, key=lambda o: _alike(x, y.transpose(o)))
    what = f"got has shape {y.shape}, ref {x.shape}: its axes are in another order"
    return y.transpose(order), what


def _alike(x: FloatArray, y: FloatArray) -> float:
    x, y = x - x.mean(), y - y.mean()
    return float(
        (x * y).sum() / max(float(np.sqrt((x**2).sum() * (y**2).sum())), 1e-300)
    )


def _guess(x: FloatArray, y: FloatArray) -> str:
    if x.ndim == 2:
        return "HW"
    names = ("CHW", "HWC") if x.ndim == 3 else ("NCHW", "NHWC")
    sides = min(x.shape[-2:]), min(x.shape[-3:-1])
    if min(sides) < SMALLEST <= max(sides):
        return names[0] if sides[0] >= SMALLEST else names[1]
    middle = tuple(
        slice(max(0, (n - GUESSED) // 2), (n + GUESSED) // 2) for n in x.shape
    )
    x, y = (m[middle].astype(np.float64) for m in (x, y))
    first, last = _roughness(x, y, x.ndim - 3), _roughness(x, y, x.ndim - 1)
    return names[0] if first >= last else names[1]


def _roughness(x: FloatArray, y: FloatArray, axis: int) -> float:
    """Return how unlike neighbours along an axis are: near 1 for channels."""
    if x.shape[axis] == 1:
        return np.inf
    rough = [
        float((np.diff(m, axis=axis) ** 2).mean()) / max(2 * float(m.var()), 1e-300)
        for m in (x, y)
    ]
    return min(rough)


def _channels_first(x: FloatArray, layout: str) -> FloatArray:
    if layout.endswith("C"):
        x = np.moveaxis(x, -1, -3)
    return np.ascontiguousarray(x.reshape(-1, *x.shape[-2:]))


def _is_mask(x: FloatArray) -> bool:
    part = x[: 2**10, : 2**10]
    whole = bool((part == np.rint(part)).all())
    alike = float((np.diff(part, axis=1) == 0).mean())
    return whole and alike > PIECES and len(np.unique(part)) <= MOST_LABELS


def _one_map_a_label(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    labels, count = np.unique(x, return_counts=True)
    common = labels[np.argsort(-count)][:LABELS, None, None]
    return (x == common).astype(np.float64), (y == common).astype(np.float64)
