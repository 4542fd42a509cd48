"""What the last step of a build makes: policy, descriptions, licences, offline, zip."""

import html
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections import defaultdict
from importlib.metadata import distribution
from pathlib import Path

import pytest
from browser import ROOT, Site, Visits, chapters, serve
from bulk import for_each

sys.path.insert(0, str(ROOT / "book" / "extension"))
afterwards = pytest.importorskip("afterwards", reason="Sphinx is not installed")
sharing = pytest.importorskip("sharing")
search_words = pytest.importorskip("search_words")

PAGES = [f"{chapter}.html" for chapter in chapters()]
GENERATED = ["search.html", "genindex.html"]
META = r'<meta (?:http-equiv|name)="{}" content="([^"]*)"'


def meta(site, page, name):
    text = (site.root / page).read_text(encoding="utf-8")
    return html.unescape(re.search(META.format(name), text)[1])


@for_each([*PAGES, *GENERATED])
def test_a_page_runs_only_scripts_that_were_there_when_it_was_built(page, site):
    policy = meta(site, page, "Content-Security-Policy")
    (scripts,) = re.findall(r"script-src ([^;]*)", policy)
    assert "unsafe" not in scripts
    assert "http" not in policy
    assert policy.startswith("default-src 'none'")
    text = (site.root / page).read_text(encoding="utf-8")
    text = re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)
    assert re.findall(r"<[^>]*\son[a-z]+=[^>]*>", text) == []


def test_a_script_that_was_not_there_is_refused(visit):
    tab = visit(PAGES[0])
    tab.evaluate(
        """() => {
          const script = document.createElement("script");
          script.textContent = "document.title = 'taken'";
          document.head.append(script);
        }"""
    )
    assert tab.title() != "taken"
    assert "Content Security Policy" in visit.problems.pop()


def test_every_page_has_a_description_of_its_own(site):
    told = [meta(site, page, "description") for page in PAGES]
    assert len(set(told)) == len(told)
    for words in told:
        assert 30 <= len(words) <= sharing.DESCRIBED
        assert not re.search(r"[<>{}]|\$\w", words)


def test_nothing_is_served_that_no_page_loads(site):
    static = site.root / "_static"
    assert [p.name for p in static.rglob("*.map")] == []
    assert not (static / "vendor").exists()
    for path in static.rglob("*.css"):
        assert "sourceMappingURL" not in path.read_text(encoding="utf-8"), path.name


FOUND = """selectors => selectors.map(each => {
  try { return document.querySelector(each) ? "found" : ""; } catch { return "?"; }
})"""
STATE = re.compile(r"::?[a-z-]+(\((?:[^()]|\([^()]*\))*\))?")


@pytest.mark.parametrize("page", ["book/grids.html", "search.html?q=pixel"])
def test_no_rule_is_missed_in_the_themes_sheet(page, site, visit):
    """Rules that were taken out fit no element, in whatever state it may be."""
    name = "styles/pydata-sphinx-theme.css"
    (home,) = {p for p in distribution("pydata-sphinx-theme").files if p.match(name)}
    whole, kept = (
        {
            STATE.sub("", each).strip()
            for each in re.findall(r"([^{}]+)\{[^{}]*\}", path.read_text("utf-8"))
            if "@" not in each and "%" not in each
        }
        for path in (Path(home.locate()), site.root / "_static" / name)
    )
    gone = [each for each in whole - kept if re.search(r"\w$", each)]
    assert len(gone) > 1000
    tab = visit(page)
    assert tab.evaluate(FOUND, ["body.nothing", "main"]) == ["", "found"]
    told = tab.evaluate(FOUND, gone)
    assert "found" not in told
    assert told.count("?") < len(gone) / 20


def test_the_licences_of_what_is_served_are_served(site):
    text = (site.root / "_static/licences.txt").read_text(encoding="utf-8")
    assert "KaTeX and its fonts" in text
    assert "Khan Academy" in text
    for name in afterwards.SERVED:
        assert re.search(rf"^{name} \d.*LICEN[CS]E", text, re.M | re.I), name
    page = (site.root / PAGES[0]).read_text(encoding="utf-8")
    assert 'rel="license" href="../_static/licences.txt"' in page


