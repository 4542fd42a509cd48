"""One piece of homework: what to write, a solution, known slips, and the judge."""

from __future__ import annotations

import copy
import inspect
import random
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Case = tuple[Any, ...]


def _same_as_given(*case: Any) -> Case:
    return case


def _whole(answer: Any) -> Any:
    return answer


@dataclass(frozen=True, kw_only=True)
class Task:
    """A function to write, whose right answers and known wrong ones are computed.

    Parameters
    ----------
    name, title : str
        How the task is called in code, and above its text.
    words : str
        What is asked, in Markdown, one sentence a line.
    solution : callable
        A right answer. Its name, signature and docstring are what learners begin with.
    slips : mapping
        {what it is: (a function that does it, what its author is told)}.
    shown : sequence of tuple
        The cases that learners see and may try.
    draw : callable
        Given a ``random.Random``, returns one more case, for the hidden tests.
    always : sequence of tuple
        Hidden cases that part the solution from its slips, whatever is drawn.
    given : callable
        Turns a case into the function's arguments.
    seen : callable
        What counts of an answer, where several are right.
    tolerance : float
        How far numbers may be from the solution's.
    think : str
        A question to answer in words; a person grades it.
    rubric : mapping
        {what a person looks for: points}, for ``think``.
    points : int
        What the hidden cases are worth; those that are shown are worth one.
    needs : str
        The imports that the solution begins with.
    """

    name: str
    title: str
    words: str
    solution: Callable[..., Any]
    slips: Mapping[str, tuple[Callable[..., Any], str]]
    shown: Sequence[Case]
    draw: Callable[[random.Random], Case]
    think: str
    rubric: Mapping[str, int]
    always: Sequence[Case] = ()
    given: Callable[..., Case] = _same_as_given
    seen: Callable[[Any], Any] = _whole
    tolerance: float = 1e-6
    points: int = 4
    needs: str = "import numpy as np"
    _drawn: int = field(default=6, repr=False)

    def hidden(self, source: random.Random) -> list[Case]:
        """Return the cases of the hidden tests, the drawn ones from ``source``."""
        return [*self.always, *(self.draw(source) for _ in range(self._drawn))]

    @property
    def written(self) -> str:
        """The solution's source."""
        return textwrap.dedent(inspect.getsource(self.solution))

    @property
    def stub(self) -> str:
        """What learners begin with: the solution's first lines, and nothing done."""
        head = self.written.split('"""')
        return '"""'.join(head[:2]) + '"""\n    raise NotImplementedError("write me")\n'


def judge(task: Task, function: Callable[..., Any], cases: Sequence[Case]) -> None:
    """Raise AssertionError, with a reason, if ``function`` fails one of the cases."""
    said = [_answer(task, function, case) for case in cases]
    right = [_answer(task, task.solution, case) for case in cases]
    wrong = [
        k
        for k, pair in enumerate(zip(said, right, strict=True))
        if not _same(*pair, task.tolerance)
    ]
    if not wrong:
        return
    first = wrong[0]
    found = _slip(task, cases, said) or _slip(task, cases[first:][:1], said[first:][:1])
    label, told = found or ("", "Nothing known here gives that.")
    call = f"{task.solution.__name__}({', '.join(map(repr, cases[first]))})"
    begin = (
        f"your answer begins {_begin(said[first])}" if not label else f"this is {label}"
    )
    raise AssertionError(f"{call}: {begin}. {told}")


def _slip(
    task: Task, cases: Sequence[Case], said: Sequence[Any]
) -> tuple[str, str] | None:
    """Return the slip that gives all that was said, with what it is told."""
    for label, (wrong, told) in task.slips.items():
        theirs = [_answer(task, wrong, case) for case in cases]
        pairs = zip(said, theirs, strict=True)
        if all(_same(a, b, task.tolerance) for a, b in pairs):
            return label, told
    return None


def _answer(task: Task, function: Callable[..., Any], case: Case) -> Any:
    # A function that writes into its arguments harms nobody else.
    return task.seen(function(*copy.deepcopy(task.given(*case))))


def _same(a: Any, b: Any, tolerance: float) -> bool:
    if isinstance(b, tuple):
        return (
            isinstance(a, tuple)
            and len(a) == len(b)
            and all(_same(x, y, tolerance) for x, y in zip(a, b, strict=True))
        )
    if isinstance(b, str):
        return isinstance(a, str) and a == b
    try:
        mine, theirs = np.asarray(a, float), np.asarray(b, float)
    except (TypeError, ValueError):  # None, a text, rows of unequal lengths
        return False
    return mine.shape == theirs.shape and np.allclose(mine, theirs, 0, tolerance)


def _begin(answer: Any) -> str:
    """Return how an answer begins, in a few words."""
    if answer is None:
        return "with None: is there a return"
    if isinstance(answer, (str, tuple)):
        return repr(answer)[:60]
    try:
        flat = np.asarray(answer, float).ravel()[:3]
    except (TypeError, ValueError):
        return repr(answer)[:60]
    shape = np.shape(answer)
    more = f" (its shape is {shape})" if len(shape) != 1 else ""
    return ", ".join(f"{v:g}" for v in flat) + more
