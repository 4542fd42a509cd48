"""What a grid costs a trained network: the pictures, the networks and the long run.

``tests/recording/record_segmentation.py`` trains every network below from several
seeds (about ten minutes of one core) and writes book/recorded/segmentation.json. The
chapter imports the same functions and trains two of the networks while it is built.
"""

import datetime
import json
import sys
import time
from functools import cache
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import torch
from scipy.ndimage import gaussian_filter
from torch import nn
from torch.nn import functional

import resizelab as rl
from resizelab import measure

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "book" / "recorded" / "segmentation.json"
GRIDS = ("half_pixel", "align_corners", "asymmetric")
COLOURS = np.array([[0.2, 0.2, 0.3], [0.7, 0.3, 0.3], [0.3, 0.7, 0.3], [0.6, 0.6, 0.2]])
CLASSES = len(COLOURS)
NOISE = 0.35
STEPS, BATCH, TRAINING, TEST = 250, 8, 256, 64
SEEDS = range(5)
# way down, way up, pixels of a side
NETWORKS = (
    ("pool", "head", 64),
    ("pool", "head", 65),
    ("strided", "head", 64),
    ("strided", "head", 65),
    # The control of the line before: 9 x 9 logits again, and they fit half_pixel.
    ("pool", "head", 72),
    ("pool", "chain", 64),
    ("pool", "skips", 64),
)


def regions(rng, n, size=16.0):
    """Return an (n, n) map of class numbers: smooth regions about ``size`` wide."""
    fields = rng.standard_normal((CLASSES, n, n))
    return np.argmax(gaussian_filter(fields, (0, size / 3, size / 3)), axis=0)


def examples(seed, count, n):
    """Return ``count`` noisy pictures (count, 3, n, n) and their class maps."""
    rng = np.random.default_rng(seed)
    truth = np.stack([regions(rng, n) for _ in range(count)])
    clean = COLOURS[truth].transpose(0, 3, 1, 2)
    noisy = clean + NOISE * rng.standard_normal(clean.shape)
    return torch.tensor(noisy, dtype=torch.float32), torch.tensor(truth)


@cache
def operator(grid, n_in, n_out):
    """Return the linear resize of one axis as a float32 matrix."""
    dense = rl.weights(rl.Spec(grid=grid), n_in, n_out).dense()
    return torch.tensor(dense, dtype=torch.float32)


def resize(x, size, grid):
    """Return ``x`` (batch, channels, height, width) at (size, size)."""
    rows, columns = (operator(grid, n, size) for n in x.shape[2:])
    return rows @ x @ columns.T


def layer(channels_in, channels_out, stride=1):
    """Return a 3 x 3 convolution with padding 1, normalised and rectified."""
    return nn.Sequential(
        nn.Conv2d(channels_in, channels_out, 3, stride, padding=1),
        nn.BatchNorm2d(channels_out),
        nn.ReLU(),
    )


class Network(nn.Module):
    """Three steps down; up by one eightfold head, a chain of doublings, or skips."""

    def __init__(self, down, up):
        super().__init__()
        stride = 2 if down == "strided" else 1
        widths = (3, 8, 16, 32)
        self.pool = nn.MaxPool2d(2) if down == "pool" else nn.Identity()
        self.down = nn.ModuleList(layer(a, b, stride) for a, b in pairwise(widths))
        self.middle = layer(32, 32)
        extra = (16, 8, 3) if up == "skips" else (0, 0, 0)
        self.up = nn.ModuleList(
            layer(a + e, b)
            for a, e, b in zip((32, 16, 8), extra, (16, 8, 8), strict=True)
        )
        self.last = nn.Conv2d(32 if up == "head" else 8, CLASSES, 1)
        self.way = up

    def forward(self, x, grid):
        """Return one logit a class and pixel; ``grid`` serves every resize."""
        size, levels = x.shape[-1], []
        for convolution in self.down:
            levels.append(x)
            x = self.pool(convolution(x))
        x = self.middle(x)
        if self.way == "head":
            return resize(self.last(x), size, grid)
        for convolution, level in zip(self.up, reversed(levels), strict=True):
            x = resize(x, level.shape[-1], grid)
            x = torch.cat([x, level], 1) if self.way == "skips" else x
            x = convolution(x)
        return self.last(x)


def train(down, up, n, grid, seed, steps=STEPS):
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
    return network.eval()


def score(network, n, seed):
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


def main(sides):
    """Train, print and write: every network, or those of ``sides`` pixels anew."""
    torch.set_num_threads(1)
    start, runs = time.monotonic(), []
    if sides:
        kept = json.loads(FILE.read_text("utf-8"))["runs"]
        runs = [run for run in kept if run["n"] not in sides]
    for (down, up, n), grid in product(NETWORKS, GRIDS):
        if sides and n not in sides:
            continue
        for seed in SEEDS:
            found = score(train(down, up, n, grid, seed), n, seed)
            row = {"down": down, "up": up, "n": n, "trained": grid, "seed": seed}
            runs.append({**row, "miou_dice": found})
        print(f"{time.monotonic() - start:5.0f} s {runs[-1]}", flush=True)
    runs.sort(key=lambda run: NETWORKS.index((run["down"], run["up"], run["n"])))
    head = {
        "made": datetime.date.today().isoformat(),
        "by": "tests/recording/record_segmentation.py",
        "versions": {"torch": torch.__version__.split("+")[0], "numpy": np.__version__},
        "steps": STEPS,
        "seconds": round(time.monotonic() - start),
    }
    lines = ",\n".join(json.dumps(run) for run in runs)
    text = json.dumps(head)[:-1] + f',\n"runs": [\n{lines}\n]}}\n'
    FILE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main([int(side) for side in sys.argv[1:]])
