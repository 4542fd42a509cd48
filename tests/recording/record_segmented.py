"""Record what a wrong grid does to a mask on a photograph of a retina, by real calls.

``record_segmented.py`` writes ``teaching/records/segmented.json`` and the
two pictures beside it. A perfect network knows how deep inside the optic disc each
place lies; it says so once in 16 by 16 pixels, and two calls that are both named
bilinear enlarge that. What is not negative is the mask, laid upon the photograph.
"""

import datetime
import importlib.metadata
import json

import numpy as np
from PIL import Image
from record_damage import runs

from resizelab import Spec, engines, measure, weights
from resizelab.catalog import convention
from resizelab.teaching.classroom.cutting import FOLDER
from resizelab.teaching.figures import Photograph

RECORD = FOLDER / "segmented.json"
CALLS = {"right": "torch.bilinear", "moved": "tf1.bilinear"}
FOLD, STRIDE, TINT = 2, 16, np.array([255, 230, 0])


def depth() -> np.ndarray:
    """Return how deep inside the disc each pixel of the picture lies, (192, 256)."""
    return Photograph.read(FOLDER / "retina").depth(FOLD)


def logits() -> np.ndarray:
    """Return the network's numbers: the depth where half_pixel has them, (12, 16)."""
    down, right = (weights(Spec(), n, n // STRIDE) for n in depth().shape)
    return (down @ (right @ depth().T).T).astype(np.float32)


def mask(name: str) -> np.ndarray:
    """Return the mask that a call makes of the logits, (192, 256) bool."""
    return engines.run(convention(name), logits(), depth().shape) >= 0


def picture(name: str) -> np.ndarray:
    """Return the photograph with a call's mask upon it, (192, 256, 3) bytes."""
    photograph = Photograph.read(FOLDER / "retina").pixels().astype(float)
    share = 0.5 * mask(name)[..., None]
    return (photograph * (1 - share) + TINT * share).round().astype(np.uint8)


def main() -> None:
    """Run the calls, write the pictures and what their masks are worth."""
    truth = depth() >= 0
    for key, name in CALLS.items():
        path = FOLDER / f"segmented-{key}.webp"
        Image.fromarray(picture(name)).save(path, quality=82, method=6)
    versions = ("torch", "tensorflow-cpu", "scikit-image")
    table = {
        "recorded": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "versions": {n: importlib.metadata.version(n).split("+")[0] for n in versions},
        "calls": CALLS,
        "dice": {
            k: round(float(measure.dice(truth, mask(n))), 4) for k, n in CALLS.items()
        },
        "rows": {"true": runs(truth), **{k: runs(mask(n)) for k, n in CALLS.items()}},
    }
    RECORD.write_text(json.dumps(table) + "\n", "utf-8")
    print({k: table[k] for k in ("dice", "versions")})


if __name__ == "__main__":
    main()
