"""What every format says of a variant: its question, and what each answer is told."""

from __future__ import annotations

from typing import NamedTuple

from resizelab.teaching.exercises import Variant
from resizelab.teaching.exercises.drawing import plain
from resizelab.teaching.exercises.exercise import Answer

UNKNOWN = "Not yet, and nothing known here gives that."


class Told(NamedTuple):
    """An answer, whether it is right, and what who gives it is told."""

    answer: Answer
    right: bool
    words: str


def question(variant: Variant) -> list[str]:
    """Return the question's sentences in Markdown, with the unit of its answer."""
    unit = variant.exercise.unit
    asked = [f"Answer in {unit}."] if unit else []
    return [*variant.stem.splitlines(), *asked]


def told(variant: Variant) -> list[Told]:
    """Return each answer once, the right one first; for choices, every choice.

    >>> from resizelab.teaching.exercises import variant
    >>> [(known.answer, known.right) for known in told(variant("grids-why-257"))]
    [(257.0, True), (258.0, False), (256.0, False)]
    """
    found: dict[str, Told] = {}
    for label, answer in variant.answers.items():
        right = answer == variant.key
        begin = "Right, that is" if right else "Not yet: that is"
        words = variant.feedback.get(label, f"{begin} {label}.")
        # Two slips may give one number, to rounding: the first speaks.
        key = answer if isinstance(answer, str) else number(answer)
        found.setdefault(key, Told(answer, right, plain(words)))
    for choice in variant.exercise.choices:
        found.setdefault(choice, Told(choice, False, UNKNOWN))
    return list(found.values())


def number(value: float) -> str:
    """Return a number as all systems read it: a point, no exponent where it can be."""
    return f"{value:.10g}"
