"""Operators inside torch, Keras and JAX: the numbers of the engine they stand for."""

import os

import numpy as np
import pytest

import resizelab as rl
from resizelab import engines, exact
from resizelab.engines import conformance

torch = pytest.importorskip("torch")
FEW = os.environ.get("RESIZELAB_LIVE") == "few"
SIZES = (
    *((8, 4), (4, 8), (7, 5), (5, 7), (16, 17), (17, 16), (11, 32), (32, 11), (1, 6)),
    *((6, 1), (13, 13), (64, 7), (7, 64), (2, 3), (3, 2), (29, 13), (12, 24), (24, 12)),
    *((31, 48), (48, 31)),
)
# torch's antialias has a fault of its own at output width 1: see its rows' notes.
WIDE = tuple(pair for pair in SIZES if pair[1] > 1)


def floats(row):
    """Say whether a row resizes floats to floats."""
    entry = row.arithmetic.get("float32") or row.arithmetic.get("floats")
    kept = entry and entry.output_dtype
    return not kept or np.dtype(kept).kind == "f"


ROWS = [r for r in map(rl.convention, rl.conventions()) if r.status == "live"]
ROWS = [r for r in ROWS if floats(r)]
SAMPLE = [
    *("torch.bicubic", "torch.area", "torch.bilinear.antialias", "pillow.lanczos"),
    *("opencv.linear", "tf1.bilinear.align_corners", "skimage.linear.constant"),
    *("scipy.zoom.linear", "torch.grid_sample.bilinear.zeros"),
]


def requests(row):
    """Yield (picture, shape, scale) as the engine is asked."""
    rng = np.random.default_rng(0)
    fewest, most = engines.ranks(row)
    rank = min(max(2, fewest), most)
    for k in range(120):
        a, b = SIZES[k % len(SIZES)], WIDE[(k * 7 + 3) % len(WIDE)]
        before, after = zip(*(a, b, (3, 5))[:rank], strict=True)
        scale = None
        if conformance.by_scale(row):
            after, scale = None, tuple(conformance.SCALES[(k + j) % 12] for j in (0, 4))
            if k % 2:  # some calls take whole factors only
                scale = tuple(float(np.ceil(s)) for s in scale)
            if rank != 2 or min(n * s for n, s in zip(before, scale, strict=True)) < 2:
                continue
        x = rng.random(before).astype(np.float32)
        yield x, after, scale


def against_engine(row, made, count):
    """Compare ``made(x, shape, scale)`` with the engine; return how many were asked."""
    asked = wrong = values = 0
    for x, shape, scale in requests(row):
        if asked == count:
            break
        try:
            expected = engines.run(row, x, shape, scale)
        except (engines.SizeRefused, ValueError, RuntimeError):
            continue  # what the engine refuses is recorded elsewhere
        got = np.asarray(made(x, expected.shape if shape is None else shape, scale))
        assert got.shape == expected.shape
        allowed = max(1e-5, conformance.allowed(row, max(*x.shape, *expected.shape)))
        asked, values = asked + 1, values + got.size
        wrong += int((np.abs(got - expected) > allowed).sum())
    assert wrong <= ((row.missed or 0.0) + 0.005) * values
    return asked


def in_torch(row):
    def run(x, shape, scale):
        made = exact.torch(row, x.shape, shape, scale=scale)
        return made(torch.from_numpy(x)).numpy()

    return run


@pytest.mark.live
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_every_float_row_runs_inside_torch(row):
    if not engines.version(row.library):
        pytest.skip(f"{row.library} is not installed")
    count = 4 if FEW else 20
    assert against_engine(row, in_torch(row), count) == count


@pytest.mark.parametrize("name", SAMPLE)
@pytest.mark.filterwarnings("ignore")
def test_any_engine_runs_inside_torch(name):
    row = rl.convention(name)
    if not engines.version(row.library):
        pytest.skip(f"{row.library} is not installed")
    assert against_engine(row, in_torch(row), 20) == 20


@pytest.mark.parametrize("name", ["pillow.bicubic", "opencv.linear"])
def test_any_engine_runs_inside_jax(name):
    pytest.importorskip("jax")
    row = rl.convention(name)

    def run(x, shape, scale):
        return exact.jax(row, x.shape, shape)(x)

    assert against_engine(row, run, 20) == 20


@pytest.mark.parametrize("name", ["pillow.bicubic", "torch.bilinear"])
@pytest.mark.filterwarnings("ignore")
def test_any_engine_runs_inside_keras(name):
    pytest.importorskip("tensorflow")
    row = rl.convention(name)

    def run(x, shape, scale):
        layer = exact.keras(row, x.shape, shape)
        return np.asarray(layer(x[None, :, :, None]))[0, :, :, 0]

    assert against_engine(row, run, 20) == 20


