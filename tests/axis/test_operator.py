"""The one-axis operator: applied anywhere, transposed, composed, shown."""

import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from resizelab import Spec, Weights, weights

PIXELS = np.array([0.0, 10.0, 20.0, 30.0])
SIZES = st.integers(1, 12)
SPECS = {
    "linear": Spec(),
    "corners": Spec(grid="align_corners"),
    "asymmetric": Spec(grid="asymmetric"),
    "cubic": Spec(kernel="cubic", a=-0.75),
    "antialias": Spec(kernel="cubic", a=-0.5, antialias=True, boundary="exclude"),
    "wrap": Spec(kernel="lanczos", lobes=3, boundary="wrap"),
    "reflect": Spec(kernel="bspline", order=3, boundary="reflect"),
    "area": Spec(kernel="area"),
    "nearest": Spec(kernel="nearest", nearest_mode="round_prefer_floor"),
    "constant": Spec(boundary="constant", fill=7.0),
    "outside": Spec(grid="tf_half_pixel_for_nn", extrapolation=-1.0),
}
EVERY = pytest.mark.parametrize("name", SPECS)
LINEAR_MAPS = pytest.mark.parametrize(
    "name", [n for n in SPECS if n not in ("constant", "outside")]
)
RANDOM = np.random.default_rng(11)


def offset_of(w):
    return np.zeros(w.n_out) if w.offset is None else w.offset


# --- worked ---


def test_from_2_to_4():
    w = weights(Spec(), 2, 4)
    assert w.dense().tolist() == [[1, 0], [0.75, 0.25], [0.25, 0.75], [0, 1]]
    assert (w @ np.array([0.0, 8.0])).tolist() == [0, 2, 6, 8]
    assert w.centroids().tolist() == [0, 0.25, 0.75, 1]
    assert w.row_sums().tolist() == [1, 1, 1, 1]
    assert (w.n_in, w.n_out, w.shape) == (2, 4, (4, 2))


def test_the_transpose_gives_each_input_what_it_was_used_for():
    w = weights(Spec(), 2, 4)
    assert w.T.dense().tolist() == [[1, 0.75, 0.25, 0], [0, 0.25, 0.75, 1]]
    assert w.T.shape == (2, 4)


def test_two_doublings_are_one_operator():
    twice = weights(Spec(), 4, 8) @ weights(Spec(), 2, 4)
    x = np.array([0.0, 8.0])
    assert (twice @ x).tolist() == [0, 0.5, 1.5, 3, 5, 6.5, 7.5, 8]


def test_an_outside_with_a_value_adds_a_constant():
    w = weights(Spec(boundary="constant", fill=8.0), 2, 4)
    assert (w @ np.array([0.0, 0.0])).tolist() == [2, 0, 0, 2]
    assert w.row_sums().tolist() == [0.75, 1, 1, 0.75]


def test_a_row_that_reads_nothing_has_no_centre():
    w = Weights([[0], [1]], [[0.0], [1.0]], 2)
    assert np.isnan(w.centroids()).tolist() == [True, False]


def test_a_matrix_of_zeros_is_an_operator_too():
    w = Weights.from_dense(np.zeros((3, 2)), np.array([1.0, 2, 3]))
    assert (w @ np.array([5.0, 5.0])).tolist() == [1, 2, 3]


def test_a_notebook_shows_a_shaded_table():
    html = weights(Spec(kernel="cubic", a=-0.75), 4, 8)._repr_html_()
    assert html.startswith("<table class='resizelab-matrix'><caption>8 outputs from 4")
    assert html.count("<tr>") == 9
    assert "70,130,180" in html  # adds
    assert "200,80,60" in html  # subtracts
    assert ">1.11<" in html  # 283 / 256: the taps past the end add up there
    big = weights(Spec(), 100, 300)._repr_html_()
    assert "(the first 24 are shown)" in big
    assert big.count("<tr>") == 25


# --- laws ---


@EVERY
@given(n=SIZES, m=SIZES)
def test_dense_equals_apply(name, n, m):
    w = weights(SPECS[name], n, m)
    x = RANDOM.random(n)
    np.testing.assert_allclose(
        w.apply(x), w.dense() @ x + offset_of(w), atol=1e-13, rtol=1e-13
    )


