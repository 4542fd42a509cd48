"""Patches of ONNX files: what is asked, checked, and written whole or not at all."""

import json
import shlex

import exported
import numpy as np
import pytest

import resizelab as rl
from resizelab.cli import main
from resizelab.modelfiles import nodes
from resizelab.models.patch import patch

onnx = pytest.importorskip("onnx")


@pytest.fixture
def model(tmp_path):
    return exported.resize_model(tmp_path / "m.onnx", mode="linear")


MODE = "coordinate_transformation_mode"


def attributes(path, k=0):
    return nodes.read(path).nodes[k].arguments


def refused(model, words, kind=ValueError, node="resize", **options):
    """Expect a refusal in words, and no file written or changed."""
    folder = model.parent
    before = {p: p.read_bytes() for p in folder.iterdir()}
    changes = options.pop("changes", {"coordinate_transformation_mode": "asymmetric"})
    options.setdefault("output", folder / "out.onnx")
    with pytest.raises(kind) as told:
        patch(model, node, changes, **options)
    assert words in str(told.value)
    assert {p: p.read_bytes() for p in folder.iterdir()} == before


def test_a_patch_changes_one_attribute_and_says_so(model, tmp_path):
    before = model.read_bytes()
    made = patch(
        model,
        "resize",
        {"coordinate_transformation_mode": "asymmetric"},
        tmp_path / "out.onnx",
    )
    assert model.read_bytes() == before
    assert attributes(tmp_path / "out.onnx") == {
        "mode": "linear",
        "coordinate_transformation_mode": "asymmetric",
    }
    entry = {"coordinate_transformation_mode": (None, "asymmetric")}
    assert dict(made.changed) == {"resize": entry}
    assert "coordinate_transformation_mode None -> asymmetric" in str(made)
    assert json.loads(made.to_json())["changed"]["resize"]


def test_the_patched_model_computes_what_was_asked(tmp_path):
    ort = pytest.importorskip("onnxruntime")
    path = exported.resize_model(tmp_path / "m.onnx", (4, 8), mode="linear")
    grid = {"coordinate_transformation_mode": "asymmetric"}
    patch(path, "resize", grid, tmp_path / "out.onnx")
    x = np.tile(np.array([0, 10, 20, 30], np.float32), (1, 1, 4, 1))
    got = [
        ort.InferenceSession(str(p), providers=["CPUExecutionProvider"]).run(
            None, {"x": x}
        )[0][0, 0, 0]
        for p in (path, tmp_path / "out.onnx")
    ]
    assert got[0].tolist() == [0, 2.5, 7.5, 12.5, 17.5, 22.5, 27.5, 30]
    assert got[1].tolist() == [0, 5, 10, 15, 20, 25, 30, 30]


def test_the_types_are_those_that_onnx_declares(tmp_path):
    path = exported.resize_model(tmp_path / "m.onnx", (9, 4), mode="cubic")
    changes = {"cubic_coeff_a": "-0.5", "antialias": "1", "exclude_outside": 1}
    patch(path, "y", changes, tmp_path / "out.onnx")  # the node by its output's name
    found = attributes(tmp_path / "out.onnx")
    assert (found["cubic_coeff_a"], found["antialias"]) == (-0.5, 1)


def test_a_star_takes_every_resize_node(tmp_path):
    source = exported.torchscript()
    made = patch(source, "*", {"cubic_coeff_a": -0.5}, tmp_path / "out.onnx")
    assert len(made.changed) == 3
    values = [
        n.arguments["cubic_coeff_a"] for n in nodes.read(tmp_path / "out.onnx").nodes
    ]
    assert values == [-0.5] * 3


def test_in_place_only_where_that_is_said(model):
    refused(model, "say where to write", output=None)
    refused(model, "is the input itself", output=model)
    refused(model, "not both", in_place=True)
    made = patch(model, "resize", {"mode": "cubic"}, in_place=True)
    assert made.target == model
    assert attributes(model)["mode"] == "cubic"
    assert [p.name for p in model.parent.iterdir()] == ["m.onnx"]


def test_a_patch_of_nothing_says_so(model, tmp_path):
    made = patch(model, "resize", {"mode": "linear"}, tmp_path / "out.onnx")
    assert not made.changed
    assert "nothing to change" in str(made)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"mode": "bilinear"}, "mode must be one of 'nearest', 'linear', 'cubic'"),
        ({"moed": "linear"}, "did you mean 'mode'?"),
        ({MODE: "half"}, "must be one of 'half_pixel'"),
        ({"antialias": 2}, "antialias must be 0 or 1"),
        ({"cubic_coeff_a": "steep"}, "cubic_coeff_a must be a number"),
        ({"mode": "nearest", "antialias": 1}, "no antialias with mode='nearest'"),
        (
            {MODE: "tf_half_pixel_for_nn"},
            "in opsets until 12; the model is of opset 19",
        ),
        ({}, "nothing to set"),
    ],
)
def test_values_that_onnx_does_not_have_are_refused(model, changes, words):
    refused(model, words, changes=changes)


