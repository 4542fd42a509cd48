"""The built pages as a reader meets them: over http, from disk, dark, on a phone.

Each page is opened once: light, then dark, then as narrow as a phone. The short suite
opens every third, and asks axe of one; the slow one does both for all.
"""

import base64
import gzip
import io
import json
import re
import sys
from html import unescape

import numpy as np
import pytest
from browser import ROOT, chapters
from bulk import for_each, some
from explorer_checks import check_axe
from PIL import Image

from resizelab.axis.grid import GRIDS
from resizelab.teaching import records
from resizelab.teaching.classroom.photographs import SOURCES
from resizelab.teaching.classroom.ways import WAYS
from resizelab.teaching.explorers import prediction

sys.path.insert(0, str(ROOT / "book" / "extension"))
gather, pseudo = map(pytest.importorskip, ("gather", "pseudo"))

PAGES = [f"{chapter}.html" for chapter in chapters()]
pages = pytest.mark.parametrize("page", PAGES)
quick = some(PAGES, *range(0, len(PAGES), 3))
every_page = for_each(PAGES)

# Ended, not waited for: a busy browser may draw no frame in which one would end.
SETTLED = "document.getAnimations().forEach((a) => a.finish())"
OURS = ("host", "site")
# The conformance page has a row for each of 955 calls (605 kB) and what parts any two
# of them (172 kB), so that both also work from disk; compressed the page has 171 kB.
LARGEST = {"book/conformance.html": 910_000, "book/api.html": 420_000}


def test_site_has_the_pages_of_the_toc(site):
    assert site.pages == sorted(PAGES)


@pytest.fixture(scope="module")
def told():
    """Return the pattern of a message, its fields filled in, or of a name."""
    names = ["resizelab", *(r["label"] for r in records.read("bilinear.json"))]
    names += [*(f"{k}, {{size}}" for k in SOURCES), *(w.name for w in WAYS), *GRIDS]
    said = [m.id for m in gather.gathered() if pseudo.plain(pseudo.KEPT.sub("", m.id))]
    fixed = [re.split(r"\{\w+\}", text) for text in [*said, *names]]
    return re.compile("|".join(".+".join(map(re.escape, texts)) for texts in fixed))


def check_colours(tab, theme):
    """Fail if the page is not as light or dark as the system asks."""
    tab.wait_for_function(f"document.documentElement.dataset.theme === '{theme}'")
    tab.evaluate(SETTLED)
    ground = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    brightness = sum(map(int, re.findall(r"\d+", ground)[:3])) / 3
    assert brightness < 64 if theme == "dark" else brightness > 240


def check_slabs(tab):
    """Fail if a plot brings light paper to a dark page: around it there is air."""
    assert not tab.locator(".cell_output img[src*='_images/']").count(), "SVG, inline"
    for plot in tab.locator("article .rl-plot:visible").all():
        image = np.asarray(Image.open(io.BytesIO(plot.screenshot())).convert("L"))
        rim = image[:2].ravel(), image[-2:].ravel(), image[:, :2].ravel()
        rim = np.concatenate(rim)
        assert np.median(rim) < 64, plot.get_attribute("aria-label")


@pytest.mark.parametrize("page", quick)
def test_page_is_quiet_dark_in_the_dark_and_fits_a_phone(visit, page):
    tab = visit(page, wait="networkidle")
    assert tab.locator("article h1").count() == 1
    assert len(visit.requests) > 1
    visit.check()
    for theme in ("light", "dark"):
        tab.emulate_media(color_scheme=theme)
        check_colours(tab, theme)
        if theme == "dark":
            check_slabs(tab)
    tab.set_viewport_size({"width": 360, "height": 740})
    tab.wait_for_function("document.documentElement.clientWidth <= 360")
    # What is wider than the screen scrolls inside itself; nothing is cut off.
    tab.wait_for_function("document.documentElement.scrollWidth <= 360")
    assert tab.locator("article h1").bounding_box()["width"] <= 360


@pytest.mark.parametrize("page", some(PAGES, PAGES.index("book/grids.html")))
def test_axe_finds_nothing(visit, page):
    tab = visit(page, wait="networkidle")
    for theme in ("light", "dark"):
        tab.emulate_media(color_scheme=theme)
        check_colours(tab, theme)
        check_axe(tab, "article h1", "article", dark=theme == "dark")


