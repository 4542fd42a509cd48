"""Which input pixels a resize never reads, and what a scale does that fits no size."""

from collections.abc import Sequence

import numpy as np

from resizelab.arrays import resizing
from resizelab.axis import Convention, Weights
from resizelab.checks import FloatArray
from resizelab.models.deviation import between, by_sizes, modest
from resizelab.text import by

SKIPPED = 0.25  # of the pixels: below it a resize merely skips here and there
COUNTED = 0.5  # of the pixels: with more than that, what is left out is little


def unread(c: Convention, before: Sequence[int], after: Sequence[int]) -> str:
    """Say which share of the pixels no output reads, or '' where most of them count.

    A pixel may be read and hardly count: where the weights that the pixels get are
    uneven, they are as good as fewer pixels with equal weights. Large axes are looked
    at on fewer pixels of the same ratio.

    >>> from resizelab.catalog import convention
    >>> unread(convention("opencv.linear"), (480, 640), (48, 64))
    '96 % of the pixels are never read (480x640 to 48x64): fine detail becomes noise'
    """
    axes = [modest(n, m) for n, m in zip(before, after, strict=True)]
    plan = resizing.plan([n for n, _ in axes], [m for _, m in axes], c)
    totals = [_weight_of_pixels(operator) for _, operator in plan.work]
    skipped = 1 - float(np.prod([np.mean(w > 0) for w in totals]))
    counted = float(np.prod([w.mean() ** 2 / np.mean(w**2) for w in totals]))
    if skipped > SKIPPED:
        share = f"{100 * skipped:.0f} % of the pixels are never read"
    elif counted < COUNTED:
        share = f"the pixels count unevenly, as if {100 - 100 * counted:.0f} % were not"
        share += " read"
    else:
        return ""
    place = f"({by(before)} to {by(after)})"
    return f"{share} {place}: fine detail becomes noise"


def _weight_of_pixels(operator: Weights) -> FloatArray:
    """Return how much each input pixel counts, over all outputs."""
    total = np.zeros(operator.n_in)
    np.add.at(total, operator.index, np.abs(operator.weight))
    return total


def broken_size(
    c: Convention, before: Sequence[int], after: Sequence[int], scale: Sequence[float]
) -> str:
    """Say what a scale does that gives no whole size, or '' if it does nothing.

    The step stays that of the scale, so the last pixels are not where those of a resize
    to the same size are.
    """
    scale = scale if len(scale) == len(before) else [*scale] * len(before)
    broken = [
        (n, s) for n, s in zip(before, scale, strict=True) if not (n * s).is_integer()
    ]
    if not broken:
        return ""
    n, s = broken[0]
    sizes = tuple(before), tuple(after)
    far = between(by_sizes(c), c, sizes)
    if not far.parted:
        return ""
    return (
        f"a scale of {s:g} makes {n * s:g} pixels of {n}: {by(after)} come out, "
        f"placed by the scale; asked for as a size they are up to {far.amount:.2g} of "
        "the input's range away"
    )
