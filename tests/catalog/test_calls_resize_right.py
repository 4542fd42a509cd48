"""ResizeRight as a call. Expected values: resize-right 0.0.2 on NumPy arrays."""

import numpy as np

import resizelab as rl

RESIZE = "resize_right.resize"


def resized(x, n=None, **arguments):
    shape = None if n is None else (n,)
    return rl.resize(np.asarray(x, float), shape, rl.find(RESIZE, **arguments))


def test_defaults_are_filled_in():
    c = rl.find(RESIZE)
    assert c.name == "resize_right.cubic"
    assert (c.spec.a, c.spec.antialias, c.spec.boundary) == (-0.5, True, "constant")
    assert (c.particulars.normalise, c.particulars.size_rule) == ("before", "ceil")


def test_what_it_ignores_is_noted():
    assert "no effect without by_convs" in rl.find(RESIZE, max_numerator=5).notes


def test_the_default_pulls_the_border_to_zero():
    got = resized(np.ones(4), 8)
    expected = [0.797, 1.070, 1.023, 1, 1, 1.023, 1.070, 0.797]
    np.testing.assert_allclose(got, expected, atol=5e-4)
    np.testing.assert_allclose(resized(np.ones(4), 8, pad_mode="edge"), 1)
    shrunk = resized(np.ones(8), 4)
    np.testing.assert_allclose(shrunk, [0.934, 1.012, 1.012, 0.934], atol=5e-4)


def test_a_scale_makes_the_larger_size_and_stays_centred():
    got = resized(
        np.arange(5), scale_factors=[0.5], interp_method="linear", pad_mode="edge"
    )
    np.testing.assert_allclose(got, [0.25, 2, 3.75])  # 2.5 pixels become 3


def test_a_tie_of_the_box_falls_as_its_float_sum_does():
    # 9 pixels to 7: the far pixel of one window is exactly a step away.
    w = rl.weights(rl.find(RESIZE, interp_method="box"), 9, 7)
    assert set(np.round(w.weight[w.weight > 0], 6)) <= {0.5, 1.0}


def test_float64_comes_out_unless_nothing_changes():
    c = rl.find(RESIZE)
    x = np.ones(4, np.float32)
    assert rl.resize(x, (5,), c).dtype == np.float64
    assert rl.resize(x, (4,), c).dtype == np.float32
    assert rl.resize(np.ones(4, np.uint8), (5,), c).dtype == np.float64
