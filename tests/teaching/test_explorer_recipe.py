"""The explorer "recipe": drag and type pixels, read back weights, sums and matrix."""

import numpy as np
import pytest
from browser import PATIENCE
from explorer_checks import PHONE, Explorer, drag, drawn_state
from playwright.sync_api import expect
from tiny_book import BELOW, code

import resizelab as rl
from resizelab.axis.grid import grid as grid_of

pytest.importorskip("anywidget")

from resizelab.teaching.explorers import payload, recipe
from resizelab.teaching.explorers.choosing import named, positions

MINE = rl.Spec(kernel="linear", boundary="constant", fill=9.0)
IMPORT = "import resizelab as rl\nfrom resizelab.teaching.explorers import recipe\n"
TINY_PAGES = {
    "recipe": "# Recipe\n\n[Tap](#recipe:pixel=4,against=asymmetric.linear).\n\n"
    + code(IMPORT + "recipe()")
    + code(
        "mine = rl.Spec(kernel='linear', boundary='constant', fill=9.0)\n"
        "recipe((5, 200, 7), 5, 'mine', {'mine': mine}, limits=(-10, 255), "
        "name='other')"
    )
    + BELOW
}


# ---- Python ------------------------------------------------------------------


def test_the_page_gets_every_state_its_controls_reach():
    r = recipe()
    box = payload.unpack(r.payload)
    for name, spec in r.menu.items():
        for n_out in range(1, 17):
            key = f"{name}|{n_out}"
            w = rl.weights(spec, 4, n_out).dense()
            np.testing.assert_array_equal(box["operators"]["w|" + key].dense(), w)
            x = grid_of(spec.grid, 4, n_out).positions()
            np.testing.assert_array_equal(box["arrays"]["x|" + key], x)
    assert len(r.payload) <= 12_000


def test_python_answers_beyond_the_page_with_a_readers_own_kernel():
    tent = rl.Kernel("tent", 1.0, lambda d: np.maximum(0, 1 - abs(d)))
    r = recipe((1, 2, 3), conventions={"tent": rl.Spec(kernel=tent)}, convention="tent")
    r.request = {"id": 1, "state": {**r.state, "n_out": 31}}
    box = payload.unpack(r.answer)
    expected = rl.weights(rl.Spec(), 3, 31).dense()
    np.testing.assert_allclose(box["operators"]["w|tent|31"].dense(), expected)


@pytest.mark.parametrize("name", ["torch.bilinear", "tf1.bicubic", "pillow.lanczos"])
def test_rows_of_the_table_can_be_chosen(name):
    r = recipe(convention=name, conventions=[name], against=name)
    box = payload.unpack(r.payload)
    w = rl.weights(name, 4, 7).dense()
    np.testing.assert_array_equal(box["operators"][f"w|{name}|7"].dense(), w)
    assert len(positions(named([name])[name], 4, 7)) == 7


# ---- the page ----------------------------------------------------------------


def drawn(page, name: str, selector: str, attribute: str) -> list[float]:
    """Return a data attribute of all nodes of an explorer that fit a selector."""
    return page.eval_on_selector_all(
        f".resizelab[data-name={name}] {selector}",
        f"all => all.map(n => +n.dataset.{attribute})",
    )


def check_drawing(page, name: str = "recipe", own=None) -> dict:
    """Compare all that is drawn with the package, to 1e-6; return the state."""
    s = drawn_state(page, name)
    n_in, n_out, i = len(s["values"]), s["n_out"], s["pixel"]
    assert drawn(page, name, "[data-input]", "value") == s["values"]
    for convention in {s["convention"], s["against"]} - {"none"}:
        spec = (own or named([convention]))[convention]
        w = rl.weights(spec, n_in, n_out)
        x = grid_of(spec.grid, n_in, n_out).positions()
        of = f'[data-of="{convention}"]'

        def same(selector, attribute, expected, of=of):
            shown = drawn(page, name, selector + of, attribute)
            np.testing.assert_allclose(shown, expected, atol=1e-6)

        same("[data-output]", "value", w.apply(np.array(s["values"], float)))
        same("[data-output]", "x", x)
        same("[data-read]", "read", [x[i]])
        row = w.dense()[i]
        same("[data-tap]", "tap", np.flatnonzero(row))
        same("[data-tap]", "weight", row[row != 0])
        same("[data-row]", "row", np.nonzero(w.dense())[0])
        same("[data-row]", "column", np.nonzero(w.dense())[1])
        same("[data-row]", "weight", w.dense()[np.nonzero(w.dense())])
    assert set(drawn(page, name, "[data-marked]", "marked")) == {i}
    return s


def test_what_is_said_is_the_sum(look):
    page = look("recipe.html")
    root = page.locator("[data-name=recipe]")
    said = (
        "half_pixel.linear: output pixel 1 reads at 0.25, 0.75 · 0 + 0.25 · 10 = 2.5."
    )
    # It is said a moment after it is drawn.
    expect(root.locator(".rl-say")).to_have_text(said, timeout=PATIENCE * 1000)
    root.locator("[data-key=convention]").select_option("half_pixel.keys")
    said = root.locator(".rl-say").inner_text()
    assert "0.227 · 10 \N{MINUS SIGN} 0.023 · 20" in said
    root.get_by_text("All numbers").click()
    rows = root.locator("tbody tr")
    assert rows.count() == 8
    assert rows.nth(1).inner_text().split("\t")[0] == "1"


