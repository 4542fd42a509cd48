"""The game of the hidden call: what stands, what is crossed out, how few rows do it."""

import re

import numpy as np
import pytest
from explorer_checks import check_axe
from playwright.sync_api import expect

import resizelab as rl
from resizelab import engines
from resizelab.teaching.figures import hidden_call as game

PAGE = "book/detective.html"
FIGURE = "#fig-suspects"
CALLS = list(game.CALLS.values())


def answers(shape, pixel, n_out):
    """Return what each suspect makes of a row: (suspects, n_out)."""
    x = game.sent(shape)[pixel]
    return np.stack([rl.weights(c, game.N_IN, n_out) @ x for c in CALLS])


def test_the_suspects_are_the_real_calls():
    for name in CALLS:
        row = rl.convention(name)
        if not engines.available()[row.library]:
            pytest.skip(f"{row.library} is not installed")
        for n_out in (3, 7, 16):
            x = game.sent("edge")[3].astype(np.float32)
            real, ours = engines.run(row, x, n_out), rl.weights(name, 8, n_out) @ x
            assert abs(real - ours).max() < game.APART / 2, (name, n_out)


def test_each_case_can_be_solved_and_one_needs_two_rows():
    assert sorted(game.fewest()) == [1, 1, 1, 1, 1, 2]
    alone = game.HIDDEN[game.fewest().index(2)]
    assert alone == "torch.bilinear"
    # No probe at all parts it from all others.
    for n_out in game.N_OUT:
        for shape in game.SHAPES:
            for pixel in range(game.N_IN):
                y = answers(shape, pixel, n_out)
                far = abs(y - y[CALLS.index(alone)]).max(1)
                assert (far <= game.APART).sum() > 1


@pytest.fixture
def opened(visit):
    page = visit(PAGE)
    page.locator(FIGURE).scroll_into_view_if_needed()
    page.wait_for_selector(FIGURE + "[data-drawn]")
    return page


def go(page, hash_):
    page.evaluate("(hash) => { location.hash = hash; }", hash_)
    page.wait_for_selector(
        f"{FIGURE}[data-drawn*='{re.findall(r'[a-z]+$', hash_)[0]}']"
    )


def drawn(page, what):
    """Return the values drawn for each output."""
    pairs = page.eval_on_selector_all(
        f"{FIGURE} {what}", "all => all.map(({dataset: d}) => [+d.output, +d.y])"
    )
    found = {}
    for output, value in pairs:
        found.setdefault(output, set()).add(value)
    return found


def test_dashes_are_the_answers_and_an_answer_crosses_out(opened):
    go(opened, "#game:n_out=7,pixel=3,shape=edge")
    y = answers("edge", 3, 7)
    dashes = drawn(opened, ".rl-guess")
    for i in range(7):
        assert all(min(abs(v - w) for w in dashes[i]) < 0.006 for v in y[:, i])
        assert all(abs(y[:, i] - w).min() < 0.006 for w in dashes[i])
    assert drawn(opened, ".rl-answer") == {}
    hidden = CALLS.index(game.HIDDEN[0])
    opened.get_by_role("button", name="Send it").click()
    opened.wait_for_selector(f"{FIGURE} .rl-answer")
    rings = drawn(opened, ".rl-answer")
    assert all(abs(rings[i].pop() - y[hidden, i]) < 1e-6 for i in range(7))
    crossed = opened.eval_on_selector_all(
        f"{FIGURE} .rl-crossed", "all => all.map((t) => +t.dataset.suspect)"
    )
    far = abs(y - y[hidden]).max(1) > game.APART
    assert crossed == np.flatnonzero(far).tolist()
    expect(opened.locator(".rl-voice")).to_contain_text("It is OpenCV INTER_AREA")
    expect(opened.get_by_role("button", name="Send it")).to_be_disabled()


def test_the_row_is_dragged_and_a_case_begins_anew(opened):
    go(opened, "#game:pixel=0,shape=pixel")
    stage = opened.locator(f"{FIGURE} .rl-stage")
    box = stage.bounding_box()
    opened.mouse.move(box["x"] + 40, box["y"] + 15)
    opened.mouse.down()
    opened.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 15, steps=4)
    opened.mouse.up()
    opened.wait_for_selector(f"{FIGURE}[data-drawn*='\"pixel\":4']")
    stage.press("End")
    opened.wait_for_selector(f"{FIGURE}[data-drawn*='\"pixel\":7']")
    assert stage.get_attribute("aria-valuemax") == "7"
    opened.get_by_role("button", name="Send it").click()
    opened.locator("a[href='#game:case=2']").click()
    opened.wait_for_selector(f"{FIGURE}[data-drawn*='\"case\":2']")
    expect(opened.locator(f"{FIGURE} .rl-crossed")).to_have_count(0)
    assert "0,0,0,0,0,0" in opened.locator(FIGURE).get_attribute("data-drawn")
    check_axe(opened, f"{FIGURE}[data-drawn]", FIGURE)


@pytest.mark.parametrize(
    ("width", "height", "most"), [(1280, 900, 400), (360, 740, 500)]
)
def test_sentence_and_figure_are_on_one_screen(visit, width, height, most):
    page = visit(PAGE, width=width, height=height)
    root = page.locator(FIGURE)
    root.scroll_into_view_if_needed()
    page.wait_for_selector(FIGURE + "[data-drawn]")
    top = page.locator("p:has([data-scrub])").first.bounding_box()["y"]
    box = root.bounding_box()
    assert box["y"] + box["height"] - top <= most
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_without_scripts_the_start_is_drawn(visit):
    page = visit(PAGE, java_script_enabled=False)
    told = page.locator(".rl-still svg[role=img]").first.get_attribute("aria-label")
    assert "11 calls are left, with 2 numbered answers" in told
