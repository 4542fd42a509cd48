"""Cut the photographs of the small figures, by numbers that stand here.

``resizelab/teaching/classroom/cutting.py`` writes a WebP and a JSON file for each into
``teaching/records/``, for `resizelab.teaching.figures.Photograph`. The photographs are
those that scikit-image ships. An ellipse is laid by hand around each object: its middle
across and down, half its width, half its height, from the picture's corner.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

from resizelab.teaching.extras import extra

with extra("photographs", "engines"):
    from PIL import Image

FOLDER = Path(__file__).resolve().parents[1] / "records"
QUALITY = 75
# Of "chelsea" (Stéfan van der Walt, CC0) one eye.
EYE = {"rows": slice(95, 191), "columns": slice(272, 400)}


def eye() -> Any:
    """Return the cat's eye, (96, 128, 3) bytes."""
    from skimage import data

    return data.chelsea()[EYE["rows"], EYE["columns"]]


def face() -> Any:
    """Return the face of "astronaut" (Eileen Collins, NASA), (96, 128, 3) bytes."""
    from skimage import data

    return data.astronaut()[70:166, 162:290]


def cup() -> Any:
    """Return "coffee" (Rachel Michetti, CC0) at half its size, (200, 300, 3) bytes."""
    from skimage import data

    return np.asarray(Image.fromarray(data.coffee()).reduce(2))


def retina() -> Any:
    """Return the optic disc of "retina" (Mikael Häggström, CC0), (192, 256, 3)."""
    from skimage import data

    half = np.asarray(Image.fromarray(data.retina()[:1408, :1408]).reduce(2))
    return half[232:424, :256]


# name: what cuts it, (height, width) that are counted, the ellipse
PICTURES = {
    "eye": (eye, (96, 128), (48.5, 40.5, 20, 26)),
    "face": (face, (96, 128), (40.5, 31.5, 8, 5)),
    "cup": (cup, (400, 600), (297, 152, 124, 133)),
    "retina": (retina, (96, 128), (66, 48, 14, 17)),
}


def main() -> None:
    """Write every picture, and what is known of it beside it."""
    for name, (cut, size, ellipse) in PICTURES.items():
        path = FOLDER / f"{name}.webp"
        Image.fromarray(cut()).save(path, quality=QUALITY, method=6)
        known = {"size": size, "ellipse": ellipse}
        path.with_suffix(".json").write_text(json.dumps(known) + "\n", "utf-8")
        print(path.name, path.stat().st_size)


if __name__ == "__main__":
    main()
