"""Photographs: masks, boxes, movements and levels are drawn as Python has them."""

import json
import re
from itertools import product

import numpy as np
import pytest
import record_segmented as segmented
from PIL import Image

from resizelab import measure
from resizelab.teaching import figures
from resizelab.teaching.classroom import cutting as recorder
from resizelab.teaching.figures.chains import DOWN, UP, WAYS
from resizelab.teaching.figures.labels import BACK, RULES
from resizelab.teaching.figures.masks import mask
from resizelab.teaching.figures.photographs import GRIDS

STORE = """[...globalThis[Symbol.for("resizelab.stores")].values()]
  .find((s) => s.name === name)"""


@pytest.fixture(scope="module")
def chains():
    """Return the page state of the chapter on drift, as the chapter starts it."""
    return figures.chains(figures.Photograph.read(recorder.FOLDER / "eye"), step=1)


def shown(page, figure):
    """Return the page with a figure on its screen: those far from it wait."""
    page.locator(f"#fig-{figure}").scroll_into_view_if_needed()
    page.wait_for_selector(f"#fig-{figure}[data-drawn]")
    return page


def put(page, made, **changes):
    """Set the page's state to its start and these changes; wait until it is drawn."""
    state = {**made.start, **changes}
    page.evaluate(
        f"""async ([name, state]) => {{
          ({STORE}).set({{}}, state);
          await new Promise((r) => requestAnimationFrame(() => setTimeout(r)));
        }}""",
        [made.name, state],
    )
    return made.items(state)


@pytest.mark.parametrize("name", recorder.PICTURES)
def test_pictures_are_cut_from_the_photographs(name):
    pytest.importorskip("skimage")
    cut, size, _ = recorder.PICTURES[name]
    stored = Image.open(recorder.FOLDER / f"{name}.webp").convert("RGB")
    assert abs(np.asarray(stored, float) - cut()).mean() < 6  # WebP's own loss
    photograph = figures.Photograph.read(recorder.FOLDER / name)
    assert photograph.mask().shape == photograph.size == size


def filled(page, shape):
    """Return the chosen grid's mask as it is drawn."""
    drawn = np.zeros(shape, bool)
    path = page.locator("[data-mask=chosen]").get_attribute("d")
    for x, y, end in re.findall(r"M(\d+) (\d+)H(\d+)", path):
        drawn[int(y), int(x) : int(end)] = True
    return drawn


def test_a_mask_is_what_the_operators_make_of_the_map(visit, chains):
    page = shown(visit("book/drift.html"), "mask")
    for grid, step in (("asymmetric", 3), ("align_corners", 2), ("half_pixel", 0)):
        items = put(page, chains, grid=grid, step=step)
        down, right = (items[f"{k}|{grid}|{step}"].dense() for k in ("down", "right"))
        inside = down @ items["map"] @ right.T >= -1e-9
        np.testing.assert_array_equal(filled(page, inside.shape), inside)


def test_a_press_changes_a_way_and_the_focus_stays(visit):
    page = shown(visit("book/drift.html"), "levels")
    presses = page.locator("#fig-levels .rl-press")
    names = [one.get_attribute("aria-label") for one in presses.all()]
    assert len(set(names)) == 6
    assert names[1].startswith("Way down, level 2: 2")
    presses.nth(1).press("Enter")
    page.wait_for_selector('#fig-levels[data-drawn*=\'"d2":"strided"\']')
    assert presses.nth(1).get_attribute("aria-label").startswith("Way down, level 2: 3")
    assert presses.nth(1).evaluate("(b) => b === document.activeElement")
    assert page.locator("[data-tell='chain:out']").first.inner_text() == "1"


def test_a_spot_goes_through_the_levels_as_python_says(visit, chains):
    page = shown(visit("book/drift.html"), "levels")
    for chosen in product(*[tuple(DOWN)] * 3, *[tuple(UP)] * 3):
        items = put(page, chains, **dict(zip(WAYS, chosen, strict=True)))
        y = items["blob|31"]
        for way, name in zip(WAYS, chosen, strict=True):
            y = items[f"{'down' if way[0] == 'd' else 'up'}|{name}|{len(y)}"].apply(y)
        last = page.locator("#fig-levels [data-centre]").last
        centre = float(last.get_attribute("data-centre"))
        assert abs(centre - y @ np.arange(64) / y.sum()) < 1e-6
        out = items[chains._keys["out"].format(**dict(zip(WAYS, chosen, strict=True)))]
        assert abs(centre - 31 - out[0]) < 0.01
        told = page.locator("[data-tell='chain:out']").first.inner_text()
        assert abs(float(told.replace("\u2212", "-")) - out[0]) <= 0.00501


