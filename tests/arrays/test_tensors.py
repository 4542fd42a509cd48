"""Any row on any tensor: NumPy's numbers, in the tensor's library, with gradients."""

import sys
import types

import numpy as np
import pytest

import resizelab as rl
from resizelab.catalog.table import rows

SOME = (
    *("torch.bilinear", "torch.bicubic.antialias", "pillow.bicubic", "torch.nearest"),
    *("skimage.cubic", "scipy.zoom.cubic", "opencv.lanczos4", "tf2.bilinear"),
)
FLOATS_OF_BYTES = ("torch.nearest", "tf2.bilinear")
X = np.random.default_rng(0).random((2, 3, 9, 12), np.float32)


def torch():
    return pytest.importorskip("torch")


def jnp():
    return pytest.importorskip("jax.numpy")


def resized(x, row):
    scale = (1.5, 0.5) if row.spec.step_from == "scale" and row.scale is None else None
    shape = None if row.scale is not None else (13, 6)
    return rl.resize(x, shape, row, axes=(2, 3), scale=scale)


@pytest.mark.parametrize("name", SOME)
@pytest.mark.parametrize("dtype", ["float32", "float64", "uint8"])
def test_numpy_s_numbers_in_torch_and_jax(name, dtype):
    if (name, dtype) == ("skimage.cubic", "uint8"):
        pytest.skip("it makes float64 of bytes, which JAX has not unless it is told")
    x = (X * 200).astype(dtype) if dtype == "uint8" else X.astype(dtype)
    framework, jax = torch(), jnp()
    for made in (framework.from_numpy(x), jax.asarray(x)):
        if dtype == "uint8" and name not in FLOATS_OF_BYTES:
            with pytest.raises(TypeError, match="sums are rounded: only NumPy arrays"):
                resized(made, rl.convention(name))
            continue
        y = resized(made, rl.convention(name))
        assert type(y) is type(made)
        expected = resized(x.astype(np.asarray(made).dtype), rl.convention(name))
        assert np.asarray(y).dtype == expected.dtype
        np.testing.assert_allclose(np.asarray(y), expected, atol=1e-6 * x.max())


@pytest.mark.live
@pytest.mark.parametrize("row", rows().values(), ids=lambda row: row.name)
def test_every_row_in_torch(row):
    try:
        expected = resized(X, row)
        y = resized(torch().from_numpy(X), row)
    except (TypeError, ValueError) as error:
        pytest.skip(str(error))  # a rank, or a scale, that the row does not take
    assert np.asarray(y).dtype == expected.dtype
    np.testing.assert_allclose(y.numpy(), expected, atol=1e-6)


@pytest.mark.parametrize("name", ["pillow.bicubic", "scipy.zoom.cubic"])
def test_torch_checks_the_gradient(name):
    framework = torch()
    x = framework.rand(2, 5, 6, dtype=framework.float64, requires_grad=True)

    def run(x):
        return rl.resize(x, (9, 4), name, axes=(1, 2))

    assert framework.autograd.gradcheck(run, x)
    apart = framework.vmap(lambda x: rl.resize(x, (9, 4), name))(x) - run(x)
    assert float(apart.detach().abs().max()) < 1e-12


def test_the_gradient_is_the_transposed_operator_in_jax():
    import jax

    x, w = jnp().asarray(X[0, 0]), rl.weights("pillow.bicubic", 9, 13)
    pulled = jax.grad(lambda x: (w.apply(x) ** 2).sum())(x)
    expected = 2 * w.T.apply(w.apply(X[0, 0]))
    np.testing.assert_allclose(np.asarray(pulled), expected, atol=2e-6)
    jitted = jax.jit(jax.vmap(lambda x: rl.resize(x, (5, 5), "torch.bicubic")))
    want = rl.resize(X[0], (5, 5), "torch.bicubic", axes=(1, 2))
    np.testing.assert_allclose(np.asarray(jitted(X[0])), want, atol=1e-6)


def test_torch_compiles_it_as_one_graph_at_every_size():
    framework = torch()
    row, spec = rl.convention("skimage.linear.constant"), rl.Spec(kernel="cubic", a=-1)
    for wanted in ("pillow.bicubic", row, spec):

        def run(x, wanted=wanted):
            return rl.resize(x, (13, 6), wanted, axes=(2, 3))

        framework.compiler.reset()
        compiled = framework.compile(run, fullgraph=True, backend="eager")
        for width in (12, 11):
            x = framework.from_numpy(X)[..., :width]
            framework.testing.assert_close(compiled(x), run(x), atol=1e-6, rtol=0)


def test_the_device_and_half_precision_are_kept():
    framework = torch()
    there = framework.empty(4, 4, device="meta")
    assert rl.resize(there, (8, 8), "torch.bicubic").device.type == "meta"
    for dtype in (framework.float16, framework.bfloat16):
        x = framework.from_numpy(X).to(dtype)
        y = rl.resize(x, (13, 6), "torch.bicubic", axes=(2, 3))
        wide = rl.resize(x.float(), (13, 6), "torch.bicubic", axes=(2, 3))
        assert framework.equal(y, wide.to(dtype))


def test_what_does_not_change_is_a_new_tensor():
    x = torch().from_numpy(X.copy())
    y = rl.resize(x, (9, 12), "torch.bilinear", axes=(2, 3))
    y += 1
    assert np.array_equal(x.numpy(), X)


@pytest.mark.parametrize(
    ("value", "error"),
    [
        ("tensor(1.0)", r"^x has no axis to resize"),
        ("ones(3, dtype=torch.bool)", r"^x must hold numbers .* got bool"),
        ("ones(3, dtype=torch.complex64)", r"^x must hold numbers .* got complex64"),
        ("ones(0)", r"^axis 0 of x is empty"),
    ],
)
def test_the_errors_are_those_of_numpy_arrays(value, error):
    framework = torch()
    x = eval(f"torch.{value}", {"torch": framework})
    with pytest.raises((TypeError, ValueError), match=error):
        rl.resize(x, (4,))


def test_an_array_with_numpy_s_names_is_taken_as_cupy_s_is(monkeypatch):
    """There is no card here: NumPy under CuPy's name takes CuPy's way."""
    stand_in = types.ModuleType("cupy")
    stand_in.__dict__.update({k: getattr(np, k) for k in np.__all__})
    kind = type("ndarray", (np.ndarray,), {"__module__": "cupy"})
    stand_in.asarray = lambda a: np.asarray(a).view(kind)
    monkeypatch.setitem(sys.modules, "cupy", stand_in)
    for name in ("pillow.bicubic", "torch.nearest", "scipy.zoom.cubic"):
        y = rl.resize(stand_in.asarray(X), (13, 6), name, axes=(2, 3))
        assert type(y) is kind
        want = rl.resize(X, (13, 6), name, axes=(2, 3))
        np.testing.assert_allclose(np.asarray(y), want, atol=1e-6)
