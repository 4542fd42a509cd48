"""Find what a real call computes, and say how that is known.

Of a call that was measured, the row's evidence is given. Another combination of the
same arguments is derived: the rule is the same, the numbers were never compared.
"""

from collections.abc import Iterator
from typing import Any

from resizelab import checks
from resizelab.axis import Convention, Spec
from resizelab.catalog import names
from resizelab.catalog.calls import CALLS, described, kinds
from resizelab.catalog.table import rows

Wanted = Spec | Convention | str
FIELDS = ("spec", "particulars", "arithmetic")
# Any value of these is a measured one: a row holds an example.
ANY_VALUE = ("scale", "roi")


def find(call: str, /, *values: Any, **arguments: Any) -> Convention:
    """Return the convention of a real call, the library's own defaults filled in.

    ``call`` is its real name, or one under which people import it (``F.interpolate``).
    Arguments are those of the real call, by position or by name, as the user writes
    them; the array may be left out, and flags may be given by name. The status is
    ``derived`` where these arguments were never measured together, and the notes say
    from which rows. Raises LookupError for an unknown call, TypeError for an argument
    that the call does not have, TypeError or ValueError for a value that is unknown
    or that the library itself refuses; each says what exists and what is nearest.

    >>> find("torch.nn.functional.interpolate", mode="bilinear").name
    'torch.bilinear'
    >>> find("onnx.Resize", mode="cubic", cubic_coeff_a=-0.6).status
    'derived'
    """
    found = described(checks.a("call", call, str), *values, **arguments)
    row = rows().get(found.name)
    if row is not None and _measured(found, row):
        own = [] if found.notes in row.notes else [found.notes]
        notes = "; ".join(filter(None, [row.notes, *own]))
        return row.replace(
            arguments=found.arguments, scale=found.scale, roi=found.roi, notes=notes
        )
    if found.status != "live":  # a text speaks of every combination
        return found
    told = [*filter(None, [found.notes]), _from(found)]
    return found.replace(status="derived", notes="; ".join(told))


def convention(name: str) -> Convention:
    """Return a convention by its name, else raise LookupError.

    A name that `find` gives to what is no row is known too; what such a name does not
    hold, a scale or a region, is the example that a row holds.

    >>> convention("torch.bilinear").spec.grid
    'half_pixel'
    >>> convention("onnxruntime.cubic.a-0.6").status
    'derived'
    """
    known = rows()
    if isinstance(name, str) and name in known:
        return known[name]
    said = names.read(name) if isinstance(name, str) and "." in name else None
    if said is None:
        raise LookupError(
            f"there is no convention {name!r}{checks.nearest_match(name, known)}; "
            "resizelab.conventions() lists all names"
        )
    return find(said.call, **said.arguments)


def settled(wanted: Wanted, parameter: str = "convention") -> Convention:
    """Return the convention of a name, a Spec or a convention.

    >>> settled("torch.bilinear").spec == settled(Spec()).spec
    True
    """
    if isinstance(wanted, Spec):
        return Convention(name="this spec", spec=wanted)
    if isinstance(wanted, str):
        return convention(wanted)
    return checks.a(parameter, wanted, Convention)  # type: ignore[no-any-return]


def _measured(found: Convention, row: Convention) -> bool:
    """Say whether a row is what was found, but for the value of a scale or region."""
    same = all(getattr(found, name) == getattr(row, name) for name in FIELDS)
    return same and all(
        (getattr(found, name) is None) == (getattr(row, name) is None)
        for name in ANY_VALUE
    )


def _from(found: Convention) -> str:
    """Return which rows hold the arguments, and which arguments none holds."""
    left = dict(_told(found))
    told = []
    known = [row for row in rows().of(found.library) if row.call == found.call]
    while left and known:
        held = [{k for k, v in left.items() if _holds(row, k, v)} for row in known]
        best = max(range(len(known)), key=lambda k: (len(held[k]), -len(known[k].name)))
        if not held[best]:
            break
        told.append(f"{known[best].name} ({', '.join(sorted(held[best]))})")
        left = {k: v for k, v in left.items() if k not in held[best]}
    text = "not measured together: derived from " + ", ".join(told)
    if not told:
        text = "not measured: derived from the call's other rows"
    alone = ", ".join(f"{k}={v!r}" for k, v in left.items())
    return text + (f"; no row has {alone}" if alone else "")


def _told(found: Convention) -> Iterator[tuple[str, Any]]:
    """Go through the arguments that are not at their default."""
    parameters = CALLS[found.call].signature.parameters
    for name, value in found.arguments.items():
        if value != parameters[name].default:
            yield name, value


def _holds(row: Convention, name: str, value: Any) -> bool:
    if name not in row.arguments:
        return False
    example = CALLS[row.call].kinds[name] in kinds.EXAMPLES
    return example or bool(row.arguments[name] == value)
