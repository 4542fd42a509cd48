"""The site serves the package it was made with: ``pip install <site>/dist/….whl``.

The wheel is built by the project's own build backend, from files alone, so the same
sources give the same bytes.
"""

import shutil
import subprocess
import sys
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

FOLDER = "dist"  # below the site's root


def build(root: Path, folder: Path) -> Path:
    """Build the wheel of the project at ``root`` into ``folder`` and return its path.

    Raises ExtensionError with the backend's words if it cannot be built.
    """
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel"]
    command += ["--directory", str(folder.resolve())]
    shutil.rmtree(folder, ignore_errors=True)  # an older version's wheel
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    if done.returncode:
        raise ExtensionError(f"the wheel was not built: {done.stderr or done.stdout}")
    (wheel,) = folder.glob("*.whl")
    return wheel


def _serve(app: Sphinx, exception: Exception | None) -> None:
    if exception is None and app.builder.name == "html":
        build(Path(app.srcdir), Path(app.outdir) / FOLDER)


def setup(app: Sphinx) -> dict[str, bool]:
    """Build the wheel when the pages are there."""
    app.connect("build-finished", _serve)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
