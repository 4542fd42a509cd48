"""A finding of a lint, and the formats in which other tools read findings."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from xml.sax.saxutils import quoteattr

import resizelab
from resizelab.text import Told, json_text, shown

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


@dataclass(frozen=True)
class Finding:
    """One thing to act on: a code, words, and what it is about.

    ``where`` names a node or a call, ``back_end`` who reads the node otherwise,
    ``steps`` are the numbers of the calls, from 1.
    """

    code: str
    text: str
    where: str = ""
    back_end: str = ""
    steps: tuple[int, ...] = ()

    def said(self) -> str:
        """Return the finding as one line, without its place."""
        who = f"{self.back_end}: " if self.back_end else ""
        steps = f"step {', '.join(map(str, self.steps))}: " if self.steps else ""
        return f"[{self.code}] {steps}{who}{self.text}"


class Report(Protocol):
    """What a lint, a comparison or a mend returns: where it looked, what it found."""

    @property
    def source(self) -> str:
        """The file's name, or what the calls are called together."""

    @property
    def found(self) -> tuple[Finding, ...]:
        """All findings, in order."""

    def whole(self) -> dict[str, Any]:
        """Return the report as plain values."""


@dataclass(frozen=True)
class Unread(Told):
    """A file that could not be looked at, and why: one bad file stops no other."""

    source: str
    error: str

    @property
    def found(self) -> tuple[Finding, ...]:
        """One finding: that nothing was looked at."""
        return (Finding("unread", self.error),)

    def __str__(self) -> str:
        """Return the reason as text."""
        return shown(f"{self.source}: not looked at: {self.error}")


def as_json(reports: Sequence[Report]) -> str:
    """Return one JSON document: an object for one report, a list for several."""
    return json_text(reports[0] if len(reports) == 1 else reports)


def as_sarif(reports: Sequence[Report]) -> str:
    """Return the findings as SARIF 2.1, which code hosts show beside the files."""
    results = [
        {
            "ruleId": found.code,
            "level": "error" if found.code == "unread" else "warning",
            "message": {"text": shown(found.said())},
            "locations": [
                {
                    "physicalLocation": {"artifactLocation": {"uri": report.source}},
                    "logicalLocations": [{"name": shown(found.where)}],
                }
            ],
        }
        for report in reports
        for found in report.found
    ]
    rules = sorted({str(result["ruleId"]) for result in results})
    tool = {
        "name": "resizelab",
        "version": resizelab.__version__,
        "rules": [{"id": rule} for rule in rules],
    }
    runs = [{"tool": {"driver": tool}, "results": results}]
    return json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": runs})


def as_junit(reports: Sequence[Report]) -> str:
    """Return the findings as JUnit XML: one test case a report."""
    failed = sum(bool(report.found) for report in reports)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuite name="resizelab" tests="{len(reports)}" failures="{failed}">',
    ]
    for report in reports:
        name = quoteattr(shown(report.source))
        lines.append(f'  <testcase classname="resizelab" name={name}>')
        for found in report.found:
            kind, text = quoteattr(found.code), quoteattr(shown(_placed(found)))
            lines.append(f"    <failure type={kind} message={text}/>")
        lines.append("  </testcase>")
    return "\n".join([*lines, "</testsuite>"])


def _placed(found: Finding) -> str:
    return f"{found.where}: {found.said()}" if found.where else found.said()


def as_text(reports: Sequence[Report]) -> str:
    """Return the reports as text, one after the other."""
    return "\n\n".join(map(str, reports))


FORMATS = {"text": as_text, "json": as_json, "sarif": as_sarif, "junit": as_junit}
