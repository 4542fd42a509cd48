"""What else may have been done to a picture: cut, padded, turned, scaled, swapped.

Each is looked for against a plain resize, and undone, so that the resize can be named.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.arrays import resizing
from resizelab.axis.spec import Spec
from resizelab.checks import FloatArray
from resizelab.identification.candidates import spread
from resizelab.identification.fitting import least_squares

Array = NDArray[Any]

PLAIN = Spec(antialias=True, boundary="exclude")
LIKE = 0.9  # a correlation that a resize of natural pictures has at the least
CLEAR = 0.02  # by how much another order must correlate better
# y = x * factor + offset, as pipelines do it.
FACTORS = (
    (1 / 255, 0.0),
    (255.0, 0.0),
    (1 / 127.5, -1.0),
    (2.0, -1.0),
    (1 / 65535, 0.0),
)
NEAR = 0.2  # of a fitted factor: a plain resize is blunter than many, or sharper
CUTS = (0.95, 0.875, 0.75, 0.6, 0.5)  # shares of a side that crops commonly keep
LOOKED = 24  # outputs an axis that are compared with a crop
LEAST_CUT = 0.75  # pixels; a smaller one is a matter of grids


@dataclass(frozen=True)
class Altered:
    """The pair with one alteration undone, and what it was."""

    x: Array
    y: Array
    said: str


def plain(x: Array, shape: tuple[int, ...]) -> FloatArray:
    """Return a plain resize of (…, channels) as float64."""
    axes = tuple(range(len(shape)))
    y: FloatArray = resizing.resize(x.astype(np.float64), shape, PLAIN, axes=axes)
    return y


def likeness(a: Array, b: Array) -> float:
    """Return the correlation of two arrays; 0 where one is flat."""
    left, right = a.astype(np.float64).ravel(), b.astype(np.float64).ravel()
    left, right = left - left.mean(), right - right.mean()
    size = float(np.linalg.norm(left) * np.linalg.norm(right))
    return float(left @ right) / size if size > 0 else 0.0


def altered(x: Array, y: Array) -> Iterator[Altered]:
    """Yield the pair (H, W, channels) with alterations that show undone."""
    base = plain(x, y.shape[:-1])
    like = likeness(base, y)
    yield from _scaled(x, y, base, like)
    yield from _swapped_channels(x, y, base, like)
    if y.ndim == 3:
        yield from _turned(x, y, like)
        yield from _padded(x, y)
        yield from _cropped(x, y, like)


def _scaled(x: Array, y: Array, base: FloatArray, like: float) -> Iterator[Altered]:
    if like < LIKE or y.dtype.kind != "f":
        return
    factor, offset = np.polyfit(base.ravel(), y.astype(np.float64).ravel(), 1)
    for known, constant in FACTORS:
        room = NEAR * known * max(1.0, float(np.ptp(base)))
        if abs(factor - known) < NEAR * known and abs(offset - constant) < room:
            said = f"values scaled: y = {known:.6g} x {constant:+.3g}; undone here"
            undone = ((y.astype(np.float64) - constant) / known).astype(np.float32)
            yield Altered(x.astype(np.float32), undone, said)


def _swapped_channels(
    x: Array, y: Array, base: FloatArray, like: float
) -> Iterator[Altered]:
    count = x.shape[-1]
    if count not in (3, 4) or y.shape[-1] != count:
        return
    found = max(
        permutations(range(count)), key=lambda p: likeness(base[..., list(p)], y)
    )
    if found != tuple(range(count)) and likeness(base[..., list(found)], y) > like:
        said = f"channels swapped: y holds them in the order {found}; undone here"
        yield Altered(x[..., list(found)], y, said)


def _turned(x: Array, y: Array, like: float) -> Iterator[Altered]:
    turns = {
        "axes swapped: y is transposed": x.swapaxes(0, 1),
        "y is flipped left to right": x[:, ::-1],
        "y is flipped top to bottom": x[::-1],
        "y is turned by 180 degrees": x[::-1, ::-1],
    }
    for said, turned in turns.items():
        if likeness(plain(turned, y.shape[:-1]), y) > max(LIKE, like + CLEAR):
            yield Altered(np.ascontiguousarray(turned), y, f"{said}; undone here")


def _padded(x: Array, y: Array) -> Iterator[Altered]:
    inner, said = y, []
    for axis, names in ((0, ("top", "bottom")), (1, ("left", "right"))):
        for end, name in enumerate(names):
            count = _constant_lines(inner, axis, end)
            if not 0 < count < inner.shape[axis] - 1:
                continue
            if _constant_lines(x, axis, end):
                continue  # the input itself has such a border
            keep = slice(count, None) if end == 0 else slice(None, -count)
            inner = inner[keep] if axis == 0 else inner[:, keep]
            said.append(f"{count} {name}")
    if said:
        text = f"padded: constant lines of y left out here ({', '.join(said)})"
        yield Altered(x, np.ascontiguousarray(inner), text)


def _constant_lines(y: Array, axis: int, end: int) -> int:
    lines = np.moveaxis(y, axis, 0)
    lines = lines[::-1] if end else lines
    same = (lines == lines[:1, :1]).reshape(len(lines), -1).all(1)
    return int(len(same) if same.all() else np.argmin(same))


def _cropped(x: Array, y: Array, like: float) -> Iterator[Altered]:
    """Look for the part of the input that y shows: where its first pixel edge lies."""
    box, found = _box(x.astype(np.float64).mean(-1), y.astype(np.float64).mean(-1))
    if found < max(LIKE, like + CLEAR / 2):
        return
    (top, bottom), (left, right) = box
    h, w = x.shape[:2]
    cuts = (top, left, h - bottom, w - right)
    if max(cuts) < LEAST_CUT or min(cuts) < -1:
        return
    t, b = max(0, round(top)), min(h, round(bottom))
    s, e = max(0, round(left)), min(w, round(right))
    if b - t < 2 or e - s < 2:
        return
    said = (
        f"cropped: y shows rows {t} to {b} of {h} and columns {s} to {e} of {w} "
        f"(measured {top:.2f} … {bottom:.2f}, {left:.2f} … {right:.2f}); cut out here"
    )
    yield Altered(np.ascontiguousarray(x[t:b, s:e]), y, said)


def _box(x: FloatArray, y: FloatArray) -> tuple[Any, float]:
    rows, columns = spread(y.shape[0], LOOKED), spread(y.shape[1], LOOKED)
    wanted = y[np.ix_(rows, columns)]
    wanted = (wanted - wanted.mean()) / (wanted.std() or 1.0)
    shares = (rows + 0.5) / y.shape[0], (columns + 0.5) / y.shape[1]

    def rest(theta: FloatArray) -> FloatArray:
        made = _read(x, theta, shares)
        spread_of = made.std() or 1.0
        gap: FloatArray = ((made - made.mean()) / spread_of - wanted).ravel()
        return gap

    h, w = x.shape
    best: tuple[FloatArray, float] = (np.array([0.0, h, 0.0, w]), np.inf)
    for share in CUTS:
        for v, u in ((0.5, 0.5), (0, 0), (0, 1), (1, 0), (1, 1)):
            top, left = v * (1 - share) * h, u * (1 - share) * w
            start = np.array([top, top + share * h, left, left + share * w])
            theta, _ = least_squares(rest, start, 12)
            error = float((rest(theta) ** 2).mean())
            if error < best[1]:
                best = theta, error
    theta, error = best
    return ((theta[0], theta[1]), (theta[2], theta[3])), 1 - error / 2


def _read(
    x: FloatArray, theta: FloatArray, shares: tuple[FloatArray, FloatArray]
) -> FloatArray:
    """Return x read linearly at shares of the box (top, bottom, left, right)."""
    parts = []
    for n, low, high, share in zip(
        x.shape, theta[[0, 2]], theta[[1, 3]], shares, strict=True
    ):
        place = np.clip(low + share * (high - low) - 0.5, 0, n - 1)
        first = np.minimum(np.floor(place).astype(int), max(0, n - 2))
        parts.append((first, np.minimum(first + 1, n - 1), place - first))
    (a, b, f), (c, d, g) = parts
    f = f[:, None]
    upper = x[a][:, c] * (1 - g) + x[a][:, d] * g
    lower = x[b][:, c] * (1 - g) + x[b][:, d] * g
    read: FloatArray = upper * (1 - f) + lower * f
    return read
