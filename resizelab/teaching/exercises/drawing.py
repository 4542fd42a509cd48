"""Variants: the page's question with other numbers, drawn from a seed."""

from __future__ import annotations

import functools
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from resizelab.teaching.messages import say

from .exercise import Answer, Exercise, Values
from .salt import mixed

_TRIES = 1000


@dataclass(frozen=True)
class Variant:
    """An exercise with its values; ``seed`` is None for the ones of the page."""

    exercise: Exercise
    seed: int | None
    values: Values

    @property
    def name(self) -> str:
        """The exercise's name."""
        return self.exercise.name

    @property
    def stem(self) -> str:
        """The question, one sentence a line."""
        return self.exercise.say(self.exercise.stem, self.values)

    @property
    def hint(self) -> str:
        """One step of the way."""
        return self.exercise.say(self.exercise.hint, self.values)

    @property
    def feedback(self) -> dict[str, str]:
        """What an answer is told, by its label, as plain text."""
        told = self.exercise.feedback.items()
        return {k: plain(self.exercise.say(text, self.values)) for k, text in told}

    @property
    def ask(self) -> str:
        """The stem's last line, as plain text."""
        return plain(self.stem.splitlines()[-1])

    @functools.cached_property
    def answers(self) -> dict[str, Answer]:
        """{label: answer}, the right one first."""
        return self.exercise.solve(self.values)

    @property
    def right(self) -> str:
        """The label of the right answer."""
        return next(iter(self.answers))

    @property
    def key(self) -> Answer:
        """The right answer."""
        return self.answers[self.right]

    def markdown(self, keys: bool = False) -> str:
        """Return question and choices, and with ``keys`` what each answer means."""
        lines = [*self.stem.splitlines()]
        if self.exercise.choices:
            lines += ["", *(f"- [ ] {choice}" for choice in self.exercise.choices)]
        else:
            lines += ["", (say("Answer: ______ ") + self.exercise.unit).rstrip()]
        if keys:
            first, *others = self.answers.items()
            lines += [
                "",
                say(
                    "**Key: {key}** ({label})", key=self._told(first[1]), label=first[0]
                ),
                "",
            ]
            lines += [f"- {self._told(a)}: {label}" for label, a in others]
        return "\n".join(lines)

    def record(self, keys: bool = False) -> dict[str, Any]:
        """Return the same as values for JSON; the name, which tells much, with keys."""
        asked = {
            "kind": self.exercise.kind,
            "stem": self.stem,
            "unit": self.exercise.unit,
            "choices": list(self.exercise.choices),
        }
        if not keys:
            return asked
        return {
            "name": self.name,
            **asked,
            "hint": self.hint,
            "tolerance": self.exercise.tolerance,
            "right": self.right,
            "answers": self.answers,
        }

    def _told(self, answer: Answer) -> str:
        if isinstance(answer, str):
            return answer
        text = f"{answer:.6g}".replace("-", "−")
        return f"{text} {self.exercise.unit}".rstrip()


@dataclass(frozen=True)
class Exam:
    """Several variants drawn from one seed and, if ``code`` is not empty, a salt.

    The sheet names neither its exercises nor the seed: with a salt only its code.
    """

    seed: int
    variants: tuple[Variant, ...]
    code: str = ""

    def markdown(self, keys: bool = False) -> str:
        """Return the sheet as Markdown, which is plain text too."""
        title = say("Sheet {code}", code=self.code or self.seed)
        if keys:
            title += say(": the key (seed {seed})", seed=self.seed)
        parts = [
            f"## {say('Task {k}', k=k)}{f': {v.name}' if keys else ''}\n\n"
            f"{v.markdown(keys)}"
            for k, v in enumerate(self.variants, 1)
        ]
        return "\n\n".join([f"# {title}", *parts]) + "\n"

    def json(self, keys: bool = False) -> str:
        """Return the sheet as JSON."""
        told = {"seed": self.seed} if keys else {}
        asked = [variant.record(keys) for variant in self.variants]
        whole = {"sheet": self.code or str(self.seed), **told, "tasks": asked}
        return json.dumps(whole, indent=1, ensure_ascii=False)


def plain(text: str) -> str:
    """Return ``text`` without the marks of code."""
    return text.replace("`", "")


def drawn(exercise: Exercise, seed: int | None, salt: str | None = None) -> Variant:
    """Return the page's variant for None, else the one that ``seed`` draws.

    What is drawn has other values than the page, and no wrong answer near the right.
    With a ``salt`` nobody who lacks it can draw the same.
    """
    if seed is None:
        return Variant(exercise, None, dict(exercise.values))
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise TypeError(f"seed must be a whole number or None; got {seed!r}")
    # The name goes in, so that one seed draws differently for each exercise, and
    # an exam's question does not depend on the others.
    begin = f"{exercise.name} {seed}"
    source = random.Random(begin if salt is None else mixed(salt, begin))
    for _ in range(_TRIES):
        values = {key: source.choice(list(of)) for key, of in exercise.draws.items()}
        if values != dict(exercise.values) and exercise.is_clear(values):
            return Variant(exercise, seed, values)
    raise ValueError(
        f"{exercise.name}: {_TRIES} draws from {_counts(exercise.draws)} gave no "
        "variant whose right answer stands apart"
    )


def _counts(draws: Values) -> str:
    parts: Sequence[str] = [f"{len(of)} of {key}" for key, of in draws.items()]
    return ", ".join(parts)
