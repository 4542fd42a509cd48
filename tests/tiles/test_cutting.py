"""Tiles: chunked work equal to the whole, to the bit; and volumes within a budget."""

import sys
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import resizelab as rl
from resizelab import Convention, Spec, tiles, volumes
from resizelab.arrays import taps
from resizelab.axis import Arithmetic, Particulars

RANDOM = np.random.default_rng(11)
FLOATS = (np.float16, np.float32, np.float64)
CONVENTIONS = (
    *("torch.trilinear", "torch.trilinear.align_corners", "torch.nearest"),
    *("torch.bicubic", "torch.bilinear.antialias", "torch.bicubic.antialias"),
    *("tf1.bilinear", "tf2.lanczos3.antialias", "torch.area", "pillow.bicubic"),
    *("scipy.zoom.cubic", "scipy.zoom.linear", "jax.lanczos5"),
)
SHAPES = (
    ((17,), (40,)),
    ((23,), (9,)),
    ((14, 11), (9, 30)),
    ((9, 8, 7), (22, 8, 5)),
    ((31, 3, 6), (12, 7, 6)),
)


def same(a, b):
    """Say whether two arrays hold the same bits."""
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


# --- worked ---


def test_a_tile_of_the_ramp_reads_a_neighbour_on_each_side():
    whole = rl.weights(Spec(), 8, 16)
    reads, operator = tiles.cut(whole, 4, 8)
    # Outputs 4 … 7 stand over inputs 2 and 3; they read at 1.75, 2.25, 2.75, 3.25.
    assert reads == slice(1, 5)
    assert (operator @ np.arange(1.0, 5.0)).tolist() == [1.75, 2.25, 2.75, 3.25]


def test_a_chunk_alone_takes_its_own_end_for_the_end():
    ramp = np.arange(8.0)
    alone = rl.resize(ramp[:4], 8)
    whole = tiles.resize(ramp, 16, chunks=8)
    assert alone.tolist() == [0, 0.25, 0.75, 1.25, 1.75, 2.25, 2.75, 3]
    assert whole[:8].tolist() == [0, 0.25, 0.75, 1.25, 1.75, 2.25, 2.75, 3.25]


def test_chunks_are_sizes_of_the_output():
    cuts = tiles.tiling((4, 6), (10, 6), chunks=4)
    assert cuts.chunks == (4, 6)
    assert [r[0] for r in cuts.regions()] == [slice(0, 4), slice(4, 8), slice(8, 10)]
    assert tiles.tiling((4, 6), (10, 6), chunks=(None, 5)).chunks == (10, 5)
    assert tiles.tiling((4, 6), (10, 6)).chunks == (10, 6)


def test_a_cubic_spline_reads_a_band_of_about_thirty_pixels():
    whole = rl.weights("scipy.zoom.cubic.reflect.grid_mode", 200, 400)
    reads, _ = tiles.cut(whole, 200, 202)
    assert 50 < reads.stop - reads.start < 70


def test_taps_of_weight_zero_are_not_read():
    whole = rl.weights(Spec(kernel="cubic", a=-0.5), 9, 9)
    assert tiles.cut(whole, 4, 5)[0] == slice(4, 5)


def test_the_tile_by_tile_runner_writes_where_it_is_told(tmp_path):
    x = RANDOM.random((6, 5))
    path = tmp_path / "out.npy"
    out = np.lib.format.open_memmap(path, "w+", np.float64, (14, 5))
    seen = []

    def progress(regions):
        for region in regions:
            seen.append(region)
            yield region

    returned = tiles.resize(x, (14, 5), out=out, chunks=4, progress=progress)
    assert returned is out
    assert len(seen) == 4
    assert same(np.load(path), tiles.resize(x, (14, 5)))


def test_x_may_be_a_list_and_is_never_changed():
    assert tiles.resize([0.0, 10, 20, 30], 8)[1] == 2.5
    x = RANDOM.random(8)
    kept = x.copy()
    clip = Convention(
        name="clip", spec=Spec(), particulars=Particulars(clip_to_input=True)
    )
    tiles.resize(x, 8, clip, limits=(0.4, 0.6))
    assert same(x, kept)


