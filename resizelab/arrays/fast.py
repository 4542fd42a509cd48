"""Both axes of a picture at once, a line at a time, in compiled loops: extra ``fast``.

`resizing` asks for it where numba is installed and a picture is large enough. Sums of
whole numbers give the same bytes as NumPy's path; floats add in another order, and
where they are rounded to bytes, one of ten thousand may be a level off.
"""

import os
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

import numpy as np

from resizelab.arrays import loops
from resizelab.arrays.integers import EXACT32, Passes, quantised
from resizelab.arrays.loops import PIXEL, Array, Stored
from resizelab.axis import Arithmetic, Weights

# Index, weight, taps in use, offset, and numbers a pixel; the outputs that are plain;
# and whether those all have two taps.
Taps = tuple[tuple[Array, Array, Array, Array, int], tuple[int, int], bool]
Whole = tuple[list[tuple[int, Weights]], str, tuple[Stored, Stored]]
AS_THEY_ARE: Stored = (0, 0, 0, 0, 0)
KEPT: Stored = (0, 0, -(2**31), 2**31 - 1, 0)
NEAREST: Stored = (0, 0, 0, 255, 0)
STAGED: tuple[Stored, Stored] = (0, 4, 0, 2**15 - 1, 0), (2, 2, 0, 255, 16)
FLOATS = ("float32", "float64")
DEEPEST = 32  # numbers a pixel
OWN_TASK = 2**20  # multiplications that are worth a thread
TASKS = 4  # of a thread: who is done sooner takes over what another has left
threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1


@lru_cache(maxsize=64)
def _taps(w: Weights, kind: str, depth: int) -> Taps:
    """Return what the loops read of an operator.

    The index counts numbers. Plain outputs may be summed with what stands behind them.
    """
    order = np.argsort(w.weight == 0, axis=1, kind="stable")
    index = np.take_along_axis(w.index, order, 1)
    weight = np.take_along_axis(w.weight, order, 1)
    used, reads_last = weight != 0, index == w.n_in - 1
    count, plain = used.sum(1), np.full(w.n_out, True)
    if depth % PIXEL and depth > 1:
        plain = ~(used & reads_last).any(1)
        plain[-1] = False
    if kind == "int32":
        count[:] = index.shape[1]  # a weight of 0 adds nothing to a whole number
        plain &= depth == 1 or not depth % PIXEL or ~reads_last.any(1)
    part = _stretch(plain & (count == 2))
    two = part[1] - part[0] > w.n_out / 2
    taps = index * depth, weight.astype(kind), count, w.offsets.astype(kind), depth
    return taps, part if two else _stretch(plain), two


def _stretch(true: Array) -> tuple[int, int]:
    """Return where the first ones in a row begin and end."""
    low = int(np.argmax(true))
    after = np.flatnonzero(~true[low:])
    return low, low + int(after[0]) if len(after) else len(true)


@lru_cache(maxsize=64)
def _spread(w: Weights) -> int:
    """Return how many lines must be held, so that no output loses one that it reads."""
    return int((w.index.max(1) - w.index.min(1)).max()) + 1


def floats(work: Passes, x: Array) -> Array | None:
    """Return float32 or float64 after two operators; None where NumPy must do it."""
    if x.dtype not in (np.float32, np.float64) or len(work) != 2:
        return None
    if all(w.picks for _, w in work):
        return _run(work, x)
    if any(w.is_identity for _, w in work):
        return None
    rows, columns = sorted(work, key=lambda aw: aw[0])
    # Lines are summed many numbers at once, pixels of a line are gathered one by one.
    grows = rows[1].n_out > rows[1].n_in
    ordered = (columns, rows) if grows else (rows, columns)
    return _run(ordered, x, x.dtype.name, x.dtype.name, (AS_THEY_ARE, AS_THEY_ARE))


def integers(work: Passes, x: Array, a: Arithmetic) -> Array | None:
    """Return bytes after two operators, as NumPy's path has them; else None."""
    if x.dtype != np.uint8 or (a.output_dtype or "uint8") != "uint8" or len(work) != 2:
        return None
    if all(w.picks for _, w in work) and not a.clip_dtype and a.accumulator in FLOATS:
        return _run(work, x)
    settled = _passes(tuple(work), a)
    if settled is None:
        return None
    passes, between, hows = settled
    return _run(passes, x, between if between in FLOATS else "int32", between, hows)


