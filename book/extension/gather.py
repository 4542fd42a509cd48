"""Gather every sentence that readers see; bring the catalogues up to date.

`make messages` runs this. Sphinx extracts the pages' own text. What Python says is
gathered here: what stands in ``say(…)`` and ``spoken({…})``, in a control, in a page's
question or comparator; the exercises; the menu's captions. A catalogue keeps its
translations, and marks those whose sentence has changed.
"""

import argparse
import ast
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parents[2]
LOCALE = ROOT / "book/locale"
# Whose first argument is a message; and calls in which every literal is one.
SAYS = {"say", "spoken"}
ASKS = {"predict", "Comparator"}
# A control: key, label, and perhaps its options.
LABELS = {"choice", "ranged", "whole", "_choice", "_range"}
HINTS = "label", "hint", "options"
# What a plot shows: the names of its pictures, what stands at its axes.
DRAWS = {"pictures", "tiles"}
AXES = {"xlabel", "ylabel", "title"}
TITLES = {"set_title", "set_xlabel", "set_ylabel", "supylabel"}
# A cell of a page: its options, between bars or behind colons, are no code.
CELL = re.compile(
    r"^(`{3,})\{code-cell\}[^\n]*\n(?:---\n(.*?\n)---\n|((?::[^\n]*\n)*))(.*?)^\1\s*$",
    re.DOTALL | re.MULTILINE,
)
DOMAINS = "book", "resizelab"
PHRASES = "resizelab/catalog/phrases.toml"  # what fields and their values are called
# A script's literals; of several words, but no sentence: looks, addresses, places.
SCRIPTS = sorted((ROOT / "resizelab/teaching").rglob("*.js"))
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`')
NO_SENTENCE = re.compile(r"[/.#{}=;]|^rl-| rl-")
LOOKS = {"middle", "small", "soft", "strong", "halo", "end"}


def literals(node: ast.AST) -> Iterator[ast.Constant]:
    """Yield the texts of an argument: itself, a table's values, either of two."""
    match node:
        case ast.Constant(value=str()):
            yield node
        case ast.Dict():
            for value in node.values:
                yield from literals(value)
        case ast.IfExp():
            yield from literals(node.body)
            yield from literals(node.orelse)
        case ast.List() | ast.Tuple():
            for value in node.elts:
                yield from literals(value)


def within(node: ast.Call) -> Iterator[ast.Constant]:
    """Yield the sentences of a question: every literal that is no part of another."""
    queue = [*node.args, *(k.value for k in node.keywords if k.arg != "name")]
    while queue:
        part = queue.pop(0)
        if isinstance(part, (ast.Subscript, ast.JoinedStr, ast.Call, ast.Compare)):
            continue
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part
        queue += ast.iter_child_nodes(part)


def drawn(node: ast.Call) -> Iterator[ast.Constant]:
    """Yield the words of a plot: keys of its pictures, titles, names of axes."""
    if named(node) in DRAWS:
        for table in node.args:
            keys = table.keys if isinstance(table, ast.Dict) else ()
            yield from (text for key in keys if key for text in literals(key))
    if named(node) in TITLES:
        yield from literals(node.args[0])
    for keyword in node.keywords:
        if keyword.arg in AXES:
            yield from literals(keyword.value)


def named(node: ast.Call) -> str:
    """Return the last name of what is called."""
    called = node.func
    return (
        called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    )


def sentences(source: str) -> Iterator[tuple[int, str]]:
    """Yield the messages of a module as (line, text).

    >>> list(sentences('say("one" if a else "two"); spoken({"k": "three"}); say(x)'))
    [(1, 'one'), (1, 'two'), (1, 'three')]
    >>> list(sentences('plots.pictures({"left": a}); ax.set(xlabel="pixel")'))
    [(1, 'left'), (1, 'pixel')]
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            found = literals(node.args[0]) if named(node) in SAYS and node.args else ()
            found = within(node) if named(node) in ASKS else found
            found = (*found, *drawn(node))
            if named(node) in LABELS:
                found = [t for part in node.args[1:] for t in literals(part)]
        elif isinstance(node, ast.Dict):
            pairs = zip(node.keys, node.values, strict=True)
            parts = [v for k, v in pairs if getattr(k, "value", "") in HINTS]
            found = [text for part in parts for text in literals(part)]
        else:
            continue
        for text in found:
            if re.search(r"[^\W\d_]{2}", text.value):
                yield text.lineno, text.value


def cells(page: str) -> str:
    """Return a page's cells as one module, each line where it stands in the page."""
    lines = [""] * (page.count("\n") + 1)
    for cell in CELL.finditer(page):
        first = page.count("\n", 0, cell.start(4))
        for k, line in enumerate(cell[4].splitlines()):
            lines[first + k] = "" if line.startswith(("%", "!")) else line
    return "\n".join(lines)


def shown(page: str) -> Iterator[str]:
    """Yield what the pictures of a page's cells show, for those who do not see them."""
    for cell in CELL.finditer(page):
        options = cell[2] or re.sub(r"(?m)^:", "", cell[3] or "")
        told = yaml.safe_load(options) if "alt:" in options else {}
        if alt := told.get("mystnb", {}).get("image", {}).get("alt"):
            yield alt


def titles(page: str) -> Iterator[str]:
    """Yield the titles of a page's exercises.

    >>> list(titles("```{exercise} Why 257?"))
    ['Why 257?']
    """
    yield from re.findall(r"(?m)^`{3,}\{exercise(?:-start)?\} +(.+?) *$", page)


def unsaid(script: str) -> list[str]:
    """Return the sentences that a script holds: Python should hand them over.

    >>> unsaid('tell(words.tap); "rl-small rl-end"; text("One bright pixel")')
    ['One bright pixel']
    """
    bare = re.sub(r"(?m)^\s*//.*$|\s// .*$", "", script)
    found = []
    for literal in LITERAL.finditer(bare):
        text = re.sub(r"\$\{[^}]*\}", "…", literal[1] or literal[2] or "")
        words = re.findall(r"(?<![\w-])[A-Za-z][a-z]+(?![\w-])", text)
        other = NO_SENTENCE.search(text) or set(words) <= LOOKS
        if not other and (re.match(r"[A-Z]\w+ [a-z]", text) or len(words) > 2):
            found.append(text)
    return found


def below(data: Any, keys: tuple[str, ...]) -> Iterator[str]:
    """Yield the texts of data that stand below one of some keys."""
    match data:
        case str() if not keys:
            yield data
        case dict():
            for key, part in data.items():
                yield from below(part, () if key in keys else keys)
        case list():
            for part in data:
                yield from below(part, keys)


def gathered(root: Path = ROOT) -> Catalog:
    """Return the messages of the package, the pages' cells and the menu."""
    from resizelab.teaching import exercises
    from resizelab.teaching.explorers.card_material import SENTENCES

    catalogue = Catalog(project="Resize Lab", fuzzy=False)
    sources = [*(root / "resizelab").rglob("*.py"), *(root / "book").rglob("*.py")]
    for path in sorted([*sources, *(root / "book").glob("*.md")]):
        text = path.read_text(encoding="utf-8")
        source = cells(text) if path.suffix == ".md" else text
        place = path.relative_to(root).as_posix()
        for line, sentence in sentences(source):
            catalogue.add(sentence, locations=[(place, line)])
        more = (*shown(text), *titles(text)) if path.suffix == ".md" else ()
        for sentence in more:
            catalogue.add(sentence, locations=[(place, None)])
    tables = dict.fromkeys((root / "resizelab/teaching").rglob("*.toml"), SENTENCES)
    tables[root / PHRASES] = ("said", "values")
    for path in sorted(tables):
        for sentence in below(tomllib.loads(path.read_text("utf-8")), tables[path]):
            catalogue.add(
                sentence, locations=[(path.relative_to(root).as_posix(), None)]
            )
    for name in exercises.names():
        for sentence in exercises.find(name).sentences():
            catalogue.add(sentence, auto_comments=[name])
    menu = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    for part in menu.get("parts", ()):
        catalogue.add(part["caption"], locations=[("_toc.yml", None)])
    return catalogue


