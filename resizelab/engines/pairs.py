"""Pairs of sizes at which calls are compared: all small ones, common ones, any."""

from functools import cache
from itertools import product

import numpy as np

SMALLEST, LARGEST = 64, 512
# Sides of pictures, networks and maps that people meet: ImageNet's crops, detectors,
# cameras, patch grids of vision transformers, feature maps.
SIDES = (
    *(7, 8, 14, 16, 20, 28, 32, 37, 40, 48, 56, 64, 80, 96, 100, 112, 128, 160, 192),
    *(197, 224, 240, 256, 288, 299, 300, 320, 331, 336, 352, 368, 384, 392, 400, 416),
    *(448, 480, 512, 518, 560, 576, 600, 608, 640, 672, 720, 768, 800, 896, 960, 1024),
    *(1080, 1280, 1333, 1440, 1920),
)
COUNT = 200  # of common pairs
Pair = tuple[int, int]


def small() -> tuple[Pair, ...]:
    """Return every pair up to 64 pixels.

    >>> len(small())
    4096
    """
    every = range(1, SMALLEST + 1)
    return tuple(product(every, every))


@cache
def common() -> tuple[Pair, ...]:
    """Return 200 pairs that people use: from a picture to a network, map to map.

    >>> (518, 37) in common(), (224, 16) in common(), len(common())
    (True, True, 200)
    """
    known = (
        *((224, 16), (518, 37), (14, 37), (16, 37), (37, 518), (16, 224), (24, 384)),
        *((256, 224), (224, 256), (480, 224), (640, 224), (1080, 224), (1920, 224)),
        *((1080, 640), (1920, 640), (1333, 800), (800, 1333), (299, 256), (336, 24)),
    )
    others = [pair for pair in product(SIDES, SIDES) if pair[0] != pair[1]]
    drawn = np.random.default_rng(0).permutation(len(others))
    listed = dict.fromkeys((*known, *(others[k] for k in drawn)))
    return tuple(listed)[:COUNT]


@cache
def drawn(count: int = 4000, largest: int = LARGEST) -> tuple[Pair, ...]:
    """Return random pairs up to 512 pixels, always the same.

    >>> len(drawn()), max(map(max, drawn())) <= 512
    (4000, True)
    """
    pairs = np.random.default_rng(1).integers(1, largest + 1, (count, 2))
    return tuple((int(n), int(m)) for n, m in pairs)
