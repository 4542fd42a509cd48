"""Notebooks for nbgrader, for otter, and to hand out without either.

What is written for nbgrader and otter is the teacher's source, with solutions and
hidden tests; their own commands make the learners' version of it.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from resizelab.teaching.exercises import Variant
from resizelab.teaching.homework.task import Task

from .answers import UNKNOWN, question, told

Cell = dict[str, Any]
FORMATS = ("nbgrader", "otter", "notebook")


@dataclass(frozen=True)
class Item:
    """A question as cells: what is asked, begun, solved, tested, and thought about."""

    name: str
    words: str
    head: str  # what stands above the part that learners write
    solution: str  # that part
    stub: str
    open_test: str
    hidden_test: str
    points: tuple[int, int]  # of the open test, of the hidden one
    think: str = ""
    rubric: dict[str, int] = field(default_factory=dict)


def of_variant(k: int, variant: Variant) -> Item:
    """Return an exercise as cells: an answer to assign, its test with the reasons."""
    answer, exercise = f"answer_{k}", variant.exercise
    ways = [f"- `{choice!r}`" for choice in exercise.choices]
    words = [f"### Task {k}", "", *question(variant), f"Assign it to `{answer}`."]
    words += ["", *ways] if ways else []
    known = {one.answer: one.words for one in told(variant)}
    if ways:
        lines = [
            f"told = {known!r}",
            f"assert {answer} == {variant.key!r}, told.get({answer}, {UNKNOWN!r})",
        ]
        typed = f"assert isinstance({answer}, str), 'one of the choices, as a text'"
    else:
        near = exercise.tolerance
        lines = [
            f"told = {known!r}",
            f"near = [told[a] for a in told if abs(a - {answer}) <= {near!r}]",
            f"right = abs({answer} - {variant.key!r}) <= {near!r}",
            f"assert right, (near or [{UNKNOWN!r}])[0]",
        ]
        typed = f"assert float({answer}) == {answer}, 'a number'"
    return Item(
        f"task_{k}", "\n".join(words), "", f"{answer} = {variant.key!r}",
        f"{answer} = ...", typed, "\n".join(lines), (0, 1),
    )  # fmt: skip


def of_task(task: Task, source: random.Random) -> Item:
    """Return a task of homework as cells; ``source`` draws its hidden cases."""
    made = task.solution.__name__
    stub = f"{task.needs}\n\n\n{task.stub}"
    head = stub.rsplit("\n", 2)[0]
    body = task.written.split('"""')[2].strip("\n")
    test = "from resizelab.teaching import homework\n\nhomework.check({}, {}{})"
    cases = task.hidden(source)
    return Item(
        made, f"## {task.title}\n\n{task.words}", head, body, stub,
        test.format(repr(task.name), made, ""),
        test.format(repr(task.name), made, f", {cases!r}"),
        (1, task.points), task.think, dict(task.rubric),
    )  # fmt: skip


def notebook(title: str, items: Iterable[Item], kind: str) -> str:
    """Return a notebook's JSON in one of `FORMATS`."""
    make = {"nbgrader": _nbgrader, "otter": _otter, "notebook": _plain}[kind]
    cells = [_cell("markdown", f"# {title}")]
    if kind == "otter":
        config = "# ASSIGNMENT CONFIG\ninit_cell: true\nexport_cell: true\n"
        cells.insert(0, _cell("raw", config + "files: []"))
    for item in items:
        cells += make(item)
    for k, cell in enumerate(cells):
        cell["id"] = f"cell-{k}"
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    about = {"kernelspec": kernel, "language_info": {"name": "python"}}
    whole = {"cells": cells, "metadata": about, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def _cell(kind: str, text: str, **metadata: Any) -> Cell:
    lines = text.splitlines(keepends=True)
    cell: Cell = {"cell_type": kind, "metadata": metadata, "source": lines}
    return {**cell, "execution_count": None, "outputs": []} if kind == "code" else cell


def _marked(item: Item, begin: str, end: str) -> str:
    """Return head and solution, the solution between two marks that a tool reads."""
    indent = " " * (len(item.solution) - len(item.solution.lstrip()))
    lines = [item.head, f"{indent}{begin}", item.solution, f"{indent}{end}"]
    return "\n".join(line for line in lines if line)


def _asked(item: Item) -> str:
    """Return the question and its points, not what a grader looks for."""
    parts = [f"{sum(item.points)} for the tests, some of which are hidden"]
    parts += [f"{sum(item.rubric.values())} for your words"] if item.think else []
    told = "One point." if item.points == (0, 1) else f"Points: {', '.join(parts)}."
    return f"{item.words}\n\n{told}"


def _nbgrader(item: Item) -> list[Cell]:
    def cell(kind: str, name: str, text: str, **more: Any) -> Cell:
        about = {
            "schema_version": 3, "grade_id": f"{item.name}-{name}", "grade": False,
            "solution": False, "locked": False, "task": False, **more,
        }  # fmt: skip
        return _cell(kind, text, nbgrader=about)

    solved = _marked(item, "### BEGIN SOLUTION", "### END SOLUTION")
    hidden = f"### BEGIN HIDDEN TESTS\n{item.hidden_test}\n### END HIDDEN TESTS"
    test = {"grade": True, "locked": True}
    cells = [
        cell("markdown", "asked", _asked(item), locked=True),
        cell("code", "answer", solved, solution=True),
        cell("code", "open", item.open_test, points=item.points[0], **test),
        cell("code", "hidden", hidden, points=item.points[1], **test),
    ]
    if item.think:
        by_hand = {"grade": True, "solution": True, "points": sum(item.rubric.values())}
        cells.append(cell("markdown", "question", item.think, locked=True))
        cells.append(cell("markdown", "words", _model_answer(item), **by_hand))
    return cells


def _model_answer(item: Item) -> str:
    return "\n".join(f"- {words} ({points})" for words, points in item.rubric.items())


def _otter(item: Item) -> list[Cell]:
    def raw(text: str) -> Cell:
        return _cell("raw", text)

    config = (
        '""" # BEGIN TEST CONFIG\npoints: {}\nhidden: {}\n""" # END TEST CONFIG\n{}'
    )
    first, second = item.points
    cells = [
        raw(f"# BEGIN QUESTION\nname: {item.name}"),
        _cell("markdown", _asked(item)),
        raw("# BEGIN SOLUTION"),
        _cell("code", _marked(item, "# BEGIN SOLUTION", "# END SOLUTION")),
        raw("# END SOLUTION"),
        raw("# BEGIN TESTS"),
        _cell("code", config.format(first, "false", item.open_test)),
        _cell("code", config.format(second, "true", item.hidden_test)),
        raw("# END TESTS"),
        raw("# END QUESTION"),
    ]
    if item.think:
        most = sum(item.rubric.values())
        cells += [
            raw(
                f"# BEGIN QUESTION\nname: {item.name}_words\nmanual: true\n"
                f"points: {most}"
            ),
            _cell("markdown", item.think),
            raw("# BEGIN SOLUTION"),
            _cell("markdown", _model_answer(item)),
            raw("# END SOLUTION"),
            raw("# END QUESTION"),
        ]
    return cells


def _plain(item: Item) -> list[Cell]:
    cells = [_cell("markdown", _asked(item)), _cell("code", item.stub)]
    cells.append(_cell("code", item.open_test))
    return [*cells, _cell("markdown", item.think)] if item.think else cells
