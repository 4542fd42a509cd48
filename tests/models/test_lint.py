"""Lint of model files: real exporters' files, attribute sets nobody makes, damage."""

import itertools
import json

import exported
import numpy as np
import pytest
from processes import python

import resizelab as rl
from resizelab import engines, measure
from resizelab.modelfiles import nodes
from resizelab.models import backends, calls, deviation, findings, lint

onnx = pytest.importorskip("onnx")
TORCH_CALLS = (
    "torch.bilinear: torch.nn.functional.interpolate(x, size=(h, w), mode='bilinear')",
    "torch.bicubic: torch.nn.functional.interpolate(x, size=(h, w), mode='bicubic')",
    "torch.nearest: torch.nn.functional.interpolate(x, size=(h, w), mode='nearest'), "
    "at these sizes, but not at 2 of 42 sizes tried "
    "(coordinate_arithmetic, scale_precision, shortcut, shortcut_limit)",
)


def codes(report):
    return [(f.code, f.back_end) for f in report.found]


@pytest.mark.parametrize("made", ["torchscript", "dynamo"])
def test_torchs_exporters_write_what_torch_computes(made):
    report = lint.model(getattr(exported, made)())
    assert report.contents.made_by == "torch"
    assert [n.calls[0] for n in report.nodes] == list(TORCH_CALLS)
    assert [n.node.after[2:] for n in report.nodes] == [(16, 18), (20, 24), (30, 36)]
    # Only MNN's bicubic is another: recorded with MNN 3.6.1.
    assert codes(report) == [("back-end-changes", "mnn (recorded)")]
    assert lint.model(getattr(exported, made)(), ["onnxruntime"]).found == ()


def test_tensorflows_converter_keeps_all_flags():
    pytest.importorskip("tflite")
    report = lint.model(exported.tflite())
    names = [n.convention for n in report.nodes]
    assert names == [
        "litert.bilinear.half_pixel_centers",
        "litert.bilinear",
        "litert.nearest.align_corners",
    ]
    calls = [{c.split(":")[0] for c in n.calls} for n in report.nodes]
    assert {"tf2.bilinear", "torch.bilinear"} <= calls[0]
    assert "tf1.bilinear" in calls[1]
    assert "tf2.bilinear" not in calls[1]
    assert "tf1.nearest.align_corners" in calls[2]
    assert [n.node.before[1:3] for n in report.nodes] == [(8, 8), (16, 16), (8, 8)]
    assert report.found == ()


def test_the_exported_antialias_is_torchs_own():
    report = lint.model(exported.one_resize("bicubic", antialias=True))
    (node,) = report.nodes
    assert node.calls[0].startswith("torch.bicubic.antialias: ")
    told = {f.back_end.removesuffix(" (derived)"): f.text for f in node.findings}
    # OpenVINO 2026.4 accepts antialias and does not do it.
    assert "OpenVINO accepts and ignores antialias, exclude_outside" in told["openvino"]
    ignored = "mnn ignores antialias, cubic_coeff_a, exclude_outside"
    assert ignored in told["mnn (recorded)"]
    assert "onnxruntime" not in told


def test_an_attribute_set_that_no_call_makes_is_found(tmp_path):
    """Cubic, antialias=1 and a = -0.75: the report A13 of the handed cases."""
    path = exported.resize_model(
        tmp_path / "m.onnx", (16, 7), mode="cubic", antialias=1
    )
    model = onnx.load(path)
    model.producer_name = "pytorch"
    onnx.save(model, path)
    report = lint.model(path, ["onnxruntime"])
    assert codes(report) == [("no-call", "")]
    text = report.found[0].text
    assert "nearest torch.bicubic.antialias" in text
    assert "a -0.5 for -0.75" in text
    assert "boundary exclude for edge" in text


