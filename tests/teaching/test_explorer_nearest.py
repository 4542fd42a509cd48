"""The explorer "nearest": two index maps read back, ties and mismatches counted."""

import json
import re
from fractions import Fraction

import numpy as np
import pytest
from explorer_checks import check_axe, check_damage_is_told, check_redraw
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


@pytest.fixture(scope="module")
def explorer():
    """Return the explorer with its standard menu."""
    return nearest()


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


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
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
    ],
)  # fmt: skip
def test_a_wrong_argument_says_what_is_allowed(arguments, error, message):
    with pytest.raises(error, match=f"^{re.escape(message)}"):
        nearest(**arguments)


def test_it_shows_itself_without_scripts(explorer):
    data, _ = explorer._repr_mimebundle_()
    assert data["image/png"].startswith("iVBORw0KGgo")
    assert "at 2 of 10 outputs: 2 (0 or 1), 7 (2 or 3)." in data["text/plain"]


# ---- the page ----------------------------------------------------------------


def state(page) -> dict:
    """Return the state that is drawn."""
    root = page.locator(".resizelab[data-name=nearest][data-drawn]")
    return json.loads(root.get_attribute("data-drawn"))


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
    s = state(page)
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


@pytest.mark.parametrize("via", ["http", "file"])
def test_every_control_moves_by_keyboard(look, via):
    page = look("nearest.html", via)
    assert check_drawing(page)["n_out"] == 10
    for key, presses in {"n_in": 9, "n_out": 4, "pixel": 3}.items():
        slider, old = page.locator(f"[data-key={key}]"), state(page)[key]
        for _ in range(presses):
            slider.press("ArrowRight")
        assert check_drawing(page)[key] == old + presses
    page.locator("[data-key=n_in]").press("End")
    page.locator("[data-key=n_out]").press("End")
    assert check_drawing(page)["n_in"] == state(page)["n_out"] == 64
    page.locator("[data-key=n_in]").press("Home")
    check_drawing(page)
    page.locator("[data-key=n_in]").press("PageUp")
    for key in ("above", "below"):
        menu = page.locator(f"[data-key={key}]")
        for option in menu.locator("option").evaluate_all("o => o.map(n => n.value)"):
            menu.select_option(option)
            assert check_drawing(page)[key] == option
        menu.press("ArrowUp")
        assert check_drawing(page)[key] != option


@pytest.mark.parametrize("via", ["http", "file"])
def test_it_moves_by_mouse(look, via):
    page = look("nearest.html", via)
    for key in ("n_in", "n_out", "pixel"):
        box = page.locator(f"[data-key={key}]").bounding_box()
        old = state(page)[key]
        page.mouse.click(box["x"] + box["width"] * 0.7, box["y"] + box["height"] / 2)
        assert check_drawing(page)[key] > old
    page.locator("[data-side=below] [data-output='3']").hover()
    assert check_drawing(page)["pixel"] == 3
    page.locator("[data-side=above] [data-output='9']").click()
    assert check_drawing(page)["pixel"] == 9
    page.get_by_text("Start again").click()
    assert check_drawing(page) == {
        "above": "torch.nearest", "below": "torch.nearest-exact",
        "n_in": 4, "n_out": 10, "pixel": 0,
    }  # fmt: skip


def test_a_finger_moves_it_and_scrolls_past_it(look):
    page = look("nearest.html", width=360, height=740, has_touch=True)
    page.locator("[data-side=below] [data-output='7']").tap()
    assert check_drawing(page)["pixel"] == 7
    assert "2 and 3 are equally near" in page.locator(".rl-say").inner_text()
    for key in ("n_in", "n_out"):
        slider, old = page.locator(f"[data-key={key}]"), state(page)[key]
        box = slider.bounding_box()
        slider.tap(position={"x": box["width"] * 0.9, "y": box["height"] / 2})
        assert check_drawing(page)[key] > old
    before, top = state(page), page.evaluate("window.scrollY")
    box = page.locator("[data-side=below] [data-output='3']").bounding_box()
    page.context.new_cdp_session(page).send(
        "Input.synthesizeScrollGesture",
        {"x": 180, "y": min(600, box["y"]), "yDistance": -200},
    )
    assert page.evaluate("window.scrollY") > top + 100
    assert state(page) == before


def test_links_set_it_and_junk_in_them_is_told(look):
    page = look("nearest.html")
    page.get_by_role("link", name="Shrink").click()
    now = check_drawing(page)
    assert (now["n_in"], now["n_out"], now["above"]) == (16, 4, "tf1.nearest")
    for junk, said in {
        "n_in=99": "n_in is 64 here: it goes from 1 to 64",
        "above=torch": "above has no “torch”",
        "size=3": "“size” is nothing to set here",
    }.items():
        page.evaluate("hash => { location.hash = hash; }", "nearest:" + junk)
        page.wait_for_function(
            "t => document.querySelector('.rl-note').textContent.includes(t)", arg=said
        )
        check_drawing(page)


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
    page.evaluate(
        "hash => { location.hash = hash; }",
        f"nearest:above={a},below={b},n_in={n_in},n_out={n_out}",
    )
    page.wait_for_function(
        "n => document.querySelectorAll('tbody tr').length === n", arg=n_out
    )
    check_drawing(page)
    why = page.locator("tbody tr td:last-child").all_inner_texts()
    assert [word == "last bit" for word in why] == apart.tolist()


@pytest.mark.alone
def test_a_redraw_fits_in_a_frame(look):
    page = look("nearest.html#nearest:n_in=64,n_out=63")
    page.wait_for_selector("[data-drawn*='\"n_out\":63']")
    check_redraw(page, "[data-key=n_in]", [64 - k % 8 for k in range(40)])


def test_a_damaged_state_is_told(look, tiny_site):
    check_damage_is_told(look, tiny_site.root, "nearest")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(look, theme):
    check_axe(look("nearest.html", theme=theme))
