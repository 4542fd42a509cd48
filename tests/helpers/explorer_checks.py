"""What every explorer does, as one class of tests that each explorer completes."""

import json
import re
import statistics
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest
from browser import Visits

FRAME = 16  # milliseconds
PHONE = {"width": 360, "height": 740, "has_touch": True}
# Of a page's packed data the longest are the payloads.
DATA = r'"data": "[A-Za-z0-9+/=]{99,}"'
TOLD = """([name, said]) => document.querySelector(
  `.resizelab[data-name=${name}] .rl-note`).textContent.includes(said)"""


def from_menu(scope, words):
    """Choose an entry of an explorer's menu; ``scope`` is the page or the explorer."""
    scope.locator(".rl-more > summary").first.click()
    scope.get_by_text(words).first.click()


# Of axe's rules these look at colours: the others say the same in the dark.
COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}


def check_axe(
    page: Any,
    ready: str = ".resizelab[data-drawn]",
    within: Any = ".resizelab",
    *,
    dark: bool = False,
) -> None:
    """Fail if axe finds anything wrong in an explorer; skip where axe is missing.

    Where a page was looked at in the light, its colours are what is new in the dark.
    """
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page.wait_for_selector(ready)
    # Without preload axe fetches no style sheet anew, from a wrong folder.
    options = {"resultTypes": ["violations"], "preload": False}
    options |= {"runOnly": COLOURS} if dark else {}
    found = axe.run(page, context=within, options=options).response["violations"]
    assert found == [], json.dumps(found, indent=1)[:3000]


def check_damage_is_told(look: Visits, root: Path, name: str) -> None:
    """Fail if a page whose data are damaged does not say so, or loses its words."""
    text = (root / f"{name}.html").read_text(encoding="utf-8")
    damaged, count = re.subn(DATA, '"data": "AA=="', text)
    assert count
    (root / f"damaged-{name}.html").write_text(damaged, encoding="utf-8")
    page = look(f"damaged-{name}.html")
    page.get_by_role("note").first.wait_for()
    assert "cannot run here" in page.get_by_role("note").first.inner_text()
    assert "Words below." in page.locator("article").inner_text()


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


def check_it_fits(page: Any) -> None:
    """Fail if drawing or controls of what fills the screen are out of sight."""
    for width, height in ((1280, 900), (1024, 768)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(
            """([w, h]) => {
              const { clientWidth, clientHeight, scrollWidth, scrollHeight } =
                document.fullscreenElement;
              return Math.abs(clientWidth - w) < 5 && Math.abs(clientHeight - h) < 5
                && scrollWidth <= clientWidth && scrollHeight <= clientHeight;
            }""",
            arg=[width, height],
        )


def wait_for_rest(page: Any) -> None:
    """Wait until the page rests: a finger's throw goes on for a while."""
    page.wait_for_function(
        """() => new Promise((done) => {
          const was = window.scrollY;
          setTimeout(() => done(window.scrollY === was), 150);
        })"""
    )


def drag(page: Any, node: Any, across: float, down: float) -> None:
    """Move a finger from the middle of a node, as a touch screen reports it."""
    page.wait_for_timeout(300)
    box = node.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch = page.context.new_cdp_session(page)

    def send(kind: str, *points: tuple[float, float]) -> None:
        fingers = [{"x": a, "y": b} for a, b in points]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})

    send("touchStart", (x, y))
    for k in range(1, 9):
        send("touchMove", (x + across * k / 8, y + down * k / 8))
        page.wait_for_timeout(16)
    send("touchEnd")
    page.wait_for_timeout(300)


def pull(page: Any, slider: Any, to: float) -> None:
    """Pull a slider with the mouse from its first tenth to a part of its length."""
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * 0.1, y)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * to, y, steps=4)
    page.mouse.up()


def check_redraw(page: Any, name: str, key: str, values: Sequence[float]) -> None:
    """Fail if an explorer draws for longer than a frame while a slider moves."""
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
        [f"[data-name={name}] input[data-key={key}]", list(values)],
    )
    # Whatever else the machine does only adds: the quicker quarter is ours.
    quartile = statistics.quantiles(times)[0]
    print(f"{name}, {key}: redraw {quartile:.1f} ms (lower quartile)")
    assert quartile <= FRAME


def drawn_state(page: Any, name: str) -> dict[str, Any]:
    """Return the state that an explorer has drawn."""
    root = page.locator(f".resizelab[data-name={name}][data-drawn]")
    state: dict[str, Any] = json.loads(root.get_attribute("data-drawn"))
    return state


def set_by_link(page: Any, name: str, pairs: str) -> None:
    """Follow a link in the text that sets an explorer."""
    page.evaluate("hash => { location.hash = hash; }", f"{name}:{pairs}")


