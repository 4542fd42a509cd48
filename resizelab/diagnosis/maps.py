"""Two outputs of one model side by side: their difference, and parts to look at."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from resizelab.checks import FloatArray

LOOKED_AT = 4  # channels: the liveliest, where there are more
SOME = 2**17  # values of a first look
LARGE = 256  # pixels of an axis that moves are measured on
THUMB = 64  # pixels of an axis of the small pictures that are compared
ALIVE = 1e-6  # of the liveliest channel's spread: below it, a channel is empty
TINY = 1e-30  # float32 has it


@dataclass(frozen=True)
class Pair:
    """Two maps, (C, H, W) float64 both, with what was noticed while reading them.

    ``swapped`` says how got's axes had to be reordered to have ref's shape, ``reduced``
    that one side held labels and the other scores.
    """

    ref: FloatArray
    got: FloatArray
    mask: bool = False
    swapped: str = ""
    reduced: str = ""
    remarks: tuple[str, ...] = ()

    @property
    def shape(self) -> tuple[int, int]:
        """(height, width)."""
        return self.ref.shape[1], self.ref.shape[2]

    @cached_property
    def difference(self) -> float:
        """Root mean square of got - ref."""
        squares = [rms(g - r) ** 2 for g, r in zip(self.got, self.ref, strict=True)]
        return float(np.sqrt(np.mean(squares)))

    @cached_property
    def spread(self) -> float:
        """Root mean square of the reference's deviations within channels."""
        return max(float(np.sqrt(np.mean(self.deviations[0] ** 2))), 1e-300)

    @cached_property
    def deviations(self) -> tuple[FloatArray, FloatArray]:
        """The standard deviation of each channel, of both maps."""
        ref, got = (np.array([_deviation(c) for c in m]) for m in (self.ref, self.got))
        return ref, got

    @cached_property
    def liveliest(self) -> NDArray[np.intp]:
        """The channels that vary most in both maps, in order of the maps."""
        spread = np.minimum(*self.deviations)
        order = np.argsort(-spread, kind="stable")[:LOOKED_AT]
        return np.sort(order[spread[order] > ALIVE * spread.max()])

    @cached_property
    def thumbs(self) -> tuple[FloatArray, FloatArray]:
        """Small pictures of both maps' channels, each of mean 0 and length 1."""
        return _thumbs(self.ref), _thumbs(self.got)

    @cached_property
    def some(self) -> tuple[FloatArray, FloatArray]:
        """Both maps with some of their rows and columns only."""
        every = max(1, int(np.sqrt(self.ref.size / SOME)))
        ref, got = (m[:, ::every, ::every] for m in (self.ref, self.got))
        return ref.astype(np.float64), got.astype(np.float64)

    @cached_property
    def few(self) -> tuple[FloatArray, FloatArray]:
        """Both maps with their liveliest channels only."""
        kept = self.liveliest
        return self.ref[kept].astype(np.float64), self.got[kept].astype(np.float64)

    @cached_property
    def coarse(self) -> tuple[FloatArray, FloatArray, int]:
        """The same, each value the mean of some rows and columns, and of how many."""
        every = max(1, min(self.shape) // LARGE)
        ref, got = (_means(m, every) for m in self.few)
        return ref, got, every


def _deviation(channel: FloatArray) -> float:
    x = channel.astype(np.float64)
    return rms(x - x.mean())


def _thumbs(m: FloatArray) -> FloatArray:
    for axis in (1, 2):
        n, k = m.shape[axis], min(m.shape[axis], THUMB)
        cell = np.arange(n) * k // n == np.arange(k)[:, None]
        mean = (cell / cell.sum(1, keepdims=True)).astype(m.dtype)
        m = mean @ m if axis == 1 else m @ mean.T
    m = m - m.mean((1, 2), keepdims=True)
    length = np.sqrt((m**2).sum((1, 2), keepdims=True))
    unit: FloatArray = m / np.maximum(length, TINY)
    return unit


def _means(m: FloatArray, every: int) -> FloatArray:
    """Return the means of squares of pixels, about the middle."""
    if every == 1:
        return m
    for axis in (1, 2):
        n = m.shape[axis] // every * every
        first = (m.shape[axis] - n) // 2
        cut = np.moveaxis(m, axis, 0)[first : first + n]
        m = np.moveaxis(cut.reshape(-1, every, *cut.shape[1:]).mean(1), 0, axis)
    return m


def rms(m: FloatArray) -> float:
    """Return the root mean square of some numbers."""
    flat = np.asarray(m, np.float64).ravel()
    return float(np.sqrt(flat @ flat / max(flat.size, 1)))