def test_a_constant_outside_is_part_of_the_sum(look):
    page = look("recipe.html")
    root = page.locator("[data-name=other]")
    slider = root.locator("[data-key=pixel]")
    for _ in range(2):
        slider.press("ArrowLeft")
    assert check_drawing(page, "other", {"mine": MINE})["pixel"] == 0
    assert root.locator(".rl-say").inner_text().endswith("0.8 · 5 + 1.8 = 5.8.")


@pytest.mark.parametrize(
    ("typed", "value", "said"),
    [
        ("99", 40, "pixel 1 is 40 here: it goes from 0 to 40."),
        ("-3", 0, "pixel 1 is 0 here: it goes from 0 to 40."),
        ("", 10, "pixel 1: “” is no number."),
    ],
)
def test_a_typed_value_out_of_range_is_clamped_and_told(look, typed, value, said):
    page = look("recipe.html")
    field = page.locator("[data-name=recipe]").get_by_label("pixel 1")
    field.fill(typed)
    field.press("Tab")
    assert check_drawing(page)["values"][1] == value
    assert field.input_value() == str(value)
    assert page.locator("[data-name=recipe] .rl-note").inner_text() == said


class TestRecipe(Explorer):
    make, check, name = staticmethod(recipe), staticmethod(check_drawing), "recipe"
    sliders = {"n_out": 1, "pixel": 1}
    start = {
        "values": [0, 10, 20, 30], "n_out": 8, "convention": "half_pixel.linear",
        "against": "none", "pixel": 1,
    }  # fmt: skip
    link = "Tap", {"pixel": 4, "against": "asymmetric.linear"}
    junk = {
        "values=1+2": "values needs 4 numbers",
        "values=1+2+3+x": "values needs 4 numbers",
        "convention=torch": "convention has no “torch”",
        "pixel=1e999": "“1e999” is no number",
    }
    busiest = "against=half_pixel.cubic,n_out=16"
    moved = "pixel", [k % 16 for k in range(40)]
    said = "reads at 0.25, 0.75 · 0 + 0.25 · 10 = 2.5"
    wrong = [
        ({"values": ()}, ValueError, "values has 0 numbers: 1 to 8 are allowed"),
        ({"values": (0, 41)}, ValueError, "values has 41: numbers from 0 to 40"),
        ({"values": (0, np.nan)}, ValueError, "values has nan: numbers from"),
        ({"limits": (1, 1)}, ValueError, "limits=(1, 1): the first must be below"),
        ({"n_out": 0}, ValueError, "n_out=0: a number from 1 to 32 is needed"),
        (
            {"convention": "asymmetric.liner"},
            ValueError,
            "convention='asymmetric.liner': allowed are 'half_pixel.linear', "
            "'align_corners.linear', 'asymmetric.linear', 'half_pixel.keys', "
            "'half_pixel.cubic', 'half_pixel.round_prefer_floor'; did you mean "
            "'asymmetric.linear'?",
        ),
        (
            {"conventions": ["half_pixel.cubik"]},
            LookupError,
            "convention 'half_pixel.cubik': after the grid and a dot, allowed are "
            "linear, cubic",
        ),
        (
            {"conventions": ["torch.bilnear"]},
            LookupError,
            "there is no convention 'torch.bilnear'; did you mean 'torch.bilinear'?",
        ),
        ({"conventions": []}, ValueError, "conventions is empty: at least one"),
    ]

    def test_every_convention_and_typed_pixels(self, look):
        page = self.open(look)
        for key in ("convention", "against"):
            menu = self.at(page, f"[data-key={key}]")
            for option in menu.locator("option").evaluate_all(
                "o => o.map(n => n.value)"
            ):
                menu.select_option(option)
                assert check_drawing(page)[key] == option
            menu.press("ArrowUp")
            assert check_drawing(page)[key] != option
        field = self.at(page, "").get_by_label("pixel 2")
        field.press("ArrowUp")
        field.press("ArrowUp")
        assert check_drawing(page)["values"] == [0, 10, 22, 30]
        field.fill("7.25")
        field.press("Tab")
        assert check_drawing(page)["values"] == [0, 10, 7.25, 30]

    def test_the_mouse_pulls_pixels_and_points(self, look):
        page = self.open(look)
        bar = self.at(page, "[data-input='1']").bounding_box()
        x, y = bar["x"] + bar["width"] / 2, bar["y"] + bar["height"] - 3
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x, y - 35, steps=5)
        page.mouse.up()
        assert check_drawing(page)["values"] == [0, 30, 20, 30]
        page.mouse.move(x, y)  # the button is up: nothing follows
        page.mouse.down()
        page.mouse.move(x - 400, y, steps=5)
        page.mouse.up()
        assert check_drawing(page)["values"] == [0, 0, 20, 30]
        out = self.at(page, "[data-output='6']").first.bounding_box()
        page.mouse.move(out["x"] + 5, out["y"] + 5)
        assert check_drawing(page)["pixel"] == 6
        self.at(page, "[data-row='3'][data-column='1']").hover()
        assert check_drawing(page)["pixel"] == 3

    def test_a_finger_pulls_a_pixel_sideways(self, look):
        page = self.open(look, **PHONE)
        self.at(page, "[data-output='5']").first.tap()
        assert check_drawing(page)["pixel"] == 5
        self.at(page, "[data-row='2'][data-column='1']").tap()
        assert check_drawing(page)["pixel"] == 2
        bar = self.at(page, "[data-input='2']")
        bar.scroll_into_view_if_needed()
        drag(page, bar, -60, 0)
        assert check_drawing(page)["values"] == [0, 10, 0, 30]
