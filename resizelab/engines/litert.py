"""LiteRT: a .tflite file of one resize operation, run by its interpreter."""

from functools import lru_cache, partial
from typing import Any

import numpy as np

from resizelab.checks import one_of
from resizelab.engines.libraries import Array, Library, flagged

LIBRARY = Library("litert", "ai_edge_litert", "ai-edge-litert")

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
    schema = LIBRARY.load("ai_edge_litert.schema_py_generated")
    builder = LIBRARY.load("flatbuffers").Builder(1024)
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


def resize(op: str, x: Array, size: tuple[int, int], **options: Any) -> Any:
    """Run the operation, with the default XNNPACK kernels unless told otherwise.

    ``experimental_op_resolver_type="BUILTIN_WITHOUT_DEFAULT_DELEGATES"``, the
    interpreter's own argument, selects the built-in kernels: integers differ there.
    """
    for key in options:
        one_of(f"argument of tflite.{op}", key, _KNOWN)
    one_of("dtype", str(x.dtype), ELEMENTS)
    flags = tuple(bool(options.pop(name, False)) for name in _KNOWN[:2])
    runtime = LIBRARY.load("ai_edge_litert.interpreter")
    resolvers = runtime.OpResolverType
    chosen = {_KNOWN[2]: "AUTO", **options}
    interpreter = runtime.Interpreter(
        model_content=model(op, str(x.dtype), x.shape[:-1], size, flags),
        num_threads=1,
        **flagged(chosen, _KNOWN[2], resolvers, resolvers.__members__),
    )
    interpreter.allocate_tensors()
    interpreter.set_tensor(interpreter.get_input_details()[0]["index"], x)
    interpreter.invoke()
    return interpreter.get_tensor(interpreter.get_output_details()[0]["index"])


for _op in OPERATORS:
    LIBRARY.call(f"tflite.{_op}", channel=-1)(partial(resize, _op))
