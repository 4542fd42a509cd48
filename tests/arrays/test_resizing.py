"""Whole arrays: plans, order of axes, types, memory, threads, and the engines."""

import threading
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import resizelab as rl
from resizelab import Convention, Kernel, Spec
from resizelab.arrays import resizing
from resizelab.axis import Particulars

RANDOM = np.random.default_rng(5)
CUBIC = Spec(kernel="cubic", a=-0.75)
SIZES = st.integers(1, 9)

# --- worked ---


def test_a_row_of_four_pixels():
    y = rl.resize(np.array([[0.0, 10.0, 20.0, 30.0]]), (1, 8))
    assert y.tolist() == [[0, 2.5, 7.5, 12.5, 17.5, 22.5, 27.5, 30]]


def test_two_axes_are_the_operator_twice():
    x = np.array([[0.0, 8.0], [16.0, 24.0]])
    assert rl.resize(x, (4, 4)).tolist() == [
        [0, 2, 6, 8],
        [4, 6, 10, 12],
        [12, 14, 18, 20],
        [16, 18, 22, 24],
    ]


def test_axes_are_named_in_the_order_of_the_sizes():
    x = RANDOM.random((2, 3, 4, 5))
    assert rl.resize(x, (8, 6), axes=(3, 1)).shape == (2, 6, 4, 8)
    assert rl.resize(x, 7, axes=-1).shape == (2, 3, 4, 7)
    assert rl.resize(x, scale=(2, 3), axes=(0, 2)).shape == (4, 3, 12, 5)
    assert rl.resize(x, scale=2).shape == (4, 6, 8, 10)


def test_a_scale_fixes_the_step_only_where_the_spec_asks_for_it():
    x = np.arange(5.0)
    by_scale = Spec(step_from="scale")
    # torch 2.13.0, [0 … 4], linear, scale_factor=1.5: given (default) and recomputed
    kept = [0, 0.5, 7 / 6, 11 / 6, 2.5, 19 / 6, 23 / 6]
    recomputed = [0, 4 / 7, 9 / 7, 2, 19 / 7, 24 / 7, 4]
    np.testing.assert_allclose(rl.resize(x, spec=by_scale, scale=1.5), kept)
    np.testing.assert_allclose(rl.resize(x, scale=1.5), recomputed)
    np.testing.assert_allclose(rl.resize(x, 7, by_scale, scale=1.5), kept)


def test_the_axis_that_shrinks_most_comes_first():
    settled = resizing.plan((100, 60, 8), (50, 10, 16), Spec())
    assert [axis for axis, _ in settled.work] == [1, 0, 2]
    assert settled.shape == (50, 10, 16)


def test_a_convention_carries_its_scale_and_region():
    half = Convention(name="half", spec=Spec(step_from="scale"), scale=(0.5,))
    assert rl.resize(np.arange(8.0), spec=half).tolist() == [0.5, 2.5, 4.5, 6.5]
    crop = Convention(
        name="crop", spec=Spec(grid="tf_crop_and_resize"), roi=((0.25, 0.75),)
    )
    np.testing.assert_allclose(rl.resize(np.arange(5.0), 3, crop), [1, 2, 3])


def test_clipping_keeps_a_result_in_the_range_of_its_input():
    edge = np.array([0.0, 0, 0, 1, 1, 1])
    free = rl.resize(edge, 12, CUBIC)
    assert free.min() < -0.05
    clip = Convention(
        name="clip", spec=CUBIC, particulars=Particulars(clip_to_input=True)
    )
    np.testing.assert_array_equal(rl.resize(edge, 12, clip), np.clip(free, 0, 1))


def test_clipping_does_not_spread_a_nan():
    x = np.array([0.0, 0, 0, 1, 1, 1, 1, 1, np.nan])
    clip = Convention(
        name="clip", spec=CUBIC, particulars=Particulars(clip_to_input=True)
    )
    y = rl.resize(x, 18, clip)
    assert np.isfinite(y[:12]).all()
    assert np.isnan(y[14:]).all()
    assert y[:12].min() == 0


# --- laws ---


@given(n=SIZES, m=SIZES, k=SIZES, last=SIZES)
@pytest.mark.parametrize(
    "spec", [Spec(), CUBIC, Spec(kernel="area")], ids=lambda s: s.kernel
)
def test_the_order_of_axes_changes_only_rounding(spec, n, m, k, last):
    x = RANDOM.random((n, m))
    y = rl.resize(x, (k, last), spec)
    rows_first = rl.resize(rl.resize(x, k, spec, axes=0), last, spec, axes=1)
    np.testing.assert_allclose(y, rows_first, atol=1e-12)
    transposed = rl.resize(x.T, (last, k), spec).T
    np.testing.assert_allclose(y, transposed, atol=1e-12)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("shape", [(5,), (3, 5), (2, 3, 5), (1, 2, 3, 5), (2,) * 6])
def test_type_kept_input_kept_memory_apart(dtype, shape):
    x = RANDOM.random(shape).astype(dtype)
    before = x.copy()
    x.flags.writeable = False
    for target in (shape, tuple(2 * n for n in shape), (1,) * len(shape)):
        y = rl.resize(x, target)
        assert (y.dtype, y.shape) == (dtype, target)
        assert not np.shares_memory(x, y)
        assert y.flags.writeable
    np.testing.assert_array_equal(x, before)


