"""Everything a reader may get wrong, and the words that help: one list.

Legal but odd input (layouts, ranks, read-only arrays) works and is never changed; the
rest is refused by name, with what is allowed.
"""

import re

import numpy as np
import pytest

import resizelab as rl
from resizelab.arrays import resizing
from resizelab.axis.boundary import BOUNDARIES
from resizelab.axis.grid import GRIDS
from resizelab.axis.kernel import KERNELS

X = np.arange(12.0).reshape(3, 4)
LINE = np.arange(4.0)
NO_INTEGERS = (
    "x has dtype {}: how integers are rounded is a choice of its own, and 'spec' has "
    "no Arithmetic for it (it has: none). Convert x to float32 first, or use a "
    "convention with an Arithmetic for {}"
)


def listed(names):
    return ", ".join(map(repr, names))


# --- names ---

NAMES = {
    "grid": (
        lambda: rl.Spec(grid="align-corners"),
        ValueError,
        f"grid must be one of {listed(GRIDS)}; got 'align-corners'; "
        "did you mean 'align_corners'?",
    ),
    "kernel": (
        lambda: rl.Spec(kernel="bilinear"),
        ValueError,
        f"kernel must be one of {listed(KERNELS)}; got 'bilinear'; "
        "did you mean 'linear'?",
    ),
    "kernel of another type": (
        lambda: rl.Spec(kernel=3),
        ValueError,
        f"kernel must be one of {listed(KERNELS)}; got 3",
    ),
    "a bare function for a kernel": (
        lambda: rl.Spec(kernel=abs),
        ValueError,
        f"kernel must be one of {listed(KERNELS)}; got <built-in function abs>",
    ),
    "boundary": (
        lambda: rl.Spec(boundary="zeros"),
        ValueError,
        f"boundary must be one of {listed(BOUNDARIES)}; got 'zeros'; "
        "it is called 'constant' here",
    ),
    "boundary in capitals": (
        lambda: rl.Spec(boundary="EDGE"),
        ValueError,
        f"boundary must be one of {listed(BOUNDARIES)}; got 'EDGE'",
    ),
    "field": (
        lambda: rl.Spec(align_corners=True),
        TypeError,
        "Spec.__init__() got an unexpected keyword argument 'align_corners'",
    ),
}

# --- sizes, axes and ranks ---

ONE_EACH = (
    "shape must have one size for each of the 2 axes of x, or come with axes=…; "
    "got shape={}"
)
SIZES = {
    "zero": (
        lambda: rl.resize(X, (0, 4)),
        ValueError,
        "shape must be from 1 to 2147483647; got 0",
    ),
    "negative": (
        lambda: rl.resize(X, (3, -4)),
        ValueError,
        "shape must be from 1 to 2147483647; got -4",
    ),
    "fractional": (
        lambda: rl.resize(X, (3, 4.5)),
        TypeError,
        "shape must be a whole number of pixels (an int); got 4.5",
    ),
    "whole but float": (
        lambda: rl.resize(X, (3, 8.0)),
        TypeError,
        "shape must be a whole number of pixels (an int); got 8.0",
    ),
    "boolean": (
        lambda: rl.resize(X, (3, True)),
        TypeError,
        "shape must be a whole number of pixels; got True",
    ),
    "boolean of numpy": (
        lambda: rl.resize(LINE, np.array([True])),
        TypeError,
        "shape must be a whole number of pixels; got np.True_",
    ),
    "text": (
        lambda: rl.resize(LINE, "8"),
        TypeError,
        "shape must be a whole number of pixels (an int); got '8'",
    ),
    "nan": (
        lambda: rl.resize(LINE, float("nan")),
        TypeError,
        "shape must be a whole number of pixels (an int); got nan",
    ),
    "too few": (lambda: rl.resize(X, (8,)), ValueError, ONE_EACH.format("(8,)")),
    "one for two axes": (lambda: rl.resize(X, 8), ValueError, ONE_EACH.format("8")),
    "too many": (
        lambda: rl.resize(X, (8, 8, 3)),
        ValueError,
        ONE_EACH.format("(8, 8, 3)"),
    ),
    "none at all": (lambda: rl.resize(X, ()), ValueError, ONE_EACH.format("()")),
    "not one an axis": (
        lambda: rl.resize(X, (8, 8), axes=0),
        ValueError,
        "shape must have one size for each of axes=0; got shape=(8, 8)",
    ),
    "nothing said": (
        lambda: rl.resize(X),
        ValueError,
        "give shape, scale or both; got neither",
    ),
    "axis too large": (
        lambda: rl.resize(X, 8, axes=2),
        ValueError,
        "axes must be from -2 to 1 for x with 2 axes; got axes=2",
    ),
    "axis twice": (
        lambda: rl.resize(X, (8, 8), axes=(1, -1)),
        ValueError,
        "axes must differ; got axes=(1, -1)",
    ),
    "axis not an int": (
        lambda: rl.resize(X, 8, axes=1.0),
        TypeError,
        "axes must be ints; got 1.0 in axes=1.0",
    ),
    "axis a letter": (
        lambda: rl.resize(X, 8, axes="w"),
        TypeError,
        "axes must be ints; got 'w' in axes='w'",
    ),
    "weights of nothing": (
        lambda: rl.weights(rl.Spec(), 0, 4),
        ValueError,
        "n_in must be from 1 to 2147483647; got 0",
    ),
    "weights of everything": (
        lambda: rl.weights(rl.Spec(), 4, 10**12),
        ValueError,
        "n_out must be from 1 to 2147483647; got 1000000000000",
    ),
}

