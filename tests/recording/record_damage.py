"""Record what a wrong grid does to a photograph and to a mask, by the real calls.

``tests/recording/record_damage.py`` writes ``teaching/records/damage.json`` and the two
pictures beside it. The photograph is a part of "chelsea", which scikit-image ships
(Stéfan van der Walt, CC0). It is shrunk to an eighth once, by Pillow's box filter, and
enlarged again by two calls that are both named bilinear.
"""

import datetime
import importlib.metadata
import json
from pathlib import Path

import numpy as np
from PIL import Image

from resizelab import engines, measure
from resizelab.catalog import convention

FOLDER = Path(__file__).resolve().parents[2] / "resizelab/teaching/records"
RECORD = FOLDER / "damage.json"
ROWS, COLUMNS, STRIDE = slice(24, 264), slice(48, 400), 8
CALLS = {"right": "torch.bilinear", "moved": "tf1.bilinear"}
# The two irises by eye, in pixels of the whole photograph: row, column, half axes.
EYES = ((116, 172, 29, 32), (135, 320, 26, 20))
QUALITY = 82


def photograph() -> np.ndarray:
    """Return the part of the photograph, (240, 352, 3) bytes."""
    from skimage import data

    return data.chelsea()[ROWS, COLUMNS]


def eyes() -> np.ndarray:
    """Return the mask of the irises in the part, (240, 352) bool."""
    y, x = np.mgrid[ROWS, COLUMNS]
    inside = [((y - r) / a) ** 2 + ((x - c) / b) ** 2 <= 1 for r, c, a, b in EYES]
    return np.logical_or.reduce(inside)


def small(picture: np.ndarray) -> np.ndarray:
    """Return the mean of each block of 8 by 8 pixels."""
    h, w = (n // STRIDE for n in picture.shape[:2])
    blocks = picture.reshape(h, STRIDE, w, STRIDE, -1).astype(np.float32)
    return blocks.mean((1, 3)).squeeze()


def enlarged(picture: np.ndarray, name: str) -> np.ndarray:
    """Return a small picture at full size, by the real call of a convention."""
    planes = np.moveaxis(np.atleast_3d(picture), -1, 0)
    size = tuple(n * STRIDE for n in picture.shape[:2])
    row = convention(name)
    return np.stack([engines.run(row, p, size) for p in planes], -1).squeeze()


def offset(moved: np.ndarray, right: np.ndarray) -> float:
    """Return by how many columns one picture's content stands left of another's."""
    gaps = {}
    for k in range(8):
        a, b = moved[16:-16, 16:-32], right[16:-16, 16 + k : right.shape[1] - 32 + k]
        gaps[k] = float(abs(a - b).mean())
    best = sorted(gaps, key=gaps.get)[:2]
    return sum(best) / 2


def main() -> None:
    """Run the calls, write the pictures and what they say."""
    picture, mask = small(photograph()), small(eyes())
    made = {key: enlarged(picture, name) for key, name in CALLS.items()}
    masks = {key: enlarged(mask, name) >= 0.5 for key, name in CALLS.items()}
    for key, y in made.items():
        whole = Image.fromarray(y.round().clip(0, 255).astype(np.uint8))
        whole.save(FOLDER / f"damage-{key}.webp", quality=QUALITY, method=6)
    table = {
        "recorded": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "versions": {
            n: importlib.metadata.version(n).split("+")[0]
            for n in ("torch", "tensorflow-cpu", "scikit-image")
        },
        "calls": CALLS,
        "offset": offset(made["moved"], made["right"]),
        "iou": {k: round(float(measure.iou(eyes(), m)), 4) for k, m in masks.items()},
        "rows": {k: runs(m) for k, m in {"true": eyes(), **masks}.items()},
    }
    RECORD.write_text(json.dumps(table) + "\n", "utf-8")
    print({k: table[k] for k in ("offset", "iou", "versions")})


def runs(mask: np.ndarray) -> list[list[int]]:
    """Return a mask as runs: row, first column, one past the last."""
    found = []
    for y, row in enumerate(mask):
        edges = np.flatnonzero(np.diff(np.concatenate(([0], row.astype(int), [0]))))
        found += [[y, int(a), int(b)] for a, b in edges.reshape(-1, 2)]
    return found


if __name__ == "__main__":
    main()
