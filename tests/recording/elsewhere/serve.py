"""One line of JSON in, one line out: resize a grey picture with a library of PyPI.

It is run by an interpreter that has the library; `serve.mjs` beside it is its twin.
"""

import base64
import importlib.metadata
import json
import sys
import tempfile
from functools import cache

import numpy as np


def drjit(x, shape, options):
    """Resample with the filter named."""
    import drjit
    from drjit.llvm import TensorXf

    return np.array(drjit.resample(TensorXf(x), shape=shape, **options))


@cache
def _tvm_function(before, after, options):
    import tvm
    from tvm import te, topi

    x = te.placeholder((1, 1, *before), name="x")
    given = {"layout": "NCHW", **dict(options)}
    y = topi.image.resize2d(x, [0.0] * 4, list(after), **given)
    return tvm.compile(te.create_prim_func([x, y]), target="llvm")


def tvm(x, shape, options):
    """Build and run ``topi.image.resize2d``."""
    import tvm

    function = _tvm_function(x.shape, shape, tuple(sorted(options.items())))
    made = tvm.runtime.tensor(np.zeros((1, 1, *shape), np.float32))
    function(tvm.runtime.tensor(x[None, None]), made)
    return made.numpy()[0, 0]


SIZED = {int: "Int32", np.int8: "Int8"}


def _written(b, value):
    """Write a word, a list or a table, {slot: value}, and return where it stands."""
    if isinstance(value, str):
        return b.CreateString(value)
    parts = dict(enumerate(value)) if isinstance(value, list) else value
    far = {k: _written(b, v) for k, v in parts.items() if type(v) not in SIZED}
    listed = value is not parts
    b.StartVector(4, len(value), 4) if listed else b.StartObject(12)
    for k in reversed(parts):
        kind = "UOffsetTRelative" if k in far else SIZED[type(parts[k])]
        add = getattr(b, f"Prepend{kind}" + ("" if listed else "Slot"))
        given = far.get(k, parts[k])
        add(given) if listed else add(k, given, 0)
    return b.EndVector() if listed else b.EndObject()


def _mnn_file(before, after, resize_type, ctm):
    """Return a model of MNN's own format, its Interp operator alone, unconverted.

    Numbers of slots, operators and unions are those of its schema, in order.
    """
    import flatbuffers

    def operator(place, code, union, main):
        named = {0: list(range(place)), 1: np.int8(union), 2: main, 4: [place]}
        return {**named, 5: code, 6: np.int8(0)}

    x = {0: [1, 1, *before], 1: 1, 2: np.int8(0)}
    y = {2: after[1], 3: after[0], 4: resize_type, 10: np.int8(ctm)}
    both = [operator(0, 34, 21, x), operator(1, 35, 22, y)]
    b = flatbuffers.Builder()
    b.ForceDefaults(True)
    b.Finish(_written(b, {3: both, 7: ["x", "y"], 8: 2}))
    return bytes(b.Output())


MNN_TYPES = {"linear": 2, "cubic": 3, "floor": 1, "round_prefer_floor": 4}
MNN_GRIDS = (None, "align_corners", "half_pixel", "pytorch_half_pixel", "asymmetric")


def mnn(x, shape, options):
    """Run MNN's operator, on what its converter makes of these attributes of ONNX."""
    from MNN import expr, nn

    kind = MNN_TYPES[options.get("nearest_mode", options["mode"])]
    grid = MNN_GRIDS.index(options["coordinate_transformation_mode"])
    with tempfile.NamedTemporaryFile(suffix=".mnn") as file:
        file.write(_mnn_file(x.shape, shape, kind, grid))
        file.flush()
        model = nn.load_module_from_file(file.name, ["x"], ["y"])
        given = expr.const(x.ravel().tolist(), [1, 1, *x.shape], expr.NCHW)
        return np.array(model.forward(given).read())[0, 0]


def mnn_cv(x, shape, options):
    """Run ``MNN.cv.resize``, which takes bytes."""
    import MNN.cv as cv
    from MNN import expr

    if x.shape == tuple(shape):
        raise ValueError("3.6.1 gives back memory that nothing wrote")
    given = expr.const(x.ravel().tolist(), [*x.shape, 1], expr.NHWC, expr.uint8)
    way = getattr(cv, options["interpolation"])
    made = cv.resize(given, shape[::-1], interpolation=way)
    return np.array(made.read()).reshape(shape)


CALLS = {"drjit": drjit, "tvm": tvm, "mnn": mnn, "mnn-cv": mnn_cv}
WHEELS = {"tvm": "apache-tvm", "mnn-cv": "MNN"}  # where it is not the name


def answer(ask):
    """Return what is asked for, as JSON-like values."""
    name = ask["call"].split(" ")[0]
    if ask.get("version"):
        return {"version": importlib.metadata.version(WHEELS.get(name, name))}
    flat = np.frombuffer(base64.b64decode(ask["data"]), ask["dtype"])
    x = flat.reshape(ask["h"], ask["w"])
    made = CALLS[name](x, (ask["oh"], ask["ow"]), ask["options"])
    return {"data": base64.b64encode(np.ascontiguousarray(made, x.dtype)).decode()}


for line in sys.stdin:
    try:
        said = answer(json.loads(line))
    except Exception as error:  # the other side records its words
        said = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(said), flush=True)
