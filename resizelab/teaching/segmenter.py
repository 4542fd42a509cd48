"""A small network that ends as segmenters end: logits at 1/8, enlarged to the picture.

The book breaks its exported resize and mends it; the tests look at the same files.
"""

from typing import Any

import numpy as np

from resizelab import checks
from resizelab.models.feeding import Array
from resizelab.teaching.patterns import pattern

STRIDE, CLASSES = 8, 4


def network(seed: int = 1, width: int = 8) -> Any:
    """Return the network, a torch module with fixed random weights.

    It takes (batch, 1, height, width) and returns (batch, CLASSES, height, width). Its
    weights are not trained: what a wrong resize does to a map needs no training.
    """
    import torch
    from torch import nn

    def half(channels_in: int) -> list[Any]:
        return [nn.Conv2d(channels_in, width, 3, stride=2, padding=1), nn.ReLU()]

    class Segmenter(nn.Module):  # type: ignore[misc]  # torch is untyped here
        def __init__(self) -> None:
            super().__init__()
            self.down = nn.Sequential(*half(1), *half(width), *half(width))
            self.even = nn.InstanceNorm2d(width)
            self.head = nn.Conv2d(width, CLASSES, 1)

        def forward(self, x: Any) -> Any:
            coarse = self.head(self.even(self.down(x)))
            return nn.functional.interpolate(
                coarse, size=x.shape[2:], mode="bilinear", align_corners=False
            )

    with torch.random.fork_rng():
        torch.manual_seed(seed)
        return Segmenter().eval()


def picture(n: int = 128) -> Array:
    """Return the book's scene as a (1, 1, n, n) float32 array from 0 to 1.

    >>> picture(32).shape
    (1, 1, 32, 32)
    """
    if checks.size("n", n) % STRIDE:
        raise ValueError(f"n must be a multiple of {STRIDE}; got {n}")
    return (pattern("scene", n) / 255).astype(np.float32)[None, None]