def test_a_wrong_address_has_a_page(site):
    text = (site.root / "404.html").read_text(encoding="utf-8")
    targets = re.findall(r'href="/([^"]+)"', text)
    assert len(targets) == 2
    assert all((site.root / target).is_file() for target in targets)


@pytest.mark.parametrize(
    ("page", "told"),
    [
        (
            "<article><p>Short.</p><p>" + "More words. " * 9 + "</p>",
            "Short. More words.",
        ),
        ("<article><pre><p>no</p></pre><p>A &lt; b.</p>", "A < b."),
        ("<article><p>" + "word " * 60 + "</p>", "word word"),
        ("<article><h1>Title</h1>", ""),
    ],
)
def test_a_description_is_the_first_sentences(page, told):
    found = sharing.description(page)
    assert found.startswith(told)
    assert len(found) <= sharing.DESCRIBED
    assert bool(found) == bool(told)


def test_the_themes_buttons_still_work(visit):
    tab = visit(PAGES[0])
    tab.evaluate("() => { window.print = () => { document.title = 'printed'; }; }")
    tab.locator("[data-do=print]").first.dispatch_event("click")
    assert tab.title() == "printed"
    tab.locator("[data-do=full]").first.dispatch_event("click")
    tab.wait_for_function("document.fullscreenElement !== null")


def test_the_zip_is_the_site_and_opens_from_disk(chromium, site, tmp_path):
    page = (site.root / PAGES[0]).read_text(encoding="utf-8")
    assert f'href="../{afterwards.ZIP}"' in page, "the front page offers it"
    with zipfile.ZipFile(site.root / afterwards.ZIP) as archive:
        names = {name.removeprefix("resize-lab/") for name in archive.namelist()}
        archive.extractall(tmp_path)
    assert {*PAGES, "index.html", "search.html"} <= names
    for name in PAGES:
        text = (tmp_path / "resize-lab" / name).read_text(encoding="utf-8")
        assert 'href="../dist/' not in text, "the zip holds no zip"
    assert (site.root / afterwards.ZIP).stat().st_size <= 6_000_000
    visits = Visits(chromium, Site(tmp_path / "resize-lab", "http://127.0.0.1:9"))
    for name in ("book/grids.html", "search.html?q=pixel"):
        tab = visits(name, "file")
        tab.locator(".resizelab[data-drawn], #search-results li").first.wait_for()
    visits.close()
    visits.check()


# ---- without a network -----------------------------------------------------

KEPT = """() => navigator.serviceWorker.ready.then(
  (kept) => kept.active && kept.active.state === "activated")"""


@pytest.fixture
def copy(chromium, site, tmp_path):
    """Serve a copy of the site to change and to stop; open a page that keeps it."""
    root = tmp_path / "site"
    shutil.copytree(site.root, root)
    server = serve(root)
    place = Site(root, f"http://127.0.0.1:{server.server_port}")
    visits = Visits(chromium, place)
    tab = visits(PAGES[0], service_workers="allow")
    tab.context.unroute_all()
    tab.wait_for_function(KEPT)
    yield place, tab, server
    visits.close()
    server.server_close()


@pytest.mark.slow
def test_after_one_visit_every_page_opens_without_the_server(copy):
    place, tab, server = copy
    server.shutdown()
    server.server_close()
    for page in PAGES:
        tab.goto(place.url(page), wait_until="load")
        assert tab.locator("article h1").count() == 1
    tab.goto(place.url("book/grids.html"))
    tab.locator(".resizelab[data-drawn]").first.wait_for()
    tab.goto(place.url("search.html?q=letterbox"))
    tab.locator("#search-results li a").first.wait_for()


