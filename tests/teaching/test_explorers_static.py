"""The explorers on pages without a kernel, over http and from a file.

A tiny book holds them; every control is moved by key, mouse and touch, and what is
drawn is read back and compared with the package.
"""

import base64
import gzip
import re

import numpy as np
import pytest
from explorer_checks import (
    PHONE,
    Explorer,
    check_axe,
    check_it_fits,
    check_no_jump,
    drawn_state,
    from_menu,
)
from tiny_book import code

import resizelab as rl
from resizelab.axis.grid import grid as grid_of

pytest.importorskip("anywidget")

from resizelab.teaching.explorers import grid

IMPORT = "from resizelab.teaching.explorers import grid, predict\n"
QUESTION = "Four pixels: 0, 10, 20, 30. Make them eight. What is the second number?"
ANSWERS = "{'half_pixel': 2.5, 'align_corners': 30 / 7, 'asymmetric': 5.0}"
EXPLAIN = "They disagree about where a pixel is."
REFUSED = """\
import anywidget, ipywidgets, traitlets
class Chatty(anywidget.AnyWidget):
    _esm = 'export default {{ render({{ model }}) {{ {body} }} }}'
class Nested(anywidget.AnyWidget):
    _esm = 'export default {{ render() {{}} }}'
    child = traitlets.Instance(ipywidgets.Widget).tag(
        sync=True, **ipywidgets.widget_serialization)
{show}"""
TINY_PAGES = {
    "grids": "# Grids\n\n[Corners](#grid:mode=align_corners,n_in=5,n_out=9).\n\n"
    + code(IMPORT + "grid()")
    + "\n\nWords below.\n",
    "guesses": "# Guesses\n"
    + code(
        f"{IMPORT}predict({QUESTION!r}, {ANSWERS}, correct='half_pixel', "
        f"explain={EXPLAIN!r})"
    )
    + code(
        "predict('Which way?', {'tf1': 'left', 'torch': 'stays', 'tf2': 'stays'}, "
        "choices=['left', 'stays', 'right'], name='way', "
        "feedback={'else': 'Nobody goes there.'})"
    ),
    "both": "# Both\n" + code(IMPORT + "grid()") + code("grid(3, 5, name='second')"),
    "sliders": "# Sliders\n"
    + code(
        "import ipywidgets\nimport matplotlib.pyplot as plt\n"
        "def draw(n=3):\n    plt.plot(range(n))\n    plt.show()\n"
        "ipywidgets.interact(draw, n=(1, 5));"
    ),
    "chatty": "# Chatty\n"
    + code(REFUSED.format(body='model.on("msg:custom", () => 0)', show="Chatty()"))
    + code("Nested(child=ipywidgets.IntSlider())"),
}


def numbers(page, mode: str, attribute: str) -> list[float]:
    """Return a data attribute of all markers of a row."""
    nodes = f".resizelab[data-name=grid] g[data-mode={mode}] [data-{attribute}]"
    script = f"all => all.map(n => +n.dataset.{attribute})"
    return page.eval_on_selector_all(nodes, script)


def expected_dial(n_in: int, n_out: int, dial: float) -> np.ndarray:
    """Return the dial's positions, from Python's grids alone."""
    a, b, c = (
        grid_of(m, n_in, n_out).positions()
        for m in ("asymmetric", "half_pixel", "align_corners")
    )
    return a + dial * (b - a) if dial <= 1 else b + (dial - 1) * (c - b)


def check_drawing(page) -> None:
    """Compare every row that is drawn with the package, to 1e-6."""
    s = drawn_state(page, "grid")
    half = grid_of("half_pixel", s["n_in"], s["n_out"]).positions()
    for mode in s["mode"]:
        x = grid_of(mode, s["n_in"], s["n_out"]).positions()
        np.testing.assert_allclose(numbers(page, mode, "x"), x, atol=1e-6)
        np.testing.assert_allclose(numbers(page, mode, "shift"), x - half, atol=1e-6)
        spec = rl.Spec(kernel="linear", grid=mode)
        row = rl.weights(spec, s["n_in"], s["n_out"]).dense()[s["pixel"]]
        assert numbers(page, mode, "tap") == np.flatnonzero(row).tolist()
        drawn = numbers(page, mode, "weight")
        np.testing.assert_allclose(drawn, row[row != 0], atol=1e-6)
    dial = expected_dial(s["n_in"], s["n_out"], s["dial"])
    np.testing.assert_allclose(numbers(page, "dial", "x"), dial, atol=1e-6)
    shown = page.eval_on_selector_all(
        ".resizelab[data-name=grid] g[data-mode]", "all => all.map(n => n.dataset.mode)"
    )
    assert shown == [*s["mode"], "dial"]


