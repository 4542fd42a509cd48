"""The explorer "box": move it, read back the pictures, the boxes and the numbers."""

import re

import numpy as np
import pytest
from explorer_checks import PHONE, Explorer, drawn_state
from tiny_book import code

import resizelab as rl
from resizelab.geometry.boxes import iou
from resizelab.geometry.mapping import place

pytest.importorskip("anywidget")

from resizelab.teaching.explorers import boxes, payload
from resizelab.teaching.patterns import pattern

GRIDS = {"half_pixel": "edges", "align_corners": "corners", "asymmetric": "centres"}
START = {
    "grid": "half_pixel", "rule": "centres", "n_out": 48, "side": 3, "left": 5,
    "top": 4,
}  # fmt: skip
TINY_PAGES = {
    "box": "# Box\n\n[Off](#box:grid=asymmetric,rule=inclusive,n_out=64,side=2).\n\n"
    + code("from resizelab.teaching.explorers import boxes\nboxes()")
    + "\n\n"
    + "Words below.\n\n" * 40,
}


def input_box(s: dict) -> list[float]:
    """Return the object of a state, (left, top, right, bottom)."""
    first = [min(s[key], 16 - s["side"]) for key in ("left", "top")]
    return [*first, *(k + s["side"] for k in first)]


def moved(s: dict, rule: str) -> np.ndarray:
    """Return where the object's box goes by a rule, worked out again."""
    box = np.array(input_box(s), float)
    scale = s["n_out"] / 16
    if rule == "inclusive":
        last = (box[2:] - 1) * scale + 1
        return np.concatenate([box[:2] * scale, last])
    grid = {rule: grid for grid, rule in GRIDS.items()}[rule]
    placed = place(rl.Spec(grid=grid), (16, 16), (s["n_out"],) * 2)
    return placed.boxes(box, "xyxy_edges")


def pictures(s: dict) -> tuple[np.ndarray, np.ndarray]:
    """Return the scene with its object, before and after the resize."""
    left, top, right, bottom = input_box(s)
    x = 0.5 * pattern("scene") / 255
    x[top:bottom, left:right] = 1.0
    w = rl.weights(rl.Spec(grid=s["grid"]), 16, s["n_out"]).dense()
    return x, w @ x @ w.T


# ---- Python ------------------------------------------------------------------


def test_the_page_gets_every_state_its_controls_reach():
    b = boxes()
    box = payload.unpack(b.payload)
    for m in range(4, 65, 4):
        for grid, rule in GRIDS.items():
            w = rl.weights(rl.Spec(grid=grid), 16, m)
            shown = box["operators"][f"w|{grid}|{m}"]
            np.testing.assert_array_equal(shown.dense(), w.dense())
            edges = np.arange(17.0)[:, None]
            expected = place(rl.Spec(grid=grid), (16,), (m,)).points(
                edges, "centre_at_half"
            )[:, 0]
            for row in box["arrays"][f"b|{rule}|{m}"]:
                np.testing.assert_allclose(row, expected, atol=1e-12)
    assert len(b.payload) <= 16_000


def test_the_rule_of_first_and_last_pixel_by_hand():
    first, last = boxes().edges("inclusive", 64)
    # Pixels 5, 6, 7 become "20 to 28": 9 pixels of the 12.
    assert (first[5], last[8]) == (20.0, 29.0)


def test_python_answers_beyond_the_page_with_another_kernel():
    nearest = rl.Spec(kernel="nearest", nearest_mode="floor", grid="asymmetric")
    b = boxes(grid="asymmetric", rule="edges", spec=nearest)
    b.request = {"id": 1, "state": {**b.state, "n_out": 128}}
    box = payload.unpack(b.answer)
    w = rl.weights(nearest, 16, 128).dense()
    shown = box["operators"]["w|asymmetric|128"].dense()
    np.testing.assert_array_equal(shown, w)
    # Repeated pixels stay on their tiles: the edges' rule is right for them.
    np.testing.assert_allclose(
        box["arrays"]["b|centres|128"][0], np.arange(17) * 8.0, atol=1e-9
    )
    b.request = {"id": 3, "state": {**b.state, "n_out": 49}}
    assert payload.unpack(b.answer)["operators"]["w|asymmetric|49"].n_out == 49
    b.request = {"id": 2, "state": {**b.state, "n_out": 200}}
    meta = payload.unpack(b.answer)["meta"]
    assert meta == {"id": 2, "error": "n_out=200: a number from 4 to 128 is needed"}


# ---- the page ----------------------------------------------------------------


def number(text: str) -> float:
    """Return a number that was written for a reader."""
    return float(text.replace("−", "-"))  # noqa: RUF001


