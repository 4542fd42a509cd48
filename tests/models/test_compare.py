"""Two models node by node, a model with a dump of torch, and the passport."""

import base64
import io
import json

import exported
import numpy as np
import pytest

from resizelab.cli import main
from resizelab.modelfiles import files
from resizelab.models import pairing, passport, running
from resizelab.models.compare import compare
from resizelab.models.comparison import Limits, line_of, map_of
from resizelab.models.page import page
from resizelab.models.pairing import HOOK
from resizelab.models.patch import patch

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
LIMITS = Limits(1e-3, 1e-6)
ASYMMETRIC = {"coordinate_transformation_mode": "asymmetric"}


@pytest.fixture(scope="module")
def x():
    return exported.network()[1].numpy()


@pytest.fixture(scope="module")
def dump(tmp_path_factory):
    """Return what the printed hook writes of the torch model."""
    model, x = exported.network()
    path = tmp_path_factory.mktemp("dump") / "dump.npz"
    names = {}
    exec(HOOK, names)  # what a reader pastes is what runs here
    names["dump"](path, model, x=x)
    assert all(not m._forward_hooks for m in model.modules())
    return files.arrays(path)


def test_the_hook_is_ten_lines_and_sees_modules_and_calls(dump):
    assert len(HOOK.strip().splitlines()) <= 11
    assert {"x", "enc", "up", "body.0", "body.1", "head", "output"} <= dump.keys()
    calls = [k for k in dump if k.startswith("interpolate.")]
    assert [dump[k].shape[2:] for k in calls] == [(16, 18), (20, 24), (30, 36)]
    # Kept before a later in-place step could change it.
    assert dump["body.0"].min() < 0 <= dump["body.1"].min()


@pytest.mark.parametrize("made", ["torchscript", "dynamo"])
def test_an_export_agrees_with_torch_at_every_pair(made, dump):
    report = compare(getattr(exported, made)(), ref=dump)
    assert report.first is None
    partners = {line.other for line in report.lines}
    calls = {k for k in dump if k.startswith("interpolate.")}
    # The first call of interpolate is what the module "up" returns.
    assert {"enc", "up", "body.1"} <= partners
    assert len(partners & calls) == 2
    assert partners & {"output", "head"}
    assert max(line.relative for line in report.lines) < 1e-5


@pytest.mark.parametrize("made", ["torchscript", "dynamo"])
def test_a_lost_flag_is_found_against_a_dump(made, dump, tmp_path):
    import shutil

    source = getattr(exported, made)()
    for file in source.parent.glob(f"{source.name}*"):
        shutil.copy(file, tmp_path / file.name)
    path, wrong = tmp_path / source.name, tmp_path / "wrong.onnx"
    made = running.exposed(path, dump, loose=True).nodes
    resize = next(t for t, n in made.items() if n.op_type == "Resize")
    patch(path, resize, ASYMMETRIC, wrong)
    report = compare(wrong, ref=dump)
    assert report.first.tensor == resize
    assert report.first.other == "up"
    assert "asymmetric" in report.resizes[0]
    assert "what goes in agrees, what comes out does not" in report.resizes[0]
    assert not any("agrees" in text for text in report.resizes[1:])


def test_two_models_part_at_the_node_that_was_changed(x, tmp_path):
    source = exported.torchscript()
    patch(source, "/Resize", {"cubic_coeff_a": -0.5}, tmp_path / "b.onnx")
    report = compare(source, tmp_path / "b.onnx", {"": x})
    assert report.first.tensor == "/Resize_output_0"
    assert report.first.op == "Resize"
    assert 1e-3 < report.first.relative < 0.2
    before = [line for line in report.lines if line.tensor.startswith(("/enc", "/up"))]
    assert [line.largest for line in before] == [0.0] * len(before)
    cause = next(t for t in report.resizes if t.startswith("/Resize:"))
    assert "against onnx.spec.cubic.a-0.5" in cause
    assert "a -0.75 for -0.5" in cause
    assert "here they part" in cause
    whole = json.loads(report.to_json())
    assert whole["first"]["tensor"] == "/Resize_output_0"
    assert "differs " in str(report)


