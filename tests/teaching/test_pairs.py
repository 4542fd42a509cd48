"""Pairs of pictures at the head of chapters are what the real calls return."""

import json

import numpy as np
import pytest
import record_pairs as recorder
from browser import ROOT
from explorer_checks import check_axe
from PIL import Image

FOLDER = ROOT / "resizelab/teaching/records"


@pytest.mark.parametrize("name", ["integers", "volumes"])
def test_the_pictures_are_what_the_calls_return(name):
    pytest.importorskip("skimage")
    torch = pytest.importorskip("torch")
    kept = json.loads((FOLDER / f"pair-{name}.json").read_text("utf-8"))
    right, wrong, told = recorder.PAIRS[name]()
    for letter, made in (("a", right), ("b", wrong)):
        stored = np.asarray(Image.open(FOLDER / f"pair-{name}-{letter}.webp"))
        assert abs(stored.astype(float) - made).mean() < 5  # WebP's own loss
    if torch.__version__.split("+")[0] == kept["torch"]:
        assert {key: kept[key] for key in told} == told
    # What the page says of them is seen: the damage is no matter of rounding.
    assert abs(right.astype(float) - wrong).mean() > 0.5


def test_eight_of_nine_pixels_are_never_painted():
    pytest.importorskip("skimage")
    pytest.importorskip("torch")
    _, wrong, told = recorder.painted(steps=3)
    kept = json.loads((FOLDER / "pair-gradients.json").read_text("utf-8"))
    for key in ("right", "moved"):
        assert told[key]["untouched"] == kept[key]["untouched"]
    stored = np.asarray(Image.open(FOLDER / "pair-gradients-b.webp")).astype(float)
    grey = (wrong == 128).all(2)
    assert round(grey.mean(), 4) == told["moved"]["untouched"]
    assert abs(stored[grey] - 128).mean() < 20  # WebP spreads the dots


@pytest.mark.parametrize("name", recorder.PAIRS)
def test_a_chapter_opens_with_its_pair(visit, name):
    page = visit(f"book/{name}.html", width=360, height=740)
    root = page.locator(".rl-compare").first
    last = root.locator("[data-option]").last
    last.scroll_into_view_if_needed()
    box = root.bounding_box()
    assert box["y"] + box["height"] + page.evaluate("scrollY") <= 1.3 * 740
    last.click()
    page.wait_for_selector(".rl-compare[data-shown]")
    assert root.locator(".rl-told").inner_text().startswith(("Yes.", "No."))
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    check_axe(page, ".rl-compare", ".rl-compare")
