"""Small figures share one state: links, numbers in the prose, drawings, stills."""

import json
import re

import numpy as np
import pytest
from explorer_checks import check_axe
from playwright.sync_api import expect
from sources import text_of

import resizelab as rl
from resizelab.axis.grid import grid
from resizelab.teaching import figures

GRIDS = "book/grids.html"
START = {"n_in": 4, "n_out": 8, "pixel": 1, "grid": "half_pixel", "dial": 0.5}
HIGHEST = 260  # pixels of a figure at the text's width
SPOILED = (
    "#ribbons:grid=align_corners,n_in=7,n_out=3",
    "#dial:dial=2,pixel=5",
    "#grid:n_in=8,n_out=16,pixel=15",
)


def state_of(page, figure="ribbons"):
    return json.loads(page.locator(f"#fig-{figure}").get_attribute("data-drawn"))


def settled(page):
    """Wait until what was asked for is drawn."""
    page.evaluate("new Promise((r) => requestAnimationFrame(() => setTimeout(r, 60)))")


def shown(page, figure="ribbons"):
    """Return the page with a figure on its screen: those far from it wait."""
    page.locator(f"#fig-{figure}").scroll_into_view_if_needed()
    page.wait_for_selector(f"#fig-{figure}[data-drawn]")
    return page


@pytest.fixture
def opened(visit):
    return shown(visit(GRIDS))


# --- the value ---


def test_a_page_checks_what_it_is_given():
    page = figures.grids(n_in=8, n_out=2)
    assert page.state == {**START, "n_in": 8, "n_out": 2}
    with pytest.raises(ValueError, match="from 2 to 8"):
        figures.grids(n_in=9)
    with pytest.raises(ValueError, match="tiles, ribbons, dial"):
        page.figure("ribbon")
    page.figure("ribbons")
    with pytest.raises(ValueError, match="stands once"):
        page.figure("ribbons")
    with pytest.raises(ValueError, match="a letter first"):
        figures.Page(
            "9", (), {}, dict, (), kinds=(), words={}, told={}, looks=(), keys={}
        )


def test_python_sets_every_figure_of_a_page():
    page = figures.grids()
    one, two = page.figure("ribbons"), page.figure("dial")
    page.state = {"n_out": 2, "pixel": 5}
    assert one.state == two.state == page.state == {**START, "n_out": 2, "pixel": 1}
    with pytest.raises(ValueError, match="no control is called 'pixl'"):
        page.state = {"pixl": 1}


def test_only_the_first_figure_carries_the_operators():
    page = figures.grids()
    made = [page.figure("ribbons"), page.figure("dial")]
    assert [bool(figure.payload) for figure in made] == [True, False]


def test_the_prose_says_the_start_s_numbers():
    page = figures.grids()
    numbers = {"n_out": 8}
    for name, (key, how) in page._told.items():
        x = page.items(page.start)[key.format(**page.start)]
        read = {"first": x[0], "last": x[-1], "step": x[1] - x[0], "here": x[1]}
        numbers[name] = round(float(read[how]), 2)
    number = r"\{(?:scrub|told)\}`(\S+) <grid:([^>]+)>`"
    written = re.findall(number, text_of("book/grids.md"))
    assert len(written) >= 4
    for number, key in written:
        name = re.sub(r"^(n_out):\d+$", r"\1", key)
        assert float(number) == numbers[name], key


# --- in the page ---


def test_figures_of_a_page_show_one_state(opened):
    opened.locator("#fig-dial").scroll_into_view_if_needed()
    opened.locator("#fig-dial .rl-stage").press("End")
    opened.wait_for_selector("#fig-ribbons[data-drawn*='\"pixel\":7']")
    assert state_of(opened)["pixel"] == state_of(opened, "dial")["pixel"] == 7
    voice = opened.locator(".rl-voice")
    expect(voice).to_have_text(re.compile("slide"))


@pytest.mark.parametrize("via", ["http", "file"])
def test_a_link_means_the_start_and_its_changes(visit, via):
    page = shown(visit(GRIDS, via=via))
    links = page.eval_on_selector_all(
        "article a[href*=':']", "all => all.map((a) => a.getAttribute('href'))"
    )
    mine = [h for h in links if re.match(r"#(both|ribbons|dial|grid):", h)]
    assert len(mine) >= 6
    for href in mine:
        wanted = dict(START)
        for pair in href.split(":")[1].split(","):
            key, value = pair.split("=")
            wanted[key] = value if key == "grid" else float(value)
        for spoiled in SPOILED:
            page.evaluate("(hash) => { location.hash = hash; }", spoiled)
            settled(page)
            link = page.locator(f"article a[href='{href}']").first
            link.click()
            settled(page)
            page.wait_for_function(
                """() => document.querySelector("article a[aria-current=true]")"""
            )
            assert link.get_attribute("aria-current") == "true"
            drawn = page.evaluate(
                "() => [...globalThis[Symbol.for('resizelab.stores')].values()]"
                ".find((s) => s.name === 'grid').state"
            )
            assert drawn == wanted, (href, spoiled)


