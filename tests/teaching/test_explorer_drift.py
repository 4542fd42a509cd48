"""The explorer "drift": move it, read back rows, places and lengths."""

import re

import numpy as np
import pytest
from explorer_checks import PHONE, Explorer, drawn_state
from tiny_book import BELOW, code

import resizelab as rl
from resizelab.drift import doubling

pytest.importorskip("anywidget")

from resizelab.teaching.explorers import drift, payload

GRIDS = ["half_pixel", "align_corners", "asymmetric"]
FIELDS = {
    "linear": {"kernel": "linear"},
    "cubic-0.5": {"kernel": "cubic", "a": -0.5},
    "cubic-0.75": {"kernel": "cubic", "a": -0.75},
    "nearest": {"kernel": "nearest", "nearest_mode": "round_prefer_floor"},
}
START = {
    "steps": 3, "kernel": "linear", "mark": 4, "row": "spot", "grid": GRIDS, "n": 16,
}  # fmt: skip
TINY_PAGES = {
    "drift": "# Drift\n\n[Far](#drift:steps=5,mark=15,grid=align_corners).\n\n"
    + code("from resizelab.teaching.explorers import drift\ndrift()")
    + BELOW
}


def choice(grid: str, kernel: str) -> rl.Spec:
    """Return what one doubling is."""
    return rl.Spec(grid=grid, **FIELDS[kernel])


# ---- Python ------------------------------------------------------------------


def test_the_page_gets_every_state_its_controls_reach():
    d = drift()
    box = payload.unpack(d.payload)
    for kernel in FIELDS:
        for grid in GRIDS:
            key = f"{grid}|{kernel}|16"
            spec = choice(grid, kernel)
            for k in range(5):
                w = rl.weights(spec, 16 * 2**k, 32 * 2**k)
                shown = box["operators"][f"u|{key}|{k}"]
                np.testing.assert_array_equal(shown.dense(), w.dense())
            last = doubling(spec, 16, 5)[-1]
            expected = [last.shift, last.stretch, last.blur, *last.in_current()]
            np.testing.assert_array_equal(box["arrays"]["d|" + key][-1], expected)
    assert len(d.payload) <= 75_000


def test_the_closed_forms_of_the_chapter_are_in_it():
    arrays = payload.unpack(drift().payload)["arrays"]
    s = 2.0 ** np.arange(1, 6)
    lengths = {g: arrays[f"d|{g}|linear|16"] for g in GRIDS}
    np.testing.assert_allclose(lengths["asymmetric"][:, 3], -(s - 1) / 2, atol=1e-9)
    np.testing.assert_allclose(
        lengths["align_corners"][:, 1], (s - 1) / (2 * s), atol=1e-9
    )
    np.testing.assert_allclose(
        lengths["half_pixel"][:, 5], np.sqrt(s**2 - 1) / 2, atol=1e-9
    )
    moved = arrays["p|align_corners|linear|16"][..., 1]
    np.testing.assert_allclose(moved[:, 0], -(s - 1) / 2, atol=1e-9)
    np.testing.assert_allclose(moved[:, 15], 0, atol=1e-9)
    np.testing.assert_allclose(moved[:, 30], (s - 1) / 2, atol=1e-9)


def test_python_answers_beyond_the_page_with_a_readers_own_kernel():
    tent = rl.Kernel("tent", 1.0, lambda d: 1 - abs(d))
    d = drift(own=tent, kernel="own")
    d.request = {"id": 1, "state": {**d.state, "n": 21, "grid": ["asymmetric"]}}
    box = payload.unpack(d.answer)
    w = rl.weights(rl.Spec(grid="asymmetric"), 21, 42).dense()
    shown = box["operators"]["u|asymmetric|own|21|0"].dense()
    np.testing.assert_allclose(shown, w, atol=1e-15)
    assert d.controls[1]["options"]["own"] == "tent"
    d.request = {"id": 2, "state": {**d.state, "n": 33}}
    meta = payload.unpack(d.answer)["meta"]
    assert meta == {"id": 2, "error": "n=33: a number from 12 to 32 is needed"}


# ---- the page ----------------------------------------------------------------


def content(s: dict) -> np.ndarray:
    """Return the row that is doubled."""
    j = np.arange(s["n"])
    if s["row"] == "edge":
        return np.clip(j - s["mark"] + 0.5, 0, 1)
    return (abs(j - s["mark"]) <= 0.5).astype(float)


