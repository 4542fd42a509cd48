"""The reader's browser is an engine: what it makes is named, beside three others."""

import json
import re

import numpy as np
import pytest
from browser import ROOT
from bulk import some
from explorer_checks import check_axe

from resizelab.teaching.figures import canvas

RECORD = ROOT / "resizelab/teaching/records/browsers.json"
TOLD = json.loads(RECORD.read_text("utf-8"))
PAGE = "book/your-browser.html"


@pytest.fixture(scope="module")
def card():
    with np.load(RECORD.with_name("card.npz")) as stored:
        return stored["card"]


@pytest.mark.parametrize("side", canvas.SIZES)
def test_every_recorded_answer_is_rebuilt(card, side):
    made, place = canvas.rebuilt(card, side), list(canvas.SIZES).index(side)
    for name, one in TOLD.items():
        assert one["answers"].keys() == canvas.WAYS.keys()
        for way, answers in one["answers"].items():
            word, gap = canvas.named(answers[place], made)
            assert gap <= canvas.LIMIT, (name, way, word, gap)


def test_a_mix_of_copies_keeps_flat_pictures_flat():
    for size in ((4, 10), (5, 3), (12, 9), (1, 2)):
        parts = canvas.pieces("copies", (12, 22), size)
        flat = sum(s * d.sum(1)[:, None] * a.sum(1)[None] for s, d, a in parts)
        assert np.allclose(flat, 1)


def test_what_no_rule_makes_has_no_name(card):
    made = canvas.rebuilt(card, "grow")
    odd = next(iter(made.values())) + 9
    assert canvas.verdict(odd, made).startswith("no rule we know; ")
    assert canvas.verdict(None, made) == "not offered"
    with pytest.raises(ValueError, match="side='up': allowed are grow, shrink"):
        canvas.Canvas(RECORD, card, "up")


@pytest.mark.parametrize("via", some(["http", "file"], 0))
def test_this_browser_is_named_as_python_names_it(visit, card, via):
    page = visit(PAGE, via=via)
    for side in canvas.SIZES:
        root = page.locator(f".rl-browser[data-side={side}]")
        root.wait_for()
        said = json.loads(root.get_attribute("data-said"))
        place, made = list(canvas.SIZES).index(side), canvas.rebuilt(card, side)
        wanted = [
            canvas.verdict(TOLD["Chromium"]["answers"][way][place], made)
            for way in canvas.WAYS
        ]
        assert said == wanted
        told = root.locator(".rl-told").inner_text()
        assert re.match(r"Your browser does as Chromium [\d.]+ in 8 of 8 ways", told)
        assert root.locator("canvas.rl-pixels").count() == 9
    check_axe(page, ".rl-browser", ".rl-browser")
    page.set_viewport_size({"width": 360, "height": 740})
    page.wait_for_function("document.documentElement.scrollWidth <= 360")


def test_a_browser_that_alters_a_canvas_is_not_named(chromium, site):
    page = chromium.new_page()
    page.add_init_script(
        """const read = CanvasRenderingContext2D.prototype.getImageData;
        CanvasRenderingContext2D.prototype.getImageData = function (...a) {
          const image = read.apply(this, a);
          image.data[0] ^= 1;
          return image;
        };"""
    )
    page.goto(site.url(PAGE))
    root = page.locator(".rl-browser").first
    root.wait_for()
    assert "changes what a canvas gives back" in root.inner_text()
    assert set(json.loads(root.get_attribute("data-said"))) == {"not offered"}
    page.close()


def test_without_scripts_the_other_browsers_stand_there(visit):
    page = visit(PAGE, java_script_enabled=False)
    table = page.locator("noscript table, .rl-place table").first
    assert "Firefox" in table.inner_text()
