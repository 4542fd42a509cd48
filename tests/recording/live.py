"""Compare the table's rows with the engines, a line a row.

`tests/recording/live.py [name or library …]`; the exit status counts rows that miss.
`--few` takes 40 pairs (for engines that compile anew for each size), `--extra` the
libraries of one of our extras, and `--write` keeps what was found for the book, in
`teaching/records/conformance.json`, and the version in the rows that hold.
"""

import argparse
import json
import re
import sys
from datetime import date
from pathlib import Path

from integer_pictures import compare_integers, integer_dtypes

from resizelab import engines
from resizelab.catalog import convention, conventions
from resizelab.engines.conformance import FEW, PAIRS, compare

ROWS = Path(__file__).parents[2] / "resizelab" / "catalog" / "conventions"
RECORDED = Path(__file__).parents[2] / "resizelab/teaching/records/conformance.json"


def write_version(row, version):
    """Write the version that a row was measured on into its file."""
    head = re.escape(f'name = "{row.name}"\n')
    for path in ROWS.glob("*.toml"):
        text = path.read_text("utf-8")
        line = f'checked = "{row.library} {version}"'
        new = re.sub(rf"({head}(?:.+\n)*?)checked = .*", rf"\g<1>{line}", text)
        if new != text:
            path.write_text(new, "utf-8")


def wanted(row, names):
    """Say whether a row is asked for, by its name, its beginning or its library."""
    return not names or any(
        row.name == n or row.name.startswith(f"{n}.") or row.library == n for n in names
    )


def entry(row, found, integers):
    """Return what the book shows of one row."""
    return {
        "version": (engines.version(row.library) or "").split("+")[0],
        "date": str(date.today()),
        "pairs": found.tried,
        "worst": float(f"{found.worst:.1e}"),
        "missed": len(found.missed),
        "refused": len(found.refused),
        "integers": {
            i.name.split()[-1]: [i.values, i.wrong, float(i.worst), i.largest]
            for i in integers
        },
    }


def main():
    """Print one line a row, and one a dtype."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", nargs="*")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--few", action="store_true")
    parser.add_argument("--extra")
    options = parser.parse_args()
    known = engines.LIBRARIES.items()
    options.rows += [name for name, own in known if own.extra == options.extra]
    known = json.loads(RECORDED.read_text("utf-8")) if RECORDED.exists() else {}
    bad = 0
    for row in map(convention, conventions()):
        if not wanted(row, options.rows) or row.status != "live":
            continue
        if not engines.version(row.library):
            print(f"    {row.name}: {row.library} is not installed")
            continue
        found = compare(row, FEW if options.few else PAIRS)
        integers = [compare_integers(row, dtype) for dtype in integer_dtypes(row)]
        for line in (found, *integers):
            print(line.line(), flush=True)
            bad += not line.good
        known[row.name] = entry(row, found, integers)
        if options.write and all(line.good for line in (found, *integers)):
            write_version(row, known[row.name]["version"])
    if options.write:
        names = set(conventions())
        kept = {name: known[name] for name in sorted(known) if name in names}
        lines = [f"{json.dumps(k)}: {json.dumps(v)}" for k, v in kept.items()]
        RECORDED.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    sys.exit(min(bad, 99))


if __name__ == "__main__":
    main()
