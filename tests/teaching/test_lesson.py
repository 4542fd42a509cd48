"""The lesson of 90 minutes: one file that runs from a stick, two sheets of paper."""

import itertools
import json
import os
import re
import subprocess
import sys

import numpy as np
import pytest
from browser import ROOT, Site, Visits
from bulk import some
from matplotlib.text import Text
from playwright.sync_api import expect

from resizelab import engines
from resizelab.axis.grid import grid as grid_of
from resizelab.catalog.finding import convention
from resizelab.teaching import exercises, lesson
from resizelab.teaching.exercises import drawing, grading
from resizelab.teaching.lesson import mysteries, page, plan, worksheet

MOST = 1_000_000
FIGURES = {"tiles": "half_pixel", "posts": "align_corners", "both": "asymmetric"}
WIDGETS = 2 + 7 + len(mysteries.HIDDEN) + len(page.QUIZ)
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

    def opened(at="", **how):
        tab = visits(f"lesson-90.html{at}", "file", offline=True, **how)
        tab.wait_for_function(
            "n => document.querySelectorAll('.resizelab, .rl-fig').length === n",
            arg=WIDGETS,
        )
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


@pytest.mark.parametrize(("name", "grid"), FIGURES.items())
def test_a_figure_moves_and_is_right(open_lesson, name, grid):
    tab = open_lesson()
    stage = tab.locator(f"#fig-{name} .rl-stage")
    stage.scroll_into_view_if_needed()
    stage.press("Home")
    for i, x in enumerate(grid_of(grid, 4, 8).positions()):
        told = f"{grid}: output {i} reads at {worksheet._short(x)}"
        tab.wait_for_function(
            "([n, t]) => document.querySelector(n).textContent.includes(t)",
            arg=[f"#fig-{name} svg", told],
        )
        stage.press("ArrowRight")


def test_words_of_the_lesson_set_the_figures(open_lesson):
    tab = open_lesson()
    tab.get_by_role("link", name="the right end").click()
    tab.wait_for_selector("#fig-moves[data-drawn*='\"place\":15']")
    lost = tab.locator("[data-tell='chain:lost']")
    scrub = tab.locator("[data-scrub='chain:step']")
    for key, told in {"Home": "0", "ArrowRight": "0.5", "End": "15.5"}.items():
        scrub.press(key)
        expect(lost).to_have_text(told)
    for link in tab.locator("main a[href*=':']").all():
        link.click()
        tab.wait_for_function("a => a.ariaCurrent", arg=link.element_handle())
    assert tab.locator(".rl-note:not(:empty)").count() == 0, "a link with a slip"


def test_hands_are_counted_and_told_only_at_the_end(open_lesson):
    tab = open_lesson()
    box = tab.locator("[data-tally=guess]")
    assert "4.29" not in box.inner_text()
    assert "4.29" not in tab.locator("#guess .slide").first.inner_text()
    box.get_by_role("button", name="Show the choices").click()
    assert box.locator("b").all_inner_texts() == [
        *("A: 2.5", "B: 4.29", "C: 5", "D: another")
    ]
    for letter, hands in {"A": 3, "B": 1, "C": 1}.items():
        for _ in range(hands):
            box.get_by_role("button", name=f"one more hand for {letter}").click()
    box.get_by_role("button", name="one hand less for C", exact=True).click()
    assert box.locator("p").text_content() == "Hands: 4"
    assert box.locator("output").all_text_contents() == [""] * 4
    box.get_by_role("button", name="Show the tallies").click()
    assert box.locator("output").all_text_contents() == ["3", "1", "0", "0"]
    shares = box.locator("i").evaluate_all(
        "a => a.map(e => +e.style.getPropertyValue('--share'))"
    )
    assert shares == [0.75, 0.25, 0, 0]
    box.get_by_role("button", name="Clear").click()
    assert box.locator("p").text_content() == "Write your number down."
    assert "2.5" not in box.inner_text()


# ---- the slides ------------------------------------------------------------


