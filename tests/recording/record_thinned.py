"""Record what becomes of thin things in a photograph that shrinks, by the real calls.

``record_thinned.py`` writes ``teaching/records/thinned.json`` and the two
pictures beside it: scikit-image's "camera" (512 x 512, CC0) at 96 x 96 by two calls
that are both named bilinear, and of that the part with the tripod.
"""

import datetime
import importlib.metadata
import json
from pathlib import Path

import numpy as np
from PIL import Image

from resizelab import engines, weights
from resizelab.catalog import convention

FOLDER = Path(__file__).resolve().parents[2] / "resizelab/teaching/records"
RECORD = FOLDER / "thinned.json"
SIZE, ROWS = 96, slice(30, 94)
CALLS = {"plain": "torch.bilinear", "antialias": "pillow.bilinear"}


def photograph() -> np.ndarray:
    """Return the photograph, (512, 512) float32 from 0 to 255."""
    from skimage import data

    return data.camera().astype(np.float32)


def shrunk(name: str) -> np.ndarray:
    """Return the part with the tripod as a call makes it, bytes."""
    small = engines.run(convention(name), photograph(), (SIZE, SIZE))[ROWS]
    return small.round().clip(0, 255).astype(np.uint8)


def read(name: str) -> float:
    """Return the share of the photograph's pixels that a call reads."""
    some = (weights(name, 512, SIZE).dense() != 0).any(0).mean()
    return float(some**2)


def main() -> None:
    """Run the calls, write the pictures and what they read."""
    for key, name in CALLS.items():
        picture = Image.fromarray(shrunk(name))
        picture.save(FOLDER / f"thinned-{key}.webp", lossless=True, method=6)
    versions = ("torch", "pillow", "scikit-image")
    table = {
        "recorded": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "versions": {n: importlib.metadata.version(n).split("+")[0] for n in versions},
        "calls": CALLS,
        "read": {key: round(read(name), 4) for key, name in CALLS.items()},
    }
    RECORD.write_text(json.dumps(table) + "\n", "utf-8")
    print(table)


if __name__ == "__main__":
    main()