def test_two_exporters_are_paired_by_the_order_of_their_nodes(x):
    report = compare(exported.torchscript(), exported.dynamo(), {"": x})
    assert report.first is None
    kinds = [line.op for line in report.lines]
    assert kinds.count("Resize") == kinds.count("Conv") == 3
    assert "the same on both sides" in report.resizes[0]


def test_the_table_says_what_cosine_cannot_see():
    generator = np.random.default_rng(0)
    a, b = generator.random((2, 1, 4, 32, 32))
    line = line_of("a", "b", "Relu", a, b, LIMITS)[0]
    # Independent uniform maps: E[x] E[y] / E[x²] = (1/4) / (1/3)
    assert line.cosine == pytest.approx(0.75, abs=0.02)
    assert line.chance == pytest.approx(line.cosine, abs=0.02)
    scaled = line_of("a", "b", "Mul", a, 2 * a, LIMITS)[0]
    assert (scaled.cosine, scaled.relative) == (pytest.approx(1.0), pytest.approx(0.5))


def test_channels_last_is_turned_and_other_shapes_depart():
    a = np.random.default_rng(1).random((1, 3, 5, 7))
    line = line_of("a", "b", "Conv", a, a.transpose(0, 2, 3, 1), LIMITS)[0]
    assert (line.largest, line.remark) == (0.0, "axes (0, 3, 1, 2) of the other")
    assert line_of("a", "b", "Conv", a, a[..., :6], LIMITS)[0].relative == np.inf


def test_what_is_not_finite_departs():
    a = np.array([1.0, np.nan, 3.0])
    assert line_of("a", "b", "Div", a, a, LIMITS)[0].largest == 0
    assert line_of("a", "b", "Div", a, np.ones(3), LIMITS)[0].relative == np.inf


def test_a_model_runs_in_pieces_and_gives_what_it_gives_whole(x, monkeypatch):
    ort = pytest.importorskip("onnxruntime")
    path = exported.torchscript()
    model = onnx.load(path)
    what = running.exposed(path, {"": x})
    for name in what.tensors:
        model.graph.output.add().name = name
    session = ort.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    whole = dict(
        zip(what.tensors, session.run(list(what.tensors), {"x": x}), strict=True)
    )
    monkeypatch.setattr(running, "AT_ONCE", 10_000)
    runs = []
    run = running._run
    monkeypatch.setattr(running, "_run", lambda *a: runs.append(a) or run(*a))
    found = dict(running.walk(what, set(what.tensors)))
    assert len(runs) > 3
    assert list(found) == list(what.tensors)
    for name, value in found.items():
        np.testing.assert_allclose(value, whole[name], rtol=1e-5, atol=1e-6)


def test_a_large_model_is_looked_at_where_it_parts(x, monkeypatch, tmp_path):
    """Resizes and outputs first, then what lies before the first that differs."""
    from resizelab.models import compare as comparing

    monkeypatch.setattr(comparing, "EVERYTHING", 0)
    source = exported.torchscript()
    same = compare(source, source, {"": x})
    assert same.first is None
    assert [line.op for line in same.lines] == [*["Resize"] * 3, "Conv"]
    assert f"4 of {same.pairs} pairs looked at" in str(same)
    broken = onnx.load(source)
    weight = next(t for t in broken.graph.initializer if t.name == "body.0.weight")
    values = onnx.numpy_helper.to_array(weight) * 1.5
    weight.CopyFrom(onnx.numpy_helper.from_array(values, weight.name))
    onnx.save(broken, tmp_path / "b.onnx")
    report = compare(source, tmp_path / "b.onnx", {"": x})
    assert report.first.tensor.startswith("/body/body.0/Conv")
    assert len(report.lines) < report.pairs


