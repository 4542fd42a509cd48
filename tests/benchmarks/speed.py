"""Time `resize` beside torch, ONNX Runtime, OpenCV and a plain copy.

Every engine runs on one thread in this process, in turn within each round, and the
table gives medians of processor time, so other work on the machine counts little.
`python tests/benchmarks/speed.py [--rounds N] [--write]`; with --write the table goes
to teaching/records/speed.json, which the page "speed" shows.
"""

import os

for name in ("OMP", "OPENBLAS", "MKL"):
    os.environ[f"{name}_NUM_THREADS"] = "1"

import argparse
import datetime
import json
import statistics
import time
import tracemalloc
from pathlib import Path

import cv2
import numpy as np
import onnx
import onnxruntime
import torch
import torch.nn.functional as F
from onnx import TensorProto, helper

import resizelab as rl
from resizelab.arrays import resizing

RECORDED = Path(__file__).parents[2] / "resizelab/teaching/records/speed.json"
LINEAR = rl.Spec()
CUBIC = rl.Spec(kernel="cubic", a=-0.75)
LINEAR_AA = rl.Spec(antialias=True, boundary="exclude")
CUBIC_AA = rl.Spec(kernel="cubic", a=-0.5, antialias=True, boundary="exclude")
CASES = (
    ((224, 224), (512, 512), "bilinear", False, LINEAR),
    ((224, 224), (512, 512), "bicubic", False, CUBIC),
    ((512, 512), (224, 224), "bilinear", True, LINEAR_AA),
    ((512, 512), (224, 224), "bicubic", True, CUBIC_AA),
    ((1080, 1920), (224, 224), "bilinear", True, LINEAR_AA),
    ((1080, 1920), (224, 224), "bicubic", True, CUBIC_AA),
    ((1080, 1920), (2160, 3840), "bilinear", False, LINEAR),
    ((64, 64), (256, 256), "bicubic", False, CUBIC),
    ((480, 640), (240, 320), "bicubic", True, CUBIC_AA),
)


def onnx_session(size, mode, antialias):
    """Return an ONNX Runtime session on one thread that resizes to ``size``."""
    node = helper.make_node(
        "Resize",
        ["x", "", "", "sizes"],
        ["y"],
        mode={"bilinear": "linear", "bicubic": "cubic"}[mode],
        antialias=int(antialias),
        exclude_outside=int(antialias),
        cubic_coeff_a=-0.5 if antialias else -0.75,
    )
    sizes = helper.make_tensor("sizes", TensorProto.INT64, [4], [1, 3, *size])
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        [node],
        "resize",
        [value("x", TensorProto.FLOAT, [1, 3, None, None])],
        [value("y", TensorProto.FLOAT, [1, 3, *size])],
        [sizes],
    )
    opset = [helper.make_opsetid("", 19)]
    model = helper.make_model(graph, opset_imports=opset, ir_version=9)
    onnx.checker.check_model(model)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )


def contenders(before, after, mode, antialias, spec):
    """Return {name: callable}, each resizing the same 3-channel float32 picture."""
    x = np.random.default_rng(0).random((1, 3, *before), np.float32)
    t, hwc = torch.from_numpy(x), np.ascontiguousarray(x[0].transpose(1, 2, 0))
    session = onnx_session(after, mode, antialias)
    flag = cv2.INTER_LINEAR if mode == "bilinear" else cv2.INTER_CUBIC
    y = np.empty((1, 3, *after), np.float32)

    def ours():
        return rl.resize(x, after, spec, axes=(2, 3))

    def cold():
        resizing.clear_cache()
        return ours()

    runs = {
        "ours": ours,
        "cold": cold,
        "torch": lambda: F.interpolate(
            t, size=after, mode=mode, antialias=antialias
        ).numpy(),
        "ort": lambda: session.run(None, {"x": x})[0],
        "opencv": lambda: cv2.resize(hwc, after[::-1], interpolation=flag),
        "copy": lambda: (x.copy(), y.copy()),
    }
    for other in ("torch", "ort"):
        gap = np.abs(runs[other]() - ours()).max()
        assert gap < 5e-4, f"{other} computes something else: {gap:.2e}"
    return runs


def medians(runs, rounds):
    """Return {name: median seconds of processor}, the contenders taking turns."""
    taken = {name: [] for name in runs}
    for turn in range(rounds + 2):  # two rounds to warm up
        for name, run in runs.items():
            start = time.process_time()
            run()
            if turn >= 2:
                taken[name].append(time.process_time() - start)
    return {name: statistics.median(times) for name, times in taken.items()}


def peak_memory(before, after, spec):
    """Return the peak of one call over (largest intermediate + output)."""
    x = np.random.default_rng(0).random((1, 3, *before), np.float32)
    rl.resize(x, after, spec, axes=(2, 3))  # the operators are not the call's own
    tracemalloc.start()
    y = rl.resize(x, after, spec, axes=(2, 3))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    axis = resizing.plan(x.shape, after, spec, axes=(2, 3)).work[0][0]
    between = x.nbytes // x.shape[axis] * y.shape[axis]
    return peak / (between + y.nbytes)


def write(table):
    """Record the medians with the libraries' versions and the day."""
    versions = {
        "numpy": np.__version__,
        "torch": torch.__version__.split("+")[0],
        "onnxruntime": onnxruntime.__version__,
        "opencv": cv2.__version__,
    }
    day = datetime.datetime.now(datetime.UTC).date().isoformat()
    record = {"date": day, "threads": 1, "versions": versions, "rows": table}
    RECORDED.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def main():
    """Print the table, the geometric means and the bars."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--write", action="store_true", help="record the table")
    arguments = parser.parse_args()
    rounds = arguments.rounds
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    print(
        f"numpy {np.__version__}, torch {torch.__version__}, "
        f"onnxruntime {onnxruntime.__version__}, opencv {cv2.__version__}"
    )
    head = "3 channels, float32", "torch ms", "cold/torch", "warm/torch", "warm/ort"
    print(
        f"{head[0]:42}" + "".join(f"{h:>11}" for h in (*head[1:], "w/opencv")), end=""
    )
    print(f"{'w/copy':>9}{'memory':>9}")
    ratios = {"cold/torch": [], "warm/torch": [], "warm/ort": []}
    table = []
    for case in CASES:
        before, after, mode, antialias, spec = case
        t = medians(contenders(*case), rounds)
        row = (t["cold"] / t["torch"], t["ours"] / t["torch"], t["ours"] / t["ort"])
        for key, value in zip(ratios, row, strict=True):
            ratios[key].append(value)
        entry = {"from": before, "to": after, "mode": mode, "antialias": antialias}
        took = {who: round(1e3 * seconds, 4) for who, seconds in t.items()}
        table.append({**entry, "ms": took})
        name = f"{before} → {after} {mode}{' antialias' if antialias else ''}"
        rest = t["ours"] / t["opencv"], t["ours"] / t["copy"]
        print(f"{name:42}{1e3 * t['torch']:11.2f}", end="")
        print("".join(f"{r:11.2f}" for r in (*row, rest[0])), end="")
        print(f"{rest[1]:9.2f}{peak_memory(before, after, spec):9.2f}")
    for key, values in ratios.items():
        mean = statistics.geometric_mean(values)
        print(f"{key}: geometric mean {mean:.2f}, worst {max(values):.2f}")
    if arguments.write:
        write(table)
    print("bars: cold/torch ≤ 0.7 (worst ≤ 1.4), warm/torch ≤ 0.5, warm/ort ≤ 1.0")


if __name__ == "__main__":
    main()
