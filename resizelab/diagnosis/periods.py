"""The period that an enlargement leaves in a map: how much it bends, pixel by pixel.

Between two low-resolution pixels an enlarged map is smooth; at them it bends. The bends
come back every n_out / n_in pixels, whatever stands between, and convolutions behind
the resize keep the period. So the size before the resize is read off a spectrum.
"""

import numpy as np

from resizelab.checks import FloatArray
from resizelab.diagnosis.upsampling import FEWEST, LARGEST

LINES = 1024  # of a map that are looked at, all channels together
FREQUENCIES = 4096
TREND = 9  # pixels to either side over which the content's own bends are averaged out
CLEAR = 5.0  # times the median of the spectrum: a line is no accident
WIDTH = 2.0  # frequencies nearer than this over the size are one line
MOST = 3  # lines
LONG = 16  # strides
ORDERS = 4  # lines of a period that are looked at


def strength(m: FloatArray, axis: int) -> FloatArray:
    """Return the spectrum of the bends along an axis (1 or 2), its median being 1."""
    across = 3 - axis
    every = -(-m.shape[across] * m.shape[0] // LINES)
    part = m[:, :, ::every] if axis == 1 else m[:, ::every]
    spread = np.maximum(part.var((1, 2), keepdims=True), 1e-300)
    bends = (np.diff(part, 2, axis=axis) ** 2 / spread).mean((0, across))
    level = np.log(bends + 1e-12)
    if len(level) > 3 * TREND:
        box = np.ones(2 * TREND + 1) / (2 * TREND + 1)
        level = level - np.convolve(np.pad(level, TREND, "reflect"), box, "valid")
    window = np.hanning(len(level) + 2)[1:-1]
    spectrum: FloatArray = np.abs(np.fft.rfft(level * window, FREQUENCIES))
    return spectrum / max(float(np.median(spectrum)), 1e-300)


def visible(spectrum: FloatArray, stride: float) -> bool:
    """Say whether the lines of a stride's period are there: its first, half of all.

    The first of a long period cannot be told from what the content does.

    >>> x = np.random.default_rng(0).normal(size=(1, 30, 100)).cumsum(2)
    >>> blocks = strength(np.kron(x, np.ones((1, 1, 4))), 2)
    >>> visible(blocks, 4), visible(blocks, 8)
    (True, False)
    """
    if stride <= 1:
        return False
    orders = range(1, max(1, min(ORDERS, int(stride / 2))) + 1)
    seen = [_at(spectrum, k / stride) > CLEAR for k in orders]
    return 2 * sum(seen) >= len(seen) and (seen[0] or stride > LONG)


def _at(spectrum: FloatArray, frequency: float) -> float:
    folded = abs(frequency - round(frequency))
    k = round(folded * FREQUENCIES)
    return float(spectrum[max(k - 4, 0) : k + 5].max())


def low_sizes(spectrum: FloatArray, n: int) -> list[int]:
    """Return sizes before an enlargement to ``n`` that the lines of a spectrum tell."""
    left = spectrum.copy()
    frequency = np.arange(len(left)) / FREQUENCIES
    left[frequency < 1 / (LARGEST + 2)] = 0
    found: list[int] = []
    for _ in range(MOST):
        k = int(left.argmax())
        if left[k] < CLEAR:
            break
        for share in (frequency[k], 1 - frequency[k]):
            found += [round(share * n) + d for d in (0, 1, -1)]
        left[np.abs(frequency - frequency[k]) < WIDTH / n] = 0
    allowed = (m for m in found if FEWEST <= m < n and n / m <= LARGEST)
    return list(dict.fromkeys(allowed))
