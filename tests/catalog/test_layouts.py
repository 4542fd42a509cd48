"""Whole arrays, channels and batch included: each picture is resized by itself."""

import re

import numpy as np
import pytest

import resizelab as rl
from resizelab import Convention, Spec
from resizelab.arrays.layouts import touched
from resizelab.axis import Arithmetic
from resizelab.catalog.table import rows

LIVE = [row for row in rows().values() if row.status == "live"]
# Elsewhere every axis is a spatial one.
LIBRARIES = sorted({row.library for row in LIVE if row.layout != "any"})
BEFORE, AFTER = (4, 6, 5), (7, 3, 8)


def dtypes(row):
    said = {key.split(".")[0] for key in row.arithmetic}
    whole = {"uint8", "int16"} if "integers" in said else said - {"floats"}
    return sorted({"float32", "float64"} | whole)


def arrays(row, rank):
    """Yield shapes of a batch of pictures with channels, and where its pixels lie."""
    before, after = BEFORE[:rank], AFTER[:rank]
    channels, batch = ((3,), ()), ((), (2,))
    if "N" in row.layout:
        batch = ((), (2,))
    for n in batch if "N" in row.layout else ((),):
        for c in channels:
            last = row.layout.endswith("C")
            front, back = (n, c) if last else (n + c, ())
            if len(front + before + back) > row.ranks[1]:
                axes = tuple(range(len(front), len(front) + rank))
                yield front + before + back, front + after + back, axes


def planes(x, axes):
    moved = np.moveaxis(x, axes, range(-len(axes), 0))
    return moved.reshape(-1, *moved.shape[-len(axes) :])


def one_by_one(row, x, shape, axes):
    """Return what resizing each picture alone gives, or None if that is refused."""
    after = tuple(shape[axis] for axis in axes)
    scale = None
    if row.spec.step_from == "scale" and row.scale is None:
        scale = tuple(m / x.shape[a] for m, a in zip(after, axes, strict=True))
    try:
        each = [rl.resize(p, after, row, scale=scale) for p in planes(x, axes)]
    except (ValueError, TypeError):
        return None, scale
    return np.stack(each), scale


@pytest.mark.parametrize("library", LIBRARIES)
def test_every_picture_of_an_array_is_resized_by_itself(library):
    rng, compared = np.random.default_rng(0), 0
    for row in (r for r in LIVE if r.library == library and r.ranks is not None):
        for rank in range(row.ranks[0], min(row.ranks[1], 3) + 1):
            for before, after, axes in arrays(row, rank):
                for dtype in dtypes(row):
                    x = rng.integers(0, 100, before).astype(dtype)
                    each, scale = one_by_one(row, x, after, axes)
                    if each is None:
                        continue
                    if scale is not None:
                        scale = [
                            scale[axes.index(a)] if a in axes else 1.0
                            for a in range(x.ndim)
                        ]
                    whole = rl.resize(x, after, row, scale=scale)
                    kept = [m for a, m in enumerate(whole.shape) if a not in axes]
                    assert kept == [n for a, n in enumerate(before) if a not in axes]
                    gap = np.abs(planes(whole, axes).astype(float) - each)
                    told = f"{row.name} {dtype} {before}"
                    if whole.dtype.kind == "f":
                        assert gap.max() <= 1e-3, told
                    else:  # ties of sums of floats, which are summed in another order
                        assert gap.max() <= 1, told
                        assert (gap > 0).mean() <= 0.05, told
                    compared += 1
    assert compared or library == "scikit-image"  # of any rank


def test_the_commonest_call_of_all():
    x = np.random.default_rng(1).integers(0, 256, (8, 8, 3)).astype(np.uint8)
    whole = rl.resize(x, (4, 4, 3), "opencv.linear")
    np.testing.assert_array_equal(
        whole, rl.resize(x, (4, 4), "opencv.linear", axes=(0, 1))
    )
    assert (rl.resize(x, (4, 4, 3), "opencv.linear", axes=(0, 1, 2)) == whole).all()
    assert rl.resize(x, scale=2, spec="opencv.linear").shape == (16, 16, 3)


def test_a_picture_in_another_layout_is_known_by_what_changes():
    x = np.random.default_rng(1).random((8, 8, 3))
    whole = rl.resize(x, (4, 4, 3), "torch.bilinear")
    np.testing.assert_array_equal(
        whole, rl.resize(x, (4, 4), "torch.bilinear", axes=(0, 1))
    )


@pytest.mark.parametrize(
    ("layout", "ranks", "before", "after", "axes"),
    [
        ("HWC", (2, 2), (8, 8), (4, 4), (0, 1)),
        ("HWC", (2, 2), (8, 8, 3), (4, 8, 3), (0, 1)),
        ("NHWC", (2, 2), (2, 8, 8, 3), None, (1, 2)),
        ("NCHW", (2, 2), (3, 8, 8), None, (1, 2)),
        ("NCHW", (1, 3), (2, 3, 8, 8), None, (2, 3)),
        ("NCHW", (2, 3), (2, 3, 8, 8, 8), None, (2, 3, 4)),
        ("any", None, (2, 3, 8, 8, 8), None, (0, 1, 2, 3, 4)),
    ],
)
def test_which_axes_a_call_resizes(layout, ranks, before, after, axes):
    assert touched(layout, ranks, before, after) == axes


STAGED = Arithmetic(
    weight_bits=11, weight_rounding="half_even", between_passes="staged"
)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda x: rl.resize(x, (4, 4, 5), "opencv.linear"),
            "the call resizes at most 2 axes of an array (HWC); from (8, 8, 3) to "
            "(4, 4, 5), 3 change",
        ),
        (
            lambda x: rl.resize(x, None, "opencv.linear", axes=(0, 1, 2), scale=2),
            "opencv.linear resizes at most 2 axes at once; got 3",
        ),
        (
            lambda x: rl.resize(
                x, (4, 4, 5),
                Convention(name="c", spec=Spec(), arithmetic={"uint8": STAGED}),
            ),
            "sums in stages are of one or two axes; got 3: name two with axes=…",
        ),
    ],
)  # fmt: skip
def test_more_axes_than_a_call_takes_are_refused(call, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        call(np.zeros((8, 8, 3), np.uint8))
