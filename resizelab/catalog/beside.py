"""What changes beside the numbers when a resize moves to another library's call."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.arrays import resizing
from resizelab.arrays.sizes import output_size
from resizelab.axis.convention import Convention

SIZES = (((37, 29), (64, 48)), ((64, 48), (29, 37)), ((50, 50), (25, 25)))
SEED = 5
LENGTHS = 512
PLANE = 2
Array = NDArray[Any]
Shape = Sequence[int] | None


def sizes(c: Convention, row: Convention) -> list[str]:
    """Say at which lengths a scale gives another size."""
    if c.scale is None or row.scale is None:
        return []
    told = []
    for s in sorted(set(c.scale)):
        tried = range(max(2, int(np.ceil(2 / s))), LENGTHS + 1)
        other = [n for n in tried if size(c, n, s) != size(row, n, s)]
        if other:
            told.append(
                f"scale {s:g}: of lengths up to {LENGTHS}, {len(other)} get another "
                f"size, the first {other[0]}: {size(row, other[0], s)}, of {c.name} "
                f"{size(c, other[0], s)}"
            )
    return told


def size(c: Convention, n: int, scale: float) -> int:
    """Return the size that a scale gives, rounded first where the call stores it so."""
    if c.particulars.scale_precision == "float32":
        scale = float(np.float32(scale))
    return output_size(n, scale, c.particulars.size_rule)


def dtypes(c: Convention, row: Convention) -> list[str]:
    """Say which float dtypes come out otherwise than they do of ``c``."""
    told = []
    for name in ("float32", "float64"):
        x = np.zeros((4, 4), name)
        mine, theirs = (_run(x, (4, 4), other, c).dtype for other in (c, row))
        if mine != theirs:
            told.append(f"{name} becomes {theirs}, of {c.name} {mine}")
    return told


def bytes_of(c: Convention, row: Convention) -> list[str]:
    """Say how many bytes differ: by the call itself, and computed in float32."""
    volume = c.scale is not None and len(c.scale) > PLANE
    if not takes_bytes(c) or c.roi is not None or volume:
        return []
    rng = np.random.default_rng(SEED)
    rounded, straight = [], []
    for before, after in SIZES:
        x = rng.integers(0, 256, before, np.uint8)
        mine = _run(x, None if c.scale is not None else after, c, c)
        if mine.dtype != np.uint8:
            return []
        floats = _run(x.astype(np.float32), mine.shape, row, c)
        if floats.shape != mine.shape:  # the scale gives another size there
            continue
        rounded.append(np.clip(np.rint(floats), 0, 255) - mine)
        if takes_bytes(row):
            theirs = _run(x, mine.shape, row, c)
            if theirs.dtype == np.uint8:
                straight.append(theirs.astype(np.float64) - mine)
    if not rounded:
        return []
    told = f"computed in float32 and rounded, {_counted(rounded)}"
    if straight:
        return [f"bytes beside {c.name}'s: {_counted(straight)}; {told}"]
    answer = "gives floats" if takes_bytes(row) else "was measured on no bytes"
    return [f"bytes beside {c.name}'s: {row.name} {answer}; {told}"]


def takes_bytes(c: Convention) -> bool:
    """Say whether a convention was measured on bytes."""
    return bool({"uint8", "integers"} & set(c.arithmetic))


def _counted(gaps: list[Array]) -> str:
    every = np.concatenate([np.abs(gap).ravel() for gap in gaps])
    wrong = int((every > 0).sum())
    if not wrong:
        return f"all of {every.size} are equal"
    return f"{wrong} of {every.size} differ, by up to {every.max():.0f}"


def _run(x: Array, shape: Shape, c: Convention, asked: Convention) -> Array:
    """Resize a plane with the scale that was asked for, where ``c`` takes one."""
    c = c.replace(ranks=None)  # the numbers of a call of one axis, or of three
    scale = c.scale and asked.scale
    own = None if scale is None else scale * (PLANE // len(scale))
    return resizing.resize(x, None if own else shape, c, scale=own)
