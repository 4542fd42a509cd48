"""A book of a few pages, built in a temporary folder, to try explorers in.

It stands apart from the real chapters, so that a test can hold every explorer in
every state without a chapter being written for it.
"""

import os
import subprocess
import sys
from pathlib import Path

from browser import PATIENCE, ROOT

from resizelab.teaching.explorers import host

# Its cells run as those of the real book do: two pages at once, and none for ever.
CONFIG = f"""\
title: Tiny
author: Resize Lab contributors
only_build_toc_files: true
execute:
  execute_notebooks: cache
  raise_on_error: true
  stderr_output: error
  timeout: {PATIENCE}
repository: {{url: ""}}
sphinx:
  local_extensions: {{early_cells: {ROOT / "book/extension"}}}
  config:
    extensions: [sphinx_togglebutton, myst_nb, jupyter_book, sphinx_comments,
                 sphinx_external_toc, sphinx_design, sphinx_book_theme,
                 early_cells]
    html_static_path: [host]
    nb_ipywidgets_js: {{host.js: {{async: async}}}}
    nb_mime_priority_overrides: [[html, text/html, 5]]
    nitpick_ignore_regex: [[myst, '[a-z][a-z0-9_-]*:.*']]
    html_context: {{default_mode: auto}}
"""
FRONT = """\
---
file_format: mystnb
kernelspec: {name: python3, display_name: Python 3}
---
"""


# What a book with the settings of the real one needs beside its pages.
SHARED = ("resizelab", "_config.yml", "pyproject.toml", "hatch_build.py")
SHARED += ("README.md", "LICENSE", "LICENSE-TEXT", "_build/.katex")
SHARED += ("requirements.lock",)
SHARED += ("book/assets", "book/extension", "book/references.bib")


def with_own_settings(folder: Path, pages: dict[str, str]) -> Path:
    """Lay out a book of ``pages`` that is built as the real one is; return it."""
    (folder / "book").mkdir(parents=True)
    (folder / "_build").mkdir()
    for name in SHARED:
        if (ROOT / name).exists():
            (folder / name).symlink_to(ROOT / name)
    first, *others = (f"book/{name}" for name in pages)
    chapters = "".join(f"\n  - file: {name}" for name in others)
    toc = f"format: jb-book\nroot: {first}\nchapters:{chapters}\n"
    (folder / "_toc.yml").write_text(toc)
    for name, text in pages.items():
        (folder / "book" / f"{name}.md").write_text(FRONT + text)
    return folder


def run(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run jupyter-book on a folder, as `make book` does; return what came of it."""
    process = start(folder, **environment)
    told = process.communicate(timeout=10 * PATIENCE)
    return subprocess.CompletedProcess(process.args, process.returncode, *told)


def start(folder: Path, **environment: str) -> subprocess.Popen[str]:
    """Start what ``run`` runs, as the leader of its own group of processes."""
    jupyter_book = str(Path(sys.executable).with_name("jupyter-book"))
    quiet = {"PYTHONPATH": str(ROOT), "PYDEVD_DISABLE_FILE_VALIDATION": "1"}
    return subprocess.Popen(
        [jupyter_book, "build", str(folder), "-W", "-n", "--keep-going"],
        env={**os.environ, **quiet, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def build(folder: Path, pages: dict[str, str]) -> Path:
    """Build ``pages`` (name → MyST text; the first is the root) and return the HTML."""
    (folder / "host").mkdir()
    (folder / "host/host.js").write_text(host.script())
    (folder / "_config.yml").write_text(CONFIG)
    names = list(pages)
    toc = [f"format: jb-book\nroot: {names[0]}\nchapters:\n"]
    toc += [f"  - file: {name}\n" for name in names[1:]]
    (folder / "_toc.yml").write_text("".join(toc))
    for name, text in pages.items():
        front = FRONT if "{code-cell}" in text else ""  # without cells, no kernel
        (folder / f"{name}.md").write_text(front + text)
    done = run(folder)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    # The theme's icons, 1.5 MB that each visit would read, are no part of an explorer.
    (folder / "_build/html/_static/scripts/fontawesome.js").write_text("")
    return folder / "_build" / "html"


BELOW = "\n\n" + "Words below.\n\n" * 40  # a page that scrolls


def code(text: str) -> str:
    """Return a code cell."""
    return f"\n```{{code-cell}} ipython3\n{text}\n```\n"
