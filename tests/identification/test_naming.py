"""Naming a resize: black boxes, pairs, what separates two conventions.

The default run takes a part of the table; ``-m live`` takes all of it, the handed
cases, the 1080p pair and the real libraries, and prints the bars.
"""

import json
import time

import numpy as np
import pytest
from bulk import some
from golden import FOLDER
from integer_pictures import integer_dtypes
from processes import python
from resizers import bytes_of, dense, natural

import resizelab as rl
from resizelab import engines
from resizelab.arrays.layouts import guessed
from resizelab.axis.kernel import kernel
from resizelab.catalog.separation import probe
from resizelab.catalog.signatures import SAME, gap, takes_scale
from resizelab.identification.candidates import candidates, reduced, scales, spread
from resizelab.identification.naming import identify
from resizelab.identification.probing import questions

CASES = json.loads((FOLDER / "cases.json").read_text("utf-8"))
ROWS = [rl.convention(name) for name in rl.conventions()]
INTEGERS = [(row, dtype) for row in ROWS for dtype in integer_dtypes(row)]
PLAIN = [r for r in ROWS if r.scale is None and r.roi is None]
PLAIN = [r for r in PLAIN if r.particulars.aspect_ratio == "stretch"]
ONE_IN = 29  # rows in the slow run; in the default run half of them
live = pytest.mark.live
EVERY = pytest.param(1, marks=live)


def box(row, dtype=None):
    """Return a black box that computes a row, on its own dtype if one is given."""

    def resizer(x, shape):
        x = np.asarray(x)
        return rl.resize(x if dtype is None else x.astype(dtype), shape, row)

    return resizer


def names_in(text):
    """Return the names that a report's text lists as the same numbers."""
    part = text.split("same numbers:")[1].split("nearest miss:")[0]
    words = part.replace(",", " ").split()
    return [word for word in words if word in rl.conventions()]


def comparable(row):
    """Return a row as `gap` takes it: one axis."""
    carried = None if row.scale is None else row.scale[-1:]
    return row.replace(scale=carried, roi=None if row.roi is None else row.roi[-1:])


def wrong_sets(rows):
    """Return the rows whose set misses them, or holds another that is apart."""
    missed, outside, seconds = [], [], []
    for row in rows:
        start = time.perf_counter()
        same = identify(box(row)).same
        seconds.append(time.perf_counter() - start)
        if row.name not in same:
            missed.append(row.name)
        for name in same:
            other = rl.convention(name)
            if row.scale or other.scale or takes_scale(other) != takes_scale(row):
                continue  # signatures hold no size that a carried scale gives
            if gap(comparable(row), comparable(other)).largest > SAME:
                outside.append((row.name, name))
    return missed, outside, float(np.median(seconds))


# worked


def test_a_black_box_is_named():
    report = rl.identify(box("opencv.area"))
    assert report.same == ("opencv.area",)
    text = str(report)
    assert text.index("same numbers: 1 call") < text.index("nearest miss:")
    assert names_in(text) == ["opencv.area"]
    assert "half_pixel · area · no antialias" in text
    assert report.nearest.name not in report.same
    assert report.nearest.differs


def test_calls_of_the_same_numbers_are_one_set():
    same = rl.identify(box("torch.bilinear")).same
    assert {"opencv.linear", "onnx.linear", "torch.grid_sample.bilinear.border"} <= set(
        same
    )
    assert "tf1.bilinear" not in same
    assert same == tuple(n for n in rl.conventions() if n in same)


def test_a_report_says_first_what_its_names_share():
    text = str(rl.identify(box("torch.bilinear")))
    lines = [line.strip() for line in text.splitlines()]
    assert lines[2] == "half_pixel · linear · no antialias · edge (page `grids`)"
    last = lines.index("nearest miss:")
    by_library = [line.split(":")[0] for line in lines[3:last]]
    assert len(by_library) == len(set(by_library))
    assert {"torch", "opencv", "tensorflow"} <= set(by_library)
    # What is not run here is marked, wherever it is named.
    assert "onnx.spec.linear (paper)" in text
    assert "tf2.bilinear.from_1_15 (recorded)" in text
    fields = "tie_epsilon", "float32_fma", "clip_to_input", "coordinate_arithmetic"
    for field in fields:
        assert field not in text


