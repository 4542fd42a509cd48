"""The languages of a built site know each other: every page leads to its translations.

English stands in ``_build/html`` and German, say, in ``_build/html/de``. A page leads
to the same page of each edition that is there, and to none that is not; so this runs
after any of them was built, and each edition's copy for reading offline follows.
"""

import html
import re
import sys
from pathlib import Path

from babel import Locale

PLACE = '<div class="article-header-buttons">'
LINKS = re.compile(r'<nav class="editions">.*?</nav>', re.DOTALL)
LANGUAGE = re.compile(r'<html lang="([^"]+)"')


def folders(site: Path) -> list[Path]:
    """Return the folders of a site that hold another edition of it."""
    return sorted(path.parent for path in site.glob("*/searchindex.js"))


def pages(site: Path) -> dict[str, Path]:
    """Return the pages of one edition, without those of the others below it."""
    inner = {"_static", *(path.name for path in folders(site))}
    found = {path.relative_to(site): path for path in site.rglob("*.html")}
    return {n.as_posix(): path for n, path in found.items() if n.parts[0] not in inner}


def language(path: Path) -> str:
    """Return the language that a page says it is in."""
    return LANGUAGE.search(path.read_text(encoding="utf-8"))[1]


def linked(page: str, links: dict[str, str]) -> str:
    """Return a page with a link to each of its translations, {language: address}."""
    said = "".join(
        f'<a href="{html.escape(to)}" lang="{code}" hreflang="{code}">'
        f"{html.escape(Locale.parse(code, sep='-').get_display_name() or code)}</a>"
        for code, to in links.items()
    )
    bare = LINKS.sub("", page)
    nav = f'<nav class="editions">{said}</nav>' if said else ""
    return bare.replace(PLACE, nav + PLACE, 1)


def link(site: Path) -> list[Path]:
    """Link the editions of a site with each other; return the folders that changed."""
    every = {folder: pages(folder) for folder in (site, *folders(site))}
    codes = {f: language(p["search.html"]) for f, p in every.items()}
    changed = []
    for folder, own in every.items():
        for name, path in own.items():
            up = "../" * (len(Path(folder.relative_to(site), name).parts) - 1)
            links = {
                codes[other]: up + Path(other.relative_to(site), name).as_posix()
                for other, theirs in every.items()
                if other != folder and name in theirs
            }
            text = path.read_text(encoding="utf-8")
            if (done := linked(text, links)) != text:
                path.write_text(done, encoding="utf-8")
                changed.append(folder)
    return list(dict.fromkeys(changed))


if __name__ == "__main__":
    from afterwards import close

    for edition in link(Path(sys.argv[1])):
        close(edition)
