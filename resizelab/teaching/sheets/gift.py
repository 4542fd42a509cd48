"""GIFT, the text that Moodle imports as a question bank.

Each exercise is a category, so that a quiz takes one variant of each at random.
"""

from __future__ import annotations

from collections.abc import Iterable

from resizelab.teaching.exercises import Exam, Variant

from .answers import UNKNOWN, number, question, told

# What GIFT gives a meaning: a backslash before it takes the meaning away.
_SPECIAL = {sign: f"\\{sign}" for sign in "\\~=#{}:"}


def gift(exams: Iterable[Exam]) -> str:
    """Return the variants of all ``exams``, exercise by exercise."""
    parts = ["// Resize Lab, CC BY 4.0. Teachers only: the answers stand here."]
    exams = list(exams)
    for k, same in enumerate(zip(*(e.variants for e in exams), strict=True), 1):
        parts.append(f"$CATEGORY: $course$/Resize Lab/Task {k:02d}")
        for exam, variant in zip(exams, same, strict=True):
            title = f"Task {k:02d}, sheet {exam.code or exam.seed}"
            parts.append(f"// {variant.name}\n::{title}::{_one(variant)}")
    return "\n\n".join(parts) + "\n"


def _one(variant: Variant) -> str:
    stem = "\\n".join(_escaped(line) for line in question(variant))
    lines = []
    for known in told(variant):
        words = _escaped(known.words)
        if isinstance(known.answer, str):
            lines.append(
                f"{'=' if known.right else '~'}{_escaped(known.answer)}#{words}"
            )
        else:
            # A wrong number is an answer that is worth nothing and has its own words.
            share = "" if known.right else "%0%"
            near = number(variant.exercise.tolerance)
            lines.append(f"={share}{number(known.answer)}:{near}#{words}")
    if variant.exercise.kind == "number":
        lines.append(f"~#{_escaped(UNKNOWN)}")
    begin = "{#" if variant.exercise.kind == "number" else "{"
    return "\n".join([f"[markdown]{stem}{begin}", *lines, "}"])


def _escaped(text: str) -> str:
    return "".join(_SPECIAL.get(sign, sign) for sign in text)