def test_a_report_is_json_with_the_operator():
    # Half-pixel linear 5 to 8, by hand: output 1 reads 1.5 * 5/8 - 0.5 = 0.4375.
    whole = json.loads(rl.identify(box("opencv.linear")).to_json())
    assert whole["operators"]["width"][1][:3] == [0.5625, 0.4375, 0]
    assert whole["same"]
    assert whole["nearest"]["differs"]


def test_fixed_sizes_say_what_they_cannot_tell():
    report = identify(
        lambda x: rl.resize(x, (8, 16), "torch.bicubic"), n_in=(4, 8), n_out=(8, 16)
    )
    assert "torch.bicubic" in report.same
    assert "torch.bilinear" not in report.same
    assert len(report.ambiguous) > 1
    assert any("at these sizes" in remark for remark in report.remarks)
    assert identify(lambda x: rl.resize(x, (8, 16), "torch.bicubic"), n_in=(4, 8)).same


def test_large_fixed_sizes_are_sampled():
    report = identify(
        lambda x: rl.resize(x, (300, 410), "tf1.bilinear"), n_in=(40, 700)
    )
    assert "tf1.bilinear" in report.same
    assert "torch.bilinear" not in report.same


# the bars


@pytest.mark.parametrize("every", [*some((2 * ONE_IN, ONE_IN), 0), EVERY])
def test_float_rows_are_named_with_nothing_outside(every, capsys):
    rows = ROWS[::every]
    missed, outside, median = wrong_sets(rows)
    with capsys.disabled():
        print(f"\n  float rows: {len(rows)}, median {median:.2f} s", end="")
    assert missed == []
    assert outside == []


@pytest.mark.alone
def test_a_float_row_is_named_within_a_second():
    assert wrong_sets(ROWS[::ONE_IN])[2] <= 1.0


def integer_misses(rows):
    return [
        f"{row.name} {dtype}"
        for row, dtype in rows
        if row.name not in identify(box(row, dtype)).same
    ]


@pytest.mark.parametrize("every", some((6 * ONE_IN, 3 * ONE_IN), 0))
def test_integer_rows_are_named(every):
    assert integer_misses(INTEGERS[::every]) == []


@live
def test_integer_rows_of_one_size_are_named(capsys):
    rows = [(r, d) for r, d in INTEGERS if d in ("uint8", "int16")]
    missed = integer_misses(rows)
    with capsys.disabled():
        print(f"\n  integer rows: {len(rows)}, missed {len(missed)}", end="")
    assert len(missed) <= 0.05 * len(rows), missed


def unknown(a, phase, shift, boundary, stretches):
    """Return a cubic resizer of our own, written out as a dense matrix."""

    def matrix(n, m):
        step = n / m
        x = (np.arange(m) + phase) * step - shift
        wide = max(1.0, step) if stretches else 1.0
        return dense(kernel("cubic", a=a), x, wide, n, boundary)

    return lambda x, shape: (
        matrix(x.shape[0], shape[0]) @ x @ matrix(x.shape[1], shape[1]).T
    ).astype(np.float32)


RULES = ("edge", "exclude", "symmetric", "reflect", "wrap", "constant")


@pytest.mark.parametrize("seed", some(range(6), 0, 1))
def test_unknown_ideas_are_fitted(seed):
    rng = np.random.default_rng(seed)
    a, phase, shift = rng.uniform(-1, -0.2), rng.uniform(0.1, 0.9), rng.uniform(0, 1)
    rule, stretches = RULES[seed], bool(seed % 2)
    report = identify(unknown(a, phase, shift, rule, stretches))
    assert report.same == ()
    for fitted in report.fitted.values():
        assert fitted.kernel == "cubic"
        assert abs(fitted.a - a) < 1e-3
        assert abs(fitted.phase - phase) < 1e-3
        assert abs(fitted.shift - shift) < 1e-3
        assert fitted.step == "n_in / n_out"
        assert fitted.stretch == ("step" if stretches else "none")
        assert rule in fitted.boundary.split(" or ")
    assert "a = " in str(report)
    assert json.loads(report.to_json())["fitted"]["width"]["grid"]["phase"]