def test_channels_last_equals_channels_first():
    x = RANDOM.random((20, 30, 3))
    last = rl.resize(x, (41, 17), CUBIC, axes=(0, 1))
    first = rl.resize(x.transpose(2, 0, 1), (41, 17), CUBIC, axes=(1, 2))
    np.testing.assert_allclose(last, first.transpose(1, 2, 0), atol=1e-13)


def test_a_nan_reaches_the_outputs_that_read_it_and_no_other():
    x = RANDOM.random((3, 40, 50)).astype(np.float32)
    clean = rl.resize(x, (80, 25), axes=(1, 2))
    x[1, 20, 30] = np.nan
    y = rl.resize(x, (80, 25), axes=(1, 2))
    rows, columns = (rl.weights(Spec(), n, m) for n, m in ((40, 80), (50, 25)))
    reads_row = ((rows.index == 20) & (rows.weight != 0)).any(1)
    reads_column = ((columns.index == 30) & (columns.weight != 0)).any(1)
    expected = np.zeros(y.shape, bool)
    expected[1] = reads_row[:, None] & reads_column
    np.testing.assert_array_equal(np.isnan(y), expected)
    np.testing.assert_allclose(y[~expected], clean[~expected], rtol=1e-5)


# --- the cache ---


def test_operators_are_kept_and_can_be_forgotten():
    first = resizing.plan((40,), 80, Spec()).work[0][1]
    assert resizing.plan((40,), 80, Spec()).work[0][1] is first
    resizing.clear_cache()
    assert resizing.plan((40,), 80, Spec()).work[0][1] is not first


def test_a_readers_kernel_is_asked_anew_each_time():
    class Hump:
        __hash__ = None  # not every callable hashes
        height = 1.0

        def __call__(self, d):
            return self.height * (d > 0) + (d <= 0)

    hump = Hump()
    spec = Spec(kernel=Kernel("hump", 1.0, hump))
    for asked in (spec, Convention(name="mine", spec=spec)):
        hump.height = 1.0
        before = rl.resize(np.arange(5.0), 9, asked)
        hump.height = 3.0
        after = rl.resize(np.arange(5.0), 9, asked)
        assert np.abs(before - after).max() > 0.1


def test_what_is_refused_is_refused_after_what_equals_it():
    x = np.ones((4, 4), np.float32)
    assert rl.resize(x, (8, 1), "torch.bilinear").shape == (8, 1)
    with pytest.raises(TypeError, match="shape"):
        rl.resize(x, (8, True), "torch.bilinear")


def test_many_threads_get_the_same_answer():
    x = RANDOM.random((3, 60, 50))
    jobs = [(m, k) for m in (20, 61, 90) for k in (15, 50, 120)] * 3
    expected = {job: rl.resize(x, job, CUBIC, axes=(1, 2)) for job in jobs}
    resizing.clear_cache()
    wrong = []

    def work(job):
        if not np.array_equal(rl.resize(x, job, CUBIC, axes=(1, 2)), expected[job]):
            wrong.append(job)

    threads = [threading.Thread(target=work, args=(job,)) for job in jobs]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert wrong == []


# --- memory ---


@pytest.mark.parametrize("target", [(100, 120), (600, 800), (50, 900)])
def test_memory_stays_near_one_intermediate_and_the_result(target):
    x = np.zeros((3, 300, 400), np.float32)
    rl.resize(x, target, axes=(1, 2))  # the operators are not the call's own
    tracemalloc.start()
    y = rl.resize(x, target, axes=(1, 2))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    axis, operator = resizing.plan(x.shape, target, Spec(), axes=(1, 2)).work[0]
    between = x.nbytes // x.shape[axis] * operator.n_out
    assert peak <= 1.5 * (between + y.nbytes)


# --- against the engines, on whole pictures ---


@pytest.mark.live
@pytest.mark.parametrize(
    ("spec", "arguments"),
    [
        (Spec(), {"mode": "bilinear"}),
        (Spec(grid="align_corners"), {"mode": "bilinear", "align_corners": True}),
        (CUBIC, {"mode": "bicubic"}),
        (
            Spec(kernel="cubic", a=-0.5, antialias=True, boundary="exclude"),
            {"mode": "bicubic", "antialias": True},
        ),
    ],
    ids=lambda v: "-".join(map(str, v.values())) if isinstance(v, dict) else "",
)
@pytest.mark.parametrize("target", [(45, 80), (17, 9), (31, 64), (1, 1)])
def test_torchs_pictures(spec, arguments, target):
    torch = pytest.importorskip("torch", reason="needs PyTorch")
    x = RANDOM.random((2, 3, 31, 40)).astype(np.float32)
    theirs = torch.nn.functional.interpolate(
        torch.from_numpy(x), size=target, **arguments
    )
    y = rl.resize(x, target, spec, axes=(2, 3))
    np.testing.assert_allclose(y, theirs.numpy(), atol=1e-5)


@pytest.mark.live
def test_torchs_volume():
    torch = pytest.importorskip("torch", reason="needs PyTorch")
    x = RANDOM.random((1, 2, 5, 6, 7))
    theirs = torch.nn.functional.interpolate(
        torch.from_numpy(x), size=(8, 3, 14), mode="trilinear"
    )
    y = rl.resize(x, (8, 3, 14), axes=(2, 3, 4))
    np.testing.assert_allclose(y, theirs.numpy(), atol=1e-12)
