"""ncnn's Interp as a call. Expected values come from ncnn 1.0.20261020."""

import numpy as np

import resizelab as rl

INTERP = "ncnn.Interp"
RAMP = np.arange(4, dtype=np.float32)


def test_what_it_ignores_is_noted():
    c = rl.find(INTERP, resize_type="nearest", align_corner=1)
    assert (c.name, c.spec.grid) == ("ncnn.nearest", "asymmetric")
    assert c.notes == "align_corner has no effect with resize_type='nearest'"


def test_one_scale_leaves_the_other_axis_alone():
    c = rl.find(INTERP, resize_type="bilinear", width_scale=2.0)
    assert c.scale == (1.0, 2.0)
    assert rl.resize(np.ones((3, 4), np.float32), None, c).shape == (3, 8)


def test_bicubic_alone_moves_an_axis_that_keeps_its_size():
    def row(kind, scale):
        c = rl.find(
            INTERP, resize_type=kind, height_scale=scale[0], width_scale=scale[1]
        )
        return rl.resize(np.tile(RAMP, (4, 1)), None, c)[0]

    np.testing.assert_allclose(row("bilinear", (2.0, 1.1)), RAMP)
    np.testing.assert_allclose(row("nearest", (1.1, 1.1)), RAMP)
    np.testing.assert_allclose(row("nearest", (2.0, 1.1)), [0, 0, 1, 2])
    moved = [-0.03106, 0.80877, 1.72483, 2.75331]
    np.testing.assert_allclose(row("bicubic", (1.1, 1.1)), moved, atol=1e-5)


def test_one_pixel_with_aligned_corners_is_the_first():
    c = rl.find(INTERP, resize_type="bilinear", align_corner=1)
    np.testing.assert_array_equal(rl.weights(c, 4, 1).dense(), [[1, 0, 0, 0]])
