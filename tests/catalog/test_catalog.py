"""The table and the calls: rows are recorded points of the functions."""

import importlib.util
import json
import time
import tomllib
from pathlib import Path

import numpy as np
import pytest
from bulk import for_each, some
from golden import index

import resizelab as rl
from resizelab.arrays import resizing
from resizelab.axis import recipe
from resizelab.catalog import NotExpressible, beside, names, recipes, table
from resizelab.catalog.calls import CALLS, described
from resizelab.catalog.signatures import differing, gap, signature, takes_scale
from resizelab.catalog.translation import Translation

ROWS = [rl.convention(name) for name in rl.conventions()]
CALLED = [row for row in ROWS if row.call in CALLS and row.status == "live"]


# worked


def test_find_fills_in_the_library_s_defaults():
    found = rl.find("torch.nn.functional.interpolate", mode="bicubic", antialias=True)
    assert found.name == "torch.bicubic.antialias"
    assert (found.spec.a, found.spec.boundary) == (-0.5, "exclude")
    assert found.checked.startswith("torch 2.13")


def test_scales_are_carried_height_first():
    found = rl.find("cv2.resize", interpolation="INTER_LINEAR", fx=1.5, fy=2.0)
    assert found.scale == (2.0, 1.5)
    x = np.arange(8, dtype=np.float32).reshape(2, 4)
    # OpenCV 5.0.0: 4 * 1.5 = 6 columns, 2 * 2 = 4 rows.
    assert rl.resize(x, (4, 6), found).shape == (4, 6)
    assert rl.resize(x, None, found).shape == (4, 6)
    assert rl.resize(x, None, found, scale=(1.0, 2.0)).shape == (2, 8)


def test_a_convention_s_name_is_enough():
    x = np.array([0.0, 10.0, 20.0, 30.0], np.float32)
    by_name = rl.resize(x, (8,), "torch.bilinear.align_corners")
    # torch 2.13.0
    expected = [0, 4.2857, 8.5714, 12.8571, 17.1429, 21.4286, 25.7143, 30]
    np.testing.assert_allclose(by_name, expected, atol=1e-4)


# laws


def test_names_are_unique_and_in_one_style():
    assert len(set(rl.conventions())) == len(rl.conventions())
    for name in rl.conventions():
        assert name == name.lower().strip()
        assert "." in name, f"{name} lacks its library"


@for_each(CALLED)
def test_row_is_what_its_call_says(row):
    said = described(row.call, **row.arguments)
    assert (said.name, said.library) == (row.name, row.library)
    assert rl.find(row.call, **row.arguments) == row


@for_each(ROWS)
def test_passport_round_trips(row):
    assert rl.Convention.from_json(row.to_json()) == row


@for_each(ROWS)
def test_row_says_where_it_comes_from(row):
    assert row.library
    if row.status == "live":
        assert row.checked, "a live row says the version it was measured on"
    else:
        assert row.source, "a row that is not run says where it was read"


def test_every_live_row_has_golden_values_and_every_golden_file_its_row():
    recorded = set(index())
    live = {row.name for row in ROWS if row.status == "live"}
    assert live <= recorded
    assert recorded - live <= {row.name for row in ROWS if row.status == "recorded"}


@pytest.mark.alone
def test_loading_the_table_is_quick_and_waits_until_asked():
    table.rows.cache_clear()
    start = time.perf_counter()
    table.rows()
    taken = time.perf_counter() - start
    assert taken < 1.0, f"{taken:.2f} s; the bar is 0.1 s on an idle machine"
    assert importlib.util.find_spec("resizelab.catalog") is not None


@pytest.mark.alone
def test_finding_is_quick_after_first_use():
    rl.find("cv2.resize", interpolation="INTER_AREA")
    times = []
    for _ in range(50):
        start = time.perf_counter()
        rl.find("cv2.resize", interpolation="INTER_AREA")
        times.append(time.perf_counter() - start)
    assert np.median(times) < 1e-3


def test_signatures_tell_near_conventions_apart():
    pairs = [
        ("torch.bilinear", "torch.bilinear.align_corners"),
        ("torch.bicubic", "torch.bicubic.antialias"),
        ("torch.nearest", "opencv.nearest"),
        ("opencv.area", "torch.area"),
    ]
    for one, other in pairs:
        assert gap(rl.convention(one), rl.convention(other)).parted > 0
    same = gap(rl.convention("torch.bilinear"), rl.convention("opencv.linear"))
    assert (same.parted, same.tried) == (0, 34)