@pytest.mark.parametrize(
    ("opset", "changes", "words"),
    [
        (17, {"antialias": 1}, "Resize has it from opset 18 on"),
        (18, {MODE: "half_pixel_symmetric"}, "in opsets from 19 on"),
        (10, {"nearest_mode": "floor"}, "refuses nearest_mode in opset 10"),
    ],
)
def test_the_models_opset_decides(tmp_path, opset, changes, words):
    path = exported.resize_model(tmp_path / "m.onnx", opset=opset, mode="linear")
    refused(path, words, changes=changes)


def test_a_node_that_is_not_there_is_named(model):
    refused(model, "did you mean 'resize'?", LookupError, node="resise")
    refused(model, "the model has resize", LookupError, node="other")


def test_two_nodes_of_one_name_are_told_apart_by_their_outputs(tmp_path):
    path = exported.torchscript()
    model = onnx.load(path)
    for node in model.graph.node:
        if node.op_type == "Resize":
            node.name = "resize"
    onnx.save(model, tmp_path / "m.onnx")
    words = (
        "3 resize nodes are called 'resize': name one by its output, /up/Resize_output"
    )
    refused(tmp_path / "m.onnx", words, LookupError)


def test_a_change_of_the_outputs_shape_is_refused(tmp_path):
    exported.graph(
        tmp_path / "m.onnx",
        """g (float[1, 1, 4, 8] x) => (float[1, 1, 8, 8] y) <int64[2] s = {8, 8}>
        { [resize] y = Resize <mode = "linear", axes = [2, 3]> (x, , , s) }""",
    )
    policy = {"keep_aspect_ratio_policy": "not_larger"}
    refused(tmp_path / "m.onnx", "alters the shape of 'y'", changes=policy)


def test_a_change_that_may_alter_an_open_shape_is_refused(tmp_path):
    exported.graph(
        tmp_path / "m.onnx",
        """g (float[1, 1, h, w] x, int64[4] s) => (float[1, 1, a, b] y)
        { [resize] y = Resize (x, , , s) }""",
    )
    policy = {"keep_aspect_ratio_policy": "not_larger"}
    refused(tmp_path / "m.onnx", "cannot be inferred: refused", changes=policy)


def test_a_model_that_fails_the_checker_is_refused(model):
    broken = onnx.load(model)
    broken.graph.node[0].input[0] = "nowhere"
    onnx.save(broken, model)
    refused(model, "does not pass ONNX's checker as it is")


def test_weights_beside_the_model_stay_beside_it(tmp_path):
    import shutil

    source = exported.dynamo()
    for name in (source.name, f"{source.name}.data"):
        shutil.copy(source.with_name(name), tmp_path / name)
    path = tmp_path / source.name
    (tmp_path / "sub").mkdir()
    name = nodes.read(path).nodes[0].name
    changes = {"coordinate_transformation_mode": "asymmetric"}
    with pytest.raises(
        ValueError, match="write the patched model into the same folder"
    ):
        patch(path, name, changes, tmp_path / "sub" / "out.onnx")
    patch(path, name, changes, tmp_path / "out.onnx")
    onnx.checker.check_model(str(tmp_path / "out.onnx"))


def test_what_a_run_time_refuses_is_remarked(tmp_path):
    path = exported.resize_model(tmp_path / "m.onnx", mode="cubic")
    made = patch(path, "resize", {"exclude_outside": 1}, tmp_path / "a.onnx")
    assert made.remarks == ()
    path = exported.resize_model(tmp_path / "m.onnx", mode="linear")
    made = patch(path, "resize", {"exclude_outside": 1}, tmp_path / "b.onnx")
    assert "ONNX Runtime takes exclude_outside=1 with mode='cubic'" in str(made)


# --- files that run and that a checker refuses ---


