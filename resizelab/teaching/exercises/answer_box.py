"""The answer box of a page: try as often as you like, with a kernel or without."""

from __future__ import annotations

from typing import Any

from resizelab.teaching.explorers import Prediction
from resizelab.teaching.messages import say
from resizelab.teaching.words import PREDICT

from .drawing import Variant


class AnswerBox(Prediction):
    """A sealed key, and words for each answer; the key shows once it was found."""

    heading = PREDICT["heading.practice"]
    practice = True

    def __init__(self, variant: Variant):
        exercise = variant.exercise
        super().__init__(
            variant.ask,
            variant.answers,
            variant.right,
            unit=exercise.unit,
            tolerance=exercise.tolerance,
            feedback=variant.feedback,
            choices=exercise.choices,
            name=variant.name,
        )

    def sentence(self) -> str:
        """Return the question; the answers stay sealed."""
        ways = f" ({' / '.join(self.choices)})" if self.choices else ""
        return say("Your answer: {question}", question=self.caption + ways)

    def figure(self) -> Any:
        """Return the question alone: the labels of the answers would tell too much."""
        from matplotlib.figure import Figure

        figure = Figure(figsize=(6.4, 1), layout="constrained")
        axes = figure.subplots()
        axes.set_axis_off()
        axes.text(0, 0.5, self.sentence(), wrap=True, va="center")
        return figure
