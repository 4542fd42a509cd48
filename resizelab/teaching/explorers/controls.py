"""Controls are data: Python checks with them what the page builds from them.

A control is a dict with ``key``, ``kind`` and ``label``, and by kind:

=========  ==========================================================
kind       further entries
=========  ==========================================================
range      min, max, step; ``live_max`` where a kernel can do more;
           ``below``: the key whose value it must stay under;
           ``stops``: {text: value}, drawn as buttons
choice     options: {value: text}
choices    options: {value: text}; the state holds a list
flag       (a check box)
numbers    min, max, count; drawn by the explorer itself
=========  ==========================================================

``wide`` gives a control a row of its own, ``own`` leaves its drawing to the explorer,
``hint`` is one sentence shown under any of them; ``live`` marks a control that is
off on a page without a kernel, and says so.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from resizelab.checks import nearest_match

Control = Mapping[str, Any]
State = dict[str, Any]

KINDS = ("range", "choice", "choices", "flag", "numbers")


def ranged(
    key: str, label: str, low: float, high: float, step: float = 1, **more: Any
) -> dict[str, Any]:
    """Return the control of a number from ``low`` to ``high``."""
    base = {"key": key, "kind": "range", "label": label, "step": step}
    return {**base, "min": low, "max": high, **more}


def choice(
    key: str, label: str, options: Mapping[str, str], **more: Any
) -> dict[str, Any]:
    """Return the control of one value out of ``options`` ({value: what is read})."""
    base = {"key": key, "kind": "choice", "label": label, "options": dict(options)}
    return {**base, **more}


def check_state(controls: Sequence[Control], state: Mapping[str, Any]) -> State:
    """Return ``state`` with every value checked against its control.

    Raises ValueError for a wrong value and for a key that no control has; each says
    what is allowed.

    >>> n = {"key": "n", "kind": "range", "label": "n", "min": 2, "max": 8, "step": 1}
    >>> check_state([n], {"n": 4})
    {'n': 4}
    """
    known = {c["key"]: c for c in controls}
    checked = {}
    for key, value in state.items():
        if key not in known:
            raise ValueError(f"no control is called {key!r}{nearest_match(key, known)}")
        checked[key] = _check(known[key], value)
    for control in controls:
        key, other = control["key"], control.get("below")
        if other in checked and key in checked:
            checked[key] = min(checked[key], checked[other] - 1)
    return checked


def _check(control: Control, value: Any) -> Any:
    key, kind = control["key"], control["kind"]
    if kind == "range":
        return _number(control, value)
    if kind == "choice":
        return _option(control, value)
    if kind == "flag":
        if not isinstance(value, bool):
            raise ValueError(f"{key}={value!r}: allowed are True and False")
        return value
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise ValueError(f"{key}={value!r}: a list is needed")
    if kind == "choices":
        picked = [_option(control, v) for v in value]
        return [v for v in control["options"] if v in picked]
    if len(value) != control["count"]:
        raise ValueError(f"{key} has {len(value)} values, not {control['count']}")
    return [_number(control, v) for v in value]


def _number(control: Control, value: Any) -> float:
    key, low = control["key"], control["min"]
    high = control.get("live_max", control["max"])
    number = math.nan
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        number = float(value)
    if not low <= number <= high:
        raise ValueError(f"{key}={value!r}: a number from {low} to {high} is needed")
    if control.get("step") != 1:
        return number
    if number != int(number):
        raise ValueError(f"{key}={value!r}: a whole number is needed")
    return int(number)


def _option(control: Control, value: Any) -> str:
    options = list(control["options"])
    if value not in options:
        raise ValueError(
            f"{control['key']}={value!r}: allowed are "
            f"{', '.join(map(repr, options))}{nearest_match(str(value), options)}"
        )
    return str(value)
