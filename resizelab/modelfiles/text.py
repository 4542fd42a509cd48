"""Print what stands in a file that anybody may have written.

A name may hold escape sequences that move a terminal's cursor, marks that turn the
direction of a line, or line ends that forge a line of a report.
"""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
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


def json_text(whole: Any) -> str:
    r"""Return a value as one JSON document; a number that is not finite becomes null.

    >>> json_text({"error": float("nan")})
    '{\n "error": null\n}'
    """
    return json.dumps(_finite(whole), indent=1, default=str, allow_nan=False)


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): _finite(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_finite(entry) for entry in value]
    return value
