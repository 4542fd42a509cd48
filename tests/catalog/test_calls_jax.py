"""JAX's image.resize and scale_and_translate as calls.

Expected values come from JAX 0.10.2 on the CPU, x64 not enabled; where it is installed
it is asked again, for a few sizes: each new size costs it a compilation.
"""

import numpy as np
import pytest

import resizelab as rl

RESIZE = "jax.image.resize"
TRANSLATE = "jax.image.scale_and_translate"


def resized(x, n, **arguments):
    return rl.resize(np.asarray(x, np.float32), (n,), rl.find(RESIZE, **arguments))


def moved(x, n, **arguments):
    return rl.resize(np.asarray(x, np.float32), (n,), rl.find(TRANSLATE, **arguments))


def test_defaults_are_filled_in():
    c = rl.find(RESIZE, method="bicubic")
    assert c.name == "jax.cubic"
    assert (c.spec.a, c.spec.antialias, c.spec.boundary) == (-0.5, True, "exclude")


def test_what_it_ignores_is_noted():
    c = rl.find(RESIZE, method="area", antialias=False)
    assert "antialias=False has no effect with method='area'" in c.notes


def test_shrinking_antialiases_unless_told():
    x = np.arange(8)
    got = resized(x, 4, method="linear")
    np.testing.assert_allclose(got, [0.7142857, 2.5, 4.5, 6.2857143], rtol=1e-6)
    plain = resized(x, 4, method="linear", antialias=False)
    np.testing.assert_allclose(plain, [0.5, 2.5, 4.5, 6.5], rtol=1e-6)


def test_taps_outside_are_dropped_even_when_it_enlarges():
    first = {"cubic": 1.08824, "cubic-pytorch": 1.10547}
    for method, value in first.items():
        got = resized([1, 0, 0, 0], 8, method=method, antialias=False)
        assert got[0] == pytest.approx(value, abs=1e-5)


def test_what_each_type_becomes():
    linear, nearest = (
        rl.find(RESIZE, method="linear"),
        rl.find(RESIZE, method="nearest"),
    )
    for dtype in ("uint8", "int32", "int64", "float64", "float32"):
        assert rl.resize(np.ones(3, dtype), (5,), linear).dtype == np.float32
    kept = {
        "uint8": "uint8",
        "int64": "int32",
        "uint64": "uint32",
        "float64": "float32",
    }
    for dtype, becomes in kept.items():
        assert rl.resize(np.ones(3, dtype), (5,), nearest).dtype == becomes


def test_the_compiler_multiplies_by_an_inverse():
    # Output 35 of 82 -> 71 reads 35.5 * 82 / 71 = 41 exactly; JAX reads pixel 40.
    index = rl.weights(rl.find(RESIZE, method="nearest"), 82, 71).index[:, 0]
    assert index[35] == 40


def test_a_translation_moves_the_content():
    got = moved([0, 10, 20, 30], 4, method="linear", scale=1.0, translation=1.0)
    np.testing.assert_allclose(got, [0, 0, 10, 20])


def test_what_lies_outside_is_zero():
    x = np.ones(4)
    got = moved(x, 6, method="linear", scale=1.0, translation=1.5)
    np.testing.assert_allclose(got, [0, 1, 1, 1, 1, 1])
    repeated = moved(
        x, 9, method="cubic-pytorch", antialias=False, scale=1.0, translation=5.0
    )
    # It repeats two pixels; what reads only beyond them is 0.
    np.testing.assert_allclose(repeated, [0, 0, 0, 1, 1, 1, 1, 1, 1])


CASES = [
    (RESIZE, {"method": "linear"}, None),
    (RESIZE, {"method": "lanczos3", "antialias": False}, None),
    (RESIZE, {"method": "nearest"}, None),
    (TRANSLATE, {"method": "cubic"}, (1.3, -0.7)),
    (TRANSLATE, {"method": "area"}, (0.6, 0.4)),
    (TRANSLATE, {"method": "cubic-pytorch", "antialias": False}, (1.0, 2.25)),
]


@pytest.mark.parametrize(("call", "arguments", "line"), CASES)
def test_jax_itself_agrees(call, arguments, line):
    image = pytest.importorskip("jax.image")
    x = np.random.default_rng(0).random((5, 7)).astype(np.float32)
    if line is None:
        expected = image.resize(x, (9, 4), **arguments)
        c = rl.find(call, **arguments)
    else:
        scale, shift = (np.full(2, value, np.float32) for value in line)
        expected = image.scale_and_translate(
            x, (9, 4), (0, 1), scale, shift, **arguments
        )
        c = rl.find(call, scale=scale.tolist(), translation=shift.tolist(), **arguments)
    got = rl.resize(x, (9, 4), c)
    assert got.dtype == expected.dtype
    np.testing.assert_allclose(got, expected, atol=2e-6)