def test_nodes_in_a_wrong_order_are_sorted_and_that_is_said(tmp_path):
    """As converters to float16 leave them: run times sort them, the checker refuses."""
    ort = pytest.importorskip("onnxruntime")
    text = """g (float[1, 1, 2, 2] x) => (float[1, 1, 4, 4] y)
    <float[4] s = {1, 1, 2, 2}>
    { [up] y = Resize <mode = "linear"> (c, , s) c = Cast <to = 1> (x) }"""
    source = exported.graph(tmp_path / "m.onnx", text, 17)
    target = tmp_path / "out.onnx"
    made = patch(source, "up", {"mode": "nearest"}, target)
    assert "they were sorted" in str(made)
    assert not made.restores
    onnx.checker.check_model(str(target))
    picture = np.arange(4, dtype=np.float32).reshape(1, 1, 2, 2)
    (got,) = ort.InferenceSession(str(target), providers=["CPUExecutionProvider"]).run(
        None, {"x": picture}
    )
    assert np.array_equal(got, picture.repeat(2, 2).repeat(2, 3))


def test_an_output_without_a_shape_is_no_reason_to_refuse(tmp_path):
    path = exported.resize_model(tmp_path / "m.onnx", mode="linear")
    for clear in ("shape", "type"):
        model = onnx.load(path)
        value = model.graph.output[0]
        if clear == "shape":
            value.type.tensor_type.ClearField("shape")
        else:
            value.ClearField("type")
        source = tmp_path / f"{clear}.onnx"
        source.write_bytes(model.SerializeToString())
        patch(source, "resize", {"mode": "cubic"}, tmp_path / f"{clear}-out.onnx")
        assert attributes(tmp_path / f"{clear}-out.onnx")["mode"] == "cubic"


def undone(made):
    """Run the commands that a patch prints."""
    for line in made.undo:
        assert main(shlex.split(line)[1:]) == 0


@pytest.mark.parametrize(
    "changes",
    [{"mode": "cubic", "cubic_coeff_a": -0.5}, {"coordinate_transformation_mode": ""}],
)
def test_undoing_gives_the_old_bytes(tmp_path, changes, capsys):
    attributes_ = {"coordinate_transformation_mode": "asymmetric", "mode": "linear"}
    path = exported.resize_model(tmp_path / "m.onnx", **attributes_)
    before = path.read_bytes()
    made = patch(path, "resize", changes, in_place=True)
    assert made.restores
    assert "the old file, byte for byte" in str(made)
    assert path.read_bytes() != before
    undone(made)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("node", "name", "flags"),
    [
        ("resize/ResizeBilinear", "litert.bilinear", {"half_pixel_centers": "false"}),
        (
            "ResizeBilinear",
            "litert.bilinear.half_pixel_centers",
            {"half_pixel_centers": True},
        ),
        ("PartitionedCall:0", "litert.nearest", {"align_corners": "0"}),
    ],
)
def test_the_flags_of_a_tflite_file_can_be_set(tmp_path, node, name, flags, capsys):
    """LiteRT itself computes what the flags now say, where the node alone is asked."""
    pytest.importorskip("tflite")
    interpreter = pytest.importorskip("ai_edge_litert.interpreter")
    path = tmp_path / "m.tflite"
    path.write_bytes(exported.tflite().read_bytes())
    before = path.read_bytes()
    made = patch(path, node, flags, in_place=True)
    (changed,) = [n for n in nodes.read(path).nodes if n.name == node]
    assert changed.meaning().name == name

    def outputs(file):
        plain = interpreter.OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES
        runs = interpreter.Interpreter(
            str(file),
            experimental_op_resolver_type=plain,
            experimental_preserve_all_tensors=True,
        )
        runs.allocate_tensors()
        x = np.random.default_rng(0).random((1, 8, 8, 3)).astype(np.float32)
        runs.set_tensor(runs.get_input_details()[0]["index"], x)
        runs.invoke()
        details = {d["name"]: d["index"] for d in runs.get_tensor_details()}
        chain = ["resize/ResizeBilinear", "ResizeBilinear", "PartitionedCall:0"]
        return [x, *(runs.get_tensor(details[each]) for each in chain)], chain

    found, chain = outputs(path)
    place = chain.index(node)
    source, got = found[place], found[place + 1]
    wanted = rl.resize(source[0], got.shape[1:3], name, axes=(0, 1))
    assert np.abs(got[0] - wanted).max() < 1e-5
    undone(made)
    assert nodes.read(path).nodes == nodes.read(exported.tflite()).nodes
    assert (path.read_bytes() == before) is made.restores


def test_flags_that_litert_refuses_are_not_written(tmp_path):
    pytest.importorskip("tflite")
    path = tmp_path / "m.tflite"
    path.write_bytes(exported.tflite().read_bytes())
    both = {"align_corners": 1, "half_pixel_centers": 1}
    for words, flags in (
        ("LiteRT refuses align_corners and half_pixel_centers together", both),
        ("did you mean 'align_corners'", {"align_corner": 1}),
        ("align_corners must be true or false", {"align_corners": "perhaps"}),
    ):
        refused(path, words, node="ResizeBilinear", changes=flags)