# ---- grid ------------------------------------------------------------------


def test_the_address_holds_the_state(look):
    page = look("grids.html#grid:n_in=3,n_out=12,pixel=7,mode=asymmetric")
    page.wait_for_selector("[data-drawn*='\"n_in\":3']")
    wanted = drawn_state(page, "grid")
    assert (wanted["n_in"], wanted["n_out"], wanted["pixel"]) == (3, 12, 7)
    check_drawing(page)
    page.locator("input[data-key=n_in]").press("ArrowRight")
    from_menu(page, "Copy link to this state")
    page.wait_for_function("document.querySelector('.rl-note').textContent !== ''")
    again = look(page.url.split("/")[-1])
    again.wait_for_selector("[data-drawn*='\"n_in\":4']")
    assert drawn_state(again, "grid") == {**wanted, "n_in": 4}


def test_an_address_for_somebody_else_is_ignored(look):
    page = look("grids.html#%E0%A4%A")
    page.wait_for_selector(".resizelab[data-drawn]")
    before = drawn_state(page, "grid")
    for fragment in ("grids", "other:n_in=3", ":", "grid", "%E0%A4%A", "&&="):
        page.evaluate("hash => { location.hash = hash; }", fragment)
        page.wait_for_timeout(50)
        assert drawn_state(page, "grid") == before
        assert page.locator(".rl-note").inner_text() == ""


def test_two_on_a_page_keep_apart(look):
    page = look("both.html#grid:n_in=7&second:n_in=2")
    page.wait_for_selector("[data-name=second][data-drawn*='\"n_in\":2']")
    assert (drawn_state(page, "grid")["n_in"], drawn_state(page, "second")["n_in"]) == (
        7,
        2,
    )
    ids = page.eval_on_selector_all("[id]", "all => all.map(n => n.id)")
    assert len(ids) == len(set(ids))
    assert page.locator(".resizelab .resizelab").count() == 0


@pytest.mark.parametrize("name", ["grids", "guesses", "both"])
def test_nothing_sticks_out_at_360_pixels(look, name):
    page = look(f"{name}.html", width=360)
    page.wait_for_selector(".resizelab[data-drawn]")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    for root in page.locator(".resizelab").all():
        assert root.evaluate("n => n.scrollWidth <= n.clientWidth")
    if name == "grids":
        rows = page.locator("g[data-mode]").all()
        tops = [r.bounding_box() for r in rows[:2]]
        assert tops[1]["y"] + tops[1]["height"] - tops[0]["y"] < 740


def test_full_screen_is_the_same_picture_larger(look):
    page = look("grids.html")
    before = page.locator(".rl-stage svg").bounding_box()["height"]
    height = "document.querySelector('.rl-stage svg').clientHeight"
    from_menu(page, "Full screen")
    page.wait_for_function("document.fullscreenElement !== null")
    page.wait_for_function(
        "h => document.querySelector('.rl-stage svg').clientHeight > 1.3 * h",
        arg=before,
    )
    check_drawing(page)
    page.locator("[data-mode=half_pixel] [data-output='3']").click()
    assert drawn_state(page, "grid")["pixel"] == 3
    check_it_fits(page)
    page.evaluate("document.exitFullscreen()")
    page.wait_for_function(f"h => {height} <= h", arg=before)
    check_drawing(page)


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("name", ["guesses", "both"])
def test_the_page_does_not_jump(look, name, width):
    check_no_jump(look(f"{name}.html", width=width))


