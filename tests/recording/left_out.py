"""Ask `identify` about resizers that are no row: rows that are hidden, and drawn ones.

`tests/recording/left_out.py --rows 40 --drawn 40 --seed 1` hides rows one by one with
all that equal them, asks about a resizer made from the row, then about resizers drawn
from the fields.  An answer is judged by what it claims, at sizes that it never saw:

- "row": another row's name; "right": ideas that build what the resizer gives there;
- "inside": ideas that are said to hold away from the border only, and do;
- "half": where it grows, or where it shrinks, and nothing of the other;
- "sizes": a line for each size that was measured, said so, silent on others;
- "none": nothing we know fits, and taps; "said": what was claimed does not hold for
  whole pictures, and a remark says so; "FALSE": it does not hold, and nothing says so.
"""

import argparse
import sys
import time
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "helpers"))
from resizers import dense

import resizelab as rl
from resizelab.axis import Kernel
from resizelab.axis.kernel import kernel
from resizelab.axis.weight_functions import TAPERS
from resizelab.identification import candidates as table
from resizelab.identification import explanation
from resizelab.identification.naming import identify
from resizelab.identification.report import CLIPPED

# Sizes that `identify` never asks for, whole ratios and ties among them.
UNSEEN = (
    *(((17, 21), (40, 31)), ((37, 44), (15, 19)), ((16, 31), (37, 12))),
    *(((8, 9), (16, 27)), ((26, 27), (13, 9)), ((41, 20), (14, 53))),
)
OFF = 2e-4  # of a range of 1: float32 sums of a large kernel stay below
LEVELS = 1.5 / 255  # whole numbers: one rounding an axis, and that of the fit
SAYS = ("not linear", "not separable", "the other axis", "one pixel", "it is off at")
TIES, FEW = "may take either", 0.1
RIGHT = ("row", "right", "inside")


@contextmanager
def without(names):
    """Take the rows of some names out of what `identify` knows."""
    known = table.candidates

    def rest(dtype):
        return tuple(c for c in known(dtype) if not set(c.names) & names)

    with (
        mock.patch.object(table, "candidates", rest),
        mock.patch.object(explanation, "candidates", rest),
    ):
        yield


def claimed(report, axis, n, m):
    """Return the fit that a report gives for an axis of these sizes."""
    where = " where it grows" if m >= n else " where it shrinks"
    return report.fitted.get(axis) or report.fitted.get(axis + where)


def built(report, names, x, shape):
    """Return what the claims of a report make of a picture, and where they hold."""
    holds = np.ones(shape, bool)
    if names:
        whole = x.dtype.kind != "f" and rl.convention(names[0]).arithmetic
        x = x if whole else x.astype(np.float32)
        return np.asarray(rl.resize(x, shape, names[0]), np.float64), holds
    y = x.astype(np.float64)
    for k, axis in enumerate(("height", "width")):
        one, n, m = claimed(report, axis, x.shape[k], shape[k]), x.shape[k], shape[k]
        if one is None or not one.inside or not (one.rule or one.spec) or one.blurs:
            return None, holds
        w = one.operator(n, m)
        y = np.moveaxis(np.tensordot(y, w, ([k], [1])), -1, k)
        if not one.fits:
            away = np.abs(w[:, [0, 1, -2, -1]]).max(1) < 2 * one.noise
            holds &= away[:, None] if k == 0 else away
    return y, holds


def judged(box, report, dtype, gain=1.0):
    """Return what an answer is worth, and by how much its claims are off."""
    ideas = list(report.fitted.values())
    if not report.same:
        if not ideas or not any(one.inside for one in ideas):
            return "none", 0.0
        if not any(one.rule or one.spec for one in ideas):
            return "sizes", 0.0
    unit, most = (255.0, LEVELS) if dtype == "uint8" else (1.0, OFF)
    worst, seen, wrong = 0.0, 0, []
    for k, (before, after) in enumerate(UNSEEN):
        x = np.random.default_rng(k).uniform(0.25, 0.75, before) * unit
        x = np.rint(x).astype(dtype) if unit > 1 else x.astype(dtype)
        try:
            y = np.asarray(box(x, after), np.float64)
            flat = np.asarray(box(np.full_like(x, x[0, 0]), after), np.float64)
        except (ValueError, TypeError):
            continue  # a scale of its own
        # What is fitted are weights: constants beside them are taken away.
        given = x if report.same else x - x[0, 0].astype(float)
        made, holds = built(report, report.same, given, after)
        if made is not None and made.shape == y.shape and holds.any():
            seen += 1
            if not report.same:
                y = (y - flat) / gain
            elif any("values scaled" in remark for remark in report.remarks):
                y = (y - flat) / gain + float(x[0, 0])
            if CLIPPED in report.remarks and not report.same:
                made = made.clip(given.min(), given.max())
            gap = np.abs(made - y)[holds] / unit
            worst = max(worst, float(gap.max()))
            wrong.append(float((gap > most).mean()))
    said = " ".join(report.remarks)
    if worst > most and not (TIES in said and np.mean(wrong) < FEW):
        return "said" if any(words in said for words in SAYS) else "FALSE", worst
    if report.same:
        return "row", worst
    if not seen or not all(one.inside for one in ideas):
        return "half", worst
    return ("right" if all(one.fits for one in ideas) else "inside"), worst


