"""Small segmenters of the book: what a grid costs a network that was trained.

The chapter on segmentation trains one while it is built; the long run with every
network below is recorded (``tests/recording/record_segmentation.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from resizelab import measure
from resizelab.arrays.resizing import weights
from resizelab.axis.spec import Spec
from resizelab.teaching.extras import extra

with extra("networks", "engines"):
    import torch
    from scipy.ndimage import gaussian_filter
    from torch import nn
    from torch.nn import functional

GRIDS = ("half_pixel", "align_corners", "asymmetric")
COLOURS = np.array([[0.2, 0.2, 0.3], [0.7, 0.3, 0.3], [0.3, 0.7, 0.3], [0.6, 0.6, 0.2]])
CLASSES = len(COLOURS)
NOISE = 0.35
STEPS, BATCH, TRAINING, TEST = 250, 8, 256, 64
Seed = int | Sequence[int]


def regions(rng: np.random.Generator, n: int, size: float = 16.0) -> Any:
    """Return an (n, n) map of class numbers: smooth regions about ``size`` wide."""
    fields = rng.standard_normal((CLASSES, n, n))
    return np.argmax(gaussian_filter(fields, (0, size / 3, size / 3)), axis=0)


def examples(seed: Seed, count: int, n: int) -> tuple[Any, Any]:
    """Return ``count`` noisy pictures (count, 3, n, n) and their class maps."""
    rng = np.random.default_rng(seed)
    truth = np.stack([regions(rng, n) for _ in range(count)])
    clean = COLOURS[truth].transpose(0, 3, 1, 2)
    noisy = clean + NOISE * rng.standard_normal(clean.shape)
    return torch.tensor(noisy, dtype=torch.float32), torch.tensor(truth)


@cache
def operator(grid: str, n_in: int, n_out: int) -> Any:
    """Return the linear resize of one axis as a float32 matrix."""
    dense = weights(Spec(grid=grid), n_in, n_out).dense()
    return torch.tensor(dense, dtype=torch.float32)


def resize(x: Any, size: int, grid: str) -> Any:
    """Return ``x`` (batch, channels, height, width) at (size, size)."""
    rows, columns = (operator(grid, n, size) for n in x.shape[2:])
    return rows @ x @ columns.T


def layer(channels_in: int, channels_out: int, stride: int = 1) -> Any:
    """Return a 3 x 3 convolution with padding 1, normalised and rectified."""
    return nn.Sequential(
        nn.Conv2d(channels_in, channels_out, 3, stride, padding=1),
        nn.BatchNorm2d(channels_out),
        nn.ReLU(),
    )


class Network(nn.Module):  # type: ignore[misc]  # torch is untyped here
    """Three steps down; up by one eightfold head, a chain of doublings, or skips."""

    def __init__(self, down: str, up: str, channels: int = 3):
        super().__init__()
        stride = 2 if down == "strided" else 1
        widths = (channels, 8, 16, 32)
        self.pool = nn.MaxPool2d(2) if down == "pool" else nn.Identity()
        self.down = nn.ModuleList(layer(a, b, stride) for a, b in pairwise(widths))
        self.middle = layer(32, 32)
        extra = (16, 8, channels) if up == "skips" else (0, 0, 0)
        self.up = nn.ModuleList(
            layer(a + e, b)
            for a, e, b in zip((32, 16, 8), extra, (16, 8, 8), strict=True)
        )
        self.last = nn.Conv2d(32 if up == "head" else 8, CLASSES, 1)
        self.way = up

    def forward(self, x: Any, grid: str | None) -> Any:
        """Return one logit a class and pixel; ``grid`` serves every resize.

        Without a grid a head's logits stay as coarse as they are.
        """
        size, levels = x.shape[-1], []
        for convolution in self.down:
            levels.append(x)
            x = self.pool(convolution(x))
        x = self.middle(x)
        if self.way == "head":
            logits = self.last(x)
            return resize(logits, size, grid) if grid else logits
        for convolution, level in zip(self.up, reversed(levels), strict=True):
            x = resize(x, level.shape[-1], grid or GRIDS[0])
            x = torch.cat([x, level], 1) if self.way == "skips" else x
            x = convolution(x)
        return self.last(x)


def train(
    down: str, up: str, n: int, grid: str, seed: int, steps: int = STEPS
) -> Network:
    """Return a network trained with ``grid``; ``seed`` makes pictures and weights."""
    torch.manual_seed(seed)
    pictures, truth = examples([seed, 0], TRAINING, n)
    network = Network(down, up)
    optimiser = torch.optim.Adam(network.parameters())
    rate = torch.optim.lr_scheduler.OneCycleLR(optimiser, 0.01, total_steps=steps)
    for _ in range(steps):
        some = torch.randint(TRAINING, (BATCH,))
        loss = functional.cross_entropy(network(pictures[some], grid), truth[some])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        rate.step()
    network.eval()
    return network


def score(network: Network, n: int, seed: int) -> dict[str, tuple[float, float]]:
    """Return mIoU and mean Dice in % on new pictures, by the grid it is run with."""
    pictures, truth = examples([seed, 1], TEST, n)
    truth, found = truth.numpy(), {}
    for grid in GRIDS:
        with torch.no_grad():
            labels = network(pictures, grid).argmax(1).numpy()
        each = [measure.dice(truth == c, labels == c) for c in range(CLASSES)]
        found[grid] = (
            round(100 * measure.mean_iou(truth, labels), 2),
            round(100 * float(np.mean(each)), 2),
        )
    return found
