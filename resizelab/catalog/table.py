"""Read the recorded rows: one file a library, one flat table a convention.

A row holds what its call computes, on which versions that was checked, and how. The
files are data; `resizelab.catalog.calls` says how arguments become fields. A row is
parsed when it is first asked for, so that asking for one costs little.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Any

from resizelab import checks
from resizelab.axis.convention import Convention
from resizelab.catalog.calls import described

EVIDENCE = ("checked", "status", "tolerance", "missed", "off_by_one", "source")
HEAD = "[[convention]]\n"
NAME = re.compile(r'^name = "([^"]+)"$', re.MULTILINE)
LIBRARY = re.compile(r'^library = "([^"]+)"$', re.MULTILINE)


class Table(Mapping[str, Convention]):
    """The recorded conventions by name, in table order."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = dict(texts)
        self._parsed: dict[str, Convention] = {}

    def __getitem__(self, name: str) -> Convention:
        """Return one row, parsed."""
        if name not in self._parsed:
            entry = tomllib.loads(self._texts[name])["convention"][0]
            self._parsed[name] = Convention.from_fields(entry)
        return self._parsed[name]

    def __iter__(self) -> Iterator[str]:
        """Go through the names."""
        return iter(self._texts)

    def __len__(self) -> int:
        """Return how many rows there are."""
        return len(self._texts)

    def of(self, library: str) -> Iterator[Convention]:
        """Go through the rows of one library."""
        for name, text in self._texts.items():
            said = LIBRARY.search(text)
            if said and said[1] == library:
                yield self[name]


@cache
def rows() -> Table:
    """Return the table of all recorded conventions."""
    texts: dict[str, str] = {}
    folder = resources.files("resizelab.catalog") / "conventions"
    for file in sorted(folder.iterdir(), key=lambda f: f.name):
        if not file.name.endswith(".toml"):
            continue
        for body in file.read_text("utf-8").split(HEAD)[1:]:
            name = NAME.search(body)
            if name is None:
                raise ValueError(f"{file.name} has a row without a name: {body[:60]!r}")
            if name[1] in texts:
                raise ValueError(f"{file.name} repeats the name {name[1]!r}")
            texts[name[1]] = HEAD + body
    return Table(texts)


def conventions() -> tuple[str, ...]:
    """Return the names of the recorded conventions, in table order."""
    return tuple(rows())


def convention(name: str) -> Convention:
    """Return a recorded convention by its name, else raise LookupError.

    >>> convention("torch.bilinear").spec.grid
    'half_pixel'
    """
    known = rows()
    if not isinstance(name, str) or name not in known:
        raise LookupError(
            f"there is no convention {name!r}{checks.nearest_match(name, known)}; "
            "resizelab.conventions() lists all names"
        )
    return known[name]


def find(call: str, /, *values: Any, **arguments: Any) -> Convention:
    """Return the convention of a real call, the library's own defaults filled in.

    ``call`` is its real name, or one under which people import it (``F.interpolate``).
    Arguments are those of the real call, by position or by name, as the user writes
    them; the array may be left out, and flags may be given by name. Raises
    LookupError for an unknown call, TypeError for an argument that the call does not
    have, TypeError or ValueError for a value that is unknown or that the library
    itself refuses; each says what exists and what is nearest.

    >>> find("torch.nn.functional.interpolate", mode="bilinear").name
    'torch.bilinear'
    """
    return with_evidence(described(call, *values, **arguments))


def with_evidence(found: Convention) -> Convention:
    """Return ``found`` with the evidence of the row of its name, if there is one."""
    row = rows().get(found.name)
    if row is None:
        return found
    evidence = {name: getattr(row, name) for name in EVIDENCE}
    return found.replace(**evidence, notes=found.notes or row.notes)