def pair_hits(kind, count, seed):
    """Return (hits, tried, misses): 24 x 24 to random sizes, random rows."""
    rng = np.random.default_rng(seed)
    hits, tried, misses = 0, 0, []
    while tried < count:
        row = PLAIN[rng.integers(len(PLAIN))]
        x = natural(24, 24, tried)
        x = bytes_of(x) if kind == "uint8" else x
        shape = tuple(int(n) for n in rng.integers(10, 61, 2))
        if kind == "uint8" and not {"uint8", "integers"} & set(row.arithmetic):
            continue
        report = identify(x=x, y=rl.resize(x, shape, row))
        tried += 1
        hits += row.name in report.same
        if row.name not in report.same:
            misses.append((row.name, shape))
    return hits, tried, misses


@pytest.mark.parametrize(
    ("count", "seed"),
    [*some([(3, 1), (6, 1)], 0), pytest.param(150, 2, marks=live)],
)
@pytest.mark.parametrize(("kind", "share"), [("float", 0.95), ("uint8", 0.85)])
def test_pairs_are_named(kind, share, count, seed, capsys):
    hits, tried, misses = pair_hits(kind, count, seed)
    with capsys.disabled():
        print(f"\n  {kind} pairs: {hits} of {tried}", end="")
    assert hits >= share * tried, misses


def told(case):
    """Say whether a case's convention, or one with its fields, is in the set."""
    x = np.array(case["input"], case["input_dtype"])
    y = np.array(case["expected"], case["expected_dtype"])
    ask = case["find"]
    true = rl.find(ask["call"], **ask["arguments"])
    same = [rl.convention(name) for name in identify(x=x, y=y).same]
    return any(
        row.name == true.name
        or (row.spec, row.particulars) == (true.spec, true.particulars)
        for row in same
    )


@pytest.mark.parametrize("every", [*some((62, 31), 0), EVERY])
def test_handed_cases_are_named(every, capsys):
    some = CASES[::every]
    missed = [case["id"] for case in some if not told(case)]
    with capsys.disabled():
        print(f"\n  cases: {len(some)}, missed {missed}", end="")
    assert len(missed) <= 0.1 * len(some), missed


LARGE = """
import resource, sys, time
import numpy as np
import resizelab as rl
sys.path += ["tests/helpers"]
from resizers import bytes_of, natural
x = bytes_of(natural(1080, 1920, 0, 3))
y = rl.resize(x, (224, 224), "torch.bilinear.antialias", axes=(0, 1))
rl.conventions()
start = time.perf_counter()
report = rl.identify(x=x, y=y)
taken = time.perf_counter() - start
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
print(taken, peak, *report.same)
"""


@pytest.mark.alone
def test_a_1080p_pair_is_quick_and_small(capsys):
    seconds, peak, *same = python(LARGE).split()
    with capsys.disabled():
        print(f"\n  1080p: {float(seconds):.1f} s, {float(peak):.2f} GB", end="")
    assert same == ["torch.bilinear.antialias"]
    assert float(seconds) <= 10
    assert float(peak) <= 2


# real libraries

WITHIN = ("torch", "opencv", "pillow", "tensorflow", "onnxruntime", "jax", "scipy")
ENGINES = [r for r in PLAIN if r.library in WITHIN and r.status == "live"]


@live
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("row", ENGINES[::5], ids=lambda r: r.name)
def test_a_real_library_is_named(row):
    if not engines.version(row.library):
        pytest.skip(f"{row.library} is not installed")
    fewest, most = engines.ranks(row)
    if not fewest <= 2 <= most:
        pytest.skip("the call does not work on two axes")
    assert row.name in identify(lambda x, shape: engines.run(row, x, shape)).same


# remarks


def remarks_of(resizer):
    report = identify(resizer)
    return report, " | ".join(report.remarks)


def test_width_before_height_is_noticed():
    report, said = remarks_of(lambda x, s: rl.resize(x, s[::-1], "torch.bilinear"))
    assert "torch.bilinear" in report.same
    assert "takes (width, height)" in said


