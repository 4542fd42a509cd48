"""The command's edge: its exit codes, and the one place where anything is printed."""

import sys
from argparse import Namespace
from typing import Any, TextIO

from resizelab.text import json_text, printed

FOUND, WRONG, MISSING, FAULT, STOPPED = 1, 2, 3, 4, 130
EXIT_CODES = (
    "exit codes: 0 nothing to say against it; 1 findings, differences, or nothing "
    "named; 2 wrong use or a file that cannot be read; 3 a library that is missing; "
    "4 a fault of resizelab itself"
)


def say(text: str, stream: TextIO | None = None) -> None:
    """Print text; what does not print, and what the terminal lacks, as escapes."""
    stream = stream or sys.stdout
    encoding = stream.encoding or "utf-8"
    safe = printed(text.split("\n")).encode(encoding, "backslashreplace")
    print(safe.decode(encoding), file=stream)


def said(options: Namespace, report: Any, code: int = 0) -> int:
    """Print a report as text or as one JSON document, and return the exit code."""
    if options.json:
        say(report.to_json())
    else:
        say(str(report))
    return code


def answered(options: Namespace, whole: Any, text: str, code: int = 0) -> int:
    """Print plain values as JSON, or their text, and return the exit code."""
    say(json_text(whole) if options.json else text)
    return code


def pairs(flag: str, given: list[str]) -> dict[str, str]:
    """Return NAME=VALUE texts as a mapping."""
    found = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise ValueError(f"{flag} takes NAME=VALUE; got {text!r}")
        found[name] = value
    return found
