"""What else may have been done to a picture: turned, padded, cut, of another step.

Each is looked for against a plain resize, and undone, so that the resize can be named.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.arrays import layouts
from resizelab.axis import Convention, Spec
from resizelab.checks import FloatArray
from resizelab.identification.candidates import Candidate, Place, spread
from resizelab.identification.registration import part_of

Array = NDArray[Any]

PLAIN = Spec(antialias=True, boundary="exclude")
WHOLE = Place()
PICKED = Spec(kernel="nearest", nearest_mode="round_prefer_ceil")
LIKE = 0.9  # a correlation that a resize of natural pictures has at the least
CLEAR = 0.02  # by how much another order must correlate better
# Steps that people write are whole multiples of these, as scales are.
NICE = (0.5, 0.25, 0.1, 0.05, 0.01)
MOST_STEPS = 12  # tried an axis
LEAST_LIKE = 0.5  # a correlation that a reading of noise by another kernel has
TRIED = 5  # places
LOOKED_AT = 64  # outputs an axis
CHANCE = 0.08  # a correlation that so many outputs of strangers do not have
LEFT = "turned by 90 degrees, counter-clockwise"
SMALL = 2**20  # numbers; of larger pictures written steps are not tried


@dataclass(frozen=True)
class Altered:
    """The pair with one alteration undone, and what it was."""

    x: Array
    y: Array
    said: str
    place: Place | None = None


def likeness(
    x: Array, y: Array, place: Place = WHOLE, specs: tuple[Spec, ...] = (PLAIN,)
) -> float:
    """Return the mean correlation of y's channels with a plain resize's, by any spec.

    Noise that was picked is like no average of it.
    """
    both = (_alike(x, y, place, spec) for spec in specs)
    return max(float(np.mean(np.diagonal(alike))) for alike in both)


def _alike(x: Array, y: Array, place: Place = WHOLE, spec: Spec = PLAIN) -> FloatArray:
    """Return the correlation of each channel of a plain resize with each of y's.

    Of (…, channels), at some outputs of each axis; 0 where a channel is flat.
    """
    c = Convention(name="plain", spec=spec)
    if place.region:
        c = c.replace(spec=spec.replace(grid="box"), roi=place.region)
    sample, shape = [spread(n, LOOKED_AT) for n in y.shape[:-1]], y.shape[:-1]
    first = place.first or (0,) * len(shape)
    wanted = [s + k for s, k in zip(sample, first, strict=True)]
    whole = Candidate(("plain",), c, as_float=True)
    made = whole.predict(x, place.whole or shape, wanted)
    assert made is not None
    flat = []
    for array in (made, y[np.ix_(*sample)]):
        lines = array.reshape(-1, array.shape[-1]).astype(np.float64)
        lines = lines - lines.mean(0)
        size = np.linalg.norm(lines, axis=0)
        flat.append(lines / np.where(size > 0, size, 1.0))
    found: FloatArray = flat[0].T @ flat[1]
    return found


def altered(x: Array, y: Array) -> Iterator[Altered]:
    """Yield the pair (H, W, channels) with alterations that show undone."""
    yield from _swapped_channels(x, y)
    if y.ndim != 3:
        return
    for seen in (*_turned(x, y), *_padded(x, y)):
        yield seen
        x, y = seen.x, seen.y
        for place in _placed(x, y):
            yield Altered(place.x, y, f"{seen.said}; {place.said}", place.place)
    yield from _placed(x, y)


def _swapped_channels(x: Array, y: Array) -> Iterator[Altered]:
    count = x.shape[-1]
    if count not in (3, 4) or y.shape[-1] != count:
        return
    alike = _alike(x, y)
    own = range(count)
    found = max(permutations(own), key=lambda p: float(alike[list(p), own].sum()))
    least = max(float(np.trace(alike)), count * CHANCE)
    if found != tuple(own) and alike[list(found), own].sum() > least:
        said = f"channels swapped: y holds them in the order {found}; undone here"
        yield Altered(np.ascontiguousarray(x[..., list(found)]), y, said)


def _turned(x: Array, y: Array) -> Iterator[Altered]:
    like = likeness(x, y)
    turns = {
        "axes swapped: y is transposed": "with height and width swapped",
        "y is flipped left to right": "flipped left to right",
        "y is flipped top to bottom": "flipped top to bottom",
        "y is turned by 180 degrees": "turned by 180 degrees",
        "y is turned by 90 degrees to the left": LEFT,
        "y is turned by 90 degrees to the right": "turned by 90 degrees, clockwise",
    }
    for said, way in turns.items():
        turned = layouts.turned(x, layouts.TURNS[way])
        if likeness(turned, y) > max(LIKE, like + CLEAR):
            yield Altered(np.ascontiguousarray(turned), y, f"{said}; undone here")


def _padded(x: Array, y: Array) -> Iterator[Altered]:
    inner, said = y, []
    for axis, names in ((0, ("top", "bottom")), (1, ("left", "right"))):
        for end, name in enumerate(names):
            count = _constant_lines(inner, axis, end)
            if not 0 < count < inner.shape[axis] - 1:
                continue
            if _constant_lines(x, axis, end):
                continue  # the input itself has such a border
            keep = slice(count, None) if end == 0 else slice(None, -count)
            inner = inner[keep] if axis == 0 else inner[:, keep]
            said.append(f"{count} {name}")
    if said:
        text = f"padded: constant lines of y left out here ({', '.join(said)})"
        yield Altered(x, np.ascontiguousarray(inner), text)


def _constant_lines(y: Array, axis: int, end: int) -> int:
    lines = np.moveaxis(y, axis, 0)
    lines = lines[::-1] if end else lines
    same = (lines == lines[:1, :1]).reshape(len(lines), -1).all(1)
    return int(len(same) if same.all() else np.argmin(same))


def _placed(x: Array, y: Array) -> Iterator[Altered]:
    """Yield where y may lie in the picture, of a given step or a part: likeliest first.

    Only what is more like y than the whole picture is looked at.
    """
    found = [*_stepped(x, y)] if x.size <= SMALL else []
    part = part_of(x.astype(np.float64).mean(-1), y.astype(np.float64).mean(-1))
    found += _cut(x, y, part)
    likes = [likeness(o.x, y, o.place or WHOLE, (PLAIN, PICKED)) for o in found]
    whole = likeness(x, y, WHOLE, (PLAIN, PICKED))
    order = sorted(range(len(found)), key=lambda k: -likes[k])
    yield from (found[k] for k in order[:TRIED] if likes[k] > max(whole, LEAST_LIKE))


def _stepped(x: Array, y: Array) -> Iterator[Altered]:
    """Yield the pair read at steps as people write them."""
    for steps in _steps(x.shape, y.shape[:-1]):
        region = tuple((0.0, t * m) for t, m in zip(steps, y.shape, strict=False))
        told = " x ".join(f"{t:.6g}" for t in steps)
        said = f"with a step given: {told} pixels"
        yield Altered(x, y, said, Place(region=region))
        by_sizes = f"{said}, the kernel stretched by the ratio of the sizes"
        yield Altered(x, y, by_sizes, Place(region=region, stretch="scale"))


def _steps(before: tuple[int, ...], after: tuple[int, ...]) -> list[tuple[float, ...]]:
    """Return steps that people write and that give these sizes, one an axis.

    >>> _steps((60, 80), (13, 18))[0]
    (4.5, 4.5)
    """
    each = []
    for n, m in zip(before, after, strict=False):
        low, high = n / (m + 1), n / max(1, m - 1)
        counts = [(p, range(int(low / p) + 1, int(high / p) + 1)) for p in NICE]
        found = [round(k * p, 9) for p, every in counts for k in every]
        each.append(list(dict.fromkeys(t for t in found if t != n / m))[:MOST_STEPS])
    common = [(t,) * len(each) for t in each[0] if all(t in other for other in each)]
    return common or list(product(*each))[:MOST_STEPS]


def _cut(x: Array, y: Array, part: FloatArray) -> Iterator[Altered]:
    """Yield the pair cut before its resize, or after it, or a region resized."""
    h, w = x.shape[:2]
    edges = part.reshape(2, 2)
    ends = np.clip(np.rint(edges), 0, [[h], [w]]).astype(int)
    (t, b), (s, e) = ends.tolist()
    told = ", ".join(f"{low:.2f} … {high:.2f}" for low, high in edges)
    if b - t >= 2 and e - s >= 2 and (b - t, e - s) != (h, w):
        said = (
            f"cropped: y shows rows {t} to {b} of {h} and columns {s} to {e} of {w} "
            f"(measured {told}); cut out here"
        )
        yield Altered(np.ascontiguousarray(x[t:b, s:e]), y, said)
    sizes = y.shape[:2]
    step = (edges[:, 1] - edges[:, 0]) / sizes
    for way in product((0, -1, 1), repeat=2):
        whole = np.rint(np.array((h, w)) / step).astype(int) + way
        first = np.rint(edges[:, 0] * whole / (h, w)).astype(int)
        if (first < 0).any() or (first + sizes > whole).any() or (whole == sizes).all():
            continue
        (m, k), (i, j) = whole.tolist(), first.tolist()
        said = (
            f"cropped afterwards: of {m} x {k}, rows {i} to {i + sizes[0]} and "
            f"columns {j} to {j + sizes[1]}"
        )
        yield Altered(x, y, said, Place(whole=(m, k), first=(i, j)))
    for unit in (1.0, 0.5, 0.25, 0.1):
        region = tuple((float(a), float(b)) for a, b in np.rint(edges / unit) * unit)
        told = " and ".join(f"{a:g} to {b:g}" for a, b in region)
        said = f"a region resized (as by `box=`): rows and columns {told}"
        yield Altered(x, y, said, Place(region=region))
