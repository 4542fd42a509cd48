"""Which input pixels a resize never reads, and what a scale does that fits no size."""

from collections.abc import Sequence

import numpy as np

from resizelab.arrays import resizing
from resizelab.axis.convention import Convention
from resizelab.axis.operator import Weights
from resizelab.models.deviation import between, by_sizes, modest, written

MUCH = 0.25  # of the pixels: below it a resize merely skips here and there


def unread(c: Convention, before: Sequence[int], after: Sequence[int]) -> str:
    """Say which share of the pixels no output reads, or '' up to a quarter.

    Large axes are looked at on fewer pixels of the same ratio.

    >>> from resizelab.catalog import convention
    >>> unread(convention("opencv.linear"), (480, 640), (48, 64))
    '96 % of the pixels are never read (480x640 to 48x64): fine detail becomes noise'
    """
    axes = [modest(n, m) for n, m in zip(before, after, strict=True)]
    plan = resizing.plan([n for n, _ in axes], [m for _, m in axes], c)
    share = 1 - float(np.prod([_read(operator) for _, operator in plan.work]))
    if share <= MUCH:
        return ""
    return (
        f"{100 * share:.0f} % of the pixels are never read ({written(before)} to "
        f"{written(after)}): fine detail becomes noise"
    )


def _read(operator: Weights) -> float:
    """Return the share of an axis's pixels that some output reads."""
    read = np.unique(operator.index[operator.weight != 0])
    return len(read) / operator.n_in


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
        f"a scale of {s:g} makes {n * s:g} pixels of {n}: {written(after)} come out, "
        f"placed by the scale; asked for as a size they are up to {far.amount:.2g} of "
        "the input's range away"
    )
