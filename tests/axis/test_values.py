"""The public types are values: they pickle, copy, compare and hash."""

import copy
import multiprocessing
import pickle

import numpy as np
import pytest

import resizelab as rl
from resizelab import Convention, Kernel, Spec
from resizelab.axis import Arithmetic, Particulars
from resizelab.axis.grid import grid
from resizelab.axis.kernel import kernel
from resizelab.catalog.table import rows

VALUES = {
    "spec": Spec(kernel="cubic", a=-0.75),
    "grid": grid("align_corners", 4, 8),
    "linear": kernel("linear"),
    "cubic": kernel("cubic", a=-0.5),
    "gaussian": kernel("gaussian", sigma=0.5, cut=1.5),
    "lanczos": kernel("lanczos", lobes=3),
    "bspline": kernel("bspline", order=3),
    "own kernel": Kernel("mine", 1.0, np.ones_like),
    "weights": rl.weights(Spec(), 4, 8),
    "with offset": rl.weights(Spec(boundary="constant", fill=3.0), 4, 8),
    "particulars": Particulars(prefilter="gaussian", blur_sigma=(0.5, 1.0)),
    "arithmetic": Arithmetic(weight_bits=11, weight_rounding="half_even"),
    "convention": Convention(
        name="mine",
        arguments={"size": [1, 2]},
        arithmetic={"uint8": Arithmetic(sum_rounding="half_up")},
        scale=(2.0,),
    ),
}


def check_value(value):
    again = pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)
    for other in again:
        assert other == value
        assert hash(other) == hash(value)


@pytest.mark.parametrize("name", VALUES)
def test_a_public_value_pickles_copies_compares_and_hashes(name):
    check_value(VALUES[name])


def test_every_row_is_a_value():
    for row in rows().values():
        check_value(row)


def test_values_that_differ_are_not_equal():
    assert rl.convention("torch.bilinear") != rl.convention("torch.bicubic")
    assert kernel("cubic", a=-0.5) != kernel("cubic", a=-0.75)
    tent = Kernel("tent", 1.0, lambda d: 1 - np.abs(d))
    assert tent == Kernel("tent", 1.0, tent.fn)
    assert tent != Kernel("tent", 1.0, lambda d: 1 - np.abs(d))
    w = rl.weights(Spec(), 4, 8)
    assert w != rl.weights(Spec(grid="asymmetric"), 4, 8)
    assert w != "an operator"


def test_a_copied_operator_is_read_only_too():
    again = pickle.loads(pickle.dumps(rl.weights(Spec(), 4, 8)))
    assert not again.weight.flags.writeable
    assert not again.index.flags.writeable


def test_entries_do_not_change():
    entries = rl.convention("torch.bilinear").arguments
    with pytest.raises(TypeError):
        entries["mode"] = "nearest"
    assert dict(entries) == entries


def centroids(row):
    return rl.weights(row, 4, 8).centroids()


def test_rows_go_to_the_workers_of_a_spawned_pool():
    sent = [rl.convention(name) for name in ("torch.bilinear", "pillow.bicubic")]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        for row, found in zip(sent, pool.map(centroids, sent), strict=True):
            np.testing.assert_array_equal(found, centroids(row))
