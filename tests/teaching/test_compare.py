"""The comparator: a guess, two pictures in one place, a blink that stops, loupes."""

import json

import numpy as np
import pytest
import record_damage as recorder
import record_thinned as thinned
from bulk import some
from explorer_checks import check_axe
from PIL import Image
from playwright.sync_api import expect

import resizelab as rl
from resizelab.teaching import figures
from resizelab.teaching.figures.compare import outline

RECORD = json.loads(recorder.RECORD.read_text("utf-8"))
INDEX = "book/index.html"


def test_the_pictures_are_what_the_calls_return():
    for engine in ("torch", "tensorflow", "skimage"):
        pytest.importorskip(engine)
    picture, mask = (
        recorder.small(recorder.photograph()),
        recorder.small(recorder.eyes()),
    )
    made = {k: recorder.enlarged(picture, name) for k, name in RECORD["calls"].items()}
    assert recorder.offset(made["moved"], made["right"]) == RECORD["offset"] == 3.5
    for key, name in RECORD["calls"].items():
        stored = np.asarray(Image.open(recorder.FOLDER / f"damage-{key}.webp"))
        assert abs(stored.astype(float) - made[key]).mean() < 3  # WebP's own loss
        found = recorder.runs(recorder.enlarged(mask, name) >= 0.5)
        assert found == RECORD["rows"][key]


def test_thin_things_are_what_the_calls_return():
    for engine in ("torch", "skimage"):
        pytest.importorskip(engine)
    record = json.loads(thinned.RECORD.read_text("utf-8"))
    for key, name in record["calls"].items():
        stored = Image.open(thinned.FOLDER / f"thinned-{key}.webp").convert("L")
        np.testing.assert_array_equal(stored, thinned.shrunk(name))
        assert record["read"][key] == round(thinned.read(name), 4)


def test_a_mask_is_drawn_as_its_runs():
    assert outline([(0, 1, 3), (2, 0, 1)]) == "M1 0H3V1H1ZM0 2H1V3H0Z"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"pictures": {"A": (b"", "")}}, "pictures must be two; got 1"),
        ({"right": 2}, "right must be from 0 to 1; got 2"),
        ({"masks": {"A": []}}, "masks must be 'true'"),
        ({"wraps": "B"}, "wraps must be a label of own; got 'B'"),
        (
            {"own": {k: [rl.weights(rl.Spec(), 64, 32)] for k in "AB"}},
            "own must be chains of operators from 256",
        ),
    ],
)
def test_wrong_arguments_say_what_is_allowed(change, message):
    good = {"pictures": {"A": (b"", "a"), "B": (b"", "b")}, "right": 0}
    rest = {"size": (2, 2), "question": "?", "options": "yn", "explain": "."}
    with pytest.raises(ValueError, match=message):
        figures.Comparator(**(good | rest | change))


def answered(page, name="It has moved"):
    page.get_by_role("button", name=name).click()
    page.wait_for_selector(".rl-compare[data-shown]")
    return page.locator(".rl-compare")


@pytest.mark.parametrize("via", some(["http", "file"], 1))
def test_a_guess_then_a_blink_that_stops(visit, via):
    page = visit(INDEX, via=via)
    check_axe(page, ".rl-compare", ".rl-compare")
    assert page.locator(".rl-two img").count() == 2
    root = answered(page)
    expect(page.locator(".rl-told")).to_contain_text("Yes. B stands 3.5 pixels")
    page.wait_for_selector(".rl-compare[data-shown=B]")
    page.wait_for_timeout(6000)  # six swaps of 0.8 s are over
    shown = root.get_attribute("data-shown")
    assert shown == "A"
    page.wait_for_timeout(1700)
    assert root.get_attribute("data-shown") == shown
    stage = root.locator(".rl-stage")
    stage.press("Space")
    assert root.get_attribute("data-shown") == "B"
    before = root.locator(".rl-loupe").first.get_attribute("style")
    stage.press("ArrowRight")
    assert root.locator(".rl-loupe").first.get_attribute("style") != before
    mask = root.get_by_role("button", name="As a mask")
    mask.click()
    assert mask.get_attribute("aria-pressed") == "true"
    expect(root.locator(".rl-masks").nth(1)).to_be_visible()
    check_axe(page, ".rl-compare", ".rl-compare")


def test_nothing_moves_by_itself_for_who_asks_for_that(visit):
    page = visit(INDEX, reduced_motion="reduce")
    root = answered(page, "Nothing")
    expect(page.locator(".rl-told")).to_contain_text("No. B stands")
    page.wait_for_timeout(2000)
    assert root.get_attribute("data-shown") == "A"


