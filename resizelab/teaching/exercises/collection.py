"""Find exercises: each page's stand in the module of its name, in ``pages``."""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path

from resizelab import checks

from .exercise import Exercise

_HERE = Path(__file__).parent / "pages"


def pages() -> list[str]:
    """Return the modules of ``pages`` as pages' names, "tf1_bug" as "tf1-bug"."""
    return [m.name.replace("_", "-") for m in pkgutil.iter_modules([str(_HERE)])]


def of_page(page: str) -> dict[str, Exercise]:
    """Return the exercises of one page by name, in the module's order.

    Raises ValueError for an exercise whose name does not begin with the page's.
    """
    module = importlib.import_module(f".pages.{page.replace('-', '_')}", __package__)
    found = {}
    for exercise in vars(module).values():
        if not isinstance(exercise, Exercise):
            continue
        if not exercise.name.startswith(page + "-"):
            raise ValueError(
                f"{exercise.name!r} stands in the module of {page!r}, so its name must "
                f"begin with {page + '-'!r}"
            )
        found[exercise.name] = exercise
    return found


def names() -> list[str]:
    """Return the names of all exercises, page by page."""
    return [name for page in pages() for name in of_page(page)]


def page(name: str) -> str:
    """Return the page on which the exercise ``name`` stands."""
    exercise = find(name)
    return next(page for page in pages() if exercise.name in of_page(page))


def find(name: str) -> Exercise:
    """Return the exercise ``name``; LookupError names the nearest.

    Only the page's own module is imported.
    """
    for page in sorted(pages(), key=len, reverse=True):
        if str(name).startswith(page + "-") and name in (here := of_page(page)):
            return here[name]
    known = names()
    raise LookupError(
        f"no exercise is called {name!r}{checks.nearest_match(name, known)}; "
        f"there are {', '.join(known)}"
    )
