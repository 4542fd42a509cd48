"""Chunked work equal to the whole: halos, and operators cut at global positions.

A chunk that is resized alone takes its own ends for the ends of the whole. Here a tile
of the output knows where it lies: its operators are rows of the whole's, and they say
which part of the input they read, neighbours (the halo) included.

Sums are taken tap by tap, in the order of the operator's row, in the result's own
precision. A matrix product, which `resize` uses, adds in an order that depends on the
sizes of the matrices, and a tile has other sizes than the whole. So tiles agree with
one another to the last bit, and with `resize` to rounding.

Every operator here reads a band, and so needs a halo. A B-spline's prefilter reads the
whole axis on paper; its operator leaves out weights below 1e-15, which is a band too
(about 30 pixels to each side for cubic splines).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab import checks
from resizelab.arrays import resizing, taps
from resizelab.arrays.resizing import Plan
from resizelab.arrays.sizes import Axes, Scale, Shape
from resizelab.axis import Convention, Spec, Weights
from resizelab.tiles.chunks import Chunks, fitting, given, most_read

Region = tuple[slice, ...]
Limits = tuple[float, float] | None


def cut(operator: Weights, first: int, last: int) -> tuple[slice, Weights]:
    """Return what outputs first … last - 1 read, and their operator on that part.

    >>> from resizelab import Spec
    >>> whole = resizing.weights(Spec(), 8, 16)
    >>> reads, w = cut(whole, 4, 8)
    >>> reads, w.shape
    (slice(1, 5, None), (4, 4))
    """
    checks.a("operator", operator, Weights)
    checks.each("first and last", (first, last), checks.whole)
    if not 0 <= first < last <= operator.n_out:
        raise ValueError(
            f"first and last must hold 0 <= first < last <= {operator.n_out}, the "
            f"operator's outputs; got {first} and {last}"
        )
    index, weight = operator.index[first:last], operator.weight[first:last]
    used = weight != 0
    read = index[used] if used.any() else np.zeros(1, np.intp)
    low, high = int(read.min()), int(read.max()) + 1
    offset = None if operator.offset is None else operator.offset[first:last]
    place = np.where(used, index - low, 0)
    return slice(low, high), Weights(place, weight, high - low, offset)


@dataclass(frozen=True)
class Tile:
    """A part of the output: its ``region``, what it ``reads``, and the work to do.

    ``dtype`` is the type that is computed with; ``limits`` are those of the whole
    input, where the result is clipped to them.
    """

    region: Region
    reads: Region
    work: tuple[tuple[int, Weights], ...]
    dtype: np.dtype[Any]
    limits: Limits = None

    @property
    def shape(self) -> tuple[int, ...]:
        """Pixels of the tile, an axis."""
        return lengths(self.region)

    def run(self, part: Any) -> NDArray[Any]:
        """Return the tile, from ``part``: the input at ``reads``, and no more."""
        y = np.asarray(part, self.dtype)
        if y.shape != lengths(self.reads):
            raise ValueError(
                f"part must be the input at reads, of shape {lengths(self.reads)}; "
                f"got shape {y.shape}"
            )
        for axis, operator in self.work:
            y = taps.apply(operator, y, axis)
        # Integers are copies of pixels, which lie within the limits.
        if self.limits is not None and y.dtype.kind == "f":
            y = np.clip(y, *self.limits, out=y if self.work else None)
        return y


@dataclass(frozen=True)
class Tiling:
    """A resize of a whole, and the ``chunks`` of its output: sizes an axis."""

    plan: Plan
    shape_in: tuple[int, ...]
    dtype: np.dtype[Any]
    chunks: tuple[int, ...]
    limits: Limits = None

    @property
    def work(self) -> tuple[tuple[int, Weights], ...]:
        """The whole's operators that change something, in their order."""
        return tuple((axis, w) for axis, w in self.plan.work if not w.is_identity)

    def regions(self) -> Iterator[Region]:
        """Yield the regions of the output, the last axis first to move."""
        sizes = zip(self.plan.shape, self.chunks, strict=True)
        edges = [[slice(i, min(i + c, n)) for i in range(0, n, c)] for n, c in sizes]
        yield from product(*edges)

    def tile(self, region: Region) -> Tile:
        """Return the tile of a region of the output."""
        reads, work = list(region), []
        for axis, operator in self.work:
            reads[axis], w = cut(operator, region[axis].start, region[axis].stop)
            work.append((axis, w))
        return Tile(region, tuple(reads), tuple(work), self.dtype, self.limits)

    @property
    def memory(self) -> int:
        """Bytes that the largest tile takes while it is computed, at the most."""
        return self._memory(self.chunks)

    def _memory(self, chunks: Sequence[int]) -> int:
        sizes = list(chunks)
        for axis, operator in self.work:
            sizes[axis] = most_read(operator, chunks[axis])
        part = most = taps.number(sizes)
        held = 0 if self.plan.arithmetic is None else 2 * part  # another type: a copy
        for axis, _ in self.work:
            sizes[axis] = chunks[axis]
            made = taps.number(sizes)
            most, held = max(most, part + held + made), made
        size = self.dtype.itemsize
        each = size if size >= 4 else size + 4  # float16 is summed in float32
        return most * each + taps.SCRATCH


