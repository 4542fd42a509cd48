"""A few pages in a language that nobody speaks: what stays English has a reason."""

import os
import re
import shutil
import subprocess
import sys

import pytest
from browser import PATIENCE, ROOT
from tiny_book import run, with_own_settings

sys.path.insert(0, str(ROOT / "book" / "extension"))
pseudo = pytest.importorskip("pseudo", reason="Sphinx is not installed")
gather = pytest.importorskip("gather")
pytestmark = [pytest.mark.slow, pytest.mark.browser]

PAGES = "index", "grids", "drift", "speed"
# What the page of all rows looks up, without the time that its rows take.
LOOKUP = """# Two
```{code-cell}
from IPython.display import HTML
from resizelab import convention
from resizelab.teaching import lookup, lookup_page
calls = "torch.bilinear", "tf1.bilinear", "opencv.area", "pillow.lanczos"
found = lookup.families([convention(name) for name in calls])
HTML(lookup_page.form(found, *calls[:2], (8, 4)))
```"""
SHARE = 0.02  # of the words: what cells print by themselves
SCRIPT = (ROOT / "book/extension/seen.js").read_text("utf-8")


def page(name):
    """Return a page without its front matter, and without links to absent chapters."""
    text = (ROOT / f"book/{name}.md").read_text(encoding="utf-8").split("---\n", 2)[2]
    return re.sub(r"\[([^\]]*)\]\(([\w-]+)\.md(#[^)]*)?\)", r"\1", text)


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pseudo") / "book"
    pages = {name: page(name) for name in PAGES} | {"lookup": LOOKUP}
    with_own_settings(folder, pages)
    site = folder / "site"
    # The package is the folder's own: so pages are known by what they use of it.
    os.environ["PYTHONPATH"] = str(folder)
    for code, target in (("", site), (pseudo.CODE, site / pseudo.CODE)):
        if code:
            templates = gather.pages(folder), gather.gathered(ROOT)
            words = dict(zip(gather.DOMAINS, templates, strict=True))
            pseudo.write(folder / "book/locale", words)
        done = run(folder, RESIZELAB_LANGUAGE=code, PYTHONPATH=str(folder))
        assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
        shutil.copytree(folder / "_build/html", target)
    script = [sys.executable, str(ROOT / "book/extension/editions.py"), str(site)]
    subprocess.run(script, check=True, timeout=PATIENCE)
    return site


@pytest.mark.parametrize("name", [*PAGES, "lookup"])
def test_nothing_stays_english_without_a_reason(book, name, chromium):
    tab = chromium.new_page(viewport={"width": 1280, "height": 900})
    tab.goto(f"file://{book / pseudo.CODE}/book/{name}.html")
    assert tab.locator("html").get_attribute("lang") == pseudo.CODE
    for place in tab.locator("figure.rl-fig, .resizelab").all():
        place.scroll_into_view_if_needed()
    tab.evaluate(f"({SCRIPT}).open()")
    tab.wait_for_timeout(1000)
    seen = tab.evaluate(f"({SCRIPT}).seen()")
    tab.close()
    left = pseudo.english(seen)
    every = sum(len(re.findall(r"[^\W\d_]{2,}", text)) for text, _ in seen)
    assert every > (800 if name in PAGES else 300), "the page is there"
    told = sorted(left, key=lambda place: -len(left[place]))
    assert sum(map(len, left.values())) / every <= SHARE, told[:20]


def test_each_edition_leads_to_the_other(book):
    for here, to in (("", f"../{pseudo.CODE}"), (pseudo.CODE, "../../book")):
        text = (book / here / "book/grids.html").read_text(encoding="utf-8")
        assert f'<nav class="editions"><a href="{to}' in text
