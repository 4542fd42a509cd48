"""Ask `identify` about resizers that are no row: rows that are hidden, and drawn ones.

`tests/recording/left_out.py 40 30 1` (rows, drawn ones, seed) hides rows one by one
with all that equal them, asks about a resizer made from the row, then about resizers
drawn from the fields.  An answer is judged by its claims, at sizes that it never saw:

- "row": another row's name; "right": ideas that build what the resizer gives there;
- "inside": ideas that are said to hold away from the border only, and do;
- "half": where it grows, or where it shrinks, and nothing of the other;
- "none": nothing we know fits, or at the sizes alone that were measured; "said": what
  was claimed does not hold for whole pictures, and a remark says so; "FALSE": it does
  not hold, and nothing says so.
"""

import sys
import time
from collections import Counter
from pathlib import Path
from unittest import mock

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "helpers"))
from resizers import dense

import resizelab as rl
from resizelab.axis.kernel import kernel
from resizelab.axis.weight_functions import TAPERS
from resizelab.identification import candidates as table
from resizelab.identification import explanation
from resizelab.identification.naming import identify
from resizelab.identification.report import CLIPPED

# Sizes that `identify` never asks for, whole ratios and ties among them.
UNSEEN = (
    *(((17, 21), (40, 31)), ((37, 44), (15, 19)), ((16, 41), (37, 14))),
    *(((8, 9), (16, 27)), ((26, 27), (13, 9))),
)
# Of a range of 1: float32 sums of a large kernel; a rounding an axis, and the fit's.
OFF = {"float32": 2e-4, "uint8": 1.5 / 255}
SAYS = ("not linear", "not separable", "the other axis", "one pixel", "it is off at")
BORDERS = "edge", "symmetric", "reflect", "wrap", "exclude"


def built(report, x, shape):
    """Return what the claims of a report make of a picture, and where they hold."""
    holds, y = np.ones(shape, bool), x
    for k, axis in enumerate(("height", "width")):
        n, m = x.shape[k], shape[k]
        where = " where it grows" if m >= n else " where it shrinks"
        one = report.fitted.get(axis) or report.fitted.get(axis + where)
        if one is None or not one.inside or not (one.rule or one.spec) or one.blurs:
            return None, holds
        w = one.operator(n, m)
        y = np.moveaxis(np.tensordot(y, w, ([k], [1])), -1, k)
        if not one.fits:
            away = np.abs(w[:, [0, 1, -2, -1]]).max(1) < 2 * one.noise
            holds &= away[:, None] if k == 0 else away
    return y.clip(x.min(), x.max()) if CLIPPED in report.remarks else y, holds


def judged(box, report, dtype):
    """Return what an answer is worth, and by how much its claims are off."""
    if report.same:
        return "row", 0.0  # every question was answered alike
    ideas, said = list(report.fitted.values()), " ".join(report.remarks)
    unit, gaps = 255.0 if dtype == "uint8" else 1.0, []
    for k, (before, after) in enumerate(UNSEEN):
        x = np.random.default_rng(k).uniform(0.25, 0.75, before) * unit
        x = (np.rint(x) if unit > 1 else x).astype(dtype)
        # What is fitted are weights: constants are taken away.
        y, flat = (np.float64(box(v, after)) for v in (x, np.full_like(x, x[0, 0])))
        made, holds = built(report, np.float64(x) - x[0, 0], after)
        if made is not None and holds.any():
            gaps.append(np.abs(made - (y - flat))[holds] / unit)
    worst = max((float(gap.max()) for gap in gaps), default=0.0)
    wrong = np.mean([(gap > OFF[dtype]).mean() for gap in gaps] or [0])
    if worst > OFF[dtype] and not ("may take either" in said and wrong < 0.1):
        return "said" if any(words in said for words in SAYS) else "FALSE", worst
    if not gaps or not all(one.inside for one in ideas):
        return "half" if gaps else "none", worst
    return ("right" if all(one.fits for one in ideas) else "inside"), worst


