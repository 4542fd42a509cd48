"""The compiled loops: NumPy's bytes, and floats to the last bits."""

from itertools import cycle

import numpy as np
import pytest
from bulk import some
from processes import python

import resizelab as rl
from resizelab.arrays import fast, resizing
from resizelab.catalog.table import rows

SIZES = (((9, 12), (13, 6)), ((12, 9), (5, 21)), ((40, 33), (11, 70)))
QUICK = (0, 1, 7, 8, 12)  # of each arithmetic one
HALVES = ((12, 40), (6, 20))
BYTES = (
    *("opencv.linear", "pillow.bilinear", "pillow.bicubic", "pillow.lanczos"),
    *("pillow.box", "pillow.hamming", "torch.bilinear", "torch.bicubic.antialias"),
    *("opencv.linear_exact", "litert.bilinear", "opencv.lanczos4"),
    *("opencv.cubic", "opencv.area", "opencv.nearest", "tf2.nearest"),
)
FLOATS = (
    *("opencv.linear", "torch.bicubic.antialias", "pillow.lanczos", "torch.area"),
    "torch.nearest",
)
CLOSE = {"uint8": 0, "float32": 2e-6, "float64": 1e-14}
FEW = 2e-4  # of sums of floats are so near a half that their order rounds them


def compiled(x, shape, name, axes=(0, 1)):
    row = rl.convention(name)
    made = resizing.plan(x.shape, shape, row, axes=axes, dtype=x.dtype, built=False)
    return resizing.compiled(made, x, made.work)


def same(got, want, name):
    """Check that results are the same; of few bytes a level may be another."""
    known = rl.convention(name).arithmetic
    a = known.get("uint8", known.get("integers"))
    if got.dtype == np.uint8 and a is not None and a.weight_bits is None:
        gap = np.abs(got.astype(int) - want)
        assert gap.max() <= 1, name
        assert (gap > 0).sum() <= max(1, FEW * gap.size), name
    else:
        np.testing.assert_allclose(got, want, 0, CLOSE[got.dtype.name], err_msg=name)


def by_numpy(monkeypatch, x, shape, name, axes=(0, 1)):
    monkeypatch.setattr(resizing, "has_numba", lambda: False)
    return rl.resize(x, shape, name, axes=axes)


@pytest.mark.parametrize("name", some(BYTES, *QUICK))
def test_bytes_are_those_of_numpy_s_path(name, monkeypatch):
    rng = np.random.default_rng(0)
    for before, after in SIZES:
        for depth in (1, 2, 3, 4, 7, 32):
            x = rng.integers(0, 256, (*before, depth), np.uint8)
            got = compiled(x, after, name)
            assert got is not None
            same(got, by_numpy(monkeypatch, x, after, name), name)


@pytest.mark.parametrize("name", some(FLOATS, 0, 1))
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_floats_are_those_of_numpy_s_path(name, dtype, monkeypatch):
    rng = np.random.default_rng(0)
    for before, after in SIZES:
        x = rng.random((2, *before)).astype(dtype)
        got = compiled(x, after, name, (1, 2))
        want = by_numpy(monkeypatch, x, after, name, (1, 2))
        assert got.dtype == dtype
        np.testing.assert_allclose(got, want, atol=3e-6)


def test_floats_whose_sums_are_whole_numbers_are_bytes_too(monkeypatch):
    # Halves of bytes are exact in float32, whatever is added first.
    x = np.random.default_rng(0).integers(0, 256, (*HALVES[0], 3), np.uint8)
    got = compiled(x, HALVES[1], "opencv.area")
    assert np.array_equal(got, by_numpy(monkeypatch, x, HALVES[1], "opencv.area"))
    got = compiled(x, (5, 20), "opencv.area")  # fifths are not
    same(got, by_numpy(monkeypatch, x, (5, 20), "opencv.area"), "opencv.area")


def test_what_no_weight_reads_is_not_read(monkeypatch):
    x = np.ones((12, 9))
    x[0, 0], x[11, 8] = np.nan, np.inf
    want = by_numpy(monkeypatch, x, (5, 21), "opencv.linear")
    np.testing.assert_array_equal(compiled(x, (5, 21), "opencv.linear"), want)


def test_what_it_cannot_do_is_left_to_numpy():
    x = np.zeros((9, 12), np.uint8)
    for name in ("onnxruntime.linear", "tf2.bilinear", "keras.resizing.bilinear"):
        assert compiled(x, (13, 6), name) is None
    assert compiled(np.zeros((9, 12, 33)), (13, 6), "opencv.linear") is None  # deep
    assert compiled(np.zeros((9, 12)), (9, 6), "opencv.linear") is None  # one axis
    assert compiled(np.zeros((3, 3), np.float16), (6, 6), "opencv.linear") is None


def test_threads_change_nothing(monkeypatch):
    x = np.random.default_rng(0).integers(0, 256, (40, 33, 3), np.uint8)
    one = compiled(x, (70, 61), "pillow.bicubic")
    monkeypatch.setattr(fast, "threads", 3)
    monkeypatch.setattr(fast, "OWN_TASK", 1)
    assert np.array_equal(compiled(x, (70, 61), "pillow.bicubic"), one)


@pytest.mark.parametrize("kind", CLOSE)
def test_every_live_row_is_the_same_without_numba(kind, monkeypatch):
    x, done = np.random.default_rng(0).integers(0, 256, (41, 190, 3), np.uint8), 0
    x = x if kind == "uint8" else (x / 255).astype(kind)
    monkeypatch.setattr(resizing, "LARGE", 0)
    live = (row.name for row in rows().values() if row.status == "live")
    for name, after in zip(live, cycle([(23, 400), (70, 61)]), strict=False):
        try:
            if compiled(x, after, name) is None:
                continue
        except (TypeError, ValueError):  # a dtype or a rank that the row refuses
            continue
        monkeypatch.setattr(resizing, "has_numba", lambda: True)
        got = rl.resize(x, after, name, axes=(0, 1))
        want = by_numpy(monkeypatch, x, after, name)
        assert got.dtype == want.dtype
        same(got, want, name)
        done += 1
    assert done > 50


def test_large_pictures_take_it_where_numba_is():
    code = """
import sys, numpy as np, resizelab as rl
small = rl.resize(np.zeros((8, 8)), (4, 4), "opencv.linear")
assert "numba" not in sys.modules
large = rl.resize(np.zeros((300, 300)), (400, 400), "opencv.linear")
print("numba" in sys.modules)
"""
    for wanted, used in (("1", "True"), ("0", "False")):
        assert python(code, RESIZELAB_FAST=wanted).strip() == used