def test_signature_holds_each_size_once():
    found = signature(rl.convention("torch.bilinear"))
    assert found[4, 8, None].shape == (8, 5)


def test_differing_names_the_fields():
    found = differing(rl.convention("torch.bicubic"), rl.convention("opencv.cubic"))
    assert "a" not in found
    assert found["coordinate_arithmetic"] == ("float32_fma", "float64")


# names


NAMES = (
    "onnx.spec.nearest.asymmetric.floor.opset12",
    "onnx.spec.cubic.align_corners.a-0.6.exclude_outside.antialias.opset18",
    "onnxruntime.cubic.a-0.6.scales",
    "pillow.bicubic.box.reducing_gap",
    "torch.trilinear.recompute_scale_factor",
)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_is_printed_is_accepted(name):
    assert name not in rl.conventions()
    found = rl.convention(name)
    assert found.name == name
    assert found.status in ("derived", "paper")


def test_every_name_that_find_makes_is_read_back():
    rng, read = np.random.default_rng(0), 0
    for call in CALLS.values():
        rows = [row for row in CALLED if row.call == call.name]
        values = dict(names._values(call, "a-0.6.opset13", rows))
        for _ in range(8):
            chosen = {
                key: listed[rng.integers(len(listed))]
                for key, listed in values.items()
                if listed and rng.random() < 0.45
            }
            try:
                made = call.convention(chosen)
            except (TypeError, ValueError):
                continue
            if made.call == call.name:  # no front
                assert rl.convention(made.name).name == made.name
                read += 1
    assert read > 80


# what is vouched for


def test_a_combination_that_is_no_row_is_derived_and_says_from_which():
    both = rl.find(
        "PIL.Image.Image.resize", resample="BICUBIC", box=(1, 2, 3, 4), reducing_gap=1.5
    )
    assert (both.status, both.checked) == ("derived", "")
    assert both.notes == (
        "not measured together: derived from pillow.bicubic.box (box, resample), "
        "pillow.bicubic.reducing_gap (reducing_gap)"
    )
    new = rl.find("scipy.ndimage.zoom", order=1, mode="grid-constant", cval=3.0)
    assert new.status == "derived"
    assert new.notes.endswith("; no row has cval=3.0")


def test_another_scale_or_region_of_a_row_is_measured():
    scaled = rl.find("F.interpolate", mode="bilinear", scale_factor=1.3)
    assert (scaled.status, scaled.scale) == ("live", (1.3,))
    assert rl.find("PIL.Image.Image.resize", resample=2, box=(1, 1, 4, 5)).checked


def test_a_text_speaks_of_every_combination():
    found = rl.find("onnx.Resize.spec", mode="cubic", cubic_coeff_a=-0.6)
    assert found.status == "paper"


# the files


def test_rows_hold_no_copies_of_what_their_calls_say():
    folder = Path(table.__file__).parent / "conventions"
    for path in folder.glob("*.toml"):
        for entry in tomllib.loads(path.read_text("utf-8"))["convention"]:
            kept = {"spec", "particulars", "arithmetic"} & set(entry)
            said = entry["call"] in CALLS and entry["status"] != "recorded"
            assert bool(kept) != said, entry["name"]
            if said:
                assert not {"scale", "roi"} & set(entry), entry["name"]


# translate


def test_translation_is_a_call_in_the_other_framework():
    said = rl.translate("opencv.linear", to="torch")
    assert said.text == (
        "torch.nn.functional.interpolate(x, size=(h, w), mode='bilinear')"
    )
    assert str(said).splitlines()[1:] == [
        "# x is (batch, channels, height, width)",
        "# bytes beside opencv.linear's: 1088 of 4770 differ, by up to 1; computed in "
        "float32 and rounded, 577 of 4770 differ, by up to 1",
    ]


def test_bytes_are_counted_as_the_engines_count_them():
    torch, cv2 = pytest.importorskip("torch"), pytest.importorskip("cv2")
    rng = np.random.default_rng(beside.SEED)
    straight = rounded = 0
    for before, (h, w) in beside.SIZES:
        x = rng.integers(0, 256, before, np.uint8)
        mine = cv2.resize(x, (w, h)).astype(int)
        options = {"size": (h, w), "mode": "bilinear"}
        tensor = torch.tensor(x)[None, None]
        theirs = torch.nn.functional.interpolate(tensor, **options)[0, 0].numpy()
        floats = torch.nn.functional.interpolate(tensor.float(), **options)[0, 0]
        straight += int((theirs != mine).sum())
        rounded += int((np.rint(floats.numpy()) != mine).sum())
    # torch 2.13.0, OpenCV 5.0.0
    assert (straight, rounded) == (1088, 577)


