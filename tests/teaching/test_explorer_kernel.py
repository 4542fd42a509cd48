"""The explorer "kernel": move it, read back weights, overshoot, waves and curves."""

import numpy as np
import pytest
from explorer_checks import PHONE, Explorer, drawn_state
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
    operators = payload.unpack(kernel().payload)["operators"]
    zero, one = (operators["w|" + end].dense() for end in ("cubic0", "cubic-1"))
    spec = rl.Spec(kernel="cubic", a=a, grid="asymmetric")
    n = zero.shape[1]
    expected = rl.weights(spec, n, n * FINE).dense()
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


# ---- the page ----------------------------------------------------------------


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
    s = drawn_state(page, page.locator(".resizelab-kernel").get_attribute("data-name"))
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


class TestKernel(Explorer):
    make, check, name = staticmethod(kernel), staticmethod(check_drawing), "kernel"
    sliders = {"a": 0.01, "t": 1 / 64}
    start = {"kernel": "cubic", "beside": "cubic-0.5", "a": -0.75, "t": 0.25}
    # What a link does not name is as it was at the start.
    link = "Half", {"kernel": "lanczos3", "beside": "cubic-1", "a": -0.75, "t": 0.5}
    junk = {
        "a=-0.6,t=2": "t is 1 here: it goes from 0 to 1",
        "beside=lanczos5": "beside has no “lanczos5”",
    }
    moved = "a", [-1 + i / 30 for i in range(21)]
    themed = "[data-kernel=cubic] [data-curve=kernel]", "stroke"
    said = (
        "a = \N{MINUS SIGN}0.75 (cubic): "
        "pixels -1 to 2 weigh -0.1055, 0.8789, 0.2617, -0.0352"
    )
    wrong = [
        ({"own": np.sin}, TypeError, "own must be a Kernel; got ufunc"),
        ({"kernel": "lanczos"}, ValueError, "kernel must be one of 'cubic', 'linear'"),
        ({"kernel": "own"}, ValueError, "kernel must be one of 'cubic', 'linear'"),
        ({"beside": "cubic-0.7"}, ValueError, "beside must be one of 'none', 'cub"),
        ({"a": -2}, ValueError, "a=-2: a number from -1.2 to 0 is needed"),
        ({"t": 1.5}, ValueError, "t=1.5: a number from 0 to 1 is needed"),
        ({"name": "my kernel"}, ValueError, "name='my kernel': it stands in links"),
    ]

    def test_stops_and_every_kernel(self, look):
        page = self.open(look)
        stops = page.locator(".rl-stops button").all()
        for button, a in zip(stops, (-1, -0.75, -0.6, -0.5), strict=True):
            button.press("Enter")
            assert self.state(page)["a"] == a
            check_drawing(page)
        others = ["none", "cubic-0.5", "cubic-0.6", "cubic-0.75", "cubic-1", *FAMILIES]
        for key, other in zip([*FAMILIES, "cubic"], reversed(others), strict=False):
            page.locator("select[data-key=kernel]").select_option(key)
            page.locator("select[data-key=beside]").select_option(other)
            check_drawing(page)
            # a goes with cubic and only with it.
            off = page.locator("input[data-key=a]").is_disabled()
            assert off is (key != "cubic")

    def test_a_tap_on_a_pixel_reads_there(self, look):
        page = self.open(look, **PHONE)
        for tap in ("1", "0"):
            page.locator(f"[data-kernel=cubic] [data-tap='{tap}']").tap(force=True)
            assert self.state(page)["t"] == int(tap)
            check_drawing(page)

    def test_a_fraction_between_two_64ths_is_drawn_at_the_nearer(self, look):
        page = self.open(look, "t=0.3,kernel=lanczos3")
        page.wait_for_selector("[data-drawn*='0.3']")
        check_drawing(page)
        assert "before they are divided by it" in page.locator(".rl-say").inner_text()
