"""Coding homework: functions to write, judged by numbers that name each known slip.

>>> from resizelab.teaching import homework
>>> homework.names()[:2]
['antialias-weights', 'boxes-back']
>>> homework.check("nearest-rule", lambda n_in, n_out: [i for i in range(n_out)])
Traceback (most recent call last):
    ...
AssertionError: nearest_rule(9, 3): your answer begins 0, 1, 2. Nothing known here gives that.

Each task is a module: its solution, and the wrong solutions that learners write.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from resizelab import checks

from .task import Case, Task, judge

__all__ = ["Task", "check", "names", "rubric", "task"]


def _tasks() -> dict[str, Task]:
    modules = [
        importlib.import_module(f".{found.name}", __name__)
        for found in pkgutil.iter_modules([str(Path(__file__).parent)])
    ]
    values = [value for module in modules for value in vars(module).values()]
    return {value.name: value for value in values if isinstance(value, Task)}


def names() -> list[str]:
    """Return the names of all tasks."""
    return sorted(_tasks())


def task(name: str) -> Task:
    """Return the task ``name``; ValueError names the nearest."""
    known = _tasks()
    checks.one_of("name", name, sorted(known))
    return known[name]


def check(
    name: str, function: Callable[..., Any], cases: Iterable[Case] | None = None
) -> None:
    """Do nothing if ``function`` is right, else raise AssertionError with a reason.

    ``cases`` are those of the task that everybody sees, if none are given.
    """
    asked = task(name)
    judge(asked, function, list(cases or asked.shown))


def rubric(task: Task) -> str:
    """Return what a grader needs, in Markdown: points, slips, the solution."""
    points = {"the example that everybody sees": 1, "the hidden cases": task.points}
    rows = [f"| {words} | {n} |" for words, n in {**points, **task.rubric}.items()]
    slips = [f"- **{label}**: {told}" for label, (_, told) in task.slips.items()]
    parts = [f"# {task.title}", "", task.words, "", f"In words: {task.think}", ""]
    parts += ["| what counts | points |", "|---|---|", *rows, ""]
    parts += ["Slips that the tests name:", "", *slips, "", "A solution:", ""]
    parts += ["```python", task.needs, "", "", task.written.rstrip(), "```", ""]
    return "\n".join(parts)
