"""The recorded training runs of the chapter on segmentation, and their networks."""

import json

import numpy as np
import pytest

pytest.importorskip("torch")

import record_segmentation as recorder
import torch

from resizelab.teaching import networks

RECORD = json.loads(recorder.FILE.read_text(encoding="utf-8"))


@pytest.fixture
def one_thread():
    """Train as the record was made, on one thread."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def test_every_network_grid_and_seed_is_recorded_once():
    keys = ("down", "up", "n", "trained", "seed")
    found = [tuple(run[k] for k in keys) for run in RECORD["runs"]]
    expected = [
        (*network, grid, seed)
        for network in recorder.NETWORKS
        for grid in networks.GRIDS
        for seed in recorder.SEEDS
    ]
    assert found == expected
    for run in RECORD["runs"]:
        assert list(run["miou_dice"]) == list(networks.GRIDS)
        for miou, dice in run["miou_dice"].values():
            assert 25 < miou < dice < 100
    assert RECORD["versions"]["torch"].startswith("2.")
    assert RECORD["steps"] == networks.STEPS


@pytest.mark.parametrize(
    ("grid", "flag"), [("half_pixel", False), ("align_corners", True)]
)
def test_the_networks_enlarge_as_torch_does(grid, flag):
    x = torch.rand(2, 3, 8, 8)
    theirs = torch.nn.functional.interpolate(
        x, size=(65, 65), mode="bilinear", align_corners=flag
    )
    torch.testing.assert_close(networks.resize(x, 65, grid), theirs, atol=1e-5, rtol=0)


@pytest.mark.parametrize(("down", "n", "small"), [("pool", 65, 8), ("strided", 65, 9)])
def test_the_way_down_ends_at_the_size_of_the_package(down, n, small):
    network = networks.Network(down, "head").eval()
    x = torch.zeros(1, 3, n, n)
    for layer in network.down:
        x = network.pool(layer(x))
    assert x.shape[2:] == (small, small)
    assert network(torch.zeros(1, 3, n, n), "half_pixel").shape[2:] == (n, n)


def test_a_seed_makes_the_same_pictures_and_another_does_not():
    pictures, truth = networks.examples([3, 1], 2, 32)
    again, _ = networks.examples([3, 1], 2, 32)
    other, _ = networks.examples([4, 1], 2, 32)
    assert torch.equal(pictures, again)
    assert not torch.equal(pictures, other)
    assert set(np.unique(truth)) <= set(range(networks.CLASSES))


@pytest.mark.live
@pytest.mark.parametrize("network", [recorder.NETWORKS[2], recorder.NETWORKS[5]])
def test_a_recorded_run_can_be_repeated(one_thread, network):
    down, up, n = network
    trained = networks.train(down, up, n, "half_pixel", seed=0)
    found = networks.score(trained, n, seed=0)
    (run,) = [
        run["miou_dice"]
        for run in RECORD["runs"]
        if (run["down"], run["up"], run["n"]) == network
        and (run["trained"], run["seed"]) == ("half_pixel", 0)
    ]
    for grid in networks.GRIDS:
        # Another release or processor sums in another order, and training amplifies it.
        np.testing.assert_allclose(found[grid], run[grid], atol=3)
