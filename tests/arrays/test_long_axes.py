"""An axis of 32 000 pixels: no path is slower, or larger, than its taps."""

import time
import tracemalloc

import numpy as np
import pytest

import resizelab as rl
from resizelab.arrays import integers, resizing
from resizelab.catalog.table import rows

BEFORE, AFTER = 32_000, 31_999
SECONDS, MEBIBYTES = 0.2, 64
# The widest of its kind each: splines, blurs, byte sums in stages, sums of two taps.
FEW = (
    *("torch.bicubic", "torch.bilinear.antialias", "pillow.lanczos", "opencv.linear"),
    *("opencv.lanczos4", "onnxruntime.linear", "scipy.zoom.quintic"),
    *("scipy.zoom.quintic.nearest", "skimage.cubic", "litert.resize_bilinear"),
)


def kinds():
    """Yield one row of each kind: a kernel, a border, filters, an arithmetic."""
    found = {}
    for row in rows().values():
        a = row.arithmetic.get("uint8") or row.arithmetic.get("integers")
        sums = a and (a.weight_bits, a.accumulator, a.between_passes, a.output_dtype)
        spec = row.spec
        kernel = spec.kernel, spec.order, spec.antialias, spec.boundary
        found.setdefault((kernel, row.particulars.prefilter, sums), row)
    return list(found.values())


def dtypes(row):
    named = {key.split(".")[0] for key in row.arithmetic} - {"floats"}
    whole = {"uint8", "int32"} if "integers" in named else set()
    return sorted({"float32"} | whole | named - {"integers"})


def resized(row, dtype):
    """Build the operator and apply it to one line; None where that is refused."""
    resizing.clear_cache()
    integers.clear_cache()
    x = (np.arange(BEFORE) % 100).astype(dtype)
    given = row.spec.step_from == "scale" and row.scale is None
    scale = AFTER / BEFORE if given else None
    try:
        return rl.resize(x, (AFTER,), row, axes=(0,), scale=scale)
    except (ValueError, TypeError):
        return None


def check_memory(row):
    for dtype in dtypes(row):
        tracemalloc.start()
        made = resized(row, dtype)
        peak = tracemalloc.get_traced_memory()[1] / 2**20
        tracemalloc.stop()
        assert made is None or peak <= MEBIBYTES, f"{row.name} {dtype}: {peak:.0f} MiB"


@pytest.mark.parametrize("name", [n for n in FEW if n in rows()])
def test_a_line_takes_little_memory(name):
    check_memory(rl.convention(name))


@pytest.mark.live
@pytest.mark.parametrize("row", kinds(), ids=lambda row: row.name)
def test_a_line_of_every_kind_takes_little_memory(row):
    check_memory(row)


@pytest.mark.alone
@pytest.mark.parametrize("row", kinds(), ids=lambda row: row.name)
def test_a_line_takes_little_time(row):
    for dtype in dtypes(row):
        best = np.inf
        for _ in range(3):
            start = time.process_time()
            resized(row, dtype)
            best = min(best, time.process_time() - start)
        assert best <= SECONDS, f"{row.name} {dtype}: {best:.2f} s"


def test_an_operator_has_no_taps_without_weight():
    for n, m in ((40, 80), (80, 40), (40, 41)):
        for name in ("torch.bilinear", "pillow.bicubic", "tf2.lanczos3"):
            w = rl.weights(name, n, m)
            assert (w.weight != 0).sum(1).max() == w.index.shape[1]


@pytest.mark.parametrize("name", ["scipy.zoom.cubic", "scipy.zoom.quintic.nearest"])
def test_a_long_axis_is_the_short_one_again(name):
    """A spline dies out, so the middle of a long axis is that of a short one."""
    short, long = (rl.weights(name, n, 2 * n - 1) for n in (300, 3000))
    x = np.random.default_rng(0).random(3000)
    there = long @ x
    some = slice(100, 1800)
    here = rl.weights(name, 3000, 5999).apply(x)[some]
    np.testing.assert_allclose(there[some], here, atol=1e-12)
    assert abs(short.row_sums() - 1).max() < 1e-9


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        (rl.Spec(kernel="gaussian", sigma=1e9, cut=1e9), "kernel 'gaussian' makes"),
        (rl.Spec(kernel=rl.Kernel("wide", 1e12, np.ones_like)), "kernel 'wide' makes"),
    ],
)
def test_a_kernel_that_no_axis_can_use_is_refused(spec, words):
    with pytest.raises(ValueError, match=f"^{words}"):
        rl.resize(np.zeros(8), (16,), spec)


def test_lobes_and_sigmas_are_bounded():
    with pytest.raises(ValueError, match=r"^lobes must be from 1 to 64;"):
        rl.Spec(kernel="lanczos", lobes=1_000_000_000)
    blurred = rl.convention("skimage.linear")
    p = blurred.particulars.replace(blur_sigma=(1e9,))
    with pytest.raises(ValueError, match=r"^a Gaussian of sigma 1e\+09 makes"):
        rl.weights(blurred.replace(particulars=p), 8, 4)
