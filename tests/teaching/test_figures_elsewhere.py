"""The figures in Firefox and WebKit: numbers, links, Back, the mouse, no scripts."""

import json
from contextlib import closing

import pytest
from browser import everything_must_run
from bulk import some
from firefox import Firefox, firefox_path
from webkit import WebKit, webkit_path

from resizelab.teaching.figures import canvas

RIGHT = "\ue014"
STORE = "[...globalThis[Symbol.for('resizelab.stores')].values()][0].state"
BROWSERS = {"Firefox": (firefox_path, Firefox), "WebKit": (webkit_path, WebKit)}
WAYS = [(name, via) for name in BROWSERS for via in ("http", "file")]


@pytest.fixture(scope="module")
def windows():
    """Return a window of a browser by its name; each is opened once."""
    pytest.importorskip("websocket")
    made = {}

    def window(name):
        path, kind = BROWSERS[name]
        if path() is None:
            assert not everything_must_run(), f"{name} is not installed"
            pytest.skip(f"{name} is not installed: its pages are not looked at")
        if name not in made:
            made[name] = kind()
        return made[name]

    yield window
    for one in made.values():
        one.close()


@pytest.mark.parametrize(("name", "via"), some(WAYS, 0, 2))
def test_numbers_links_and_back(windows, site, name, via):
    window = windows(name)
    window.open(site.url("book/grids.html", via))
    window.wait("!!document.querySelector('#fig-ribbons')")
    window.ask("document.querySelector('#fig-ribbons').scrollIntoView()")
    window.wait("!!document.querySelector('#fig-ribbons[data-drawn]')")
    before = window.ask(STORE)
    number = "document.querySelector('[data-scrub=\"grid:n_out\"]')"
    window.ask(f"{number}.scrollIntoView({{ block: 'center' }}) || {number}.focus()")
    window.press(RIGHT)
    window.wait(f"{number}.textContent === '9'")
    box = window.ask(f"{number}.getBoundingClientRect()")
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    window.drag(x, y, -5 * 14)
    window.wait(f"{number}.textContent === '4'")
    told = "document.querySelector('[data-tell=\"grid:first:half_pixel\"]').textContent"
    window.wait(f"{told} === '0'")
    link = "document.querySelector('a[href=\"#ribbons:n_in=8,n_out=2,pixel=1\"]')"
    window.ask(f"{link}.click()")
    window.wait(f"{link}.getAttribute('aria-current') === 'true'")
    assert window.ask(STORE) == {**before, "n_in": 8, "n_out": 2, "pixel": 1}
    window.ask("history.back()")
    window.wait(f"{STORE}.n_out === 4")


@pytest.mark.parametrize("name", some(BROWSERS, 0))
def test_it_is_an_engine_and_named(windows, site, name):
    window = windows(name)
    window.open(site.url("book/your-browser.html"))
    window.wait("document.querySelectorAll('.rl-browser[data-said]').length === 2")
    told = window.ask("document.querySelector('.rl-browser').dataset.said")
    assert len(json.loads(told)) == len(canvas.WAYS)
    # The same version was recorded, or a later one: what it makes has a name.
    assert not [said for said in json.loads(told) if said.startswith("no rule")]


def test_without_scripts_the_start_is_drawn(windows, site):
    windows("Firefox")
    with closing(Firefox(scripts=False)) as window:
        window.open(site.url("book/grids.html"))
        still = "document.querySelector('.rl-still svg[role=img]')"
        told = window.ask(f"{still}.getAttribute('aria-label')")
        assert "takes 0.75 \N{MULTIPLICATION SIGN} pixel 0" in told
        assert window.ask(f"{still}.getBoundingClientRect()")["height"] > 50
        assert window.ask("document.querySelectorAll('.rl-stage').length") == 0
