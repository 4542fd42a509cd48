"""A pytest plugin: the fixture `assert_same_resize`, for tests of anybody's code.

It comes with the package: a test that takes the fixture needs no import.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

Shape = tuple[int, int]
Resize = Callable[[NDArray[Any], Shape], Any]
# Growing, shrinking, odd ratios, one axis that stays, a single pixel.
SIZES = (
    *(((8, 8), (16, 16)), ((16, 12), (7, 5)), ((9, 6), (3, 2)), ((5, 7), (5, 14))),
    *(((6, 4), (13, 9)), ((7, 5), (1, 1))),
)
TOLERANCE = 1e-5  # of the input's range, 0 to 1


@pytest.fixture
def assert_same_resize() -> Callable[..., None]:
    """Return a function that fails unless two resizes give the same numbers.

    Each of the two is a convention's name, a call as text, or a function of an array
    (height, width) and a shape (height, width)::

        def test_mine(assert_same_resize):
            assert_same_resize(my_resize, "torch.bilinear")
    """
    return check_same_resize


def check_same_resize(
    mine: str | Resize,
    theirs: str | Resize,
    sizes: Sequence[tuple[Shape, Shape]] = SIZES,
    dtype: str = "float32",
    tolerance: float = TOLERANCE,
) -> None:
    """Fail with the size, the place and the amount where two resizes differ most.

    ``tolerance`` is a share of the input's range.

    >>> check_same_resize("torch.bilinear", "opencv.linear")
    """
    worst = (0.0, "")
    for before, after in sizes:
        x, span = _noise(before, dtype)
        a, b = (_run(which, x, after) for which in (mine, theirs))
        if a.shape != b.shape:
            pytest.fail(f"{_named(mine)} gives {a.shape}, {_named(theirs)} {b.shape}")
        error = np.abs(a.astype(np.float64) - b.astype(np.float64)) / span
        if error.max() > max(worst[0], tolerance):
            place = tuple(map(int, np.unravel_index(error.argmax(), error.shape)))
            share = float((error > tolerance).mean())
            worst = (
                float(error.max()),
                f"{before} to {after}: {100 * share:.0f} % of the pixels differ, most "
                f"at {place}, by {error.max():.2g} of the input's range",
            )
    if worst[1]:
        pytest.fail(f"{_named(mine)} is not {_named(theirs)} at {worst[1]}")


def _noise(shape: Shape, dtype: str) -> tuple[NDArray[Any], float]:
    generator = np.random.default_rng(0)
    if np.dtype(dtype).kind in "iu":
        top = np.iinfo(dtype).max
        return generator.integers(0, top, shape, dtype, endpoint=True), float(top)
    return generator.random(shape).astype(dtype), 1.0


def _run(which: str | Resize, x: NDArray[Any], shape: Shape) -> NDArray[Any]:
    if callable(which):
        return np.asarray(which(x.copy(), shape))
    import resizelab as rl
    from resizelab.models.calls import meant

    return np.asarray(rl.resize(x, shape, meant(which)))


def _named(which: str | Resize) -> str:
    return getattr(which, "__name__", "the function") if callable(which) else which