@pytest.fixture(scope="module")
def labels():
    """Return the page state of the chapter on geometry."""
    one, two = (figures.Photograph.read(recorder.FOLDER / n) for n in ("face", "cup"))
    return figures.labels(one, two)


def test_one_rule_fits_and_the_others_are_off_by_their_grid(labels):
    for step in range(1, 5):
        items = labels.items({**labels.start, "step": step})
        told = {r: items[f"told|plain|{step}|{r}|unpad"] for r in RULES}
        np.testing.assert_allclose(told["half_pixel"], [0, 0, 0, 1], atol=1e-9)
        slip = (2**step - 1) / 2
        np.testing.assert_allclose(told["asymmetric"][:3], [-slip, -slip, 0], atol=1e-9)
        np.testing.assert_allclose(told["inclusive"][:3], [-slip, -slip, -2 * slip])
        back = {b: items[f"told|letterbox|{step}|half_pixel|{b}"] for b in BACK}
        np.testing.assert_allclose(back["unpad"], [0, 0, 0, 1], atol=1e-9)
        assert back["divide"][1] > 90
        assert back["stretch"][3] < 0.7


def test_boxes_are_drawn_where_their_rules_put_them(visit, labels):
    page = shown(visit("book/geometry.html"), "labels")
    drawn = page.locator("#fig-labels [data-box]")
    for rule, step in (("inclusive", 3), ("align_corners", 4), ("half_pixel", 1)):
        items = put(page, labels, rule=rule, step=step)
        found = [float(v) for v in drawn.get_attribute("data-box").split()]
        mapped = items[f"mapped|plain|{step}|{rule}|divide"]
        np.testing.assert_allclose(found, mapped, atol=1e-6)
    shown(page, "letterbox").get_by_label("bars off, then divide").check()
    page.wait_for_selector("#fig-letterbox[data-drawn*='unpad']")
    found = page.locator("#fig-letterbox [data-box]").get_attribute("data-box")
    truth = items["truth|letterbox"]
    np.testing.assert_allclose([float(v) for v in found.split()], truth, atol=1e-6)


# --- segmentation ---


@pytest.mark.slow
def test_the_recorded_masks_are_what_the_calls_return():
    for engine in ("torch", "tensorflow"):
        pytest.importorskip(engine)
    record = json.loads(segmented.RECORD.read_text("utf-8"))
    truth = segmented.depth() >= 0
    for key, name in record["calls"].items():
        found = segmented.mask(name)
        assert segmented.runs(found) == record["rows"][key]
        assert round(float(measure.dice(truth, found)), 4) == record["dice"][key]
        stored = Image.open(segmented.FOLDER / f"segmented-{key}.webp").convert("RGB")
        gap = abs(np.asarray(stored, float) - segmented.picture(name)).mean()
        assert gap < 4  # WebP's own loss


def test_the_retina_s_mask_and_its_dice_are_python_s(visit):
    photograph = figures.Photograph.read(recorder.FOLDER / "retina")
    made, truth = figures.masks(photograph), photograph.depth() >= 0
    np.testing.assert_array_equal(truth, photograph.mask())
    page = shown(visit("book/segmentation.html"), "mask")
    for grid, step in (("asymmetric", 3), ("align_corners", 4), ("half_pixel", 5)):
        items = put(page, made, grid=grid, step=step)
        inside = mask(items[f"map|{step}"], grid, 2**step)
        np.testing.assert_array_equal(filled(page, inside.shape), inside)
        assert items[f"dice|{grid}|{step}"] == [measure.dice(truth, inside)]


@pytest.mark.parametrize(
    ("n", "way", "fits"),
    [(256, "pool", "half_pixel"), (256, "padded", "asymmetric"),
     (257, "padded", "align_corners"), (257, "same", "align_corners"),
     (256, "same", None), (257, "pool", None)],
)  # fmt: skip
def test_a_package_fits_or_does_not(n, way, fits):
    still = {grid for grid in GRIDS if not figures.moved(n, way, grid).any()}
    assert still == ({fits} if fits else set())


def test_pairs_are_drawn_as_they_were_measured(visit):
    page = shown(visit("book/segmentation.html"), "pairs")
    values = page.eval_on_selector_all(
        "#fig-pairs [data-pair]", "all => all.map((e) => +e.dataset.value)"
    )
    table = np.reshape(values, (3, 3))
    assert (table.argmax(1) == np.arange(3)).all()
    assert ((table > 60) & (table < 98)).all()
