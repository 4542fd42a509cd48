"""Read the recorded rows: one file a library, one flat table a convention.

A row holds what its call computes, on which versions that was checked, and how. The
files are data; `resizelab.catalog.calls` says how arguments become fields.
"""

import tomllib
from functools import cache
from importlib import resources

from resizelab import checks
from resizelab.records import Convention

EVIDENCE = ("checked", "status", "tolerance", "missed", "off_by_one", "source")


@cache
def rows() -> dict[str, Convention]:
    """Return every recorded convention by name, in table order."""
    found: dict[str, Convention] = {}
    folder = resources.files("resizelab.catalog") / "conventions"
    for file in sorted(folder.iterdir(), key=lambda f: f.name):
        if file.name.endswith(".toml"):
            for entry in tomllib.loads(file.read_text("utf-8"))["convention"]:
                row = Convention.from_fields(entry)
                found[row.name] = row
    return found


def conventions() -> tuple[str, ...]:
    """Return the names of the recorded conventions, in table order."""
    return tuple(rows())


def convention(name: str) -> Convention:
    """Return a recorded convention by its name, else raise LookupError.

    >>> convention("torch.bilinear").spec.grid
    'half_pixel'
    """
    known = rows()
    if name not in known:
        raise LookupError(
            f"there is no convention {name!r}{checks.nearest_match(name, known)}; "
            "resizelab.conventions() lists all names"
        )
    return known[name]


def with_evidence(found: Convention) -> Convention:
    """Return ``found`` with the evidence of the row of its name, if there is one."""
    row = rows().get(found.name)
    if row is None:
        return found
    evidence = {name: getattr(row, name) for name in EVIDENCE}
    return found.replace(**evidence, notes=found.notes or row.notes)