# --- scales ---

SCALES = {
    "nan": (
        lambda: rl.resize(X, scale=float("nan")),
        ValueError,
        "scale must be finite; got nan",
    ),
    "infinite": (
        lambda: rl.resize(X, (3, 4), scale=float("inf")),
        ValueError,
        "scale must be finite; got inf",
    ),
    "zero": (
        lambda: rl.resize(X, scale=0),
        ValueError,
        "scale must be greater than 0; got 0",
    ),
    "negative": (
        lambda: rl.resize(X, scale=(2, -1)),
        ValueError,
        "scale must be greater than 0; got -1",
    ),
    "text": (
        lambda: rl.resize(X, scale="2"),
        TypeError,
        "scale must be a number; got '2'",
    ),
    "boolean": (
        lambda: rl.resize(X, scale=True),
        TypeError,
        "scale must be a number; got True",
    ),
    "complex": (
        lambda: rl.resize(X, scale=2 + 0j),
        TypeError,
        "scale must be a number; got (2+0j)",
    ),
    "not one an axis": (
        lambda: rl.resize(X, scale=(2, 2, 2)),
        ValueError,
        "scale must be one number or 2, one an axis; got (2, 2, 2)",
    ),
    "leaves nothing": (
        lambda: rl.resize(X, scale=0.3),
        ValueError,
        "scale=0.3 leaves no pixel of 3 under rule='floor'",
    ),
    "beyond all sizes": (
        lambda: rl.resize(X, scale=1e300),
        ValueError,
        "scale=1e+300 makes more than 2147483647 pixels of 3",
    ),
    "missing": (
        lambda: rl.resize(X, (6, 8), rl.Spec(step_from="scale")),
        ValueError,
        "step_from='scale' needs scale; got scale=None",
    ),
    "so small that positions have no fractions": (
        lambda: rl.resize(LINE, 3, rl.Spec(step_from="scale"), scale=1e-200),
        ValueError,
        "scale=1e-200 and roi=None put positions beyond 2**53 pixels, where a float64 "
        "has no fractions",
    ),
}

# --- arrays ---

