"""Pages as notebooks: ``python book/extension/notebooks.py FOLDER`` writes them all.

A notebook has no outputs and no solutions. Its first cell installs the package from the
site, if the site's address is known, and plays what was recorded where an engine is
missing. What MyST alone understands becomes plain Markdown.
"""

import re
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace

import jupytext
import nbformat
import yaml
from sphinx.directives.code import LiteralIncludeReader

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from solutions import notebook_without_solutions

from hatch_build import public_url

ROOT = Path(__file__).resolve().parents[2]
FOLDED = re.compile(r"(hide|remove)-(input|cell)")
ROLE = re.compile(r"\{[\w:-]+\}`\s*([^`<]*?)\s*(?:<[^>`]*>)?`")
EXERCISE = re.compile(
    r"^([`:]{3,})\{exercise\} *(.*)\n(?::.*\n)*([\s\S]*?)^\1 *$", re.MULTILINE
)
FOLDABLE = re.compile(
    r"^([`:]{3,})\{dropdown\} *(.*)\n(?::.*\n)*([\s\S]*?)^\1 *$", re.MULTILINE
)
INCLUDED = re.compile(
    r"^(`{3,})\{literalinclude\} *(\S+)\n((?::.*\n)*)\1 *$", re.MULTILINE
)
SETS = re.compile(r"\[([^\]]*)\]\((?:#[\w-]+:|(?!https?:|mailto:)[a-z][\w-]*:)[^)]*\)")
PAGE = re.compile(r"\]\(([\w-]+)\.md(#[\w-]*)?\)")
HOSTS = {"github.com": "github.io", "gitlab.com": "gitlab.io"}
FIRST = """\
from resizelab.teaching import playback

playback.start("{page}")  # a line whose library is not installed says what it gave
"""


def site_url(root: Path = ROOT) -> str | None:
    """Return the address of the published site, where the repository's tells it."""
    found = re.fullmatch(
        r"https://([\w.]+)/([\w.-]+)/([\w.-]+)", public_url(root) or ""
    )
    if found is None or found[1] not in HOSTS:
        return None
    return f"https://{found[2].lower()}.{HOSTS[found[1]]}/{found[3]}"


def first_cell(page: str, site: str | None) -> str:
    """Return the code that makes a page run wherever it is opened."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wheel = f"dist/resizelab-{project['version']}-py3-none-any.whl"
    asked = f'%pip install --quiet "resizelab[plots,widgets] @ {site}/{wheel}"\n\n'
    return (asked if site else "") + FIRST.format(page=page).strip()


def _included(path: Path, options: str) -> str:
    """Return the lines of a source file that ``literalinclude`` would show."""
    given = yaml.safe_load(options.replace("\n:", "\n")[1:]) or {}
    given = {key: value for key, value in given.items() if key != "language"}
    config = SimpleNamespace(source_encoding="utf-8")
    return LiteralIncludeReader(str(path), given, config).read()[0]


def plain(text: str, site: str | None, folder: Path) -> str:
    """Return a page's MyST as the Markdown that every notebook shows.

    >>> plain("[two](grid:n_out=2) and {scrub}`8 <grid:n_out>`, [grids](grids.md)",
    ...       None, ROOT)
    'two and 8, [grids](grids.ipynb)'
    """
    text = EXERCISE.sub(r"**Exercise: \2**\n\n\3", text)
    folded = r"<details><summary>\2</summary>\n\n\3\n</details>"
    text = FOLDABLE.sub(folded, text)
    text = INCLUDED.sub(
        lambda m: f"```python\n{_included(folder / m[2], m[3])}```", text
    )
    text = SETS.sub(r"\1", ROLE.sub(r"\1", text))
    return PAGE.sub(rf"]({site}/book/\1.html\2)" if site else r"](\1.ipynb\2)", text)


def notebook(path: Path, site: str | None = None) -> nbformat.NotebookNode:
    """Return a page as a notebook: what the site folds is folded."""
    page = jupytext.read(path, fmt="md:myst")
    page = nbformat.reads(notebook_without_solutions(nbformat.writes(page)), 4)
    page.cells.insert(0, nbformat.v4.new_code_cell(first_cell(path.stem, site)))
    page.metadata = {"kernelspec": page.metadata["kernelspec"]}
    for number, cell in enumerate(page.cells):
        cell.id = f"cell-{number}"  # the same page gives the same file
        if cell.cell_type == "markdown":
            cell.source = plain(cell.source, site, path.parent)
        elif any(map(FOLDED.fullmatch, cell.metadata.get("tags", ()))):
            cell.metadata["jupyter"] = {"source_hidden": True}
            cell.metadata["cellView"] = "form"  # Colab's word for it
    return page


def chapters(root: Path = ROOT) -> list[str]:
    """Return the pages of ``_toc.yml`` in reading order, as "book/grids"."""
    toc = yaml.safe_load((root / "_toc.yml").read_text("utf-8"))
    return [toc["root"], *(c["file"] for p in toc["parts"] for c in p["chapters"])]


def write(folder: Path, root: Path = ROOT) -> list[Path]:
    """Write every page of the book into ``folder`` and return the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    site, paths = site_url(root), []
    for page in chapters(root):
        paths.append(folder / f"{Path(page).name}.ipynb")
        nbformat.write(notebook(root / f"{page}.md", site), paths[-1])
    return paths


if __name__ == "__main__":
    for written in write(Path(sys.argv[1])):
        print(written)
