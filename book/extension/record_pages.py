"""Record what the pages' lines give, for readers without the engines.

``book/extension/record_pages.py [grids …]`` runs each page twice: here, with all
engines, and in the light environment of ``light.py``. What fails there
for want of an engine goes into ``teaching/records/pages/<page>.json``. It prints each
such line's error, or what it says instead.
"""

import importlib.metadata
import json
import os
import re
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import light
from notebooks import ROOT, chapters, notebook
from packaging.utils import canonicalize_name
from resizelab_site import QUIET

PAGE_LINES = Path(__file__).with_name("page_lines.py")
FOLDER = ROOT / "resizelab/teaching/records/pages"


def run(way, python, folder, place):
    """Run the pages that lie in a folder, by one of the two ways of page_lines."""
    (folder / place).mkdir(exist_ok=True)
    command = [python, "-W", "ignore", PAGE_LINES, way, folder, folder / place]
    away = {} if way == "Probe" else {"PYTHONPATH": str(ROOT)}
    ours = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    inline = {"MPLBACKEND": "module://matplotlib_inline.backend_inline"}
    with (folder / f"{way}.log").open("w") as log:
        subprocess.run(
            command, env=ours | QUIET | inline | away, stdout=log, check=True
        )


OWNERS = importlib.metadata.packages_distributions()


@cache
def distribution(module):
    """Return the package that brings a module, and its version."""
    name = canonicalize_name(OWNERS.get(module.split(".")[0], [module])[0])
    return name, importlib.metadata.version(name).split("+")[0]


def shortened(told):
    """Return a line's record without what says nothing."""
    shown = [data for each in told.get("shown", ()) if (data := _plain(each))]
    value = _plain(told["value"]) if "value" in told else None
    kept = {**told, "shown": shown, "value": value}
    return {key: value for key, value in kept.items() if value}


def _plain(data):
    """Return what is shown, without what only a widget's or a site's script reads."""
    return {k: v for k, v in data.items() if not re.search("widget|papermill", k)}


def kept(probed):
    """Return what is kept of a page; print why, and what differs."""
    found = json.loads(probed.read_text())
    lines, versions = {}, {}
    engines = sorted({t["needs"][0] for t in found["lines"].values()} - {""})
    for key, told in found["lines"].items():
        engine, kind, words = told.pop("needs")
        needs = [distribution(name) for name in ([engine] if engine else engines)]
        versions |= dict(needs)
        lines[key] = {"needs": [name for name, _ in needs], **shortened(told)}
        print(f"  {key} {kind}: {words}")
    return {"versions": dict(sorted(versions.items())), "lines": lines}


def write(path, told):
    """Write a page's record, one line of it on one line."""
    lines = ",\n".join(
        f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}"
        for key, value in told["lines"].items()
    )
    text = f'{{"versions": {json.dumps(told["versions"])}, "lines": {{\n{lines}\n}}}}\n'
    path.write_text(text, encoding="utf-8")
    print(f"  {len(told['lines'])} lines, {len(text) / 1000:.1f} kB")


def lay_out(folder, names):
    """Write the cells of these pages, or of all, into a folder; return their names."""
    known = {Path(page).name: page for page in chapters()}
    for name in names or known:
        page = notebook(ROOT / f"{known[name]}.md")
        _, *code = (c.source for c in page.cells if c.cell_type == "code")
        (folder / f"{name}.cells").write_text(json.dumps(code))
    return names or list(known)


def main(names):
    """Record the pages of these names, or all."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        python = light.make(folder)
        names = lay_out(folder, names)
        run("Recorder", sys.executable, folder, ROOT / "book")
        run("Probe", python, folder, "away")
        for name in names:
            print(name, flush=True)
            write(FOLDER / f"{name}.json", kept(folder / f"{name}.probed"))


if __name__ == "__main__":
    main(sys.argv[1:])