def test_back_returns_to_the_sentence_and_the_state(opened):
    link = opened.locator("a[href='#ribbons:n_in=8,n_out=2,pixel=1']")
    link.scroll_into_view_if_needed()
    before, entries = opened.evaluate("[scrollY, history.length]")
    link.click()
    link.click()
    settled(opened)
    assert state_of(opened)["n_out"] == 2
    assert opened.evaluate("history.length") == entries + 1
    opened.go_back()
    settled(opened)
    assert state_of(opened) == START
    assert abs(opened.evaluate("scrollY") - before) < 2


def test_a_number_in_the_prose_is_a_slider(opened):
    number = opened.locator("[data-scrub='grid:n_out']").first
    number.scroll_into_view_if_needed()
    assert number.get_attribute("role") == "slider"
    number.press("ArrowRight")
    settled(opened)
    assert number.inner_text() == "9"
    box = number.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    opened.mouse.move(x, y)
    opened.mouse.down()
    opened.mouse.move(x - 5 * 14, y, steps=4)
    opened.mouse.up()
    settled(opened)
    assert number.inner_text() == "4"
    second = opened.locator("[data-scrub='grid:n_out']").nth(1)
    second.press("Home")
    settled(opened)
    assert second.inner_text() == "2"  # lower its sentence would not be true


def test_told_numbers_are_pythons_in_every_state(opened):
    number = opened.locator("[data-scrub='grid:n_out']").first
    number.press("Home")
    for n_out in range(1, 17):
        settled(opened)
        assert number.inner_text() == str(n_out)
        for name in ("first:half_pixel", "last:half_pixel", "step:align_corners"):
            how, which = name.split(":")
            x = grid(which, 4, n_out).positions()
            step = x[1] - x[0] if n_out > 1 else 0
            read = {"first": x[0], "last": x[-1], "step": step}[how]
            shown = opened.locator(f"[data-tell='grid:{name}']").first.inner_text()
            assert abs(float(shown.replace("\u2212", "-")) - read) <= 0.00501, (
                name,
                n_out,
            )
        number.press("ArrowRight")


@pytest.mark.parametrize(("n_in", "n_out"), [(4, 8), (8, 2), (5, 13), (7, 1)])
@pytest.mark.parametrize("name", ["half_pixel", "align_corners", "asymmetric"])
def test_ribbons_are_the_operator(opened, name, n_in, n_out):
    opened.evaluate(
        "(hash) => { location.hash = hash; }",
        f"#ribbons:n_in={n_in},n_out={n_out},grid={name}",
    )
    settled(opened)
    drawn = np.zeros((n_out, n_in))
    for i, j, w in opened.eval_on_selector_all(
        "#fig-ribbons .rl-ribbon",
        "all => all.map(({dataset: d}) => [+d.output, +d.tap, +d.weight])",
    ):
        drawn[i, j] += w
    ours = rl.weights(rl.Spec(grid=name), n_in, n_out).dense()
    assert np.allclose(drawn, ours, atol=1e-6)


def test_a_finger_that_goes_down_changes_nothing(visit):
    page = shown(visit(GRIDS, width=360, height=740, has_touch=True))
    stage = page.locator("#fig-ribbons .rl-stage")
    before = state_of(page)
    box = stage.bounding_box()
    touch = page.context.new_cdp_session(page)
    gesture = {"x": box["x"] + 150, "y": box["y"] + 60, "yDistance": -150}
    touch.send("Input.synthesizeScrollGesture", gesture)
    settled(page)
    assert state_of(page) == before
    stage.tap(position={"x": 300, "y": 160})
    settled(page)
    assert state_of(page)["pixel"] > before["pixel"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_menu_closes_and_gives_the_focus_back(opened):
    more = opened.locator("#fig-ribbons summary")
    more.click()
    opened.get_by_role("button", name="All numbers").press("Escape")
    assert opened.evaluate("document.activeElement.tagName") == "SUMMARY"
    more.click()
    opened.get_by_role("button", name="All numbers").click()
    assert opened.locator("#fig-ribbons table").count() == 1
    opened.evaluate("location.hash = '#ribbons:n_out=3'")
    settled(opened)
    assert opened.locator("#fig-ribbons tbody tr").count() == 3


def test_figures_are_low_and_stand_under_their_sentence(opened):
    for name in ("tiles", "posts", "both", "ribbons", "dial"):
        box = shown(opened, name).locator(f"#fig-{name}").bounding_box()
        assert box["height"] <= HIGHEST, name


def test_each_figure_has_a_name_of_its_own(opened):
    names = opened.eval_on_selector_all(
        ".rl-fig .rl-stage", "all => all.map((s) => s.getAttribute('aria-label'))"
    )
    assert len(set(names)) == len(names) >= 5
    check_axe(opened, "#fig-ribbons[data-drawn]", ".rl-fig")


def test_without_scripts_the_start_is_drawn(visit):
    page = visit(GRIDS, java_script_enabled=False)
    stills = page.locator(".rl-still svg[role=img]")
    assert stills.count() == 5
    assert "reads at 0.25" in stills.first.get_attribute("aria-label")
    number = page.locator("[data-tell='grid:first:half_pixel']")
    assert number.inner_text() in ("-0.25", "\u22120.25")
