"""Whole pictures of integers through an engine and through ours, compared."""

import time
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.arrays import resizing
from resizelab.axis.convention import Convention
from resizelab.engines.conformance import LEAST, Conformance, by_scale
from resizelab.engines.running import SizeRefused, run

PATIENT = 20.0  # seconds that a large picture may seem to take
LARGE = (300, 601)


def integer_dtypes(row: Convention) -> list[str]:
    """Return the integer dtypes that a row has an arithmetic for."""
    names = {key.split(".")[0] for key in row.arithmetic}
    if "integers" in names:
        names = names - {"integers"} | {"uint8", "int32"}
    return sorted(n for n in names if n != "floats" and np.dtype(n).kind in "iu")


def compare_integers(
    row: Convention, dtype: str, pictures: int = 60, seed: int = 0
) -> Conformance:
    """Compare whole pictures of an integer dtype, both axes changing.

    Noise and ramps of up to 20 pixels, then three of 300 to 600 where the engine is not
    too slow for those: positions and sums lose digits as an axis grows.
    """
    found = Conformance(f"{row.name} {dtype}", share=row.off_by_one or 0.0)
    start = time.perf_counter()
    for x, shape, scale in _pictures(row, dtype, pictures, seed):
        pace = (time.perf_counter() - start) / max(found.values, 1)
        if x.size >= LARGE[0] ** 2 and pace * x.size > PATIENT:
            break
        try:
            measured = run(row, x, shape, scale)
        except (SizeRefused, ValueError, RuntimeError) as error:
            found.refused[x.shape, shape] = f"{type(error).__name__}: {error}"[:90]
            continue
        expected = resizing.resize(x, shape, row, scale=scale)
        if measured.dtype != expected.dtype:
            raise TypeError(
                f"{found.name}: the engine returns {measured.dtype}, the row says "
                f"{expected.dtype}"
            )
        gap = np.abs(measured.astype(np.float64) - expected.astype(np.float64))
        noise = 1e-5 * max(1.0, float(np.abs(measured).max(initial=0)))
        wrong = int((gap > (noise if measured.dtype.kind == "f" else 0)).sum())
        found.tried, found.values = found.tried + 1, found.values + gap.size
        found.largest = max(found.largest, *x.shape, *measured.shape)
        found.wrong, found.worst = found.wrong + wrong, max(found.worst, gap.max())
        if wrong:
            found.missed.append(((x.shape, shape or scale), float(gap.max())))
    found.seconds = time.perf_counter() - start
    return found


def _pictures(
    row: Convention, dtype: str, count: int, seed: int
) -> Iterable[tuple[NDArray[Any], tuple[int, int] | None, tuple[float, ...] | None]]:
    rng, info = np.random.default_rng(seed), np.iinfo(dtype)
    # Where an engine overflows, no model should follow: 21 bits of 32 are used.
    low, high = max(info.min, -(2**20)), min(info.max, 2**20)
    for k in range(count + 3):
        sides = (1, 20) if k < count else LARGE
        h, w, oh, ow = (int(n) for n in rng.integers(*sides, 4))
        x = rng.integers(low, high, (h, w), np.dtype(dtype), endpoint=True)
        if k % 6 == 5:  # ties are common in a ramp
            x = np.linspace(low, high, h * w).reshape(h, w).astype(dtype)
        if not by_scale(row):
            yield x, (oh, ow), None
            continue
        scale = tuple(float(s) for s in rng.uniform(0.5, 3.0, 2))
        if k % 4 == 0:  # some calls take whole factors only
            scale = tuple(float(np.ceil(s)) for s in scale)
        if min(h * scale[0], w * scale[1]) >= LEAST:
            yield x, None, scale
