"""The whole book as one PDF: ``make pdf``, after a build.

Chromium prints all pages as one, without scripts, so that each figure shows its still.
Headings make the outline, and a link to another page leads inside.  The front page
offers the PDF once it is there.
"""

import html
import re
import sys
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import urldefrag

import afterwards
from browser import ARGUMENTS, ROOT, chromium_path, contents, serve
from bs4 import BeautifulSoup, Tag

SHEET = Path(__file__).with_name("printed.css")
# What is of no use on paper: what scripts move, folded code, a heading's own link.
UNPRINTED = (
    "script, .headerlink, button, .prev-next-area, details.hide > summary,"
    "details.hide .cell_input, details.hide.above-input, .rl-pick, .rl-more, .copybtn"
)
# Attributes that name places of the page itself.
ARIA = ("labelledby", "describedby", "controls")
PLACES = {"id", "for", "headers", *(f"aria-{name}" for name in ARIA)}
FOOT = (
    '<div style="width:100%;font-size:8px;text-align:center;color:#57606a">'
    '<span class="pageNumber"></span></div>'
)
# A title of the outline, as Chromium writes it: in Latin letters or in all.
TITLE = re.compile(rb"/Title (?:\(((?:\\.|[^\\)])*)\)|<FEFF([0-9A-Fa-f]*)>)")
FRONT = (
    f"Edition {version('resizelab')}. Text and pictures: CC BY 4.0. Code: BSD 3-Clause."
)
EDGES = {"top": "18mm", "bottom": "18mm", "left": "20mm", "right": "20mm"}


def target(link: str, page: str, known: dict[str, set[str]]) -> str | None:
    """Return where a link of a page leads in the whole book; None if out of it.

    ``known`` holds the places of each page.  A place that is not there (the state of a
    figure) is its page's beginning.
    """
    if re.match(r"[a-z]+:", link):
        return link
    path, place = urldefrag(link)
    name = Path(path).stem if path else page
    if name not in known or (path and not path.endswith(".html")):
        return None
    return f"#{name}--{place}" if place in known[name] else f"#{name}"


def without_scripts(article: Tag) -> None:
    """Leave of an article what paper can show, with every fold open."""
    for node in article.select(UNPRINTED):
        node.decompose()
    for node in article.select("details"):
        node["open"] = ""


def placed(article: Tag, page: str, known: dict[str, set[str]]) -> None:
    """Make an article's places its own among all pages', and its links lead there."""
    for node in article.select("a[href]"):
        if (leads := target(node["href"], page, known)) is None:
            node.unwrap()
        else:
            node["href"] = leads
    for node in article.find_all(True):
        for name in PLACES & {*node.attrs}:
            value = node[name]
            words = value if isinstance(value, list) else value.split()
            node[name] = " ".join(f"{page}--{word}" for word in words)
        for name, value in node.attrs.items():
            if isinstance(value, str) and "url(#" in value:
                node[name] = value.replace("url(#", f"url(#{page}--")
        if node.name == "use" and node.get("href", "").startswith("#"):
            node["href"] = f"#{page}--{node['href'][1:]}"
    article["id"] = page


def articles(site: Path, names: list[str]) -> tuple[dict[str, Tag], list[str]]:
    """Return the article of each page, ready for the whole, and all style sheets."""
    sheets: dict[str, None] = {}
    found = {}
    for name in names:
        text = (site / f"{name}.html").read_text(encoding="utf-8")
        page = BeautifulSoup(text, "html.parser")
        for link in page.select('link[rel="stylesheet"]'):
            sheets[str(link["href"])] = None
        article = page.select_one("article")
        assert article is not None, name
        without_scripts(article)
        found[Path(name).stem] = article
    known = {
        page: {str(node["id"]) for node in article.select("[id]")}
        for page, article in found.items()
    }
    for page, article in found.items():
        placed(article, page, known)
    return found, list(sheets)