@lru_cache(maxsize=64)
def _passes(work: Passes, a: Arithmetic) -> Whole | None:
    """Return the operators, what stands between them, and how sums are stored.

    Operators of whole numbers, or, where floats are rounded to even bytes, as they are.
    None where NumPy must do it: other floats, and sums that might not fit 32 bits.
    """
    staged, rounded = a.between_passes == "staged", a.between_passes == "round"
    alone = all(w.picks for _, w in work) or any(w.is_identity for _, w in work)
    floats = a.weight_bits is None and a.accumulator in FLOATS
    even = floats and a.sum_rounding == "half_even" and a.between_passes == "keep"
    plain = (even or a.sum_rounding == "half_up") and not a.clip_dtype
    if staged:
        if all(w.picks for _, w in work) and all(w.is_identity for _, w in work):
            return None
    elif alone or not plain or a.between_passes == "clip_high":
        return None
    if even:
        return list(work), a.accumulator, (AS_THEY_ARE, NEAREST)
    if floats and a.between_passes == "keep":
        each = np.concatenate([w.weight.ravel() for _, w in work])
        bits = next((b for b in range(1, 8) if not (np.ldexp(each, b) % 1).any()), None)
        a = a.replace(weight_bits=bits, weight_rounding="truncate" if bits else None)
    if a.weight_bits is None:
        return None
    made, hows, low, high, fallen = [], [], 0.0, 255.0, 0
    for axis, w in work:
        whole, bits = quantised(w, a)
        made.append((axis, whole))
        fallen = bits if rounded else fallen + bits
        half = 1 << fallen >> 1
        up, down = (np.maximum(s * whole.weight, 0).sum(1) for s in (1, -1))
        low, high = -(down * high - up * low).max(), (up * high - down * low).max()
        if max(high + half, -low) >= (EXACT32 if floats else 2**31):
            return None
        if not rounded and not staged and whole.offset is not None:
            return None
        ends = rounded or len(made) == 2
        hows.append((half, fallen, 0, 255, 0) if ends else KEPT)
        low, high = (0.0, 255.0) if rounded or staged else (low, high)
    between = "int16" if staged else "uint8" if rounded else "int32"
    return made, between, STAGED if staged else (hows[0], hows[1])


def _run(
    work: Passes,
    x: Array,
    kind: str = "",
    between: str = "",
    hows: tuple[Stored, Stored] = (AS_THEY_ARE, AS_THEY_ARE),
) -> Array | None:
    """Return ``x`` after two operators: summed as ``kind``, or copied."""
    (axis, first), (other, second) = work
    after = int(np.prod(x.shape[max(axis, other) + 1 :], dtype=np.intp))
    held = _spread(second)
    if abs(axis - other) != 1 or after > DEEPEST or held > 2 * second.index.shape[1]:
        return None
    wide, top = axis > other, min(axis, other)
    rows, columns = (second, first) if wide else (first, second)
    source = np.ascontiguousarray(x).reshape(-1, rows.n_in, columns.n_in * after)
    y = np.empty((len(source), rows.n_out, columns.n_out * after), x.dtype)
    fill = loops.width_first if wide else loops.height_first
    size = held if wide else 1, y.shape[2] if wide else source.shape[2]

    picks = rows.index[:, 0], columns.index[:, 0], after
    given = (_taps(rows, kind, 1), _taps(columns, kind, after), hows) if kind else None

    def one(task: tuple[int, int, int]) -> None:
        lines = source[task[0]], y[task[0]], task[1:]
        if given is None:
            return loops.picked(*lines, picks)
        return fill(*lines, np.empty(size, between), given)

    products = y[0].size * (rows.index.shape[1] + columns.index.shape[1])
    pieces = min(threads * TASKS if threads > 1 else 1, products // OWN_TASK)
    step = -(-rows.n_out // max(1, pieces))
    starts = range(0, rows.n_out, step)
    tasks = [
        (b, i, min(i + step, rows.n_out)) for b in range(len(source)) for i in starts
    ]
    each = map if threads == 1 or len(tasks) == 1 else _pool(threads).map
    list(each(one, tasks))
    shape = *x.shape[:top], rows.n_out, columns.n_out, *x.shape[top + 2 :]
    return y.reshape(shape)


@lru_cache(maxsize=1)
def _pool(workers: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(workers, "resizelab")
