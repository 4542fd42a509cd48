"""Check a learner's answer and name the convention behind a wrong one.

>>> from resizelab.teaching import exercises
>>> feedback = exercises.check("grids-why-257", 258)
>>> feedback.right, feedback.convention
(False, 'scale_factor=2')
>>> print(exercises.variant("grids-why-257", seed=3).markdown())  # doctest: +ELLIPSIS
Networks that use ...

Each page's exercises stand in the module of its name in ``pages`` ("tf1_bug" for the
page "tf1-bug") as values of the class ``Exercise``; nothing else lists them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .collection import find, names, page
from .drawing import Exam, Variant, drawn
from .exercise import Exercise
from .grading import Feedback, grade
from .salt import code

__all__ = [
    "Exam",
    "Exercise",
    "Feedback",
    "Variant",
    "box",
    "check",
    "exam",
    "names",
    "page",
    "variant",
]


def variant(name: str, seed: int | None = None, salt: str | None = None) -> Variant:
    """Return the exercise ``name`` with the page's values, or those ``seed`` draws.

    With a ``salt``, a text of twelve letters or more, nobody who lacks it can draw the
    same. Raises LookupError, with the nearest name, for an unknown exercise.
    """
    return drawn(find(name), seed, salt)


def check(
    name: str, answer: object, seed: int | None = None, salt: str | None = None
) -> Feedback:
    """Return the feedback on ``answer``: a number, a text of one, or a choice.

    ``seed`` judges it against an exam's variant instead of the page's question.
    """
    return grade(variant(name, seed, salt), answer)


def exam(seed: int, names: Iterable[str], salt: str | None = None) -> Exam:
    """Return one variant of each exercise in ``names``, drawn from ``seed``.

    Without a ``salt`` it is a sheet for practice: anyone can print its key.

    >>> [v.name for v in exam(7, ["grids-why-257", "drift-five"]).variants]
    ['grids-why-257', 'drift-five']
    """
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise TypeError(f"names must be a list of exercises' names; got {names!r}")
    if seed is None:
        raise TypeError("seed must be a whole number; got None")
    variants = tuple(variant(name, seed, salt) for name in names)
    return Exam(seed, variants, code(salt, seed) if salt is not None else "")


def box(name: str, seed: int | None = None) -> Any:
    """Return the answer box of the exercise ``name`` (needs the extra "widgets")."""
    # Imported here: grading in a kernel needs neither a browser nor Matplotlib.
    from .answer_box import AnswerBox

    return AnswerBox(variant(name, seed))
