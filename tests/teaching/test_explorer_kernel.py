"""The explorer "kernel": move it, read back weights, overshoot, waves and curves."""

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
from resizelab.axis.kernel import kernel as kernel_of

pytest.importorskip("anywidget")

from resizelab.teaching.explorers import kernel, payload
from resizelab.teaching.explorers.kernel_explorer import users

FINE, ROW = 64, 20  # looked at so finely; pixels of the row in this test
FAMILIES = {
    "linear": ("linear", {}),
    "mitchell": ("cubic", {"b": 1 / 3, "c": 1 / 3}),
    "lanczos2": ("lanczos", {"lobes": 2}),
    "lanczos3": ("lanczos", {"lobes": 3}),
    "lanczos4": ("lanczos", {"lobes": 4}),
    "box": ("box", {}),
    "hamming": ("hamming", {}),
    "bspline": ("bspline", {"order": 3}),
}
OWN = (
    "import numpy as np, resizelab as rl\n"
    "own = rl.Kernel('raised cosine', 1.5, "
    "lambda d: 1 + np.cos(np.pi * d / 1.5))\n"
)
TINY_PAGES = {
    "kernel": "# Kernel\n\n[Half](#kernel:t=0.5,kernel=lanczos3,beside=cubic-1).\n\n"
    + code("from resizelab.teaching.explorers import kernel\nkernel()")
    + "\n\n"
    + "Words below.\n\n" * 40,
    "own-kernel": "# Own\n"
    + code("from resizelab.teaching.explorers import kernel\n" + OWN)
    + code("kernel('own', 'cubic-0.75', own=own, name='mine')"),
}


def raised_cosine() -> rl.Kernel:
    """Return the reader's kernel of the second page."""
    return rl.Kernel("raised cosine", 1.5, lambda d: 1 + np.cos(np.pi * d / 1.5))


def meant(key: str, a: float) -> rl.Kernel:
    """Return the kernel that ``key`` stands for."""
    if key == "own":
        return raised_cosine()
    if key.startswith("cubic"):
        return kernel_of("cubic", a=a if key == "cubic" else float(key[5:]))
    family, parameters = FAMILIES[key]
    return kernel_of(family, **parameters)


def dense(k: rl.Kernel) -> np.ndarray:
    """Return the operator that reads a row of pixels at every 64th of one."""
    spec = rl.Spec(kernel=k, grid="asymmetric")
    return rl.weights(spec, ROW, ROW * FINE).dense()


# ---- Python ------------------------------------------------------------------


