"""What a comparison of two models says: a line and a map a pair, and a conclusion."""

from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab import checks, measure
from resizelab.arrays import layouts
from resizelab.checks import FloatArray
from resizelab.models.feeding import Array
from resizelab.models.findings import Finding
from resizelab.text import Told, printed

LISTED = 20  # pairs that differ and are written out
LARGEST = 256  # pixels of a map's side: larger results are looked at in blocks
RING = 8  # the border is this part of the shorter side
PLANE = 2
MOST = 0.9  # of the error
STEEP = 0.75  # quantile of the gradient: above it is an edge
BLIND = (
    "cosine does not see a factor, and two unrelated maps of positive numbers score "
    "what `chance` says: judge by the error"
)


@dataclass(frozen=True)
class Limits:
    """From when on a pair differs: by a share of the reference's largest value.

    ``floor`` is an error that is noise whatever the values are.
    """

    tolerance: float
    floor: float

    def __post_init__(self) -> None:
        """Check both."""
        checks.positive("tolerance", self.tolerance)
        checks.not_negative("floor", self.floor)

    def broken(self, largest: float, relative: float) -> bool:
        """Say whether an error is beyond both."""
        return relative > self.tolerance and largest > self.floor


@dataclass(frozen=True)
class Line:
    """One pair of results.

    ``largest`` error and its share of the reference's largest value, ``relative``;
    ``cosine`` similarity, and the ``chance`` that the same numbers in any other order
    would score; ``differs`` if the error is beyond the limits; ``remark`` what was done
    to compare them at all. Two that cannot be compared are as far apart as can be.
    """

    tensor: str
    other: str
    op: str
    shape: tuple[int, ...]
    cosine: float = 0.0
    chance: float = 0.0
    largest: float = np.inf
    relative: float = np.inf
    differs: bool = True
    remark: str = ""


@dataclass(frozen=True)
class Map:
    """Where a result differs: a picture of (height, width) bytes, and words.

    255 is the largest error of the result; blocks of large results hold their largest.
    """

    tensor: str
    pixels: NDArray[np.uint8]
    words: str


@dataclass(frozen=True, repr=False)
class Comparison(Told):
    """What the comparison found; ``first`` is the first pair that differs, if any.

    ``lines`` are the pairs that were looked at, of ``pairs`` that there are: all of a
    small model, of a large one the resizes, the outputs, and what lies between the last
    that agree and the first that differs. ``skipped`` results have no partner.
    """

    lines: tuple[Line, ...]
    first: Line | None
    resizes: tuple[str, ...]
    skipped: int
    limits: Limits
    pairs: int
    maps: tuple[Map, ...] = field(default=(), compare=False)
    source: str = "comparison"
    title = "Where two models part"

    @property
    def found(self) -> tuple[Finding, ...]:
        """The finding, if any: the first pair that differs."""
        if self.first is None:
            return ()
        return (Finding("departs", self.conclusion(), self.first.tensor),)

    def summary(self) -> list[str]:
        """Return what stands first on a page."""
        return [
            self.conclusion(),
            f"{len(self.lines)} of {self.pairs} pairs looked at.",
        ]

    def __str__(self) -> str:
        """Return the pairs that differ as a table, and a conclusion."""
        apart = [line for line in self.lines if line.differs]
        rows = _table(apart[:LISTED])
        if len(apart) > LISTED:
            rows.append(f"and {len(apart) - LISTED} more")
        if apart:
            rows.append(f"note: {BLIND}")
        rows += [f"where {m.tensor}: {m.words}" for m in self.maps]
        rows += [f"resize: {text}" for text in self.resizes]
        rows.append(f"{len(self.lines)} of {self.pairs} pairs looked at")
        if self.skipped:
            rows.append(f"{self.skipped} results of the first have no partner")
        rows.append(self.conclusion())
        return printed(rows)

    def conclusion(self) -> str:
        """Return the conclusion in one line."""
        if self.first is None:
            share = f"{self.limits.tolerance:g}"
            return f"no pair differs by more than {share} of its largest value"
        f = self.first
        return (
            f"first to differ: {f.tensor} ({f.op}), by {f.largest:.3g}, "
            f"{f.relative:.2g} of the largest value; cosine {f.cosine:.6f}"
        )

    def whole(self) -> dict[str, Any]:
        """Return the comparison as plain values."""
        return {
            "first": self.first,
            "tolerance": self.limits.tolerance,
            "floor": self.limits.floor,
            "pairs": self.pairs,
            "skipped": self.skipped,
            "note": BLIND,
            "resizes": self.resizes,
            "where": {m.tensor: m.words for m in self.maps},
            "lines": self.lines,
        }


