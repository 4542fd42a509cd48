"""What the tests of every explorer ask of its page, said once."""

import json
import re
import statistics
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from browser import Visits

FRAME = 16  # milliseconds
# Of a page's packed data the longest are the payloads.
DATA = r'"data": "[A-Za-z0-9+/=]{99,}"'


def check_axe(page: Any, ready: str = ".resizelab[data-drawn]") -> None:
    """Fail if axe finds anything wrong in an explorer; skip where axe is missing."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page.wait_for_selector(ready)
    # Without preload axe fetches no style sheet anew, from a wrong folder.
    answer = axe.run(page, context=".resizelab", options={"preload": False})
    found = answer.response["violations"]
    assert found == [], json.dumps(found, indent=1)[:3000]


def check_redraw(page: Any, control: str, values: list[float]) -> None:
    """Fail if drawing anew takes longer than a frame as a slider takes ``values``."""
    times = page.evaluate(
        """([control, values]) => {
          const slider = document.querySelector(control);
          return values.map((value) => {
            slider.value = value;
            const start = performance.now();
            slider.dispatchEvent(new Event("input", { bubbles: true }));
            return performance.now() - start;
          });
        }""",
        [control, values],
    )
    # Whatever else the machine does only adds: the quicker quarter is ours.
    quartile = statistics.quantiles(times)[0]
    print(f"{control}: redraw {quartile:.1f} ms (lower quartile)")
    assert quartile <= FRAME


def check_dark_redraws(page: Any, drawn: str, attribute: str) -> None:
    """Fail if a drawn thing keeps its colour when the page turns dark."""
    thing = page.locator(drawn).first
    before = thing.get_attribute(attribute)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    page.wait_for_selector(".resizelab[data-dark]")
    assert thing.get_attribute(attribute) != before


def check_damage_is_told(look: Visits, root: Path, name: str) -> Any:
    """Fail if a page whose data are damaged does not say so; return the page."""
    text = (root / f"{name}.html").read_text(encoding="utf-8")
    damaged, count = re.subn(DATA, '"data": "AA=="', text)
    assert count
    (root / f"damaged-{name}.html").write_text(damaged, encoding="utf-8")
    page = look(f"damaged-{name}.html")
    page.get_by_role("note").first.wait_for()
    assert "cannot run here" in page.get_by_role("note").first.inner_text()
    return page


def check_no_jump(page: Any) -> None:
    """Fail if what was drawn late moved what stood there (layout shift, CLS)."""
    page.wait_for_selector(".resizelab[data-drawn]")
    page.wait_for_timeout(300)
    moved = page.evaluate(
        """() => new Promise((done) => {
          let sum = 0;
          new PerformanceObserver((list) => {
            for (const e of list.getEntries()) if (!e.hadRecentInput) sum += e.value;
          }).observe({ type: "layout-shift", buffered: true });
          setTimeout(() => done(sum), 200);
        })"""
    )
    print(f"layout shift {moved:.3f}")
    assert moved <= 0.1


def check_sliders_by_touch(
    page: Any, keys: Iterable[str], to: float, drawing: Callable[[Any], Any]
) -> None:
    """Fail if a tap at ``to`` of a slider's length does not raise its value."""
    for key in keys:
        slider = page.locator(f"input[type=range][data-key={key}]")
        box = slider.bounding_box()
        old = drawn_state(page)[key]
        slider.tap(position={"x": box["width"] * to, "y": box["height"] / 2})
        assert drawn_state(page)[key] > old
        drawing(page)


def check_a_drag_scrolls(page: Any, top: float) -> None:
    """Fail if a finger dragged up over a picture does not scroll the page past it."""
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.locator(".rl-stage svg").first.scroll_into_view_if_needed()
    page.evaluate(f"window.scrollTo(0, {top})")
    before, was = drawn_state(page), page.evaluate("window.scrollY")
    touch = page.context.new_cdp_session(page)
    touch.send("Input.synthesizeScrollGesture", {"x": 180, "y": 400, "yDistance": -200})
    assert page.evaluate("window.scrollY") > was + 100
    assert drawn_state(page) == before


def wait_for_rest(page: Any) -> None:
    """Wait until the page rests: a finger's throw goes on for a while."""
    page.wait_for_function(
        """() => new Promise((done) => {
          const was = window.scrollY;
          setTimeout(() => done(window.scrollY === was), 150);
        })"""
    )


def drawn_state(page: Any) -> dict[str, Any]:
    """Return the state that the page's first explorer has drawn."""
    text = page.locator(".resizelab[data-drawn]").first.get_attribute("data-drawn")
    state: dict[str, Any] = json.loads(text)
    return state
