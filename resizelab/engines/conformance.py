"""How far a convention is from the engine it describes, measured here and now."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from resizelab.arrays import resizing, sizes
from resizelab.axis.convention import Convention
from resizelab.engines.running import SizeRefused, matrix

# Borders, ties, single pixels, equal sizes, and both directions at odd ratios.
LARGER = (
    *((16, 17), (17, 16), (11, 32), (32, 11), (64, 7), (7, 64), (16, 64), (64, 16)),
    *((13, 29), (29, 13), (13, 13), (27, 28), (48, 31)),
)
SMALL = tuple((a, b) for a in range(1, 13) for b in range(1, 13))
PAIRS = SMALL + LARGER  # 157
FEW = SMALL[:: len(SMALL) // 27][:27] + LARGER  # 40
SCALES = (0.3, 0.37, 0.5, 0.7, 1.1, 1.3, 1.5, 1.7, 2.0, 2.4, 2.6, 3.0)
STANDARD = 2e-6  # float32 noise of a weight; it grows with the position
LEAST = 2  # pixels that a scale must leave
Sizes = Sequence[tuple[int, int]]


@dataclass
class Conformance:
    """What the comparison of one convention found.

    ``tried`` operators or pictures, ``missed`` those that differ by more than is
    allowed, ``refused`` what the engine would not do and its words, ``worst`` the
    largest difference, ``values`` how many numbers pictures held, ``wrong`` how many
    of them differ, ``largest`` the longest side of a picture.
    """

    name: str
    tried: int = 0
    missed: list[tuple[Any, float]] = field(default_factory=list)
    refused: dict[Any, str] = field(default_factory=dict)
    worst: float = 0.0
    values: int = 0
    wrong: int = 0
    largest: int = 0
    seconds: float = 0.0
    share: float = 0.0

    @property
    def good(self) -> bool:
        """Say whether something was tried and no more missed than the row says."""
        if self.values:
            return self.wrong <= self.share * self.values
        return bool(self.tried) and len(self.missed) <= self.share * self.tried

    def line(self) -> str:
        """Return the comparison in one line."""
        mark = "ok " if self.good else "BAD"
        count = f"{self.wrong} of {self.values}" if self.values else len(self.missed)
        tail = f"  {self.missed[:3]}" if self.missed and not self.good else ""
        tail += f"  refused {next(iter(self.refused.items()))}" if self.refused else ""
        return (
            f"{mark} {self.name:46s} {self.tried:5d} tried, worst {self.worst:.1e}, "
            f"missed {count}, {self.seconds:.1f} s{tail}"
        )


def allowed(row: Convention, n: int) -> float:
    """Return the error a weight may have on an axis of ``n`` pixels; picking has 0."""
    picks = row.spec.kernel == "nearest" and not row.particulars.prefilter
    if row.tolerance is None and picks:
        return 0.0
    return (STANDARD if row.tolerance is None else row.tolerance) * max(1.0, n / 16)


def by_scale(row: Convention) -> bool:
    """Say whether the row is asked with a scale."""
    return row.scale is not None or row.spec.step_from == "scale"


def requests(row: Convention, pairs: Sizes) -> Iterator[tuple[int, int, float | None]]:
    """Yield (n_in, n_out, scale) for a row: sizes, or sizes that scales give."""
    if not by_scale(row):
        for n, m in pairs:
            yield n, m, None
        return
    for n in sorted({n for n, _ in pairs if n > 1})[:24]:
        for s in SCALES:
            if n * s >= LEAST:
                yield n, sizes.output_size(n, s, row.particulars.size_rule), s


def compare(row: Convention, pairs: Sizes = PAIRS) -> Conformance:
    """Compare the engine's measured operators with ours on every pair of sizes."""
    found = Conformance(row.name, share=row.missed or 0.0)
    start = time.perf_counter()
    # In `matrix` the other axes keep their size, and the last axis is read.
    last = row if row.roi is None else row.replace(roi=row.roi[-1:])
    for n, m, scale in requests(row, pairs):
        try:
            measured = matrix(row, n, m, scale)
        except (SizeRefused, ValueError, RuntimeError) as error:
            found.refused[n, m, scale] = f"{type(error).__name__}: {error}"[:90]
            continue
        expected = resizing.weights(last, n, m, scale).dense()
        gap = float(np.abs(measured - expected).max())
        found.tried += 1
        found.worst = max(found.worst, gap)
        if not gap <= allowed(row, max(n, m)):
            found.missed.append(((n, m) if scale is None else (n, m, scale), gap))
    found.seconds = time.perf_counter() - start
    return found
