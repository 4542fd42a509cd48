"""The explorer "disc": move it, read back mask, logits, Dice and its curve."""

import re

import numpy as np
import pytest
from explorer_checks import PHONE, Explorer, drawn_state
from tiny_book import BELOW, code

import resizelab as rl
from resizelab import measure

pytest.importorskip("anywidget")

from resizelab.teaching.explorers import disc, disc_explorer, payload

GRIDS = ["asymmetric", "half_pixel", "align_corners"]
START = {
    "dial": 1, "stride": "4", "trained": "half_pixel", "radius": 5, "x": 30, "y": 60,
}  # fmt: skip
TINY_PAGES = {
    "disc": "# Disc\n\n[Shift](#disc:dial=0,stride=8,radius=12).\n\n"
    + code("from resizelab.teaching.explorers import disc\ndisc()")
    + BELOW
}


def truth_of(s: dict) -> np.ndarray:
    """Return the pixels inside the disc."""
    down, across = np.mgrid[:96, :96]
    return np.hypot(across - s["x"], down - s["y"]) <= s["radius"] + 1e-9


def places(s: dict, dial: float) -> np.ndarray:
    """Return where the dial's grid takes the logits to stand, in pixels."""
    n = 96 // int(s["stride"])
    low = min(1, int(dial))
    lines = {
        "asymmetric": (n / 96, 0.0),
        "half_pixel": (n / 96, n / 192 - 0.5),
        "align_corners": ((n - 1) / 95, 0.0),
    }
    (b0, a0), (b1, a1) = (lines[g] for g in GRIDS[low : low + 2])
    part = dial - low
    first, stride = (1 - part) * a0 + part * a1, (1 - part) * b0 + part * b1
    return (np.arange(n) - first) / stride


