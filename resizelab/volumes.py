"""Volumes larger than memory: tiles of `resizelab.tiles`, computed by dask.array.

Dask is an engine that exists; what it cannot know is how far a tile's halo reaches and
where a tile lies in the whole. That comes from `tiles`. Needs the extra ``volumes``.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from resizelab import catalog, checks, tiles
from resizelab.arrays import resizing
from resizelab.arrays.sizes import Shape
from resizelab.axis import Convention, Spec
from resizelab.tiles.cutting import Tile, Tiling

Wanted = Spec | Convention | str | None


def resize(
    x: Any,
    shape: Shape = None,
    spec: Wanted = None,
    *,
    out: Any = None,
    budget: int | None = None,
    workers: int = 2,
    progress: bool = False,
    client: Any = None,
    **choices: Any,
) -> Any:
    """Return ``x`` resized by dask, tile by tile; the bits are those of `tiles.resize`.

    Parameters
    ----------
    x : array
        A dask array, or anything that has shape and dtype and gives parts, as a memory
        map does. A memory map's tiles read their part and no more; a dask array's read
        its chunks, which are not in the budget.
    shape, spec
        As in `resizelab.resize`; a convention's name will do.
    out : array, optional
        Where tiles are written as soon as they are there: with a memory map, the
        result is never in memory as a whole. Made if not given.
    budget : int, optional
        Bytes that all tiles under way may take together, in each worker of a client.
        ``out`` is not among them, nor the chunks that a zarr array holds while it
        reads and writes, ten at a time.
    workers : int
        Tiles computed at a time, each in a thread; a client has workers of its own.
    progress : bool
        Show dask's bar on standard output; a client has a page of its own.
    client : distributed.Client, optional
        Whose workers read, compute and write the tiles, one task each; the current
        client if there is one. ``x`` and ``out`` are then what each worker opens by
        itself: a zarr array, for one. A lost worker's tiles are done again.
    **choices
        axes, scale, chunks and limits: see `resizelab.tiles.tiling`.

    Raises
    ------
    ImportError
        If dask is not installed.
    ValueError
        If the budget is too small for one pixel a worker; see `tiles.tiling`. With a
        client: if x or out is in this process's memory alone, or if two tiles would
        write one chunk of ``out``.
    """
    da = _dask()
    client = _current() if client is None else client
    if client is not None:
        return _by_client(client, x, shape, spec, out, choices | {"budget": budget})
    if checks.a("workers", workers, int) < 1:
        raise ValueError(f"workers must be at least 1; got {workers}")
    # A tile that is done may wait for its turn to be written: one place more.
    choices |= {"budget": budget, "at_once": workers + 1}
    cuts = _tiling(x, shape, spec, choices)
    target = tiles.writable(cuts, x, out)
    blocks = [_block(x, cuts.tile(region)) for region in cuts.regions()]
    regions = list(cuts.regions())
    with _bar(checks.flag("progress", progress)):
        da.store(
            blocks,
            [target] * len(blocks),
            regions=regions,
            lock=False,  # tiles do not overlap
            scheduler="threads",
            num_workers=workers,
        )
    return target


def _current() -> Any:
    """Return the client that dask would use, or None."""
    distributed = sys.modules.get("distributed")
    try:
        return distributed and distributed.default_client()
    except ValueError:  # there is none
        return None


def _by_client(
    client: Any, x: Any, shape: Shape, spec: Wanted, out: Any, choices: dict[str, Any]
) -> Any:
    for name, array in (("x", x), ("out", out)):
        if array is None or isinstance(array, np.ndarray):
            raise ValueError(
                f"{name} must be what each worker of a client can open, such as a zarr "
                f"array; got {type(array).__name__}: use tiles.resize for one process"
            )
    cuts = _tiling(
        x, shape, spec, {"at_once": max(client.nthreads().values()), **choices}
    )
    written = getattr(out, "chunks", None) or (1,) * len(cuts.chunks)
    if choices.get("budget") is not None:
        whole = [t - t % c for t, c in zip(cuts.chunks, written, strict=True)]
        sizes = zip(whole, cuts.chunks, cuts.plan.shape, strict=True)
        chunks = tuple([t if t == n else w for w, t, n in sizes])
        if 0 in chunks:
            raise ValueError(
                f"budget must hold a chunk of out, {tuple(written)}; it holds a tile "
                f"of {cuts.chunks}: give out smaller chunks, or more bytes"
            )
        cuts = _tiling(x, shape, spec, {**choices, "budget": None, "chunks": chunks})
    split = [
        t % c and t < n
        for t, c, n in zip(cuts.chunks, written, cuts.plan.shape, strict=True)
    ]
    if any(split):
        raise ValueError(
            f"chunks must be whole chunks of out, {tuple(written)}, or two workers "
            f"would write one; got {cuts.chunks}"
        )
    tiles.writable(cuts, x, out)
    tasks = [cuts.tile(region) for region in cuts.regions()]
    client.gather(client.map(_write, tasks, x=x, out=out, pure=False))
    return out


def _write(tile: Tile, x: Any, out: Any) -> None:
    out[tile.region] = tile.run(x[tile.reads])


def lazy(x: Any, shape: Shape = None, spec: Wanted = None, **choices: Any) -> Any:
    """Return ``x`` resized as a dask array, one chunk a tile; nothing is computed yet.

    ``choices`` are axes, scale, chunks, budget (bytes a tile) and limits: see
    `resizelab.tiles.tiling`. Without chunks and budget, the result is one tile.
    """
    da = _dask()
    cuts = _tiling(x, shape, spec, choices)
    grid = [-(-n // c) for n, c in zip(cuts.plan.shape, cuts.chunks, strict=True)]
    cells = np.empty(len(list(cuts.regions())), object)
    for k, region in enumerate(cuts.regions()):
        cells[k] = _block(x, cuts.tile(region))
    return da.block(cells.reshape(grid).tolist())


def _tiling(x: Any, shape: Shape, spec: Wanted, choices: dict[str, Any]) -> Tiling:
    if not (hasattr(x, "shape") and hasattr(x, "dtype")):
        raise TypeError(
            "x must be an array or a memory map, something with shape and dtype; got "
            f"{type(x).__name__}"
        )
    resizing.unmasked(x)
    settled = catalog.convention(spec) if isinstance(spec, str) else spec
    return tiles.tiling(x.shape, shape, settled, dtype=x.dtype, **choices)


def _block(x: Any, tile: Tile) -> Any:
    """Return one tile as a dask array of one chunk."""
    da = _dask()
    if isinstance(x, da.Array):
        part = x[tile.reads].rechunk(tiles.lengths(tile.reads))
        chunks = [(n,) for n in tile.shape]
        return part.map_blocks(
            tile.run, dtype=tile.dtype, chunks=chunks, meta=_meta(tile)
        )
    from dask import delayed

    # The array is handed on as it is: dask would hash all of it to name it.
    made = delayed(_computed, pure=False)(_Source(x), tile)
    return da.from_delayed(made, tile.shape, dtype=tile.dtype, meta=_meta(tile))


class _Source:
    """An array that dask passes on unread."""

    def __init__(self, array: Any) -> None:
        self.array = array


def _computed(source: _Source, tile: Tile) -> Any:
    return tile.run(source.array[tile.reads])


def _meta(tile: Tile) -> Any:
    return np.empty((0,) * len(tile.region), tile.dtype)


def _dask() -> Any:
    try:
        import dask.array as da
    except ImportError as error:
        raise ImportError(
            "dask is not installed: pip install 'resizelab[volumes]', or use "
            "resizelab.tiles.resize, which gives the same bits with NumPy alone"
        ) from error
    return da


@contextmanager
def _bar(shown: bool) -> Iterator[None]:
    if not shown:
        yield
        return
    from dask.diagnostics import ProgressBar

    with ProgressBar(out=sys.stdout):
        yield
