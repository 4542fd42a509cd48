"""What `make test-live REPORT=…` found, as the text of one issue; nothing if all held.

``python tests/recording/changed.py live.xml fuzz.txt``: each test that failed with what
it compared, each name that `make fuzz` found to differ, and the versions looked at.
"""

import sys
import xml.etree.ElementTree as ET
from pathlib import Path

from resizelab import engines

MOST = 60_000  # letters that an issue takes
WORDS = 300  # letters of one failure


def failures(path: str) -> list[tuple[str, str]]:
    """Return (test, what differed) of each test that failed or broke."""
    found = []
    for case in ET.parse(path).getroot().iter("testcase"):
        for fault in (*case.findall("failure"), *case.findall("error")):
            words = " ".join((fault.get("message") or "").split())[:WORDS]
            found.append((f"{case.get('classname')}::{case.get('name')}", words))
    return found


def differing(path: str) -> list[tuple[str, str]]:
    """Return (name, its first case) of each name that `make fuzz` calls BAD."""
    parts = ("\n" + Path(path).read_text("utf-8")).split("\nBAD ")[1:]
    seed = f"make fuzz {Path(path).read_text('utf-8').split(chr(10))[0]}"
    return [
        (f"{seed}: {p.split()[0]}", " ".join("".join(p.splitlines()[2:3]).split()))
        for p in parts
    ]


def report(path: str, fuzzed: str | None = None) -> str:
    """Return the issue's text, "" where every number is as it was."""
    found = failures(path) + (differing(fuzzed) if fuzzed else [])
    if not found:
        return ""
    versions = {name: engines.version(name) for name in engines.available()}
    seen = ", ".join(f"{name} {v}" for name, v in versions.items() if v)
    lines = [f"{len(found)} live comparisons no longer hold.", "", f"Versions: {seen}."]
    lines += ["", *(f"- `{test}`: {words}" for test, words in found)]
    return "\n".join(lines)[:MOST]


if __name__ == "__main__":
    print(report(*sys.argv[1:3]))
