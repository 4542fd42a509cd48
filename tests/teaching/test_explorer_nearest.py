"""The explorer "nearest": two index maps read back, ties and mismatches counted."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from explorer_checks import PHONE, Explorer, drawn_state, set_by_link
from tiny_book import code

import resizelab as rl

pytest.importorskip("anywidget")

from resizelab.teaching.explorers import nearest, nearest_explorer, payload
from resizelab.teaching.explorers.choosing import index_map, named

LINEAR = "torch.bilinear"
TINY_PAGES = {
    "nearest": "# Nearest\n\n[Shrink](#nearest:n_in=16,n_out=4,above=tf1.nearest).\n\n"
    + code("from resizelab.teaching.explorers import nearest\nnearest()")
    + "\n\n"
    + "Words below.\n\n" * 40,
}


@cache
def standard():
    """Return the explorer with its standard menu: it holds every pair of sizes."""
    return nearest()


@pytest.fixture
def explorer():
    return standard()


def made(**arguments):
    return nearest(**arguments) if arguments else standard()


# ---- Python ------------------------------------------------------------------


def test_the_page_gets_every_pair_of_sizes(explorer):
    whole = payload.unpack(explorer.payload)["arrays"]["all"]
    at = 0
    for n_in in range(1, 65):
        for n_out in range(1, 65):
            for chosen in explorer.menu.values():
                codes = whole[at : at + n_out]
                at += n_out
                if (n_in * n_out) % 7 == 0:  # a seventh is enough to find a slip
                    expected = index_map(chosen, n_in, n_out)
                    np.testing.assert_array_equal(np.cumsum(codes // 4), expected)
    assert at == len(whole)
    assert len(explorer.payload) <= 90_000


def test_python_answers_beyond_the_page(explorer):
    asked = {"above": "pillow.nearest", "below": "opencv.nearest", "n_in": 255}
    explorer.request = {"id": 5, "state": {**explorer.state, **asked, "n_out": 3}}
    box = payload.unpack(explorer.answer)
    assert box["meta"] == {"id": 5}
    for name in ("pillow.nearest", "opencv.nearest"):
        codes = box["arrays"][f"{name}|255|3"].astype(int)
        np.testing.assert_array_equal(
            np.cumsum(codes // 4), rl.weights(name, 255, 3).index[:, 0]
        )


@pytest.mark.parametrize(
    ("n_in", "n_out"), [(16, 4), (15, 5), (4, 10), (10, 4), (7, 3)]
)
def test_a_tie_is_a_centre_midway_between_two_pixels(n_in, n_out):
    centres = [Fraction(2 * i + 1, 2) * n_in / n_out for i in range(n_out)]
    midway = [c.denominator == 1 for c in centres]
    assert nearest_explorer.ties(n_in, n_out).tolist() == midway


def test_rules_that_part_at_their_edges_only():
    menu = named(["half_pixel.round_prefer_floor", "half_pixel.round_prefer_ceil"])
    seen = 0
    for n_in in range(1, 25):
        for n_out in range(1, 25):
            a, b = (index_map(c, n_in, n_out) for c in menu.values())
            for chosen in menu.values():
                edge = nearest_explorer.edges(chosen, n_in, n_out)
                np.testing.assert_array_equal(edge, a != b)
                np.testing.assert_array_equal(edge, nearest_explorer.ties(n_in, n_out))
            seen += int((a != b).sum())
    assert seen > 100


@pytest.mark.parametrize(("mode", "jumps"), [("floor", [2, 4, 6]), ("ceil", [0, 2, 4])])
def test_floor_and_ceiling_jump_at_whole_positions(mode, jumps):
    chosen = rl.Spec(kernel="nearest", grid="asymmetric", nearest_mode=mode)
    assert np.flatnonzero(nearest_explorer.edges(chosen, 4, 8)).tolist() == jumps


# ---- the page ----------------------------------------------------------------


def drawn(page, side: str, attribute: str) -> list:
    """Return a data attribute of all outputs of a row; a flag is there or not."""
    value = (
        "+n.dataset.pixel" if attribute == "pixel" else f"'{attribute}' in n.dataset"
    )
    return page.eval_on_selector_all(
        f"[data-side={side}] [data-output]", f"all => all.map(n => {value})"
    )


def check_drawing(page) -> dict:
    """Compare both rows and what is said with the package; return the state."""
    s = drawn_state(page, "nearest")
    maps = {
        side: rl.weights(named([s[side]])[s[side]], s["n_in"], s["n_out"]).index[:, 0]
        for side in ("above", "below")
    }
    apart = maps["above"] != maps["below"]
    # Midway: the centre, in input pixels from the left edge, is a whole number.
    tie = (2 * np.arange(s["n_out"]) + 1) * s["n_in"] % (2 * s["n_out"]) == 0
    for side, index in maps.items():
        assert drawn(page, side, "pixel") == index.tolist()
        assert drawn(page, side, "tie") == tie.tolist()
        assert drawn(page, side, "apart") == apart.tolist()
        name = page.locator(f"[data-side={side}]").get_attribute("data-convention")
        assert name == s[side]
        unread = s["n_in"] - len(set(index.tolist()))
        told = f"never reads {unread} of {s['n_in']}" if unread else "reads every pixel"
        assert told in page.locator(f"[data-side={side}]").text_content()
    said = page.locator(".rl-say").inner_text()
    i = s["pixel"]
    assert f"Output pixel {i} copies {maps['above'][i]} above and " in said
    count = (
        f"{apart.sum()} of {s['n_out']} outputs differ: " if apart.any() else "agree"
    )
    assert count in said
    assert ("No ties." in said) is not bool(tie.any())
    return s


def test_why_two_differ(look):
    page = look("nearest.html")
    page.get_by_text("All numbers").click()
    rows = page.locator("tbody tr").evaluate_all(
        "all => all.map(n => [...n.children].map(c => c.textContent))"
    )
    assert rows[2] == ["2", "0", "1", "≠", "tie"]
    assert rows[7] == ["7", "2", "3", "≠", "tie"]
    assert all(row[3:] == ["", ""] for k, row in enumerate(rows) if k not in (2, 7))
    # One rule, float32 against float64: only the last bit can part them.
    a, b = "torch.nearest", "opencv.nearest"
    first, second = named([a, b]).values()
    n_in, n_out = next(
        (n, m)
        for n in range(2, 65)
        for m in range(2, 65)
        if (index_map(first, n, m) != index_map(second, n, m)).any()
    )
    apart = index_map(first, n_in, n_out) != index_map(second, n_in, n_out)
    set_by_link(page, "nearest", f"above={a},below={b},n_in={n_in},n_out={n_out}")
    page.wait_for_function(
        "n => document.querySelectorAll('tbody tr').length === n", arg=n_out
    )
    check_drawing(page)
    why = page.locator("tbody tr td:last-child").all_inner_texts()
    assert [word == "last bit" for word in why] == apart.tolist()


class TestNearest(Explorer):
    make, check, name = staticmethod(made), staticmethod(check_drawing), "nearest"
    sliders = {"n_in": 1, "n_out": 1, "pixel": 1}
    start = {
        "above": "torch.nearest", "below": "torch.nearest-exact",
        "n_in": 4, "n_out": 10, "pixel": 0,
    }  # fmt: skip
    link = "Shrink", {"n_in": 16, "n_out": 4, "above": "tf1.nearest"}
    junk = {
        "n_in=99": "n_in is 64 here: it goes from 1 to 64",
        "above=torch": "above has no “torch”",
        "size=3": "“size” is nothing to set here",
    }
    busiest = "n_in=64,n_out=63"
    moved = "n_in", [64 - k % 8 for k in range(40)]
    said = "at 2 of 10 outputs: 2 (0 or 1), 7 (2 or 3)."
    wrong = [
        ({"n_in": 300}, ValueError, "n_in=300: a number from 1 to 256 is needed"),
        (
            {"above": "torch.nearst"},
            ValueError,
            "above='torch.nearst': allowed are 'torch.nearest', 'torch.nearest-exact'",
        ),
        (
            {**dict.fromkeys(("above", "below"), LINEAR), "conventions": [LINEAR]},
            ValueError,
            "an index map needs kernel='nearest'; got a convention that mixes pixels",
        ),
        ({"conventions": ["no.row"]}, LookupError, "there is no convention 'no.row'"),
    ]

    def test_the_ends_of_the_sliders_and_every_rule(self, look):
        page = self.open(look)
        for presses in (("End", "End"), ("Home", "End"), ("PageUp", "End")):
            for key, press in zip(("n_in", "n_out"), presses, strict=True):
                page.locator(f"[data-key={key}]").press(press)
            check_drawing(page)
        for key in ("above", "below"):
            menu = page.locator(f"[data-key={key}]")
            for option in menu.locator("option").evaluate_all(
                "o => o.map(n => n.value)"
            ):
                menu.select_option(option)
                assert check_drawing(page)[key] == option
            menu.press("ArrowUp")
            assert check_drawing(page)[key] != option

    def test_pointing_at_an_output_chooses_it(self, look):
        page = self.open(look)
        page.locator("[data-side=below] [data-output='3']").hover()
        assert check_drawing(page)["pixel"] == 3
        page.locator("[data-side=above] [data-output='9']").click()
        assert check_drawing(page)["pixel"] == 9
        page = self.open(look, **PHONE)
        page.locator("[data-side=below] [data-output='7']").tap()
        assert check_drawing(page)["pixel"] == 7
        assert "2 and 3 are equally near" in page.locator(".rl-say").inner_text()
