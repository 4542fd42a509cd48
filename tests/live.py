"""Compare the table's rows with the engines themselves.

`python tests/live.py [name or library …] [--pairs N]` prints one line a row.
"""

import argparse
import sys
import time
from dataclasses import dataclass, field

import numpy as np

import resizelab as rl
from resizelab import engines, resizing
from resizelab.catalog import convention, conventions

# Borders, ties, single pixels, equal sizes, and both directions at odd ratios.
LARGER = (
    *((16, 17), (17, 16), (11, 32), (32, 11), (64, 7), (7, 64), (16, 64), (64, 16)),
    *((13, 29), (29, 13), (13, 13), (27, 28), (48, 31)),
)
SMALL = tuple((a, b) for a in range(1, 13) for b in range(1, 13))
PAIRS = SMALL + LARGER  # 157
FEW = SMALL[:: len(SMALL) // 27][:27] + LARGER  # 40
SCALES = (0.3, 0.37, 0.5, 0.7, 1.1, 1.3, 1.5, 1.7, 2.0, 2.4, 2.6, 3.0)
STANDARD = 2e-6


@dataclass
class Result:
    """What the comparison of one row found."""

    name: str
    tried: int = 0
    missed: list = field(default_factory=list)
    refused: dict = field(default_factory=dict)
    worst: float = 0.0
    seconds: float = 0.0
    allowed: float = 0.0  # share of tries that may miss

    @property
    def good(self):
        """Say whether something was tried and no more was missed than the row says."""
        return self.tried and len(self.missed) <= self.allowed * self.tried

    def line(self):
        """Return the row's line."""
        mark = "ok " if self.good else "BAD"
        tail = f" missed {self.missed[:4]}" if self.missed else ""
        tail += f" refused {list(self.refused.items())[:1]}" if self.refused else ""
        return (
            f"{mark} {self.name:48s} {self.tried:5d} pairs  worst {self.worst:.1e}"
            f"  missed {len(self.missed)}  {self.seconds:5.1f} s{tail}"
        )


def allowed(row, n):
    """Return the error a row may have on an axis of ``n`` pixels (0 for nearest)."""
    if row.tolerance is None and row.spec.kernel == "nearest":
        return 0.0
    return (STANDARD if row.tolerance is None else row.tolerance) * max(1.0, n / 16)


def cases(row, pairs):
    """Yield (n_in, n_out, scale) for a row."""
    if row.spec.step_from == "scale" or row.scale is not None:
        sizes = sorted({n for n, _ in pairs if n > 1})[:24]
        for n in sizes:
            for s in SCALES:
                if n * s >= 2:
                    yield n, rl.output_size(n, s, row.particulars.size_rule), s
    else:
        for n, m in pairs:
            yield n, m, None


def compare(row, pairs=PAIRS, limit=None):
    """Compare ``engines.matrix`` with ``rl.weights`` on every pair."""
    result, start = Result(row.name, allowed=row.missed or 0.0), time.perf_counter()
    for n, m, scale in list(cases(row, pairs))[:limit]:
        try:
            measured = engines.matrix(row, n, m, scale)
        except (engines.SizeRefused, ValueError, RuntimeError) as error:
            result.refused[n, m, scale] = f"{type(error).__name__}: {error}"[:90]
            continue
        # In `matrix` the other axes keep their size.
        last = row if row.roi is None else row.replace(roi=row.roi[-1:])
        expected = resizing.weights(last, n, m, scale).dense()
        gap = float(np.abs(measured - expected).max())
        result.tried += 1
        result.worst = max(result.worst, gap)
        if not gap <= allowed(row, max(n, m)):
            result.missed.append(((n, m, scale) if scale else (n, m), round(gap, 7)))
    result.seconds = time.perf_counter() - start
    return result


def integer_gap(row, x, shape, scale=None):
    """Return how many values differ, and by how much, between engine and model."""
    measured = engines.run(row, x, shape, scale)
    expected = rl.resize(x, shape, row, scale=scale)
    assert measured.dtype == expected.dtype, (measured.dtype, expected.dtype)
    gap = np.abs(measured.astype(float) - expected.astype(float))
    return int((gap > 1e-5).sum()), float(gap.max()), gap.size


def integer_dtypes(row):
    """Return the integer dtypes that a row has an arithmetic for."""
    names = {key.split(".")[0] for key in row.arithmetic}
    if "integers" in names:
        names = names - {"integers"} | {"uint8"}
    return sorted(n for n in names if n != "floats" and np.dtype(n).kind in "iu")


def compare_integers(row, pairs=60, seed=0):
    """Compare whole pictures, both axes changing, for each integer dtype of a row."""
    rng = np.random.default_rng(seed)
    for dtype in integer_dtypes(row):
        kind = np.dtype(dtype)
        info, result = np.iinfo(kind), Result(f"{row.name} {dtype}")
        start, values = time.perf_counter(), 0
        for _ in range(pairs):
            h, w, oh, ow = rng.integers(1, 20, 4)
            # Beyond 2**20 engines overflow in ways that no model should follow.
            low, high = max(info.min, -(2**20)), min(info.max, 2**20)
            x = rng.integers(low, high, (h, w), kind, endpoint=True)
            shape, scale = (int(oh), int(ow)), None
            if row.spec.step_from == "scale" or row.scale is not None:
                scale = tuple(float(s) for s in rng.uniform(0.5, 3.0, 2))
                if min(h * scale[0], w * scale[1]) < 2:
                    continue
                shape = None
            try:
                wrong, gap, count = integer_gap(row, x, shape, scale)
            except (engines.SizeRefused, ValueError, RuntimeError) as error:
                result.refused[h, w, oh, ow] = f"{type(error).__name__}: {error}"[:90]
                continue
            result.tried, values = result.tried + 1, values + count
            result.worst = max(result.worst, gap)
            if wrong:
                result.missed.append(((int(h), int(w), *x.shape, shape), wrong, gap))
        result.seconds = time.perf_counter() - start
        yield result, values


def main():
    """Print one line a row; the exit status counts rows that miss."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", nargs="*")
    parser.add_argument("--pairs", type=int)
    options = parser.parse_args()
    bad = 0
    for name in conventions():
        row = convention(name)
        wanted = not options.rows or any(
            name == r or name.startswith(f"{r}.") or row.library == r
            for r in options.rows
        )
        if not wanted or row.status != "live" or not engines.version(row.library):
            continue
        result = compare(row, limit=options.pairs)
        print(result.line(), flush=True)
        bad += not result.good
        for outcome, values in compare_integers(row):
            wrong = sum(m[1] for m in outcome.missed)
            share = wrong / max(values, 1)
            bad += share > (row.off_by_one or 0.0)
            print(f"    {outcome.line()[3:99]} off: {wrong} of {values}", flush=True)
    sys.exit(min(bad, 99))


if __name__ == "__main__":
    main()
