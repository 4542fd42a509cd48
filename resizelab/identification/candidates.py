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

from resizelab.arrays import resizing, sizes
from resizelab.arrays.settling import Work
from resizelab.axis.convention import Convention
from resizelab.axis.operator import Weights
from resizelab.catalog.table import rows

Array = NDArray[Any]
Sizes = tuple[int, ...]

NICE = (0.25, 0.1, 0.05, 0.01)  # scales that people write are whole multiples of these
MOST_SCALES = 8  # tried an axis
MOST_TUPLES = 24  # tried in all
LARGE = 256  # pixels; of longer axes a sample of outputs is compared
LOOKED_AT = 20  # outputs an axis
# A prefilter's matrix is as large as the axis squared: of a long axis its beginning is
# resized by the same step, and outputs far from where it was cut are compared.
FAR = 40  # pixels beyond which a prefilter's memory is below float32
REACH = 6  # steps that a blur and a stretched kernel reach, at the most
MANY = 16  # outputs of the beginning that are compared
# Grids that begin alike, whatever the length; corners do with another step.
ALIKE = {"half_pixel": "half_pixel", "asymmetric": "asymmetric"}
ALIKE["align_corners"] = "asymmetric"

ROUNDINGS: dict[str, Callable[[Array], Array]] = {
    "half_even": np.rint,
    "half_up": lambda v: np.floor(v + 0.5),
    "truncate": np.trunc,
}


@dataclass(frozen=True)
class Candidate:
    """Rows whose fields of effect are one: their names, and one of them.

    ``scale`` is what the call is given besides the sizes, one number an axis.
    ``as_float`` says that the array was made float32 first, ``rounding`` how the
    results then became whole numbers.
    """

    names: tuple[str, ...]
    convention: Convention = field(compare=False)
    scale: tuple[float, ...] | None = None
    as_float: bool = False
    rounding: str | None = None

    def plan(self, shape_in: Sizes, shape: Sizes, dtype: Any) -> resizing.Plan:
        """Return what the row does between these sizes.

        ``shape_in`` may have an axis of channels after those of ``shape``.
        """
        scale, c = self.scale, self.convention
        if scale is None and c.scale is None and c.spec.step_from == "scale":
            scale = tuple(m / n for n, m in zip(shape_in, shape, strict=False))
        axes = tuple(range(len(shape)))
        return resizing.plan(shape_in, shape, c, axes=axes, scale=scale, dtype=dtype)

    def predict(
        self, x: Array, shape: Sizes, sample: Sequence[Array] | None = None
    ) -> Array | None:
        """Return what the row makes of ``x``, or None if it refuses.

        ``sample`` names the outputs wanted, one array of indices an axis of ``shape``.
        """
        try:
            settled = self.plan(x.shape, shape, x.dtype)
            # A row may keep the aspect ratio, and give other sizes.
            work = settled.work
            if sample is not None and settled.shape[: len(shape)] == shape:
                x, work = reduced(x, settled, sample)
            return resizing.run(settled, x, work)
        except (ValueError, TypeError, LookupError):
            return None  # the row's call would raise too

    def compared(self, x: Array, y: Array) -> tuple[Array | None, Array]:
        """Return (prediction, answer) where they are compared; channels come last."""
        sizes = y.shape[:-1]
        if self.as_float or x.dtype == np.float16:
            x = x.astype(np.float32)
        if max(*sizes, *x.shape[:-1]) <= LARGE:
            return self.predict(x, sizes), y
        prefiltered = self.convention.particulars.prefilter and sizes != x.shape[:-1]
        if prefiltered and max(x.shape[:-1]) > LARGE:
            return self._beginning(x, y)
        sample = [spread(n, LOOKED_AT) for n in sizes]
        return self.predict(x, sizes, sample), y[np.ix_(*sample)]

    def _beginning(self, x: Array, y: Array) -> tuple[Array | None, Array]:
        c = self.convention
        if c.spec.grid not in ALIKE or c.roi is not None or self.scale:
            return None, y
        corners = c.spec.grid == "align_corners"
        cut, scales, sample = [], [], []
        for n, m in zip(x.shape[:-1], y.shape[:-1], strict=True):
            scale = (m - 1) / (n - 1) if corners and min(n, m) > 1 else m / n
            far = FAR + REACH * max(1.0, 1 / scale)
            length = min(n, int(far + MANY / scale))
            good = int((length - far) * scale) if length < n else m
            if good < 1:
                return None, y
            cut.append(length)
            scales.append(scale)
            sample.append(spread(min(good, m), MANY))
        spec = c.spec.replace(grid=ALIKE[c.spec.grid], step_from="scale")
        particulars = c.particulars.replace(clip_to_input=False)
        local = c.replace(spec=spec, particulars=particulars, scale=None)
        few = replace(self, convention=local, scale=tuple(scales))
        sizes: Sizes = tuple(
            m if length == n else max(1, int(length * s))
            for length, n, m, s in zip(cut, x.shape, y.shape, scales, strict=False)
        )
        said = few.predict(x[tuple(slice(length) for length in cut)], sizes, sample)
        if said is not None and c.particulars.clip_to_input and said.dtype.kind == "f":
            whole = x.dtype.kind in "iu" and said.max() <= 2
            unit = np.iinfo(x.dtype).max if whole else 1
            said = np.clip(said, x.min() / unit, x.max() / unit)
        return said, y[np.ix_(*sample)]