def test_module_names_of_nested_torch_modules():
    helper = onnx.helper
    node = helper.make_node("Conv", ["x"], ["y"], name="/body/body.0/conv1/Conv")
    assert pairing._module(node) == "body.0.conv1"
    assert list(pairing._outer("body.0.conv1")) == ["body", "body.0", "body.0.conv1"]


@pytest.mark.parametrize(
    ("inputs", "kind", "words"),
    [
        ({}, ValueError, "input 'x' of the model is missing"),
        ({"z": np.zeros(1)}, ValueError, "input must be one of 'x'"),
        ({"": np.zeros((1, 3, 4))}, ValueError, "has shape (1, 3, 16, 18)"),
        ({"": np.zeros((1, 3, 16, 18), complex)}, TypeError, "is float32 in the model"),
    ],
)
def test_inputs_that_do_not_fit_are_refused(inputs, kind, words):
    with pytest.raises(kind) as told:
        compare(exported.torchscript(), exported.torchscript(), inputs)
    assert words in str(told.value)


def test_nothing_in_common_is_said(x):
    with pytest.raises(ValueError, match="no result has a partner: the model has /enc"):
        compare(exported.torchscript(), ref={"a": x}, inputs={"": x})
    with pytest.raises(ValueError, match="one of them"):
        compare(exported.torchscript())


def test_missing_weights_are_named(tmp_path):
    path = tmp_path / "newer.onnx"
    path.write_bytes(exported.dynamo().read_bytes())
    with pytest.raises(FileNotFoundError, match=r"there is no file newer\.onnx\.data"):
        running.exposed(path, {})
    (tmp_path / "newer.onnx.data").write_bytes(b"\0" * 8)
    with pytest.raises(ValueError, match=r"has 8 bytes; 'enc\.weight' wants 432"):
        running.exposed(path, {})


# --- where they differ, and how that is shown ---


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ((0, slice(None)), "at the border: 100 % of the error"),
        ((slice(14, 18), slice(15, 17)), "along edges: 100 % of the error"),
        ((slice(None), slice(None)), "everywhere: 100 % of the area"),
    ],
)
def test_where_outputs_differ_is_told_in_words(place, words):
    ref = np.zeros((1, 2, 32, 32))
    ref[..., 15:17, 15:17] = 1.0  # the content's only edges
    error = np.zeros_like(ref)
    error[(..., *place)] = 0.5
    (line, found) = line_of("a", "b", "Resize", ref + error, ref, LIMITS)
    assert line.differs
    assert found.words.startswith(words)
    assert found.pixels.shape == (32, 32)
    assert np.array_equal(found.pixels > 0, error[0, 0] > 0)


def test_a_large_map_is_looked_at_in_blocks():
    error = np.zeros((3, 600, 1000))
    error[1, 599, 0] = 1.0
    found = map_of("y", error, np.ones_like(error))
    assert found.pixels.shape == (200, 250)
    assert found.pixels[-1, 0] == 255
    assert np.count_nonzero(found.pixels) == 1


def test_small_numbers_and_small_errors_are_noise():
    """A sigmoid of 5e-7 that is off by 1e-7 is off by 0.2 of itself: by noise."""
    ref = np.full((1, 1, 4, 4), 5e-7)
    line, _ = line_of("a", "b", "Sigmoid", ref + 1.2e-7, ref, LIMITS)
    assert line.relative == pytest.approx(0.24)
    assert not line.differs
    assert line_of("a", "b", "Sigmoid", ref + 1.2e-7, ref, Limits(1e-3, 0))[0].differs


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 0, -1])
def test_tolerances_are_finite_and_positive(value, x):
    with pytest.raises(ValueError, match="tolerance must be"):
        compare(
            exported.torchscript(), exported.torchscript(), {"": x}, tolerance=value
        )
    if value != 0:
        with pytest.raises(ValueError, match="floor must be"):
            compare(
                exported.torchscript(), exported.torchscript(), {"": x}, floor=value
            )


