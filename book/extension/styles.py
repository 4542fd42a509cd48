"""The theme's style sheets without the rules that no page of this book can match.

A page waits for its sheets before it shows a line. Most rules of the theme's are
Bootstrap's parts that this book has not.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tinycss2

WORD = re.compile(r"[\w-]+")
NAME = re.compile(r"[.#](-?[A-Za-z_][\w-]*)")
# What is inside counts otherwise: `:not(.x)` matches where there is no `x`.
INSIDE = re.compile(r":(?:not|is|where|has)\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^]]*\]")
# A browser would ask for it only once it has read the sheet that imports it.
IMPORT = re.compile(r'(@import "\.\./([\w.-]+)";)')
# Editions and explorers add to pages what no page has at this time.
OURS = ("site.css", "figures.css")


def words(site: Path) -> set[str]:
    """Return all that a page or a script could name an element with."""
    found: set[str] = set()
    for kind in ("*.html", "*.js"):
        for path in site.rglob(kind):
            found.update(WORD.findall(path.read_text(encoding="utf-8")))
    return found


def _wanted(rules: list[Any], known: set[str]) -> Iterator[str]:
    """Yield the rules of which at least one selector names only what is known."""
    for rule in rules:
        if rule.type == "qualified-rule":
            asked = tinycss2.serialize(rule.prelude)
            selectors = INSIDE.sub("", asked).split(",")
            if not any(known.issuperset(NAME.findall(each)) for each in selectors):
                continue
        elif rule.type == "at-rule" and rule.lower_at_keyword in ("media", "supports"):
            inside = tinycss2.parse_rule_list(rule.content, True, True)
            kept = "".join(_wanted(inside, known))
            if kept:
                asked = tinycss2.serialize(rule.prelude)
                yield f"@{rule.at_keyword}{asked}{{{kept}}}"
            continue
        yield rule.serialize()


def shortened(sheet: str, known: set[str]) -> str:
    """Return a style sheet without rules for names that are not ``known``.

    >>> shortened("a, .b .c { top: 0 } .d { top: 1px }", {"b", "d"})
    'a, .b .c { top: 0 }.d { top: 1px }'
    >>> shortened("@media print { .b:not(.c) { top: 0 } .c { top: 0 } }", {"b"})
    '@media print {.b:not(.c) { top: 0 }}'
    """
    return "".join(_wanted(tinycss2.parse_stylesheet(sheet, True, True), known))


def shorten(site: Path) -> None:
    """Shorten the sheets of a site, but ours; what one imports is put into it."""
    known = words(site)
    for path in site.glob("_static/**/*.css"):
        sheet = path.read_text(encoding="utf-8")
        for line, name in IMPORT.findall(sheet):
            held = (path.parent.parent / name).read_text(encoding="utf-8")
            sheet = sheet.replace(line, held.replace("url(", "url(../"))
        if path.name not in OURS:
            path.write_text(shortened(sheet, known), encoding="utf-8")