def whole(site: Path, toc: dict) -> str:
    """Return the book as one page."""
    parts = [("", [toc["root"]])]
    parts += [
        (part["caption"], [chapter["file"] for chapter in part["chapters"]])
        for part in toc["parts"]
    ]
    names = [name for _, files in parts for name in files]
    found, sheets = articles(site, names)
    titles = {
        page: article.find("h1").get_text().strip() for page, article in found.items()
    }
    listed, body = "", ""
    for caption, files in parts:
        pages = [Path(name).stem for name in files]
        said = html.escape(caption)
        items = (f'<li><a href="#{p}">{html.escape(titles[p])}</a></li>' for p in pages)
        listed += f"<p>{said}</p><ul>{''.join(items)}</ul>"
        body += f'<div class="part"><p class="caption">{said}</p>'
        body += "".join(str(found[page]) for page in pages) + "</div>"
    links = "".join(f'<link rel="stylesheet" href="{sheet}">' for sheet in sheets)
    sheet = SHEET.read_text(encoding="utf-8")
    return (
        '<!DOCTYPE html><html lang="en" data-theme="light"><head><meta charset="utf-8">'
        f"<title>Resize Lab</title>{links}<style>{sheet}</style></head><body>"
        f'<section class="front"><h1>Resize Lab</h1><p>{FRONT}</p>{listed}</section>'
        f'<div class="bd-content"><div class="bd-article-container">{body}</div></div>'
        "</body></html>"
    )


def said_once(pdf: bytes, headings: Iterable[str]) -> bytes:
    """Mend the outline: Chromium says a heading twice that it moved to the next page.

    It does so piece by piece ("2. 2. Why?Why?"), and with the lines that it moved, so a
    title is known by its letters: the heading's, and those of its beginning once more.
    Nothing changes its place: what a title loses stands behind it as spaces.
    """
    known = set(headings)
    twice = {
        "".join(sorted(heading[:length] + heading)): heading
        for heading in known
        for length in range(1, len(heading) + 1)
    }

    def once(found: re.Match[bytes]) -> bytes:
        plain, wide = found[1], found[2]
        title = re.sub(rb"\\(.)", rb"\1", plain or b"").decode("latin-1")
        if wide:
            title = bytes.fromhex(wide.decode()).decode("utf-16-be")
        told = twice.get("".join(sorted(title)))
        if told is None or title in known:
            return found[0]
        said = b"(%s)" % re.sub(r"([\\()])", r"\\\1", told).encode("latin-1", "replace")
        if wide:
            said = b"<FEFF%s>" % told.encode("utf-16-be").hex().upper().encode()
        return (b"/Title " + said).ljust(len(found[0]))

    return TITLE.sub(once, pdf)


def write(chromium: Any, site: Path, toc: dict) -> None:
    """Print the book below ``site`` with a Playwright browser, and offer it there."""
    page = whole(site, toc)
    server = serve(site)
    address = f"http://127.0.0.1:{server.server_port}/book/whole.html"
    tab = chromium.new_context(java_script_enabled=False).new_page()
    tab.set_default_timeout(0)
    tab.route(address, lambda route: route.fulfill(body=page, content_type="text/html"))
    tab.goto(address, wait_until="load")
    pdf = tab.pdf(
        format="A4",
        margin=EDGES,
        print_background=True,
        display_header_footer=True,
        header_template="<div></div>",
        footer_template=FOOT,
        outline=True,
        tagged=True,
    )
    tab.context.close()
    server.shutdown()
    server.server_close()
    target = site / afterwards.PDF
    target.parent.mkdir(exist_ok=True)
    headings = BeautifulSoup(page, "html.parser").select("h1, h2, h3, h4, h5, h6")
    target.write_bytes(said_once(pdf, (heading.get_text() for heading in headings)))
    afterwards.close(site)


def main(site: Path) -> None:
    """Print the built book; SystemExit where there is no Chromium."""
    from playwright.sync_api import sync_playwright

    path = chromium_path()
    if path is None:
        raise SystemExit("the PDF needs Chromium: install it, and run this again")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        write(chromium, site, contents(ROOT))
        chromium.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
