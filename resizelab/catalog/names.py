"""Read a convention's name back: the call and the arguments that have that name.

Names are made of arguments, so that each is found by trying the values that a call's
arguments may have. What a name does not hold (a scale, a region) is a row's example.
"""

import re
from collections.abc import Iterator
from typing import Any

from resizelab.axis.convention import Convention
from resizelab.catalog.calls import CALLS, kinds
from resizelab.catalog.calls.call import Call
from resizelab.catalog.table import rows

NUMBERS = {"cubic_coeff_a": r"\ba(-?\d+(?:\.\d+)?)", "opset": r"\bopset(\d+)"}
PART = re.compile(r"\.(?!\d)")  # a0.5 is one part
FLAGS: dict[kinds.Kind, tuple[Any, ...]] = {
    kinds.flag: (True, False),
    kinds.truth: (True, False),
    kinds.bit: (1,),
}
BEAM = 4  # sets of arguments that are followed at once
LONGEST = 10  # arguments that one name tells


def read(name: str) -> Convention | None:
    """Return what a name that is no row's says, or None if no call has it.

    >>> read("onnx.spec.nearest.asymmetric.floor.opset12").spec.grid
    'asymmetric'
    """
    front = name.partition(".")[0]
    known = [row for key, row in rows().items() if key.partition(".")[0] == front]
    for call in dict.fromkeys(row.call for row in known if row.call in CALLS):
        examples = [row for row in known if row.call == call]
        found = _climbed(CALLS[call], name, examples)
        if found is not None:
            return found
    return None


def _climbed(call: Call, name: str, examples: list[Convention]) -> Convention | None:
    """Return the convention of a name, with a region where the call needs one."""
    values = dict(_values(call, name, examples))
    shown = [k for k in values if call.kinds[k] in kinds.EXAMPLES and values[k]]
    for seed in [{}, *({k: values[k][0]} for k in shown)]:
        found = _tried(call, seed)
        if found is None or found.name != name:
            found = _from(seed, call, name, values)
        if found is not None:
            return found
    return None


def _from(
    seed: dict[str, Any], call: Call, name: str, values: dict[str, list[Any]]
) -> Convention | None:
    """Add arguments, those first that bring the name nearest, until it is the name."""
    beam = [(seed, "")]
    for _ in range(LONGEST):
        reached = []
        for arguments, before in beam:
            for key, listed in values.items():
                for value in [] if key in arguments else listed:
                    given = arguments | {key: value}
                    found = _tried(call, given)
                    if found is not None and found.name == name:
                        return found
                    if found is not None and found.name != before:
                        reached.append((given, found.name))
        reached.sort(key=lambda entry: -_score(entry[1], name))
        beam = reached[:BEAM]
    return None


def _tried(call: Call, arguments: dict[str, Any]) -> Convention | None:
    try:
        return call.convention(arguments)
    except (TypeError, ValueError):  # the library refuses the combination
        return None


def _score(found: str, wanted: str) -> int:
    """Count the parts of a name that are wanted, less those that are not."""
    parts, whole = PART.split(found), PART.split(wanted)
    return sum(1 if part in whole else -1 for part in parts)


def _values(
    call: Call, name: str, examples: list[Convention]
) -> Iterator[tuple[str, list[Any]]]:
    """Go through the arguments, each with the values that its name may tell."""
    for key, kind in call.kinds.items():
        told = re.search(NUMBERS[key], name) if key in NUMBERS else None
        if told:
            yield key, [float(told[1]) if key != "opset" else int(told[1])]
        elif isinstance(kind, kinds.OneOf):
            yield key, list(kind.names)
        else:
            rowed = [row.arguments[key] for row in examples if key in row.arguments]
            listed = [*FLAGS.get(kind, ()), *rowed]
            yield key, [v for k, v in enumerate(listed) if v not in listed[:k]]
