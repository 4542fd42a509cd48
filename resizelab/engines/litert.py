"""LiteRT: a .tflite file of one resize operation, run by its interpreter."""

from functools import lru_cache, partial
from typing import Any

import numpy as np

from resizelab.checks import one_of
from resizelab.engines.calls import (
    Arguments,
    Array,
    Call,
    Scale,
    Shape,
    member,
    needs_shape,
    no_scale,
    planar,
)
from resizelab.engines.libraries import Library, load, register

register(Library("litert", __name__, "ai_edge_litert", "ai-edge-litert"))

OPERATORS = {
    "ResizeBilinear": "RESIZE_BILINEAR",
    "ResizeNearestNeighbor": "RESIZE_NEAREST_NEIGHBOR",
}
ELEMENTS = ("float32", "int8", "uint8", "int16")
_KNOWN = ("align_corners", "half_pixel_centers", "experimental_op_resolver_type")


def _tensor(schema: Any, name: str, shape: tuple[int, ...], kind: str) -> Any:
    """Describe one tensor; integers carry scale 1 and zero point 0."""
    tensor = schema.TensorT()
    tensor.name = name
    tensor.shape = np.array(shape, np.int32)
    tensor.type = getattr(schema.TensorType, kind.upper())
    tensor.buffer = 0  # buffer 0 is the empty one, by the format's rule
    if kind != "float32" and name != "size":
        tensor.quantization = schema.QuantizationParametersT()
        tensor.quantization.scale = np.ones(1, np.float32)
        tensor.quantization.zeroPoint = np.zeros(1, np.int64)
    return tensor


def _operator(schema: Any, op: str, corners: bool, centres: bool) -> Any:
    """Describe the one operation: tensors 0 and 1 in, tensor 2 out."""
    operator = schema.OperatorT()
    operator.inputs = np.array([0, 1], np.int32)
    operator.outputs = np.array([2], np.int32)
    operator.builtinOptionsType = getattr(schema.BuiltinOptions, f"{op}Options")
    operator.builtinOptions = getattr(schema, f"{op}OptionsT")()
    operator.builtinOptions.alignCorners = corners
    operator.builtinOptions.halfPixelCenters = centres
    return operator


@lru_cache(maxsize=256)
def model(
    op: str, dtype: str, x: tuple[int, ...], size: tuple[int, int], flags: Any
) -> bytes:
    """Write the flatbuffer of one operation, from the format's own schema classes.

    ``x`` is (batch, h, w); ``flags`` is (align_corners, half_pixel_centers).
    """
    schema = load("ai_edge_litert.schema_py_generated", "litert")
    builder = load("flatbuffers", "litert").Builder(1024)
    graph = schema.SubGraphT()
    graph.tensors = [
        _tensor(schema, "x", (*x, 1), dtype),
        _tensor(schema, "size", (2,), "int32"),
        _tensor(schema, "y", (x[0], *size, 1), dtype),
    ]
    graph.tensors[1].buffer = 1
    graph.inputs, graph.outputs = np.array([0], np.int32), np.array([2], np.int32)
    graph.operators = [_operator(schema, op, *flags)]
    code = schema.OperatorCodeT()
    code.builtinCode = getattr(schema.BuiltinOperator, OPERATORS[op])
    code.deprecatedBuiltinCode, code.version = code.builtinCode, 3
    empty, sizes = schema.BufferT(), schema.BufferT()
    sizes.data = np.frombuffer(np.array(size, np.int32).tobytes(), np.uint8)
    file = schema.ModelT()
    file.version, file.operatorCodes = 3, [code]
    file.subgraphs, file.buffers = [graph], [empty, sizes]
    builder.Finish(file.Pack(builder), file_identifier=b"TFL3")
    return bytes(builder.Output())


def resize(
    op: str, arguments: Arguments, x: Array, shape: Shape, scale: Scale
) -> Array:
    """Run the operation, with the default XNNPACK kernels unless told otherwise.

    ``experimental_op_resolver_type="BUILTIN_WITHOUT_DEFAULT_DELEGATES"``, the
    interpreter's own argument, selects the built-in kernels: integers differ there.
    """
    no_scale(f"tflite.{op}", scale)
    height, width = needs_shape(f"tflite.{op}", shape)
    for key in arguments:
        one_of(f"argument of tflite.{op}", key, _KNOWN)
    one_of("dtype", str(x.dtype), ELEMENTS)
    flags = tuple(bool(arguments.get(name)) for name in _KNOWN[:2])
    runtime = load("ai_edge_litert.interpreter", "litert")
    resolvers = runtime.OpResolverType
    resolver = member(
        resolvers,
        "experimental_op_resolver_type",
        arguments.get("experimental_op_resolver_type", "AUTO"),
        resolvers.__members__,
    )
    interpreter = runtime.Interpreter(
        model_content=model(op, str(x.dtype), x.shape, (height, width), flags),
        num_threads=1,
        experimental_op_resolver_type=resolver,
    )
    interpreter.allocate_tensors()
    interpreter.set_tensor(interpreter.get_input_details()[0]["index"], x[..., None])
    interpreter.invoke()
    out: Array = interpreter.get_tensor(interpreter.get_output_details()[0]["index"])
    return out[..., 0]


CALLS = {f"tflite.{op}": Call(partial(resize, op), planar) for op in OPERATORS}