def test_the_page_gets_every_kernel():
    k = kernel()
    box = payload.unpack(k.payload)
    for key in FAMILIES:
        one = meant(key, 0)
        operator = box["operators"]["w|" + key].dense()
        n = operator.shape[1]
        # Inside, where no border is: the same pixels, counted from another end.
        at = slice((n // 2 - 1) * FINE, n // 2 * FINE + 1)
        there = slice((ROW // 2 - 1) * FINE, ROW // 2 * FINE + 1)
        wide = dense(one)[there, (ROW - n) // 2 : (ROW + n) // 2]
        np.testing.assert_allclose(operator[at], wide, atol=1e-12)
        curve = box["arrays"]["k|" + key]
        end = (len(curve) - 1) // 2
        np.testing.assert_array_equal(curve, one(np.arange(-end, end + 1) / FINE))
        assert end == one.radius * FINE
    assert len(k.payload) <= 35_000


@pytest.mark.parametrize("a", [-1.2, -0.75, -0.6, -0.5, 0.0])
def test_two_cubics_carry_every_other(a):
    arrays = payload.unpack(kernel().payload)["arrays"]
    zero, one = (arrays[f"w|{end}.weight"] for end in ("cubic0", "cubic-1"))
    np.testing.assert_array_equal(arrays["w|cubic0.index"], arrays["w|cubic-1.index"])
    spec = rl.Spec(kernel="cubic", a=a, grid="asymmetric")
    n = len(zero) // FINE
    expected = rl.weights(spec, n, n * FINE).weight
    np.testing.assert_allclose(zero - a * (one - zero), expected, atol=1e-14)


def test_who_uses_which_a_comes_from_the_table():
    found = users()
    assert {"torch", "opencv"} <= set(found[-0.75])
    assert {"pillow", "tf2"} <= set(found[-0.5])
    for a, names in found.items():
        assert kernel().controls[0]["hint"].count(names[0]) == 1, (a, names)


def test_a_readers_own_kernel_is_in_the_page_and_named():
    mine = kernel("own", own=raised_cosine())
    box = payload.unpack(mine.payload)
    w = box["operators"]["w|own"]
    spec = rl.Spec(kernel=raised_cosine(), grid="asymmetric")
    expected = rl.weights(spec, w.n_in, w.n_in * FINE).dense()
    np.testing.assert_array_equal(w.dense(), expected)
    assert mine.controls[2]["options"]["own"] == "raised cosine"
    assert "own: pixels -1 to 1 weigh" in mine.sentence()


def test_it_shows_itself_without_scripts():
    data, _ = kernel()._repr_mimebundle_()
    assert data["image/png"].startswith("iVBORw0KGgo")
    weights = "pixels -1 to 2 weigh -0.1055, 0.8789, 0.2617, -0.0352"
    assert f"a = −0.75 (cubic): {weights}" in data["text/plain"]  # noqa: RUF001


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"own": np.sin}, TypeError, "own must be a Kernel; got ufunc"),
        ({"kernel": "lanczos"}, ValueError, "kernel must be one of 'cubic', 'linear'"),
        ({"kernel": "own"}, ValueError, "kernel must be one of 'cubic', 'linear'"),
        (
            {"beside": "cubic-0.7"},
            ValueError,
            "beside must be one of 'none', 'cub",
        ),
        ({"a": -2}, ValueError, "a=-2: a number from -1.2 to 0 is needed"),
        ({"t": 1.5}, ValueError, "t=1.5: a number from 0 to 1 is needed"),
        ({"name": "my kernel"}, ValueError, "name='my kernel': it stands in links"),
    ],
)
def test_a_wrong_argument_says_what_is_allowed(arguments, error, message):
    with pytest.raises(error, match=f"^{re.escape(message)}"):
        kernel(**arguments)


# ---- the page ----------------------------------------------------------------


def state(page) -> dict:
    """Return the state that is drawn."""
    root = page.locator(".resizelab-kernel[data-drawn]")
    return json.loads(root.get_attribute("data-drawn"))


def pulled(page) -> list[dict]:
    """Return what is drawn for each kernel."""
    return page.eval_on_selector_all(
        ".resizelab-kernel g[data-kernel]",
        """all => all.map(g => ({
          key: g.dataset.kernel, sum: +g.dataset.sum, before: +g.dataset.before,
          fraction: +g.dataset.fraction,
          taps: [...g.querySelectorAll("[data-tap]")].map(
            n => [+n.dataset.tap, +n.dataset.weight]),
          quarter: +g.querySelector("[data-quarter]").dataset.quarter,
          over: +(g.querySelector("[data-overshoot]") || {dataset: {}}).dataset
            .overshoot || 0,
          curves: Object.fromEntries([...g.querySelectorAll("[data-curve]")].map(
            n => [n.dataset.curve, n.getAttribute("d")])),
        }))""",
    )


def check_curve(d: str, values: np.ndarray) -> None:
    """Check that a path is a picture of ``values``: linear in them, to 0.02 px."""
    points = np.array([p.split() for p in d[1:].split("L")], float)
    assert len(points) == len(values)
    line = np.polyfit(values, points[:, 1], 1)
    assert line[0] < 0
    np.testing.assert_allclose(points[:, 1], np.polyval(line, values), atol=0.02)
    assert np.allclose(np.diff(points[:, 0], 2), 0, atol=0.03)


def check_drawing(page) -> None:
    """Compare everything that is drawn with the package, to 1e-6."""
    s = state(page)
    drawn = pulled(page)
    keys = dict.fromkeys((s["kernel"], s["beside"]))
    assert [g["key"] for g in drawn] == [k for k in keys if k != "none"]
    at = round(s["t"] * FINE)
    base = ROW // 2 - 1
    for g in drawn:
        k = meant(g["key"], s["a"])
        w = dense(k)
        pixels = np.array([j for j, _ in g["taps"]])
        row = w[base * FINE + at]
        shown = np.array([v for _, v in g["taps"]])
        np.testing.assert_allclose(shown, row[base + pixels], atol=1e-6)
        # Nothing that weighs is left out.
        assert abs(np.delete(row, base + pixels)).max() < 1e-12
        assert g["fraction"] == at / FINE
        assert g["sum"] == pytest.approx(1, abs=1e-9)
        before = k(pixels - at / FINE).sum()
        assert g["before"] == pytest.approx(before, abs=1e-6)
        assert g["quarter"] == pytest.approx(
            float(k.response(np.array(0.25))), abs=1e-6
        )
        step = w @ (np.arange(ROW) > base)
        over = max(0.0, step.max() - 1)
        assert g["over"] == pytest.approx(over if over > 5e-5 else 0, abs=1e-6)
        end = int(np.ceil(k.radius * FINE))
        check_curve(g["curves"]["kernel"], k(np.arange(-end, end + 1) / FINE))
        check_curve(g["curves"]["wave"], k.response(np.arange(97) / 64))
        middle = base * FINE + FINE // 2
        check_curve(
            g["curves"]["step"], step[middle - 3 * FINE : middle + 3 * FINE + 1]
        )


@pytest.mark.parametrize("via", ["http", "file"])
def test_every_control_moves_by_keyboard(look, via):
    page = look("kernel.html", via)
    check_drawing(page)
    for key, step in {"a": 0.01, "t": 1 / 64}.items():
        slider = page.locator(f"input[type=range][data-key={key}]")
        slider.focus()
        old = state(page)[key]
        before = page.locator(".rl-stage").inner_html()
        for _ in range(7):
            slider.press("ArrowRight")
        assert state(page)[key] == pytest.approx(old + 7 * step)
        assert page.locator(".rl-stage").inner_html() != before
        check_drawing(page)
    for button, a in zip(
        page.locator(".rl-stops button").all(), (-1, -0.75, -0.6, -0.5), strict=True
    ):
        button.press("Enter")
        assert state(page)["a"] == a
        check_drawing(page)
    page.locator("select[data-key=beside]").press("ArrowUp")
    assert state(page)["beside"] == "none"
    check_drawing(page)


@pytest.mark.parametrize("via", ["http", "file"])
def test_every_kernel_is_drawn_as_the_package_has_it(look, via):
    page = look("kernel.html", via)
    others = ["none", "cubic-0.5", "cubic-0.6", "cubic-0.75", "cubic-1", *FAMILIES]
    for key, other in zip([*FAMILIES, "cubic"], reversed(others), strict=False):
        page.locator("select[data-key=kernel]").select_option(key)
        page.locator("select[data-key=beside]").select_option(other)
        check_drawing(page)
        # a goes with cubic and only with it.
        off = page.locator("input[data-key=a]").is_disabled()
        assert off is (key != "cubic")


@pytest.mark.parametrize("via", ["http", "file"])
def test_every_control_moves_by_mouse(look, via):
    page = look("kernel.html", via)
    for key in ("a", "t"):
        box = page.locator(f"input[type=range][data-key={key}]").bounding_box()
        y = box["y"] + box["height"] / 2
        old = state(page)[key]
        page.mouse.move(box["x"] + box["width"] * 0.2, y)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] * 0.9, y, steps=4)
        page.mouse.up()
        assert state(page)[key] > old
        check_drawing(page)
    page.locator("[data-kernel=cubic] [data-tap='1']").click(force=True)
    assert state(page)["t"] == 1
    check_drawing(page)
    page.get_by_text("Start again").click()
    assert state(page) == {
        "kernel": "cubic", "beside": "cubic-0.5", "a": -0.75, "t": 0.25,
    }  # fmt: skip