def test_shapes_come_from_the_input_that_is_given(tmp_path):
    helper, kinds = onnx.helper, onnx.TensorProto
    wide = helper.make_tensor_value_info("x", kinds.FLOAT, ["n", 1, "h", "w"])
    out = helper.make_tensor_value_info("y", kinds.FLOAT, None)
    scales = onnx.numpy_helper.from_array(np.array([1, 1, 2, 2], np.float32), "s")
    paths = []
    for grid in ("half_pixel", "asymmetric"):
        node = helper.make_node(
            "Resize", ["x", "", "s"], ["y"], name="up", mode="linear",
            coordinate_transformation_mode=grid,
        )  # fmt: skip
        graph = helper.make_graph([node], "g", [wide], [out], [scales])
        paths.append(tmp_path / f"{grid}.onnx")
        ids = [helper.make_opsetid("", 19)]
        onnx.save(helper.make_model(graph, opset_imports=ids, ir_version=8), paths[-1])
    picture = np.random.default_rng(0).random((1, 1, 6, 7)).astype(np.float32)
    report = compare(*paths, {"": picture})
    assert "(6x7 to 12x14)" in report.resizes[0]


HOSTILE = "<img src=x onerror=alert(1)>\x1b[2J&\"'"


def test_a_page_of_a_comparison_is_one_safe_file(tmp_path):
    from html.parser import HTMLParser

    paths = [tmp_path / "a.onnx", tmp_path / "b.onnx"]
    for path, more in zip(paths, ({}, ASYMMETRIC), strict=True):
        model = onnx.load(exported.resize_model(path, (8, 16), mode="linear", **more))
        model.graph.node[0].name = model.graph.node[0].output[0] = HOSTILE
        model.graph.output[0].name = HOSTILE
        path.write_bytes(model.SerializeToString())
    x = np.random.default_rng(0).random((1, 1, 8, 8)).astype(np.float32)
    report = compare(*paths, {"": x})
    text = page(report)
    assert "\x1b" not in text

    class Seen(HTMLParser):
        tags, sources = [], []

        def handle_starttag(self, tag, attributes):
            self.tags.append(tag)
            self.sources += [v for k, v in attributes if k in ("src", "href")]
            assert not [k for k, _ in attributes if k.startswith("on")]

    seen = Seen()
    seen.feed(text)
    assert set(seen.tags) <= {
        *("html", "head", "meta", "title", "style", "body", "h1", "p", "strong"),
        *("figure", "img", "figcaption", "table", "tr", "th", "td"),
    }
    assert seen.tags.count("img") == len(report.maps) == 1
    (source,) = seen.sources
    assert source.startswith("data:image/png;base64,")
    image = pytest.importorskip("PIL.Image")
    content = base64.b64decode(source.partition(",")[2])
    shown = np.asarray(image.open(io.BytesIO(content)))
    assert np.array_equal(255 - shown, report.maps[0].pixels)
    assert main(["compare", *map(str, paths), "--input", saved(tmp_path, x),
                 "--html", str(tmp_path / "report.html")]) == 1  # fmt: skip
    assert (tmp_path / "report.html").read_text("utf-8") == text


def saved(folder, x):
    np.save(folder / "x.npy", x)
    return str(folder / "x.npy")


# --- the passport ---

STEPS = ["cv2.resize(img, (18, 16), interpolation=cv2.INTER_AREA)"]


