"""Many operators in few bytes: one bank holds every size that a slider reaches.

An operator is a band: each output reads ``taps`` input pixels in a row from ``start``
on. Its weights are rounded to multiples of 1 / 2**bits, with as few bits as keep every
result within ``TOLERANCE``, and only what a simple guess misses is stored:

* mode 0: a start is that of the row above; the last weight makes the row's sum 1,
* mode 1: the lower half is the upper half mirrored,
* mode 2 + k: the operator is that of the bank's convention k at the same sizes.

So the conventions that agree cost next to nothing, and gzip does the rest. The page
undoes it in ``picture_explorer.js``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from resizelab.axis.operator import Weights
from resizelab.axis.sparse import NEGLIGIBLE
from resizelab.checks import FloatArray
from resizelab.measure import operator_difference

# The largest error that rounding may cause, for inputs from 0 to 1 and one pass.
TOLERANCE = 3e-7
BITS = range(20, 30)
LONGEST = 2**31  # the residues travel in four bytes

Key = tuple[str, int, int]


class _Coded(NamedTuple):
    """One operator in the bank, with what the next ones may lean on."""

    head: tuple[int, int, int]  # taps, mode, bits
    starts: NDArray[np.int64]
    steps: NDArray[np.int64]  # starts less their guesses
    residues: NDArray[np.int64]
    dense: FloatArray


def bank(operators: Mapping[Key, Weights]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the bank's arrays, by key, and what the page must know to open it.

    ``operators`` is keyed by (name, n_in, n_out) and holds every name at every pair of
    sizes. Raises ValueError for an operator with an offset, which is no band.

    >>> import resizelab as rl
    >>> arrays, meta = bank({("a", 4, 2): rl.weights(rl.Spec(), 4, 2)})
    >>> meta
    {'names': ['a'], 'sizes': [[4, [2]]]}
    """
    names = list(dict.fromkeys(name for name, _, _ in operators))
    pairs = list(dict.fromkeys((n, m) for _, n, m in operators))
    coded = []
    for n, m in pairs:
        done: list[_Coded] = []
        for name in names:
            done.append(_code(name, operators[name, n, m], done))
        coded += done
    residues = np.concatenate([c.residues.ravel() for c in coded])
    zigzag = np.where(residues < 0, -2 * residues - 1, 2 * residues)
    planes = [zigzag >> shift & 255 for shift in (0, 8, 16, 24)]
    sizes: dict[int, list[int]] = {}
    for n, m in pairs:
        sizes.setdefault(n, []).append(m)
    arrays = {
        "bank.head": np.array([c.head for c in coded], np.uint8),
        "bank.step": np.concatenate([c.steps for c in coded]).astype(np.uint8),
        "bank.residue": np.array(planes, np.uint8),
    }
    return arrays, {"names": names, "sizes": [[n, m] for n, m in sizes.items()]}


def _code(name: str, operator: Weights, earlier: Sequence[_Coded]) -> _Coded:
    if operator.offset is not None and operator.offset.any():
        raise ValueError(f"{name!r} adds a constant to its pixels: it fits no bank")
    whole, bits = _rounded(name, operator)
    some = np.abs(whole) > 0
    n = operator.n_in
    first = np.where(some.any(1), some.argmax(1), 0)
    last = np.where(some.any(1), n - some[:, ::-1].argmax(1), 1)
    taps = int((last - first).max())
    modes = range(2 + len(earlier))
    tried = [_tried(whole, bits, first, last, taps, k, earlier) for k in modes]
    best = min(tried, key=lambda c: np.log2(1 + np.abs(c.residues)).sum())
    if np.abs(best.residues).max(initial=0) >= LONGEST:
        raise ValueError(f"{name!r} has weights too large for the bank")
    return best


def _rounded(name: str, operator: Weights) -> tuple[NDArray[np.int64], int]:
    """Return the dense weights as whole numbers of 1 / 2**bits, with few bits."""
    dense = operator.dense()
    dense = np.where(np.abs(dense) > NEGLIGIBLE, dense, 0.0)
    everyone = np.arange(len(dense))
    heavy = np.abs(dense).argmax(1)
    for bits in BITS:
        whole = np.floor(dense * 2.0**bits + 0.5).astype(np.int64)
        # What rounding added to a row's sum goes to its heaviest weight.
        exact = np.floor(dense.sum(1) * 2.0**bits + 0.5).astype(np.int64)
        whole[everyone, heavy] += exact - whole.sum(1)
        near = Weights.from_dense(whole / 2.0**bits)
        if operator_difference(near, operator) <= TOLERANCE:
            return whole, bits
    raise ValueError(f"{name!r} cannot be rounded to within {TOLERANCE}")


def _tried(
    whole: NDArray[np.int64],
    bits: int,
    first: NDArray[np.int64],
    last: NDArray[np.int64],
    taps: int,
    mode: int,
    earlier: Sequence[_Coded],
) -> _Coded:
    """Code one operator with one mode."""
    m, n = whole.shape
    unit = 2.0**bits
    starts, guesses = np.zeros(m, np.int64), np.zeros(m, np.int64)
    for i in range(m):
        if mode > 1:
            guesses[i] = earlier[mode - 2].starts[i]
        elif mode == 1 and 2 * i >= m:
            guesses[i] = n - taps - starts[m - 1 - i]
        elif i:
            guesses[i] = starts[i - 1]
        low, high = max(0, last[i] - taps), min(first[i], n - taps)
        starts[i] = min(max(guesses[i], low), high)
    columns = starts[:, None] + np.arange(taps)
    band = np.take_along_axis(whole, columns, 1)
    near = np.zeros_like(band)
    near[:, -1] = int(unit) - band[:, :-1].sum(1)
    if mode > 1:
        like = np.take_along_axis(earlier[mode - 2].dense, columns, 1)
        near = np.floor(like * unit + 0.5).astype(np.int64)
    elif mode == 1:
        mirrored = np.take_along_axis(whole[::-1, ::-1], columns, 1)
        near = np.where((2 * np.arange(m) >= m)[:, None], mirrored, near)
    head = (taps, mode, bits)
    return _Coded(head, starts, (starts - guesses) & 255, band - near, whole / unit)
