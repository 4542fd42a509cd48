"""A book of a few pages, built in a temporary folder, to try explorers in.

It stands apart from the real chapters, so that a test can hold every explorer in
every state without a chapter being written for it.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from browser import PATIENCE, ROOT
from rjsmin import jsmin

CONFIG = """\
title: Tiny
author: Resize Lab contributors
only_build_toc_files: true
execute:
  {execute_notebooks: force, raise_on_error: true, stderr_output: error, timeout: -1}
repository: {url: ""}
sphinx:
  config:
    extensions: [sphinx_togglebutton, myst_nb, jupyter_book, sphinx_comments,
                 sphinx_external_toc, sphinx_design, sphinx_book_theme]
    html_static_path: [host]
    nb_ipywidgets_js: {host.js: {async: async}}
    nb_mime_priority_overrides: [[html, text/html, 5]]
    nitpick_ignore_regex: [[myst, '[a-z][a-z0-9_-]*:.*']]
    html_context: {default_mode: auto}
"""
STATES = re.compile(
    r'(<script type="application/vnd\.jupyter\.widget-state\+json">)(.*?)(</script>)',
    re.DOTALL,
)
FRONT = """\
---
file_format: mystnb
kernelspec: {name: python3, display_name: Python 3}
---
"""


def run(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run jupyter-book on a folder, as `make book` does; return what came of it."""
    jupyter_book = str(Path(sys.executable).with_name("jupyter-book"))
    quiet = {"PYTHONPATH": str(ROOT), "PYDEVD_DISABLE_FILE_VALIDATION": "1"}
    return subprocess.run(
        [jupyter_book, "build", str(folder), "-W", "-n", "--keep-going"],
        env={**os.environ, **quiet, **environment},
        capture_output=True,
        text=True,
        timeout=10 * PATIENCE,
    )


def build(folder: Path, pages: dict[str, str]) -> Path:
    """Build ``pages`` (name → MyST text; the first is the root) and return the HTML."""
    (folder / "host").mkdir()
    host = ROOT / "resizelab/teaching/explorers/host.js"
    (folder / "host/host.js").write_text(jsmin(host.read_text()))
    (folder / "_config.yml").write_text(CONFIG)
    names = list(pages)
    toc = [f"format: jb-book\nroot: {names[0]}\nchapters:\n"]
    toc += [f"  - file: {name}\n" for name in names[1:]]
    (folder / "_toc.yml").write_text("".join(toc))
    for name, text in pages.items():
        (folder / f"{name}.md").write_text(FRONT + text)
    done = run(folder)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    html = folder / "_build" / "html"
    for name in names:
        _save_states(html / f"{name}.html")
    return html


def _save_states(page: Path) -> None:
    """Sort the keys of the explorers' states, as a notebook does that is saved.

    The book's chapters come from the execution cache, which saves them; these pages
    do not.
    """
    text = page.read_text(encoding="utf-8")
    saved = STATES.sub(
        lambda m: m[1] + json.dumps(json.loads(m[2]), sort_keys=True) + m[3], text
    )
    page.write_text(saved, encoding="utf-8")


def code(text: str) -> str:
    """Return a code cell."""
    return f"\n```{{code-cell}} ipython3\n{text}\n```\n"