def test_a_transposed_input_is_noticed():
    report, said = remarks_of(lambda x, s: rl.resize(x.T, s, "torch.bilinear"))
    assert "torch.bilinear" in report.same
    assert "transposed" in said


def test_what_is_not_linear_is_noticed():
    report, said = remarks_of(lambda x, s: rl.resize(x**2, s, "torch.bilinear"))
    assert report.same == ()
    assert "not linear" in said


def test_what_is_not_separable_is_noticed():
    def resizer(x, shape):
        return rl.resize((x + np.roll(x, (1, 1), (0, 1))) / 2, shape, "torch.bilinear")

    assert "not separable" in remarks_of(resizer)[1]


def test_what_depends_on_the_other_axis_is_noticed():
    def resizer(x, shape):
        grows = shape[0] > x.shape[0]
        return rl.resize(x, shape, "torch.bilinear" if grows else "tf1.bilinear")

    assert "depends on the other axis" in remarks_of(resizer)[1]


def test_a_border_of_its_own_is_noticed():
    report, said = remarks_of(unknown(-0.75, 0.5, 0.5, "wrap", True))
    assert "border only" in said
    assert report.fitted["width"].grid == "half_pixel"
    assert report.fitted["width"].boundary == "wrap"


def test_a_grid_of_its_own_is_noticed():
    report, said = remarks_of(unknown(-0.75, 0.3, 0.2, "edge", False))
    assert "same kernel, other grid" in said
    assert report.nearest.differs["grid"][0].startswith("step n_in / n_out")


def test_an_axis_of_its_own_is_noticed():
    def resizer(x, shape):
        half = rl.resize(x, (shape[0], x.shape[1]), "torch.bilinear")
        return rl.resize(half, shape, "tf1.bilinear")

    said = remarks_of(resizer)[1]
    assert "height alone" in said
    assert "width alone" in said


def test_floats_rounded_afterwards_are_noticed():
    def resizer(x, shape):
        y = rl.resize(np.asarray(x, np.float32), shape, "tf1.bicubic")
        return np.clip(np.trunc(y), 0, 255).astype(np.uint8)

    report, said = remarks_of(resizer)
    assert "tf1.bicubic" in report.same
    assert "rounded to whole numbers afterwards (truncate)" in said


def test_one_level_off_is_said():
    rng = np.random.default_rng(0)

    def resizer(x, shape):
        y = rl.resize(np.asarray(x, np.uint8), shape, "opencv.cubic")
        slips = rng.random(y.shape) < 0.01
        return np.where(slips & (y > 0), y - 1, y).astype(np.uint8)

    report, said = remarks_of(resizer)
    assert "opencv.cubic" in report.same
    assert "one level off: integer rounding" in said


def test_one_value_a_level_off_names_the_box_and_the_pair():
    x = bytes_of(natural(24, 24, 5))

    def resizer(x):
        y = rl.resize(np.asarray(x, np.uint8), (31, 17), "torch.bicubic")
        y[3, 4] += 1 if y[3, 4] < 255 else -1
        return y

    asked = identify(resizer, n_in=x.shape, n_out=(31, 17))
    seen = identify(x=x, y=resizer(x))
    for report in (asked, seen):
        assert "torch.bicubic" in report.same
        assert any(r.startswith("one level off") for r in report.remarks)


def test_a_clip_is_said():
    assert "clipped to the input's range" in remarks_of(box("skimage.cubic"))[1]


def test_one_pixel_of_its_own_is_said():
    # A slip where the width ends in 1: all rows are the last.
    def resizer(x, shape):
        y = rl.resize(x, shape, "tf1.bicubic")
        return np.repeat(y[-1:], len(y), 0) if shape[1] == 1 else y

    report, said = remarks_of(resizer)
    assert "tf1.bicubic" in report.same
    assert "sizes with one pixel" in said


def test_refused_sizes_are_said():
    def resizer(x, shape):
        if shape[0] < x.shape[0]:
            raise RuntimeError("this one only enlarges")
        return rl.resize(x, shape, "tf1.bilinear")

    report, said = remarks_of(resizer)
    assert "tf1.bilinear" in report.same
    assert "this one only enlarges" in said


