"""Volumes on the workers of a cluster: the bits of one process, within a budget."""

import sys

import cloudpickle
import distributed
import numpy as np
import pytest
import zarr

import resizelab as rl
from resizelab import tiles, volumes

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]
NAME, AFTER = "torch.trilinear", (60, 96, 96)


@pytest.fixture(scope="module")
def client():
    with (
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            memory_limit="600MiB",
            dashboard_address=None,
        ) as cluster,
        distributed.Client(cluster) as made,
    ):
        yield made


@pytest.fixture
def stores(tmp_path):
    x = np.random.default_rng(0).random((48, 80, 64), np.float32)
    given = zarr.create_array(
        tmp_path / "x", shape=x.shape, chunks=(8, 80, 64), dtype="f4"
    )
    given[:] = x
    out = zarr.create_array(tmp_path / "y", shape=AFTER, chunks=(4, 96, 96), dtype="f4")
    return x, given, out


def test_the_bits_of_the_whole_in_one_task_a_tile(client, stores):
    x, given, out = stores
    volumes.resize(given, AFTER, NAME, out=out, budget=4 * 2**20, client=client)
    assert np.array_equal(out[:], tiles.resize(x, AFTER, rl.convention(NAME)))


class Dying:
    """An array whose first writer dies on the way."""

    def __init__(self, out, marker):
        self.out, self.marker = out, str(marker)
        self.shape, self.dtype, self.chunks = out.shape, out.dtype, out.chunks

    def __setitem__(self, region, value):
        import os

        if not os.path.exists(self.marker):  # noqa: PTH110
            os.mkdir(self.marker)  # noqa: PTH102
            os._exit(1)
        self.out[region] = value


def test_the_current_client_does_a_lost_worker_s_tiles_again(client, stores, tmp_path):
    x, given, out = stores
    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    dying = Dying(out, tmp_path / "dead")
    volumes.resize(given, AFTER, NAME, out=dying, chunks=(4, 96, 96))
    assert (tmp_path / "dead").is_dir()
    assert np.array_equal(out[:], tiles.resize(x, AFTER, rl.convention(NAME)))


def test_what_only_this_process_holds_is_refused(client, stores):
    x, given, out = stores
    with pytest.raises(ValueError, match=r"^x must be what each worker"):
        volumes.resize(x, AFTER, NAME, out=out, client=client)
    with pytest.raises(ValueError, match=r"^chunks must be whole chunks of out"):
        volumes.resize(given, AFTER, NAME, out=out, chunks=(3, 96, 96), client=client)
    with pytest.raises(ValueError, match=r"^budget must hold a chunk of out"):
        volumes.resize(given, AFTER, NAME, out=out, budget=1_700_000, client=client)


def most_used():
    import pathlib

    told = pathlib.Path("/proc/self/status").read_text()
    return int(told.split("VmHWM:")[1].split()[0]) * 2**10


@pytest.mark.skipif(sys.platform != "linux", reason="/proc says what a process used")
def test_a_worker_near_its_limit_stays_within_its_budget(tmp_path):
    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    limit, budget, size = 256 * 2**20, 140 * 2**20, (256, 256, 256)
    # What zarr holds of its chunks, ten at a time, is not in the budget: small ones.
    kept = {"chunks": (2, 256, 256), "dtype": "f4", "compressors": None}
    given = zarr.create_array(tmp_path / "x", shape=size, **kept)
    given[:] = np.random.default_rng(0).random(size, np.float32)
    out = zarr.create_array(tmp_path / "y", shape=(512, 256, 256), **kept)
    one = {"n_workers": 1, "threads_per_worker": 1, "dashboard_address": None}
    with (
        distributed.LocalCluster(memory_limit=limit, **one) as cluster,
        distributed.Client(cluster) as client,
    ):
        client.run(exec, "import resizelab.volumes, zarr")
        ((worker, before),) = client.run(most_used).items()
        assert before + given.nbytes + out.nbytes > limit > before + budget
        volumes.resize(given, out.shape, NAME, out=out, budget=budget, client=client)
        # One that dies comes back under another name.
        ((same, after),) = client.run(most_used).items()
    assert same == worker
    assert budget / 2 < after - before < 1.1 * budget
    tile = tiles.tiling(size, out.shape, rl.convention(NAME)).tile(
        (slice(300, 304), slice(0, 256), slice(0, 256))
    )
    assert np.array_equal(out[tile.region], tile.run(given[tile.reads]))
