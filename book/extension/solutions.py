"""Three builds: solutions that open after an answer, none, or the teacher's with all.

Every build runs the solutions, and their asserts. The one that is published seals each
into its page, where the answer box opens it once an answer was committed: it stands in
no search index and in no source that the site offers. RESIZELAB_SOLUTIONS=0 leaves
them out; RESIZELAB_SOLUTIONS=1 (`make teacher`) shows them and adds ``keys.html`` and,
if RESIZELAB_EXAM_SALT holds a salt, in ``exams/`` sheets drawn from seeds with keys.
"""

import base64
import json
import os
import re
from pathlib import Path

from docutils import nodes
from markdown_it import MarkdownIt
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.config import Config
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx_design.icons import get_octicon
from sphinx_exercise.nodes import solution_node

EDITIONS = {"": "sealed", "0": "none", "1": "teacher"}
FORMULAS = nodes.math | nodes.math_block
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
# Folded as a hint is.
FOLD = """\
<details class="sd-sphinx-override sd-dropdown sd-card sd-mb-3">
<summary class="sd-summary-title sd-card-header">
<span class="sd-summary-text">{title}</span>
<span class="sd-summary-state-marker sd-summary-chevron-right">{mark}</span></summary>
<div class="sd-summary-content sd-card-body">{body}</div></details>"""
PAGE = """\
<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Keys: Resize Lab</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>:root {{ color-scheme: light dark }}
body {{ max-width: 46rem; margin: 2rem auto; padding: 0 1rem }}
body {{ font: 1rem/1.5 sans-serif }}
</style></head><body><main>{body}</main></body></html>
"""


def edition(environment: dict[str, str] | None = None) -> str:
    """Return what RESIZELAB_SOLUTIONS asks for: "sealed", "none" or "teacher".

    Raises ValueError for anything but 1, 0 and nothing: a slip would publish keys.
    """
    asked = (os.environ if environment is None else environment).get(
        "RESIZELAB_SOLUTIONS", ""
    )
    if asked not in EDITIONS:
        raise ValueError(f"RESIZELAB_SOLUTIONS={asked!r}: allowed are 1, 0 and nothing")
    return EDITIONS[asked]


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
    teachers = app.config.resizelab_solutions == "teacher"
    if teachers and pagename == app.config.root_doc:
        keys = "../" * pagename.count("/") + "keys.html"
        context["body"] = LINK.format(keys=keys) + context["body"]


class LeaveOutSolutions(SphinxPostTransform):
    """Take the solutions out of a page that has been executed."""

    default_priority = 1  # before anything looks for their titles

    def run(self) -> None:
        """Remove every solution of the page, where none is wanted."""
        if self.config.resizelab_solutions == "none":
            for node in list(self.document.findall(solution_node)):
                node.parent.remove(node)


class SealSolutions(SphinxPostTransform):
    """Put a sealed solution where an open one stood."""

    default_priority = 990  # when its references and outputs are settled

    def run(self) -> None:
        """Seal every solution of the page, in the build that is published."""
        if (
            self.config.resizelab_solutions != "sealed"
            or self.app.builder.format != "html"
        ):
            return
        for node in list(self.document.findall(solution_node)):
            math = any(node.findall(lambda n: isinstance(n, FORMULAS)))
            html = sealed(node, self.app.builder)
            # Replacing oneself would keep the classes, and so an empty box.
            node.parent.replace(node, nodes.raw("", html, format="html", math=math))


def sealed(node: solution_node, builder: StandaloneHTMLBuilder) -> str:
    """Return the empty place of a solution, which holds it sealed."""
    # Imported here: the cache's key must not wait for the package.
    from resizelab.teaching.explorers.prediction import seal
    from resizelab.teaching.messages import say

    name, body = node["target_label"], nodes.container()
    body += [child.deepcopy() for child in node.children[1:]]  # the first is the title
    builder.post_process_images(body)
    html = builder.render_partial(body)["fragment"]
    mark = get_octicon("chevron-right", height="1.5em")
    whole = FOLD.format(title=say("Worked solution"), mark=mark, body=html)
    data = base64.b64encode(seal({"html": whole})).decode()
    return f'<div hidden data-worked="{name}" data-sealed="{data}"></div>'


def _style_page(app, pagename, templatename, context, doctree) -> None:
    """Link KaTeX's style sheet, if a formula stands only in a sealed solution."""
    if doctree is not None and any(doctree.findall(_has_math)):
        app.add_css_file("katex/katex.min.css")


def _has_math(node: nodes.Node) -> bool:
    return isinstance(node, nodes.raw) and node.get("math", False)


def _choose(app: Sphinx, config: Config) -> None:
    config.resizelab_solutions = edition()


def _strip_sources(app: Sphinx, exception: Exception | None) -> None:
    """Take the solutions out of the sources that the pages' buttons lead to."""
    if exception is not None or app.config.resizelab_solutions == "teacher":
        return
    kinds = {"*.md*": without_solutions, "*.ipynb": notebook_without_solutions}
    for pattern, without in kinds.items():
        for path in (Path(app.outdir) / "_sources").rglob(pattern):
            source = path.read_text(encoding="utf-8")
            path.write_text(without(source), encoding="utf-8")


def _write_keys(app: Sphinx, exception: Exception | None) -> None:
    """Write the keys and the exams, in the teacher's build."""
    if exception is not None or app.config.resizelab_solutions != "teacher":
        return
    # Imported here: the cache's key must not wait for the package.
    from resizelab.teaching import exercises

    outdir, names = Path(app.outdir), exercises.names()
    parts = ["# Keys of the pages' exercises"]
    for name in names:
        variant = exercises.variant(name)
        words = [f"## {name}", variant.markdown(keys=True), f"*Hint.* {variant.hint}"]
        parts.append("\n\n".join(words))
    links = _write_exams(outdir / "exams")
    parts += ["## Exams drawn from seeds", "\n".join(links)]
    body = MarkdownIt().render("\n\n".join(parts))
    page = PAGE.format(body=body).replace("[ ]", "☐")
    (outdir / "keys.html").write_text(page, encoding="utf-8")


def _write_exams(sheets: Path) -> list[str]:
    """Write sheets and keys, if there is a salt; return what keys.html says of them."""
    from resizelab.teaching import exercises
    from resizelab.teaching.exercises import salt

    if (secret := salt.found()) is None:
        return [
            f"None: without a salt in `{salt.VARIABLE}` anyone could print the keys."
        ]
    sheets.mkdir(exist_ok=True)
    links = []
    for seed in SEEDS:
        exam = exercises.exam(seed, exercises.names(), secret)
        for kind, keys in (("sheet", False), ("key", True)):
            stem = f"exam-{seed}-{kind}"
            for suffix, text in (
                (".md", exam.markdown(keys)),
                (".json", exam.json(keys)),
            ):
                (sheets / (stem + suffix)).write_text(text, encoding="utf-8")
                links.append(f"- [{stem}{suffix}](exams/{stem}{suffix})")
    return links


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the choice, the transform and what follows the build."""
    app.add_config_value("resizelab_solutions", "sealed", "html")
    app.connect("config-inited", _choose)
    app.connect("html-page-context", _style_page)
    app.add_post_transform(LeaveOutSolutions)
    app.add_post_transform(SealSolutions)
    app.connect("html-page-context", _link_keys)
    app.connect("build-finished", _strip_sources, priority=900)
    # After the pages of chapters that are gone have been removed.
    app.connect("build-finished", _write_keys, priority=950)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