def check_drawing(page) -> None:
    """Compare pictures, boxes and numbers with the package, to 1e-6."""
    s = drawn_state(page, "box")
    drawn = page.evaluate(
        """() => { const all = (q) => [...document.querySelectorAll(".resizelab-box " + q)];
          return {
            pictures: Object.fromEntries(all("[data-picture]").map(
              n => [n.dataset.picture, n.values])),
            boxes: Object.fromEntries(all("[data-box]").map(
              n => [n.dataset.box, n.dataset.edges.split(" ").map(Number)])),
            rects: Object.fromEntries(all("[data-box]").map(n => [n.dataset.box,
              ["x", "y", "width", "height"].map(a => +n.getAttribute(a))])),
            frame: all("[data-picture=after]").map(n =>
              ["x", "y", "width"].map(a => +n.getAttribute(a)))[0],
            told: all("[data-told]").map(n => n.textContent),
          }; }"""  # noqa: E501
    )
    before, after = pictures(s)
    np.testing.assert_allclose(drawn["pictures"]["before"], before, atol=1e-6)
    np.testing.assert_allclose(drawn["pictures"]["after"], after, atol=1e-6)
    truth, mine = moved(s, GRIDS[s["grid"]]), moved(s, s["rule"])
    np.testing.assert_allclose(drawn["boxes"]["before"], input_box(s))
    np.testing.assert_allclose(drawn["boxes"]["object"], truth, atol=1e-6)
    np.testing.assert_allclose(drawn["boxes"]["box"], mine, atol=1e-6)
    x, y, side = drawn["frame"]
    left, top, width, height = drawn["rects"]["box"]
    unit = side / s["n_out"]
    shown = [left - x, top - y, left - x + width, top - y + height]
    np.testing.assert_allclose(np.array(shown) / unit, mine, atol=1e-6)
    off = ((mine - truth).reshape(2, 2)).mean(0)
    wider = (mine[2] - mine[0]) - (truth[2] - truth[0])
    told = [number(v) for t in drawn["told"] for v in re.findall(r"[-−]?\d[\d.]*", t)]  # noqa: RUF001
    shared = float(iou(truth, mine, "xyxy_edges"))
    np.testing.assert_allclose(told, [*off, wider, shared], atol=0.005 + 1e-9)


def test_a_size_that_is_not_on_the_page_is_told(look):
    page = look("box.html#box:n_out=49")
    note = page.locator(".rl-note", has_text="not on the page")
    note.wait_for()
    assert "Run the chapter live for it." in note.inner_text()


def test_the_picture_is_told_in_words_and_in_a_table(look):
    page = look("box.html")
    said = page.locator(".rl-say").inner_text().replace("−", "-")  # noqa: RUF001
    assert "off by -1 px across and -1 px down, 0 px in width: IoU 0.65." in said
    label = page.locator(".rl-stage svg").get_attribute("aria-label")
    assert label.replace("−", "-").endswith(said)  # noqa: RUF001
    page.get_by_text("All numbers").click()
    rows = page.locator(".rl-numbers tbody tr").all()
    texts = [r.locator("th, td").all_inner_texts() for r in rows]
    assert [t[0] for t in texts] == ["edges", "corners", "centres", "inclusive"]
    assert texts[0] == ["edges", "0", "0", "0", "1"]
    off, width = number(texts[3][1]), number(texts[3][3])
    assert (off, width) == (-1.0, -2.0)


class TestBox(Explorer):
    make, check, name = staticmethod(boxes), staticmethod(check_drawing), "box"
    sliders = {"n_out": 4, "side": 1, "left": 1, "top": 1}
    menus = {"grid": list(GRIDS)[1:], "rule": ["inclusive"]}
    start = START
    link = "Off", {"grid": "asymmetric", "rule": "inclusive", "n_out": 64, "side": 2}
    junk = {
        "n_out=99": "n_out is 64 here: it goes from 4 to 64",
        "side=big,rule=corners": "side: “big” is no number",
        "grid=half,left=15": "grid has no “half”",
    }
    busiest = "n_out=64"
    moved = "left", range(13)
    themed = "[data-box=box]", "stroke"
    said = "is off by -1.00 pixels across and -1.00 down: IoU 0.65."
    wrong = [
        ({"grid": "half"}, ValueError, "grid must be one of 'half_pixel', 'align_"),
        ({"rule": "centre"}, ValueError, "rule must be one of 'edges', 'corners', "),
        ({"n_out": 3}, ValueError, "n_out=3: a number from 4 to 128 is needed"),
        ({"side": 9}, ValueError, "side=9: a number from 1 to 8 is needed"),
    ]

    def test_a_click_in_a_picture_moves_the_object(self, look):
        page = self.open(look)
        after = page.locator("[data-picture=after]")
        size = after.bounding_box()
        at = {"x": size["width"] * 0.77, "y": size["height"] * 0.77}
        after.click(position=at, force=True)
        # 0.77 of 16 less half a side of 3: 10.82.
        assert (self.state(page)["left"], self.state(page)["top"]) == (11, 11)
        check_drawing(page)
        before = page.locator("[data-picture=before]")
        before.click(position={"x": 2, "y": 2}, force=True)
        assert (self.state(page)["left"], self.state(page)["top"]) == (0, 0)
        check_drawing(page)

    def test_a_tap_moves_it(self, look):
        page = self.open(look, **PHONE)
        picture = page.locator("[data-picture=after]")
        picture.scroll_into_view_if_needed()
        picture.tap(position={"x": 5, "y": 5}, force=True)
        assert (self.state(page)["left"], self.state(page)["top"]) == (0, 0)
        check_drawing(page)
