"""The explorer "picture": choose, draw and resize; read back pixels and differences."""

import re
from types import SimpleNamespace

import numpy as np
import pytest
from browser import ROOT
from explorer_checks import (
    check_axe,
    check_damage_is_told,
    check_it_fits,
    check_no_jump,
    check_redraw,
    drag,
    drawn_state,
    from_menu,
    pull,
    wait_for_rest,
)
from tiny_book import BELOW, code

import resizelab as rl
from resizelab import engines, measure
from resizelab.arrays import resizing
from resizelab.axis import Particulars
from resizelab.teaching import patterns

pytest.importorskip("anywidget")

from resizelab.teaching.explorers import bank, choosing, payload, picture, recordings
from resizelab.teaching.explorers import picture_explorer as explorer
from resizelab.teaching.explorers import picture_material as material

RECORDED = ROOT / "resizelab/teaching/records/pictures.npz"
MENU = (
    *("tf2.bilinear", "tf1.bilinear", "tf1.bilinear.align_corners", "pillow.bilinear"),
    *("opencv.area", "pillow.bicubic", "half_pixel.cubic", "tf2.nearest"),
)
# TensorFlow is played from its recording: to import it would cost seconds.
CALL = f"""\
from resizelab import engines
from resizelab.teaching.explorers import picture
class Quick:
    EngineMissing, version = engines.EngineMissing, staticmethod(engines.version)
    @staticmethod
    def run(convention, *rest):
        if convention.library == "tensorflow":
            raise engines.EngineMissing("not today")
        return engines.run(convention, *rest)
picture({MENU}, engines=Quick, recorded={str(RECORDED)!r}, live=["half_pixel.cubic"])
"""
BESIDE = """\
import resizelab as rl
from resizelab.teaching import figures, records
pictures = dict.fromkeys("AB", (records.file("thinned-plain.webp").read_bytes(), "a"))
own = dict.fromkeys(pictures, [rl.weights("torch.bilinear", 256, 48)])
figures.Comparator(pictures, (64, 96), "Which?", ["Both"], 0, "Yes.", own=own)
"""
TINY_PAGES = {
    "picture": "# Picture\n\n[Large](#picture:pattern=scene32,height=20).\n\n"
    + code(CALL)
    + BELOW,
    "beside": "# Beside\n" + code(BESIDE) + code(CALL),
}
BY = material.BY
CONVENTION = {name: choosing.named(MENU)[name] for name in MENU}


# ---- patterns ----------------------------------------------------------------


def test_the_frame_is_the_one_of_the_tensorflow_chapter():
    frame = patterns.pattern("frame") // 255
    assert frame.sum() == 112 + 16
    assert frame[6:10, 6:10].all()
    assert (frame == frame[::-1]).all()
    assert (frame == frame[:, ::-1]).all()


@pytest.mark.parametrize("name", patterns.NAMES)
def test_a_pattern_uses_its_range_and_has_the_asked_size(name):
    for n in (16, 32):
        y = patterns.pattern(name, n)
        assert y.shape == (n, n)
        assert y.dtype == np.uint8
        assert int(y.max()) - int(y.min()) > 200


