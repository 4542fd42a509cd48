"""Which part of a picture another shows: where its first and last pixel edges lie."""

from collections.abc import Iterator
from itertools import product

import numpy as np

from resizelab.checks import FloatArray
from resizelab.identification.candidates import spread
from resizelab.identification.fitting import least_squares

SHARES = (1.0, 0.95, 0.9, 0.875, 0.8, 0.75, 0.66, 0.6, 0.5, 0.4, 0.33)
ANCHORS = (0.5, 0.0, 1.0, 0.25, 0.75)  # where a part lies in what is left over
LOOKED = 24  # outputs an axis that are compared with a part of the picture
REFINED = 3  # beginnings from which a part is measured


def part_of(x: FloatArray, y: FloatArray) -> FloatArray:
    """Return the (top, bottom, left, right) edges of what y shows."""
    # Larger steps than two average pixels: so does the reading.
    fold = [max(1, int(n / m / 2)) for n, m in zip(x.shape, y.shape, strict=True)]
    cut = [n // f * f for n, f in zip(x.shape, fold, strict=True)]
    tiles = x[: cut[0], : cut[1]].reshape(cut[0] // fold[0], fold[0], -1, fold[1])
    small = tiles.mean((1, 3))
    rows, columns = spread(y.shape[0], LOOKED), spread(y.shape[1], LOOKED)
    wanted = _standard(y[np.ix_(rows, columns)])
    shares = (rows + 0.5) / y.shape[0], (columns + 0.5) / y.shape[1]

    def rest(theta: FloatArray) -> FloatArray:
        gap: FloatArray = (_standard(_read(small, theta, shares)) - wanted).ravel()
        return gap

    def away(theta: FloatArray) -> float:
        return float((rest(theta) ** 2).mean())

    scale = np.repeat(fold, 2)
    starts = sorted((part / scale for part in _parts(x.shape, y.shape)), key=away)
    found = [least_squares(rest, start, 12)[0] for start in starts[:REFINED]]
    edges: FloatArray = min(found, key=away) * scale
    return edges


def _standard(y: FloatArray) -> FloatArray:
    found: FloatArray = (y - y.mean()) / (y.std() or 1.0)
    return found


def _parts(shape: tuple[int, int], sizes: tuple[int, int]) -> Iterator[FloatArray]:
    """Yield parts that crops commonly keep, of the picture's proportions or of y's."""
    (h, w), (m, k) = shape, sizes
    step = min(h / m, w / k)
    for high, wide in ((step * m, step * k), (float(h), float(w))):
        for share, v, u in product(SHARES, ANCHORS, ANCHORS):
            top, left = v * (h - share * high), u * (w - share * wide)
            yield np.array([top, top + share * high, left, left + share * wide])


def _read(
    x: FloatArray, theta: FloatArray, shares: tuple[FloatArray, FloatArray]
) -> FloatArray:
    """Return x read linearly at shares of the part (top, bottom, left, right)."""
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
