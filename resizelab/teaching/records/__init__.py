"""What was recorded of engines, browsers and training runs: the files the pages read.

Each was written by the script of its name in ``tests/recording``.
"""

import json
import tomllib
from pathlib import Path
from typing import Any

from resizelab.checks import nearest_match


def file(name: str) -> Path:
    """Return the path of a recorded file, else LookupError with the nearest name.

    A name without its ending stands for the files that begin with it.

    >>> file("card.json").is_file()
    True
    """
    folder = Path(__file__).parent
    known = sorted(path.name for path in folder.iterdir() if path.suffix != ".py")
    if not any(name in (each, each.split(".")[0]) for each in known):
        raise LookupError(f"no recorded file {name!r}{nearest_match(name, known)}")
    return folder / name


def read(name: str) -> Any:
    """Return what a recorded ``.json`` or ``.toml`` file says.

    >>> read("card.json")["recorded"][:2]
    '20'
    """
    path = file(name)
    return (tomllib if path.suffix == ".toml" else json).loads(path.read_text("utf-8"))