def test_a_pick_that_is_no_nearest_kernel_has_its_nearest_call():
    """MATLAB's box without antialiasing picks one pixel, ties included."""
    box = rl.convention("matlab.imresize.box.no_antialiasing")
    answer = rl.translate(box, to="scikit-image")
    assert answer.text.startswith("skimage.transform.resize(x, (h, w), order=0")
    from translations import execute

    x = np.arange(12.0).reshape(1, 12).astype(np.float32)
    for m in (3, 5, 8, 34):  # 12 to 8 and to 34 meet exact ties
        got = execute(answer, "scikit-image", x, h=1, w=m)
        np.testing.assert_array_equal(got, rl.resize(x, (1, m), box))


@pytest.mark.parametrize(
    ("call", "parted"),
    [("torch.nearest-exact", 1), ("opencv.nearest_exact", 4), ("pillow.nearest", 4)],
)
def test_sizes_that_one_side_alone_was_asked_for_do_not_count(call, parted):
    box = rl.convention("matlab.imresize.box.no_antialiasing")
    one, other = gap(box, rl.convention(call)), gap(rl.convention(call), box)
    assert one == other
    assert (one.parted, one.tried) == (parted, 42)


def test_what_cannot_be_said_comes_with_the_nearest_and_its_error():
    with pytest.raises(NotExpressible) as caught:
        rl.translate("opencv.area", to="torch")
    assert caught.value.nearest.library == "torch"
    assert 0.1 < caught.value.gap.largest <= 1
    assert "kernel ('area' here" in str(caught.value)


TARGETS = (
    *("torch", "opencv", "pillow", "jax"),
    *("scipy", "scikit-image", "tensorflow", "onnx"),
)
SIZED = [
    row
    for row in CALLED
    if row.roi is None
    and not takes_scale(row)
    and (row.ranks is None or row.ranks[0] <= 2 <= row.ranks[1])
]


@for_each(row for row in ROWS if row.scale is None and row.roi is None)
def test_some_outputs_are_made_as_with_the_others(row):
    for n, m in ((29, 58), (58, 29), (31, 9)):
        scale = m / n if row.spec.step_from == "scale" else None
        (axis,) = resizing.one_axis(row, n, m, scale).axes
        kept = np.array([0, 3, m - 1])
        part, whole = recipe.chosen(axis, kept), recipe.weights(axis)
        np.testing.assert_allclose(part.dense(), whole.dense()[kept], atol=1e-12)
        np.testing.assert_allclose(part.offsets, whole.offsets[kept], atol=1e-12)


