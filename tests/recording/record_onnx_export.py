"""Export every `interpolate` with both of torch's exporters and record what they write.

``tests/recording/record_onnx_export.py`` writes ``teaching/records/onnx_export.json``.
The page ``book/onnx-export.md`` shows it, and ``tests/site/test_onnx_export.py``
measures anew.
"""

import datetime
import importlib.metadata
import json
import logging
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from resizelab.modelfiles import nodes, onnx_file
from resizelab.teaching import examples

ROOT = Path(__file__).resolve().parents[2]
RECORD = ROOT / "resizelab/teaching/records/onnx_export.json"
SHAPES = {3: (1, 2, 11), 4: (1, 2, 9, 11), 5: (1, 2, 4, 9, 11)}
UP = {3: (20,), 4: (14, 20), 5: (7, 14, 20)}
DOWN = {3: (5,), 4: (4, 5), 5: (3, 4, 5)}
TORCHSCRIPT = (9, 10, 11, 13, 18, 20)
DYNAMO = (None, 11, 13)  # None: the exporter's own choice


def sizes(rank: int) -> dict[str, dict[str, Any]]:
    """Return the ways to say how large the output is."""
    return {
        "scale_factor=2.0": {"scale_factor": 2.0},
        "scale_factor=1.3": {"scale_factor": 1.3},
        "scale_factor=1.3, recompute_scale_factor=True": {
            "scale_factor": 1.3,
            "recompute_scale_factor": True,
        },
        # Here one axis keeps its length: 9 becomes 9.9, that is 9.
        "scale_factor=1.1": {"scale_factor": 1.1},
        "scale_factor=0.45": {"scale_factor": 0.45},
        "size, larger": {"size": UP[rank]},
        "size, smaller": {"size": DOWN[rank]},
    }


def cases() -> list[dict[str, Any]]:
    """Return every call: its mode and flags, how its size is said, its arguments."""
    found = []

    def add(rank: int, ways: Any, **flags: Any) -> None:
        for way in ways:
            arguments = {**flags, **sizes(rank)[way]}
            found.append({"way": way, "rank": rank, "arguments": arguments})

    every, two = tuple(sizes(4)), ("size, larger", "size, smaller")
    add(4, every, mode="nearest")
    add(5, ("scale_factor=2.0",), mode="nearest")
    add(4, every, mode="nearest-exact")
    for mode, rank, ways in (
        ("linear", 3, ("scale_factor=2.0", *two)),
        ("bilinear", 4, every),
        ("bicubic", 4, every),
        ("trilinear", 5, ("scale_factor=2.0", *two)),
    ):
        for corners in (False, True):
            add(rank, ways, mode=mode, align_corners=corners)
    scaled = (*two, "scale_factor=0.45")
    for mode in ("bilinear", "bicubic"):
        for corners in (False, True):
            add(4, scaled, mode=mode, antialias=True, align_corners=corners)
    add(4, ("scale_factor=2.0", *two), mode="area")
    add(4, two, mode="lanczos", antialias=True)
    return found


def measured(case: Mapping[str, Any], exporter: str, opset: int | None) -> dict:
    """Export one call and run the file beside torch."""
    import torch

    x = np.random.default_rng(0).random(SHAPES[case["rank"]], np.float32)
    module = examples.interpolate(**case["arguments"])
    wanted = module(torch.from_numpy(x)).numpy()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "one.onnx"
        try:
            made = examples.export(module, x, path, exporter, opset)
        except Exception as error:  # each exporter has classes of its own
            reason = str(error.__cause__ or error).strip().splitlines()[0]
            return {"refused": f"{type(error).__name__}: {_short(reason)}"}
        found = written(path, made.said)
        try:
            y = examples.run(path, x)
        except ValueError as error:
            return {**found, "not run": " ".join(str(error).split())[-160:]}
    same = y.shape == wanted.shape
    return {**found, "gap": float(abs(y - wanted).max()) if same else None}


def _short(reason: str) -> str:
    """Return a refusal without the opset, so that equal ones are equal."""
    return re.sub(r" to ONNX opset version \d+", "", reason)[:120]


def written(path: Path, said: tuple[str, ...]) -> dict:
    """Return what stands in a file: its operators and resize nodes."""
    contents = nodes.read(path)
    model = onnx_file.load(path)
    ops = Counter(n.op_type for n in model.graph.node if n.op_type != "Constant")
    return {
        "operators": dict(ops),
        "warned": any("did not match Pytorch" in line for line in said),
        "resize": [
            {
                "op": node.op,
                "attributes": {k: v for k, v in node.arguments.items() if v != []},
                "by": "sizes" if node.scales is None else "scales",
                "convention": _meaning(node),
            }
            for node in contents.nodes
        ],
    }


def _meaning(node: nodes.ResizeNode) -> str:
    """Return the name of what a node computes, or who refuses it."""
    try:
        return re.sub(r"\.opset\d+$", "", node.meaning().name)
    except ValueError as error:
        return str(error)


def grouped(case: Mapping[str, Any], exporter: str, opsets: Any) -> list[dict]:
    """Return what one exporter does, with the opsets in which it does the same."""
    found: list[dict] = []
    for asked in opsets:
        result = measured(case, exporter, asked)
        if found and found[-1]["does"] == result:
            found[-1]["asked"].append(asked)
        else:
            found.append({"asked": [asked], "does": result})
    return found


def record(only: Any = None) -> dict:
    """Return the whole table, or that of the cases for which ``only`` is true."""
    rows = [
        {
            **case,
            "torchscript": grouped(case, "torchscript", TORCHSCRIPT),
            "dynamo": grouped(case, "dynamo", DYNAMO),
        }
        for case in filter(only, cases())
    ]
    names = ("torch", "onnx", "onnxruntime", "onnxscript")
    return {
        "versions": {n: importlib.metadata.version(n).split("+")[0] for n in names},
        "rows": rows,
    }


def main() -> None:
    """Record everything and say how long the list is."""
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    table = record()
    table["recorded"] = datetime.datetime.now(datetime.UTC).date().isoformat()
    rows = ",\n".join(json.dumps(row) for row in table.pop("rows"))
    text = f'{json.dumps(table)[:-1]}, "rows": [\n{rows}\n]}}'
    RECORD.write_text(text + "\n", encoding="utf-8")
    print(f"{len(rows.splitlines())} calls, {len(text) // 1000} kB", file=sys.stderr)


if __name__ == "__main__":
    main()