@EVERY
@pytest.mark.parametrize("rank", range(1, 6))
def test_any_axis_of_any_rank(name, rank):
    shape = (5, 2, 3, 4, 12)[:rank]
    x = RANDOM.random(shape)
    for axis in range(-rank, rank):
        w = weights(SPECS[name], shape[axis], 9)
        y = w.apply(x, axis)
        expected = np.moveaxis(np.tensordot(w.dense(), x, (1, axis)), 0, axis)
        offset = offset_of(w).reshape(-1, *[1] * (rank - axis % rank - 1))
        np.testing.assert_allclose(y, expected + offset, atol=1e-13)
        assert y.shape == expected.shape


LAYOUTS = {
    "C": lambda x: x,
    "Fortran": np.asfortranarray,
    "channels_last": lambda x: np.ascontiguousarray(x.transpose(1, 2, 0)).transpose(
        2, 0, 1
    ),
    "every second": lambda x: np.repeat(x, 2, axis=1)[:, ::2],
    "backwards": lambda x: x[:, ::-1].copy()[:, ::-1],
    "broadcast": lambda x: np.broadcast_to(x[:, :, :1], x.shape),
    "other byte order": lambda x: x.astype(x.dtype.newbyteorder()),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_the_layout_in_memory_does_not_matter(layout, axis):
    x = LAYOUTS[layout](RANDOM.random((4, 6, 10)))
    w = weights(SPECS["cubic"], x.shape[axis], 7)
    before = x.copy()
    expected = w.apply(np.array(x, np.float64, order="C"), axis)
    np.testing.assert_allclose(w.apply(x, axis), expected, atol=1e-15)
    np.testing.assert_array_equal(x, before)


@EVERY
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_the_float_type_is_kept(name, dtype):
    w = weights(SPECS[name], 9, 14)
    x = RANDOM.random((3, 9)).astype(dtype)
    y = w.apply(x, 1)
    assert y.dtype == dtype
    exact = x.astype(np.float64) @ w.dense().T + offset_of(w)
    np.testing.assert_allclose(y, exact, atol=12 * np.finfo(dtype).eps)


@EVERY
def test_input_and_result_share_no_memory(name):
    for n, m in ((6, 6), (6, 9), (6, 3)):
        x = RANDOM.random((6, 6))
        x.flags.writeable = False
        for axis in (0, 1):
            y = weights(SPECS[name], n, m).apply(x, axis)
            assert not np.shares_memory(x, y)
            assert y.flags.writeable


@LINEAR_MAPS
@given(n=SIZES, m=SIZES)
def test_the_transpose_is_the_adjoint(name, n, m):
    w = weights(SPECS[name], n, m)
    x, y = RANDOM.random(n), RANDOM.random(m)
    assert (w @ x) @ y == pytest.approx(x @ (w.T @ y), abs=1e-12)
    np.testing.assert_allclose(w.T.dense(), w.dense().T, atol=1e-15)
    np.testing.assert_allclose(w.T.T.dense(), w.dense(), atol=1e-15)


@EVERY
@given(n=SIZES, m=SIZES, k=SIZES, last=SIZES)
def test_composition_associates_and_equals_one_after_the_other(name, n, m, k, last):
    a, b = weights(SPECS[name], n, m), weights(SPECS[name], m, k)
    c = weights(SPECS["linear"], k, last)
    x = RANDOM.random(n)
    expected = c.apply(b.apply(a.apply(x)))
    for chain in ((c @ b) @ a, c @ (b @ a)):
        np.testing.assert_allclose(chain @ x, expected, atol=1e-11)


@EVERY
@given(n=SIZES, m=SIZES)
def test_from_dense_gives_the_operator_back(name, n, m):
    w = weights(SPECS[name], n, m)
    back = Weights.from_dense(w.dense(), w.offset)
    np.testing.assert_allclose(back.dense(), w.dense(), atol=1e-15)
    assert back.index.shape[1] <= max(1, min(n, w.index.shape[1]))


@given(n=SIZES)
def test_the_identity_is_one_and_nothing_else_is(n):
    assert Weights.identity(n).is_identity
    assert weights(SPECS["linear"], n, n).is_identity
    assert not weights(SPECS["outside"], n, n).is_identity
    assert not weights(SPECS["linear"], n, n + 1).is_identity
    assert n == 1 or not weights(SPECS["reflect"], n, n).is_identity


@pytest.mark.parametrize("dtype", [np.uint8, np.int64, np.float64, bool, "U3", object])
def test_picking_takes_any_type(dtype):
    x = np.array([0, 1, 2, 3]).astype(dtype)
    y = weights(SPECS["nearest"], 4, 8).apply(x)
    assert y.dtype == x.dtype
    assert y.tolist() == np.repeat(x, 2).tolist()


# --- NaN and infinity reach those who read them, and nobody else ---


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("name", ["linear", "cubic", "antialias", "wrap", "nearest"])
def test_a_bad_pixel_stays_where_it_is_read(name, bad):
    for shape, axis in (((40,), 0), ((3, 40, 20), 1), ((3, 40, 3), 1), ((9, 40), 1)):
        for m in (20, 40, 79):
            w = weights(SPECS[name], 40, m)
            x = RANDOM.random(shape)
            clean = w.apply(x, axis)
            spot = [1 if size > 1 else 0 for size in shape]
            spot[axis] = 17
            x[tuple(spot)] = bad
            reached = np.zeros(clean.shape, bool)
            spot[axis] = np.flatnonzero(((w.index == 17) & (w.weight != 0)).any(1))
            reached[tuple(spot)] = True
            y = w.apply(x, axis)
            np.testing.assert_array_equal(np.isfinite(y), ~reached)
            np.testing.assert_allclose(y[~reached], clean[~reached], atol=1e-13)


def test_a_pixel_with_weight_zero_is_not_read():
    # torch 2.13.0 reads it: linear, align_corners=True, [0, nan, 20, 30] → 7 gives
    # [nan, nan, nan, nan, 20, 25, 30]: its first output is 1 * 0 + 0 * nan.
    x = np.array([0, np.nan, 20, 30])
    y = weights(SPECS["corners"], 4, 7) @ x
    np.testing.assert_array_equal(y, [0, np.nan, np.nan, np.nan, 20, 25, 30])


def test_infinity_times_a_weight_is_infinity():
    x = np.array([0, np.inf, 20, 30])
    y = weights(SPECS["linear"], 4, 8) @ x
    np.testing.assert_array_equal(
        y, [0, np.inf, np.inf, np.inf, np.inf, 22.5, 27.5, 30]
    )


# --- shared by a cache, so unchangeable, and safe in threads ---


def test_the_arrays_of_an_operator_cannot_be_changed():
    index, weight = np.array([[0], [1]]), np.ones((2, 1))
    w = Weights(index, weight, 2, np.zeros(2))
    for array in (w.index, w.weight, w.offset):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    index[0] = 1  # the caller's own arrays stay the caller's


def test_one_operator_serves_many_threads():
    w = weights(SPECS["cubic"], 200, 333)
    x = RANDOM.random((200, 64))
    expected = w.dense() @ x
    wrong = []

    def work(k):
        for axis, picture in ((0, x[:, : k + 1]), (1, x[:, : k + 1].T)):
            y = w.apply(picture, axis)
            y = y if axis == 0 else y.T
            if not np.allclose(y, expected[:, : k + 1], atol=1e-12):
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(40)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert wrong == []


# --- against torch: the gradient goes through the transpose ---


@pytest.mark.live
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("linear", {"mode": "bilinear"}),
        ("corners", {"mode": "bilinear", "align_corners": True}),
        ("cubic", {"mode": "bicubic"}),
        ("antialias", {"mode": "bicubic", "antialias": True}),
    ],
)
def test_torchs_gradient_is_the_transpose(name, arguments):
    torch = pytest.importorskip("torch", reason="needs PyTorch")
    for n, m in ((4, 8), (8, 3), (7, 7), (5, 12)):
        x = torch.zeros(1, 1, 2, n, dtype=torch.float64, requires_grad=True)
        out = torch.nn.functional.interpolate(x, size=(2, m), **arguments)
        g = RANDOM.random((1, 1, 2, m))
        out.backward(torch.from_numpy(g))
        ours = weights(SPECS[name], n, m).T.apply(g, 3)
        np.testing.assert_allclose(ours, x.grad.numpy(), atol=1e-6)


def test_a_large_operator_is_shown_without_its_whole_matrix():
    w = weights(Spec(), 50_000, 50_000)  # 20 GB as a matrix
    assert w._repr_html_().count("<tr>") == 25
