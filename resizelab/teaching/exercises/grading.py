"""Grade an answer: right or not, and which convention gives it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import reduce
from typing import Any

from resizelab import checks
from resizelab.teaching.words import PREDICT

from .drawing import Variant
from .exercise import Answer


@dataclass(frozen=True)
class Feedback:
    """What an answer is worth.

    ``right`` says whether it is right, ``convention`` names the convention or the
    mistake that gives it (None where nothing known does), ``words`` is what to tell
    the reader.
    """

    right: bool
    convention: str | None
    words: str

    def __str__(self) -> str:
        """Return the words."""
        return self.words


def grade(variant: Variant, answer: object) -> Feedback:
    """Return the feedback on ``answer`` to ``variant``.

    Raises ValueError for a choice that is none, and for a text that is no number.
    """
    exercise = variant.exercise
    given: Answer
    if exercise.choices:
        given = checks.one_of("answer", answer, exercise.choices)
        like = [label for label, a in variant.answers.items() if a == given]
    else:
        given = number(answer)
        away = {k: abs(float(a) - given) for k, a in variant.answers.items()}
        near = min(away.values())
        reach = min(exercise.tolerance, near + 1e-9)
        like = [label for label, gap in away.items() if gap <= reach]
    right = variant.right in like
    labels = [variant.right] if right else like
    told = [variant.feedback[k] for k in labels if k in variant.feedback]
    names = reduce(
        lambda one, other: PREDICT["and"].format(one=one, other=other), like or [""]
    )
    if told:
        words = told[0]
    elif right:
        words = PREDICT["right.practice"].format(names=names)
    elif like:
        words = PREDICT["wrong.practice"].format(names=names)
    else:
        words = PREDICT["unknown.practice"]
    return Feedback(right, names or None, words)


def number(answer: Any) -> float:
    """Return a number, or a text such as "2.5", "2,5", "−1" or "30/7", as a float.

    >>> number("30/7") == 30 / 7, number("−1")
    (True, -1.0)
    """
    if not isinstance(answer, str):
        return checks.number("answer", answer)
    # Some keyboards and editors make a dash of a minus.
    plain = answer.strip().replace("−", "-").replace("–", "-")
    parts = plain.replace(",", ".").split("/")
    try:
        top, bottom = (float(part) for part in (*parts, "1")[:2])
        value = top / bottom if len(parts) < 3 else math.nan
    except (ValueError, ZeroDivisionError):
        value = math.nan
    if not math.isfinite(value):
        raise ValueError(
            f"answer must be a number such as 2.5, −1 or 30/7; got {answer!r}"
        )
    return value
