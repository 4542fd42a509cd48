"""Sizes of tiles: as they are given, or the largest that a budget of bytes allows."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from resizelab import checks
from resizelab.axis.operator import Weights

Chunks = int | Sequence[int | None] | None


def given(chunks: Any, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the pixels of a tile, one size an axis, none larger than its axis.

    >>> given(4, (10, 20)), given((None, 50), (10, 20))
    ((4, 20), (10, 20))
    """
    listed = isinstance(chunks, (list, tuple, np.ndarray))
    asked = list(chunks) if listed else [chunks]
    if len(asked) > len(shape):
        raise ValueError(
            f"chunks must have at most {len(shape)} sizes, one an axis; got {chunks}"
        )
    asked += [None] * (len(shape) - len(asked))
    pairs = zip(asked, shape, strict=True)
    return tuple(n if c is None else min(checks.size("chunks", c), n) for c, n in pairs)


def fitting(
    shape: tuple[int, ...],
    memory: Callable[[Sequence[int]], int],
    budget: Any,
    at_once: int,
) -> tuple[int, ...]:
    """Return the largest tile that fits, cut along as few axes as possible.

    ``memory`` says how many bytes a tile of some sizes takes; ``at_once`` of them have
    to fit the budget.

    >>> fitting((10, 20), lambda sizes: sizes[0] * sizes[1], 45, 1)
    (2, 20)
    """
    budget = int(budget) if isinstance(budget, np.integer) else budget
    checks.a("budget", budget, int)
    checks.size("at_once", at_once)
    sizes = list(shape)
    for axis, n in enumerate(shape):
        low, high = 1, n
        while low < high:
            sizes[axis] = (low + high + 1) // 2
            fits = at_once * memory(sizes) <= budget
            low, high = (sizes[axis], high) if fits else (low, sizes[axis] - 1)
        sizes[axis] = low
        if (least := at_once * memory(sizes)) <= budget:
            return tuple(sizes)
    raise ValueError(
        f"budget must be at least {least} bytes, what a tile of one pixel takes, "
        f"{at_once} at once; got {budget}"
    )


def most_read(operator: Weights, chunk: int) -> int:
    """Return how many inputs the greediest chunk of outputs reads."""
    used = operator.weight != 0
    low = np.where(used, operator.index, operator.n_in).min(1)
    high = np.where(used, operator.index, -1).max(1)
    first = np.arange(0, operator.n_out, chunk)
    span = np.maximum.reduceat(high, first) - np.minimum.reduceat(low, first)
    return max(1, int(span.max()) + 1)
