"""Record what the real libraries return for the uint8 pictures of the explorers.

Run ``tests/recording/record_pictures.py`` where the libraries are installed. A page
that is built without one of them shows these results, with version and day.
"""

import datetime
from pathlib import Path

import resizelab as rl
from resizelab import engines
from resizelab.teaching.explorers import picture_material, recordings

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "resizelab/teaching/records/pictures.npz"
CONVENTIONS = (
    *("tf2.bilinear", "tf1.bilinear", "tf1.bilinear.align_corners"),
    *("tf1.bilinear.half_pixel_centers", "tf2.bilinear.antialias", "tf2.nearest"),
    *("torch.bilinear", "torch.bilinear.align_corners", "torch.bilinear.antialias"),
    *("torch.bicubic", "torch.bicubic.antialias", "torch.nearest"),
    *("opencv.linear", "opencv.cubic", "opencv.area", "opencv.nearest"),
    *("pillow.bilinear", "pillow.bicubic", "pillow.box", "pillow.nearest"),
)


def main() -> None:
    """Write the file."""
    pictures = {k: picture_material.levels(k) for k in picture_material.PATTERNS}
    found = {}
    for name in CONVENTIONS:
        sizes = picture_material.RECORDED_SIZES
        found[name] = recordings.take(rl.convention(name), engines, pictures, sizes)
        print(f"{name:34} {found[name].told}")
    recordings.write(FILE, found, datetime.date.today().isoformat())
    print(f"{FILE.relative_to(ROOT)}: {FILE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
