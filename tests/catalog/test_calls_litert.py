"""LiteRT's two operations: three sets of kernels, float and integers to the byte.

Every number was printed by ai-edge-litert 2.3.0.
"""

import importlib.util

import numpy as np
import pytest

import resizelab as rl
from resizelab import engines
from resizelab.arrays.sums import apply

BILINEAR = "tflite.ResizeBilinear"
NEAREST = "tflite.ResizeNearestNeighbor"
KERNELS = {
    "AUTO": "",
    "BUILTIN_WITHOUT_DEFAULT_DELEGATES": "builtin",
    "BUILTIN_REF": "reference",
}
FLAGS = ({}, {"align_corners": True}, {"half_pixel_centers": True})
LITERT_HERE = pytest.mark.skipif(
    importlib.util.find_spec("ai_edge_litert") is None, reason="needs ai-edge-litert"
)
# Three sets of kernels, three answers; one pixel of each is on a tie or beside it.
PICTURE = [[185, 210], [176, 19]]
THREE = {
    "AUTO": [[185, 198, 210], [181, 148, 115], [176, 98, 19]],
    "BUILTIN_WITHOUT_DEFAULT_DELEGATES": [
        [185, 197, 210],
        [180, 148, 115],
        [176, 98, 19],
    ],
    "BUILTIN_REF": [[185, 198, 210], [180, 148, 115], [176, 98, 19]],
}
ALTERNATING = [-128, 127] * 4
XNNPACK_CORNERS = [-128, 9, 107, -30, -89, 49, 68, -69, -50, 88, 29, -108, -10, 127]
BUILTIN_CORNERS = [-128, 9, 108, -30, -89, 48, 69, -68, -50, 87, 30, -107, -11, 126]


def find(call=BILINEAR, resolver="AUTO", **flags):
    return rl.find(call, experimental_op_resolver_type=resolver, **flags)


# worked


@pytest.mark.parametrize("resolver", THREE)
def test_one_model_three_answers(resolver):
    found = find(resolver=resolver, half_pixel_centers=True)
    x = np.array(PICTURE, np.uint8)
    assert rl.resize(x, (3, 3), found).tolist() == THREE[resolver]


@LITERT_HERE
@pytest.mark.parametrize("resolver", THREE)
def test_the_three_answers_are_the_engine_s(resolver):
    found = find(resolver=resolver, half_pixel_centers=True)
    measured = engines.run(found, np.array(PICTURE, np.uint8), (3, 3))
    assert measured.tolist() == THREE[resolver]


def test_fixed_point_misses_the_corner():
    x = np.array([ALTERNATING], np.int8)
    delegated = rl.resize(x, (1, 14), find(align_corners=True))
    builtin = find(resolver="BUILTIN_WITHOUT_DEFAULT_DELEGATES", align_corners=True)
    assert delegated[0].tolist() == XNNPACK_CORNERS
    # Steps of 551/1024 pixel: the last position is 6.995, not 7.
    assert rl.resize(x, (1, 14), builtin)[0].tolist() == BUILTIN_CORNERS


def test_int16_is_fixed_point_with_or_without_xnnpack():
    x = np.array([[0, 1000]], np.int16)
    for resolver in KERNELS:
        found = find(resolver=resolver, half_pixel_centers=True)
        assert rl.resize(x, (1, 5), found)[0].tolist() == [0, 101, 501, 901, 1000]
    fall = np.array([[-1000, 1000, -1000]], np.int16)
    expected = [-1000, -143, 715, 428, -430, -1000, -1000]
    assert rl.resize(fall, (1, 7), find())[0].tolist() == expected


def test_nearest_rounds_half_away_with_aligned_corners():
    x = np.array([[0, 1]], np.float32)
    assert rl.resize(x, (1, 3), find(NEAREST))[0].tolist() == [0, 0, 1]
    corners = find(NEAREST, align_corners=True)
    assert rl.resize(x, (1, 3), corners)[0].tolist() == [0, 1, 1]


def test_one_pixel_out():
    x = np.array([[10.0, 20.0, 30.0, 40.0]], np.float32)
    assert rl.resize(x, (1, 1), find(align_corners=True)).item() == 10
    assert rl.resize(x, (1, 1), find(half_pixel_centers=True)).item() == 25


# arguments


def test_names_and_defaults():
    assert rl.find(BILINEAR).name == "litert.bilinear"
    assert rl.find(BILINEAR).spec.grid == "asymmetric"
    for resolver, suffix in KERNELS.items():
        name = find(resolver=resolver, half_pixel_centers=True).name
        assert name.removeprefix("litert.bilinear.half_pixel_centers").strip(".") == (
            suffix
        )
        assert find(NEAREST, resolver).name == "litert.nearest"  # one kernel for all


def test_integers_without_a_kernel_are_refused():
    with pytest.raises(TypeError, match="has no Arithmetic for it"):
        rl.resize(np.zeros((2, 2), np.int32), (3, 3), find())


# laws of the sums


@pytest.mark.parametrize(
    "order", ["float32_lerp", "float32_joint", "float32_successive"]
)
def test_an_order_of_sums_changes_rounding_only(order):
    rng = np.random.default_rng(0)
    x = rng.integers(0, 256, (7, 5), np.uint8)
    for grid in ("half_pixel", "align_corners", "asymmetric"):
        for shape in ((11, 8), (3, 4), (7, 9)):
            spec = rl.Spec(grid=grid)
            work = [(a, rl.weights(spec, x.shape[a], shape[a])) for a in (1, 0)]
            summed = apply(work, x, order)
            exact = rl.resize(x.astype(float), shape, spec)
            assert summed.dtype == np.float32
            np.testing.assert_allclose(summed, exact, atol=1e-4)