def test_no_flip_maps_the_letter_or_the_scene_onto_itself():
    for name in ("letter", "scene"):
        y = patterns.pattern(name)
        assert all((y != z).any() for z in (y[::-1], y[:, ::-1], y.T, y[::-1, ::-1]))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("fram",), "pattern must be one of 'frame', 'checker', 'ring', 'diagonal'"),
        (("frame", 20), "n must be a multiple of 16; got 20"),
        (("frame", 0), "n must be"),
    ],
)
def test_a_wrong_pattern_says_what_is_allowed(arguments, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        patterns.pattern(*arguments)


# ---- the bank ----------------------------------------------------------------


def opened(arrays: dict, meta: dict) -> dict:
    """Undo ``bank``, row by row, as the page does."""
    steps = iter(arrays["bank.step"].tolist())
    shifts = np.array([[0], [8], [16], [24]])
    zigzag = (arrays["bank.residue"].astype(np.int64) << shifts).sum(0)
    residues = iter(np.where(zigzag % 2, -(zigzag + 1) // 2, zigzag // 2).tolist())
    heads = iter(arrays["bank.head"].tolist())
    found = {}
    for n, m in ((n, m) for n, sizes in meta["sizes"] for m in sizes):
        done = []
        for name in meta["names"]:
            taps, mode, bits = next(heads)
            dense, starts = np.zeros((m, n)), np.zeros(m, int)
            for i in range(m):
                mirrored = mode == 1 and 2 * i >= m
                guess = starts[i - 1] if i else 0
                if mode > 1:
                    guess = done[mode - 2][1][i]
                elif mirrored:
                    guess = n - taps - starts[m - 1 - i]
                starts[i] = (guess + next(steps)) % 256
                for j in range(starts[i], starts[i] + taps):
                    near = 1 - dense[i].sum() if j == starts[i] + taps - 1 else 0
                    if mode > 1:
                        near = done[mode - 2][0][i, j]
                    elif mirrored:
                        near = dense[m - 1 - i, n - 1 - j]
                    whole = np.floor(near * 2**bits + 0.5) + next(residues)
                    dense[i, j] = whole / 2**bits
            done.append((dense, starts))
            found[name, n, m] = dense
    assert next(residues, None) is None
    return found


def test_the_bank_gives_back_every_operator_within_its_tolerance():
    names = [*MENU, "torch.grid_sample.bilinear.zeros", "tf1.bicubic", "pillow.lanczos"]
    kept = {
        (name, n, m): rl.weights(choosing.named([name])[name], n, m)
        for n, m in ((16, 1), (16, 4), (16, 15), (16, 16), (16, 31), (32, 12), (5, 3))
        for name in names
    }
    found = opened(*bank.bank(kept))
    assert list(found) == list(kept)
    for key, w in kept.items():
        gap = measure.operator_difference(rl.Weights.from_dense(found[key]), w)
        assert gap <= bank.TOLERANCE, key


def test_conventions_that_agree_cost_next_to_nothing():
    w = {m: rl.weights("torch.bilinear", 16, m) for m in range(1, 65)}
    one = payload.pack(bank.bank({("a", 16, m): v for m, v in w.items()})[0])
    same = {(k, 16, m): v for m, v in w.items() for k in "abcd"}
    four = payload.pack(bank.bank(same)[0])
    plain = payload.pack_operators({f"w|{m}": v for m, v in w.items()})
    print(f"plain {len(plain)} bytes, in a bank {len(one)}, four times {len(four)}")
    assert len(one) < len(plain) / 2
    assert len(four) < 1.25 * len(one)


def test_an_operator_with_a_constant_fits_no_bank():
    mine = rl.Spec(boundary="constant", fill=9.0)
    w = rl.weights(mine, 4, 8)
    with pytest.raises(ValueError, match=r"^'mine' adds a constant to its pixels"):
        bank.bank({("mine", 4, 8): w})


# ---- Python ------------------------------------------------------------------


def test_thirteen_conventions_fit_the_budget():
    more = ("torch.bicubic", "opencv.cubic", "torch.bilinear", "torch.nearest")
    p = picture([*MENU, *more, "tf2.bilinear.antialias"])
    print(f"13 conventions: {len(p.payload)} bytes")
    assert len(p.payload) <= explorer.BUDGET


def test_the_page_gets_every_size_of_every_shipped_convention():
    box = payload.unpack(picture(MENU[:2]).payload)
    sizes = list(range(1, 65))
    assert box["meta"]["names"] == list(MENU[:2])
    assert box["meta"]["sizes"] == [[16, sizes], [32, sizes]]
    scene = box["arrays"]["p|scene32"]
    np.testing.assert_array_equal(scene, patterns.pattern("scene", 32))


def test_only_the_convention_that_looks_at_both_axes_is_coupled():
    coupled = [name for name, c in CONVENTION.items() if material.coupled(c)]
    assert coupled == ["opencv.area"]


def test_python_answers_with_a_readers_own_kernel_and_beyond_the_page():
    tent = rl.Kernel("tent", 1.0, lambda d: np.maximum(0, 1 - abs(d)))
    p = picture({"tent": rl.Spec(kernel=tent), "line": rl.Spec()})
    p.request = {"id": 1, "state": {**p.state, "height": 100, "width": 3}}
    box = payload.unpack(p.answer)
    for name in ("tent", "line"):
        for m in (100, 3):
            found = box["operators"][f"w|{name}|16|{m}"].dense()
            np.testing.assert_allclose(found, rl.weights(rl.Spec(), 16, m).dense())


def test_python_answers_for_an_axis_that_looks_at_the_other():
    p = picture(["opencv.area"], size=(5, 40))
    p.request = {"id": 2, "state": dict(p.state)}
    box = payload.unpack(p.answer)
    work = dict(resizing.plan((16, 16), (5, 40), rl.convention("opencv.area")).work)
    for axis in (0, 1):
        found = box["operators"][f"w|opencv.area|16|5.40|{axis}"].dense()
        np.testing.assert_array_equal(found, work[axis].dense())


def test_it_shows_itself_without_scripts():
    data, _ = picture(MENU[:3])._repr_mimebundle_()
    assert data["image/png"].startswith("iVBORw0KGgo")
    assert "tf1.bilinear by up to 0.75, on average 0.438" in data["text/plain"]


CLIPPED = rl.Convention(
    name="clips", particulars=Particulars(clip_to_input=True), spec=rl.Spec()
)


@pytest.mark.parametrize(
    ("conventions", "more", "message"),
    [
        (MENU, {"pattern": "fram"}, "pattern='fram': allowed are 'frame', 'checker'"),
        (MENU, {"size": (0, 4)}, "height=0: a number from 1 to 128 is needed"),
        (MENU, {"size": (4, 129)}, "width=129: a number from 0 to 128 is needed"),
        (MENU, {"reference": "tf3"}, "reference='tf3': allowed are 'tf2.bilinear'"),
        (MENU, {"on": MENU[:5]}, "on has 5 names: at most 4 are shown"),
        (MENU, {"live": ["tf"]}, "live='tf': allowed are 'tf2.bilinear'"),
        ({"my own": rl.Spec()}, {}, "name 'my own': it stands in links"),
        ({"clips": CLIPPED}, {}, "clips clips to the input's range, which no matrix"),
        (MENU[:1], {"live": MENU[:1]}, "live: at least one convention has to ship"),
    ],
)
def test_a_wrong_argument_says_what_is_allowed(conventions, more, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        picture(conventions, **more)


# ---- recordings --------------------------------------------------------------

SMALL = {"frame": patterns.pattern("frame"), "scene": patterns.pattern("scene")}


def without_libraries() -> SimpleNamespace:
    """Return engines of a machine that has no library."""

    def run(*_):
        raise engines.EngineMissing("pillow is not installed: pip install pillow")

    missing = engines.EngineMissing
    return SimpleNamespace(run=run, version=lambda _: None, EngineMissing=missing)


def test_a_recording_holds_what_the_library_returns(tmp_path):
    image = pytest.importorskip("PIL.Image")
    wanted = rl.convention("pillow.bilinear")
    taken = recordings.take(wanted, engines, SMALL, (4, 24))
    assert taken.words == f"pillow {engines.version('pillow')}"
    for key, x in SMALL.items():
        for m in (4, 24):
            y = image.fromarray(x).resize((m, m), image.Resampling.BILINEAR)
            np.testing.assert_array_equal(taken.levels[f"{key}|{m}"], np.asarray(y))
    file = tmp_path / "recorded.npz"
    recordings.write(file, {"pillow.bilinear": taken}, "2026-11-29")
    chosen, gone = {"pillow.bilinear": wanted}, without_libraries()
    read = recordings.gather(chosen, gone, file, SMALL, (4, 24))["pillow.bilinear"]
    assert read.words == taken.words + ", recorded 2026-11-29"
    for key, y in taken.levels.items():
        np.testing.assert_array_equal(read.levels[key], y)
    none = recordings.gather(chosen, gone, None, SMALL, (4,))["pillow.bilinear"]
    assert none.words == "pillow is not installed: pip install pillow"
    assert not none.levels


def test_a_library_that_answers_in_floats_or_refuses_is_told():
    def refuses(*_):
        raise RuntimeError("no kernel for Byte\nand more")

    def floats(*_):
        return np.zeros((4, 4), np.float32)

    said = []
    for run in (refuses, floats):
        fake = SimpleNamespace(run=run, version=lambda _: "9.9+cpu")
        r = recordings.take(rl.convention("torch.area"), fake, SMALL, (4,))
        said.append((r.told, dict(r.levels), r.floats))
    assert said == [
        ("torch 9.9 refuses uint8: no kernel for Byte", {}, False),
        ("torch 9.9 (float32 for uint8)", {}, True),
    ]


def test_the_recorded_file_is_what_these_versions_return():
    pictures = {key: material.levels(key) for key in material.PATTERNS}
    compared = 0
    for name, kept in recordings.read(RECORDED).items():
        convention = rl.convention(name)
        version = engines.version(convention.library)
        if version is None or version.split("+")[0] not in kept.told:
            continue
        if convention.library in ("tensorflow", "keras"):
            continue  # the chapters run it; importing it here costs seconds
        sizes = material.RECORDED_SIZES
        again = recordings.take(convention, engines, pictures, sizes)
        assert (again.told, again.floats) == (kept.told, kept.floats)
        assert set(again.levels) == set(kept.levels)
        for key, y in kept.levels.items():
            np.testing.assert_array_equal(again.levels[key], y)
        compared += 1
    if not compared:
        pytest.skip("none of the recorded versions is installed")


# ---- the page ----------------------------------------------------------------


def state(page) -> dict:
    return drawn_state(page, "picture")


def shown(page) -> dict:
    """Return, by convention, the pixels and differences that the canvases hold."""
    return page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll("[data-convention]")]
        .map((node) => {
          const [out, gap] = node.querySelectorAll("canvas");
          const bytes = (c) => [...c.getContext("2d").getImageData(
            0, 0, c.width, c.height).data].filter((_, k) => k % 4 === 0);
          return [node.dataset.convention, {
            size: [out.height, out.width], values: [...out.values],
            grey: bytes(out), gap: [...gap.values], hidden: gap.hidden,
            most: +node.dataset.most, mean: +node.dataset.mean,
          }];
        }))"""
    )


def source_of(s: dict) -> np.ndarray:
    """Return the picture of a state, from 0 to 1."""
    if s["pattern"] == "drawn":
        return np.reshape(s.get("pixels", np.zeros(256)), (16, 16)) / 255
    return material.levels(s["pattern"]) / 255


def check_drawing(page, own=None) -> dict:
    """Compare pixels, grey levels and differences with the package, to 1e-6."""
    s, drawn = state(page), shown(page)
    x = source_of(s) if own is None else own
    size = (s["height"], s["width"] or s["height"])
    y = {
        name: rl.resize(x, size, CONVENTION[name])
        for name in (*s["conventions"], s["reference"])
    }
    assert list(drawn) == s["conventions"][:4]
    for name, d in drawn.items():
        assert tuple(d["size"]) == size
        values = np.reshape(d["values"], size)
        np.testing.assert_allclose(values, y[name], atol=1e-6)
        assert np.abs(np.reshape(d["grey"], size) - 255 * y[name].clip(0, 1)).max() <= 1
        gap = y[name] - y[s["reference"]]
        np.testing.assert_allclose(np.reshape(d["gap"], size), gap, atol=1e-6)
        assert d["most"] == pytest.approx(np.abs(gap).max(), abs=1e-6)
        assert d["mean"] == pytest.approx(np.abs(gap).mean(), abs=1e-6)
        assert d["hidden"] == (name == s["reference"])
    return s


def test_every_control_moves_by_keyboard(look):
    page = look("picture.html")
    check_drawing(page)
    for key, presses in {"height": 5, "width": 3, "ink": -2}.items():
        slider = page.locator(f"input[data-key={key}]")
        old = state(page)[key]
        for _ in range(abs(presses)):
            slider.press("ArrowRight" if presses > 0 else "ArrowLeft")
        step = 15 if key == "ink" else 1
        assert check_drawing(page)[key] == old + presses * step
    page.locator("input[data-key=width]").press("Home")
    page.locator("input[value='tf1.bilinear']").press("Space")
    page.locator("input[value='opencv.area']").press("Space")
    assert "opencv.area" in check_drawing(page)["conventions"]
    for key, value in {"reference": "opencv.area", "pattern": "zone32"}.items():
        select = page.locator(f"select[data-key={key}]")
        old = state(page)[key]
        select.press("End" if key == "pattern" else "ArrowDown")
        assert check_drawing(page)[key] != old
        select.select_option(value)
        assert check_drawing(page)[key] == value


def test_the_keyboard_draws(look):
    page = look("picture.html")
    page.locator("[data-cell='0']").press("ArrowRight")
    for key in ("ArrowDown", "ArrowDown", "ArrowUp", "Space"):
        page.locator("[data-cell]:focus").press(key)
    s = check_drawing(page)
    # Cell 17 is bright already: painting it with the same ink clears it.
    assert (s["pattern"], s["pixels"][17], s["pixels"][16]) == ("drawn", 0, 255)
    page.locator("[data-cell]:focus").press("Enter")
    assert check_drawing(page)["pixels"][17] == 255
    assert page.locator("[data-cell][tabindex='0']").count() == 1
    label = page.locator("[data-cell='17']").get_attribute("aria-label")
    assert label == "row 1, column 1: 255"
    page.locator("[data-cell]:focus").press("ArrowLeft")
    page.locator("[data-cell]:focus").press("ArrowLeft")
    assert page.locator("[data-cell]:focus").get_attribute("data-cell") == "16"


def test_the_mouse_draws_and_moves_on_a_page_from_disk(look):
    page = look("picture.html", via="file")
    page.get_by_text("Blank picture").click()
    assert sum(check_drawing(page)["pixels"]) == 0
    boxes = [page.locator(f"[data-cell='{k}']").bounding_box() for k in (34, 39, 71)]
    points = [(b["x"] + b["width"] / 2, b["y"] + b["height"] / 2) for b in boxes]
    page.mouse.move(*points[0])
    page.mouse.down()
    for point in points[1:]:
        page.mouse.move(*point, steps=12)
    page.mouse.up()
    drawn = np.flatnonzero(check_drawing(page)["pixels"]).tolist()
    assert drawn == [34, 35, 36, 37, 38, 39, 55, 71]
    page.locator("[data-cell='37']").click()
    assert check_drawing(page)["pixels"][37] == 0
    for key in ("height", "width", "ink"):
        old = state(page)[key]
        pull(page, page.locator(f"input[data-key={key}]"), 0.6)
        assert check_drawing(page)[key] != old
    from_menu(page, "Start again")
    assert check_drawing(page)["pattern"] == "frame"


def test_a_finger_draws_sideways_and_scrolls_up_and_down(look):
    phone = {"width": 360, "height": 740, "has_touch": True, "is_mobile": True}
    page = look("picture.html", **phone)
    for key in ("height", "width"):
        slider = page.locator(f"input[data-key={key}]")
        box = slider.bounding_box()
        slider.tap(position={"x": box["width"] * 0.6, "y": box["height"] / 2})
        assert check_drawing(page)[key] > 10
    page.locator("[data-cell='100']").tap()
    s = check_drawing(page)
    assert (s["pattern"], s["pixels"][100]) == ("drawn", 255)
    cell = page.locator("[data-cell='66']")
    cell.evaluate("node => node.scrollIntoView({ block: 'center' })")
    before = state(page)["pixels"]
    drag(page, cell, 0, -150)
    page.wait_for_function("window.scrollY > 100")
    wait_for_rest(page)
    assert state(page)["pixels"] == before
    cell.evaluate("node => node.scrollIntoView({ block: 'center' })")
    where = cell.bounding_box()
    drag(page, cell, 90, 5)
    painted = check_drawing(page)["pixels"]
    assert painted[66:70] == [255 - before[66]] * 4
    assert cell.bounding_box()["y"] == pytest.approx(where["y"], abs=2)


@pytest.mark.parametrize("via", ["http", "file"])
def test_a_photograph_of_the_reader_s_is_the_same_in_both(look, via, tmp_path):
    photo = np.random.default_rng(1).integers(0, 256, (270, 301, 3), dtype=np.uint8)
    pytest.importorskip("PIL.Image").fromarray(photo).save(tmp_path / "mine.png")
    levels = (photo[14:46, 31:63] @ (299, 587, 114) + 500) // 1000 / 255
    page = look("beside.html#picture:pattern=own32,corner=6+9", via=via)
    page.locator("[data-option]").click()
    beside, here = page.locator(".rl-compare"), page.locator(".resizelab")
    beside.locator("[type=file]").set_input_files(tmp_path / "mine.png")
    page.wait_for_selector(".rl-whole:not([hidden])").press("ArrowDown")
    assert state(page)["corner"] == [14, 9]
    page.evaluate("location.hash = 'picture:pattern=own32,corner=7+9'")
    page.wait_for_selector("[data-drawn*='[7,9]']")
    check_drawing(page, levels)
    check_axe(page, within=".rl-beside")
    here.get_by_role("button", name="Forget it").click()
    check_drawing(page, np.zeros((32, 32)))
    assert beside.locator(".rl-mine").inner_text() == ""
    assert page.evaluate("localStorage['resizelab.photo']") is None
    here.locator("[type=file]").set_input_files(tmp_path / "mine.png")
    page.wait_for_selector(".rl-whole:not([hidden])")
    assert "cut and not resized" in beside.locator(".rl-mine").inner_text()
    check_drawing(page, levels)


def test_two_stand_side_by_side_on_a_phone(look):
    page = look("picture.html", width=360, height=740)
    page.wait_for_selector(".resizelab[data-drawn]")
    boxes = [p.bounding_box() for p in page.locator("[data-convention]").all()[:3]]
    assert boxes[0]["y"] == boxes[1]["y"] < boxes[2]["y"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    root = page.locator(".resizelab")
    assert root.evaluate("n => n.scrollWidth <= n.clientWidth")


def test_every_size_is_on_the_page(look):
    link = "picture:pattern=scene,conventions=tf1.bilinear+pillow.bicubic"
    page = look("picture.html#" + link)
    page.wait_for_selector("[data-drawn*='scene']")
    slider = page.locator("input[data-key=height]")
    for pattern, sizes in {"scene": range(1, 65, 7), "zone32": range(1, 65, 9)}.items():
        page.locator("select[data-key=pattern]").select_option(pattern)
        for size in sizes:
            slider.fill(str(size))
            assert check_drawing(page)["height"] == size


def test_the_words_say_what_the_pictures_show(look):
    page = look("picture.html")
    page.wait_for_selector(".resizelab[data-drawn]")
    said = page.locator(".rl-say").inner_text()
    assert said.startswith(f"16{BY}16 becomes 4{BY}4, floats from 0 to 1.")
    assert "tf1.bilinear max 0.75 (row 2, column 2), mean 0.438" in said
    ends = page.locator(".rl-stops").first.inner_text()
    assert ends.split() == ["\N{MINUS SIGN}1", "0", "1"]
    page.get_by_text("All numbers").click()
    rows = page.locator("table").nth(1).locator("tr").all_inner_texts()
    y = rl.resize(patterns.pattern("frame") / 255, (4, 4), CONVENTION["tf1.bilinear"])
    numbers = [re.split(r"\s+", row.strip())[1:] for row in rows[1:]]
    np.testing.assert_allclose(np.array(numbers, float), y, atol=1e-3)


def test_recorded_integers_are_the_libraries_own(look):
    page = look("picture.html#picture:pattern=scene,height=12")
    page.wait_for_selector("[data-drawn*='scene']")
    for name in ("opencv.area", "tf1.bilinear", "tf1.bilinear.align_corners"):
        page.locator(f"input[value='{name}']").press("Space")
    select = page.locator("select[data-key=dtype]")
    select.select_option("uint8")
    drawn, x = shown(page), patterns.pattern("scene")
    assert list(drawn) == ["tf2.bilinear", "pillow.bilinear", "opencv.area"]
    floats = rl.resize(x.astype(float), (12, 12), "tf2.bilinear").ravel()
    for name, d in drawn.items():
        if name == "tf2.bilinear":
            np.testing.assert_allclose(d["values"], floats, atol=3e-4)
            continue
        y = engines.run(CONVENTION[name], x, (12, 12)).ravel()
        assert d["values"] == d["grey"] == y.tolist()
        np.testing.assert_allclose(d["gap"], y - floats, atol=3e-4)
    told = page.locator("select[data-key=dtype] + small").inner_text()
    assert f"pillow {engines.version('pillow')}" in told
    assert f"opencv {engines.version('opencv')}" in told
    kept = recordings.read(RECORDED)["tf2.bilinear"]
    assert f"(float32 for uint8), recorded {kept.date}" in told
    page.locator("input[value='opencv.area']").press("Space")
    for change, why in {
        "height=13": "Recorded at 4, 7, 12, 24, 32, squares only.",
        "height=12,width=7": "Recorded at 4, 7, 12, 24, 32, squares only.",
        "pattern=drawn": "A drawing has no recording.",
    }.items():
        page.evaluate("hash => { location.hash = hash; }", "picture:" + change)
        page.wait_for_function(
            "t => document.querySelector('[data-key=dtype] + small')"
            ".textContent.startsWith(t)",
            arg=why,
        )
        assert select.is_disabled()
        check_drawing(page)


def test_a_link_in_the_prose_sets_it(look):
    page = look("picture.html")
    page.get_by_role("link", name="Large").click()
    page.wait_for_selector("[data-drawn*='scene32']")
    assert check_drawing(page)["height"] == 20
    assert page.locator(".rl-board[role=grid]").is_hidden()


def test_a_drawing_travels_in_the_address(look):
    page = look("picture.html")
    page.locator("[data-cell='34']").click()
    drawn = state(page)["pixels"]
    from_menu(page, "Copy link to this state")
    page.wait_for_function("document.querySelector('.rl-note').textContent !== ''")
    again = look(page.url.split("/")[-1])
    again.wait_for_selector("[data-drawn*='pixels']")
    assert check_drawing(again)["pixels"] == drawn


def test_junk_is_left_out_and_told(look):
    page = look("picture.html#picture:height=99")
    page.wait_for_selector("[data-drawn*='\"height\":64']")
    note = page.locator(".rl-note")
    assert "height is 64 here: it goes from 1 to 64" in note.inner_text()
    for fragment, said in {
        "pattern=cat": "pattern has no “cat”",
        "pixels=1+2": "pixels needs 256 numbers",
        "pixels=" + "+".join(["300"] * 256): "pixels is 255 here",
        "conventions=me": "conventions has no “me”",
        "ink=<img src=x>": "is no number",
    }.items():
        page.evaluate("hash => { location.hash = hash; }", "picture:" + fragment)
        page.wait_for_function(
            "t => document.querySelector('.rl-note').textContent.includes(t)", arg=said
        )
    assert page.locator(".resizelab img").count() == 0
    check_drawing(page)


def test_a_fifth_convention_and_one_that_needs_a_kernel_are_told(look):
    page = look("picture.html")
    page.wait_for_selector(".resizelab[data-drawn]")
    note = page.locator(".rl-note")
    page.locator("input[value='tf2.nearest']").press("Space")
    assert note.inner_text().startswith("Four fit side by side")
    assert len(shown(page)) == 4
    check_drawing(page)
    page.locator("input[value='tf2.nearest']").press("Space")
    page.locator("input[value='pillow.bilinear']").press("Space")
    said = page.locator(".rl-choices").inner_text()
    assert "half_pixel.cubic (needs a kernel)" in said
    page.locator("input[value='half_pixel.cubic']").press("Space")
    assert "Run the chapter live" in note.inner_text()
    page.locator("input[value='half_pixel.cubic']").press("Space")
    assert note.inner_text() == ""
    check_drawing(page)


def test_dark_mode_redraws_the_differences(look):
    page = look("picture.html", theme="light")
    page.wait_for_selector(".resizelab[data-drawn]")
    script = """() => [...document.querySelector('.rl-bar').getContext('2d')
      .getImageData(0, 0, 101, 1).data].filter((_, k) => k % 4 < 3)"""
    light = page.evaluate(script)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    page.wait_for_selector(".resizelab[data-dark]")
    dark = page.evaluate(script)
    middle = slice(150, 153)
    assert min(light[middle]) > 240
    assert max(dark[middle]) < 60
    # The ends can be told from the middle, and from each other.
    for bar in (light, dark):
        ends = [np.array(bar[k : k + 3]) for k in (0, 150, 300)]
        for a, b in ((0, 1), (1, 2), (0, 2)):
            assert np.abs(ends[a] - ends[b]).sum() > 150
    check_drawing(page)


def test_full_screen_draws_larger_and_comes_back(look):
    page = look("picture.html")
    panel = page.locator("[data-convention] canvas").first
    before = panel.bounding_box()["width"]
    from_menu(page, "Full screen")
    page.wait_for_function("document.fullscreenElement !== null")
    check_it_fits(page)
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.wait_for_function(
        "w => document.querySelector('.rl-out').clientWidth > 1.2 * w", arg=before
    )
    check_drawing(page)
    page.set_viewport_size({"width": 1280, "height": 900})
    page.evaluate("document.exitFullscreen()")
    page.wait_for_function(
        "w => document.querySelector('.rl-out').clientWidth <= w + 1", arg=before
    )


@pytest.mark.alone
def test_a_redraw_takes_less_than_a_frame(look):
    page = look("picture.html#picture:pattern=scene,height=64")
    page.wait_for_selector("[data-drawn*='64']")
    check_redraw(page, "picture", "height", [64, 63] * 12)


@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_does_not_jump(look, width):
    check_no_jump(look("picture.html", width=width))


@pytest.mark.slow
def test_axe_finds_nothing(look):
    check_axe(look("picture.html", theme="light"))
    check_axe(look("picture.html", theme="dark"), dark=True)


def test_damaged_data_are_told(look, tiny_site):
    check_damage_is_told(look, tiny_site.root, "picture")
