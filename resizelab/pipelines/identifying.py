"""Which pipeline made this tensor of that photograph? Size, offset, row, values.

Green is the middle channel in RGB and in BGR: places are looked for on it alone, with
the gain and offset that fit best taken out, and the rest is asked in turn.
"""

import os
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab import engines
from resizelab.checks import FloatArray
from resizelab.identification.registration import part_of
from resizelab.modelfiles import files
from resizelab.pipelines import known
from resizelab.pipelines.comparing import Rows, nearest
from resizelab.pipelines.decoding import CHROMA, DCT, EXIF, JPEG, Decode
from resizelab.pipelines.geometries import Geometry, candidates
from resizelab.pipelines.identified import NOTHING, Identified
from resizelab.pipelines.lines import Line, channels_last, line
from resizelab.pipelines.spatial import Resize

Array = NDArray[Any]
GREEN = 1
CROPPED = ["resize", "crop"]
KEPT = 6  # geometries whose rows are looked at
SIMILAR, EXACT = 1.5, 0.15  # geometries this much worse, and levels, are looked at too
LOST = 1.0  # levels; beyond it what the tensor shows is measured
WALKED = 6  # times that a measured size is made one pixel better
FINE = 0.1  # levels; below it no other decoder is asked
# A row is as good as the best within this factor or these levels, not beyond those.
TIED = 1.5, 0.002, 0.3
# Rows that people use beside those of the known pipelines, and one of each family.
MORE, FAMILIES = known.rows("bytes", "float", "float_rounded"), known.rows("place")


def identify(raw: Any, tensor: Any) -> Identified:
    """Return what made ``tensor`` of the photograph ``raw``.

    Parameters
    ----------
    raw : path, or (height, width, 3) bytes
        The photograph: its file, whose orientation and decoding are asked too, or its
        decoded pixels, RGB.
    tensor : array
        What the network reads: CHW or HWC, a batch of one in front or not, or
        Qwen2-VL's patches.

    Raises ValueError for shapes that are neither.
    """
    if isinstance(raw, (str, os.PathLike)):
        return _of_file(raw, tensor)
    x = np.asarray(raw)
    if x.ndim != 3 or x.shape[-1] != 3 or x.dtype != np.uint8:
        raise ValueError(f"raw must be bytes of (height, width, 3); got {x.shape}")
    y = channels_last(np.asarray(tensor, np.float64), (x.shape[0], x.shape[1]))
    found = candidates((x.shape[0], x.shape[1]), (y.shape[0], y.shape[1]))
    if not found:
        return Identified(None, (), None, float("inf"), ())
    green = x[..., GREEN : GREEN + 1]
    scores = sorted((_registered(g, green, y), k) for k, g in enumerate(found))
    if scores[0][0] > LOST:
        scores = _measured(x, y, found, scores)
    near = SIMILAR * scores[0][0] + EXACT
    placed = [found[k] for score, k in scores[:KEPT] if score <= near]
    tried = _tried(x, y, placed, _rows())
    best = tried[0][0]
    close = max(min(TIED[0] * best, best + TIED[2]), best + TIED[1])
    tied = [(k, row) for left, k, row in tried if left <= close]
    rows = tuple(dict.fromkeys(row for _, row in tied))
    geometries = [placed[k] for k in dict.fromkeys(k for k, _ in tied)]
    return _named(x, y, geometries, rows, (best, close))


def _measured(
    x: Array, y: Array, found: list[Geometry], scores: list[tuple[float, int]]
) -> list[tuple[float, int]]:
    """Add the geometries that show what the tensor shows, and return all scores.

    What it shows is measured, and then walked to better sizes one by one.
    """
    shape, size = (x.shape[0], x.shape[1]), (y.shape[0], y.shape[1])
    green = x[..., GREEN : GREEN + 1]
    shown = part_of(green[..., 0].astype(np.float64), y[..., GREEN]).tolist()
    keys = {g.key for g in found}
    centre = -1
    for _ in range(WALKED):
        first = len(found)
        found += [g for g in candidates(shape, size, shown) if g.key not in keys]
        keys |= {g.key for g in found[first:]}
        more = enumerate(found[first:], first)
        scores = sorted([*scores, *((_registered(g, green, y), k) for k, g in more)])
        kinds = [stage.kind for stage, _ in found[scores[0][1]].pairs]
        # What was measured may be worse than what was listed: walk from the best.
        if scores[0][0] < LOST or scores[0][1] == centre or kinds != CROPPED:
            break
        centre = scores[0][1]
        resized, cut = found[centre].moves
        step = [n / m for n, m in zip(shape, resized.shape_out, strict=True)]
        ends = zip(cut.before, size, step, strict=True)
        shown = [edge * t for o, n, t in ends for edge in (o, o + n)]
    return scores