def test_a_lost_flag_is_named(tmp_path):
    """A bilinear that became asymmetric on its way: the report G16."""
    path = exported.resize_model(
        tmp_path / "m.onnx",
        (8, 16),
        mode="linear",
        coordinate_transformation_mode="asymmetric",
    )
    report = lint.model(path, ["onnxruntime"], like="tf2.bilinear")
    assert codes(report) == [("unlike", "")]
    text = report.found[0].text
    assert "grid asymmetric for half_pixel" in text
    # (s - 1) / 2 output pixels at s = 2, towards the first
    assert "content moves -0.50 px of the output" in text
    call = "tf.compat.v1.image.resize_bilinear(x, (16, 16))"
    assert lint.model(path, ["onnxruntime"], like=call).found == ()


def test_the_makers_own_calls_are_asked_first(tmp_path):
    path = exported.resize_model(
        tmp_path / "m.onnx", mode="linear", coordinate_transformation_mode="asymmetric"
    )
    model = onnx.load(path)
    model.producer_name = "pytorch"
    onnx.save(model, path)
    report = lint.model(path, ["onnxruntime"])
    assert report.nodes[0].calls[0].startswith("tf1.bilinear")
    assert codes(report) == [("no-call", "")]
    assert "no torch call computes this; nearest torch.bilinear" in report.found[0].text


@pytest.mark.parametrize(
    ("sizes", "attributes"),
    [
        ((16, 7), {"mode": "linear", "antialias": 1}),
        ((5, 11), {"mode": "cubic", "exclude_outside": 1}),
        ((6, 13), {"mode": "nearest", "nearest_mode": "ceil"}),
        ((6, 13), {"mode": "cubic", "coordinate_transformation_mode": "align_corners"}),
    ],
)
def test_the_amounts_are_those_of_the_real_run_times(tmp_path, sizes, attributes):
    """What lint says of ONNX Runtime against OpenVINO, both run here and now."""
    for library in ("onnxruntime", "openvino"):
        if engines.version(library) is None:
            pytest.skip(f"{library} is not installed")
    path = exported.resize_model(tmp_path / "m.onnx", sizes, **attributes)
    node = nodes.read(path).nodes[0]
    rows = [node.convention(f"{name}.Resize") for name in ("onnxruntime", "openvino")]
    said = deviation.between(*rows, node.sizes())
    real = [engines.matrix(row, *sizes) for row in rows]
    gap = real[0] - real[1]
    worst = max(np.maximum(gap, 0).sum(1).max(), np.maximum(-gap, 0).sum(1).max())
    assert said.amount == pytest.approx(worst, abs=1e-4)
    assert said.real == (worst > deviation.NOISE)


@pytest.mark.parametrize(
    ("attributes", "row"),
    [
        ({"mode": "nearest", "nearest_mode": "ceil"}, "mnn.nearest.half_pixel.ceil"),
        ({"mode": "cubic"}, "mnn.cubic.half_pixel"),
        (
            {"mode": "cubic", "cubic_coeff_a": -0.5, "antialias": 1},
            "mnn.cubic.half_pixel",
        ),
    ],
)
def test_a_recorded_back_ends_amount_is_its_rows(tmp_path, attributes, row):
    path = exported.resize_model(tmp_path / "m.onnx", (4, 8), opset=18, **attributes)
    node = nodes.read(path).nodes[0]
    base = node.meaning()
    (reading,) = backends.readings(node, base, ("mnn",))
    assert (reading.convention, reading.status) == (row, "recorded")
    gap = measure.operator_difference(rl.weights(base, 4, 8), rl.weights(row, 4, 8))
    assert reading.amount == pytest.approx(gap)
    assert reading.kind == "changes"


def test_a_back_end_that_agrees_is_silent(tmp_path):
    path = exported.resize_model(tmp_path / "m.onnx", mode="linear")
    node = nodes.read(path).nodes[0]
    found = list(backends.readings(node, node.meaning(), backends.BACK_ENDS))
    kinds = {v.back_end: v.kind for v in found}
    assert all(kinds[name] == "same" for name in backends.USUAL)
    assert kinds["ncnn"] == kinds["litert"] == "same"