ARRAYS = {
    "empty": (
        lambda: rl.resize(np.zeros((0, 4)), (2, 4)),
        ValueError,
        "axis 0 of x is empty (shape (0, 4)): nothing to read",
    ),
    "a single number": (
        lambda: rl.resize(3.0, 4),
        ValueError,
        "x has no axis to resize: it is a single number",
    ),
    "a 0-d array": (
        lambda: rl.resize(np.array(3.0), ()),
        ValueError,
        "x has no axis to resize: it is a single number",
    ),
    "None": (
        lambda: rl.resize(None, 4),
        TypeError,
        "x must hold numbers (floats or integers); got object",
    ),
    "object": (
        lambda: rl.resize(LINE.astype(object), 8),
        TypeError,
        "x must hold numbers (floats or integers); got object",
    ),
    "string": (
        lambda: rl.resize(["a", "b"], 4),
        TypeError,
        "x must hold numbers (floats or integers); got <U1",
    ),
    "complex": (
        lambda: rl.resize(LINE * 1j, 8),
        TypeError,
        "x must hold numbers (floats or integers); got complex128",
    ),
    "bool": (
        lambda: rl.resize(LINE > 1, 8),
        TypeError,
        "x must hold numbers (floats or integers); got bool",
    ),
    "dates": (
        lambda: rl.resize(np.zeros(4, "M8[s]"), 8),
        TypeError,
        "x must hold numbers (floats or integers); got datetime64[s]",
    ),
    "masked": (
        lambda: rl.resize(np.ma.masked_less(LINE, 1), 8),
        TypeError,
        "x is a masked array: a resize has no rule for masks; fill it",
    ),
    **{
        f"{dtype} without an Arithmetic": (
            lambda dtype=dtype: rl.resize(LINE.astype(dtype), 8),
            TypeError,
            NO_INTEGERS.format(dtype, dtype),
        )
        for dtype in ("uint8", "int8", "uint16", "int64")
    },
    "a list of ints": (
        lambda: rl.resize([0, 10, 20, 30], 8),
        TypeError,
        NO_INTEGERS.format("int64", "int64"),
    ),
}
if np.dtype(np.longdouble).itemsize > 8:
    ARRAYS["long double"] = (
        lambda: rl.resize(LINE.astype(np.longdouble), 8),
        TypeError,
        f"x must hold float16, float32 or float64; got dtype {np.dtype(np.longdouble)}",
    )

# --- too large to allocate ---

HUGE = 2**31 - 1
TOO_LARGE = {
    "float64": (
        lambda: rl.resize(X, (HUGE, HUGE)),
        MemoryError,
        f"cannot allocate a result of shape ({HUGE}, {HUGE}) and dtype float64",
    ),
    "float16": (
        lambda: rl.resize(X.astype(np.float16), (HUGE, HUGE)),
        MemoryError,
        f"cannot allocate a result of shape ({HUGE}, {HUGE}) and dtype float16",
    ),
    "five axes": (
        lambda: rl.resize(np.zeros((1,) * 5), (HUGE,) * 5),
        MemoryError,
        f"cannot allocate a result of shape {(HUGE,) * 5} and dtype float64",
    ),
}

# --- conventions and specs in the wrong place ---

SPECS = {
    "a number": (
        lambda: rl.resize(LINE, 8, 42),
        TypeError,
        "spec must be a Spec, a Convention or a convention's name; got int",
    ),
    "the class": (
        lambda: rl.weights(rl.Spec, 4, 8),
        TypeError,
        "spec must be a Spec, a Convention or a convention's name; got type",
    ),
}

ALL = {
    f"{group}: {name}": case
    for group, cases in {
        "names": NAMES,
        "sizes": SIZES,
        "scales": SCALES,
        "arrays": ARRAYS,
        "too large": TOO_LARGE,
        "specs": SPECS,
    }.items()
    for name, case in cases.items()
}


@pytest.mark.parametrize("name", ALL)
def test_bad_input_is_refused_in_words_that_help(name):
    call, kind, message = ALL[name]
    with pytest.raises(kind, match=f"^{re.escape(message)}$") as caught:
        call()
    # No half-finished work stands behind the message.
    assert not isinstance(caught.value.__context__, AssertionError)


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
