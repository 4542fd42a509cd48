"""The lesson of 90 minutes: one file that runs from a stick, two sheets of paper."""

import json
import os
import re
import subprocess
import sys
import zlib

import numpy as np
import pytest
from browser import ROOT, Site, Visits
from explorer_checks import from_menu

from resizelab import engines
from resizelab.axis.grid import grid as grid_of
from resizelab.catalog.finding import convention
from resizelab.teaching import exercises, lesson
from resizelab.teaching.exercises import drawing, grading
from resizelab.teaching.lesson import mysteries, page, plan, worksheet

MOST = 3_000_000
LICENCES = (ROOT / "book" / "lesson-90.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Write the three files once."""
    folder = tmp_path_factory.mktemp("stick")
    assert [path.name for path in lesson.write(folder)] == [
        "lesson-90.html",
        "worksheet.pdf",
        "worksheet-key.pdf",
    ]
    return folder


@pytest.fixture
def open_lesson(chromium, folder):
    """Open the lesson from disk, offline; any request or error is a problem."""
    visits = Visits(chromium, Site(folder, "http://127.0.0.1:9"))

    def opened(**how):
        tab = visits("lesson-90.html", "file", offline=True, **how)
        tab.wait_for_selector("[data-name=drift][data-drawn]")
        return tab

    yield opened
    asked = [u for u in visits.requests if not u.startswith(("blob:", "data:"))]
    visits.close()
    visits.check()
    assert {url.split("#")[0] for url in asked} == {
        visits.site.url("lesson-90.html", "file")
    }


def test_the_command_says_what_it_does_and_writes_only_where_it_is_told(tmp_path):
    command = [sys.executable, "-m", "resizelab.teaching.lesson"]
    for asked, code in ("--help", 0), ("--helpp", 2):
        done = subprocess.run(
            [*command, asked],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
        )
        assert done.returncode == code
        assert "usage: python -m resizelab.teaching.lesson" in done.stdout + done.stderr
    assert list(tmp_path.iterdir()) == []


# ---- the file --------------------------------------------------------------


def test_the_file_is_small_and_names_no_other_place(folder):
    text = (folder / "lesson-90.html").read_text(encoding="utf-8")
    assert len(text.encode()) <= MOST
    assert not re.search(r"(src|href)=[\"'](?!#|data:)", text)
    addresses = set(re.findall(r"https?://[\w./-]+", text))
    assert addresses <= {"http://www.w3.org/2000/svg"}


def test_the_same_lesson_is_written_again(folder):
    first = (folder / "lesson-90.html").read_text(encoding="utf-8")
    assert page.html() == first
    assert worksheet.pdf(True) == (folder / "worksheet-key.pdf").read_bytes()


def test_every_explorer_runs_without_a_network(open_lesson):
    tab = open_lesson()
    assert tab.locator(".resizelab").count() == 5 + len(mysteries.HIDDEN) + len(
        page.QUIZ
    )
    assert tab.locator(".resizelab-refused").count() == 0
    names = tab.eval_on_selector_all(".resizelab", "a => a.map(e => e.dataset.name)")
    assert len(set(names)) == len(names)


def test_the_grid_explorer_moves_and_is_right(open_lesson):
    tab = open_lesson()
    root = tab.locator("[data-name=grid]")
    before = root.locator(".rl-stage").inner_html()
    slider = root.locator("input[data-key=n_out]")
    slider.focus()
    slider.press("ArrowRight")
    assert root.locator(".rl-stage").inner_html() != before
    drawn = tab.eval_on_selector_all(
        "[data-name=grid] g[data-mode=align_corners] [data-x]",
        "all => all.map(n => +n.dataset.x)",
    )
    np.testing.assert_allclose(
        drawn, grid_of("align_corners", 4, 9).positions(), atol=1e-6
    )
    # The dial's stops stand in its own order.
    stops = root.locator(".rl-stops button").all_text_contents()
    assert stops == ["asymmetric", "half_pixel", "align_corners"]


def test_words_of_the_lesson_set_the_explorers(open_lesson):
    tab = open_lesson()
    tab.get_by_role("link", name="the right end").click()
    tab.wait_for_selector("[data-name=drift][data-drawn*='\"mark\":15']")
    tab.get_by_role("link", name="posts", exact=True).click()
    tab.wait_for_selector("[data-name=grid][data-drawn*='[\"align_corners\"]']")
    for link in tab.locator("main a[href*=':']").all():
        link.click()
    assert tab.locator(".rl-note:not(:empty)").count() == 0, "a link with a slip"


def test_an_explorer_fills_the_projector(open_lesson):
    tab = open_lesson()
    from_menu(tab.locator("[data-name=grid]"), "Full screen")
    tab.wait_for_function("document.fullscreenElement?.dataset.name === 'grid'")
    assert tab.evaluate("document.fullscreenElement.offsetWidth") >= 1280


def test_hands_are_counted(open_lesson):
    tab = open_lesson()
    box = tab.locator("[data-tally=guess]")
    for _ in range(3):
        box.get_by_role("button", name="one more hand for 2.5").click()
    box.get_by_role("button", name="one more hand for 4.29").click()
    box.get_by_role("button", name="one hand less for 5", exact=True).click()
    assert box.locator("output").all_text_contents() == ["3", "1", "0", "0"]
    assert box.locator("p").text_content() == "Hands: 4"
    shares = box.locator("i").evaluate_all(
        "a => a.map(e => +e.style.getPropertyValue('--share'))"
    )
    assert shares == [0.75, 0.25, 0, 0]
    box.get_by_role("button", name="Clear").click()
    assert box.locator("p").text_content() == "Hands: 0"


def test_a_guess_and_an_exit_question_are_judged(open_lesson):
    tab = open_lesson()
    guess = tab.locator("[data-name=guess]")
    guess.get_by_label("Your guess").fill("5")
    guess.get_by_role("button", name="Commit the guess").click()
    tab.wait_for_selector("[data-name=guess] [data-answer]")
    assert "TensorFlow 1" in guess.locator(".rl-say").text_content()
    for name in page.QUIZ:
        variant = exercises.variant(name, page.SEED)
        root = tab.locator(f"[data-name={name}]")
        root.get_by_label("Your answer").fill(repr(variant.key))
        root.get_by_role("button", name="Check").click()
        tab.wait_for_selector(f"[data-name={name}][data-verdict$=right]")


@pytest.mark.parametrize(
    ("width", "theme"), [(1280, "light"), (1280, "dark"), (360, "light"), (360, "dark")]
)
def test_the_lesson_fits_and_is_legible(open_lesson, width, theme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    tab = open_lesson(width=width, theme=theme)
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    found = axe.Axe().run(tab, options={"resultTypes": ["violations"]}).response
    seen = [
        (v["id"], [n["html"][:120] for n in v["nodes"]]) for v in found["violations"]
    ]
    assert seen == []


# ---- the plan --------------------------------------------------------------


def test_the_plan_fills_ninety_minutes():
    assert [part.minutes for part in lesson.MINUTES] == [10, 25, 20, 25, 10]
    assert plan.clock()[-1][1] == 90
    html = (ROOT / "resizelab/teaching/lesson/lesson.html").read_text(encoding="utf-8")
    sections = re.findall(r'<section id="(\w+)">', html)
    assert sections == [part.key for part in lesson.MINUTES]


# ---- the mysteries ---------------------------------------------------------


def test_every_two_suspects_differ_in_a_number_that_is_shown():
    shown = [mysteries.evidence(suspect) for suspect in mysteries.SUSPECTS]
    assert len(set(shown)) == len(shown)
    assert len(set(mysteries.HIDDEN)) == len(mysteries.HIDDEN) == 5


@pytest.mark.parametrize("suspect", mysteries.SUSPECTS)
def test_the_evidence_is_what_the_real_library_says(suspect):
    call = convention(mysteries.SUSPECTS[suspect])
    if not engines.available()[call.library]:
        pytest.skip(f"{call.library} is not installed")
    for (_, row, n_out), told in zip(
        mysteries.PROBES, mysteries.evidence(suspect), strict=True
    ):
        real = engines.run(call, np.array(row, np.float32), n_out)
        np.testing.assert_allclose(told, real, atol=0.006)


@pytest.mark.parametrize("k", range(5))
def test_a_mystery_has_one_answer_and_says_why_another_is_wrong(k):
    variant = drawing.drawn(mysteries.mystery(k), None)
    assert grading.grade(variant, mysteries.HIDDEN[k]).right
    for other in set(mysteries.SUSPECTS) - {mysteries.HIDDEN[k]}:
        feedback = grading.grade(variant, other)
        assert not feedback.right
        assert re.match(r"Not yet: number \d of the .+ would be", feedback.words)


# ---- the sheets ------------------------------------------------------------


def words_of(pdf):
    """Return the text that a PDF of Matplotlib draws: its codes are UTF-16."""
    letters = rb"\(((?:\\.|[^()\\])*)\)"
    found = []
    for stream in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL):
        try:
            drawn = zlib.decompress(stream)
        except zlib.error:
            continue  # a font's own table
        for one, many in re.findall(
            letters + rb"\s*Tj|\[(.*?)\]\s*TJ", drawn, re.DOTALL
        ):
            raw = one or b"".join(re.findall(letters, many, re.DOTALL))
            bare = re.sub(rb"\\([()\\])", rb"\1", raw)
            found.append(bare.decode("utf-16-be", "replace"))
    return " ".join(found)


@pytest.mark.parametrize("name", ["worksheet.pdf", "worksheet-key.pdf"])
def test_a_sheet_is_one_a4_page(folder, name):
    pdf = (folder / name).read_bytes()
    assert pdf.startswith(b"%PDF-1.")
    assert pdf.rstrip().endswith(b"%%EOF")
    assert len(re.findall(rb"/Type /Page\b", pdf)) == 1
    assert re.search(rb"/Count 1\b", pdf)
    width, height = map(
        float, re.search(rb"/MediaBox \[ 0 0 (\S+) (\S+) \]", pdf).groups()
    )
    assert (round(width), round(height)) == (595, 842)
    assert b"/FontFile2" in pdf, "the letters are in the file"


def test_the_key_holds_the_numbers_and_the_sheet_does_not(folder):
    key, sheet = (
        words_of((folder / name).read_bytes())
        for name in ("worksheet-key.pdf", "worksheet.pdf")
    )
    for name in worksheet.GRIDS:
        assert name in sheet
        places, values = worksheet.numbers(name)
        for number in (*places, *values):
            assert number.lstrip("\u2212") in key
    for number in ("12.5", "17.14", "0.43", "3.25"):
        assert number in key
        assert number not in sheet


@pytest.mark.parametrize("name", worksheet.GRIDS)
def test_the_keys_numbers_follow_the_sheets_rule(name):
    rule = worksheet.GRIDS[name].split(": ")[1]
    rule = rule.replace("\u2212", "-").replace("\u00b7", "*")
    places = [eval(rule, {"i": i}) for i in range(worksheet.N_OUT)]
    values = np.interp(places, range(4), worksheet.PIXELS)
    told = [
        [float(t.replace("\u2212", "-")) for t in row]
        for row in worksheet.numbers(name)
    ]
    np.testing.assert_allclose(told, [places, values], atol=0.0051)


# ---- pictures and their licences -------------------------------------------


PHOTOGRAPHS = {
    "damage-": "Stéfan van der Walt",
    "eye": "Stéfan van der Walt",
    "face": "NASA",
    "cup": "Rachel Michetti",
    "retina": "Mikael Häggström",
    "segmented-": "Mikael Häggström",
    "thinned-": "Lav Varshney",
    "pair-integers": "NASA",
    "pair-": "Stéfan van der Walt",
}


def test_every_picture_of_the_book_has_a_licence():
    kinds = {".png", ".svg", ".jpg", ".jpeg", ".gif", ".webp"}
    files = [p.name for p in (ROOT / "book").rglob("*") if p.suffix in kinds]
    assert files
    rows = [line for line in LICENCES.splitlines() if line.startswith("|")]
    for name in (*files, "lesson-90.html", "worksheet.pdf"):
        # Resized, a photograph in the public domain stays there.
        who = next((who for k, who in PHOTOGRAPHS.items() if name.startswith(k)), None)
        wanted = ("CC0", who) if who else ("CC BY 4.0",)
        assert any(all(w in row for w in (name, *wanted)) for row in rows), name


def test_the_site_serves_the_lesson_and_the_sheets(site):
    html = (site.root / "book/lesson-90.html").read_text(encoding="utf-8")
    for name in ("lesson-90.html", "worksheet.pdf", "worksheet-key.pdf"):
        assert f'href="../_static/{name}"' in html
        assert (site.root / "_static" / name).is_file()
    whole = (site.root / "_static/lesson-90.html").read_text(encoding="utf-8")
    state = re.search(r'widget-state\+json">(.*?)</script>', whole, re.DOTALL)[1]
    assert len(json.loads(state)["state"]) == 14
