"""Runs inside a page's kernel: notes the files that the page reads.

It asks nothing of the page and leaves no name in it; ``early_cells`` imports it before
the first cell and asks ``used`` after the last one.
"""

import json
import os
import sys

_READ: set[str] = set()
_STARTED: set[str] = set()


def _heard(event: str, arguments: tuple) -> None:
    if event == "open":
        path, mode, flags = arguments
        writes = mode[:1] in "wax" if mode else flags & (os.O_WRONLY | os.O_RDWR)
        # What is imported is known from sys.modules; what was compiled follows from it.
        importer = sys._getframe(1).f_code.co_filename.startswith("<frozen importlib")
        source = isinstance(path, str) and "__pycache__" not in path
        if source and not writes and not importer:
            _READ.add(os.path.abspath(path))  # noqa: PTH100 (it is asked very often)
    elif event in ("subprocess.Popen", "os.system"):
        _STARTED.add(str(arguments))


sys.addaudithook(_heard)


def used() -> str:
    """Return (as JSON) files that were imported, files read, commands started."""
    modules = [getattr(m, "__file__", None) for m in list(sys.modules.values())]
    names = [path for path in modules if path and path.endswith(".py")]
    return json.dumps([names, sorted(_READ), sorted(_STARTED)])