@pytest.mark.slow
def test_a_new_version_is_offered_and_fetches_what_changed(copy):
    place, tab, _ = copy
    page = place.root / PAGES[0]
    page.write_text(page.read_text("utf-8").replace("<title>", "<title>New: "), "utf-8")
    worker = place.root / "sw.js"
    told = json.loads(re.search(r"FILES=(\{.*?\});?\n?", worker.read_text("utf-8"))[1])
    text = worker.read_text("utf-8").replace(told[PAGES[0]], "000000000000", 1)
    worker.write_text(text, "utf-8")
    tab.reload()
    assert not tab.title().startswith("New: "), "the page that was kept"
    tab.locator(".new-version button").click()
    tab.wait_for_function("document.title.startsWith('New: ')")
    kept = tab.evaluate(
        "caches.open('resize-lab').then((s) => s.keys()).then((k) => k.length)"
    )
    assert kept == len(told)


# ---- the search ------------------------------------------------------------


def test_search_words_name_pages_of_the_book():
    known = {name.removeprefix("book/") for name in chapters()}
    assert set(search_words.WORDS) <= known
    words = [w.strip() for text in search_words.WORDS.values() for w in text.split(";")]
    assert len(words) >= 60


def test_the_search_keeps_the_words_of_pages_that_are_not_written_anew(tmp_path):
    pages = {
        "index": "```{toctree}\nzoo\ncubic\n```",
        "zoo": "Grids.",
        "cubic": "Taps.",
    }
    (tmp_path / "conf.py").write_text("root_doc = 'book/index'", "utf-8")
    (tmp_path / "book").mkdir()
    for name, text in pages.items():
        path = tmp_path / f"book/{name}.md"
        path.write_text(f"# {name.title()}\n\n{text}\n", "utf-8")
    out, extensions = tmp_path / "out", "extensions=myst_parser,search_words"
    command = [sys.executable, "-m", "sphinx", "-q", "-D", extensions, tmp_path, out]
    place = {**os.environ, "PYTHONPATH": str(ROOT / "book/extension")}
    found = []
    for text in ("More grids.", "Still more."):
        subprocess.run(command, env=place, check=True)
        index = (out / "searchindex.js").read_text(encoding="utf-8")
        entries = json.loads(re.search(r"\((.*)\)", index, re.DOTALL)[1])
        found.append(entries["indexentries"])
        path = tmp_path / "book/zoo.md"
        path.write_text(f"{path.read_text('utf-8')}\n{text}\n", "utf-8")
    assert {"canvas", "catmull-rom"} <= set(found[0])
    assert found[1] == found[0]


TYPED = {
    "two-libraries": ["letterbox", "center crop", "longest side", "cv2"],
    "volumes": ["voxel spacing"],
    "cubic": ["catmull-rom", "bicubic"],
    "zoo": ["canvas", "tfjs", "sharp"],
    "grids": ["align corners", "half_pixel"],
    "in-the-network": ["transposed convolution"],
    "geometry": ["bounding box"],
    "onnx": ["opset"],
    "shrinking": ["antialiasing"],
    "pipelines": ["exif"],
    "integers": ["quantization"],
    "sizes": ["scale_factor"],
    "fix": ["mask shifted"],
}


@pytest.mark.slow
def test_what_people_type_brings_the_right_page_first(visit, site):
    tab, found = visit("search.html"), defaultdict(list)
    for typed in itertools.chain(*TYPED.values()):
        tab.goto(site.url(f"search.html?q={typed.replace(' ', '+')}"))
        first = tab.locator("#search-results li a").first
        path = first.get_attribute("href").split("#")[0].split("?")[0]
        found[path.removeprefix("book/").removesuffix(".html")].append(typed)
    assert found == TYPED


def test_the_search_page_fits_a_phone_and_quotes_prose(visit):
    tab = visit("search.html?q=import", width=360, height=740, wait="networkidle")
    tab.locator("#search-results li a").first.wait_for()
    assert tab.evaluate("document.documentElement.scrollWidth") <= 360
    lens = tab.locator(".bd-search .fa-magnifying-glass:visible").first.bounding_box()
    field = tab.locator(".bd-search .form-control:visible").first
    inner = field.evaluate("n => parseFloat(getComputedStyle(n).paddingLeft)")
    assert lens["x"] + lens["width"] <= field.bounding_box()["x"] + inner
    quoted = " ".join(tab.locator("#search-results .context").all_inner_texts())
    assert "import numpy" not in quoted