def by_row(row, dtype):
    """Return a resizer that computes what a row does."""
    return lambda x, shape: rl.resize(np.asarray(x).astype(dtype), shape, row)


def hidden(count, dtype, rng):
    """Yield (name, resizer, names to hide, gain): each group of equal rows once."""
    some = [c for c in table.candidates(dtype) if c.convention.status == "live"]
    some = [c for c in some if c.convention.scale is None and c.convention.roi is None]
    done = set()
    for k in rng.permutation(len(some)):
        row = some[k].convention
        if row.name in done or row.particulars.aspect_ratio != "stretch":
            continue
        box = by_row(row, dtype)
        same = set(identify(box).same) | set(some[k].names)
        done |= same
        yield row.name, box, same, 1.0
        count -= 1
        if not count:
            return


def drawn(count, dtype, rng):
    """Yield (what was drawn, resizer, nothing to hide, gain)."""

    def number(low, high):
        return round(float(rng.uniform(low, high)), 2)

    kernels = {
        "cubic a": lambda: kernel("cubic", a=number(-1.2, -0.1)),
        "cubic b, c": lambda: kernel("cubic", b=number(0, 1), c=number(0, 0.8)),
        "gaussian": lambda: gaussian(number(0.4, 1)),
        "lanczos": lambda: kernel("lanczos", lobes=int(rng.choice([2, 3, 4, 5]))),
        "linear": lambda: kernel("linear"),
        "wide": lambda: wider(number(1.1, 1.9)),  # and nothing else, below
        "windowed": lambda: kernel(
            "windowed_sinc",
            lobes=int(rng.choice([2, 3, 4])),
            taper=str(rng.choice([t for t in TAPERS if t not in ("none", "lanczos")])),
        ),
    }
    for turn in range(count):
        kind = list(kernels)[turn % len(kernels)]
        k = kernels[kind]()
        phase, shift = ((0.5, 0.5), (0, 0), (number(0, 1), number(0, 1)))[
            rng.integers(3)
        ]
        corners, wide = rng.random() < 0.2, rng.random() < 0.5
        border = str(rng.choice(["edge", "symmetric", "reflect", "wrap", "exclude"]))
        extra = str(rng.choice(["", "", "", "blur", "means", "gain", "crop", "steps"]))

        extra = "" if kind == "wide" else extra

        def matrix(n, m, k=k, at=(phase, shift, corners, wide), more=(border, extra)):
            (phase, shift, corners, wide), (border, extra) = at, more
            if extra == "crop":
                m += 4
            count = n // m if extra == "means" and n >= 2 * m else 1
            step = (n - 1) / (count * m - 1) if corners else n / (count * m)
            x = (np.arange(count * m) + phase) * step - shift
            x = np.floor(x * 64) / 64 if extra == "steps" else x
            w = dense(k, x, max(1.0, step) if wide else 1.0, n, border)
            if extra == "blur" and m < n:
                padded = np.pad(np.eye(n), ((1, 1), (0, 0)), "edge")
                w = w @ sum(
                    t * padded[j : j + n] for j, t in enumerate((0.2, 0.6, 0.2))
                )
            w = w.reshape(-1, count, n).mean(1)
            return w[2:-2] if extra == "crop" else w

        def box(x, shape, matrix=matrix, extra=extra):
            x = np.asarray(x).astype(dtype).astype(np.float64)
            y = matrix(x.shape[0], shape[0]) @ x @ matrix(x.shape[1], shape[1]).T
            if dtype == "uint8":
                return np.clip(np.rint(y), 0, 255).astype(np.uint8)
            return (y * 1.7 - 0.3 if extra == "gain" else y).astype(np.float32)

        told = f"{k.name} {kind} phase {phase} shift {shift} corners {corners} "
        gain = 1.7 if extra == "gain" and dtype == "float32" else 1.0
        yield f"{told}wide {wide} {border} {extra}", box, set(), gain


def gaussian(sigma):
    return kernel("gaussian", sigma=sigma, cut=4 * sigma)


def wider(factor):
    k = kernel("cubic", a=-0.5)
    return Kernel("cubic", k.radius * factor, lambda d: k.fn(d / factor))


def main():
    """Hide, draw, ask, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, default in (("rows", 40), ("drawn", 40), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    for dtype in ("float32", "uint8"):
        for source, count in ((hidden, options.rows), (drawn, options.drawn)):
            tally, spent = Counter(), 0.0
            rng = np.random.default_rng([options.seed, len(dtype)])
            for name, box, names, gain in source(count, dtype, rng) if count else ():
                start = time.process_time()
                with without(names):
                    report = identify(box)
                spent += time.process_time() - start
                answer, off = judged(box, report, dtype, gain)
                tally[answer] += 1
                if answer not in ("row", "right"):
                    print(f"{answer:7}{off:9.2g}  {name}", flush=True)
            share = sum(tally[one] for one in RIGHT) / max(1, sum(tally.values()))
            told = ", ".join(f"{n} {one}" for one, n in tally.most_common())
            print(f"== {source.__name__} {dtype}: {told}; {share:.0%} right; ", end="")
            print(f"{spent / max(1, sum(tally.values())):.1f} s each", flush=True)


if __name__ == "__main__":
    main()