# --- to the bit ---


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", CONVENTIONS)
def test_tiles_equal_the_whole_to_the_bit_and_resize_to_rounding(name, dtype):
    c = rl.convention(name)
    for before, after in SHAPES:
        x = RANDOM.normal(size=before).astype(dtype)
        whole = tiles.resize(x, after, c)
        for chunks in (1, 2, 5, (3,) * len(after), (None,) * (len(after) - 1) + (4,)):
            assert same(tiles.resize(x, after, c, chunks=chunks), whole), chunks
        x = RANDOM.random(size=before).astype(dtype)
        ours, theirs = tiles.resize(x, after, c), rl.resize(x, after, c)
        assert ours.dtype == theirs.dtype
        near = 8 * np.finfo(ours.dtype).eps
        np.testing.assert_allclose(ours, theirs, rtol=near, atol=near)


@pytest.mark.slow
def test_tiles_of_every_convention_equal_the_whole():
    x = RANDOM.random((12, 10)).astype(np.float32)
    ends, compared = (0.0, 1.0), 0  # of the whole, for those that clip
    for name in rl.conventions():
        c = rl.convention(name)
        limits = ends if c.particulars.clip_to_input else None
        try:
            rl.resize(x, (7, 23), c)
        except ValueError:
            continue  # made for another number of axes
        whole = tiles.resize(x, (7, 23), c, limits=limits)
        for chunks in (3, (2, 9)):
            part = tiles.resize(x, (7, 23), c, limits=limits, chunks=chunks)
            assert same(part, whole), name
        compared += 1
    assert compared > 600


@given(
    st.integers(1, 40),
    st.integers(1, 60),
    st.integers(1, 60),
    st.sampled_from(CONVENTIONS),
    st.sampled_from(FLOATS),
    st.integers(0, 2**32 - 1),
)
@settings(max_examples=150, deadline=None)
def test_any_part_of_any_axis_equals_the_whole(n_in, n_out, chunk, name, dtype, seed):
    x = np.random.default_rng(seed).normal(size=n_in).astype(dtype)
    c = rl.convention(name)
    assert same(tiles.resize(x, n_out, c, chunks=chunk), tiles.resize(x, n_out, c))


@given(st.integers(2, 40), st.integers(1, 60), st.data())
@settings(max_examples=100, deadline=None)
def test_a_cut_operator_is_rows_of_the_whole(n_in, n_out, data):
    whole = rl.weights(Spec(kernel="cubic", a=-0.75, antialias=True), n_in, n_out)
    first = data.draw(st.integers(0, n_out - 1))
    last = data.draw(st.integers(first + 1, n_out))
    reads, part = tiles.cut(whole, first, last)
    rows = whole.dense()[first:last]
    assert np.array_equal(part.dense(), rows[:, reads])
    outside = np.delete(rows, np.r_[reads], axis=1)
    assert not outside.any()
    used = np.flatnonzero(rows.any(axis=0))
    assert (reads.start, reads.stop) == (used[0], used[-1] + 1)


@pytest.mark.parametrize("boundary", ["edge", "symmetric", "reflect", "wrap"])
def test_boundary_rules_belong_to_the_whole(boundary):
    spec = Spec(kernel="cubic", a=-0.5, boundary=boundary)
    x = RANDOM.random((12, 3))
    assert same(
        tiles.resize(x, (30, 3), spec, chunks=7), tiles.resize(x, (30, 3), spec)
    )


def test_what_lies_outside_stays_outside():
    spec = Spec(kernel="cubic", a=-0.5, boundary="constant", fill=5.0)
    x = RANDOM.random(12)
    whole = tiles.resize(x, 30, spec)
    np.testing.assert_allclose(whole, rl.resize(x, 30, spec), rtol=1e-14)
    assert same(tiles.resize(x, 30, spec, chunks=4), whole)