def test_a_back_end_with_layers_of_its_own_names_the_nearest(tmp_path):
    path = exported.resize_model(
        tmp_path / "m.onnx", mode="linear", coordinate_transformation_mode="asymmetric"
    )
    report = lint.model(path, ["ncnn"])
    assert codes(report) == [("back-end-changes", "ncnn")]
    assert "no recorded layer computes this; nearest ncnn." in report.found[0].text


def test_what_openvino_refuses_is_said(tmp_path):
    path = exported.resize_model(
        tmp_path / "m.onnx",
        mode="linear",
        coordinate_transformation_mode="half_pixel_symmetric",
    )
    report = lint.model(path, ["openvino"])
    assert ("back-end-refuses", "openvino") in codes(report)


@pytest.mark.parametrize(
    ("op", "opset", "name"),
    [
        ("Upsample", 9, "onnxruntime.upsample.linear"),
        ("Resize", 10, "onnxruntime.linear.opset10"),
    ],
)
def test_nodes_older_than_coordinates_are_asymmetric(tmp_path, op, opset, name):
    path = exported.resize_model(tmp_path / "m.onnx", (4, 8), opset, op, mode="linear")
    node = lint.model(path, ["onnxruntime"]).nodes[0]
    assert node.convention == name
    assert rl.convention("tf1.bilinear").spec.grid == "asymmetric"
    assert node.calls[0].startswith("tf1.bilinear")


def test_a_scale_that_is_no_ratio_of_sizes_is_kept(tmp_path):
    path = exported.graph(
        tmp_path / "m.onnx",
        """g (float[n, 3, h, w] x) => (float[n, 3, a, b] y)
        <float[4] s = {1, 1, 1.3, 1.3}> { y = Resize <mode = "linear"> (x, , s) }""",
    )
    found = nodes.read(path).nodes[0]
    assert found.name == "y"  # a node without a name goes by its output's
    assert found.scale() == pytest.approx((1.3, 1.3))
    assert found.sizes() is None
    report = lint.model(path)
    # torch copies an axis that keeps its size, whatever the scale; ONNX does not.
    (call,) = [c for c in report.nodes[0].calls if c.startswith("torch.bilinear.scale")]
    assert "but for 6 of 28 sizes" in call
    assert "shortcut" in call


def test_a_resize_inside_a_branch_is_seen(tmp_path):
    path = exported.graph(
        tmp_path / "m.onnx",
        """g (bool c, float[1, 1, 4, 4] x) => (float[] y) {
          y = If (c) <
            then_branch = t () => (float[] a) <int64[4] s = {1, 1, 8, 8}>
              { [inner] a = Resize (x, , , s) },
            else_branch = e () => (float[] b) { b = Identity (x) }
          >
        }""",
    )
    assert [n.name for n in nodes.read(path).nodes] == ["inner"]


@pytest.mark.parametrize("corners", [False, True])
def test_the_levels_of_litert_are_those_of_its_kernels(tmp_path, corners):
    """XNNPACK against the built-in kernels on int8, both run here and now."""
    pytest.importorskip("ai_edge_litert")
    from resizelab.engines import litert

    path = tmp_path / "m.tflite"
    sizes = (1, 8, 8), (20, 20), (corners, False)
    path.write_bytes(litert.model("ResizeBilinear", "int8", *sizes))
    report = lint.model(path)
    noise = np.random.default_rng(deviation.SEED).integers(
        -128, 127, (8, 8), "int8", endpoint=True
    )
    names = ["litert.bilinear" + ".align_corners" * corners]
    names.append(names[0] + ".builtin")
    real = [
        engines.run(rl.convention(name), noise, (20, 20)).astype(int) for name in names
    ]
    levels = int(np.abs(real[0] - real[1]).max())
    assert levels > 1
    text = f"integers by up to {levels} levels"
    assert [f.text.split("; ")[0] for f in report.found] == [text] * 2