def _of_file(path: files.PathLike, tensor: Any) -> Identified:
    """Return the best over orientation, and, if bytes are still off, over decoders.

    Decoders move nothing: only the places and rows that were found are tried again.
    """

    def tried(decode: Decode, found: Identified | None = None) -> Identified:
        pixels = decode.read(path)
        made = identify(pixels, tensor) if found is None else _again(found, pixels, y)
        return replace(made, decode=decode)

    turned = files.orientation(path) > 1
    exifs = EXIF if turned else EXIF[1:]
    best = min((tried(Decode(exif=e)) for e in exifs), key=lambda found: found.remains)
    jpeg = Path(path).suffix.lower() in JPEG
    decode, off = best.decode, FINE < best.remains < 2 * NOTHING
    asked = jpeg and off and engines.version("tensorflow")
    if decode is None or best.geometry is None or not asked:
        return best
    y = channels_last(np.asarray(tensor, np.float64), best.geometry.moves[0].shape_in)
    others = [
        tried(replace(decode, dct=dct, chroma=chroma), best)
        for dct in DCT
        for chroma in CHROMA
        if (dct, chroma) != (DCT[0], CHROMA[0])
    ]
    other = min(others, key=lambda found: found.remains)
    return tried(other.decode or decode) if other.remains < best.remains else best


def _again(found: Identified, x: Array, y: Array) -> Identified:
    """Return what was found of other pixels of the same photograph."""
    assert found.geometry is not None
    placed = [found.geometry, *found.others]
    left, k, row = _tried(x, y, placed, found.rows)[0]
    return replace(found, remains=left, rows=(row,), geometry=placed[k])


def _tried(
    x: Array, y: Array, placed: list[Geometry], rows: Rows
) -> list[tuple[float, int, tuple[str, str]]]:
    """Return what remains of each place with each row, the least first."""
    green = x[..., GREEN : GREEN + 1]
    return sorted(
        (_fit(g, g.run(green, *row), y[..., GREEN])[2], k, row)
        for k, g in enumerate(placed)
        for row in rows
    )


@lru_cache(maxsize=1)
def _rows() -> Rows:
    found = dict.fromkeys(
        (stage.convention, stage.numbers)
        for name in known.names()
        for stage in known.named(name).stages
        if isinstance(stage, Resize)
    )
    return (*found, *(row for row in MORE if row not in found))


def _registered(g: Geometry, green: Array, y: Array) -> float:
    """Return what remains of the best of a row of each family.

    A flat corner, made large, resembles anything: what is left of it counts for more.
    """
    left = []
    for row, _ in FAMILIES:
        made = g.run(green, row, "float")
        flat = float(green.std()) / (float(made[..., 0][g.inside()].std()) or 1.0)
        left.append(max(1.0, flat) * _fit(g, made, y[..., GREEN])[2])
    return min(left)


def _fit(g: Geometry, made: Array, y: FloatArray) -> tuple[float, float, float]:
    """Return gain, offset, and the root mean square that remains, in levels."""
    inside = g.inside()
    a = made[..., 0][inside].astype(np.float64)
    b = y[inside]
    middle = a.mean(), b.mean()
    spread = float(((a - middle[0]) ** 2).mean())
    if not spread:
        return 1.0, 0.0, float("inf")
    gain = float(((a - middle[0]) * (b - middle[1])).mean()) / spread
    if not gain > 0:
        return 1.0, 0.0, float("inf")
    offset = float(middle[1] - gain * middle[0])
    rest = (b - gain * a - offset) / gain
    return gain, offset, float(np.sqrt((rest**2).mean())) + _border(g, y)


def _border(g: Geometry, y: FloatArray) -> float:
    """Return 0 where what is around the photograph has one value, else much."""
    outside = np.ones(y.shape, bool)
    outside[g.inside(reached=True)] = False
    around = y[outside]
    return 0.0 if not around.size or np.ptp(around) < 1e-5 else NOTHING


def _named(
    x: Array,
    y: Array,
    geometries: list[Geometry],
    rows: Rows,
    limits: tuple[float, float],
) -> Identified:
    (left, close), g = limits, geometries[0]
    made = g.run(x, *rows[0])
    best: list[tuple[float, tuple[int, ...], Any]] = []
    order: tuple[int, ...]
    for order in ((0, 1, 2), (2, 1, 0)):
        fits = [_fit(g, made[..., [k]], y[..., j]) for j, k in enumerate(order)]
        best.append((max(f[2] for f in fits), order, fits))
    _, order, fits = min(best, key=lambda entry: entry[0])
    found = Line(order, *(np.array([f[k] for f in fits]) for k in (0, 1)))
    names = tuple(_same(x, y, geometries, found, close)) if left < NOTHING else ()
    values = _mean_and_std(found)
    shape, every = (x.shape[0], x.shape[1]), tuple(geometries)
    near = ("", ()) if names else nearest(shape, every, rows, found)
    return Identified(g, rows, found, left, names, every[1:], None, *values, *near)


def _mean_and_std(found: Line) -> tuple[Any, Any]:
    """Return the mean and deviation of a known line that is this one."""
    for name in known.names():
        stages = known.named(name).stages
        if found.alike(line(known.named(name))):
            for stage in stages[::-1]:
                if stage.kind == "normalise":
                    return getattr(stage, "mean", None), getattr(stage, "std", None)
    return None, None


def _same(
    x: Array, y: Array, geometries: list[Geometry], found: Line, close: float
) -> Iterator[str]:
    """Go through the known pipelines that do this to this photograph, each rebuilt."""
    green, keys = x[..., GREEN : GREEN + 1], [g.key for g in geometries]
    for name in known.names():
        own = Geometry.of(known.named(name), (x.shape[0], x.shape[1]))
        if own.key in keys and found.alike(line(known.named(name))):
            row = own.resizes[0]
            made = own.run(green, row.convention, row.numbers)
            if _fit(own, made, y[..., GREEN])[2] <= close:
                yield name
