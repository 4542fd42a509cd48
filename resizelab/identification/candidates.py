"""Candidates: the rows of the table, those of the same numbers taken together.

A candidate predicts what its call makes of an array. Where only some outputs are asked
for, only those are computed, with the operators of the whole.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.arrays import resizing, settling, sizes
from resizelab.arrays.settling import Work
from resizelab.axis import Convention, Weights, recipe
from resizelab.catalog.table import rows

Array = NDArray[Any]
Sizes = tuple[int, ...]

NICE = (0.25, 0.1, 0.05, 0.01)  # scales that people write are whole multiples of these
MOST_SCALES = 8  # tried an axis
MOST_TUPLES = 24  # tried in all
LARGE = 256  # pixels; of longer axes a sample of outputs is compared
ROUNDINGS: dict[str, Callable[[Array], Array]] = {
    "half_even": np.rint,
    "half_up": lambda v: np.floor(v + 0.5),
    "truncate": np.trunc,
}


@dataclass(frozen=True)
class Place:
    """Where a result lies: in a larger ``whole``, from ``first`` on; or over a region.

    A ``region`` is (first edge, last edge) in input pixels, an axis each; ``stretch``
    says whether an antialiased kernel is stretched by its step, or by the sizes.
    """

    whole: Sizes = ()
    first: Sizes = ()
    region: tuple[tuple[float, float], ...] = ()
    stretch: str = "grid"


@dataclass(frozen=True)
class Candidate:
    """Rows whose fields of effect are one: their names, and one of them.

    ``scale`` is what the call is given besides the sizes, one number an axis; ``place``
    is where its result lies, if not over the whole input. ``as_float`` says that the
    array was made float32 first, ``rounding`` how the results then became whole.
    """

    names: tuple[str, ...]
    convention: Convention = field(compare=False)
    scale: tuple[float, ...] | None = None
    place: Place | None = None
    as_float: bool = False
    rounding: str | None = None

    def plan(self, shape_in: Sizes, shape: Sizes, dtype: Any) -> resizing.Plan:
        """Return what the row does between these sizes.

        ``shape_in`` may have an axis of channels after those of ``shape``.
        """
        scale, c = self.scale, self.convention
        if scale is None and c.scale is None and c.spec.step_from == "scale":
            scale = tuple(m / n for n, m in zip(shape_in, shape, strict=False))
        asked: dict[str, Any] = {"scale": scale, "dtype": dtype, "built": False}
        return resizing.plan(shape_in, shape, c, axes=tuple(range(len(shape))), **asked)

    def predict(
        self, x: Array, shape: Sizes, sample: Sequence[Array] | None = None
    ) -> Array | None:
        """Return what the row makes of ``x``, or None if it refuses.

        ``sample`` names the outputs wanted, one array of indices an axis of ``shape``.
        """
        single = self.as_float or x.dtype == np.float16
        dtype = np.dtype(np.float32) if single else x.dtype
        try:
            settled = self.plan(x.shape, shape, dtype)
            # A row may keep the aspect ratio, and give other sizes.
            if sample is not None and settled.shape[: len(shape)] == shape:
                x, work = reduced(x, settled, sample)
            else:
                work = settled.work
            return resizing.run(settled, x.astype(dtype, copy=False), work)
        except (ValueError, TypeError, LookupError):
            return None  # the row's call would raise too


def reduced(
    x: Array, settled: resizing.Plan, sample: Sequence[Array]
) -> tuple[Array, Work]:
    """Return the part of ``x`` that some outputs read, and the work of those outputs.

    Clipping looks at the whole input: its range is put into one pixel more, that
    nothing reads.
    """
    work, reads = [], {}
    ends = (x.min(), x.max()) if settled.clip_to_input else ()
    axes = list(zip(settled.numbers, settled.axes, strict=True))
    for number, axis in settling.ordered(axes, settled.arithmetic):
        w = recipe.chosen(axis, sample[number])
        reads[number], place = np.unique(w.index, return_inverse=True)
        size, place = len(reads[number]) + len(ends), place.reshape(w.index.shape)
        work.append((number, Weights(place, w.weight, size, w.offset)))
    for number in sorted(reads):  # lines in front lie together in memory
        x = np.take(x, reads[number], number)
        one = np.take(x, [0], number)
        x = np.concatenate([x, *(np.full_like(one, end) for end in ends)], number)
    return x, tuple(work)


def spread(n: int, most: int = 48) -> Array:
    """Return up to ``most`` of n indices: both ends, and the rest evenly.

    >>> spread(100, 9)
    array([ 0,  1,  2, 26, 50, 73, 97, 98, 99])
    """
    if n <= most:
        return np.arange(n)
    end = most // 3
    middle = np.linspace(end, n - 1 - end, most - 2 * end + 2)[1:-1]
    parts = [np.arange(end), np.rint(middle).astype(int), np.arange(n - end, n)]
    return np.unique(np.concatenate(parts))


@lru_cache(maxsize=16)
def candidates(dtype: str) -> tuple[Candidate, ...]:
    """Return the rows, those that cannot differ on arrays of ``dtype`` taken together.

    Rows without an arithmetic for an integer dtype are left out, but for those that
    copy pixels.
    """
    kind = "floats" if np.dtype(dtype).kind == "f" else "integers"
    groups: dict[Any, list[Convention]] = {}
    for row in rows().values():
        own = tuple(
            (key, value)
            for key, value in row.arithmetic.items()
            if key.split(".")[0] in (dtype, kind)
        )
        if kind == "integers" and not own:
            continue
        key = *row.key, row.scale, row.roi, own
        groups.setdefault(key, []).append(row)
    return tuple(Candidate(tuple(r.name for r in g), g[0]) for g in groups.values())


def stages(
    given: str, whole: str | None, scaled: bool = False
) -> Iterator[tuple[Candidate, ...]]:
    """Yield who may have made numbers of arrays of dtype ``given``, likeliest first.

    ``whole`` is the integer dtype of the results, if they are whole numbers; ``scaled``
    says that they may have been whole before they were scaled. First come the rows that
    work on the dtype itself, then those that work on floats.
    """
    integers = np.dtype(given).kind in "iu"
    if integers or not whole:
        yield candidates(given)
    if integers or whole:
        floats = [replace(c, as_float=True) for c in candidates("float32")]
        if not whole:
            yield tuple(floats)
        if whole or scaled:
            yield tuple(replace(c, rounding=way) for way in ROUNDINGS for c in floats)


def with_scales(
    found: Sequence[Candidate], shape_in: Sizes, shape: Sizes
) -> Iterator[Candidate]:
    """Yield the candidates that take a scale, with scales that give these sizes.

    The ratio of the sizes comes first, then the numbers that people write.
    """
    for candidate in found:
        c = candidate.convention
        if c.spec.step_from == "sizes" and c.scale is None:
            continue
        for scale in scales(shape_in, shape, c.particulars.size_rule):
            yield replace(candidate, scale=scale)


@lru_cache(maxsize=64)
def scales(shape_in: Sizes, shape: Sizes, rule: str) -> tuple[tuple[float, ...], ...]:
    """Return scales, one an axis, that make ``shape`` of ``shape_in`` under a rule.

    >>> scales((3,), (4,), "floor")[:3]
    ((1.3333333333333333,), (1.5,), (1.4,))
    """
    each = []
    for n, m in zip(shape_in, shape, strict=True):
        found = [m / n]
        for part in NICE:
            low, high = int((m - 1) / n / part), int((m + 1) / n / part) + 1
            found += [round(k * part, 9) for k in range(max(1, low), high + 1)]
        fits = [s for s in found if _size(n, s, rule) in (m, None) or s == m / n]
        each.append(list(dict.fromkeys(fits))[:MOST_SCALES])
    common = [s for s in each[0] if all(s in other for other in each)]
    first = [tuple(options[0] for options in each)]
    tuples = [*first, *((s,) * len(each) for s in common), *product(*each)]
    return tuple(dict.fromkeys(tuples))[:MOST_TUPLES]


def _size(n: int, scale: float, rule: str) -> int | None:
    try:
        return sizes.output_size(n, scale, rule)
    except ValueError:
        return -1


def finished(
    said: Array | None, rounding: str | None, whole: str | None, given: str
) -> Array | None:
    """Return a prediction as whole numbers, where the results are or were such."""
    if said is None:
        return None
    if rounding:
        return to_whole(said, rounding, whole or given)
    # A row that returns floats did not make whole numbers.
    return said if not whole or said.dtype.kind in "iu" else None


def to_whole(values: Array, rounding: str, dtype: Any) -> Array:
    """Return float results as an integer dtype, clipped to its range.

    >>> to_whole(np.array([2.5, 300.0]), "half_even", "uint8")
    array([  2, 255], dtype=uint8)
    """
    info = np.iinfo(dtype)
    return np.clip(ROUNDINGS[rounding](values), info.min, info.max).astype(dtype)
