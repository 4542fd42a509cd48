"""The book as one PDF: its links lead inside, its outline says every heading once."""

import html
import re
import sys

import pytest
from browser import ROOT, chapters, everything_must_run
from bs4 import BeautifulSoup

sys.path.insert(0, str(ROOT / "book" / "extension"))
afterwards = pytest.importorskip("afterwards", reason="Sphinx is not installed")
printed = pytest.importorskip("printed")

KNOWN = {"grids": {"tiles"}, "cubic": {"a-1"}}
TOC = {
    "root": "book/index",
    "parts": [{"caption": "A & B", "chapters": [{"file": "book/grids"}]}],
}
HEAD = '<head><link rel="stylesheet" href="../own.css"></head>'
PAGES = {
    "index": '<h1>First<a class="headerlink" href="#x">#</a></h1>'
    '<p id="the-pdf" hidden>PDF</p><p><a href="grids.html#why">inside</a> '
    '<a href="../dist/x.zip">the zip</a> <a href="https://example.org/">out</a></p>',
    "grids": '<h1>1. Grids</h1><h2 id="why">Why → so?</h2><script>no()</script>'
    '<details><summary>Hint</summary>Look.</details><svg width="9" height="9">'
    '<clipPath id="c"><path d="M0 0H9V9H0z"/></clipPath><g clip-path="url(#c)">'
    '<path d="M0 0H9V9H0z"/></g></svg>',
}


@pytest.fixture
def small(tmp_path):
    (tmp_path / "book").mkdir()
    (tmp_path / "search.html").write_text('<html lang="en"></html>')
    (tmp_path / "own.css").write_text("h1 { color: #123456; }")
    for name, text in PAGES.items():
        page = f"<html>{HEAD}<body><article>{text}</article></body></html>"
        (tmp_path / f"book/{name}.html").write_text(page, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("link", "leads"),
    [
        ("cubic.html", "#cubic"),
        ("cubic.html#a-1", "#cubic--a-1"),
        ("cubic.html#cubic:a=-0.5", "#cubic"),
        ("#tiles", "#grids--tiles"),
        ("#grid:n_out=2", "#grids"),
        ("https://example.org/cubic.html", "https://example.org/cubic.html"),
        ("../search.html", None),
        ("../dist/resize-lab.zip", None),
        ("cubic.ipynb", None),
    ],
)
def test_a_link_leads_inside_or_to_a_public_place(link, leads):
    assert printed.target(link, "grids", KNOWN) == leads


@pytest.mark.parametrize(
    ("title", "mended"),
    [
        (b"(Why?Why?)", b"(Why?)    "),
        (b"(1. 1. WhyWhy)", b"(1. Why)      "),
        (rb"(f\(x\)f\(x\))", rb"(f\(x\))      "),
        (b"(1. 1. Why)", b"(1. Why)   "),
        (b"(1. Why)", b"(1. Why)"),
        (b"<FEFF219221B9219221B9>", b"<FEFF219221B9>        "),
        (b"<FEFF219221B9>", b"<FEFF219221B9>"),
    ],
)
def test_a_heading_is_said_once(title, mended):
    pdf = b"<</Title %s\n/Dest /a>>"
    headings = ["Why?", "1. Why", "f(x)", "\u2192\u21b9"]
    assert printed.said_once(pdf % title, headings) == pdf % mended


def test_all_pages_are_one(small):
    page = BeautifulSoup(printed.whole(small, TOC), "html.parser")
    assert [h.get_text() for h in page.select("h1")] == [
        "Resize Lab",
        "First",
        "1. Grids",
    ]
    assert [a["href"] for a in page.select("article a")] == [
        "#grids--why",
        "https://example.org/",
    ]
    assert page.select("article script, .headerlink, details:not([open])") == []
    ids = [node["id"] for node in page.select("[id]")]
    assert len(ids) == len(set(ids))
    (clipped,) = page.select("g[clip-path]")
    assert clipped["clip-path"] == "url(#grids--c)"
    assert [s["href"] for s in page.select("link")] == ["../own.css"]


def outline(pdf):
    """Return the titles of a PDF's outline."""
    return [
        bytes.fromhex(wide.decode()).decode("utf-16-be")
        if wide
        else re.sub(rb"\\(.)", rb"\1", plain).decode("latin-1")
        for plain, wide in printed.TITLE.findall(pdf)
    ]


def test_the_pdf_has_an_outline_and_links_and_is_offered(chromium, small):
    front = small / "book/index.html"
    afterwards.close(small)
    assert '<p id="the-pdf" hidden>' in front.read_text("utf-8")
    printed.write(chromium, small, TOC)
    pdf = (small / afterwards.PDF).read_bytes()
    assert {"First", "1. Grids", "Why → so?"} <= set(outline(pdf))
    assert len(re.findall(rb"/Type /Page\b", pdf)) == 3
    assert {b"/grids--why", b"/index"} <= set(re.findall(rb"/Dest (\S+)", pdf))
    assert re.findall(rb"/URI \((.*?)\)", pdf) == [b"https://example.org/"]
    assert '<p id="the-pdf">' in front.read_text("utf-8")
    # The copy for reading offline knows the page as it is now.
    kept = afterwards.files(small)["book/index.html"]
    assert kept in (small / "sw.js").read_text("utf-8")


def test_the_front_page_offers_the_pdf_that_is_there(site):
    there = (site.root / afterwards.PDF).is_file()
    page = (site.root / f"{chapters()[0]}.html").read_text("utf-8")
    assert ('<p id="the-pdf">' in page) == there
    assert ('<p id="the-pdf" hidden>' in page) != there
    assert there or not everything_must_run()


def test_every_page_is_in_the_pdf(site):
    if not (site.root / afterwards.PDF).is_file():
        pytest.skip("`make pdf` was not run")
    pdf = (site.root / afterwards.PDF).read_bytes()
    said = [" ".join(title.split()) for title in outline(pdf)]
    for name in chapters():
        text = (site.root / f"{name}.html").read_text("utf-8")
        heading = BeautifulSoup(text, "html.parser").select_one("article h1")
        heading.select_one(".headerlink").decompose()
        assert html.unescape(" ".join(heading.get_text().split())) in said
    assert b"127.0.0.1" not in pdf
    assert len(pdf) <= 20_000_000
