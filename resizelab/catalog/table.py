"""The recorded rows: one file a library, one table a convention.

A row of a call that stands in `resizelab.catalog.calls` holds the call, its arguments
and the evidence; its fields are what the call computes. A row that was recorded
elsewhere, or read in a text, holds its fields. A row is parsed when it is first asked
for, so that asking for one costs little.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from importlib import resources
from typing import Any

from resizelab.axis.convention import Convention
from resizelab.catalog.calls import described

EVIDENCE = (
    *("checked", "status", "tolerance", "missed", "off_by_one", "source", "notes"),
)
HEAD = "[[convention]]\n"
NAME = re.compile(r'^name = "([^"]+)"$', re.MULTILINE)
LIBRARY = re.compile(r'^library = "([^"]+)"$', re.MULTILINE)


class Table(Mapping[str, Convention]):
    """The recorded conventions by name, in table order."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = dict(texts)
        self._parsed: dict[str, Convention] = {}

    def __getitem__(self, name: str) -> Convention:
        """Return one row, its fields from its call where it has none."""
        if name not in self._parsed:
            entry = tomllib.loads(self._texts[name])["convention"][0]
            if "spec" in entry:
                self._parsed[name] = Convention.from_fields(entry)
            else:
                said = described(entry["call"], **entry["arguments"])
                self._parsed[name] = vouched(said, entry)
        return self._parsed[name]

    def __iter__(self) -> Iterator[str]:
        """Go through the names."""
        return iter(self._texts)

    def __len__(self) -> int:
        """Return how many rows there are."""
        return len(self._texts)

    def of(self, library: str) -> Iterator[Convention]:
        """Go through the rows of one library."""
        return (self[name] for name in self._by_library.get(library, ()))

    @property
    def libraries(self) -> tuple[str, ...]:
        """The libraries that have rows, in table order."""
        return tuple(self._by_library)

    @cached_property
    def _by_library(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name, text in self._texts.items():
            said = LIBRARY.search(text)
            found.setdefault(said[1] if said else "", []).append(name)
        return found


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


def vouched(said: Convention, entry: Mapping[str, Any]) -> Convention:
    """Return what a call says with the evidence of a row, and the notes of both."""
    evidence = {name: entry[name] for name in EVIDENCE if name in entry}
    notes = [said.notes, evidence.get("notes", "")]
    return said.replace(**evidence | {"notes": "; ".join(filter(None, notes))})