# All of the libraries that people leave and reach, and a sample of the long tables.
SOURCES = [
    row
    for k, row in enumerate(SIZED)
    if row.library in ("torch", "tensorflow", "opencv", "pillow", "jax") or k % 7 == 0
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("turn", some(range(9), 0))
@pytest.mark.parametrize("to", TARGETS)
def test_translations_run_and_compute_the_same(to, turn):
    """Each text is executed as it stands, on the layout its framework wants."""
    from translations import execute

    x = np.random.default_rng(0).random((9, 7)).astype(np.float32)
    said = 0
    for row in SOURCES[(TARGETS.index(to) + turn) % 9 :: 9]:
        try:
            answer = rl.translate(row, to=to)
        except NotExpressible:
            continue
        got = execute(answer, to, x, h=6, w=12)
        expected = rl.resize(x, (6, 12), row)
        np.testing.assert_allclose(got, expected, atol=1e-5, err_msg=answer.text)
        said += 1
    assert said > 0, f"nothing can be said in {to}"


@pytest.mark.parametrize("to", recipes.WRITERS)
@pytest.mark.parametrize(
    "name", ["tf1.bilinear", "tf1.bilinear.align_corners", "torch.bicubic"]
)
def test_a_recipe_runs_and_computes_the_same(name, to):
    """Several calls where no single one reads on the grid, single pixels included."""
    row, rng = rl.convention(name), np.random.default_rng(0)
    lines = recipes.recipe(row, to)
    if lines is None:
        assert (row.spec.kernel, to) == ("cubic", "scipy")
        return
    from translations import execute

    answer = Translation(lines, row, "NCHW")
    for h, w, oh, ow in ((9, 7, 6, 12), (16, 16, 4, 4), (5, 3, 1, 1), (1, 6, 4, 13)):
        x = rng.random((h, w)).astype(np.float32)
        got = execute(answer, to, x, h=oh, w=ow)
        np.testing.assert_allclose(got, rl.resize(x, (oh, ow), row), atol=1e-5)


def test_tensorflow_1_s_grid_is_said_in_torch_by_several_calls():
    answer = rl.translate("tf1.bilinear", to="torch")
    assert "grid_sample" in answer.text
    assert "several calls" in answer.remarks[0]
    with pytest.raises(NotExpressible):
        rl.translate("tf1.bilinear", to="pillow")


def exported():
    """Yield what torch's exporter was recorded to write for a given scale."""
    path = Path(__file__).parents[2] / "resizelab/teaching/records/onnx_export.json"
    for row in json.loads(path.read_text("utf-8"))["rows"]:
        written = row["dynamo"][-1]["does"].get("resize", [])
        if row["rank"] == 4 and [w["by"] for w in written] == ["scales"]:
            name = written[0]["convention"].removesuffix(".scales")
            yield row["arguments"], name, row["dynamo"][-1]["does"]["gap"]


@pytest.mark.parametrize(("given", "node", "gap"), list(exported()))
def test_a_scale_goes_to_onnx_as_torch_s_exporter_writes_it(given, node, gap):
    onnx = pytest.importorskip("onnx")
    asked = rl.find("F.interpolate", **given)
    if gap > 1e-3:  # what the exporter writes is not what torch computes
        with pytest.raises(NotExpressible) as told:
            rl.translate(asked, to="onnx")
        assert told.value.nearest.spec.grid == asked.spec.grid
        return
    answer = rl.translate(asked, to="onnx")
    made = eval(answer.text, {"onnx": onnx}).attribute
    mine = {a.name: onnx.helper.get_attribute_value(a) for a in made}
    mine = {k: v.decode() if isinstance(v, bytes) else v for k, v in mine.items()}
    assert rl.find("onnx.Resize.spec", **mine).name == node
    s = float(given["scale_factor"])
    assert answer.text.endswith(f"scales = {[1.0, 1.0, s, s]}")


def test_a_scale_that_gives_another_size_is_told():
    answer = rl.translate(
        rl.find("F.interpolate", mode="bilinear", scale_factor=1.3), to="onnx"
    )
    told = [line for line in answer.remarks if "lengths" in line]
    assert told == [
        "scale 1.3: of lengths up to 512, 51 get another size, the first 10: 12, of "
        "torch.bilinear.scale_factor 13"
    ]


# errors


def test_unknown_call_lists_what_exists_and_the_nearest():
    with pytest.raises(LookupError, match=r"did you mean 'cv2.resize'") as caught:
        rl.find("cv2.resise")
    assert "scipy.ndimage.zoom" in str(caught.value)


def test_unknown_argument_lists_what_the_call_takes():
    message = (
        r"cv2.resize takes src, dsize, dst, fx, fy, interpolation; "
        r"got interp='INTER_AREA'; did you mean 'interpolation'\?"
    )
    with pytest.raises(TypeError, match=message):
        rl.find("cv2.resize", interp="INTER_AREA")


def test_unknown_name_says_the_nearest():
    with pytest.raises(LookupError, match=r"did you mean 'torch.bilinear'"):
        rl.convention("torch.bilinaer")


def test_passport_refuses_what_it_does_not_know():
    with pytest.raises(ValueError, match=r"no field 'nmae'; did you mean 'name'"):
        rl.Convention.from_json('{"nmae": "x"}')
    with pytest.raises(ValueError, match="text is not JSON"):
        rl.Convention.from_json("{")
    own = rl.Spec(kernel=rl.Kernel("mine", 1.0, lambda d: 1 - abs(d)))
    with pytest.raises(TypeError, match="kernel 'mine' is a function"):
        rl.Convention(name="mine", spec=own).to_json()


def test_torch_s_area_takes_its_step_from_the_sizes_whatever_the_scale():
    torch = pytest.importorskip("torch")
    ramp = np.arange(40.0)
    call = "torch.nn.functional.interpolate"
    for scale in (0.37, 0.6, 1.3, 2.7):
        c = rl.find(call, mode="area", scale_factor=scale)
        theirs = torch.nn.functional.interpolate(
            torch.tensor(ramp)[None, None], scale_factor=scale, mode="area"
        )
        np.testing.assert_allclose(rl.resize(ramp, spec=c), theirs[0, 0], atol=1e-9)
