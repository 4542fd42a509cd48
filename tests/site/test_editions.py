"""The editions of a site lead to each other, page by page, and to nothing missing."""

import sys
import zipfile

import pytest
from browser import ROOT

sys.path.insert(0, str(ROOT / "book" / "extension"))
editions = pytest.importorskip("editions", reason="Sphinx is not installed")
afterwards = pytest.importorskip("afterwards")

PAGE = '<html lang="{}"><body><div class="article-header-buttons"></div></body></html>'


@pytest.fixture
def site(tmp_path):
    for folder, code, names in (
        ("", "en", ("search", "book/index", "book/grids")),
        ("zh_CN", "zh-CN", ("search", "book/index")),
    ):
        for name in names:
            path = tmp_path / folder / f"{name}.html"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(PAGE.format(code))
        (tmp_path / folder / "searchindex.js").touch()
    return tmp_path


def test_a_page_leads_to_its_translation_and_back(site):
    assert editions.link(site) == [site, site / "zh_CN"]
    english = (site / "book/index.html").read_text()
    assert '<a href="../zh_CN/book/index.html" lang="zh-CN"' in english
    assert ">中文 (简体, 中国)</a>" in english
    chinese = (site / "zh_CN/book/index.html").read_text()
    assert '<a href="../../book/index.html" lang="en" hreflang="en">English' in chinese
    assert "editions" not in (site / "book/grids.html").read_text(), "no such page"


def test_links_are_made_once_and_go_with_their_edition(site):
    editions.link(site)
    assert editions.link(site) == []
    for path in (site / "zh_CN").rglob("*"):
        if path.is_file():
            path.unlink()
    assert editions.link(site) == [site]


def test_the_copies_of_an_edition_hold_no_other(site):
    editions.link(site)
    for folder in (site, site / "zh_CN"):
        afterwards.close(folder)
    assert not [n for n in afterwards.files(site) if n.startswith("zh_CN")]
    with zipfile.ZipFile(site / afterwards.ZIP) as archive:
        page = archive.read("resize-lab/book/index.html").decode()
    assert page == PAGE.format("en")
    assert '"resize-lab-zh-CN"' in (site / "zh_CN/sw.js").read_text()
