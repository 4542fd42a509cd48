"""Calls of somebody who means no good: every public function, its parameters drawn.

Four values of five are good, so that what follows the first check is reached.
"""

import importlib
import inspect
import linecache
import random
import traceback
from pathlib import Path

import numpy as np

import resizelab as rl
from resizelab import drift, geometry, pipelines
from resizelab.axis import Arithmetic, Particulars

HOUSE = Path(rl.__file__).parent
MODULES = (
    "resizelab", "resizelab.geometry", "resizelab.drift", "resizelab.measure",
    "resizelab.tiles", "resizelab.volumes", "resizelab.exact", "resizelab.pipelines",
    "resizelab.axis", "resizelab.teaching.exercises",
)  # fmt: skip
# What their functions return, and nobody makes by hand.
MADE = {"Exact", "Replaced", "WholeWeights", "Tile", "Tiling", "Drift", "Difference"}
MADE |= {"Comparison", "Identified", "NotExpressible", "Feedback", "Exam", "Variant"}
MADE |= {"Exercise", "Separable"}
NAN, INF, HUGE = float("nan"), float("inf"), 2**62
WRONG = (
    None, True, 0, -1, 1, 3, 2**31, HUGE, -HUGE, 10**400, 0.5, -2.0, 1e-300, 1e300, NAN,
    INF, -INF, 1j, "", "x", "\x1b[2J", "a\nb", "é" * 99, b"x", (), [], {}, {"a": 1},
    set(), (1,), (2, 2), (2, 2, 2), [4.5, 4], (NAN, 1), (INF, -1), ("a", "b"), [[1], 2],
    object(), print, int, Path("none"), slice(3), range(3), np.float32(2), np.int8(-3),
    np.bool_(True), np.str_("linear"), np.array(4), np.array([]), np.zeros((0, 4)),
    np.zeros((2, 2, 2, 2, 2)), np.full((4, 4), NAN), np.full((4, 4), INF),
    np.full((4, 4), 1e38, np.float32), np.zeros((4, 4), complex), np.zeros(4, "U3"),
    np.array([None, 3]), np.zeros((4, 4), bool), np.zeros((4, 4), np.uint64),
    np.zeros(3, [("a", "f4")]), np.zeros(3, "M8[s]"), np.ma.masked_less([1.0, 2], 1),
    np.zeros((4, 4), np.int8), rl.Spec(), rl.Spec, rl.weights(rl.Spec(), 4, 8),
)  # fmt: skip


def _good(rng):
    """Return good values by parameter, of the function or of all that have it."""
    noise = np.random.default_rng(rng.randrange(9)).random((12, 16))
    rows = rng.sample(rl.conventions(), 4)
    pipeline = pipelines.named(rng.choice(pipelines.names()))
    kernel = rl.Kernel("mine", 1.0, lambda d: np.maximum(0, 1 - np.abs(d)))
    specs = [rl.Spec(), rl.Spec(kernel="cubic", a=-0.75), *rows, rl.convention(rows[0])]
    size = [4, 8, (4, 8), (9, 5), (24, 24)]
    numbers = [1, 2, 0.5, 0.0, -0.5, None]
    box = [[1.0, 1, 4, 4]]
    return {
        "x": [noise, noise[0], (noise * 255).astype(np.uint8), noise.tolist()],
        "y": [noise, noise[::2, ::2]], "layout": [None, "HW"], "n": [4, 9],
        "shape": size, "scale": [None, 2.0, (2.0, 0.5)], "axes": [None, 0, (0, 1)],
        "spec": specs, "convention": specs, "choice": specs,
        "grid": [None, "half_pixel"],
        "n_in": [4, 9, 16], "n_out": [3, 8], "roi": [None, (0.0, 1.0)], "to": ["torch"],
        "rule": ["floor", "ceil", "short", "long", "size"], "explain": [True],
        "resizer": [lambda x, shape: rl.resize(x, shape), None], "ref": [noise],
        "got": [noise, noise[:, ::-1].copy()], "stride": [None, 2],
        "dtype": ["float32"],
        "size_in": size, "size_out": size, "form": ["cheaper", "dense", "xyxy", "xywh"],
        "a": [noise, None, -0.75], "b": [noise, None], "level": [1.0],
        "truth": [noise > 0.5],
        "mask": [noise > 0.4], "labels": [(noise * 3).astype(int)], "before": [noise],
        "after": [noise], "window": [5], "operator": [rl.weights(rl.Spec(), 8, 5)],
        "sizes": [[8, 4], [9]], "steps": [2], "box": [[1, 1, 4, 4]],
        "name": [*rows, "grids-fifth", "a"], "answer": [2, "2"], "seed": [None, 3],
        "names": [["cut"]], "call": ["cv2.resize", "torch.nn.functional.interpolate"],
        "stages": [pipeline.stages], "pipeline": [pipeline], "raw": [noise],
        "tensor": [noise], "text": [pipeline.name], "h": [12], "w": [16], "size": size,
        "field": [np.zeros((2, 12, 16))], "order": ["xy", None], "matrix": [np.eye(3)],
        "shape_in": [(12, 16)], "shape_out": [(6, 8)], "origin": ["centre_at_half"],
        "translation": [(0.5, 1)], "step": [(2.0, 2.0), "sizes"], "start": [(0.5, 0.5)],
        "kernel": ["linear", "cubic", "nearest", "lanczos", kernel], "radius": [1.0],
        "fn": [np.abs], "index": [np.zeros((3, 2), int)],
        "weight": [np.full((3, 2), 0.5)],
        "lobes": [None, 3], "sigma": [None, 0.5], "budget": [None, 10**6],
        "out": [None],
        "workers": [1], "chunks": [None, 4], "model": [None], "first": [0], "last": [2],
        "region": [(slice(0, 4), slice(0, 4))], "cuts": [None], "at_once": [1],
        "limits": [None], "client": [None], "progress": [False], "channels": [3, None],
        "boundary": ["edge", "constant"], "numbers": ["bytes"], "mean": [None, (0.5,)],
        "std": [None, (0.5,)], "count": [4.0], "span": [4.0], "phase": [0.5, None],
        "offset": [None, 0.5, "floor"], "value": [(0.0,)], "points": [box],
        "boxes": [box],
        "fill": numbers, "cut": numbers, "blur": numbers, "extrapolation": numbers,
    }  # fmt: skip