def test_json_holds_what_the_text_says(tmp_path):
    path = exported.resize_model(tmp_path / "m.onnx", mode="cubic")
    report = lint.model(path)
    whole = json.loads(report.to_json())
    assert whole["findings"] == len(report.found) == 1
    assert whole["nodes"][0]["convention"] == report.nodes[0].convention
    assert whole["nodes"][0]["findings"][0]["text"] in str(report)


def test_an_unknown_back_end_is_named(tmp_path):
    path = exported.resize_model(tmp_path / "m.onnx")
    with pytest.raises(ValueError, match="did you mean 'openvino'"):
        lint.model(path, ["openvin"])


# --- a back end at the node's own sizes ---


def test_a_kernel_that_was_not_measured_is_no_difference(tmp_path):
    path = exported.resize_model(tmp_path / "m.onnx", mode="nearest")
    report = lint.model(path, ["coreml"])
    assert "coreml" not in [f.back_end for f in report.found]
    assert "coreml: unmeasured: no layer of its with this kernel" in str(report)


def test_a_layer_that_computes_the_node_at_its_sizes_is_the_same(tmp_path):
    """TensorRT's cubic row is the node's; its linear row is of another kernel."""
    grid = {"coordinate_transformation_mode": "asymmetric"}
    for mode in ("linear", "cubic"):
        path = exported.resize_model(tmp_path / "m.onnx", mode=mode, **grid)
        found = lint.model(path, ["tensorrt"]).found
        assert [f for f in found if f.back_end] == []
    # ncnn reads half_pixel: at a size that stays, every grid is one.
    path = exported.resize_model(tmp_path / "m.onnx", (8, 16), mode="linear", **grid)
    assert codes(lint.model(path, ["ncnn"])) == [("back-end-changes", "ncnn")]


@pytest.mark.parametrize(
    ("sizes", "same"), [((16, 32), True), ((518, 37), False), ((224, 16), False)]
)
def test_a_back_end_is_judged_at_the_nodes_own_sizes(tmp_path, sizes, same):
    """PyTorch's nearest and the node it exports, both run here: they part at ties."""
    torch = pytest.importorskip("torch")
    ort = pytest.importorskip("onnxruntime")
    nearest = {
        "mode": "nearest",
        "nearest_mode": "floor",
        "coordinate_transformation_mode": "asymmetric",
    }
    path = exported.resize_model(tmp_path / "m.onnx", sizes, **nearest)
    model = onnx.load(path)
    model.producer_name = "pytorch"
    onnx.save(model, path)
    n, m = sizes
    x = np.tile(np.arange(n, dtype=np.float32), (1, 1, n, 1))
    session = ort.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    (node,) = session.run(None, {"x": x})
    call = torch.nn.functional.interpolate(torch.from_numpy(x), (m, m)).numpy()
    assert np.array_equal(node, call) is same
    # The node means what torch computes; it is ONNX Runtime that reads it otherwise.
    report = lint.model(path, ["onnxruntime"])
    assert codes(report) == [("back-end-changes", "onnxruntime")] * (not same)
    assert report.nodes[0].calls[0].startswith("torch.nearest:")


def test_back_ends_of_tflite_are_its_own(tmp_path):
    pytest.importorskip("tflite")
    assert lint.model(exported.tflite(), ["litert"]).found == ()
    with pytest.raises(ValueError, match=r"back end of \.tflite files must be one of"):
        lint.model(exported.tflite(), ["onnxruntime"])


OPSETS = [(k, 1) for k in (11, 12, 13, 17, 18, 19)]


