"""What a page's outputs depend on: files, each with a hash of what counts in it.

Of a module counts what it does: comments and docstrings do not, unless the page prints
them.  Of any other file that a page read counts every byte.
"""

import ast
import hashlib
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from threading import Lock

# Every page depends on the versions of the libraries.
LOCK = "requirements.lock"
# What prints a docstring.
PRINTS = ("__doc__", "help(", "getdoc(")
# Whoever uses this may speak another language, and then reads its catalogue.
WORDS = "resizelab/teaching/messages.py"
PARTS = ("*.py", "*.js", "*.css", "*.toml")
Needs = dict[str, list[str]]
# Pages run in threads, and CPython 3.11's parser is for one at a time: two at once can
# end in "AST constructor recursion depth mismatch".
PARSER = Lock()


def _tree(text: str, docstrings: bool) -> str:
    """Return what a module does, and what it says of itself if that counts."""
    with PARSER:
        tree = ast.parse(text)
    for node in ast.walk(tree) if not docstrings else ():
        kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        if isinstance(node, kinds) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
    return ast.dump(tree)


@cache
def _digest(path: Path, kind: str, stamp: int) -> str:
    data = path.read_bytes()
    if kind != "text":
        data = _tree(data.decode(), docstrings=kind == "code and words").encode()
    return hashlib.sha256(data).hexdigest()[:16]


def digest(path: Path, kind: str) -> str:
    """Return the hash of a file's "text", "code" or "code and words"; "" if none."""
    if not path.is_file():
        return ""
    return _digest(path, kind, path.stat().st_mtime_ns)


def gathered(
    root: Path, source: str, used: Iterable[list[str]] = ((), (), ())
) -> Needs:
    """Return what a page with this source needs, by path below ``root``."""
    imported, read, started = used
    prints = any(word in source for word in PRINTS)
    files = dict.fromkeys(imported, "code and words" if prints else "code")
    if any("resizelab" in words or sys.executable in words for words in started):
        # Another process did the work: whatever it used is in the package.
        found = (p for part in PARTS for p in (root / "resizelab").rglob(part))
        files |= {str(p): "code" if p.suffix == ".py" else "text" for p in found}
    files |= dict.fromkeys([*read, str(root / LOCK)], "text")
    inside = {Path(name): kind for name, kind in files.items()}
    return {
        path.relative_to(root).as_posix(): [kind, digest(path, kind)]
        for path, kind in sorted(inside.items())
        if path.is_relative_to(root) and _counts(path.relative_to(root))
    }


def _counts(path: Path) -> bool:
    """Say whether a file belongs to the book: not what was built or installed."""
    return not path.parts[0].startswith((".", "_build")) and path.parts[0] != "dist"


def hold(root: Path, needs: Needs | None, catalogue: str = "") -> bool:
    """Say whether everything is as it was, and in the language of a catalogue."""
    if needs is None or (catalogue and WORDS in needs and catalogue not in needs):
        return False
    return all(
        digest(root / name, kind) == then for name, (kind, then) in needs.items()
    )