def _stands_in(value, module):
    public = inspect.isroutine(value) and value.__name__[0] != "_"
    return public and value.__module__ == module.__name__


def functions():
    """Return the public functions and classes, and the methods of their values."""
    found = {}
    for module in map(importlib.import_module, MODULES):
        own = [k for k, v in vars(module).items() if _stands_in(v, module)]
        for name in getattr(module, "__all__", own):
            if name not in MADE:
                found[f"{module.__name__}.{name}"] = getattr(module, name)
    made = {
        "Weights": rl.weights(rl.Spec(), 4, 8),
        "Spec": rl.Spec(),
        "Convention": rl.convention("torch.bicubic"),
        "Pipeline": pipelines.named(pipelines.names()[0]),
        "Placement": geometry.place(rl.Spec(), (12, 16), (6, 8)),
        "Drift": drift.doubling(rl.Spec(), 4, 2)[-1],
        "Particulars": Particulars(),
        "Arithmetic": Arithmetic(),
    }
    for kind, value in made.items():
        for name, method in inspect.getmembers(value, inspect.ismethod):
            if name[0] != "_" and name != "blocks":  # of the product itself
                found[f"{kind}.{name}"] = method
    return found


class Hostile:
    """A source of calls: (name, function, positional values, named values)."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.known = functions()

    def one(self, name):
        """Return (values, named) for one call of a function."""
        rng = self.random
        good, values, named = _good(rng), [], {}
        for key, p in inspect.signature(self.known[name]).parameters.items():
            if p.kind in (p.VAR_KEYWORD, p.VAR_POSITIONAL):
                continue
            if p.default is not p.empty and rng.random() < 0.5:
                continue
            bad = key not in good or rng.random() < 0.25
            value = rng.choice(WRONG if bad else good[key])
            if p.kind is p.POSITIONAL_ONLY:
                values.append(value)
            else:
                named[key] = value
        if rng.random() < 0.05:
            named[rng.choice(["axes", "x", "alig_corners", "mode"])] = rng.choice(WRONG)
        return values, named


def told(error, depth):
    """Say whether an error is one that we raise, by its words and its place.

    ``depth`` is how many frames there are before the call.

    A TypeError of Python's own for a call's arguments names the parameter, too.
    """
    frames = traceback.extract_tb(error.__traceback__)[depth:]
    if not frames or "unexpected keyword argument" in str(error):
        return isinstance(error, TypeError) and "argument" in str(error)
    ours = [f for f in frames if Path(f.filename).is_relative_to(HOUSE)]
    line = linecache.getline(frames[-1].filename, frames[-1].lineno).strip()
    return bool(
        ours and frames[-1] is ours[-1] and line.startswith("raise ") and str(error)
    )