def test_a_scale_and_the_axes_are_those_of_the_whole():
    x = RANDOM.random((7, 9, 4)).astype(np.float32)
    spec = Spec(step_from="scale")
    choices = {"scale": (1.7, 0.6), "axes": (0, 1)}
    whole = tiles.resize(x, None, spec, **choices)
    assert whole.shape == rl.resize(x, None, spec, **choices).shape
    assert same(tiles.resize(x, None, spec, chunks=(3, 2, 1), **choices), whole)


def test_labels_are_copied_in_their_own_type():
    labels = RANDOM.integers(0, 9, (10, 7)).astype(np.uint8)
    c = rl.convention("torch.nearest")
    whole = tiles.resize(labels, (23, 16), c, chunks=(5, 4))
    assert same(whole, rl.resize(labels, (23, 16), c))


def test_a_type_that_a_library_changes_is_changed():
    c = rl.convention("tf2.bilinear")
    x = RANDOM.random(12)
    assert rl.resize(x, 30, c).dtype == tiles.resize(x, 30, c, chunks=7).dtype


def test_nan_and_infinity_reach_as_far_as_their_weights():
    x = RANDOM.random((20, 3))
    x[8, 1], x[15, 0] = np.nan, np.inf
    whole, theirs = tiles.resize(x, (50, 3)), rl.resize(x, (50, 3))
    assert np.array_equal(np.isnan(whole), np.isnan(theirs))
    assert np.array_equal(np.isinf(whole), np.isinf(theirs))
    assert np.isnan(whole).any()
    assert same(tiles.resize(x, (50, 3), chunks=6), whole)


def test_clipping_goes_by_the_range_of_the_whole():
    c = rl.convention("skimage.cubic")
    x = RANDOM.random((15, 6))
    ends = float(x.min()), float(x.max())
    whole = tiles.resize(x, (40, 6), c, limits=ends)
    assert whole.min() >= ends[0]
    assert whole.max() <= ends[1]
    np.testing.assert_allclose(whole, rl.resize(x, (40, 6), c), atol=1e-13)
    assert same(tiles.resize(x, (40, 6), c, limits=ends, chunks=9), whole)


def test_long_lines_fall_into_blocks_and_nothing_changes(monkeypatch):
    x = RANDOM.random((40, 30, 20)).astype(np.float32)
    w = rl.weights(Spec(kernel="cubic", a=-0.75), 30, 47)
    usual = [taps.apply(rl.weights(Spec(), n, 33), x, a) for a, n in enumerate(x.shape)]
    wide = taps.apply(w, x, 1)
    for block in (1, 7, 300, 5000):
        monkeypatch.setattr(taps, "BLOCK", block)
        for a, n in enumerate(x.shape):
            assert same(taps.apply(rl.weights(Spec(), n, 33), x, a), usual[a])
        assert same(taps.apply(w, x, 1), wide)


# --- memory ---


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("budget", [2_500_000, 4_000_000, 9_000_000])
@pytest.mark.parametrize("after", [(96, 128, 96), (30, 40, 90)])
def test_a_tile_stays_within_its_budget(dtype, budget, after):
    x = RANDOM.random((48, 64, 48)).astype(dtype)
    out = np.empty(after, dtype)
    choices = {"dtype": dtype, "budget": budget}
    assert tiles.tiling(x.shape, after, **choices).memory <= budget
    peak = peak_of(lambda: tiles.resize(x, after, out=out, budget=budget))
    assert peak <= budget
    assert same(out, tiles.resize(x, after))


def peak_of(work):
    work()  # operators and modules are loaded by then
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        work()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


def test_a_budget_cuts_the_first_axis_before_the_next():
    def chunks(budget):
        return tiles.tiling((40, 50, 60), (80, 100, 120), budget=budget).chunks

    assert chunks(10**9) == (80, 100, 120)
    first, *rest = chunks(3_000_000)
    assert 1 < first < 80
    assert rest == [100, 120]
    first, second, third = chunks(taps.SCRATCH + 50_000)
    assert first == 1
    assert 1 <= second < 100
    assert third == 120


# --- by dask ---


