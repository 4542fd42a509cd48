"""The explorer "drift": move it, read back rows, places and lengths."""

import json
import re

import numpy as np
import pytest
from explorer_checks import (
    check_a_drag_scrolls,
    check_axe,
    check_damage_is_told,
    check_dark_redraws,
    check_redraw,
    check_sliders_by_touch,
)
from tiny_book import code

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
    + "\n\n"
    + "Words below.\n\n" * 40,
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


def test_it_shows_itself_without_scripts():
    data, _ = drift()._repr_mimebundle_()
    assert data["image/png"].startswith("iVBORw0KGgo")
    assert "belongs at 35.5: half_pixel puts it at 35.50" in data["text/plain"]
    assert "asymmetric puts it at 32.00." in data["text/plain"]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"own": "tent"}, TypeError, "own must be a Kernel; got str"),
        ({"kernel": "cubic"}, ValueError, "kernel must be one of 'linear', 'cubic-"),
        ({"steps": 6}, ValueError, "steps=6: a number from 1 to 5 is needed"),
        ({"n": 8}, ValueError, "n=8: a number from 12 to 32 is needed"),
        ({"grid": "half_pixel"}, ValueError, "grid='half_pixel': a list is needed"),
        ({"grid": ["half"]}, ValueError, "grid='half': allowed are 'half_pixel'"),
    ],
)
def test_a_wrong_argument_says_what_is_allowed(arguments, error, message):
    with pytest.raises(error, match=f"^{re.escape(message)}"):
        drift(**arguments)


# ---- the page ----------------------------------------------------------------


def state(page) -> dict:
    """Return the state that is drawn."""
    root = page.locator(".resizelab-drift[data-drawn]")
    return json.loads(root.get_attribute("data-drawn"))


def content(s: dict) -> np.ndarray:
    """Return the row that is doubled."""
    j = np.arange(s["n"])
    if s["row"] == "edge":
        return np.clip(j - s["mark"] + 0.5, 0, 1)
    return (abs(j - s["mark"]) <= 0.5).astype(float)


def check_drawing(page) -> None:
    """Compare every strip, marker and length with the package, to 1e-6."""
    s = state(page)
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


@pytest.mark.parametrize("via", ["http", "file"])
def test_every_control_moves_by_keyboard(look, via):
    page = look("drift.html", via)
    check_drawing(page)
    for key, presses, step in (("steps", 2, 1), ("mark", 5, 0.5)):
        slider = page.locator(f"input[type=range][data-key={key}]")
        slider.focus()
        old = state(page)[key]
        before = page.locator(".rl-stage").inner_html()
        for _ in range(presses):
            slider.press("ArrowRight")
        assert state(page)[key] == pytest.approx(old + presses * step)
        assert page.locator(".rl-stage").inner_html() != before
        check_drawing(page)
    for key, values in (("kernel", FIELDS), ("row", ("spot", "edge"))):
        select = page.locator(f"select[data-key={key}]")
        for value in list(values)[1:]:
            select.press("ArrowDown")
            assert state(page)[key] == value
            check_drawing(page)
    for box in page.locator("input[type=checkbox]").all():
        was = box.is_checked()
        box.press("Space")
        assert box.is_checked() is not was
        check_drawing(page)
    assert page.locator("input[data-key=n]").is_disabled()
    assert "Needs a kernel" in page.locator(".rl-controls").inner_text()


@pytest.mark.parametrize("via", ["http", "file"])
def test_every_control_moves_by_mouse(look, via):
    page = look("drift.html", via)
    for key in ("steps", "mark"):
        box = page.locator(f"input[type=range][data-key={key}]").bounding_box()
        y = box["y"] + box["height"] / 2
        old = state(page)[key]
        page.mouse.move(box["x"] + box["width"] * 0.1, y)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] * 0.9, y, steps=4)
        page.mouse.up()
        assert state(page)[key] > old
        check_drawing(page)
    picture = page.locator(".rl-stage svg").bounding_box()
    middle = 36 + (picture["width"] - 88) / 2
    page.locator(".rl-stage svg").click(position={"x": middle + 2, "y": 100})
    assert state(page)["mark"] == 7.5
    check_drawing(page)
    page.locator("label", has_text="align_corners").click()
    page.locator("select[data-key=kernel]").select_option("cubic-0.75")
    page.locator("select[data-key=row]").select_option("edge")
    assert state(page)["grid"] == ["half_pixel", "asymmetric"]
    check_drawing(page)
    page.get_by_text("Start again").click()
    assert state(page) == START


@pytest.mark.parametrize("via", ["http", "file"])
def test_a_finger_moves_it_and_scrolls_past_it(look, via):
    page = look("drift.html", via, width=360, height=740, has_touch=True)
    check_sliders_by_touch(page, ("steps", "mark"), 0.9, check_drawing)
    page.locator("label", has_text="half_pixel").tap()
    assert state(page)["grid"] == ["align_corners", "asymmetric"]
    page.locator(".rl-stage svg").tap(position={"x": 40, "y": 100})
    assert state(page)["mark"] == 0
    check_drawing(page)
    check_a_drag_scrolls(page, 500)


def test_links_set_it_and_junk_is_told(look):
    page = look("drift.html#drift:steps=9,mark=left,kernel=cubic-0.75")
    page.wait_for_selector("[data-drawn*='cubic-0.75']")
    said = page.locator(".rl-note").inner_text()
    assert "steps is 5 here: it goes from 1 to 5" in said
    assert "mark: “left” is no number" in said
    check_drawing(page)
    page.get_by_role("link", name="Far").click()
    assert (state(page)["mark"], state(page)["grid"]) == (15, ["align_corners"])
    check_drawing(page)
    # There is no half doubling: the nearest there is.
    page.evaluate("location.hash = '#drift:kernel=linear,steps=1.6,mark=3.5'")
    page.wait_for_selector("[data-drawn*='3.5']")
    assert state(page)["steps"] == 2
    check_drawing(page)


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


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(look, theme):
    check_axe(look("drift.html", theme=theme))


@pytest.mark.alone
def test_a_redraw_fits_in_a_frame_and_dark_redraws(look):
    page = look("drift.html#drift:steps=5", theme="light")
    page.wait_for_selector("[data-drawn*='\"steps\":5']")
    check_redraw(page, "input[data-key=mark]", [i / 2 for i in range(21)])
    check_dark_redraws(page, "[data-grid=asymmetric] [data-step='1']", "fill")
    check_drawing(page)


def test_a_damaged_state_is_told(look, tiny_site):
    check_damage_is_told(look, tiny_site.root, "drift")