def tiling(
    shape_in: Sequence[int],
    shape: Shape = None,
    spec: Spec | Convention | None = None,
    *,
    axes: Axes = None,
    scale: Scale = None,
    dtype: Any = np.float32,
    chunks: Chunks = None,
    budget: int | None = None,
    at_once: int = 1,
    limits: Limits = None,
) -> Tiling:
    """Return how a resize falls into tiles.

    Parameters
    ----------
    shape_in, shape, spec, axes, scale, dtype
        As in `resize`, of the whole.
    chunks : int or sequence of int or None, optional
        Output pixels of a tile: of the first axis, or one size an axis (None: all).
    budget : int, optional
        Instead of ``chunks``: bytes that tiles may take, ``at_once`` of them together.
        The first axis is cut, and the next ones only where one slice does not fit.
    limits : (float, float), optional
        Least and greatest value of the whole input: for conventions that clip to them.

    >>> tiling((8, 4), (16, 8), chunks=4).chunks
    (4, 8)
    """
    spec = Spec() if spec is None else spec
    before = checks.each("shape_in", shape_in, checks.whole)
    dtype = checks.made("dtype", dtype, np.dtype, "be a dtype")
    # The whole may be larger than memory, so there is no asking for room for it.
    settled = resizing.plan(
        before, shape, spec, axes=axes, scale=scale, dtype=dtype, built=False
    )
    work = _type(settled, dtype)
    ends = _ends(settled, limits)
    whole = Tiling(settled, before, work, settled.shape, ends)
    if chunks is not None and budget is not None:
        raise ValueError("give chunks or budget, not both")
    if budget is None:
        sizes = given(chunks, settled.shape)
    else:
        sizes = fitting(settled.shape, whole._memory, budget, at_once)
    return Tiling(settled, whole.shape_in, work, sizes, ends)


def resize(
    x: Any,
    shape: Shape = None,
    spec: Spec | Convention | None = None,
    *,
    out: Any = None,
    progress: Callable[[Iterable[Region]], Iterable[Region]] | None = None,
    **choices: Any,
) -> Any:
    """Return ``x`` resized tile by tile: to the bit what it gives in one tile.

    Parameters
    ----------
    x : array
        Anything that has shape and dtype and gives parts: a memory map will do.
    shape, spec
        As in `resizelab.resize`.
    out : array, optional
        Where to write; a memory map will do. Made if not given.
    progress : callable, optional
        Wraps the list of tiles, as ``tqdm`` does.
    **choices
        axes, scale, chunks, budget and limits: see `tiling`.

    >>> x = np.arange(12.0).reshape(6, 2) ** 0.5
    >>> bool((resize(x, (9, 2), chunks=4) == resize(x, (9, 2))).all())
    True
    """
    x = x if hasattr(x, "shape") and hasattr(x, "dtype") else checks.array("x", x)
    resizing.unmasked(x)
    if progress is not None and not callable(progress):
        raise TypeError(f"progress must be callable, as tqdm is; got {progress!r}")
    cuts = tiling(x.shape, shape, spec, dtype=x.dtype, **choices)
    out = writable(cuts, x, out)
    regions = list(cuts.regions())
    for region in regions if progress is None else progress(regions):
        tile = cuts.tile(region)
        out[region] = tile.run(x[tile.reads])
    return out


def writable(cuts: Tiling, x: Any, out: Any = None) -> Any:
    """Return ``out``, checked, or a new array for the result."""
    checks.a("cuts", cuts, Tiling)
    if out is None:
        return np.empty(cuts.plan.shape, cuts.dtype)
    if not (hasattr(out, "shape") and hasattr(out, "dtype")):
        raise TypeError(f"out must be an array or a memory map; got {out!r}")
    if tuple(out.shape) != cuts.plan.shape or out.dtype != cuts.dtype:
        raise ValueError(
            f"out must have shape {cuts.plan.shape} and dtype {cuts.dtype}; got "
            f"{tuple(out.shape)} and {out.dtype}"
        )
    arrays = isinstance(x, np.ndarray) and isinstance(out, np.ndarray)
    if arrays and np.shares_memory(x, out):
        raise ValueError("out must not share memory with x: later tiles still read it")
    return out


def _type(settled: Plan, dtype: np.dtype[Any]) -> np.dtype[Any]:
    a = settled.arithmetic
    if a is None:
        return dtype
    made = np.dtype(a.output_dtype or dtype)
    copies = all(w.picks or w.is_identity for _, w in settled.work)
    if (made.kind == "f" and not a.unit_range) or (made == dtype and copies):
        return made
    raise TypeError(
        f"x has dtype {dtype}: tiles resize floats, and integers where each output "
        "copies one pixel (nearest). Convert x to float32 first"
    )


def _ends(settled: Plan, limits: Limits) -> Limits:
    if not settled.clip_to_input:
        if limits is not None:
            raise ValueError("limits goes with a convention that clips to its input")
        return None
    if limits is None:
        raise ValueError(
            "this convention clips to the range of the whole input, which no tile can "
            "know: give limits=(x.min(), x.max())"
        )
    low, high = checks.pair("limits", limits)
    if low > high:
        raise ValueError(f"limits must be (least, greatest); got {limits!r}")
    if settled.fill is not None and not low <= settled.fill <= high:
        raise ValueError(
            f"fill must lie within limits {limits} where tiles are clipped; got "
            f"{settled.fill}"
        )
    return low, high


def lengths(region: Region) -> tuple[int, ...]:
    """Return the pixels of a region, an axis."""
    parts = checks.each("region", region, lambda name, r: checks.a(name, r, slice))
    return tuple(part.stop - part.start for part in parts)