@pages
@pytest.mark.slow
@pytest.mark.parametrize(
    ("via", "how"),
    [("file", {}), ("http", {"width": 360, "height": 740, "has_touch": True})],
    ids=["from disk", "on a phone"],
)
def test_page_opens_elsewhere(visit, page, via, how):
    tab = visit(page, via, wait="networkidle", **how)
    assert tab.locator("article h1").count() == 1
    assert tab.evaluate("document.documentElement.scrollWidth") <= how.get(
        "width", 1280
    )


@every_page
def test_the_words_of_plots_are_messages(page, site, told):
    html = (site.root / page).read_text(encoding="utf-8")
    # An explorer's still is drawn from sentences that it looked up itself.
    html = re.sub("<noscript>.*?</noscript>", "", html, flags=re.DOTALL)
    plots = "".join(re.findall('<svg[^>]*class="rl-plot.*?</svg>', html, re.DOTALL))
    lines = "·".join(re.findall("(?<=>)[^<>]+(?=</text>)", plots))
    said = re.split(" ?· ?", unescape(lines).replace("\N{NO-BREAK SPACE}", " "))
    assert [t for t in said if pseudo.plain(t) and not told.fullmatch(t)] == []


@every_page
def test_page_names_no_other_site_for_its_parts(page, site):
    html = (site.root / page).read_text(encoding="utf-8")
    loaded = r"<(?:script|img|iframe|source)[^>]*\ssrc=[\"']?((?:https?:)?//[^\"'> ]+)"
    assert re.findall(loaded, html) == []
    assert re.findall(r"<link[^>]*\shref=[\"']?((?:https?:)?//[^\"'> ]+)", html) == []


@every_page
def test_page_is_small(page, site):
    assert (site.root / page).stat().st_size <= LARGEST.get(page, 400_000)


@every_page
def test_page_loads_few_scripts_of_ours(page, site):
    html = (site.root / page).read_text(encoding="utf-8")
    states = re.findall(
        r"<script[^>]*widget-state\+json[^>]*>(.*?)</script>", html, re.S
    )
    if not states:
        assert "/host.js" not in html
        return
    (state,) = map(json.loads, states)
    said = [w["state"].get("_esm", "") for w in state["state"].values()]
    # A module that several widgets run stands once; the others say whose they run.
    modules = {module for module in said if isinstance(module, str)}
    ours = "".join((site.root / f"_static/{n}.js").read_text("utf-8") for n in OURS)
    ours += state.get("shared", "") + "".join(sorted(modules))
    assert 3_000 < len(gzip.compress(ours.encode(), 6)) <= 30_000


@pytest.mark.parametrize("via", ["http", "file"])
def test_what_compares_is_loaded_once_something_is_pasted(visit, via):
    tab, part = visit("book/index.html", via), "**/card-late.js*"
    ask, told = tab.locator(".resizelab-card form"), tab.locator(".rl-verdict")
    asked = tab.locator("script[src*='card-late.js']")
    ask.locator("textarea").fill("0, 5, 10")
    assert asked.count() == 0
    tab.route(part, lambda route: route.abort("aborted"))  # no file can be held back
    failed = ["did not arrive"] if via == "http" else []
    for said in (*failed, "8 are needed", "8 are needed"):
        ask.locator("button").click()
        told.get_by_text(said).wait_for()
        tab.unroute(part)
    assert asked.count() == 1 + len(failed)


@every_page
def test_formulas_stand_in_the_page_with_words_for_screen_readers(page, site):
    html = (site.root / page).read_text("utf-8")
    drawn = html.count('class="katex"')
    assert html.count("<math ") >= drawn
    assert html.count('class="katex-html"') == drawn
    sealed = re.findall(r'data-sealed="([^"]+)"', html)
    worked = [prediction.unseal(base64.b64decode(text))["html"] for text in sealed]
    drawn += sum(text.count('class="katex"') for text in worked)
    assert ("katex.min.css" in html) == (drawn > 0)