@pytest.mark.parametrize("name", ["torch.trilinear", "scipy.zoom.cubic"])
@pytest.mark.parametrize("workers", [1, 3])
def test_dask_gives_the_same_bits(name, workers):
    x = RANDOM.random((20, 18, 16)).astype(np.float32)
    made = volumes.resize(x, (45, 18, 30), name, chunks=(7, 9), workers=workers)
    assert same(made, tiles.resize(x, (45, 18, 30), rl.convention(name)))


def test_a_dask_array_becomes_a_dask_array():
    da = pytest.importorskip("dask.array")
    x = RANDOM.random((20, 18, 16))
    chunked = da.from_array(x, chunks=(6, 10, 16))
    whole = tiles.resize(x, (45, 18, 30))
    result = volumes.lazy(chunked, (45, 18, 30), chunks=(20, 7))
    assert result.chunks == ((20, 20, 5), (7, 7, 4), (30,))
    assert same(result.compute(scheduler="threads"), whole)
    assert same(volumes.resize(chunked, (45, 18, 30), chunks=9), whole)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_volume_larger_than_its_budget(tmp_path, workers):
    x = np.lib.format.open_memmap(tmp_path / "x.npy", "w+", np.float32, (40, 128, 128))
    x[:] = RANDOM.random(x.shape, np.float32)
    out = np.lib.format.open_memmap(
        tmp_path / "y.npy", "w+", np.float32, (80, 256, 256)
    )
    budget = out.nbytes // 2
    peak = peak_of(
        lambda: volumes.resize(x, out.shape, out=out, budget=budget, workers=workers)
    )
    assert peak <= budget < out.nbytes
    assert same(np.asarray(out), tiles.resize(np.asarray(x), out.shape))


def test_progress_is_shown_on_standard_output_when_asked_for(capsys):
    x = RANDOM.random((20, 18))
    volumes.resize(x, (45, 18), chunks=9)
    assert capsys.readouterr().out == ""
    volumes.resize(x, (45, 18), chunks=9, progress=True)
    shown = capsys.readouterr()
    assert "100% Completed" in shown.out
    assert shown.err == ""


def test_without_dask_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "dask.array", None)
    with pytest.raises(ImportError, match=r"pip install 'resizelab\[volumes\]'"):
        volumes.resize(np.ones(4), 8)


