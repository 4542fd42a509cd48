"""The figures in Firefox: numbers, links and Back, the mouse, and without scripts."""

import json
from contextlib import closing

import pytest
from browser import everything_must_run
from bulk import some
from firefox import Firefox, firefox_path

from resizelab.teaching.figures import canvas

RIGHT = "\ue014"
STORE = "[...globalThis[Symbol.for('resizelab.stores')].values()][0].state"


@pytest.fixture(scope="module")
def firefox():
    pytest.importorskip("websocket")
    if firefox_path() is None:
        assert not everything_must_run(), "Firefox is not installed"
        pytest.skip("Firefox is not installed: its pages are not looked at")
    window = Firefox()
    yield window
    window.close()


@pytest.mark.parametrize("via", some(["http", "file"], 0))
def test_numbers_links_and_back(firefox, site, via):
    firefox.open(site.url("book/grids.html", via))
    firefox.ask("document.querySelector('#fig-ribbons').scrollIntoView()")
    firefox.wait("!!document.querySelector('#fig-ribbons[data-drawn]')")
    before = firefox.ask(STORE)
    number = "document.querySelector('[data-scrub=\"grid:n_out\"]')"
    firefox.ask(f"{number}.scrollIntoView({{ block: 'center' }}) || {number}.focus()")
    firefox.press(RIGHT)
    firefox.wait(f"{number}.textContent === '9'")
    box = firefox.ask(f"{number}.getBoundingClientRect()")
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    firefox.drag(x, y, -5 * 14)
    firefox.wait(f"{number}.textContent === '4'")
    told = "document.querySelector('[data-tell=\"grid:first:half_pixel\"]').textContent"
    firefox.wait(f"{told} === '0'")
    link = "document.querySelector('a[href=\"#ribbons:n_in=8,n_out=2,pixel=1\"]')"
    firefox.ask(f"{link}.click()")
    firefox.wait(f"{link}.getAttribute('aria-current') === 'true'")
    assert firefox.ask(STORE) == {**before, "n_in": 8, "n_out": 2, "pixel": 1}
    firefox.ask("history.back()")
    firefox.wait(f"{STORE}.n_out === 4")


def test_it_is_an_engine_and_named(firefox, site):
    firefox.open(site.url("book/your-browser.html"))
    firefox.wait("document.querySelectorAll('.rl-browser[data-said]').length === 2")
    told = firefox.ask("document.querySelector('.rl-browser').dataset.said")
    assert len(json.loads(told)) == len(canvas.WAYS)
    # The same version was recorded, or a later one: what it makes has a name.
    assert not [said for said in json.loads(told) if said.startswith("no rule")]


def test_without_scripts_the_start_is_drawn(firefox, site):
    with closing(Firefox(scripts=False)) as window:
        window.open(site.url("book/grids.html"))
        still = "document.querySelector('.rl-still svg[role=img]')"
        told = window.ask(f"{still}.getAttribute('aria-label')")
        assert "takes 0.75 of pixel 0" in told
        assert window.ask(f"{still}.getBoundingClientRect()")["height"] > 50
        assert window.ask("document.querySelectorAll('.rl-stage').length") == 0
