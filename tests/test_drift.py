"""Chains of resizes: worked numbers, laws, errors, and the real ops chained."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from resizelab import Convention, Kernel, Spec, Weights, weights
from resizelab.drift import Drift, blur, chain, displacement, doubling, movement

HALF = Spec()
CORNERS = Spec(grid="align_corners")
ASYMMETRIC = Spec(grid="asymmetric")
# A 3-pixel convolution [1, 2, 1] / 4 with stride 2 and padding 1, and a mean of 2.
STRIDED = Spec(grid="asymmetric", antialias=True)
POOL = Spec(kernel="area")
# The same convolution where sizes are odd: its step stays 2, 65 pixels become 33.
STRIDED_ODD = Convention(
    name="conv 3, stride 2", spec=STRIDED.replace(step_from="scale"), scale=(0.5,)
)

steps = st.integers(1, 4)
sizes = st.integers(4, 20)


# worked


def test_asymmetric_slides_by_half_an_output_pixel_in_one_doubling():
    moved = displacement(weights(ASYMMETRIC, 4, 8))
    # The last output would read 3.5: it reads the edge, at 3, and stands at 3.25.
    np.testing.assert_allclose(moved, [-0.25] * 7 + [0.25], atol=1e-15)


def test_align_corners_pushes_the_four_pixels_apart():
    moved = displacement(weights(CORNERS, 4, 8))
    np.testing.assert_allclose(moved, np.linspace(-0.25, 0.25, 8), atol=1e-15)


def test_half_pixel_moves_nothing_but_the_repeated_edge():
    moved = displacement(weights(HALF, 4, 8))
    np.testing.assert_allclose(moved, [-0.25, 0, 0, 0, 0, 0, 0, 0.25], atol=1e-15)


def test_three_doublings_in_pixels_of_the_original_and_of_the_current_image():
    shifts = [(d.shift, d.in_current()[0]) for d in doubling(ASYMMETRIC, 16, 3)]
    expected = [(-0.25, -0.5), (-0.375, -1.5), (-0.4375, -3.5)]
    np.testing.assert_allclose(shifts, expected, atol=1e-12)
    stretches = [(d.stretch, d.in_current()[1]) for d in doubling(CORNERS, 16, 3)]
    np.testing.assert_allclose(stretches, np.negative(expected), atol=1e-12)


def test_half_pixel_blur_of_three_doublings():
    found = [d.in_current()[2] for d in doubling(HALF, 16, 3)]
    np.testing.assert_allclose(found, [0.75**0.5, 3.75**0.5, 15.75**0.5], atol=1e-12)


def test_steps_carry_their_number_their_size_and_the_whole_operator():
    first, second = chain(HALF, 4, [8, 6])
    assert (first.step, first.n, second.step, second.n) == (1, 8, 2, 6)
    together = weights(HALF, 8, 6).dense() @ weights(HALF, 4, 8).dense()
    np.testing.assert_allclose(second.operator.dense(), together, atol=1e-15)


def test_a_network_that_strides_down_moves_content_and_asymmetric_moves_it_back():
    down, up = [32, 16, 8], [16, 32, 64]
    strided = [STRIDED] * 3
    for choice, shift in [(HALF, 3.5), (ASYMMETRIC, 0.0)]:
        found = chain(strided + [choice] * 3, 64, down + up)[-1]
        assert found.shift == pytest.approx(shift, abs=1e-12)
    for choice, shift in [(HALF, 0.0), (ASYMMETRIC, -3.5)]:
        found = chain([POOL] * 3 + [choice] * 3, 64, down + up)[-1]
        assert found.shift == pytest.approx(shift, abs=1e-12)


def test_stride_and_align_corners_fit_where_the_size_is_a_power_of_two_plus_one():
    specs = [STRIDED_ODD] * 3 + [CORNERS] * 3
    last = chain(specs, 65, [33, 17, 9, 17, 33, 65])[-1]
    assert last.shift == pytest.approx(0.0, abs=1e-12)
    assert last.stretch == pytest.approx(0.0, abs=1e-12)


def test_one_wrong_step_counts_for_half_of_its_own_pixel():
    first = chain([ASYMMETRIC, HALF, HALF], 16, [32, 64, 128])[-1]
    last = chain([HALF, HALF, ASYMMETRIC], 16, [32, 64, 128])[-1]
    assert first.in_current()[0] == pytest.approx(-2.0, abs=1e-12)
    assert last.in_current()[0] == pytest.approx(-0.5, abs=1e-12)


def test_a_convention_is_as_good_as_a_spec():
    convention = Convention(name="ours", spec=ASYMMETRIC)
    assert chain(convention, 16, [32])[0].shift == chain(ASYMMETRIC, 16, [32])[0].shift


# laws


@given(n=sizes, k=steps)
def test_asymmetric_shift_is_the_closed_form(n, k):
    s = 2**k
    last = doubling(ASYMMETRIC, n, k)[-1]
    assert last.shift == pytest.approx(-(s - 1) / (2 * s), abs=1e-12)
    assert last.in_current()[0] == pytest.approx(-(s - 1) / 2, abs=1e-11)
    assert last.stretch == pytest.approx(0.0, abs=1e-12)


@given(n=sizes, k=steps)
def test_align_corners_stretch_is_the_closed_form_whatever_the_size(n, k):
    s = 2**k
    last = doubling(CORNERS, n, k)[-1]
    assert last.stretch == pytest.approx((s - 1) / (2 * s), abs=1e-12)
    assert last.shift == pytest.approx(0.0, abs=1e-12)


@given(n=sizes, k=steps)
def test_half_pixel_neither_shifts_nor_stretches(n, k):
    for d in doubling(HALF, n, k):
        assert d.shift == pytest.approx(0.0, abs=1e-12)
        assert d.stretch == pytest.approx(0.0, abs=1e-12)


@given(n=st.integers(16, 40), k=st.integers(1, 3))
def test_variances_add_up(n, k):
    # A doubling averages f (1 - f) of its own pixel: 3/16 at f = 1/4 and 3/4
    # (half_pixel), 1/8 at f = 0 and 1/2 (asymmetric).
    s = 2**k
    for spec, variance in [(HALF, 3 / 16), (ASYMMETRIC, 1 / 8)]:
        expected = (variance * 4 / 3 * (1 - 1 / s**2)) ** 0.5
        assert doubling(spec, n, k)[-1].blur == pytest.approx(expected, abs=1e-12)


@given(
    n=st.integers(12, 24),
    a=st.sampled_from([-0.5, -0.75, -1.0]),
    boundary=st.sampled_from(["edge", "exclude", "symmetric", "reflect"]),
)
def test_cubic_half_pixel_does_not_move_either(n, a, boundary):
    spec = Spec(kernel="cubic", a=a, boundary=boundary)
    for d in doubling(spec, n, 2):
        assert d.shift == pytest.approx(0.0, abs=1e-12)
        assert d.stretch == pytest.approx(0.0, abs=1e-12)
        assert d.blur == pytest.approx(0.0, abs=1e-6)


@given(n=st.integers(6, 20), factor=st.integers(2, 5))
def test_nearest_with_whole_factors_does_not_move(n, factor):
    spec = Spec(kernel="nearest", nearest_mode="floor", grid="asymmetric")
    (d,) = chain(spec, n, [n * factor])
    assert d.shift == pytest.approx(0.0, abs=1e-12)
    assert d.stretch == pytest.approx(0.0, abs=1e-12)


@given(n=sizes, m=sizes)
def test_flipping_the_axis_flips_the_shift(n, m):
    operator = weights(ASYMMETRIC, n, m)
    flipped = Weights.from_dense(operator.dense()[::-1, ::-1])
    there, back = displacement(operator), displacement(flipped)
    np.testing.assert_allclose(back, -there[::-1], atol=1e-12)


@given(n=sizes)
def test_the_identity_moves_nothing(n):
    assert movement(Weights.identity(n)) == pytest.approx((0.0, 0.0), abs=1e-12)
    assert blur(Weights.identity(n)) == 0.0


@pytest.mark.parametrize(("n", "m"), [(1, 1), (4, 1), (1, 4), (2, 1), (1, 2), (2, 2)])
def test_the_smallest_axes_have_finite_numbers(n, m):
    (d,) = chain(HALF, n, [m])
    assert np.isfinite([d.shift, d.stretch, d.blur]).all()
    assert d.shift == pytest.approx(0.0, abs=1e-12)


def test_outputs_that_read_nothing_are_left_out():
    dense = weights(ASYMMETRIC, 8, 16).dense()
    dense[[3, 9]] = 0.0
    assert np.isnan(displacement(Weights.from_dense(dense))[[3, 9]]).all()
    shift, stretch = movement(Weights.from_dense(dense))
    assert (shift, stretch) == pytest.approx((-0.25, 0.0), abs=1e-12)


def test_sharpening_cubic_has_no_blur_and_keys_has_exactly_none():
    def second_moment(a):
        operator = weights(Spec(kernel="cubic", a=a), 16, 32)
        away = operator.index - operator.centroids()[:, None]
        return (operator.weight * away**2).sum(1)[8:24]

    np.testing.assert_allclose(second_moment(-0.5), 0.0, atol=1e-14)
    assert (second_moment(-0.75) < -0.07).all()
    assert doubling(Spec(kernel="cubic", a=-0.75), 16, 1)[0].blur == 0.0


def test_a_reader_s_own_kernel_drifts_like_any_other():
    tent = Kernel("tent", 1.0, lambda d: 1 - np.abs(d))
    (own,) = chain(Spec(kernel=tent, grid="asymmetric"), 8, [16])
    (ours,) = chain(ASYMMETRIC, 8, [16])
    assert (own.shift, own.blur) == pytest.approx((ours.shift, ours.blur), abs=1e-15)


def test_a_drift_is_frozen():
    (d,) = chain(HALF, 4, [8])
    assert isinstance(d, Drift)
    with pytest.raises(AttributeError):
        d.shift = 1.0


# live: the real ops, fed with the identity and chained


def torch_chain(n, k, **arguments):
    torch = pytest.importorskip("torch")
    x = torch.eye(n, dtype=torch.float64)[:, None]
    for _ in range(k):
        x = torch.nn.functional.interpolate(
            x, scale_factor=2, mode="linear", **arguments
        )
    return x[:, 0].numpy().T


def tf1_chain(n, k):
    tf = pytest.importorskip("tensorflow")
    tf.get_logger().setLevel("ERROR")
    x = np.eye(n, dtype=np.float32)[:, None, :, None]
    for _ in range(k):
        x = tf.compat.v1.image.resize_bilinear(x, [1, 2 * x.shape[2]])
    return x.numpy()[:, 0, :, 0].T.astype(np.float64)


@pytest.mark.live
@pytest.mark.parametrize(
    ("spec", "run"),
    [
        (HALF, lambda n, k: torch_chain(n, k, align_corners=False)),
        (CORNERS, lambda n, k: torch_chain(n, k, align_corners=True)),
        (ASYMMETRIC, tf1_chain),
    ],
    ids=["torch", "torch-align_corners", "tf1"],
)
def test_the_real_ops_chained_drift_as_the_package_says(spec, run):
    for k, ours in enumerate(doubling(spec, 16, 3), 1):
        theirs = Weights.from_dense(run(16, k))
        np.testing.assert_allclose(theirs.dense(), ours.operator.dense(), atol=2e-6)
        expected = ours.shift, ours.stretch
        assert movement(theirs) == pytest.approx(expected, abs=2e-6)
        assert blur(theirs) == pytest.approx(ours.blur, abs=2e-6)


@pytest.mark.live
def test_the_real_strided_convolution_is_the_operator_that_stands_for_it():
    torch = pytest.importorskip("torch")
    kernel = torch.tensor([[[0.25, 0.5, 0.25]]], dtype=torch.float64)
    eye = torch.eye(16, dtype=torch.float64)[:, None]
    theirs = torch.nn.functional.conv1d(eye, kernel, stride=2, padding=1)[:, 0].numpy()
    ours = weights(STRIDED, 16, 8).dense()
    # The padding's zeros darken the first output; the package repeats the edge.
    np.testing.assert_allclose(theirs.T[1:], ours[1:], atol=1e-15)
    assert theirs.T[0].sum() == pytest.approx(0.75)


def test_a_point_lands_where_the_chain_carries_it():
    true = 8 * (7.5 + 0.5) - 0.5
    for spec, moved in ((HALF, 0.0), (ASYMMETRIC, -3.5), (CORNERS, 0.0)):
        assert doubling(spec, 16, 3)[-1].lands(7.5) == pytest.approx(true + moved)
    # The corner pixels go to the corners, and every other stays in proportion.
    for step in doubling(CORNERS, 16, 3):
        found = [step.lands(p) for p in (0.0, 4.0, 15.0)]
        wanted = [p * (step.n - 1) / 15 for p in (0.0, 4.0, 15.0)]
        np.testing.assert_allclose(found, wanted, atol=1e-9)


@pytest.mark.parametrize("place", [5.0, 7.0, 8.0])
def test_it_lands_where_the_bright_pixel_is_seen(place):
    for spec in (HALF, ASYMMETRIC, Spec(kernel="cubic", a=-0.75)):
        last = doubling(spec, 16, 3)[-1]
        column = last.operator.dense()[:, int(place)]
        seen = column @ np.arange(last.n) / column.sum()
        assert last.lands(place) == pytest.approx(seen, abs=1e-9)
