"""What a grid costs a trained network: the long run.

``tests/recording/record_segmentation.py`` trains every network below from several
seeds (about ten minutes of one core) and writes teaching/records/segmentation.json.
"""

import datetime
import json
import sys
import time
from itertools import product
from pathlib import Path

import numpy as np
import torch

from resizelab.teaching.networks import GRIDS, STEPS, score, train

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "resizelab/teaching/records/segmentation.json"
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
