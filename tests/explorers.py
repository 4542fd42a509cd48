"""What the tests of every explorer ask of its page, said once."""

import json
import re
import statistics
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