@pytest.mark.filterwarnings("ignore")
def test_a_keras_model_holds_the_layer_and_is_saved(tmp_path):
    keras = pytest.importorskip("keras")
    inputs = keras.Input((6, 9, 3))
    outputs = exact.keras("opencv.linear", (6, 9), (12, 5), name="resize")(inputs)
    assert outputs.shape == (None, 12, 5, 3)
    x = np.random.default_rng(0).random((2, 6, 9, 3)).astype(np.float32)
    model = keras.Model(inputs, outputs)
    expected = rl.resize(x, (12, 5), "opencv.linear", axes=(1, 2))
    np.testing.assert_allclose(np.asarray(model(x)), expected, atol=1e-6)
    model.save(tmp_path / "m.keras")
    again = keras.saving.load_model(tmp_path / "m.keras")
    np.testing.assert_array_equal(np.asarray(again(x)), np.asarray(model(x)))
    config = again.get_layer("resize").get_config()
    assert config["size_out"] == (12, 5)
    assert config["convention"]["name"] == "opencv.linear"


@pytest.mark.parametrize("form", ["matmul", "taps"])
def test_both_forms_compute_the_same(form):
    x = torch.rand(2, 3, 40, 30)
    made = exact.torch("torch.bicubic", (40, 30), (25, 61), form=form)
    expected = torch.nn.functional.interpolate(x, (25, 61), mode="bicubic")
    torch.testing.assert_close(made(x), expected, atol=1e-5, rtol=0)


def test_the_gradient_is_the_engine_s():
    x = torch.rand(1, 2, 9, 7, dtype=torch.float64, requires_grad=True)
    made = exact.torch("torch.bilinear", (9, 7), (5, 12), dtype="float64")
    ours = torch.autograd.grad(made(x).square().sum(), x)[0]
    y = torch.nn.functional.interpolate(x, (5, 12), mode="bilinear")
    theirs = torch.autograd.grad(y.square().sum(), x)[0]
    torch.testing.assert_close(ours, theirs)
    assert list(made.parameters()) == []


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_is_rounded_once(dtype):
    x = torch.rand(1, 3, 16, 16).to(dtype)
    made = exact.torch("torch.bicubic.antialias", (16, 16), (7, 7))
    expected = made(x.float()).to(dtype)
    assert made(x).dtype == dtype
    torch.testing.assert_close(made(x), expected, atol=0, rtol=0)


@pytest.mark.filterwarnings("ignore")
def test_a_compiled_module_is_one_graph():
    x = torch.rand(1, 3, 16, 12)
    made = exact.torch("skimage.linear.constant", (16, 12), (9, 30))
    compiled = torch.compile(made, fullgraph=True, backend="aot_eager")
    torch.testing.assert_close(compiled(x), made(x))


def test_a_module_moves_and_saves_like_any_other():
    made = exact.torch("opencv.linear", 8, 5)
    assert made.to("meta")(torch.empty(8, device="meta")).shape == (5,)
    again = exact.torch("torch.nearest", 8, 5)
    assert again.state_dict().keys() != made.state_dict().keys()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dynamo", [False, True])
def test_both_exporters_write_a_graph_without_a_resize(tmp_path, dynamo):
    onnx = pytest.importorskip("onnx")
    ort = pytest.importorskip("onnxruntime")
    if dynamo:
        pytest.importorskip("onnxscript")
    import exported

    made = exact.torch("pillow.bicubic", (16, 18), (9, 30))
    x = torch.rand(1, 3, 16, 18)
    options = {"dynamo": True, "verbose": False} if dynamo else {"dynamo": False}
    path = exported.export(made, x, tmp_path / "m.onnx", **options)
    ops = {node.op_type for node in onnx.load(path).graph.node}
    assert "MatMul" in ops
    assert ops & {"Resize", "Upsample"} == set()
    session = ort.InferenceSession(path, providers=["CPUExecutionProvider"])
    (got,) = session.run(None, {"x": x.numpy()})
    np.testing.assert_allclose(got, made(x).numpy(), atol=1e-6)


def test_what_rounds_is_refused_with_the_way_out():
    row = rl.convention("torch.bilinear")
    with pytest.raises(ValueError, match="writes byte kernels"):
        exact.separable(row, 8, 4, dtype="uint8")


def test_a_tensor_of_another_size_is_refused():
    with pytest.raises(ValueError, match=r"must be \(8,\); got \(9,\)"):
        exact.torch("torch.bilinear", 8, 4)(torch.rand(9))
