"""Write reports: as text, and as JSON.

What they name may stand in a file that anybody wrote. A name may hold escape sequences
that move a terminal's cursor, marks that turn the direction of a line, or line ends
that forge a line of a report.
"""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any


def shown(text: object) -> str:
    r"""Return text in one line, with what does not print written as an escape.

    >>> shown("up\x1b[2K\nno finding")
    'up\\x1b[2K\\nno finding'
    """
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode("ascii")
        for c in str(text)
    )


def printed(lines: Iterable[object]) -> str:
    r"""Return lines as one text; a line end inside a line is written as an escape.

    >>> printed(["node", "a\nb"]).splitlines()
    ['node', 'a\\nb']
    """
    return "\n".join(map(shown, lines))


def listed(names: Sequence[str], most: int = 6) -> str:
    """Return names in one line, the first few of many.

    >>> listed(["a", "b", "c"], 2)
    'a, b and 1 more'
    """
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def by(sizes: Iterable[object]) -> str:
    """Return sizes as people write them; one that is not known is a ``?``.

    >>> by((480, None))
    '480x?'
    """
    return "x".join("?" if n is None else str(n) for n in sizes)


def json_text(whole: Any) -> str:
    r"""Return a value as one JSON document; a number that is not finite becomes null.

    A report in it is what it says itself, another dataclass its fields.

    >>> json_text({"error": float("nan")})
    '{\n "error": null\n}'
    """
    return json.dumps(_finite(whole), indent=1, default=str, allow_nan=False)


def _finite(value: Any) -> Any:
    if isinstance(value, Told):
        value = value.whole()
    elif is_dataclass(value):
        value = {f.name: getattr(value, f.name) for f in fields(value)}
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): _finite(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_finite(entry) for entry in value]
    return value


def json_object(text: str, what: str = "text") -> dict[str, Any]:
    """Return the one object that a JSON document holds, else ValueError.

    >>> json_object('{"n": 1}')
    {'n': 1}
    """
    try:
        whole = json.loads(text)
    except TypeError:
        raise TypeError(f"{what} must be JSON text; got {text!r}") from None
    except (json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"{what} is not JSON: {error}") from None
    if not isinstance(whole, dict):
        raise ValueError(f"{what} must hold one JSON object; got {text[:40]!r}")
    return whole


class Told:
    """A report, made of its fields: what it prints is its text."""

    def __repr__(self) -> str:
        return str(self)

    def whole(self) -> dict[str, Any]:
        """Return what the JSON document says."""
        return {f.name: getattr(self, f.name) for f in fields(self)}  # type: ignore[arg-type]

    def to_json(self) -> str:
        """Return the report as one JSON document."""
        return json_text(self.whole())
