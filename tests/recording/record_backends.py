"""Run the engines of the page "backends" and record what each of them gives.

``tests/recording/record_backends.py`` writes ``teaching/records/backends.json``. The
page's own cells are run, up to its last engine, so that what is recorded is what it
shows.
"""

import json
import os
import warnings
from contextlib import chdir
from pathlib import Path
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")

import jupytext

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "book" / "backends.md"
RECORD = ROOT / "resizelab/teaching/records/backends.json"
LOW = "bfloat16"


def page() -> dict[str, Any]:
    """Return the names that the page's cells leave, up to the last engine."""
    cells = [c.source for c in jupytext.read(PAGE).cells if c.cell_type == "code"]
    last = max(k for k, source in enumerate(cells) if "\ntry_engine(" in source)
    names: dict[str, Any] = {"__name__": "page"}
    with chdir(PAGE.parent), warnings.catch_warnings():
        for source in cells[: last + 1]:
            exec(compile(source, PAGE.name, "exec"), names)
    return names


def measure() -> dict[str, Any]:
    """Return what every engine gives, and OpenVINO in its own precision."""
    names = page()
    found = dict(names["measured"])
    low = names["with_openvino"](names["good"], INFERENCE_PRECISION_HINT="bf16")
    version = found["OpenVINO"]["version"]
    return {**found, LOW: {"version": version, "good": names["judged"](low)}}


def main() -> None:
    """Record."""
    if not RECORD.exists():
        RECORD.write_text("{}\n", encoding="utf-8")
    text = json.dumps(measure(), indent=1)
    RECORD.write_text(text + "\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
