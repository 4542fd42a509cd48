"""Blocks of a banded matrix: the same numbers as the whole, and no more memory."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from resizelab import Spec, weights
from resizelab.axis import banded
from resizelab.axis.sparse import dense

BANDS = {
    "linear": Spec(),
    "cubic": Spec(kernel="cubic", a=-0.75),
    "antialias": Spec(antialias=True, boundary="exclude"),
    "wrap": Spec(kernel="cubic", a=-0.5, boundary="wrap"),
    "nearest": Spec(kernel="nearest", nearest_mode="floor"),
}
BAND = pytest.mark.parametrize("band", BANDS)
RANDOM = np.random.default_rng(7)

# --- worked ---


def test_taps_that_read_the_same_pixel_add_up():
    index, weight = np.array([[0, 0], [0, 1]]), np.array([[0.25, 0.75], [0.5, 0.5]])
    assert dense(index, weight, 3).tolist() == [[1, 0, 0], [0.5, 0.5, 0]]


def test_a_pixel_of_three_channels_is_three_numbers_further_on():
    index, weight = np.array([[0, 1]]), np.array([[0.25, 0.75]])
    wide, share = banded.spread(index, weight, 3)
    assert wide.tolist() == [[0, 3], [1, 4], [2, 5]]
    assert share.tolist() == [[0.25, 0.75]] * 3


def test_a_block_that_wraps_round_the_end_gathers():
    w = weights(BANDS["wrap"], 640, 1280)
    cut = banded.blocks(w.index, w.weight, 16, np.float64)
    gathers = [not isinstance(b.columns, slice) for b in cut]
    assert gathers[0]
    assert gathers[-1]
    assert not any(gathers[1:-1])
    assert max(b.matrix.shape[1] for b in cut) < 20


# --- laws ---


@BAND
@given(n=st.integers(1, 70), m=st.integers(1, 70), size=st.integers(1, 40))
def test_blocks_are_the_matrix(band, n, m, size):
    w = weights(BANDS[band], n, m)
    whole = np.zeros((m, n))
    cut = banded.blocks(w.index, w.weight, size, np.float64)
    for b in cut:
        whole[b.first : b.last, b.columns] += b.matrix
    np.testing.assert_allclose(whole, w.dense(), atol=1e-15)
    assert [b.first for b in cut] == list(range(0, m, size))  # `all_finite` needs it
    assert [b.last for b in cut][-1] == m


@BAND
@given(n=st.integers(1, 70), m=st.integers(1, 70), rows=st.integers(1, 9))
def test_both_ways_to_apply_are_the_matrix_product(band, n, m, rows):
    w = weights(BANDS[band], n, m)
    cut = banded.blocks(w.index, w.weight, 16, np.float64)
    x = RANDOM.random((rows, n))
    expected = x @ w.dense().T
    last = banded.apply_last(cut, x, np.empty((rows, m)))
    np.testing.assert_allclose(last, expected, atol=1e-13)
    middle = banded.apply_middle(cut, x[:, :, None], np.empty((rows, m, 1)))
    np.testing.assert_allclose(middle[:, :, 0], expected, atol=1e-13)
    every = np.indices((rows, 1)).reshape(2, -1)
    y = np.full((rows, m, 1), np.nan)
    banded.gather(w.index, w.weight, x[:, :, None], y, (every[0], every[1]))
    np.testing.assert_allclose(y[:, :, 0], expected, atol=1e-13)


@given(n=st.integers(1, 10**7), m=st.integers(1, 10**7), rows=st.integers(1, 10**6))
def test_blocks_never_outweigh_the_data(n, m, rows):
    size = banded.block_size(n, m, rows)
    assert size == 0 or banded.FEWEST // 2 <= size <= banded.MOST
    assert size * max(n, m) <= max(banded.SMALL, 2 * rows * (n + m))


def test_all_finite_sees_one_bad_number_through_its_whole_block():
    w = weights(Spec(), 64, 128)
    cut = banded.blocks(w.index, w.weight, 16, np.float64)
    for bad in (np.nan, np.inf, -np.inf):
        x = np.zeros((2, 64))
        assert banded.all_finite(cut, banded.apply_last(cut, x, np.empty((2, 128))))
        x[1, 40] = bad
        with np.errstate(invalid="ignore"):
            y = banded.apply_last(cut, x, np.empty((2, 128)))
        assert not banded.all_finite(cut, y)


# --- memory ---


@pytest.mark.parametrize(
    ("shape", "m"),
    [((400_000,), 800_000), ((2, 400_000), 100_000), ((30, 40_000), 80_000)],
)
def test_a_long_line_takes_memory_like_its_data(shape, m):
    w = weights(Spec(), shape[-1], m)
    x = np.zeros(shape, np.float32)
    tracemalloc.start()
    w.apply(x, -1)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    operator = w.index.nbytes + w.weight.nbytes
    assert peak < 3 * (operator + x.nbytes * (1 + m / shape[-1]))
