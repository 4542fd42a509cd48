"""Both axes of a picture at once, a line at a time, in compiled loops: extra ``fast``.

`resizing` asks for it where numba is installed and a picture is large enough. Integers
give the same bytes as NumPy's path; floats add in another order.
"""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

import numpy as np

from resizelab.arrays.integers import quantised
from resizelab.arrays.loops import Array, Stored, height_first, width_first
from resizelab.axis import Arithmetic, Weights

Passes = Sequence[tuple[int, Weights]]
AS_THEY_ARE: Stored = (0, 0, 0, 0)
DEEPEST = 8  # numbers a pixel
OWN_TASK = 2**20  # multiplications that are worth a thread
STAGED = (0, 4, 2**15 - 1, 0), (2, 2, 255, 16)  # see `staged`
threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1


@lru_cache(maxsize=64)
def _taps(w: Weights, kind: str) -> tuple[Array, Array, Array, Array]:
    """Return index, weight, taps in use, and offset, of one type."""
    order = np.argsort(w.weight == 0, axis=1, kind="stable")
    index = np.take_along_axis(w.index, order, 1).astype(np.int32)
    weight = np.take_along_axis(w.weight, order, 1).astype(kind)
    count = (w.weight != 0).sum(1).astype(np.int32)
    return index, weight, count, w.offsets.astype(kind)


@lru_cache(maxsize=64)
def _spread(w: Weights) -> int:
    """Return how many lines must be held, so that no output loses one that it reads."""
    return int((w.index.max(1) - w.index.min(1)).max()) + 1


def floats(work: Passes, x: Array) -> Array | None:
    """Return float32 or float64 after two operators; None where NumPy must do it."""
    if x.dtype not in (np.float32, np.float64) or len(work) != 2:
        return None
    if any(w.is_identity for _, w in work) or all(w.picks for _, w in work):
        return None
    rows, columns = sorted(work, key=lambda aw: aw[0])
    # Lines are summed many numbers at once, pixels of a line are gathered one by one.
    grows = rows[1].n_out > rows[1].n_in
    ordered = (columns, rows) if grows else (rows, columns)
    return _run(ordered, x, x.dtype.name, x.dtype.name, (AS_THEY_ARE, AS_THEY_ARE))


def integers(work: Passes, x: Array, a: Arithmetic) -> Array | None:
    """Return bytes after two operators, as NumPy's path has them; else None."""
    staged, rounded = a.between_passes == "staged", a.between_passes == "round"
    plain = a.sum_rounding == "half_up" and a.clip_dtype is None
    if x.dtype != np.uint8 or (a.output_dtype or "uint8") != "uint8" or len(work) != 2:
        return None
    if a.weight_bits is None or not (staged or (rounded and plain)):
        return None
    kept = [w.is_identity for _, w in work]
    if all(w.picks for _, w in work) or all(kept) or (any(kept) and not staged):
        return None
    made, hows, between = [], [], "int16" if staged else "uint8"
    for axis, w in work:
        whole, bits = quantised(w, a)
        half = 1 << (bits - 1) if bits else 0
        if not bits or float(abs(whole.weight).sum(1).max()) * 255 + half >= 2**31:
            return None
        made.append((axis, whole))
        hows.append((half, bits, 255, 0))
    return _run(made, x, "int32", between, STAGED if staged else (hows[0], hows[1]))


def _run(
    work: Passes, x: Array, kind: str, between: str, hows: tuple[Stored, Stored]
) -> Array | None:
    (axis, first), (other, second) = work
    after = int(np.prod(x.shape[max(axis, other) + 1 :], dtype=np.intp))
    held = _spread(second)
    if abs(axis - other) != 1 or after > DEEPEST or held > 2 * second.index.shape[1]:
        return None
    wide = axis > other
    rows, columns = (second, first) if wide else (first, second)
    top = min(axis, other)
    source = np.ascontiguousarray(x).reshape(-1, rows.n_in, columns.n_in * after)
    y = np.empty((len(source), rows.n_out, columns.n_out * after), x.dtype)
    fill = width_first if wide else height_first
    width = y.shape[2] if wide else source.shape[2]

    def one(task: tuple[int, int, int]) -> None:
        lines = np.empty((held if wide else 1, width), between)
        taps = _taps(rows, kind), _taps(columns, kind)
        fill(source[task[0]], y[task[0]], task[1:], taps, after, lines, hows)

    products = y[0].size * (rows.index.shape[1] + columns.index.shape[1])
    cuts = max(1, min(threads, products // OWN_TASK))
    step = -(-rows.n_out // cuts)
    tasks = [
        (b, i, min(i + step, rows.n_out))
        for b in range(len(source))
        for i in range(0, rows.n_out, step)
    ]
    if threads == 1 or len(tasks) == 1:
        for task in tasks:
            one(task)
    else:
        list(_pool(threads).map(one, tasks))
    shape = *x.shape[:top], rows.n_out, columns.n_out, *x.shape[top + 2 :]
    return y.reshape(shape)


@lru_cache(maxsize=1)
def _pool(workers: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(workers, "resizelab")