def test_a_passport_travels_in_the_model(x, tmp_path):
    source, path = exported.torchscript(), tmp_path / "m.onnx"
    passport.write(source, STEPS, {"mean": "0.5"}, output=path)
    found = passport.read(path)
    assert [(c.name, size) for c, size in found.preprocessing] == [
        ("opencv.area", (16, 18))
    ]
    assert list(found.nodes) == ["/up/Resize", "/Resize", "/Resize_1"]
    assert found.facts == {"mean": "0.5"}
    checked = passport.check(path, STEPS, {"mean": "0.5"})
    assert checked.passed
    assert checked.unchecked == ()
    onnx.checker.check_model(str(path))
    assert compare(source, path, {"": x}).first is None
    with pytest.raises(LookupError, match="carries no passport"):
        passport.read(source)


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        (["cv2.resize(img, (18, 16))"], "opencv.linear here, opencv.area there"),
        ([STEPS[0].replace("18, 16", "16, 18")], "size (18, 16) here, (16, 18) there"),
        ([], "0 preprocessing steps here, 1 in the passport"),
        (["img.resize((18, 16), Image.BOX)"], "pillow.box here"),
    ],
)
def test_another_pipeline_fails_the_check(steps, words, tmp_path):
    path = tmp_path / "m.onnx"
    passport.write(exported.torchscript(), STEPS, output=path)
    assert words in str(passport.check(path, steps))


def test_integers_that_are_rounded_otherwise_fail_the_check(tmp_path):
    path = tmp_path / "m.onnx"
    wide = "cv2.resize(img, (18, 16), interpolation=cv2.INTER_LINEAR)"
    passport.write(exported.torchscript(), [wide], output=path)
    exact = wide.replace("INTER_LINEAR", "INTER_LINEAR_EXACT")
    assert "integers are rounded otherwise" in str(passport.check(path, [exact]))


def test_told_nothing_a_check_is_not_passed(tmp_path):
    path = tmp_path / "m.onnx"
    passport.write(exported.torchscript(), STEPS, {"mean": "0.5"}, output=path)
    silent = passport.check(path)
    assert silent.differs == ()
    assert not silent.passed
    assert "not told, so not checked: preprocessing, mean" in str(silent)
    assert passport.check(path, STEPS).passed
    passport.write(exported.torchscript(), output=path)
    assert passport.check(path).passed  # there is nothing to tell


def test_a_node_that_a_converter_changed_fails_the_check(tmp_path):
    path, changed = tmp_path / "m.onnx", tmp_path / "changed.onnx"
    passport.write(exported.torchscript(), output=path)
    patch(path, "/up/Resize", ASYMMETRIC, changed)
    (told,) = passport.check(changed).differs
    assert told.startswith("node /up/Resize: onnx.spec.linear.asymmetric")
    assert "grid asymmetric for half_pixel" in told


def test_other_files_have_it_beside_them(tmp_path):
    pytest.importorskip("tflite")
    path = tmp_path / "m.tflite"
    path.write_bytes(exported.tflite().read_bytes())
    step = ["tf.image.resize(img, (8, 8))"]
    target = passport.write(path, step)
    assert target.name == "m.tflite.passport.json"
    assert passport.check(path, step).passed
    assert len(passport.read(path).nodes) == 3
    target.write_text("{")
    with pytest.raises(ValueError, match="the passport is not JSON"):
        passport.read(path)
    target.write_text('{"version": 1, "preprocessing": [{"size": 3}]}')
    with pytest.raises(ValueError, match="the passport is damaged"):
        passport.read(path)


def test_a_passport_is_not_written_over_the_model(tmp_path):
    path = tmp_path / "m.onnx"
    path.write_bytes(exported.torchscript().read_bytes())
    with pytest.raises(ValueError, match="say where to write"):
        passport.write(path, STEPS)
    with pytest.raises(ValueError, match="is the input itself"):
        passport.write(path, STEPS, output=path)
    assert path.read_bytes() == exported.torchscript().read_bytes()
    passport.write(path, STEPS, in_place=True)
    passport.write(path, STEPS, in_place=True)
    keys = [p.key for p in onnx.load(path).metadata_props]
    assert keys.count(passport.KEY) == 1
