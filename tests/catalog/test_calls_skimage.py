"""scikit-image's resize as a call: defaults, blur, ranges, types.

Expected values come from scikit-image 0.26.0; where it is installed it is asked again.
"""

import warnings

import numpy as np
import pytest

import resizelab as rl

RESIZE = "skimage.transform.resize"
RAMP = np.arange(4.0)


def resized(x, n, **arguments):
    return rl.resize(np.asarray(x), (n,), rl.find(RESIZE, **arguments))


def test_defaults_are_filled_in():
    c = rl.find(RESIZE)
    assert c.name == "skimage.linear"
    assert (c.spec.kernel, c.spec.boundary, c.spec.grid) == (
        "linear",
        "reflect",
        "half_pixel",
    )
    assert c.particulars.prefilter == ("gaussian",)
    assert c.particulars.clip_to_input


def test_what_it_ignores_is_noted():
    idle = rl.find(RESIZE, anti_aliasing=False, anti_aliasing_sigma=1.0)
    assert idle.notes == "anti_aliasing_sigma has no effect with anti_aliasing=False"


def test_reflect_does_not_repeat_the_edge():
    expected = [0.25, 0.25, 0.75, 1.25, 1.75, 2.25, 2.75, 2.75]
    np.testing.assert_allclose(resized(RAMP, 8), expected, atol=1e-15)


def test_shrinking_blurs_with_a_gaussian():
    got = resized(np.eye(8)[4], 4)
    np.testing.assert_allclose(got, [0, 0.0534, 0.4465, 0.0001], atol=5e-5)
    plain = resized(np.eye(8)[4], 4, anti_aliasing=False)
    np.testing.assert_allclose(plain, [0, 0, 0.5, 0], atol=1e-15)


def test_overshoot_is_clipped_to_the_range_of_the_input():
    step = [0.0, 0, 0, 1, 1, 1]
    assert resized(step, 12, order=3).min() == 0
    wide = resized(step, 12, order=3, clip=False)
    np.testing.assert_allclose(wide[3:5], [-0.0518, -0.0962], atol=5e-5)


def test_a_constant_outside_widens_the_range_only_if_reached():
    x = np.array([2.0, 2.0, 3.0])
    arguments = {"order": 1, "mode": "constant"}
    assert resized(x, 6, cval=0.0, **arguments).min() == 2  # 1.5 is clipped


@pytest.mark.parametrize(
    ("arguments", "dtype", "first"),
    [
        ({}, "float64", 51 / 255),
        ({"preserve_range": True}, "float64", 51.0),
        ({"order": 0}, "uint8", 51),
        ({"order": 0, "preserve_range": True}, "uint8", 51),
    ],
)
def test_what_bytes_become(arguments, dtype, first):
    got = resized(np.full(4, 51, np.uint8), 6, **arguments)
    assert got.dtype == dtype
    assert got[0] == first


def test_the_lowest_signed_value_counts_as_minus_one():
    got = resized(np.full(3, -128, np.int8), 3)
    np.testing.assert_array_equal(got, [-1.0, -1.0, -1.0])


def test_half_floats_become_single():
    assert resized(np.ones(3, np.float16), 5, order=0).dtype == np.float32


def test_labels_are_blurred_only_if_asked():
    labels = np.array([0, 0, 9, 9, 9, 9], np.int64)
    np.testing.assert_array_equal(resized(labels, 3, order=0), [0, 9, 9])
    blurred = resized(labels, 3, order=0, anti_aliasing=True)
    assert not set(blurred.tolist()) <= {0, 9}


SHAPES = [((7,), (11,)), ((9, 8), (4, 12)), ((6, 5, 4), (3, 5, 6)), ((3, 3), (3, 3))]
FLAGS = [
    {},
    {"anti_aliasing": True},
    {"anti_aliasing": False},
    {"anti_aliasing_sigma": 0.7},
    {"anti_aliasing": True, "anti_aliasing_sigma": 0.7},
    {"clip": False, "preserve_range": True},
]


@pytest.mark.parametrize("mode", ["reflect", "edge", "symmetric", "wrap", "constant"])
@pytest.mark.parametrize("order", [0, 1, 3, 4])
@pytest.mark.parametrize("dtype", ["float32", "float64", "uint8", "int16"])
def test_scikit_image_itself_agrees(mode, order, dtype):
    transform = pytest.importorskip("skimage.transform")
    rng = np.random.default_rng(order)
    for before, after in SHAPES:
        x = rng.random(before) * 200
        for flags in FLAGS:
            arguments = {"order": order, "mode": mode, "cval": 0, **flags}
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # it warns of blurs that do not shrink
                expected = transform.resize(x.astype(dtype), after, **arguments)
            got = rl.resize(x.astype(dtype), after, rl.find(RESIZE, **arguments))
            assert got.dtype == expected.dtype
            np.testing.assert_allclose(got, expected, atol=2e-4, err_msg=str(flags))
