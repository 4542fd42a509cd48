"""An environment as a reader has it: the package's own wheel and what it asks for.

A virtual environment whose packages are links to those installed here, and only to
those that the wheel's extras need; all else is as absent as it is on a new machine.
"""

import importlib.metadata
import json
import subprocess
import sysconfig
import venv
import zipfile
from pathlib import Path

from own_wheel import build
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
EXTRAS = ("plots", "widgets")
KERNEL = "light"


def needed(extras: tuple[str, ...] = EXTRAS) -> set[str]:
    """Return the names of all packages that ``resizelab[extras]`` and a kernel need."""
    waiting = [("ipykernel", "")]
    for extra in extras:
        waiting += [("resizelab", extra)]
    found = set()
    while waiting:
        name, extra = waiting.pop()
        if (name, extra) in found:
            continue
        found.add((name, extra))
        for line in importlib.metadata.requires(name) or ():
            asked = Requirement(line)
            if asked.marker is None or asked.marker.evaluate({"extra": extra}):
                key = canonicalize_name(asked.name)
                waiting += [(key, each) for each in ("", *asked.extras)]
    return {name for name, _ in found} - {"resizelab"}


def _link(name: str, site: Path) -> None:
    """Put links to the files of one installed package into ``site``."""
    home = Path(sysconfig.get_path("purelib"))
    files = importlib.metadata.files(name) or ()
    for top in {path.parts[0] for path in files} - {"..", "__pycache__"}:
        if not (site / top).exists():
            (site / top).symlink_to(home / top)


def make(folder: Path) -> Path:
    """Make the environment in ``folder`` and return its Python."""
    venv.create(folder / "venv", symlinks=True)
    python = folder / "venv/bin/python"
    ask = "import sysconfig; print(sysconfig.get_path('purelib'))"
    told = subprocess.run([python, "-c", ask], capture_output=True, text=True)
    site = Path(told.stdout.strip())
    for name in needed():
        _link(name, site)
    with zipfile.ZipFile(build(ROOT, folder / "dist")) as wheel:
        wheel.extractall(site)
    kernel = folder / "kernels" / KERNEL
    kernel.mkdir(parents=True)
    argv = [str(python), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    said = {"argv": argv, "display_name": "Light", "language": "python"}
    (kernel / "kernel.json").write_text(json.dumps(said))
    return python
