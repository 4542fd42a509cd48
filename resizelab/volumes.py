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
from resizelab.axis.convention import Convention
from resizelab.axis.spec import Spec
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
        Bytes that all tiles under way may take together. ``out`` is not among them.
    workers : int
        Tiles computed at a time, each in a thread.
    progress : bool
        Show dask's bar on standard output.
    **choices
        axes, scale, chunks and limits: see `resizelab.tiles.tiling`.

    Raises
    ------
    ImportError
        If dask is not installed.
    ValueError
        If the budget is too small for one pixel a worker; see `tiles.tiling`.
    """
    da = _dask()
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