class TestGrid(Explorer):
    make, check = staticmethod(grid), staticmethod(check_drawing)
    name, page = "grid", "grids"
    sliders = {"n_in": 1, "n_out": 1, "pixel": 1, "dial": 0.01}
    start = {
        "n_in": 4, "n_out": 8, "pixel": 1, "dial": 0.5,
        "mode": ["asymmetric", "half_pixel", "align_corners"],
    }  # fmt: skip
    link = "Corners", {"mode": ["align_corners"], "n_in": 5, "n_out": 9}
    junk = {
        "n_in=99": "n_in is 8 here: it goes from 2 to 8",
        "n_in=four": "“four” is no number",
        "n_in=": "“” is no number",
        "mode=wrong": "mode has no “wrong”",
        "hat=1": "“hat” is nothing to set here",
        "__proto__=1": "“__proto__” is nothing to set here",
        "n_in=%3Cimg src=x onerror=alert(1)%3E": "is no number",
    }
    moved = "n_in", [2 + k % 7 for k in range(40)]
    themed = "[data-mode=half_pixel] circle[data-output='2']", "stroke"
    said = "half_pixel at 0.25"
    wrong = [({"name": "my grid"}, ValueError, "name='my grid': it stands in links")]

    def test_nothing_of_an_address_becomes_a_part_of_the_page(self, look):
        page = self.open(look, "n_in=%3Cimg src=x onerror=alert(1)%3E")
        assert page.locator(".resizelab img").count() == 0

    def test_stops_and_outputs_can_be_pressed(self, look):
        page = self.open(look)
        stops = page.locator(".rl-stops button").all()
        for button, dial in zip(stops, (0, 1, 2), strict=True):
            button.press("Enter")
            assert self.state(page)["dial"] == dial
            check_drawing(page)
        page.locator("[data-mode=half_pixel] [data-output='2']").click()
        assert self.state(page)["pixel"] == 2
        check_drawing(page)

    def test_an_output_can_be_tapped(self, look):
        page = self.open(look, **PHONE)
        page.locator("[data-mode=align_corners] [data-output='0']").tap()
        assert self.state(page)["pixel"] == 0
        check_drawing(page)

    def test_a_link_pressed_twice_sets_it_twice(self, look):
        page = self.open(look)
        for _ in range(2):  # the second press changes no address
            page.get_by_role("link", name="Corners").click()
            assert self.state(page)["n_in"] == 5
            from_menu(self.at(page, ""), "Start again")
            assert self.state(page) == self.start


# ---- predict ---------------------------------------------------------------


GUESSES = {
    "2.5": "You said 2.5: right, that is half_pixel.",
    "5": "You said 5? You think like asymmetric. Here the answer is 2.5 (half_pixel).",
    "4,29": "You said 4.29? You think like align_corners.",
    "30/7": "You said 4.286? You think like align_corners.",
    "12": "No convention here gives that; nearest is asymmetric with 5.",
}


def test_a_guess_is_accessible(look):
    page = look("guesses.html", theme="light")
    page.locator(".resizelab input").first.fill("5")
    page.get_by_text("Commit the guess").first.click()
    check_axe(page, "[data-answer]")
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    check_axe(page, ".resizelab[data-dark] [data-answer]")


def test_a_guess_gets_its_convention_on_a_page_from_disk(look):
    page = look("guesses.html", via="file")
    root = page.locator("[data-name=predict]")
    for guess, said in GUESSES.items():
        root.locator("input").fill(guess)
        root.locator("input").press("Enter")
        page.wait_for_function(
            "t => document.querySelector('[data-name=predict] .rl-say')"
            ".textContent.includes(t)",
            arg=said,
        )
        assert root.locator(".rl-say").inner_text().endswith(EXPLAIN)
        drawn = page.eval_on_selector_all(
            "[data-name=predict] [data-value]", "a => a.map(n => +n.dataset.value)"
        )
        np.testing.assert_allclose(drawn, sorted([2.5, 30 / 7, 5]), atol=1e-6)