def pages(root: Path = ROOT) -> Catalog:
    """Return what Sphinx extracts from the pages; those that ran before run no more."""
    told = root / "_build/messages"
    command = [str(Path(sys.executable).with_name("jupyter-book")), "build", str(root)]
    command += ["--builder", "custom", "--custom-builder", "gettext"]
    subprocess.run([*command, "--path-output", str(told)], check=True)
    with (told / "_build/gettext/book.pot").open("rb") as file:
        return read_po(file)


def update(templates: dict[str, Catalog], code: str, locale: Path = LOCALE) -> None:
    """Bring a language's catalogues up to date; a new language gets empty ones."""
    folder = locale / code / "LC_MESSAGES"
    folder.mkdir(parents=True, exist_ok=True)
    for domain, template in templates.items():
        path = folder / f"{domain}.po"
        catalogue = Catalog(locale=code, fuzzy=False)
        if path.exists():
            with path.open("rb") as file:
                catalogue = read_po(file, locale=code)
        catalogue.update(template)
        with path.open("wb") as file:
            write_po(file, catalogue, width=88, omit_header=False)


def main() -> None:
    """Write the templates, and bring each language's catalogues up to date."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--new", metavar="CODE", help="begin a language, such as de")
    asked = parser.parse_args()
    os.environ.pop("RESIZELAB_LANGUAGE", None)
    templates = dict(zip(DOMAINS, (pages(), gathered()), strict=True))
    for domain, template in templates.items():
        target = ROOT / f"_build/messages/{domain}.pot"
        with target.open("wb") as file:
            write_po(file, template, width=88)
        print(f"{target.relative_to(ROOT)}: {len(template)} messages")
    known = [path.name for path in LOCALE.glob("*/")]
    for code in dict.fromkeys([*known, *([asked.new] if asked.new else [])]):
        update(templates, code)
        print(f"{(LOCALE / code).relative_to(ROOT)}: up to date")


if __name__ == "__main__":
    main()