@pytest.mark.parametrize(
    ("opset", "step"),
    [(19, 9), *(pytest.param(*each, marks=pytest.mark.slow) for each in OPSETS)],
)
def test_a_name_that_lint_prints_is_accepted(opset, step):
    """Derived names too: of every attribute set, in every opset that has it."""
    said, refused_ = set(), 0
    sets = itertools.product(
        ("nearest", "linear", "cubic"),
        ("half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"),
        ("round_prefer_floor", "floor", "ceil"),
        (-0.75, -0.6),
        (0, 1),
        (0, 1),
    )
    for mode, grid, nearest, a, outside, antialias in [*sets][::step]:
        arguments = {
            "mode": mode,
            "coordinate_transformation_mode": grid,
            "nearest_mode": nearest,
            "cubic_coeff_a": a,
            "exclude_outside": outside,
            "antialias": antialias,
        }
        node = nodes.ResizeNode(
            name="r", op="Resize", library="onnx", opset=opset, arguments=arguments
        )
        try:
            found = node.meaning()
        except ValueError:
            refused_ += 1
            continue
        again = calls.meant(found.name)
        assert (again.name, again.spec) == (found.name, found.spec)
        said.add(found.name)
    assert len(said) > 25
    assert refused_ > 0


# --- what nothing can run, what is not looked at, many nodes ---


def graph_of(path, body, more=""):
    """Write a graph from x, 8 x 8, to y; it may double with the scales t."""
    twice = "<float[4] t = {1, 1, 2, 2}>"
    text = f"g (float[1, 1, 8, 8] x) => (float[] y) {twice} {{ {body} }} {more}"
    return exported.graph(path, text)


DOUBLED = '[y] y = Resize <mode = "linear"> (x, , t)'


@pytest.mark.parametrize(
    ("key", "values", "words"),
    [
        ("scales", [1, 1, -2, 2], "scale must be finite and above 0; the file says -2"),
        ("scales", [1, 1, 0, 2], "the file says 0"),
        ("scales", [1, 1, np.nan, 2], "the file says nan"),
        ("scales", [1, 1, np.inf, 2], "the file says inf"),
        ("scales", [1, 1, 1e30, 2], "makes no size from 1 to 2147483647 of 8"),
        ("scales", [1, 1, 1e-30, 2], "makes no size from 1 to 2147483647 of 8"),
        ("scales", [2, 2], "there are 2 scales for 4 axes"),
        ("sizes", [1, 1, -8, 8], "a size must be from 1 to 2147483647"),
        ("sizes", [1, 1, 0, 8], "the file says 0"),
        ("sizes", [1, 1, 2**62, 8], "the file says 4611686018427387904"),
    ],
)
def test_what_nothing_can_run_is_a_finding_and_the_rest_goes_on(
    tmp_path, key, values, words
):
    kind, inputs = (np.float32, "s") if key == "scales" else (np.int64, ", s")
    bad = f'bad = Resize <mode = "linear"> (x, , {inputs})'
    path = graph_of(tmp_path / "m.onnx", f"{bad} {DOUBLED}")
    model = onnx.load(path)
    constant = onnx.numpy_helper.from_array(np.array(values, kind), "s")
    model.graph.initializer.append(constant)
    path.write_bytes(model.SerializeToString())
    report = lint.model(path)
    bad, good = report.nodes
    assert {f.code for f in bad.findings} == {"cannot-run"}
    assert words in str(report)
    assert good.convention == "onnx.spec.linear"
    assert good.findings == ()
    json.loads(report.to_json(), parse_constant=pytest.fail)


def test_an_output_declared_with_other_axes_is_of_unknown_shape(tmp_path):
    text = """g (float[1, 1, 8, 8] x) => (float y) <float[4] s = {1, 1, 2, 2}>
    { y = Resize <mode = "linear"> (x, , s) }"""
    (entry,) = lint.model(exported.graph(tmp_path / "m.onnx", text)).nodes
    assert (entry.convention, entry.node.after) == ("onnx.spec.linear", None)


def test_a_cycle_and_a_recursion_are_findings(tmp_path):
    circle = f"a = Add (x, b) b = Relu (a) {DOUBLED}"
    report = lint.model(graph_of(tmp_path / "m.onnx", circle))
    assert [f.code for f in report.found] == ["cannot-run"]
    assert "the graph has a cycle: a <- b <- a" in str(report)
    assert report.nodes[0].convention == "onnx.spec.linear"
    head = '<opset_import: ["own": 1], domain: "own">'
    functions = f"{head} F (i) => (o) {{ o = own.G (i) }}"
    functions += f"{head} G (i) => (o) {{ o = own.F (i) }}"
    path = graph_of(tmp_path / "m.onnx", f"q = own.F (x) {DOUBLED}", functions)
    assert "functions call each other in a circle: F <- G <- F" in str(lint.model(path))


