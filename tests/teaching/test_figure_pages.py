"""The pages of small figures: what their prose tells, their links, their drawings."""

import json
import re
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
import record_photographs as recorder
from explorer_checks import check_axe
from PIL import Image
from sources import text_of

from resizelab.teaching import figures

RECORDED = Path(recorder.__file__).parents[2] / "book" / "recorded"
ONE = (
    "() => [...globalThis[Symbol.for('resizelab.stores')].values()]"
    ".find((s) => s.name === %r)"
)
# How far from its sentence's top the bottom of each drawing is, by figure.
BELOW = """() => Object.fromEntries(
  [...document.querySelectorAll('.rl-fig[id]')].map((figure) => {
    let words = figure.closest('.cell').previousElementSibling;
    while (words.tagName !== 'P') words = words.previousElementSibling;
    const [low, high] = [figure, words].map((node) => node.getBoundingClientRect());
    return [figure.id, low.bottom - high.top];
  }))"""
HIGHEST, NEAR, NEAR_ON_A_PHONE = 260, 400, 500
READ = {"first": 0, "last": -1}


def photograph(name, ellipse):
    """Return a photograph of the book as its page makes it."""
    return figures.Photograph(
        (RECORDED / f"{name}.webp").read_bytes(), (96, 128), ellipse
    )


def chains():
    """Return the page state of the chapter on drift, as the chapter starts it."""
    return figures.chains(photograph("eye", (48.5, 40.5, 20, 26)), step=1)


class Case(NamedTuple):
    """A chapter: how its state is made, its figures, and states that spoil it."""

    make: object
    names: tuple[str, ...]
    spoiled: tuple[str, ...]


CASES = {
    "drift": Case(
        chains,
        ("mask", "growth", "moves", "levels"),
        (
            "#mask:step=5,grid=align_corners",
            "#levels:d2=strided,u3=asymmetric,pixel=30",
        ),
    ),
}
each_page = pytest.mark.parametrize("name", CASES)


def settled(page):
    """Wait until what was asked for is drawn."""
    page.evaluate("new Promise((r) => requestAnimationFrame(() => setTimeout(r, 60)))")


def opened(visit, name, **how):
    """Return a chapter whose figures are all drawn."""
    page = visit(f"book/{name}.html", **how)
    for one in CASES[name].names:
        page.locator(f"#fig-{one}").scroll_into_view_if_needed()
        page.wait_for_selector(f"#fig-{one}[data-drawn]")
    return page


def numbers(name):
    """Return [(what stands in the prose, scrub or told, key)] of a chapter."""
    page = CASES[name].make()
    found = re.findall(
        r"\{(scrub|told)\}`(\S+) <([a-z]+):([^>]+)>`", text_of(f"book/{name}.md")
    )
    assert {store for _, _, store, _ in found} == {page.name}
    return page, [(shown, role, key) for role, shown, _, key in found]


# --- the words ---


@each_page
def test_the_prose_says_the_start_s_numbers(name):
    page, found = numbers(name)
    assert len(found) >= 4
    for shown, role, key in found:
        if role == "scrub":
            assert float(shown) == page.start[key.split(":")[0]], key
            continue
        array, how = page._told[key]
        value = page.items(page.start)[array.format(**page.start)][READ[how]]
        assert float(shown.replace("\u2212", "-")) == round(float(value), 2) + 0, key


@pytest.mark.parametrize("name", recorder.PICTURES)
def test_pictures_are_cut_from_the_photographs(name):
    pytest.importorskip("skimage")
    stored = np.asarray(Image.open(RECORDED / f"{name}.webp").convert("RGB"), float)
    assert abs(stored - recorder.PICTURES[name]()).mean() < 4  # WebP's own loss


# --- in the page ---


@each_page
def test_a_link_means_the_start_and_its_changes(visit, name):
    page, case = opened(visit, name), CASES[name]
    made = case.make()
    of = "|".join((made.name, *case.names))
    links = page.eval_on_selector_all(
        "article a[href*=':']", "all => all.map((a) => a.getAttribute('href'))"
    )
    mine = [h for h in links if re.match(rf"#({of}):", h)]
    assert mine
    kinds = {c["key"]: c["kind"] for c in made.controls}
    for href in dict.fromkeys(mine):
        wanted = dict(made.start)
        for pair in href.split(":")[1].split(","):
            key, value = pair.split("=")
            wanted[key] = value if kinds[key] == "choice" else float(value)
        for spoiled in case.spoiled:
            page.evaluate("(hash) => { location.hash = hash; }", spoiled)
            settled(page)
            page.locator(f"article a[href='{href}']").first.click()
            settled(page)
            assert page.evaluate(ONE % made.name + ".state") == wanted, (href, spoiled)
            current = page.locator(f"article a[href='{href}']").first
            assert current.get_attribute("aria-current") == "true"


