"""From a real call and its arguments to a convention: one function a call.

Each function has the real call's signature, defaults included, and returns the fields.
It is the only rule of its kind: the table's rows are recorded points of it. A library
is one module here, and whatever stands in this folder is known.
"""

import importlib
import pkgutil
from collections.abc import Mapping
from typing import Any

from resizelab import checks
from resizelab.axis.convention import Convention
from resizelab.catalog.calls.call import KNOWN, Call

for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")

CALLS: Mapping[str, Call] = KNOWN
ALIASES = {name: call for call in CALLS.values() for name in call.also}
# The end of a name ("nn.Upsample", "zoom"), as far as one call alone has that end.
_ENDS = [
    name.split(".", k)[-1] for name in CALLS for k in range(1, name.count(".") + 1)
]
ALIASES |= {
    end: CALLS[name]
    for name in CALLS
    for end in _ENDS
    if name.endswith(f".{end}") and _ENDS.count(end) == 1 and end not in ALIASES
}


def known(written: str) -> Call | None:
    """Return the call that a name means, or None.

    A module may have been given any name: of "K.geometry.transform.resize" the rest
    decides, as long as a module is left in it.
    """
    rest = written.partition(".")[2]
    found = CALLS.get(written) or ALIASES.get(written)
    return found or (ALIASES.get(rest) if "." in rest else None)


def real(written: str) -> Call:
    """Return the call that a name means, as people import it; else LookupError.

    >>> real("F.interpolate").name
    'torch.nn.functional.interpolate'
    """
    found = known(written)
    if found is None:
        raise LookupError(
            f"call must be one of {', '.join(CALLS)}; got {written!r}"
            f"{checks.nearest_match(written, [*CALLS, *ALIASES])}"
        )
    return found


def described(call: str, /, *values: Any, **arguments: Any) -> Convention:
    """Return what `find` returns, without the table's evidence."""
    meant = real(call)
    return meant.convention(meant.bind(*values, **arguments))