def test_operators_that_move_pixels_otherwise_are_counted(tmp_path):
    others = """
      a = ConvTranspose (x, w) b = GridSample (a, g) c = DepthToSpace <blocksize=2> (b)
      d = own.BilinearUpsample (c) y = own.Gelu (d)"""
    report = lint.model(graph_of(tmp_path / "m.onnx", others))
    line = "not looked at: 1 ConvTranspose, 1 GridSample, 1 DepthToSpace, "
    assert f"{line}1 own.BilinearUpsample\n" in f"{report}\n"
    assert report.found == ()


def test_custom_operators_of_tflite_are_counted(tmp_path):
    """An operator under a name of its own, as MediaPipe has them."""
    tflite = pytest.importorskip("tflite")
    content = bytearray(exported.tflite().read_bytes())
    model = tflite.Model.GetRootAs(content, 0)
    for k in range(model.OperatorCodesLength()):
        code = model.OperatorCodes(k)
        if code.BuiltinCode() == tflite.BuiltinOperator.RESIZE_BILINEAR:
            table = code._tab
            for slot in (4, 10):  # the older field, and the one that counts
                content[table.Pos + table.Offset(slot)] = tflite.BuiltinOperator.CUSTOM
    path = tmp_path / "m.tflite"
    path.write_bytes(content)
    report = lint.model(path)
    assert "not looked at: 2 custom" in str(report)
    assert len(report.nodes) == 1


def test_equal_nodes_are_one_entry_and_each_is_asked_about_once(tmp_path, monkeypatch):
    chain = ["s = Constant <value = int64[4] {1, 1, 8, 8}> () y0 = Identity (x)"]
    for k in range(40):
        one = f"y{k + 1} = Resize"
        chain.append(f'[y{k + 1}] {one} <mode = "linear"> (y{k}, , , s)')
    path = graph_of(tmp_path / "m.onnx", " ".join(chain))
    asked = []
    matched = lint.matching.calls
    monkeypatch.setattr(
        lint.matching, "calls", lambda *a: asked.append(a) or matched(*a)
    )
    report = lint.model(path)
    assert len(asked) == len(report.nodes) == 1
    assert len(report.nodes[0].names) == 40
    assert "y1, y2, y3, y4, y5, y6 and 34 more" in str(report)
    assert "40 resize nodes" in str(report)


def test_pixels_that_a_node_never_reads_are_remarked(tmp_path):
    path = exported.resize_model(tmp_path / "m.onnx", (16, 4), mode="linear")
    report = lint.model(path, ["onnxruntime"])
    assert "75 % of the pixels are never read (16x16 to 4x4)" in str(report)
    assert report.found == ()


HOSTILE = "up\x1b[2J\x1b]0;title\x07\nFINDING [fake] all is well\u202e"


def test_names_of_a_file_do_not_reach_the_terminal_as_they_are(tmp_path):
    path = graph_of(tmp_path / "m.onnx", DOUBLED)
    model = onnx.load(path)
    model.graph.node[0].name = HOSTILE
    onnx.save(model, path)
    report = lint.model(path)
    text = str(report)
    assert all(c.isprintable() or c == "\n" for c in text)
    assert not any(line.startswith("FINDING") for line in text.splitlines())
    assert json.loads(report.to_json())["nodes"][0]["name"] == HOSTILE
    for form in (findings.as_sarif, findings.as_junit):
        whole = form([report])
        assert all(c.isprintable() or c == "\n" for c in whole)


