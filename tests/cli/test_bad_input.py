"""Legal but odd input works and is never changed: layouts, ranks, read-only arrays.

What is refused, and in which words: `tests/test_refusals.py`.
"""

import re

import numpy as np
import pytest

import resizelab as rl
from resizelab.arrays import resizing

X = np.arange(12.0).reshape(3, 4)
LINE = np.arange(4.0)
HUGE = 2**31 - 1


@pytest.mark.skipif(np.dtype(np.longdouble).itemsize == 8, reason="no long double")
def test_a_long_double_is_refused():
    message = "^x must hold float16, float32 or float64; got dtype float[0-9]+$"
    with pytest.raises(TypeError, match=message):
        rl.resize(LINE.astype(np.longdouble), 8)


def test_an_operator_larger_than_its_result_counts_too(monkeypatch):
    # The bytes an operator takes per output, made so many that no machine has them.
    monkeypatch.setattr(resizing, "OPERATOR", 2**40)
    message = f"cannot allocate a result of shape ({HUGE},) and dtype float16"
    with pytest.raises(MemoryError, match=f"^{re.escape(message)}$"):
        rl.resize(LINE.astype(np.float16), HUGE)


def test_an_unknown_convention_is_named_with_its_neighbour():
    for call in (
        lambda: rl.convention("torch.bilnear"),
        lambda: rl.weights("torch.bilnear", 4, 8),
        lambda: rl.resize(LINE, 8, "torch.bilnear"),
    ):
        with pytest.raises(LookupError, match=r"did you mean 'torch\.bilinear'\?"):
            call()


# --- odd, but legal ---

ODD = {
    "a list": lambda: X.tolist(),
    "read-only": lambda: read_only(X),
    "Fortran order": lambda: np.asfortranarray(X),
    "every second column": lambda: np.repeat(X, 2, 1)[:, ::2],
    "backwards": lambda: X[::-1, ::-1].copy()[::-1, ::-1],
    "transposed": lambda: X.T.copy().T,
    "broadcast": lambda: np.broadcast_to(X, (1, 3, 4))[0],
    "unaligned": lambda: unaligned(X),
    "the other byte order": lambda: X.astype(X.dtype.newbyteorder()),
    "a subclass": lambda: X.view(Subclass),
}


class Subclass(np.ndarray):
    """An array of another class: the result is a plain one."""


def read_only(x):
    x = x.copy()
    x.flags.writeable = False
    return x


def unaligned(x):
    raw = np.zeros(x.nbytes + 1, np.uint8)
    odd = raw[1:].view(x.dtype).reshape(x.shape)
    odd[...] = x
    return odd


@pytest.mark.parametrize("name", ODD)
def test_odd_input_works_and_stays_as_it_was(name):
    x = ODD[name]()
    before = np.array(x, copy=True)
    y = rl.resize(x, (5, 8))
    np.testing.assert_allclose(y, rl.resize(X, (5, 8)), atol=1e-14)
    assert type(y) is np.ndarray
    np.testing.assert_array_equal(np.asarray(x), before)


@pytest.mark.parametrize("rank", range(1, 9))
def test_any_rank_works(rank):
    x = np.random.default_rng(0).random((2,) * rank)
    y = rl.resize(x, (3,) * rank)
    assert y.shape == (3,) * rank
    assert y.flat[0] == pytest.approx(x.flat[0])
    assert y.flat[3**rank // 2] == pytest.approx(x.mean())


def test_an_axis_that_is_not_resized_may_be_empty():
    y = rl.resize(np.zeros((0, 4, 3), np.float32), 8, axes=1)
    assert (y.shape, y.dtype) == ((0, 8, 3), np.float32)
    y = rl.resize(np.zeros((4, 0)), 8, axes=0)
    assert y.shape == (8, 0)


@pytest.mark.parametrize(
    "shape", [[5, 8], np.array([5, 8]), (np.int8(5), np.uint16(8)), range(5, 9, 3)]
)
def test_sizes_may_come_in_any_sequence_of_ints(shape):
    assert rl.resize(X, shape).shape == (5, 8)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_not_finite_are_passed_on(value):
    y = rl.resize(np.array([0.0, 1.0, value, 3.0]), 8)
    assert np.isfinite(y).tolist() == [True] * 3 + [False] * 4 + [True]


def test_float16_beyond_its_range_is_infinite_as_numpys_own_cast_is():
    x = np.array([0, 65504, 65504, 0], np.float16)
    with pytest.warns(RuntimeWarning, match="overflow encountered in cast"):
        y = rl.resize(x, 8, rl.Spec(kernel="cubic", a=-0.75))
    assert np.isinf(y).any()


def test_nothing_is_printed(capsys):
    rl.resize(X, (5, 8))
    with pytest.raises(ValueError, match="shape"):
        rl.resize(X, (0, 0))
    assert capsys.readouterr() == ("", "")
