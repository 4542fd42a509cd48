"""Random resizes, ours beside the live engines': `make fuzz`.

`tests/recording/fuzz.py [row, call or library …]` draws resizes of every live row and
of every call with random arguments; each row takes `--cases` of them or `--seconds`
of its own, whichever ends first. `--seed` is printed, and a case is drawn from the
seed, its row's name and its number alone: `fuzz.py NAME --seed S --case K` draws it.
The exit status counts the names where a result differs by more than its row says.
"""

import argparse
import sys
import time
import warnings
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from multiprocessing import get_context

import drawing
import numpy as np

import resizelab as rl
from resizelab import engines
from resizelab.arrays import resizing
from resizelab.arrays.settling import arithmetic_for
from resizelab.axis import Weights
from resizelab.catalog.calls import CALLS
from resizelab.engines import conformance

RANDOM = ("float64", "float16", "uint8", "uint16", "int16", "int8", "int32", "int64")
SINGLE = 2e-7  # of the range
HALF = 3e-3  # of the range: eleven bits, a few operations
SAMPLE = 3  # times a stated share: a small sample of a small share
ONE = 1.0  # level
HAIR = 1e-9  # of a sum: less than any engine keeps
# What rows state in their notes, and no field holds: (row, dtypes).
STATED = (
    ("torch.grid_sample", ("float16",)),  # the grid is float16 too
    ("opencv.warp_affine", ("float64",)),  # knife edges of 1/32 pixels, and a fault
    ("litert.bilinear.builtin", ("int8", "uint8", "int16")),  # reads past the last row
    ("litert.bilinear.reference", ("int8", "uint8", "int16")),  # and so does this
)
# Infinity becomes the largest number; onnx.reference sums nearest by weights of 0, too.
CUT_OFF = (("onnx.", ("float16", "float32", "float64")), ("openvino.", ("float64",)))
SHOWN = 3  # cases a kind
PROCESSES = 2
CHUNK = 6  # names a task
ALIKE = 20  # cases of the same sizes and dtype, where each is compiled


@dataclass
class Found:
    """What one name's cases were: how many of each kind, and examples."""

    name: str
    tried: Counter = field(default_factory=Counter)  # by dtype
    values: Counter = field(default_factory=Counter)
    wrong: Counter = field(default_factory=Counter)
    kinds: Counter = field(default_factory=Counter)
    shown: dict = field(default_factory=dict)
    shares: dict = field(default_factory=dict)  # what rows state, by dtype

    def note(self, kind, text):
        """Count one case of a kind and keep the first few."""
        self.kinds[kind] += 1
        self.shown.setdefault(kind, [])
        if len(self.shown[kind]) < SHOWN:
            self.shown[kind].append(text)

    @property
    def faults(self):
        """The kinds that a row does not state."""
        return {k: n for k, n in self.kinds.items() if k.startswith("FAULT")}


def outcome(work, *args, **kwargs):
    """Return (result, None) or (None, the words of the refusal)."""
    try:
        return np.asarray(work(*args, **kwargs)), None
    except Exception as error:  # an engine may raise anything: its words are the result
        return None, f"{type(error).__name__}: {str(error).splitlines()[:1]}"[:160]


def judge(found, case):
    """Compare one case and write down what kind it is."""
    text = f"case {case.number}: {case}"
    theirs, refused = outcome(case.ask)
    ours, declined = outcome(
        rl.resize, case.x, case.shape, case.row, axes=case.axes, scale=case.scale
    )
    dtype = case.x.dtype.name
    if ours is None and not declined.startswith(("TypeError", "ValueError")):
        return found.note("FAULT ours broke", f"{text} {declined}")
    if theirs is None or ours is None:
        both = theirs is None and ours is None
        who = "both refuse" if both else "engine refuses" if ours is not None else "we"
        return found.note(f"{who}: {dtype}", f"{text} {refused} {declined}")
    found.tried[dtype] += 1
    case.whole = theirs.dtype.kind in "iu"
    free = case.row.particulars.aspect_ratio != "stretch" or not case.shape
    if not free and theirs.shape != case.asked:
        return found.note("engine gives another size", f"{text} {theirs.shape}")
    if theirs.shape != ours.shape:
        return found.note("FAULT shape", f"{text} {theirs.shape} ours {ours.shape}")
    if theirs.dtype != ours.dtype:
        if {theirs.dtype.kind, ours.dtype.kind} != {"f"}:
            return found.note("FAULT dtype", f"{text} {theirs.dtype} ours {ours.dtype}")
        # Of floats we keep the type; an engine that has one type rounds to it.
        ours = ours.astype(theirs.dtype)
    numbers = theirs.astype(float), ours.astype(float)
    if not np.isfinite(case.x).all():
        # What a NaN becomes as an integer is nobody's to say.
        return None if case.whole else _holes(found, case, *numbers, text)
    share = (_share(case.row, dtype) if case.whole else case.row.missed) or 0.0
    found.shares[dtype] = max(share, found.shares.get(dtype, 0.0))
    return _numbers(found, case, *numbers, text)