def test_no_answer_is_in_the_page_before_the_guess(look, tiny_site):
    page = look("guesses.html")
    page.wait_for_selector("[data-name=predict][data-drawn]")
    source = (tiny_site.root / "guesses.html").read_text()
    # The code of the cell does hold them (a chapter hides its input): leave it out.
    source = re.sub(r'<div class="highlight.*?</div>', "", source, flags=re.DOTALL)
    shown = page.locator("[data-name=predict]").inner_html()
    buffers = re.findall(r'"data": "([A-Za-z0-9+/=]+)"', source)
    assert buffers
    raw = [base64.b64decode(text) for text in buffers]
    raw += [gzip.decompress(r) for r in raw if r[:2] == b"\x1f\x8b"]
    opened = b"".join(raw).decode("latin-1")
    for text in (source, shown, opened):
        assert EXPLAIN not in text
        assert "4.28" not in text
        assert "You think like asymmetric" not in text
    assert page.locator("[data-answer], [data-value]").count() == 0


def test_an_empty_guess_is_told_and_opens_nothing(look):
    page = look("guesses.html", width=360, has_touch=True)
    for name, said in {"predict": "Write a number", "way": "Choose first"}.items():
        root = page.locator(f"[data-name={name}]")
        root.get_by_text("Commit the guess").tap()
        assert said in root.locator(".rl-note").inner_text()
        assert root.locator("[data-answer]").count() == 0


def test_a_choice_is_judged_and_can_be_taken_back(look):
    page = look("guesses.html")
    root = page.locator("[data-name=way]")
    for choice, said in {
        "right": "Nobody goes there.",
        "stays": "You said stays? You think like torch and tf2.",
    }.items():
        root.get_by_label(choice).check()
        root.get_by_text("Commit the guess").click()
        page.wait_for_function(
            "t => document.querySelector('[data-name=way] .rl-say').textContent === t",
            arg=said,
        )
    assert root.locator(".rl-more").count() == 0, "a question has no menu"


def test_a_link_fills_in_a_guess_but_does_not_commit_it(look):
    page = look("guesses.html#predict:guess=5")
    root = page.locator("[data-name=predict]")
    page.wait_for_selector("[data-name=predict][data-drawn*='5']")
    assert root.locator("input").input_value() == "5"
    assert root.locator("[data-answer]").count() == 0
    root.get_by_text("Commit the guess").click()
    page.wait_for_selector("[data-name=predict] [data-answer]")


# ---- the host --------------------------------------------------------------


def test_without_scripts_there_is_a_figure(look):
    page = look("grids.html", java_script_enabled=False)
    picture = page.locator(".resizelab-place svg")
    assert picture.bounding_box()["width"] > 200
    assert "half_pixel at 0.25" in picture.get_attribute("aria-label")


def test_a_slider_of_ipywidgets_shows_its_figure_and_where_it_runs(look):
    page = look("sliders.html")
    picture = page.get_by_alt_text("The figure for the starting values")
    picture.wait_for()
    assert picture.evaluate("n => n.naturalWidth") > 100
    assert "open the chapter in JupyterLab" in page.get_by_role("note").inner_text()
    assert page.locator("article input[type=range]").count() == 0


def test_what_the_host_cannot_do_is_told_in_the_widgets_place(look):
    page = look("chatty.html")
    page.get_by_role("note").nth(1).wait_for()
    said = page.get_by_role("note").all_inner_texts()
    assert any("messages of its own" in t for t in said)
    assert any("“child” is another widget" in t for t in said)


@pytest.mark.parametrize(
    ("pattern", "instead", "said"),
    [
        (r'"data": "[A-Za-z0-9+/=]+"', '"data": "AAAA"', "cannot run here"),
        (r'"_esm": "', '"_gone": "', "its module is missing"),
        (
            r'"model_module": "anywidget"',
            '"model_module": "other"',
            "only where Python",
        ),
        (r'"state": \{', '"elsewhere": {', "cannot run here"),
    ],
)
def test_a_damaged_state_is_told_and_never_blank(
    look, tiny_site, pattern, instead, said
):
    text = (tiny_site.root / "grids.html").read_text()
    damaged, count = re.subn(pattern, lambda _: instead, text)
    assert count
    (tiny_site.root / "damaged.html").write_text(damaged)
    page = look("damaged.html")
    page.get_by_role("note").first.wait_for()
    assert said in page.get_by_role("note").first.inner_text()
    assert "Words below." in page.locator("article").inner_text()
