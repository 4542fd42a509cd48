"""All of it in one file, for a class that has no package: pictures, marks, weights."""

from __future__ import annotations

import zipfile
from pathlib import Path

from .photographs import FOLDER, SOURCES, SURFACES

_DATE = (2026, 1, 1, 0, 0, 0)  # the same files give the same archive


def readme() -> str:
    """Return what stands beside the files."""
    whose = "\n".join(
        f"{n}.webp: {who}, {terms}" for n, (who, terms) in SOURCES.items()
    )
    return (
        "Photographs for class, from Resize Lab; as scikit-image ships them.\n\n"
        f"{whose}\n\n"
        f"{', '.join(SURFACES)}: left half for training, right half for testing; of\n"
        "the cat columns 40 to 330.\n\n"
        "marks.json: ellipses (middle across and down, half width and height) and\n"
        "points (across, down), in pixels from the picture's corner, laid by hand. A\n"
        "pixel is in a mask if its middle is in the ellipse.\n\n"
        "weights.npz: three networks of five convolutions, in half precision; strides\n"
        "2, 2, 2, 1, 1, zeros outside, rectified between. weights.json: how they were\n"
        "trained. marks, weights and this text: CC BY 4.0, Resize Lab contributors.\n"
    )


def write(path: str | Path) -> Path:
    """Write the archive to ``path`` and return it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     made = write(f"{folder}/class-data.zip")
    ...     made.stat().st_size < 1_000_000, len(zipfile.ZipFile(made).namelist())
    (True, 10)
    """
    path = Path(path)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for file in sorted(FOLDER.iterdir()):
            _add(packed, file.name, file.read_bytes())
        _add(packed, "README.txt", readme().encode())
    return path


def _add(packed: zipfile.ZipFile, name: str, content: bytes) -> None:
    entry = zipfile.ZipInfo(f"class-data/{name}", _DATE)
    entry.compress_type = zipfile.ZIP_DEFLATED
    packed.writestr(entry, content)
