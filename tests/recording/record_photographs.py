"""Cut the photographs of the small figures, by numbers that stand here.

``tests/recording/record_photographs.py`` writes WebP files into ``book/recorded/``. The
photographs are those that scikit-image ships. An ellipse is laid by hand around each
object: its middle across and down, half its width, half its height, from the corner.
"""

from pathlib import Path

import numpy as np
from PIL import Image

FOLDER = Path(__file__).resolve().parents[2] / "book" / "recorded"
QUALITY = 82
# Of "chelsea" (Stéfan van der Walt, CC0) one eye.
EYE = {"rows": slice(95, 191), "columns": slice(272, 400)}


def eye() -> np.ndarray:
    """Return the cat's eye, (96, 128, 3) bytes."""
    from skimage import data

    return data.chelsea()[EYE["rows"], EYE["columns"]]


PICTURES = {"eye": eye}


def main() -> None:
    """Write every picture."""
    for name, make in PICTURES.items():
        path = FOLDER / f"{name}.webp"
        Image.fromarray(make()).save(path, quality=QUALITY, method=6)
        print(path.name, path.stat().st_size)


if __name__ == "__main__":
    main()
