"""Run a page where an engine is missing: its lines answer what they answered once.

``playback.start("grids")`` in a notebook, before the page's first cell. A line that an
installed engine can run is run. A line that fails for want of one gives what it gave
when the page was recorded (``book/extension/record_pages.py``), and says with which
version. A line that was changed has no record: it says what to install.
"""

import ast
import importlib.metadata
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, Self

from resizelab.checks import nearest_match
from resizelab.engines import EngineMissing
from resizelab.teaching.extras import extra
from resizelab.teaching.kept import Missing, unpack
from resizelab.teaching.lines import Lines

with extra("pages", "widgets"):
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.display import display
    from IPython.utils.capture import CapturedIO, RichOutput, capture_output

FOLDER = Path(__file__).parent / "records" / "pages"
NAME = "_resizelab_lines"  # how a wrapped line finds its player


class Line:
    """One line of a page while it runs: a context that catches what it shows."""

    def __init__(self, player: "Player", key: str) -> None:
        self.player, self.key = player, key
        self.shown: Any = None  # what a cell's last line shows

    def __enter__(self) -> Self:
        self._capture = capture_output(stderr=False)
        self._captured: CapturedIO = self._capture.__enter__()
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> bool:
        self._capture.__exit__(None, None, None)
        return self.player.ended(self, error, self._captured)

    def value(self, expression: Callable[[], Any]) -> Any:
        """Return what a cell's last line shows: its value, or what is kept of it."""
        with self:
            self.shown = expression()
            if isinstance(self.shown, Missing | tuple | list | dict):
                repr(self.shown)  # what is missing cannot be shown
        return self.shown


class Player:
    """Wraps each line of a cell that it knows; IPython calls ``visit`` with a cell."""

    def __init__(self, shell: InteractiveShell, told: dict[str, Any]) -> None:
        self.shell, self.lines = shell, Lines()
        self.versions, self.told = told["versions"], told["lines"]
        self.said: set[str] = set()  # engines that this cell has spoken of
        shell.user_ns[NAME] = self

    def knows(self, key: str) -> bool:
        """Say whether a line is to be wrapped."""
        return key in self.told

    def line(self, key: str) -> Line:
        """Return the context that a wrapped line runs in."""
        return Line(self, key)

    def gone(self) -> NoReturn:
        """Stand in for a line that runs without its engine, but says other things."""
        raise EngineMissing("its engine is not installed here")

    def visit(self, cell: ast.Module) -> ast.Module:
        """Return a cell with the lines that it knows wrapped."""
        self.said.clear()
        keys = [self.lines.key(node) for node in cell.body]
        last = len(cell.body) - 1
        cell.body = [
            self._wrapped(node, key, shown=k == last) if self.knows(key) else node
            for k, (node, key) in enumerate(zip(cell.body, keys, strict=True))
        ]
        return cell

    def _wrapped(self, node: ast.stmt, key: str, shown: bool) -> ast.stmt:
        start = f"{NAME}.line({key!r})"
        told = self.told.get(key, {})
        if told.get("always") and not installed(told["needs"]):
            node = ast.parse(f"{NAME}.gone()").body[0]
        if shown and isinstance(node, ast.Expr):
            new = ast.parse(f"{start}.value(lambda: 0)").body[0]
            (given,) = (n for n in ast.walk(new) if isinstance(n, ast.Lambda))
            given.body = node.value
        else:
            new = ast.parse(f"with {start}: pass").body[0]
            new.body = [node]  # type: ignore[attr-defined]
        return ast.fix_missing_locations(ast.copy_location(new, node))

    def ended(self, line: Line, error: Any, captured: CapturedIO) -> bool:
        """Show what a line showed; if it failed, what it showed when it was recorded.

        Returns whether an error is dealt with.
        """
        if not isinstance(error, Exception):
            captured.show()  # type: ignore[no-untyped-call]
            return False
        told = self.told[line.key]
        self._say(told["needs"])
        print(told.get("text", ""), end="")
        for data in told.get("shown", ()):
            display(_shown(data))  # type: ignore[no-untyped-call]
        for name, value in told.get("names", {}).items():
            self.shell.user_ns[name] = self._value(name, value, told["needs"])
        line.shown = _shown(told["value"]) if "value" in told else None
        return True

    def _value(self, name: str, value: Any, needs: list[str]) -> Any:
        if isinstance(value, dict) and "missing" in value:
            return Missing(name, tuple(needs))
        return unpack(value)

    def _say(self, needs: list[str]) -> None:
        new = [name for name in needs if name not in self.said]
        self.said.update(new)
        if new:
            versions = " and ".join(f"{name} {self.versions[name]}" for name in new)
            print(f"[Not installed here. Recorded with {versions}]")


def installed(packages: list[str]) -> bool:
    """Say whether all these packages are installed.

    >>> installed(["numpy"]), installed(["numpy", "no-such-package"])
    (True, False)
    """
    try:
        return all(importlib.metadata.version(name) for name in packages)
    except importlib.metadata.PackageNotFoundError:
        return False


def _shown(data: dict[str, Any]) -> RichOutput:
    return RichOutput(data=data)  # type: ignore[no-untyped-call]


def start(page: str) -> None:
    """Play the page's recorded lines, in this notebook, where an engine is missing.

    Raises LookupError, with the nearest name, for a page that has no record, and
    RuntimeError outside a notebook.
    """
    path = FOLDER / f"{page}.json"
    if not path.is_file():
        known = sorted(p.stem for p in FOLDER.glob("*.json"))
        raise LookupError(f"no page {page!r} was recorded{nearest_match(page, known)}")
    if not InteractiveShell.initialized():
        raise RuntimeError("start(page) works in a notebook: there is none")
    shell = InteractiveShell.instance()
    stop(shell)
    shell.ast_transformers.append(Player(shell, json.loads(path.read_text("utf-8"))))


def stop(shell: InteractiveShell) -> None:
    """Play nothing any more in this shell."""
    kept = [t for t in shell.ast_transformers if not isinstance(t, Player)]
    shell.ast_transformers = kept