class Explorer:
    """The contract: it moves by key, mouse and finger, is legible, and tells faults.

    A subclass says what is particular. ``check(page)`` compares all that is drawn
    with Python's numbers.
    """

    make: Callable[..., Any]
    check: Callable[[Any], Any]
    name: str
    page: str = ""  # without .html; the name, unless it is said
    sliders: ClassVar[Mapping[str, float]]  # what one press of → adds to each
    menus: ClassVar[Mapping[str, Sequence[str]]] = {}  # what follows the first option
    start: ClassVar[Mapping[str, Any]]
    link: ClassVar[tuple[str, Mapping[str, Any]]]  # words of a link, what it sets
    junk: ClassVar[Mapping[str, str]]  # what a link asks for in vain, what is told
    busiest: str = ""  # a link to the state that takes longest to draw
    moved: ClassVar[tuple[str, Sequence[float]]]  # the slider that redraws it all
    themed: tuple[str, str] | None = None  # something drawn, its colour's attribute
    said: str  # by the figure without scripts
    wrong: ClassVar[Sequence[tuple[Mapping[str, Any], type[Exception], str]]]

    def open(self, look: Visits, pairs: str = "", **how: Any) -> Any:
        """Return the explorer's page, drawn, in the state that a link asks for."""
        page = look(
            f"{self.page or self.name}.html"
            + (f"#{self.name}:{pairs}" if pairs else ""),
            **how,
        )
        page.wait_for_selector(f"[data-name={self.name}][data-drawn]")
        return page

    def at(self, page: Any, selector: str) -> Any:
        """Return what a selector finds in this explorer."""
        return page.locator(f".resizelab[data-name={self.name}] {selector}")

    def state(self, page: Any) -> dict[str, Any]:
        return drawn_state(page, self.name)

    def test_it_shows_itself_without_scripts(self):
        data, _ = type(self).make()._repr_mimebundle_()
        assert data["image/png"].startswith("iVBORw0KGgo")
        assert self.said in data["text/plain"]

    def test_a_wrong_argument_says_what_is_allowed(self):
        for arguments, error, message in self.wrong:
            with pytest.raises(error, match=f"^{re.escape(message)}"):
                type(self).make(**arguments)

    def test_keys_and_links_move_it_and_the_dark_redraws_it(self, look):
        """One visit: a page costs more to open than to look at."""
        page = self.open(look, theme="light")
        type(self).check(page)
        for check in (self.check_keys, self.check_links, self.check_dark):
            check(page)
            from_menu(self.at(page, ""), "Start again")
            assert self.state(page) == self.start

    def check_keys(self, page):
        for key, step in self.sliders.items():
            slider = self.at(page, f"input[type=range][data-key={key}]")
            old, before = self.state(page)[key], self.at(page, ".rl-stage").inner_html()
            for _ in range(2):
                slider.press("ArrowRight")
            assert self.state(page)[key] == pytest.approx(old + 2 * step)
            assert self.at(page, ".rl-stage").inner_html() != before
            type(self).check(page)
        for key, values in self.menus.items():
            for value in values:
                self.at(page, f"select[data-key={key}]").press("ArrowDown")
                assert self.state(page)[key] == value
                type(self).check(page)
        for box in self.at(page, "input[type=checkbox]").all():
            was = box.is_checked()
            box.press("Space")
            assert box.is_checked() is not was
            type(self).check(page)

    def test_every_control_moves_by_mouse_on_a_page_from_disk(self, look):
        page = self.open(look, via="file")
        for key in self.sliders:
            slider = self.at(page, f"input[type=range][data-key={key}]")
            old = self.state(page)[key]
            pull(page, slider, 0.9)
            assert self.state(page)[key] > old
            type(self).check(page)
        from_menu(self.at(page, ""), "Start again")
        assert self.state(page) == self.start

    def test_a_finger_moves_it_and_scrolls_past_it(self, look):
        page = self.open(look, **PHONE)
        for key in self.sliders:
            slider = self.at(page, f"input[type=range][data-key={key}]")
            box, old = slider.bounding_box(), self.state(page)[key]
            slider.tap(position={"x": box["width"] * 0.9, "y": box["height"] / 2})
            assert self.state(page)[key] > old
            type(self).check(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        # A finger that goes up over the picture moves the page and nothing else.
        picture = self.at(page, ".rl-stage").first
        picture.evaluate("node => node.scrollIntoView({ block: 'center' })")
        before, top = self.state(page), page.evaluate("window.scrollY")
        page.context.new_cdp_session(page).send(
            "Input.synthesizeScrollGesture", {"x": 180, "y": 400, "yDistance": -200}
        )
        assert page.evaluate("window.scrollY") > top + 100
        assert self.state(page) == before

    def check_links(self, page):
        for pairs, said in self.junk.items():
            set_by_link(page, self.name, pairs)
            page.wait_for_function(TOLD, arg=[self.name, said])
            type(self).check(page)
        words, wanted = self.link
        page.get_by_role("link", name=words, exact=True).click()
        assert self.state(page).items() >= wanted.items()
        type(self).check(page)

    def check_dark(self, page):
        check_axe(page)
        thing, attribute = self.themed or (".rl-stage", "data-drawn")
        before = self.at(page, thing).first.get_attribute(attribute)
        page.evaluate("document.documentElement.dataset.theme = 'dark'")
        page.wait_for_selector(f"[data-name={self.name}][data-dark]")
        after = self.at(page, thing).first.get_attribute(attribute)
        assert self.themed is None or after != before
        type(self).check(page)
        check_axe(page, dark=True)

    def test_damaged_data_are_told(self, look, tiny_site):
        check_damage_is_told(look, tiny_site.root, self.page or self.name)

    @pytest.mark.alone
    def test_a_redraw_fits_in_a_frame(self, look):
        page = self.open(look, self.busiest)
        key, values = self.moved
        check_redraw(page, self.name, key, values)
