"""One exercise: its words, its numbers, and what each wrong answer means."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from numbers import Real
from types import MappingProxyType
from typing import Any

from resizelab import checks
from resizelab.teaching.messages import say, spoken

Answer = float | str
Values = Mapping[str, Any]

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)+")


class _Words(string.Formatter):
    """Write drawn values as prose does: a true minus, lists with commas."""

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, (list, tuple)):
            return ", ".join(self.format_field(v, format_spec) for v in value)
        text = str(super().format_field(value, format_spec))
        return text.replace("-", "−", 1) if isinstance(value, Real) else text


@dataclass(frozen=True, kw_only=True)
class Exercise:
    """A question whose right answer and known wrong ones are computed.

    Parameters
    ----------
    name : str
        The exercise's label on its page. It begins with the page's name:
        "grids-why-257" stands on the page "grids".
    stem : str
        The question, one sentence a line, with drawn values in braces. Its last line
        is what the answer box asks.
    values : mapping
        The values of the page.
    draws : mapping
        For each value the ones that an exam may draw.
    answers : callable
        Given the values by name, returns {label: answer}. The first is right; the
        others are the conventions and mistakes behind wrong answers.
    unit : str
        What a number counts ("input pixels"), or empty.
    tolerance : float
        How far a number may be from the answer it is taken for.
    choices : sequence of str
        What a reader can choose; empty where a number is asked for.
    hint : str
        One step of the way, with values in braces.
    feedback : mapping
        For a label, what its answer is told, with values in braces.
    shown : callable, optional
        Given the values, returns more values for stem, hint and feedback.
    """

    name: str
    stem: str
    values: Values
    draws: Mapping[str, Sequence[Any]]
    answers: Callable[..., Mapping[str, Answer]]
    hint: str
    feedback: Mapping[str, str]
    unit: str = ""
    tolerance: float = 0.01
    choices: Sequence[str] = ()
    shown: Callable[..., Values] | None = field(default=None)

    def __post_init__(self) -> None:
        """Refuse an exercise whose parts do not belong together."""
        if not _NAME.fullmatch(self.name):
            raise ValueError(
                f"name must be a page's name and more, such as 'grids-why-257'; "
                f"got {self.name!r}"
            )
        if set(self.draws) != set(self.values):
            raise ValueError(
                f"{self.name}: draws must name {sorted(self.values)}, as values do; "
                f"got {sorted(self.draws)}"
            )
        checks.number("tolerance", self.tolerance)
        self._translate()
        labels = self.solve(self.values)
        for label in self.feedback:
            if label not in labels:
                raise ValueError(
                    f"{self.name}: feedback has {label!r}; answers has "
                    f"{', '.join(map(repr, labels))}"
                    f"{checks.nearest_match(label, labels)}"
                )
        # Texts with a slip in their braces fail here and not in an exam.
        for text in (self.stem, self.hint, *self.feedback.values()):
            self.say(text, self.values)

    def _translate(self) -> None:
        """Put the parts that readers see into their language, once for all."""
        put = partial(object.__setattr__, self)
        for part in ("stem", "hint", "unit"):
            put(part, say(getattr(self, part)))
        put("choices", tuple(say(choice) for choice in self.choices))
        put("feedback", {say(k): text for k, text in spoken(self.feedback).items()})

    def sentences(self) -> list[str]:
        """Return every text of it that a reader may see: the messages to translate."""
        told = [self.stem, self.hint, self.unit, *self.choices, *self.feedback.values()]
        return [text for text in (*told, *self.solve(self.values)) if text]

    @property
    def kind(self) -> str:
        """Either "choice" or "number"."""
        return "choice" if self.choices else "number"

    def solve(self, values: Values) -> dict[str, Answer]:
        """Return {label: answer} for ``values``, the right one first."""
        found = {
            say(label): say(answer) if isinstance(answer, str) else answer
            for label, answer in self.answers(**values).items()
        }
        for label, answer in found.items():
            if self.choices:
                checks.one_of(
                    f"{self.name}: the answer {label!r}", answer, self.choices
                )
            else:
                # Plus 0.0, or a key could be a minus zero.
                found[label] = checks.number(f"{self.name}: {label!r}", answer) + 0.0
        if not found:
            raise ValueError(
                f"{self.name}: answers gave nothing, not even the right one"
            )
        return found

    def say(self, text: str, values: Values) -> str:
        """Return ``text`` with the values in their places.

        Raises ValueError for a name in braces that no value has.
        """
        known = {**values, **(self.shown(**values) if self.shown else {})}
        try:
            return _Words().vformat(text, (), MappingProxyType(known))
        except (KeyError, IndexError) as error:
            raise ValueError(
                f"{self.name}: no value is called {error} in {text!r}; there are "
                f"{', '.join(map(repr, known))}"
                f"{checks.nearest_match(str(error).strip(chr(39)), known)}"
            ) from None

    def is_clear(self, values: Values) -> bool:
        """Say whether no wrong answer for ``values`` can be taken for the right one."""
        right, *wrong = self.solve(values).values()
        if self.choices:
            return right not in wrong
        return all(
            abs(float(right) - float(other)) > 2 * self.tolerance for other in wrong
        )