@pytest.mark.parametrize("via", ["http", "file"])
def test_a_finger_moves_it_and_scrolls_past_it(look, via):
    page = look("kernel.html", via, width=360, height=740, has_touch=True)
    check_sliders_by_touch(page, ("a", "t"), 0.8, check_drawing)
    page.locator("[data-kernel=cubic] [data-tap='0']").tap(force=True)
    assert state(page)["t"] == 0
    check_drawing(page)
    check_a_drag_scrolls(page, 500)


def test_links_set_it_and_junk_is_told(look):
    page = look("kernel.html#kernel:a=-0.6,t=2,beside=lanczos5")
    page.wait_for_selector("[data-drawn*='-0.6']")
    note = page.locator(".rl-note")
    assert "t is 1 here: it goes from 0 to 1" in note.inner_text()
    assert "beside has no “lanczos5”" in note.inner_text()
    check_drawing(page)
    page.get_by_role("link", name="Half").click()
    wanted = {"kernel": "lanczos3", "beside": "cubic-1", "a": -0.6, "t": 0.5}
    assert state(page) == wanted
    check_drawing(page)
    assert "before they are divided by it" in page.locator(".rl-say").inner_text()
    # A fraction between two 64ths is drawn at the nearer one.
    page.evaluate("location.hash = '#kernel:t=0.3,kernel=cubic'")
    page.wait_for_selector("[data-drawn*='0.3']")
    check_drawing(page)


def test_a_readers_own_kernel_is_drawn_and_normalised(look):
    page = look("own-kernel.html")
    check_drawing(page)
    before = pulled(page)[0]["before"]
    assert before != pytest.approx(1, abs=0.01)
    page.locator("input[data-key=t]").press("End")
    check_drawing(page)
    assert "raised cosine" in page.locator(".rl-say").inner_text()


def test_the_numbers_are_in_a_table_too(look):
    page = look("kernel.html")
    page.get_by_text("All numbers").click()
    cells = page.locator(".rl-numbers tbody tr").first.locator("th, td")
    texts = [t.replace("−", "-") for t in cells.all_inner_texts()]  # noqa: RUF001
    assert texts == ["-1", "1.25", "-0.105469", "-0.070313"]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(look, theme):
    check_axe(look("kernel.html", theme=theme))


@pytest.mark.alone
def test_a_redraw_fits_in_a_frame_and_dark_redraws(look):
    page = look("kernel.html", theme="light")
    page.wait_for_selector("[data-drawn]")
    check_redraw(page, "input[data-key=a]", [-1 + i / 30 for i in range(21)])
    check_dark_redraws(page, "[data-kernel=cubic] [data-curve=kernel]", "stroke")
    check_drawing(page)


def test_a_damaged_state_is_told(look, tiny_site):
    check_damage_is_told(look, tiny_site.root, "kernel")
