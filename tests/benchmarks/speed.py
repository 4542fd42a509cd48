"""Time `resize` beside OpenCV, Pillow, torch, ONNX Runtime and a plain copy.

`python tests/benchmarks/speed.py` prints, by peer and dtype, our time over the peer's
in its better setting: geometric mean and worst, with NumPy alone and with the compiled
loops of the extra `fast`. On one thread the contenders take turns in one process, and
medians of the processor's time are compared, so other work on the machine counts
little. `--growth` lets pixels, taps and channels grow. `--threads` lets one thread and
two take turns by the clock on the wall: it wants an idle machine. With `--write` what
was measured goes to teaching/records/speed.json, which the page "speed" shows.
"""

import os

for name in ("OMP", "OPENBLAS", "MKL"):
    os.environ[f"{name}_NUM_THREADS"] = os.environ.get(f"{name}_NUM_THREADS", "1")

import argparse
import datetime
import json
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import peers
from peers import Case

import resizelab as rl
from resizelab.arrays import fast, resizing

RECORDED = Path(__file__).parents[2] / "resizelab/teaching/records/speed.json"
OURS = ("numpy", "fast", "copy")
CLOSE = {"float32": 5e-4, "uint8": 1}  # a resize that is another is further away
LARGE = 1080  # pixels: smaller pictures are not worth a second thread
LONG = 0.05  # seconds: what takes longer is measured in fewer rounds


def contenders(case: Case) -> dict[str, Callable[[], Any]]:
    """Return {name: call}: the peer's settings, ours, and a copy of both pictures."""
    x = case.picture()
    y = np.empty((*case.after, x.shape[2]), x.dtype)
    fast.threads = 1

    def ours() -> Any:
        return rl.resize(x, case.after, case.row, axes=(0, 1))

    runs = {**peers.settings(case, 1), **dict.fromkeys(OURS[:2], ours)}
    for name, run in runs.items():
        choose(name)
        gap = np.abs(np.asarray(run(), float) - np.asarray(ours(), float)).max()
        assert gap <= CLOSE[case.dtype], f"{case} {name} is something else: {gap:.2e}"
    return {**runs, "copy": lambda: (x.copy(), y.copy())}


def on_threads(case: Case) -> dict[str, Callable[[], Any]]:
    """Return {name: call}: the peer and our compiled loops, on one thread and two."""
    x, runs = case.picture(), {}

    def ours(count: int) -> Any:
        fast.threads = count
        return rl.resize(x, case.after, case.row, axes=(0, 1))

    for count in (1, 2):
        runs[f"peer, {count}"] = next(iter(peers.settings(case, count).values()))
        runs[f"fast, {count}"] = partial(ours, count)
    return runs


def choose(name: str) -> None:
    """Let `resize` use the compiled loops, or NumPy alone."""
    resizing.has_numba = lambda: name.startswith("fast")


def medians(
    runs: dict[str, Callable[[], Any]], rounds: int, clock: Callable[[], float]
) -> dict[str, float]:
    """Return {name: median milliseconds}, the contenders taking turns."""
    taken: dict[str, list[float]] = {name: [] for name in runs}
    start = time.perf_counter()
    for turn in range(rounds + 2):  # two rounds to warm up
        for name, run in runs.items():
            choose(name)
            began = clock()
            run()
            if turn >= 2:
                taken[name].append(1e3 * (clock() - began))
        if time.perf_counter() - start > LONG * rounds * len(runs) and turn >= 4:
            break
    return {name: float(f"{statistics.median(t):.4g}") for name, t in taken.items()}


def measured(some: Iterator[Case], rounds: int, threads: bool) -> Iterator[dict]:
    """Measure one case after the other."""
    clock = time.perf_counter if threads else time.process_time
    for case in some:
        if threads and max(case.after) < LARGE:
            continue
        runs = on_threads(case) if threads else contenders(case)
        took = medians(runs, rounds, clock)
        entry = {"peer": case.peer, "row": case.row, "dtype": case.dtype}
        sizes = {"from": case.before, "to": case.after, "channels": case.channels}
        yield {**entry, **sizes, "ms": took}


def growth() -> Iterator[Case]:
    """Return cases of which pixels, then taps, then channels grow."""
    for n in (16, 32, 64, 128, 256, 512, 1024):
        for who in ("torch.bilinear", "opencv.linear"):
            yield Case(who.split(".")[0], who, "float32", (n, n), (2 * n, 2 * n))
    for mode in ("linear", "cubic", "lanczos4"):
        yield Case("opencv", f"opencv.{mode}", "float32", (400, 400), (800, 800))
    for channels in (1, 2, 3, 4, 8, 16, 32, 64):
        sizes = (256, 256), (512, 512)
        yield Case("torch", "torch.bilinear", "float32", *sizes, channels)


def ratios(rows: list[dict], ours: str) -> dict[tuple[str, str], list[float]]:
    """Return our time over the better setting of each peer, by peer and dtype."""
    found: dict[tuple[str, str], list[float]] = {}
    for row in rows:
        best = min(took for name, took in row["ms"].items() if name not in OURS)
        found.setdefault((row["peer"], row["dtype"]), []).append(row["ms"][ours] / best)
    return found


def show(rows: list[dict]) -> None:
    """Print geometric means and the worst."""
    for ours in OURS:
        for (peer, dtype), each in ratios(rows, ours).items():
            mean, worst = statistics.geometric_mean(each), max(each)
            print(f"{ours:6} / {peer:12} {dtype:8} {mean:6.2f}, worst {worst:6.2f}")


def written(whole: dict) -> str:
    """Return the record, one case a line."""
    parts = []
    for value in whole.values():
        lines = ",\n".join(json.dumps(row) for row in value)
        parts.append(f"[\n{lines}\n]" if isinstance(value, list) else json.dumps(value))
    pairs = zip(whole, parts, strict=True)
    return "{\n" + ",\n".join(f'"{key}": {text}' for key, text in pairs) + "\n}\n"


def main() -> None:
    """Measure, print, and record."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--threads", action="store_true")
    parser.add_argument("--growth", action="store_true")
    parser.add_argument("--peer", help="only this one")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    some = growth() if options.growth else peers.cases()
    chosen = (c for c in some if options.peer in (None, c.peer))
    rows = list(measured(chosen, options.rounds, options.threads))
    if not options.threads:
        show(rows)
    if options.write:
        key = "threads" if options.threads else "growth" if options.growth else "one"
        day = datetime.datetime.now(datetime.UTC).date().isoformat()
        before = json.loads(RECORDED.read_text("utf-8")) if RECORDED.exists() else {}
        kept = {k: v for k, v in before.items() if k not in ("date", "versions", key)}
        whole = {"date": day, "versions": peers.VERSIONS, **kept, key: rows}
        RECORDED.write_text(written(whole), "utf-8")


if __name__ == "__main__":
    main()