def shown(tab):
    """Return the number of the slide that is shown, and how many there are."""
    assert tab.locator(".slide:visible").count() == 1
    at, count = tab.locator(".turn output").text_content().split(" / ")
    return int(at), int(count)


def test_keys_turn_the_slides_and_a_figure_keeps_its_own(open_lesson):
    tab = open_lesson()
    tab.get_by_role("button", name="Show as slides").click()
    first, count = shown(tab)
    assert (first, count) == (1, tab.locator(".slide").count())
    for key, at in {"PageDown": 2, "ArrowRight": 3, "ArrowLeft": 2, " ": 3}.items():
        tab.locator("body").press(key)
        assert shown(tab)[0] == at, key
    stage = tab.locator("#fig-tent .rl-stage")
    stage.press("ArrowRight")
    assert shown(tab)[0] == 3
    tab.wait_for_selector("#fig-tent[data-drawn*='\"pixel\":2']")
    stage.press("Escape")
    tab.locator("body").press("ArrowRight")
    assert shown(tab)[0] == 4
    tab.locator("body").press("End")
    tab.locator("body").press("ArrowRight")
    assert shown(tab)[0] == count
    tab.reload()
    tab.wait_for_selector("[data-slides]")
    assert shown(tab)[0] == count
    tab.locator("body").press("Escape")
    assert tab.locator(".slide:visible").count() == count


def test_every_slide_fits_a_projector_and_its_figure_draws(open_lesson):
    tab = open_lesson("#slides", theme="dark", width=1280, height=720)
    for k in range(shown(tab)[1]):
        tab.wait_for_function(
            """[...document.querySelectorAll('.slide.on .rl-fig')]
              .every((f) => f.dataset.drawn)"""
        )
        size = "(({scrollWidth: w, scrollHeight: h}) => [w, h])"
        assert tab.evaluate(f"{size}(document.documentElement)") == [1280, 720], k + 1
        tab.locator("body").press("PageDown")


def test_notes_are_shown_when_asked_for_and_on_paper(open_lesson):
    tab = open_lesson("#slides-2")
    notes = tab.locator("aside:visible")
    assert notes.count() == 0
    tab.locator("body").press("n")
    assert "number down" in notes.inner_text()
    pdf = tab.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type /Page\b", pdf)) == tab.locator(".slide").count()
    assert tab.locator(".rl-fig:not([data-drawn])").count() == 0
    tab.emulate_media(media="print")
    assert notes.count() == tab.locator("aside").count()


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
    ("width", "theme"), some(itertools.product((1280, 360), ("light", "dark")), 0, 3)
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
    assert all(part.prompts and part.listen for part in lesson.MINUTES)
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


def test_the_key_holds_the_numbers_and_the_sheet_its_middle_columns():
    key, sheet = (
        [text.get_text() for text in worksheet.sheet(filled).findobj(Text)]
        for filled in (True, False)
    )
    for name in worksheet.GRIDS:
        for row in worksheet.numbers(name):
            assert set(row) <= set(key)
    assert {"25.71", "4.29", "0.43", "3.25"} & set(sheet) == set()
    asked = 2 * len(worksheet.ASKED) * len(worksheet.GRIDS)
    # On the sheet alone stands a line for a name.
    assert sum(map(bool, key)) - sum(map(bool, sheet)) == asked - 1 == 31


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
    "cat": "Stéfan van der Walt",
    "brick": "cc0textures.com",
    "gravel": "cc0textures.com",
    "grass": "linolafett",
}


def test_every_picture_of_the_book_has_a_licence():
    kinds = {".png", ".svg", ".jpg", ".jpeg", ".gif", ".webp"}
    folders = (ROOT / "book", ROOT / "resizelab/teaching")
    files = [p.name for f in folders for p in f.rglob("*") if p.suffix in kinds]
    assert {"favicon.svg", "eye.webp", "grass.webp"} <= set(files)
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
    assert len(json.loads(state)["state"]) == WIDGETS