@each_page
def test_told_numbers_are_pythons_in_every_state(visit, name):
    page, (made, found) = opened(visit, name), numbers(name)
    told = {key for _, role, key in found if role == "told"}
    for state in made._states:
        whole = {**made.start, **state}
        page.evaluate(f"(state) => ({ONE % made.name})().set(state)", whole)
        settled(page)
        items = made.items(whole)
        for key in told:
            array, how = made._told[key]
            value = items[array.format(**whole)][READ[how]]
            shown = page.locator(f"[data-tell='{made.name}:{key}']").first.inner_text()
            assert abs(float(shown.replace("\u2212", "-")) - value) <= 0.00501, (
                key,
                whole,
            )


@each_page
def test_figures_stand_low_under_their_sentence(visit, name):
    page = opened(visit, name)
    for one in CASES[name].names:
        assert page.locator(f"#fig-{one}").bounding_box()["height"] <= HIGHEST, one
    names = page.eval_on_selector_all(
        ".rl-fig .rl-stage", "all => all.map((s) => s.getAttribute('aria-label'))"
    )
    assert len(set(names)) == len(names) >= 3
    assert max(page.evaluate(BELOW).values()) <= NEAR
    check_axe(page, f"#fig-{CASES[name].names[0]}[data-drawn]", ".rl-fig")


@each_page
def test_on_a_phone_a_finger_that_goes_down_changes_nothing(visit, name):
    page = opened(visit, name, width=360, height=740, has_touch=True)
    made = CASES[name].make()
    before = page.evaluate(ONE % made.name + ".state")
    touch = page.context.new_cdp_session(page)
    for one in CASES[name].names:
        stage = page.locator(f"#fig-{one} .rl-stage")
        stage.scroll_into_view_if_needed()
        box = stage.bounding_box()
        gesture = {"x": box["x"] + 150, "y": box["y"] + 40, "yDistance": -150}
        touch.send("Input.synthesizeScrollGesture", gesture)
    settled(page)
    assert page.evaluate(ONE % made.name + ".state") == before
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    found = page.evaluate(BELOW)
    assert max(found.values()) <= NEAR_ON_A_PHONE, found
    top = page.evaluate(
        "document.querySelector('.rl-fig').getBoundingClientRect().top + scrollY"
    )
    assert top <= 1.3 * 740


@each_page
def test_without_scripts_the_start_is_drawn(visit, name):
    page = visit(f"book/{name}.html", java_script_enabled=False)
    assert page.locator(".rl-still svg[role=img]").count() == len(CASES[name].names)


# --- what is drawn ---


def test_a_mask_is_what_the_operators_make_of_the_map(visit):
    page, made = opened(visit, "drift"), chains()
    page.locator("#fig-mask").scroll_into_view_if_needed()
    for grid, step in (("asymmetric", 3), ("align_corners", 2), ("half_pixel", 0)):
        whole = {**made.start, "grid": grid, "step": step}
        page.evaluate(f"(state) => ({ONE % 'chain'})().set(state)", whole)
        settled(page)
        items = made.items(whole)
        down, right = (items[f"{k}|{grid}|{step}"].dense() for k in ("down", "right"))
        path = page.locator("[data-mask=chosen]").get_attribute("d")
        drawn = np.zeros((down.shape[0], right.shape[0]), bool)
        for x, y, end in re.findall(r"M(\d+) (\d+)H(\d+)", path):
            drawn[int(y), int(x) : int(end)] = True
        np.testing.assert_array_equal(drawn, down @ items["map"] @ right.T >= -1e-9)


def test_a_press_changes_a_way_and_the_spot_follows(visit):
    page = opened(visit, "drift")
    page.get_by_role("button", name="Way down, level 2: 2×2").click()  # noqa: RUF001
    settled(page)
    button = page.get_by_role("button", name="Way down, level 2: 3×3, stride 2")  # noqa: RUF001
    assert button.evaluate("(b) => b === document.activeElement")
    told = page.locator("[data-tell='chain:out']").first
    assert told.inner_text() == "1"
    drawn = json.loads(page.locator("#fig-levels").get_attribute("data-drawn"))
    made = chains()
    items = made.items(drawn)
    y, values = items["blob|31"], {}
    for key in ("down|pool|64", "down|strided|32", "down|pool|16", "up|half_pixel|8",
                "up|half_pixel|16", "up|half_pixel|32"):  # fmt: skip
        y = items[key].apply(y)
        values[int(key.startswith("up")), len(y)] = y
    for where, value in page.eval_on_selector_all(
        "#fig-levels [data-level]",
        "all => all.map(({dataset: d}) => [d.level, +d.value])",
    ):
        side, n, j = map(int, where.split("|"))
        if (side, n) in values:
            assert abs(values[side, n][j] - value) < 1e-6
    centre = page.locator("#fig-levels [data-centre]").last
    assert (
        abs(float(centre.get_attribute("data-centre")) - (y @ np.arange(64) / y.sum()))
        < 1e-6
    )
