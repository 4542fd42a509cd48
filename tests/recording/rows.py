"""Write the table's rows from their calls: `tests/recording/rows.py [library …]`.

A new row needs its `call` and `arguments` (and `status`, `source`, `tolerance`, `notes`
where they are not the usual ones); this fills in name, library and fields as
`resizelab.catalog.calls` has them, and the version that is installed. Rows marked
recorded or paper keep what they have.
"""

import json
import sys
import tomllib
from pathlib import Path

from resizelab import engines
from resizelab.axis.convention import stated
from resizelab.catalog.calls import described

FOLDER = Path(__file__).parents[2] / "resizelab" / "catalog" / "conventions"
OWN = ("tolerance", "missed", "off_by_one", "source", "notes")


def text(value):
    """Return a value as TOML writes it."""
    if isinstance(value, dict):
        entries = ", ".join(f"{k} = {text(v)}" for k, v in value.items())
        return f"{{ {entries} }}" if entries else "{}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(text(v) for v in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def row_text(entry):
    """Return one row of the file, fields flat and in a fixed order."""
    lines = ["[[convention]]"]
    for key in (
        "name",
        "library",
        "call",
        "arguments",
        "status",
        "checked",
        *OWN,
        "scale",
        "roi",
    ):
        if entry.get(key) is not None:
            lines.append(f"{key} = {text(entry[key])}")
    for group in ("spec", "particulars"):
        lines += [f"{group}.{k} = {text(v)}" for k, v in entry.get(group, {}).items()]
    for dtype, fields in entry.get("arithmetic", {}).items():
        key = text(dtype) if "." in dtype else dtype
        lines.append(f"arithmetic.{key} = {text(fields)}")
    return "\n".join(lines) + "\n"


def filled(entry):
    """Return the row with name, library and fields from its call."""
    # TOML has no null: "None" stands for an argument given as None.
    arguments = {
        k: None if v == "None" else v for k, v in entry.get("arguments", {}).items()
    }
    if entry.get("status", "live") != "live":
        return entry
    found = described(entry["call"], **arguments)
    version = (engines.version(found.library) or "").split("+")[0]
    return {
        **{key: entry.get(key) for key in OWN},
        "name": found.name,
        "library": found.library,
        "call": found.call,
        "arguments": entry.get("arguments", {}),
        "status": "live",
        "checked": f"{found.library} {version}" if version else entry.get("checked"),
        "scale": found.scale,
        "roi": found.roi,
        "spec": stated(found.spec),
        "particulars": stated(found.particulars),
        "arithmetic": {k: stated(v) for k, v in found.arithmetic.items()},
    }


def main():
    """Rewrite the files of the libraries named, or of all."""
    for path in sorted(FOLDER.glob("*.toml")):
        if sys.argv[1:] and path.stem not in sys.argv[1:]:
            continue
        entries = tomllib.loads(path.read_text("utf-8"))["convention"]
        written = [filled(entry) for entry in entries]
        names = [entry["name"] for entry in written]
        assert len(set(names)) == len(names), f"two rows of one name in {path.name}"
        path.write_text("\n".join(row_text(e) for e in written), "utf-8")


if __name__ == "__main__":
    main()
