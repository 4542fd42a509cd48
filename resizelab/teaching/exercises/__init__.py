"""Check a learner's answer and name the convention behind a wrong one.

>>> from resizelab.teaching import exercises
>>> feedback = exercises.check("grids-why-257", 258)
>>> feedback.right, feedback.convention
(False, 'scale_factor=2')
>>> print(exercises.variant("grids-why-257", seed=3).markdown())  # doctest: +ELLIPSIS
Networks that use ...

Each page's exercises stand in the module of the page's name ("tf1_bug" for the page
"tf1-bug") as values of the class ``Exercise``; nothing else lists them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .collection import find, names
from .drawing import Exam, Variant, drawn
from .exercise import Exercise
from .grading import Feedback, grade

__all__ = [
    "Exam",
    "Exercise",
    "Feedback",
    "Variant",
    "box",
    "check",
    "exam",
    "names",
    "variant",
]


def variant(name: str, seed: int | None = None) -> Variant:
    """Return the exercise ``name`` with the page's values, or those ``seed`` draws.

    Raises LookupError, with the nearest name, for an unknown exercise.
    """
    return drawn(find(name), seed)


def check(name: str, answer: object, seed: int | None = None) -> Feedback:
    """Return the feedback on ``answer``: a number, a text of one, or a choice.

    ``seed`` judges it against an exam's variant instead of the page's question.
    """
    return grade(variant(name, seed), answer)


def exam(seed: int, names: Iterable[str]) -> Exam:
    """Return one variant of each exercise in ``names``, drawn from ``seed``.

    >>> [v.name for v in exam(7, ["grids-why-257", "drift-five"]).variants]
    ['grids-why-257', 'drift-five']
    """
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise TypeError(f"names must be a list of exercises' names; got {names!r}")
    if seed is None:
        raise TypeError("seed must be a whole number; got None")
    return Exam(seed, tuple(variant(name, seed) for name in names))


def box(name: str, seed: int | None = None) -> Any:
    """Return the answer box of the exercise ``name`` (needs the extra "widgets")."""
    # Imported here: grading in a kernel needs neither a browser nor Matplotlib.
    from .answer_box import AnswerBox

    return AnswerBox(variant(name, seed))
