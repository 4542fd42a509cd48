"""The explorer "predict": a guess first, then what every convention answers."""

from __future__ import annotations

import gzip
import itertools
import json
import math
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import traitlets

from resizelab.checks import nearest_match
from resizelab.teaching import words
from resizelab.teaching.messages import say, spoken
from resizelab.teaching.palette import style

from .base import Explorer, Item, module, rows, styles
from .controls import State

# The number line never asks for more, and JSON holds nothing else exactly.
_LARGEST = 1e9


class Prediction(Explorer):
    """A question whose answers come out only after the reader has committed.

    The answers travel in ``sealed``: mixed bytes that the page opens when a guess
    is committed, so neither the page's source nor its elements show them before.
    ``state["guess"]`` is the reader's guess.
    """

    _esm = module("prediction.js")
    _css = styles()
    heading = words.PREDICT["heading"]
    says = words.PREDICT
    # An exercise is practice: it may be tried again and does not tell its answer.
    practice = False

    sealed = traitlets.Bytes(b"").tag(sync=True)

    def __init__(
        self,
        question: str,
        answers: Mapping[str, Any],
        correct: str | None = None,
        unit: str = "",
        tolerance: float | None = None,
        feedback: Mapping[str, str] | None = None,
        choices: Sequence[str] | None = None,
        explain: str = "",
        name: str = "predict",
    ):
        self.caption = say(question)
        self.choices = [say(choice) for choice in choices or ()]
        feedback = {say(k): text for k, text in spoken(feedback or {}).items()}
        answers = _checked_answers(_told(answers), self.choices)
        correct = say(correct) if correct is not None else None
        _check_labels(answers, correct, feedback)
        self.controls = (self._control(),)
        self.looks = tuple(answers)
        # A line holds about 70 letters on a wide page and 34 on a phone.
        letters = len(self.caption) + len(self.heading)
        wide, phone = 152 + 24 * (letters // 70), 194 + 24 * (letters // 34)
        if self.choices:
            wide += 13 + 34 * rows(self.choices, 42, 640)
            phone += 34 * rows(self.choices, 42, 306) - 24
        self.height = wide, phone
        super().__init__(name, {}, answers)
        asked = {"choices": self.choices, "unit": say(unit), "practice": self.practice}
        self.setup = {**self.setup, "question": asked}
        self.sealed = seal(
            {
                "answers": [{"label": k, "value": v} for k, v in answers.items()],
                "correct": correct,
                "tolerance": _tolerance(answers, self.choices, tolerance),
                "feedback": feedback,
                "unit": say(unit),
                "explain": say(explain),
            }
        )

    def _control(self) -> dict[str, Any]:
        base = {"key": "guess", "label": words.PREDICT["guess"], "own": True}
        if self.choices:
            options = {c: c for c in self.choices}
            return {**base, "kind": "choice", "options": options}
        return {**base, "kind": "range", "min": -_LARGEST, "max": _LARGEST, "step": 0}

    def compute(self, state: State) -> dict[str, Item]:
        """Return nothing: a guess needs no operator."""
        return {}

    def sentence(self) -> str:
        """Return the question; the answers stay sealed."""
        ways = f" ({' / '.join(self.choices)})" if self.choices else ""
        return say("Guess first: {question}", question=self.caption + ways)

    def figure(self) -> Any:
        """Return the question and the markers of those who will answer it."""
        from matplotlib.figure import Figure

        figure = Figure(figsize=(6.4, 1.5), layout="constrained")
        axes = figure.subplots()
        axes.set_axis_off()
        axes.set_xlim(0, 1)
        axes.set_ylim(0, 1)
        axes.text(0, 0.75, self.sentence(), wrap=True, va="center")
        for k, label in enumerate(self.looks):
            look, x = style(label), (k + 0.1) / len(self.looks)
            axes.plot(x, 0.2, look.mpl_marker, color=look.light)
            axes.text(x + 0.02, 0.2, f"{label}: ?", va="center", size=9)
        return figure


def predict(
    question: str,
    answers: Mapping[str, Any],
    correct: str | None = None,
    *,
    unit: str = "",
    tolerance: float | None = None,
    feedback: Mapping[str, str] | None = None,
    choices: Sequence[str] | None = None,
    explain: str = "",
    name: str = "predict",
) -> Prediction:
    """Ask the reader to commit a guess, then name the convention it belongs to.

    ``answers`` maps a convention's label to its number (or to one of ``choices``),
    computed with the package.  ``correct`` names the label that is right on this
    page, where one is.  ``feedback`` replaces the standard words for a label, or
    under ``"else"`` for a guess that is nobody's.  ``explain`` follows every
    answer.  Give the cell the tag ``remove-input``, or its code tells the answers.
    A number counts as a label's within ``tolerance`` (a quarter of the
    smallest gap between two answers, if not given).  Answers that are equal are
    named together.

    >>> predict("Second of eight?", {"half_pixel": 2.5, "asymmetric": 5.0}).sentence()
    'Guess first: Second of eight?'
    """
    return Prediction(
        question,
        answers,
        correct,
        unit,
        tolerance,
        feedback,
        choices,
        explain,
        name,
    )


def seal(secret: Mapping[str, Any]) -> bytes:
    """Return ``secret`` mixed, so that it cannot be read by accident."""
    packed = gzip.compress(json.dumps(secret, allow_nan=False).encode(), mtime=0)
    # The same question gives the same bytes; xorshift must not start at zero.
    start = zlib.crc32(packed) | 1
    mixed = bytes(b ^ k for b, k in zip(packed, _stream(start), strict=False))
    return start.to_bytes(4, "little") + mixed


def unseal(sealed: bytes) -> dict[str, Any]:
    """Return what ``seal`` mixed."""
    stream = _stream(int.from_bytes(sealed[:4], "little"))
    packed = bytes(b ^ k for b, k in zip(sealed[4:], stream, strict=False))
    secret: dict[str, Any] = json.loads(gzip.decompress(packed))
    return secret


def _stream(s: int) -> Any:
    """Yield the bytes of xorshift32 (Marsaglia 2003) from its state ``s``."""
    while True:
        s ^= s << 13 & 0xFFFFFFFF
        s ^= s >> 17
        s ^= s << 5 & 0xFFFFFFFF
        yield s & 255


def _told(answers: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answers in the readers' language: labels, and choices as such."""
    return {
        say(k): say(v) if isinstance(v, str) else v for k, v in (answers or {}).items()
    }


def _checked_answers(answers: Mapping[str, Any], choices: list[str]) -> dict[str, Any]:
    if not answers:
        raise ValueError("answers={}: at least one convention has to answer")
    if choices:
        for label, value in answers.items():
            if value not in choices:
                raise ValueError(
                    f"answers[{label!r}]={value!r}: allowed are "
                    f"{', '.join(map(repr, choices))}"
                    f"{nearest_match(str(value), choices)}"
                )
        return dict(answers)
    numbers = {label: float(value) for label, value in answers.items()}
    for label, number in numbers.items():
        if not math.isfinite(number) or abs(number) > _LARGEST:
            raise ValueError(
                f"answers[{label!r}]={number!r}: a number within ±1e9 is needed"
            )
    return numbers


def _check_labels(
    answers: Mapping[str, Any], correct: str | None, feedback: Mapping[str, str]
) -> None:
    if correct is not None and correct not in answers:
        raise ValueError(
            f"correct={correct!r}: allowed are {', '.join(map(repr, answers))}"
            f"{nearest_match(correct, answers)}"
        )
    for label in feedback:
        if label != "else" and label not in answers:
            raise ValueError(
                f"feedback has {label!r}: allowed are 'else', "
                f"{', '.join(map(repr, answers))}{nearest_match(label, answers)}"
            )


def _tolerance(
    answers: Mapping[str, Any], choices: list[str], tolerance: float | None
) -> float:
    """Return how far a guess may be from the answer it is counted for."""
    if choices:
        return 0.0
    if tolerance is not None:
        if not (math.isfinite(tolerance) and tolerance >= 0):
            raise ValueError(f"tolerance={tolerance!r}: a number ≥ 0 is needed")
        return float(tolerance)
    values: list[float] = sorted(answers.values())
    gaps = [b - a for a, b in itertools.pairwise(values) if b - a > 1e-9]
    return min(gaps) / 4 if gaps else max(abs(values[0]) * 0.01, 0.005)