@cache
def _relatives(call):
    """Return the live rows of a call that say how often a level is off."""
    rows = map(rl.convention, rl.conventions())
    return [r for r in rows if r.call == call and r.off_by_one]


def _share(row, dtype):
    """Return the share of a row, or of those that treat a dtype in the same way.

    Arguments that no table holds have no share of their own.
    """
    if row.status != "derived":
        return row.off_by_one
    kind = arithmetic_for(row, np.dtype(dtype))
    alike = [
        r.off_by_one for r in _relatives(row.call) if kind in r.arithmetic.values()
    ]
    return max(alike, default=0.0)


def _holes(found, case, theirs, ours, text):
    """Compare results of what is not finite: ours invents nothing and hides nothing.

    An engine may spread it farther, by weights that are zero; ours reads none of them.
    """
    here, there = np.isfinite(ours), np.isfinite(theirs)
    picks = case.row.spec.kernel == "nearest" and not case.row.particulars.prefilter
    limit = allowed(case, theirs)
    gap = np.where(here & there, _gap(theirs, ours), 0)
    hidden = there & ~here & (_share_of_holes(case) > limit)
    if _stated(case, STATED + CUT_OFF):
        found.note("stated", text)
    elif hidden.any() or (picks and (here != there).any()):
        found.note("FAULT not finite", text)
    elif (gap > limit).mean() > (case.row.missed or 0.0) * SAMPLE:
        found.note("FAULT beside what is not finite", f"{text} {gap.max():.2g}")
    elif (here != there).any():
        found.note("spread farther", text)


def _share_of_holes(case):
    """Return how much of each output is read of pixels that are not finite.

    An engine's zero may be a weight of 1e-17 here: then it is no difference.
    """
    holes = (~np.isfinite(case.x)).astype(case.x.dtype)
    rest = {"axes": case.axes, "scale": case.scale}
    return np.abs(rl.resize(holes, case.shape, case.row, **rest).astype(float))


def allowed(case, theirs):
    """Return how far a result may be off."""
    return 0.0 if case.whole else noise(case, theirs)


def noise(case, theirs):
    """Return the row's tolerance, of the values' range."""
    reach = 1e-30
    for values in (case.x.astype(float), theirs):
        known = np.abs(values[np.isfinite(values)])
        reach = max(reach, float(known.max(initial=0.0)))
    weight = conformance.allowed(case.row, max(*case.x.shape, *theirs.shape))
    if case.x.dtype == np.float16:
        return max(HALF, weight) * reach
    if case.x.dtype == np.float64:  # which some engines compute in float32
        weight = max(weight, SINGLE)
    return case.rank * weight * reach


def _stated(case, among=STATED):
    name, dtype = case.row.name, case.x.dtype.name
    return any(name.startswith(n) and dtype in d for n, d in among)


def _gap(theirs, ours):
    with np.errstate(invalid="ignore"):
        gap = np.abs(theirs - ours)
    gap[(theirs == ours) | (np.isnan(theirs) & np.isnan(ours))] = 0
    return gap


def _distinct(gap, theirs):
    """Return gaps without the rows, columns ... that repeat others, theirs too."""
    whole = np.stack([gap, theirs])
    for axis in range(1, whole.ndim):
        lines = np.moveaxis(whole, axis, 0)
        last = {line.tobytes(): number for number, line in enumerate(lines)}
        whole = whole.take(list(last.values()), axis)
    return whole[0]


def _numbers(found, case, theirs, ours, text):
    gap, limit = _gap(theirs, ours), allowed(case, theirs)
    dtype = case.x.dtype.name
    # Of one pixel enlarged, each line of integers is the same: it counts once.
    seen = _distinct(gap, theirs) if case.whole else gap
    wrong = int((~(seen <= limit)).sum())
    found.values[dtype] += seen.size
    found.wrong[dtype] += wrong
    if not wrong:
        return
    kind = f"differs: {dtype}"
    if _stated(case):
        found.wrong[dtype] -= wrong
        kind = f"stated: {dtype}"
    elif case.whole and not np.isnan(gap).any() and gap.max() <= ONE:
        kind = f"a level off: {dtype}"
        if _ties(case, theirs, ~(gap <= limit)):
            found.wrong[dtype] -= wrong
            kind = f"a tie: {dtype}"
    found.note(kind, f"{text} {wrong} of {seen.size}, worst {gap.max():.2g}")


def _ties(case, theirs, wrong):
    """Say whether all that differs are sums so close to a half that both are right."""
    row = case.row
    if not (row.off_by_one or row.status == "derived"):
        return False
    rest = {"axes": case.axes, "scale": case.scale}
    floats = row.replace(arithmetic={})
    exact = rl.resize(case.x.astype(float), case.shape, floats, **rest)
    cut = any(a.sum_rounding == "truncate" for a in row.arithmetic.values())
    edge = np.rint(exact) if cut else np.floor(exact) + 0.5
    near = np.abs(exact - edge) <= noise(case, theirs)
    return (near | _between_rounded(case, theirs))[wrong].all()


