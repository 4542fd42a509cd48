"""Two builds: the student's without solutions, the teacher's with them and the keys.

Every build runs the solutions, and their asserts. The student's then leaves them out
of the pages, of the search index and of the sources that the site offers. The
teacher's is made with RESIZELAB_SOLUTIONS=1 (`make teacher`); it has ``keys.html`` and
in ``exams/`` sheets drawn from seeds, each with its key.
"""

import json
import os
import re
from pathlib import Path

from markdown_it import MarkdownIt
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx_exercise.nodes import solution_node

SEEDS = range(1, 9)  # a sheet for each
# A gated solution from its first fence to the end of its last, or one in one fence.
GATED = re.compile(
    r"^(?P<a>`{3,}|:{3,})\{solution-start\}.*?"
    r"^(?P<b>`{3,}|:{3,})\{solution-end\}[^\n]*\n(?P=b)[ \t]*\n*",
    re.MULTILINE | re.DOTALL,
)
SINGLE = re.compile(
    r"^(?P<a>`{3,}|:{3,})\{solution\}.*?^(?P=a)[ \t]*$\n*", re.MULTILINE | re.DOTALL
)
PAGE = """\
<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Keys: Resize Lab</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>:root {{ color-scheme: light dark }}
body {{ max-width: 46rem; margin: 2rem auto; padding: 0 1rem }}
body {{ font: 1rem/1.5 sans-serif }}
</style></head><body><main>{body}</main></body></html>
"""


def is_teachers(environment: dict[str, str] | None = None) -> bool:
    """Say whether RESIZELAB_SOLUTIONS asks for the teacher's build.

    Raises ValueError for anything but 1, 0 and nothing: a slip would publish keys.
    """
    asked = (os.environ if environment is None else environment).get(
        "RESIZELAB_SOLUTIONS", ""
    )
    if asked not in ("", "0", "1"):
        raise ValueError(f"RESIZELAB_SOLUTIONS={asked!r}: allowed are 1, 0 and nothing")
    return asked == "1"


def without_solutions(source: str) -> str:
    """Return a page's MyST source without its solutions."""
    return SINGLE.sub("", GATED.sub("", source))


def notebook_without_solutions(source: str) -> str:
    """Return a notebook's JSON without the cells that belong to a solution."""
    notebook = json.loads(source)
    cells = notebook["cells"]
    # A solution begins in one cell and ends in another: look at them as one text.
    marks = [f"\0{k}\0" for k in range(len(cells))]
    texts = [
        "".join(cell["source"]) if cell["cell_type"] == "markdown" else ""
        for cell in cells
    ]
    whole = "".join(f"{mark}\n{t}\n\n" for mark, t in zip(marks, texts, strict=True))
    kept = {}
    for k, text in re.findall(r"\0(\d+)\0\n([^\0]*)", without_solutions(whole)):
        kept[int(k)] = {**cells[int(k)]}
        if cells[int(k)]["cell_type"] == "markdown":
            kept[int(k)]["source"] = text.rstrip().splitlines(keepends=True)
    return json.dumps({**notebook, "cells": list(kept.values())}, indent=1)


LINK = '<p>The teacher\'s edition: <a href="{keys}">keys and exams</a>.</p>'


def _link_keys(app, pagename, templatename, context, doctree) -> None:
    """Lead from the first page to the keys, in the teacher's build."""
    if app.config.resizelab_solutions and pagename == app.config.root_doc:
        keys = "../" * pagename.count("/") + "keys.html"
        context["body"] = LINK.format(keys=keys) + context["body"]


class LeaveOutSolutions(SphinxPostTransform):
    """Take the solutions out of a page that has been executed."""

    default_priority = 1  # before anything looks for their titles

    def run(self) -> None:
        """Remove every solution of the page, in the student's build."""
        if not self.config.resizelab_solutions:
            for node in list(self.document.findall(solution_node)):
                node.parent.remove(node)


def _choose(app: Sphinx, config: Config) -> None:
    config.resizelab_solutions = is_teachers()


def _strip_sources(app: Sphinx, exception: Exception | None) -> None:
    """Take the solutions out of the sources that the pages' buttons lead to."""
    if exception is not None or app.config.resizelab_solutions:
        return
    kinds = {"*.md*": without_solutions, "*.ipynb": notebook_without_solutions}
    for pattern, without in kinds.items():
        for path in (Path(app.outdir) / "_sources").rglob(pattern):
            source = path.read_text(encoding="utf-8")
            path.write_text(without(source), encoding="utf-8")


def _write_keys(app: Sphinx, exception: Exception | None) -> None:
    """Write the keys and the exams, in the teacher's build."""
    if exception is not None or not app.config.resizelab_solutions:
        return
    # Imported here: the cache's key must not wait for the package.
    from resizelab.teaching import exercises

    outdir, names = Path(app.outdir), exercises.names()
    parts = ["# Keys of the pages' exercises"]
    for name in names:
        variant = exercises.variant(name)
        words = [f"## {name}", variant.markdown(keys=True), f"*Hint.* {variant.hint}"]
        parts.append("\n\n".join(words))
    sheets = outdir / "exams"
    sheets.mkdir(exist_ok=True)
    links = []
    for seed in SEEDS:
        exam = exercises.exam(seed, names)
        for kind, keys in (("sheet", False), ("key", True)):
            stem = f"exam-{seed}-{kind}"
            for suffix, text in (
                (".md", exam.markdown(keys)),
                (".json", exam.json(keys)),
            ):
                (sheets / (stem + suffix)).write_text(text, encoding="utf-8")
                links.append(f"- [{stem}{suffix}](exams/{stem}{suffix})")
    parts += ["## Exams drawn from seeds", "\n".join(links)]
    body = MarkdownIt().render("\n\n".join(parts))
    page = PAGE.format(body=body).replace("[ ]", "☐")
    (outdir / "keys.html").write_text(page, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the choice, the transform and what follows the build."""
    app.add_config_value("resizelab_solutions", False, "html")
    app.connect("config-inited", _choose)
    app.add_post_transform(LeaveOutSolutions)
    app.connect("html-page-context", _link_keys)
    app.connect("build-finished", _strip_sources, priority=900)
    # After the pages of chapters that are gone have been removed.
    app.connect("build-finished", _write_keys, priority=950)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