def check_drawing(page) -> None:
    """Compare every strip, marker and length with the package, to 1e-6."""
    s = drawn_state(page, "drift")
    drawn = page.eval_on_selector_all(
        ".resizelab-drift g[data-grid]",
        """all => all.map(g => ({
          grid: g.dataset.grid,
          rows: [...g.querySelectorAll("[data-step]")].map(
            n => n.dataset.values.split(" ").map(Number)),
          paths: [...g.querySelectorAll("[data-step]")].map(n => n.getAttribute("d")),
          lands: [...g.querySelectorAll("[data-lands]")].map(
            n => [+n.dataset.lands, +n.dataset.moved]),
          lengths: [...g.querySelectorAll("[data-lengths]")].map(
            n => n.dataset.lengths.split(" ").map(Number)),
        }))""",
    )
    assert [g["grid"] for g in drawn] == s["grid"]
    x = content(s)
    for g in drawn:
        steps = doubling(choice(g["grid"], s["kernel"]), s["n"], s["steps"])
        assert len(g["rows"]) == len(g["lands"]) == len(steps)
        for k, step in enumerate(steps):
            y = step.operator @ x
            np.testing.assert_allclose(g["rows"][k], y, atol=1e-6)
            bars = [float(v) for v in re.findall(r"V([-\d.]+)H", g["paths"][k])]
            line = np.polyfit(np.clip(y, -0.15, 1.15), bars, 1)
            fitted = np.polyval(line, np.clip(y, -0.15, 1.15))
            np.testing.assert_allclose(bars, fitted, atol=0.02)
            lands = step.lands(s["mark"])
            true = (s["mark"] + 0.5) * step.n / s["n"] - 0.5
            np.testing.assert_allclose(g["lands"][k], [lands, lands - true], atol=1e-6)
            lengths = [step.shift, step.stretch, step.blur, *step.in_current()]
            np.testing.assert_allclose(g["lengths"][k], lengths, atol=1e-6)


def test_a_size_that_is_not_on_the_page_is_told(look):
    page = look("drift.html#drift:n=20")
    note = page.locator(".rl-note", has_text="not on the page")
    note.wait_for()
    assert "Run the chapter live for it." in note.inner_text()


def test_the_numbers_are_in_a_table_too(look):
    page = look("drift.html")
    page.get_by_text("All numbers").click()
    cells = page.locator(".rl-numbers tbody tr").last.locator("th, td")
    texts = [t.replace("−", "-") for t in cells.all_inner_texts()]  # noqa: RUF001
    assert texts == [
        "asymmetric", "128", "-3.5 (-0.4375)", "-3.5 (-0.4375)", "0 (0)",
        "3.24 (0.405)",
    ]  # fmt: skip


@pytest.mark.slow
class TestDrift(Explorer):
    make, check, name = staticmethod(drift), staticmethod(check_drawing), "drift"
    sliders = {"steps": 1, "mark": 0.5}
    menus = {"kernel": list(FIELDS)[1:], "row": ["edge"]}
    start = START
    link = "Far", {"steps": 5, "mark": 15, "grid": ["align_corners"]}
    junk = {
        "steps=9": "steps is 5 here: it goes from 1 to 5",
        "mark=left,kernel=cubic-0.75": "mark: “left” is no number",
        # There is no half doubling: the nearest there is.
        "kernel=linear,steps=1.6,mark=3.5": "",
    }
    busiest = "steps=5"
    moved = "mark", [i / 2 for i in range(21)]
    themed = "[data-grid=asymmetric] [data-step='1']", "fill"
    said = "half_pixel puts it at 35.50, align_corners"
    wrong = [
        ({"own": "tent"}, TypeError, "own must be a Kernel; got str"),
        ({"kernel": "cubic"}, ValueError, "kernel must be one of 'linear', 'cubic-"),
        ({"steps": 6}, ValueError, "steps=6: a number from 1 to 5 is needed"),
        ({"n": 8}, ValueError, "n=8: a number from 12 to 32 is needed"),
        ({"grid": "half_pixel"}, ValueError, "grid='half_pixel': a list is needed"),
        ({"grid": ["half"]}, ValueError, "grid='half': allowed are 'half_pixel'"),
    ]

    def test_a_click_in_the_picture_sets_the_mark(self, look):
        page = self.open(look)
        picture = page.locator(".rl-stage svg").bounding_box()
        middle = 36 + (picture["width"] - 88) / 2
        page.locator(".rl-stage svg").click(position={"x": middle + 2, "y": 100})
        assert self.state(page)["mark"] == 7.5
        check_drawing(page)
        page.locator("label", has_text="align_corners").click()
        assert self.state(page)["grid"] == ["half_pixel", "asymmetric"]
        check_drawing(page)
        assert page.locator("input:disabled").count() == 0

    def test_a_tap_in_the_picture_sets_the_mark(self, look):
        page = self.open(look, **PHONE)
        page.locator("label", has_text="half_pixel").tap()
        assert self.state(page)["grid"] == ["align_corners", "asymmetric"]
        page.locator(".rl-stage svg").tap(position={"x": 40, "y": 100})
        assert self.state(page)["mark"] == 0
        check_drawing(page)

    def test_half_a_doubling_is_rounded(self, look):
        page = self.open(look, "steps=1.6,mark=3.5")
        page.wait_for_selector("[data-drawn*='3.5']")
        assert self.state(page)["steps"] == 2