def _table(lines: list[Line]) -> list[str]:
    if not lines:
        return []
    names = [line.tensor.removesuffix("_output_0")[-38:] for line in lines]
    wide = max(map(len, ["differs", *names]))
    rows = [f"{'differs':{wide}s} {'op':12s}   cosine chance max error"]
    for name, line in zip(names, lines, strict=True):
        remark = f"  ({line.remark})" if line.remark else ""
        rows.append(
            f"{name:{wide}s} {line.op[:12]:12s} {line.cosine:8.6f} "
            f"{line.chance:6.2f} {line.largest:9.3g}{remark}"
        )
    return rows


def line_of(
    name: str, other: str, op: str, value: Array, ref: Array, limits: Limits
) -> tuple[Line, Map | None]:
    """Return how one result differs from its partner, ``ref``, and where."""
    line = partial(Line, name, other, op, value.shape)
    turned = _turned(value, ref)
    if turned is None:
        return line(remark=f"shapes {value.shape} and {ref.shape}"), None
    ref, remark = turned
    if not value.size:
        return line(1.0, 1.0, 0.0, 0.0, False, "empty"), None
    x, y = value.astype(np.float64), ref.astype(np.float64)
    fine = np.isfinite(x)
    if not np.array_equal(fine, np.isfinite(y)):
        return line(remark="not finite on one side only"), None
    if not fine.all():
        x, y = np.where(fine, x, 0.0), np.where(fine, y, 0.0)
    error = np.abs(x - y)
    length = float(np.linalg.norm(x) * np.linalg.norm(y))
    largest, unit = float(error.max()), float(np.abs(y).max())
    relative = largest / unit if unit else (np.inf if largest else 0.0)
    cosine = measure.cosine(x, y) if length else float(largest == 0)
    # What y scores on average when its numbers are put in another order.
    chance = float(x.sum() * y.sum()) / (x.size * length) if length else 0.0
    differs = limits.broken(largest, relative)
    found = line(cosine, chance, largest, relative, differs, remark)
    return found, map_of(name, error, y) if differs else None


def _turned(value: Array, ref: Array) -> tuple[Array, str] | None:
    """Return the reference in the layout of its partner, and what was done to it."""
    if value.shape == ref.shape:
        return ref, ""
    for order in layouts.orders(ref.ndim):
        if ref.transpose(order).shape == value.shape:
            return ref.transpose(order), f"axes {order} of the other"
    return None


def map_of(tensor: str, error: FloatArray, ref: FloatArray) -> Map | None:
    """Return where errors lie in the plane of the last two axes, or the two in front.

    A result without a plane has no map.

    >>> error = np.zeros((1, 3, 64, 64)); error[..., 0] = 1
    >>> map_of("y", error, np.zeros_like(error)).words
    'at the border: 100 % of the error on 23 % of the area'
    """
    axes = _plane(error.shape)
    if axes is None:
        return None
    others = tuple(k for k in range(error.ndim) if k not in axes)
    plane, content = error.max(axis=others), ref.mean(axis=others)
    whole = float(plane.sum())
    if not whole:
        return None
    words = _words(plane, content, whole)
    blocks = _blocks(plane)
    return Map(tensor, np.round(255 * blocks / blocks.max()).astype(np.uint8), words)


def _plane(shape: tuple[int, ...]) -> tuple[int, int] | None:
    """Return the axes of height and width: channels are the fewer."""
    if len(shape) < PLANE or min(shape[-2:]) < PLANE:
        return None
    last = len(shape) - 1
    channels_last = len(shape) > PLANE + 1 and shape[last] < min(shape[1:last])
    return (last - 2, last - 1) if channels_last else (last - 1, last)


def _words(plane: FloatArray, content: FloatArray, whole: float) -> str:
    ring = max(1, min(plane.shape) // (2 * RING))
    border = np.ones(plane.shape, bool)
    if min(plane.shape) > 2 * ring:
        border[ring:-ring, ring:-ring] = False
    slope = np.hypot(*np.gradient(content))
    edges = slope > max(float(np.quantile(slope, STEEP)), 0.0)
    for mask, where in ((border, "at the border"), (edges, "along edges")):
        share, area = float(plane[mask].sum()) / whole, float(mask.mean())
        if share > MOST and area < MOST / 2:
            percents = f"{100 * share:.0f} % of the error on {100 * area:.0f} %"
            return f"{where}: {percents} of the area"
    touched = float((plane > plane.max() / 100).mean())
    where = "everywhere" if touched > MOST / 2 else "in places"
    return f"{where}: {100 * touched:.0f} % of the area"


def _blocks(plane: FloatArray) -> FloatArray:
    """Return the plane with blocks in the place of pixels where it is large."""
    for axis in (0, 1):
        size = -(-plane.shape[axis] // LARGEST)
        starts: Any = np.arange(0, plane.shape[axis], size)
        plane = np.maximum.reduceat(plane, starts, axis=axis)
    return plane