def enlarged(s: dict, dial: float) -> np.ndarray:
    """Return the logits enlarged: NumPy's interpolation between the places."""
    down, across = np.mgrid[:96, :96]
    depth = s["radius"] - np.hypot(across - s["x"], down - s["y"])
    read = rl.weights(rl.Spec(grid=s["trained"]), 96, 96 // int(s["stride"])).dense()
    logits = read @ depth @ read.T
    at = places(s, dial)
    up = np.array([np.interp(np.arange(96), at, row) for row in np.eye(len(at))]).T
    return up @ logits @ up.T


def judged(s: dict, dial: float) -> tuple[np.ndarray, float, float]:
    """Return the mask under a dial, its Dice and its IoU."""
    mask = enlarged(s, dial) >= -1e-9
    truth = truth_of(s)
    return mask, measure.dice(truth, mask), measure.iou(truth, mask)


# ---- Python ------------------------------------------------------------------


def test_the_page_gets_every_state_its_controls_reach():
    d = disc()
    box = payload.unpack(d.payload)
    for stride in (4, 8, 16, 32):
        n = 96 // stride
        for k, grid in enumerate(GRIDS):
            read = box["operators"][f"s|{grid}|{stride}"].dense()
            np.testing.assert_array_equal(
                read, rl.weights(rl.Spec(grid=grid), 96, n).dense()
            )
            up = box["operators"][f"u|{stride}|{8 * k}"].dense()
            whole = rl.weights(rl.Spec(grid=grid), n, 96).dense()
            np.testing.assert_allclose(up, whole, atol=1e-13)
        shown = box["arrays"][f"p|{stride}"]
        expected = [places({"stride": stride}, k / 8) for k in range(17)]
        np.testing.assert_allclose(shown, expected, atol=1e-9)
    assert len(d.payload) <= 45_000


def test_between_two_stops_positions_are_mixed():
    s = {**START, "stride": "8"}
    for k in (3, 8, 13):
        at = places(s, k / 8)
        up = [np.interp(np.arange(96), at, row) for row in np.eye(12)]
        found = disc_explorer.enlargement(k, 12).dense()
        np.testing.assert_allclose(found, np.transpose(up), atol=1e-12)


@pytest.mark.parametrize("trained", GRIDS)
def test_a_lesion_is_found_best_with_the_grid_of_the_training(trained):
    s = {**START, "trained": trained, "stride": "8", "radius": 12, "x": 20.0}
    by_grid = {grid: judged(s, k)[1] for k, grid in enumerate(GRIDS)}
    assert max(by_grid, key=by_grid.get) == trained
    assert by_grid[trained] > 0.94


def test_python_answers_any_state_and_refuses_others():
    d = disc()
    d.request = {"id": 1, "state": {**d.state, "trained": "asymmetric", "dial": 0.5}}
    box = payload.unpack(d.answer)
    assert "s|asymmetric|4" in box["operators"]
    d.request = {"id": 2, "state": {**d.state, "dial": 2.5}}
    meta = payload.unpack(d.answer)["meta"]
    assert meta == {"id": 2, "error": "dial=2.5: a number from 0 to 2 is needed"}


# ---- the page ----------------------------------------------------------------


def check_drawing(page) -> None:
    """Compare mask, logits, outline, numbers and curve with Python, to 1e-6."""
    s = drawn_state(page, "disc")
    drawn = page.eval_on_selector(
        ".resizelab-disc .rl-stage > svg",
        """svg => ({
          paths: Object.fromEntries([...svg.querySelectorAll("[data-kind]")].map(
            n => [n.dataset.kind, n.getAttribute("d")])),
          dots: Object.fromEntries([...svg.querySelectorAll("[data-sign]")].map(
            n => [n.dataset.sign, n.getAttribute("d")])),
          numbers: Object.fromEntries(["dice", "iou", "matched"].map(
            k => [k, +svg.querySelector(`[data-${k}]`).dataset[k]])),
          curve: svg.querySelector("[data-curve]").dataset.curve.split(" ").map(Number),
          outline: ["cx", "cy", "r"].map(
            k => +svg.querySelector("svg svg circle").getAttribute(k)),
        })""",
    )
    dial = np.floor(8 * s["dial"] + 0.5) / 8
    truth, (mask, dice, iou) = truth_of(s), judged(s, dial)
    kinds = {"hit": truth & mask, "missed": truth & ~mask, "extra": mask & ~truth}
    for kind, expected in kinds.items():
        painted = np.zeros((96, 96), bool)
        for x, y in re.findall(r"M([-\d.]+) ([-\d.]+)h1v1h-1z", drawn["paths"][kind]):
            painted[int(float(y) + 0.5), int(float(x) + 0.5)] = True
        np.testing.assert_array_equal(painted, expected)
    numbers = {"dice": dice, "iou": iou, "matched": judged(s, home(s))[1]}
    assert drawn["numbers"] == pytest.approx(numbers, abs=1e-6)
    expected = [judged(s, k / 8)[1] for k in range(17)]
    np.testing.assert_allclose(drawn["curve"], expected, atol=1e-6)
    assert drawn["outline"] == [s["x"], s["y"], s["radius"]]
    check_dots(s, dial, drawn["dots"])


def home(s: dict) -> int:
    """Return where the dial stands on the grid of the training."""
    return GRIDS.index(s["trained"])


def check_dots(s: dict, dial: float, dots: dict) -> None:
    """Compare where the logits are drawn, and which are positive."""
    at = places(s, dial)
    read = rl.weights(rl.Spec(grid=s["trained"]), 96, len(at)).dense()
    down, across = np.mgrid[:96, :96]
    depth = s["radius"] - np.hypot(across - s["x"], down - s["y"])
    logits = read @ depth @ read.T
    for sign in (1, -1):
        pairs = re.findall(r"M([-\d.e]+) ([-\d.e]+)h0", dots[str(sign)])
        found = sorted((float(x), float(y)) for x, y in pairs)
        i, j = np.nonzero(sign * logits > 1e-9)
        np.testing.assert_allclose(
            found, sorted(zip(at[j], at[i], strict=True)) or [], atol=1e-6
        )


def test_words_and_table_say_the_numbers(look):
    page = look("disc.html#disc:dial=2,x=10,y=80")
    page.wait_for_selector("[data-drawn*='80']")
    s = drawn_state(page, "disc")
    mask, dice, iou = judged(s, 2)
    truth = truth_of(s)
    missed, extra = int((truth & ~mask).sum()), int((mask & ~truth).sum())
    words = page.locator(".rl-say").inner_text()
    assert f"Run with align_corners: Dice {dice:.2f}, IoU {iou:.2f}" in words
    assert f"{missed} pixels missed, {extra} too many" in words
    page.get_by_text("All numbers").click()
    cells = page.locator(".rl-numbers tbody tr").last.locator("th, td")
    assert cells.all_inner_texts() == [
        "align_corners", f"{dice:.3g}", f"{iou:.3g}", str(missed), str(extra),
    ]  # fmt: skip
    assert page.locator(".rl-numbers tbody tr").count() == 17


@pytest.mark.slow
class TestDisc(Explorer):
    make, check, name = staticmethod(disc), staticmethod(check_drawing), "disc"
    sliders = {"dial": 0.125, "radius": 0.5, "x": 0.25, "y": 0.25}
    menus = {"stride": ["8", "16", "32"], "trained": GRIDS[2:]}
    start = START
    link = "Shift", {"dial": 0, "stride": "8", "radius": 12}
    junk = {
        "radius=99,trained=asymmetric": "radius is 24 here: it goes from 2 to 24",
        "stride=5": "stride has no “5”",
    }
    moved = "x", [10 + i / 2 for i in range(21)]
    themed = "[data-kind=hit]", "fill"
    said = "Run with half_pixel: Dice"
    wrong = [
        ({"trained": "half"}, ValueError, "trained must be one of 'asymmetric', 'half"),
        ({"stride": 5}, ValueError, "stride='5': allowed are '4', '8', '16', '32'"),
        ({"radius": 1}, ValueError, "radius=1: a number from 2 to 24 is needed"),
        ({"x": 96}, ValueError, "x=96: a number from 0 to 95 is needed"),
    ]

    def test_the_figure_says_both_dice(self):
        data, _ = disc(dial=0)._repr_mimebundle_()
        dice = [judged(START, dial)[1] for dial in (0, 1)]
        said = "Run with asymmetric: Dice {:.2f}. Run as trained: {:.2f}.".format(*dice)
        assert said in data["text/plain"]

    def test_a_click_moves_disc_and_dial(self, look):
        page = self.open(look)
        page.get_by_role("button", name="asymmetric").press("Enter")
        assert self.state(page)["dial"] == 0
        page.locator("select[data-key=stride]").select_option("8")
        page.locator("select[data-key=trained]").select_option("align_corners")
        page.get_by_role("button", name="half_pixel").click()
        assert (self.state(page)["stride"], self.state(page)["dial"]) == ("8", 1)
        picture = page.locator(".rl-stage > svg > rect").bounding_box()
        page.locator(".rl-stage > svg").click(
            position={"x": picture["width"] / 2, "y": picture["height"] / 4}
        )
        assert (self.state(page)["x"], self.state(page)["y"]) == (47.5, 23.5)
        check_drawing(page)
        page.locator(".rl-stage polyline").scroll_into_view_if_needed()
        curve = page.locator(".rl-stage polyline").bounding_box()
        page.mouse.click(curve["x"] + curve["width"] / 4, curve["y"] + 30)
        assert self.state(page)["dial"] == 0.5
        check_drawing(page)

    def test_a_tap_moves_it(self, look):
        page = self.open(look, **PHONE)
        page.locator(".rl-stage > svg").tap(position={"x": 40, "y": 60})
        assert self.state(page)["x"] < 20
        check_drawing(page)

    def test_a_dial_between_two_steps_takes_the_nearer(self, look):
        page = self.open(look, "dial=0.3,trained=asymmetric")
        page.wait_for_selector("[data-drawn*='0.3']")
        words = page.locator(".rl-say").inner_text()
        assert "25 % from asymmetric to half_pixel" in words
        check_drawing(page)