def _between_rounded(case, theirs):
    """Say where sums a hair smaller, and a hair larger, give what is on either side.

    A sum that is rounded after each axis may be a tie long before the last.
    """
    rest = {"axes": case.axes, "scale": case.scale, "dtype": case.x.dtype}
    plan = resizing.plan(case.x.shape, case.shape, case.row, **rest)
    found = []
    for factor in (1 - HAIR, 1 + HAIR):
        work = [
            (n, Weights(w.index, w.weight * factor, w.n_in, w.offset))
            for n, w in plan.work
        ]
        found.append(resizing.run(plan, case.x, work).astype(float))
    return (np.minimum(*found) <= theirs) & (theirs <= np.maximum(*found))


def settled(found):
    """Say which differences are more than the row states."""
    for dtype, wrong in found.wrong.items():
        if wrong <= SAMPLE * found.shares[dtype] * found.values[dtype]:
            continue
        for kind in (f"a level off: {dtype}", f"differs: {dtype}"):
            if kind in found.kinds:
                found.kinds[f"FAULT {kind}"] = found.kinds.pop(kind)
                found.shown[f"FAULT {kind}"] = found.shown.pop(kind)


def run(name, seed, cases, seconds, only=None, enough=np.inf):
    """Return what the cases of one row, or one call, were: ``enough`` end it."""
    warnings.simplefilter("ignore")
    found = Found(name)
    row = rl.convention(name) if name not in CALLS else None
    own, alike = name.encode(), ALIKE if row and row.library == "jax" else 1
    start = time.process_time()  # a busy machine compares as many
    numbers = range(cases) if only is None else [only]
    for number in numbers:
        compared = sum(found.tried.values())
        if time.process_time() - start > seconds or compared >= enough:
            break
        first = number - number % alike
        rngs = [np.random.default_rng([seed, k, *own]) for k in (first, number)]
        with np.errstate(all="ignore"):
            case, declined = drawing.case(*rngs, name, row, number)
            if case is None:
                found.note("we: arguments", f"case {number}: {declined}")
            else:
                judge(found, case)
    settled(found)
    found.seconds = time.process_time() - start
    return found


def task(names, *rest):
    """Return what several names found, in one process."""
    return [run(name, *rest) for name in names]


def names(wanted):
    """Return the live rows and the calls of installed engines, library by library."""
    rows = [r for r in map(rl.convention, rl.conventions()) if r.status == "live"]
    rows = [(r.library, r.name, r.call) for r in rows if engines.version(r.library)]
    calls = [
        (library, name, name)
        for library, own in engines.LIBRARIES.items()
        if engines.version(library)
        for name in own.calls
        if name in CALLS
    ]
    return [
        found[1] for found in rows + calls if not wanted or set(wanted) & set(found)
    ]


def report(found, verbose):
    """Print one name's kinds, its examples where something is wrong."""
    tried = sum(found.tried.values())
    mark = "BAD" if found.faults else "ok "
    print(f"{mark} {found.name:56s} {tried:5d} compared, {found.seconds:.1f} s")
    for kind, count in sorted(found.kinds.items()):
        if verbose or kind.startswith("FAULT"):
            print(f"      {count} {kind}")
            for text in found.shown[kind]:
                print(f"          {text}")
    sys.stdout.flush()


def main():
    """Run the tasks two at a time and print what they found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wanted", nargs="*")
    parser.add_argument("--seed", type=int, default=int(time.time()) % 10**6)
    parser.add_argument("--cases", type=int, default=60)
    parser.add_argument("--drawn", type=int, default=600)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--case", type=int)
    parser.add_argument("--verbose", action="store_true")
    o = parser.parse_args()
    print(f"seed {o.seed}")
    listed = names(o.wanted)
    rows = [name for name in listed if name not in CALLS]
    tasks = [[name] for name in listed if name in CALLS]  # the long ones first
    tasks += [rows[k : k + CHUNK] for k in range(0, len(rows), CHUNK)]
    start, total, bad = time.perf_counter(), 0, 0
    with ProcessPoolExecutor(PROCESSES, mp_context=get_context("spawn")) as pool:
        jobs = []
        for part in tasks:
            many = part[0] in CALLS
            cases, seconds = (o.drawn, 10 * o.seconds) if many else (o.cases, o.seconds)
            jobs.append(pool.submit(task, part, o.seed, cases, seconds, o.case))
        for job in jobs:
            for found in job.result():
                report(found, o.verbose)
                total += sum(found.tried.values())
                bad += bool(found.faults)
    spent = time.perf_counter() - start
    print(f"{total} resizes compared in {spent:.0f} s, {bad} names differ")
    sys.exit(min(bad, 99))


if __name__ == "__main__":
    main()
