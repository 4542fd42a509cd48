"""Numbers that say how two arrays, or two operators, differ."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from resizelab import Spec, measure, weights

RANDOM = np.random.default_rng(9)
SPECS = {
    "half_pixel": Spec(),
    "corners": Spec(grid="align_corners"),
    "asymmetric": Spec(grid="asymmetric"),
    "cubic": Spec(kernel="cubic", a=-0.75),
    "constant": Spec(boundary="constant", fill=3.0),
}

# --- worked ---


def test_three_grey_levels():
    d = measure.difference([[0, 10], [20, 30]], [[0, 12], [20, 29]], level=1)
    assert (d.largest, d.mean, d.beyond, d.level) == (2.0, 0.75, 0.25, 1)
    assert d.where == (0, 1)


def test_unsigned_integers_do_not_wrap_round():
    a, b = np.array([0, 255], np.uint8), np.array([255, 0], np.uint8)
    assert measure.difference(a, b).largest == 255


def test_the_worst_picture_for_two_grids():
    half, corners = weights(SPECS["half_pixel"], 4, 8), weights(SPECS["corners"], 4, 8)
    # Output 1 reads at 1/4 and at 3/7: a step from 0 to 1 there differs by 5/28.
    assert measure.operator_difference(half, corners) == pytest.approx(5 / 28)


def test_cosine_is_high_for_maps_that_have_nothing_in_common():
    a, b = RANDOM.random(10_000), RANDOM.random(10_000)
    assert measure.cosine(a, a + 1) > 0.9
    assert measure.cosine(a, b) == pytest.approx(0.75, abs=0.02)
    assert measure.cosine([1, 0], [0, 1]) == 0
    assert measure.cosine([1, 2], [-1, -2]) == -1


def test_two_squares_that_share_a_corner():
    truth, mask = np.zeros((2, 6, 6), bool)
    truth[:4, :4], mask[2:, 2:] = True, True
    assert measure.dice(truth, mask) == 2 * 4 / 32
    assert measure.iou(truth, mask) == 4 / 28
    assert measure.dice(truth, truth) == measure.iou(truth, truth) == 1
    assert measure.dice(truth, ~truth) == measure.iou(truth, ~truth) == 0


def test_mean_iou_asks_every_class_that_occurs():
    truth = np.array([[0, 0, 0], [5, 5, 5]])
    assert measure.mean_iou(truth, truth) == 1
    # Class 0: 2 of 3; class 5: 3 of 3; class 2 occurs in the labels alone: 0.
    labels = np.array([[0, 0, 2], [5, 5, 5]])
    assert measure.mean_iou(truth, labels) == pytest.approx((2 / 3 + 1 + 0) / 3)


@given(st.integers(0, 10**6))
def test_dice_and_iou_say_the_same_thing(seed):
    truth, mask = np.random.default_rng(seed).random((2, 5, 7)) < 0.4
    truth[0, 0] = True
    both = measure.iou(truth, mask)
    assert measure.dice(truth, mask) == pytest.approx(2 * both / (1 + both))
    assert measure.iou(mask, truth) == both


@pytest.mark.parametrize("shift", [-0.4, 0.1, 0.3])
def test_a_shifted_wave_is_measured(shift):
    line = np.sin(np.arange(60) / 5)
    moved = np.sin((np.arange(60) - shift) / 5)
    found = measure.local_shift(line, moved)
    assert np.median(found[5:-5]) == pytest.approx(shift, abs=0.01)


def test_a_flat_line_has_no_shift_to_measure():
    assert np.isnan(measure.local_shift(np.ones(20), np.ones(20))).all()


def test_where_a_window_has_no_slope_the_answer_is_nan():
    line = np.r_[np.zeros(20), np.sin(np.arange(20) / 4)]
    found = measure.local_shift(line, line, window=3)
    assert np.isnan(found[:17]).all()
    np.testing.assert_allclose(found[22:], 0, atol=1e-12)


# --- laws ---


@given(n=st.integers(1, 9), m=st.integers(1, 9))
@pytest.mark.parametrize("one", SPECS)
@pytest.mark.parametrize("other", SPECS)
def test_no_picture_does_worse_and_one_does_as_bad(one, other, n, m):
    a, b = weights(SPECS[one], n, m), weights(SPECS[other], n, m)
    worst = measure.operator_difference(a, b)
    assert worst == pytest.approx(measure.operator_difference(b, a))
    gaps = [
        np.abs(a.apply(x) - b.apply(x)).max()
        for x in (RANDOM.integers(0, 2, n).astype(float) for _ in range(30))
    ]
    assert max(gaps) <= worst + 1e-12
    gap = a.dense() - b.dense()
    extremes = [(sign * row > 0).astype(float) for row in gap for sign in (1, -1)]
    reached = max(np.abs(a.apply(x) - b.apply(x)).max() for x in extremes)
    assert reached == pytest.approx(worst, abs=1e-12)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20))
def test_nothing_differs_from_itself(values):
    d = measure.difference(values, values)
    assert (d.largest, d.mean, d.beyond) == (0, 0, 0)


# --- errors ---


def test_a_nan_is_not_taken_for_the_largest_difference_unnoticed():
    d = measure.difference([np.nan, 1], [0, 1])
    assert np.isnan(d.largest)
    assert d.where == (0,)


@pytest.mark.parametrize("score", [measure.dice, measure.iou, measure.mean_iou])
def test_nan_is_of_no_class(score):
    with pytest.raises(ValueError, match=r"^truth and \w+ must not hold NaN"):
        score([np.nan, 1.0], [1.0, 1.0])