def hidden(count, dtype, rng):
    """Yield (name, resizer, names to hide): each group of equal rows once."""
    rows, done = [(c.convention, c.names) for c in table.candidates(dtype)], set()
    for k in rng.permutation(len(rows)):
        row, names = rows[k]
        own = row.scale or row.roi or row.particulars.aspect_ratio != "stretch"
        if row.name in done or own or row.status != "live" or not count:
            continue

        def box(x, shape, row=row):
            return rl.resize(np.asarray(x).astype(dtype), shape, row)

        same = {*identify(box).same, *names}
        done |= same
        count -= 1
        yield row.name, box, same


def drawn(count, dtype, rng):
    """Yield (what was drawn, resizer, nothing to hide)."""
    for turn in range(count):
        a, b, c, sigma, phase, shift = rng.uniform(0, 1, 6).round(2)
        taper = rng.choice([t for t in TAPERS if t not in ("none", "lanczos")])
        lobes, border = int(rng.choice((2, 3, 4))), str(rng.choice(BORDERS))
        extra = str(rng.choice(("", "", "", "blur", "means", "steps")))
        name, given = (
            ("cubic", {"a": -0.1 - a}),
            ("cubic", {"b": b, "c": c}),
            ("gaussian", {"sigma": 0.4 + sigma / 2, "cut": 1.6 + 2 * sigma}),
            ("lanczos", {"lobes": lobes}),
            ("linear", {}),
            ("windowed_sinc", {"lobes": lobes, "taper": str(taper)}),
        )[turn % 6]
        at = ((0.5, 0.5), (0, 0), (phase, shift))[rng.integers(3)]
        corners, wide = rng.random() < 0.2, rng.random() < 0.5
        k = kernel(name, **given)

        def matrix(n, m, k=k, at=at, how=(corners, wide, border, extra)):
            corners, wide, border, extra = how
            count = n // m if extra == "means" and n >= 2 * m else 1
            step = (n - 1) / (count * m - 1) if corners else n / (count * m)
            x = (np.arange(count * m) + at[0]) * step - at[1]
            x = np.floor(x * 64) / 64 if extra == "steps" else x
            w = dense(k, x, max(1.0, step) if wide else 1.0, n, border)
            if extra == "blur" and m < n:
                rows = np.pad(np.eye(n), ((1, 1), (0, 0)), "edge")
                w = w @ (0.2 * rows[:-2] + 0.6 * rows[1:-1] + 0.2 * rows[2:])
            return w.reshape(-1, count, n).mean(1)

        def box(x, shape, matrix=matrix):
            x = np.asarray(x).astype(dtype).astype(np.float64)
            y = matrix(x.shape[0], shape[0]) @ x @ matrix(x.shape[1], shape[1]).T
            return (y.round().clip(0, 255) if dtype == "uint8" else y).astype(dtype)

        yield f"{name} {given} {at} {corners} {wide} {border} {extra}", box, set()


def main():
    """Hide, draw, ask, and print what came of it."""
    known, (rows, draws, seed) = table.candidates, map(int, sys.argv[1:])
    for dtype in OFF:
        for source, count in ((hidden, rows), (drawn, draws)):
            tally, spent = Counter(), 0.0
            rng = np.random.default_rng([seed, len(dtype)])
            for name, box, names in source(count, dtype, rng):

                def rest(dtype, names=names):
                    return tuple(c for c in known(dtype) if not {*c.names} & names)

                start = time.process_time()
                hidden_in = (table, explanation)
                hide = [mock.patch.object(m, "candidates", rest) for m in hidden_in]
                with hide[0], hide[1]:
                    report = identify(box)
                spent += time.process_time() - start
                answer, off = judged(box, report, dtype)
                tally[answer] += 1
                if answer not in ("row", "right"):
                    print(f"{answer:7}{off:9.2g}  {name}", flush=True)
            count = max(1, tally.total())
            right = f"{(tally['row'] + tally['right'] + tally['inside']) / count:.0%}"
            print(source.__name__, dtype, dict(tally), right, f"{spent / count:.1f} s")


if __name__ == "__main__":
    main()