def reduced(
    x: Array, settled: resizing.Plan, sample: Sequence[Array]
) -> tuple[Array, Work]:
    """Return the part of ``x`` that some outputs read, and the work of those outputs.

    Clipping looks at the whole input: its range is put into one pixel more, that
    nothing reads.
    """
    work = []
    low, high = (x.min(), x.max()) if settled.clip_to_input else (0, 0)
    for axis, w in settled.work:
        wanted = sample[axis]
        index, weight = w.index[wanted], w.weight[wanted]
        used, place = np.unique(index, return_inverse=True)
        x = np.take(x, used, axis)
        if settled.clip_to_input:
            ends = [np.full_like(np.take(x, [0], axis), v) for v in (low, high)]
            x = np.concatenate([x, *ends], axis)
        offset = None if w.offset is None else w.offset[wanted]
        few = Weights(place.reshape(index.shape), weight, x.shape[axis], offset)
        work.append((axis, few))
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


def stages(given: str, whole: str | None) -> Iterator[tuple[Candidate, ...]]:
    """Yield who may have made numbers of arrays of dtype ``given``, likeliest first.

    ``whole`` is the integer dtype of the results, if they are whole numbers. First come
    the rows that work on the dtype itself, then those that work on floats.
    """
    integers = np.dtype(given).kind in "iu"
    if integers or not whole:
        yield candidates(given)
    if integers or whole:
        floats = [replace(c, as_float=True) for c in candidates("float32")]
        ways = ROUNDINGS if whole else (None,)
        yield tuple(replace(c, rounding=way) for way in ways for c in floats)


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


def finished(said: Array | None, rounding: str | None, whole: str | None) -> Any:
    """Return a prediction as whole numbers, where the results are such."""
    if said is None or not whole:
        return said
    if rounding:
        return to_whole(said, rounding, whole)
    # A row that returns floats did not make whole numbers.
    return said if said.dtype.kind in "iu" else None


def to_whole(values: Array, rounding: str, dtype: Any) -> Array:
    """Return float results as an integer dtype, clipped to its range.

    >>> to_whole(np.array([2.5, 300.0]), "half_even", "uint8")
    array([  2, 255], dtype=uint8)
    """
    info = np.iinfo(dtype)
    return np.clip(ROUNDINGS[rounding](values), info.min, info.max).astype(dtype)