@pytest.mark.parametrize(("width", "height"), [(1280, 900), (360, 740)])
def test_it_is_within_the_first_screen(visit, width, height):
    page = visit(INDEX, width=width, height=height)
    last = page.locator("[data-option]").last.bounding_box()
    assert last["y"] + last["height"] <= height
    root = answered(page)
    box = root.locator(".rl-loupes").bounding_box()
    assert box["y"] + box["height"] <= height
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def drawn_rows(page):
    """Return the bytes of the two own pictures, (2, 256, 256) of red."""
    return np.array(
        page.evaluate(
            """async () => {
              const all = [];
              const shown = document.querySelectorAll(".rl-compare .rl-stage img");
              for (const img of shown) {
                await img.decode();
                const node = document.createElement("canvas");
                node.width = node.height = 256;
                const context = node.getContext("2d");
                context.drawImage(img, 0, 0);
                const { data } = context.getImageData(0, 0, 256, 256);
                all.push(Array.from(data).filter((_, i) => i % 4 === 0));
              }
              return all;
            }"""
        )
    ).reshape(2, 256, 256)


def test_a_photograph_of_the_reader_s_is_cut_and_kept(visit, tmp_path):
    photo = np.random.default_rng(1).integers(0, 256, (270, 301, 3), dtype=np.uint8)
    Image.fromarray(photo).save(tmp_path / "mine.png")
    Image.fromarray(photo[:99]).save(tmp_path / "small.png")
    page = visit(INDEX)
    root = answered(page)
    field = root.locator("input[type=file]")
    field.set_input_files(tmp_path / "small.png")
    expect(root.locator(".rl-mine")).to_contain_text("at least 256 by 256")
    field.set_input_files(tmp_path / "mine.png")
    expect(root.locator(".rl-mine")).to_contain_text("cut and not resized")
    cut = photo[7:263, 22:278, 0].astype(float)
    for made, call in zip(
        drawn_rows(page), ("torch.bilinear", "tf1.bilinear"), strict=True
    ):
        small = rl.resize(cut, (32, 32), "pillow.box")
        assert abs(made - rl.resize(small, (256, 256), call)).max() <= 0.51
    assert root.locator(".rl-masks").count() == 0
    check_axe(page, ".rl-compare", ".rl-compare")
    page.reload()
    root = answered(page)
    expect(root.locator(".rl-mine")).to_contain_text("cut and not resized")
    root.get_by_role("button", name="Forget it").click()
    assert root.locator(".rl-masks").count() == 2
    assert page.evaluate("localStorage.getItem('resizelab.photo')") is None
    assert not any("mine" in url for url in visit.requests)


def in_chunks(small):
    corners = "torch.bilinear.align_corners"
    parts = [rl.resize(part, (40, 240), corners) for part in np.split(small, 6)]
    return rl.resize(small, (240, 240), corners), np.concatenate(parts)


def overshot(x):
    y = rl.resize(rl.resize(x, (64, 64), "pillow.box"), x.shape, "torch.bicubic")
    return y.clip(0, 255), y % 256


TILE = np.ones((4, 4))
# What becomes of a photograph in each, before it is rounded.
OWN = {
    "tf1-bug": lambda x: (x, np.kron(rl.resize(x, (64, 64), "tf1.bilinear"), TILE)),
    "integers": overshot,
    "volumes": lambda x: in_chunks(rl.resize(x, (30, 30), "pillow.box")),
}


@pytest.mark.parametrize("name", some(OWN, 1))
def test_a_photograph_goes_through_the_calls_of_every_chapter(visit, tmp_path, name):
    rough = np.random.default_rng(2).integers(0, 2, (64, 64, 1), np.uint8) * 255
    # No tile of 4 begins where a block does: what is read elsewhere is seen.
    photo = np.roll(rough.repeat(4, 0).repeat(4, 1).repeat(3, 2), 1, (0, 1))
    Image.fromarray(photo).save(tmp_path / "mine.png")
    page = visit(f"book/{name}.html")
    page.locator(".rl-compare [data-option]").first.click()
    root = page.locator(".rl-compare[data-shown]")
    root.locator("input[type=file]").set_input_files(tmp_path / "mine.png")
    expect(root.locator(".rl-mine")).to_contain_text("cut and not resized")
    stored, made = drawn_rows(page), OWN[name](photo[..., 0].astype(float))
    for bytes_, y in zip(stored, made, strict=True):
        # What wraps may be rounded to 256, which is 0.
        gap = bytes_[: len(y), : len(y)] - y
        assert abs((gap + 128) % 256 - 128).max() <= 0.51
    assert abs(stored[0] - stored[1]).max() > 100


def test_without_scripts_both_pictures_and_the_answer_stand_there(visit):
    page = visit(INDEX, java_script_enabled=False)
    assert page.locator(".rl-two img").count() == 2
    page.locator(".rl-fig summary").first.click()
    expect(page.locator(".rl-fig details p")).to_contain_text("3.5 pixels further")