@pytest.mark.parametrize("side", [2_000, 6_000])
def test_a_whole_that_no_memory_holds_falls_into_tiles(side):
    cuts = tiles.tiling((side // 2,) * 3, (side,) * 3, budget=10**9)
    assert cuts.memory <= 10**9 < side**3
    first = cuts.tile(next(cuts.regions()))
    assert first.shape == cuts.chunks


# --- errors ---


def raises(kind, message):
    return pytest.raises(kind, match=f"^{message}")


def test_errors_name_the_parameter_and_what_is_allowed():
    x = np.ones((4, 5))
    with raises(ValueError, "give chunks or budget, not both"):
        tiles.resize(x, (8, 5), chunks=2, budget=10**6)
    with raises(ValueError, r"chunks must have at most 2 sizes, one an axis; got \(1,"):
        tiles.resize(x, (8, 5), chunks=(1, 1, 1))
    with raises(ValueError, "chunks must be from 1 to .*; got 0"):
        tiles.resize(x, (8, 5), chunks=0)
    with raises(TypeError, "budget must be an int; got 1000000.0"):
        tiles.resize(x, (8, 5), budget=1e6)
    with raises(ValueError, "workers must be at least 1; got 0"):
        volumes.resize(x, (8, 5), workers=0)
    with raises(ValueError, "budget must be at least 157.* bytes, what a tile of one"):
        tiles.resize(x, (8, 5), budget=100)
    with raises(ValueError, r"out must have shape \(8, 5\) and dtype float64; got"):
        tiles.resize(x, (8, 5), out=np.empty((8, 5), np.float32))
    with raises(ValueError, "first and last must hold 0 <= first < last <= 8"):
        tiles.cut(rl.weights(Spec(), 4, 8), 3, 9)
    with raises(ValueError, r"part must be the input at reads, of shape \(3, 5\)"):
        tile = tiles.tiling((4, 5), (8, 5), chunks=4)
        tile.tile(next(tile.regions())).run(x)
    with raises(TypeError, "chunks must be a whole number of pixels.*; got 2.5"):
        tiles.resize(x, (8, 5), chunks=2.5)
    with raises(TypeError, "chunks must be a whole number of pixels.*; got 'ab'"):
        tiles.resize(x, (8, 5), chunks="ab")
    with raises(ValueError, "at_once must be from 1 to .*; got 0"):
        tiles.tiling((4, 5), (8, 5), budget=10**7, at_once=0)
    with raises(TypeError, "progress must be callable, as tqdm is; got True"):
        tiles.resize(x, (8, 5), progress=True)
    with raises(TypeError, r"out must be an array or a memory map; got \[1\]"):
        tiles.resize(x, (8, 5), out=[1])
    with raises(TypeError, "x must be an array or a memory map.*; got list"):
        volumes.resize([1.0, 2.0], 4)


def test_sizes_may_be_numpy_s_own_integers():
    sizes = np.array([3, 2])
    assert tiles.tiling((4, 5), (8, 5), chunks=sizes).chunks == (3, 2)
    assert tiles.tiling((4, 5), (8, 5), chunks=sizes[0]).chunks == (3, 5)
    assert tiles.tiling((4, 5), (8, 5), budget=np.int64(10**7)).chunks == (8, 5)


@pytest.mark.parametrize("resize", [tiles.resize, volumes.resize])
def test_the_output_is_not_written_over_the_input(resize):
    x = np.arange(16.0) ** 2
    region = rl.Convention(name="r", spec=Spec(grid="box"), roi=((4.5, 12.0),))
    with raises(ValueError, "out must not share memory with x"):
        resize(x, 16, region, out=x[::-1], chunks=3)
    np.testing.assert_array_equal(x, np.arange(16.0) ** 2)


@pytest.mark.parametrize("resize", [tiles.resize, volumes.resize])
def test_a_masked_array_is_refused_as_by_the_whole(resize):
    hidden = np.ma.masked_array(np.ones((4, 5)), True)
    with raises(TypeError, "x is a masked array: a resize has no rule for masks"):
        resize(hidden, (8, 5), chunks=2)


def test_integers_that_are_copied_need_no_clipping():
    clip = rl.Convention(
        name="clip",
        spec=Spec(kernel="nearest", nearest_mode="floor", grid="asymmetric"),
        particulars=Particulars(clip_to_input=True),
        arithmetic={"uint8": Arithmetic()},
    )
    x = RANDOM.integers(0, 256, (7, 5)).astype(np.uint8)
    limits = float(x.min()), float(x.max())
    made = tiles.resize(x, (11, 3), clip, chunks=2, limits=limits)
    assert same(made, rl.resize(x, (11, 3), clip))


def test_limits_stand_in_order():
    clip = rl.Convention(
        name="clip", spec=Spec(), particulars=Particulars(clip_to_input=True)
    )
    with raises(ValueError, r"limits must be \(least, greatest\); got \(1, 0\)"):
        tiles.tiling((4,), (8,), clip, limits=(1, 0))


def test_clipping_needs_the_range_of_the_whole():
    c = rl.convention("skimage.cubic")
    with raises(ValueError, "this convention clips to the range of the whole input"):
        tiles.resize(np.ones(4), 8, c)
    with raises(ValueError, "limits goes with a convention that clips"):
        tiles.resize(np.ones(4), 8, limits=(0, 1))
    with raises(ValueError, "limits must be two numbers"):
        tiles.resize(np.ones(4), 8, c, limits=3)


def test_integers_that_are_rounded_are_refused():
    c = rl.convention("torch.bilinear")
    with raises(TypeError, "x has dtype uint8: tiles resize floats"):
        tiles.resize(np.ones((4, 4), np.uint8), (8, 8), c)
