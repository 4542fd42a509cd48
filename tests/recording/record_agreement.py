"""Measure at which sizes ONNX's Resize computes what a framework's call computes.

``tests/recording/record_agreement.py [name …]`` runs every call of ``interpolate``, of
TensorFlow's resizes and of ``cv2.resize`` beside the node that comes nearest to it, in
ONNX Runtime, at every pair up to 64, at 200 common pairs and at 4 000 random ones, and
writes ``teaching/records/agreement.json``. Both pages that ask the question read it.
"""

import datetime
import importlib.metadata
import json
import sys
import time
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

import resizelab as rl
from resizelab import engines
from resizelab.catalog import NotExpressible
from resizelab.engines import pairs

ROOT = Path(__file__).resolve().parents[2]
RECORD = ROOT / "resizelab/teaching/records/agreement.json"
CALLS = (
    *("interpolate", "resize", "resize_bilinear", "resize_bicubic"),
    *("resize_nearest_neighbor", "resize_area"),
)
SETS = {"small": pairs.small, "common": pairs.common, "drawn": pairs.drawn}
HEIGHT = 3, 5  # the other axis, the same in every run
DEPTH = 2, 3
NOISE = 2e-5  # of the pixels' range: two float32 sums of the same terms
PIXEL = 2.5e-7  # more for each pixel: float32 positions grow coarser along an axis
WRONG = 1e-3  # beyond it the call computes something else
KEPT = 12  # examples a set


def rows() -> list[rl.Convention]:
    """Return the calls that the two pages ask about."""
    every = map(rl.convention, rl.conventions())
    live = [row for row in every if row.status == "live" and row.scale is None]
    mine = [row for row in live if row.library in ("torch", "tensorflow", "opencv")]
    return [row for row in mine if row.call.split(".")[-1] in CALLS]


def node_of(row: rl.Convention) -> tuple[dict[str, Any], bool]:
    """Return the attributes of the nearest node, and whether it is called the same."""
    from resizelab.modelfiles import nodes

    try:
        text = rl.translate(row, to="onnx").text.split("  #")[0]
    except NotExpressible as error:
        return dict(error.nearest.arguments), False
    import onnx

    return nodes.attributes(eval(text, {"onnx": onnx})), True


def gaps(row: rl.Convention, node: rl.Convention, pair: pairs.Pair) -> np.ndarray:
    """Return how far each output of one pair of sizes is off, on noise from 0 to 1."""
    n, m = pair
    fewest, most = engines.ranks(row)
    before, after = (*DEPTH[:1], HEIGHT[0], n), (*DEPTH[1:], HEIGHT[1], m)
    rank = 3 if fewest == 3 else min(most, 2)
    x = np.random.default_rng(n * 4099 + m).random(before[-rank:], np.float32)
    y = np.asarray(engines.run(row, x, after[-rank:]))
    if rank == 1:
        return abs(y - engines.run(node, x[None], (1, m))[0])
    return abs(y - engines.run(node, x, after[-rank:])).reshape(-1, m).max(0)


def compared(row: rl.Convention, node: rl.Convention, some: Iterable) -> dict[str, Any]:
    """Return at how many pairs a call and a node part, and how far at most."""
    tried, parted, worst, share = 0, [], 0.0, 0.0
    for pair in some:
        gap = gaps(row, node, pair)
        tried += 1
        off = gap > max(NOISE, PIXEL * pair[0])
        worst = max(worst, float(gap.max()))
        if off.any():
            parted.append(pair)
            share = max(share, float(off.mean()))
    found = {"tried": tried, "parted": len(parted), "worst": float(f"{worst:.3g}")}
    return {**found, "most": round(share, 4), "pairs": parted[:KEPT]}


def word(found: dict[str, Any]) -> str:
    """Return how well the node says the call, from what was measured at every pair."""
    sets = found["sets"].values()
    worst = max(s["worst"] for s in sets)
    parted = sum(s["parted"] for s in sets)
    if not parted:
        return "at every pair"
    if worst < WRONG:
        return "nearly"
    tried = sum(s["tried"] for s in sets)
    return "at most pairs" if parted < tried / 5 else "no"


def look(row: rl.Convention) -> dict[str, Any]:
    """Compare one call with its nearest node at every set of pairs.

    A call that is something else altogether is looked at in the common pairs alone.
    """
    attributes, same = node_of(row)
    node = rl.find("onnxruntime.Resize", **attributes)
    found: dict[str, Any] = {"row": row.name, "node": attributes, "translated": same}
    found["sets"] = {"common": compared(row, node, pairs.common())}
    near = found["sets"]["common"]
    if near["worst"] < WRONG or near["parted"] < near["tried"] / 2:
        for name in ("small", "drawn"):
            found["sets"][name] = compared(row, node, SETS[name]())
    return {**found, "word": word(found)}


def main(names: list[str]) -> None:
    """Record every call, or those that are named, and say what came out."""
    warnings.simplefilter("ignore")
    kept = json.loads(RECORD.read_text("utf-8")) if names else {"rows": []}
    old = {r["row"]: r for r in kept["rows"]}
    for row in rows():
        if names and row.name not in names:
            continue
        start = time.perf_counter()
        old[row.name] = found = look(row)
        parted = {k: (s["parted"], s["worst"]) for k, s in found["sets"].items()}
        seconds = time.perf_counter() - start
        print(f"{row.name:45} {found['word']:14} {parted} {seconds:.0f} s", flush=True)
    libraries = ("torch", "tensorflow-cpu", "opencv-python-headless", "onnxruntime")
    table = {
        "recorded": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "versions": {n: importlib.metadata.version(n).split("+")[0] for n in libraries},
        "sets": {name: len(make()) for name, make in SETS.items()},
        "rows": "ROWS",
    }
    lines = ",\n".join(json.dumps(row) for row in old.values())
    text = json.dumps(table).replace('"ROWS"', f"[\n{lines}\n]")
    RECORD.write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