def with_formulas(site):
    """Return the pages that have formulas, the fullest first."""
    count = {
        p: (site.root / p).read_text("utf-8").count('class="katex"') for p in PAGES
    }
    found = sorted((p for p in PAGES if count[p]), key=count.get, reverse=True)
    assert found, "no page has a formula"
    return found


def test_formulas_are_drawn_without_scripts(visit, site):
    for page in with_formulas(site)[:3]:
        tab = visit(page, java_script_enabled=False)
        formula = tab.locator("article .katex").first
        box = formula.locator(".katex-html").first.bounding_box()
        assert min(box["width"], box["height"]) > 4
        # A font may come a moment after the page.
        tab.evaluate("document.fonts.ready.then(() => 0)")
        assert tab.evaluate("document.fonts.check('16px KaTeX_Main')"), page


def test_formulas_cost_little(visit, site):
    tab = visit(with_formulas(site)[0], wait="networkidle")
    sizes = tab.evaluate(
        """performance.getEntriesByType("resource")
           .map(r => [r.name, r.encodedBodySize])"""
    )
    maths = {name: size for name, size in sizes if "katex" in name}
    assert 10_000 < sum(maths.values()) <= 100_000
    assert not any(name.split("?")[0].endswith(".js") for name in maths)


def test_no_page_loads_the_icon_script(visit, site):
    tab = visit(PAGES[0], wait="networkidle")
    assert tab.locator("article h1").count() == 1
    assert not any("fontawesome" in url or "webfonts" in url for url in visit.requests)
    assert not list((site.root / "_static").rglob("fontawesome.js*"))


@pytest.mark.parametrize("width", [1280, 360])
def test_the_themes_buttons_show_an_icon(visit, width):
    tab = visit(PAGES[0], width=width)
    icons = [
        i for i in tab.locator("i[class*='fa-'], svg.fa-lg").all() if i.is_visible()
    ]
    assert len(icons) >= 3
    for icon in icons:
        name = icon.get_attribute("class")
        box = icon.bounding_box()
        assert box["width"] >= 8, name
        drawing = icon.evaluate("e => getComputedStyle(e).maskImage")
        assert drawing.startswith("url("), f"site.css has no drawing for {name}"


def test_theme_button_turns_the_page_dark(visit):
    tab = visit(PAGES[0])
    seen = set()
    for _ in range(3):
        tab.locator("button.theme-switch-button").first.click()
        seen.add(tab.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert len(seen) == 2


def test_menu_opens_on_a_phone(visit):
    tab = visit(PAGES[0], width=360, height=740, has_touch=True)
    tab.locator("button.primary-toggle:visible").tap()
    tab.locator("#pst-primary-sidebar-modal a[href='grids.html']").tap()
    tab.wait_for_url("**/grids.html")
    assert tab.url.endswith("book/grids.html")


def test_menu_folds_on_a_wide_screen(visit):
    tab = visit(PAGES[0])
    menu = tab.locator("#pst-primary-sidebar a[href='grids.html']")
    assert menu.is_visible()
    tab.locator("button.primary-toggle:visible").click()
    menu.wait_for(state="hidden")
    assert tab.locator("article h1").is_visible()


def test_search_opens_and_leads_to_results(visit):
    tab = visit(PAGES[0], width=360, height=740)
    tab.locator("button.search-button:visible, .search-button__button:visible").click()
    tab.locator("#pst-search-dialog input").fill("pixel")
    tab.keyboard.press("Enter")
    tab.wait_for_url("**/search.html?q=pixel")
    tab.locator("#search-results li a").first.wait_for()
    assert tab.locator("#search-results li a").count() >= 1


def test_widget_host_goes_where_widgets_are(site):
    for page in PAGES:
        html = (site.root / page).read_text(encoding="utf-8")
        has_widgets = "application/vnd.jupyter.widget-state+json" in html
        assert ("/host.js" in html) == has_widgets, page
        if has_widgets:
            # The data comes after the text, so that the text is painted first.
            assert html.index("widget-state+json") > html.index("</article>"), page


def test_page_on_disk_knows_no_path_of_the_builder(site):
    for page in PAGES:
        html = (site.root / page).read_text(encoding="utf-8")
        assert str(ROOT) not in html, page