# pairs

X = natural(40, 48, 3, 3)


def shrunk(x, name="torch.bicubic.antialias", shape=(25, 33)):
    return rl.resize(x, shape, name, axes=(0, 1))


@pytest.mark.parametrize(
    ("x", "y", "said"),
    some(
        [
            (X, shrunk(X)[..., ::-1], "channels swapped"),
            (X, shrunk(X).swapaxes(0, 1), "axes swapped: y is transposed"),
            (X, shrunk(X)[:, ::-1], "flipped left to right"),
            (X, np.pad(shrunk(X), ((3, 4), (2, 0), (0, 0))), "3 top, 4 bottom, 2 left"),
            (X, shrunk(X[4:36, 8:40]), "rows 4 to 36 of 40 and columns 8 to 40 of 48"),
            (bytes_of(X), shrunk(bytes_of(X).astype("f4")) / 255, "values scaled"),
        ],
        *(3, 5),
    ),
    ids=["channels", "axes", "flip", "pad", "crop", "values"],
)
def test_alterations_are_noticed_and_undone(x, y, said):
    report = rl.identify(x=x, y=y)
    assert "torch.bicubic.antialias" in report.same
    assert said in " | ".join(report.remarks)


@pytest.mark.parametrize("layout", some(["HWC", "CHW", "NCHW", "NHWC"], 2))
def test_layouts_are_guessed(layout):
    y = shrunk(X)
    order = {"C": 2, "H": 0, "W": 1}
    axes = [order[letter] for letter in layout if letter != "N"]
    a, b = X.transpose(axes), y.transpose(axes)
    if "N" in layout:
        a, b = a[None], b[None]
    assert guessed(a.shape, b.shape) == layout
    assert rl.identify(x=a, y=b).same == rl.identify(x=a, y=b, layout=layout).same
    assert "torch.bicubic.antialias" in rl.identify(x=a, y=b).same


def test_a_flat_picture_says_that_it_cannot_tell():
    x = np.full((24, 24), 0.5, np.float32)
    report = rl.identify(x=x, y=rl.resize(x, (31, 17), "torch.bilinear"))
    assert len(report.ambiguous) > 1
    assert "cannot tell" in report.remarks[-1]
    assert "send one with noise" in report.remarks[-1]


def test_sizes_that_hide_a_difference_are_named():
    x = natural(24, 24, 0)
    report = rl.identify(x=x, y=rl.resize(x, (48, 48), "torch.bilinear"))
    assert {"torch.bilinear", "torch.bilinear.antialias"} <= set(report.same)
    assert "send one whose axis goes from" in report.remarks[-1]


@pytest.mark.slow
def test_a_given_scale_is_found():
    x = natural(24, 27, 0)
    row = rl.find("torch.nn.functional.interpolate", mode="bilinear", scale_factor=1.63)
    report = rl.identify(x=x, y=rl.resize(x, None, row))
    assert "torch.bilinear.scale_factor" in report.same
    assert any("with a scale given: 1.63" in remark for remark in report.remarks)


def test_two_resizes_are_no_convention():
    twice = shrunk(shrunk(X, shape=(31, 37)))
    report = rl.identify(x=X, y=twice)
    assert report.same == ()
    errors = [miss.typical for miss in report.ranked]
    assert errors == sorted(errors)
    assert errors[0] > 0


# laws


@pytest.mark.parametrize("seed", range(3))
def test_sampled_outputs_are_the_whole_s(seed):
    rng = np.random.default_rng(seed)
    x = rng.random((57, 40)).astype(np.float32)
    sample = (spread(33, 9), spread(70, 12))
    for c in candidates("float32")[seed::40]:
        whole = c.predict(x, (33, 70))
        if whole is None or whole.shape != (33, 70):
            continue
        few = c.predict(x, (33, 70), sample)
        np.testing.assert_allclose(few, whole[np.ix_(*sample)], atol=1e-5)