def test_other_tools_read_the_findings(tmp_path):
    from xml.etree import ElementTree

    bad = exported.resize_model(tmp_path / "m.onnx", (16, 7), mode="cubic", antialias=1)
    report = lint.model(bad, ["onnxruntime"])
    unread = findings.Unread("a<b>.onnx", "it is no model")
    sarif = json.loads(findings.as_sarif([report, unread]))
    (run,) = sarif["runs"]
    assert sarif["version"] == "2.1.0"
    assert [r["ruleId"] for r in run["results"]] == ["no-call", "unread"]
    places = [
        r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        for r in run["results"]
    ]
    assert places == [str(bad), "a<b>.onnx"]
    suite = ElementTree.fromstring(findings.as_junit([report, unread]))
    assert (suite.get("tests"), suite.get("failures")) == ("2", "2")
    cases = suite.findall("testcase")
    assert cases[1].get("name") == "a<b>.onnx"
    assert "no framework call computes this" in cases[0][0].get("message")
    assert isinstance(json.loads(findings.as_json([report, unread])), list)


# --- files that lie ---


@pytest.mark.parametrize("ending", ["onnx", "tflite"])
def test_files_that_are_something_else_are_refused(tmp_path, ending):
    if ending == "tflite":
        pytest.importorskip("tflite")
    for content in (b"hello, not a model", b"\0" * 64, bytes(range(256)) * 4):
        path = tmp_path / f"m.{ending}"
        path.write_bytes(content)
        with pytest.raises(ValueError, match=f"m.{ending} is"):
            lint.model(path)


def test_weights_outside_the_folder_are_refused(tmp_path):
    secret = tmp_path / "secret"
    secret.write_bytes(b"\0" * 64)
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "link").symlink_to(secret)
    for place in ("../secret", str(secret), "link", "", "."):
        path = exported.resize_model(inside / "m.onnx")
        model = onnx.load(path)
        tensor = model.graph.initializer.add(name="w", data_type=1, dims=[16])
        tensor.data_location = onnx.TensorProto.EXTERNAL
        tensor.external_data.add(key="location", value=place)
        path.write_bytes(model.SerializeToString())
        with pytest.raises(ValueError, match="outside its own folder: refused"):
            lint.model(path)


def words_of(path, content):
    """Return what `nodes.read` says against a file's content, or None."""
    path.write_bytes(content)
    try:
        nodes.read(path)
    except ValueError as error:
        return str(error)
    return None


@pytest.mark.parametrize("made", ["torchscript", "tflite"])
def test_truncations_of_a_model_end_in_words(made):
    """No cut of a file makes anything but a report or a ValueError."""
    source = getattr(exported, made)()
    whole, path = source.read_bytes(), source.with_name(f"cut{source.suffix}")
    said = [words_of(path, whole[:length]) for length in range(8, len(whole), 53)]
    errors = [words for words in said if words is not None]
    assert len(errors) > 5
    assert all(words.startswith(str(path)) for words in errors)


@pytest.mark.parametrize(
    ("made", "spared", "many", "said"),
    [("tflite", 8, 12, "{} is damaged"), ("torchscript", 0, 6, "{}")],
)
def test_damaged_bytes_of_a_model_end_in_words(made, spared, many, said):
    source = getattr(exported, made)()
    whole, path = source.read_bytes(), source.with_name(f"hurt{source.suffix}")
    generator = np.random.default_rng(3)
    errors = []
    for _ in range(150):
        hurt = bytearray(whole)
        for place in generator.integers(spared, len(whole), many):
            hurt[place] = generator.integers(256)
        errors.append(words_of(path, hurt))
    errors = [words for words in errors if words is not None]
    assert len(errors) > 20
    assert all(words.startswith(said.format(path)) for words in errors)


def test_a_model_that_claims_giant_sizes_takes_no_memory(tmp_path):
    path = exported.resize_model(tmp_path / "m.onnx", (2**20, 2**21), mode="cubic")
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (2**31, 2**31))\n"
        "from resizelab.models import lint\n"
        f"print(lint.model({str(path)!r}))"
    )
    told = python(code, OPENBLAS_NUM_THREADS="1")
    assert "(about, 1048576x1048576 to 2097152x2097152)" in told
