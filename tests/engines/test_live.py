"""Every live row against the engine it describes, on every engine installed.

`make test-live` measures all; `RESIZELAB_LIVE=few` takes 40 pairs a row, and
`RESIZELAB_LIBRARIES=torch,opencv` some libraries only.
"""

import os
import time

import integer_pictures
import numpy as np
import pytest

import resizelab as rl
from resizelab import engines
from resizelab.arrays import resizing
from resizelab.engines import conformance

pytestmark = [
    pytest.mark.live,
    # The engines warn about what they are asked; that is theirs to say.
    pytest.mark.filterwarnings("ignore"),
]
FEW = os.environ.get("RESIZELAB_LIVE") == "few"
WANTED = [n for n in os.environ.get("RESIZELAB_LIBRARIES", "").split(",") if n]
ROWS = [
    row
    for row in map(rl.convention, rl.conventions())
    if row.status == "live" and (not WANTED or row.library in WANTED)
]
NEAREST = [row for row in ROWS if row.spec.kernel == "nearest" and row.scale is None]
QUICK = 1e-3  # seconds a pair, below which sizes to 64 x 64 are tried


def ids(row):
    return row.name


@pytest.fixture(autouse=True)
def _installed(row):
    if not engines.version(row.library):
        pytest.skip(f"{row.library} is not installed")


@pytest.mark.parametrize("row", ROWS, ids=ids)
def test_row_computes_what_the_engine_does(row, capsys):
    # JAX compiles anew for each size: 157 pairs of its 23 rows take ten minutes.
    few = FEW or row.library == "jax"
    result = conformance.compare(row, conformance.FEW if few else conformance.PAIRS)
    with capsys.disabled():
        print(f"\n{result.line()}", end="")
    assert result.tried, f"the engine refused every pair: {result.refused}"
    assert result.good, f"{len(result.missed)} missed: {result.missed[:5]}"


INTEGERS = [
    (row, dtype) for row in ROWS for dtype in integer_pictures.integer_dtypes(row)
]


@pytest.mark.parametrize(
    ("row", "dtype"), INTEGERS, ids=[f"{r.name}-{d}" for r, d in INTEGERS]
)
def test_row_computes_the_engine_s_integers(row, dtype, capsys):
    result = integer_pictures.compare_integers(row, dtype, 20 if FEW else 60)
    with capsys.disabled():
        print(f"\n{result.line()}", end="")
    assert result.tried, f"the engine refused every picture: {result.refused}"
    # A small sample of a small share: three times as many are no surprise.
    assert result.wrong <= 3 * result.share * result.values, result.missed[:5]


@pytest.mark.skipif(FEW, reason="the short run tries 40 pairs")
@pytest.mark.parametrize("row", NEAREST, ids=ids)
def test_nearest_reads_the_same_pixel_at_every_size(row):
    start = time.perf_counter()
    engines.matrix(row, 8, 12)
    start = time.perf_counter()
    engines.matrix(row, 9, 13)
    largest = 64 if time.perf_counter() - start < QUICK else 16
    sizes = range(1, largest + 1)
    result = conformance.compare(row, [(n, m) for n in sizes for m in sizes])
    assert result.good, f"{len(result.missed)} of {result.tried}: {result.missed[:5]}"


@pytest.mark.parametrize("row", [r for r in ROWS if r.scale is None], ids=ids)
def test_row_holds_at_sizes_that_no_table_has(row, request):
    """Random sizes, both axes at once, float32: 99.5 % of rows' runs equal at 1e-5."""
    rng = np.random.default_rng(sum(map(ord, row.name)))
    fewest, most = engines.ranks(row)
    for _ in range(4):
        ndim = min(max(2, fewest), most)
        before, after = rng.integers(1, 60, (2, ndim))
        if row.particulars.aspect_ratio != "stretch":
            continue
        x = rng.random(tuple(before)).astype(np.float32)
        shape = tuple(int(n) for n in after)
        try:
            measured = engines.run(row, x, shape)
        except (engines.SizeRefused, ValueError, RuntimeError):
            continue  # what the engine refuses is recorded by the pairs above
        gap = np.abs(measured - resizing.resize(x, shape, row))
        ties = (row.missed or 0.0) + 0.005
        allowed = max(1e-5, conformance.allowed(row, max(*before, *after)))
        assert (gap > allowed).mean() <= ties, f"{tuple(before)} to {shape}"


SWEPT = [(row, "float32") for row in ROWS] + INTEGERS


@pytest.mark.parametrize(
    ("row", "dtype"), SWEPT, ids=[f"{r.name}-{d}" for r, d in SWEPT]
)
def test_row_computes_what_the_engine_does_at_photo_sizes(row, dtype):
    """Random sizes of one axis up to 4 096, the other axis a strip that changes too."""
    rng = np.random.default_rng(0)
    tried = off = values = 0
    rank = min(max(2, engines.ranks(row)[0]), engines.ranks(row)[1])
    for _ in range(6 if FEW else 40):
        n, m = (int(k) for k in rng.integers(2, 4097, 2))
        before, after = (n, 5, 4)[:rank], (m, 7, 3)[:rank]
        scale = None
        if conformance.by_scale(row):
            scale, after = (max(1, round(m / n)) * 1.0,) * rank, None
        x = rng.integers(0, 256, before) if dtype != "float32" else rng.random(before)
        x = x.astype(dtype)
        try:
            expected = engines.run(row, x, after, scale)
        except (engines.SizeRefused, ValueError, RuntimeError, TypeError):
            continue
        got = rl.resize(x, after and expected.shape, row, scale=scale)
        limit = conformance.allowed(row, n + m) if expected.dtype.kind == "f" else 0.0
        limit *= 1.0 if dtype == "float32" else 255.0  # of levels
        wrong = np.abs(got.astype(np.float64) - expected) > limit
        tried, off, values = tried + 1, off + int(wrong.sum()), values + wrong.size
    if not tried:
        pytest.skip("the engine takes no such sizes")
    share = (row.missed if dtype == "float32" else row.off_by_one) or 0.0
    assert off <= 3 * share * values, f"{off} of {values} differ"