def test_a_sampled_plan_is_small():
    c = next(c for c in candidates("float32") if "torch.bilinear" in c.names)
    x = np.zeros((1080, 1920), np.float32)
    plan = c.plan(x.shape, (224, 224), np.float32)
    few, _ = reduced(x, plan, (spread(224, 12),) * 2)
    assert few.size < x.size / 100


def test_scales_give_their_sizes():
    for scale in scales((7, 9), (10, 13), "floor")[1:]:
        assert [int(n * s) for n, s in zip((7, 9), scale, strict=True)] == [10, 13]


def test_questions_hold_what_separates():
    every = [(q.shape_in[k], q.shape[k]) for q in questions() for k in (0, 1)]
    assert any(m == 1 < n for n, m in every)
    assert any(n == m for n, m in every)
    assert any(n == 2 * m for n, m in every)


# what separates two


def test_a_probe_separates_as_much_as_it_says():
    found = probe("torch.bilinear", "tf1.bilinear", 4, 8)
    y = [rl.resize(found.x, (8,), n) for n in ("torch.bilinear", "tf1.bilinear")]
    assert np.abs(y[0] - y[1]).max() == pytest.approx(found.difference)
    assert found.difference == pytest.approx(0.25)
    rng = np.random.default_rng(0)
    for _ in range(50):
        x = rng.random(4)
        y = [rl.resize(x, (8,), n) for n in ("torch.bilinear", "tf1.bilinear")]
        assert np.abs(y[0] - y[1]).max() <= found.difference + 1e-12
    assert found.bound(4, 8) == pytest.approx(found.difference)


def test_a_probe_of_equals_finds_nothing():
    assert probe("torch.bilinear", "opencv.linear").difference < 1e-5


def test_a_rule_of_two_axes_is_probed_with_two():
    found = probe("skimage.cubic", "skimage.cubic.no_clip")
    assert len(found.n_in) == 2
    a, b = (
        rl.resize(found.x, found.n_out, n)
        for n in ("skimage.cubic", "skimage.cubic.no_clip")
    )
    assert np.abs(a - b).max() == pytest.approx(found.difference)
    assert found.difference > 1e-3


# errors


def broken(x, shape):
    raise RuntimeError("out of order")


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({}, TypeError, "neither or both"),
        ({"resizer": box("torch.bilinear"), "x": X, "y": X}, TypeError, "both"),
        ({"x": X}, TypeError, "y is missing"),
        ({"resizer": 3}, TypeError, "callable; got int"),
        ({"resizer": broken}, ValueError, "RuntimeError: out of order"),
        ({"resizer": lambda x, s: "no"}, ValueError, "H x W array of numbers"),
        ({"resizer": broken, "n_out": 4}, ValueError, "n_out goes with n_in"),
        ({"resizer": broken, "n_in": (4, 0)}, ValueError, "n_in must be from 1"),
        ({"x": X.astype(object), "y": X}, TypeError, "x must hold numbers"),
        ({"x": X * np.nan, "y": X}, ValueError, "x must be finite"),
        ({"x": X[:0], "y": X}, ValueError, "x must hold pixels"),
        ({"x": X, "y": X[0]}, ValueError, "as many axes"),
        ({"x": X, "y": X, "layout": "HWD"}, ValueError, "layout must be one of"),
        ({"x": X, "y": X, "layout": "HW"}, ValueError, "has 2 axes; x has 3"),
        ({"x": X, "y": X[..., :1], "layout": "HWC"}, ValueError, "must agree"),
    ],
    ids=lambda v: v if isinstance(v, str) else "",
)
def test_what_cannot_be_looked_at_is_refused(arguments, error, words):
    with pytest.raises(error) as caught:
        rl.identify(**arguments)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        (("torch.biliner", "torch.bilinear"), LookupError, "did you mean"),
        ((3, "torch.bilinear"), TypeError, "a must be a Convention; got 3"),
        (("torch.bilinear", "tf1.bilinear", 4), ValueError, "or neither"),
    ],
)
def test_a_probe_of_nothing_is_refused(arguments, error, words):
    with pytest.raises(error) as caught:
        probe(*arguments)
    assert words in str(caught.value)
