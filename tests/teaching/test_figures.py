"""Small figures share one state: links, numbers in the prose, drawings, stills."""

import itertools
import json
import re

import numpy as np
import pytest
from bulk import for_each
from playwright.sync_api import expect

import resizelab as rl
from resizelab.teaching import figures

GRIDS = "book/grids.html"
START = {"n_in": 4, "n_out": 8, "pixel": 1, "grid": "half_pixel", "dial": 0.5}


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


# --- in the page ---


def test_figures_of_a_page_show_one_state(opened):
    opened.locator("#fig-dial").scroll_into_view_if_needed()
    opened.locator("#fig-dial .rl-stage").press("End")
    opened.wait_for_selector("#fig-ribbons[data-drawn*='\"pixel\":7']")
    assert state_of(opened)["pixel"] == state_of(opened, "dial")["pixel"] == 7
    voice = opened.locator(".rl-voice")
    expect(voice).to_have_text(re.compile("slide"))


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


PLACED = "half_pixel", "align_corners", "asymmetric"


@for_each(itertools.product(PLACED, [(4, 8), (8, 2), (5, 13), (7, 1)]))
def test_ribbons_are_the_operator(chosen, opened):
    name, (n_in, n_out) = chosen
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
