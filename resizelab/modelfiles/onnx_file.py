"""Open an ONNX file without following it anywhere, and look into its graphs."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from resizelab.modelfiles import files

EXTERNAL = 1  # TensorProto.DataLocation of weights in a file beside the model
SHAPE_ENTRIES = 64  # a tensor of sizes or scales has no more


def library() -> Any:
    """Return the onnx package, else raise ImportError with the pip line."""
    try:
        import onnx
        import onnx.checker
        import onnx.external_data_helper
        import onnx.inliner
        import onnx.numpy_helper
        import onnx.shape_inference
    except ModuleNotFoundError as error:
        raise ImportError(
            "ONNX files need the onnx package: pip install onnx"
        ) from error
    return onnx


def load(path: files.PathLike, weights: bool = True) -> Any:
    """Return the ModelProto of a file; weights outside of it are not read yet.

    ``weights=False`` lets go of what is larger than a shape: enough for a look at the
    nodes. Raises ValueError for a file that is no model, and for one whose weights lie
    outside its folder.
    """
    path, onnx = files.existing(path), library()
    from google.protobuf.message import DecodeError

    model = onnx.ModelProto()
    try:
        model.ParseFromString(path.read_bytes())
    except (DecodeError, RuntimeError) as error:
        raise ValueError(f"{path} is not an ONNX file, or damaged: {error}") from None
    if not model.graph.node and not model.graph.output:
        raise ValueError(f"{path} is not an ONNX model: it has no graph")
    for tensor in outside(model):
        _inside_folder(path, tensor)
    if not weights:
        for tensor in model.graph.initializer:
            if int(np.prod(tensor.dims)) > SHAPE_ENTRIES:
                _forget(tensor)
    return model


def with_weights(path: files.PathLike, limit: int = files.MOST_BYTES) -> Any:
    """Return the ModelProto with every weight in it, up to ``limit`` bytes."""
    model, onnx = load(path), library()
    tensors = outside(model)
    if not tensors:
        return model
    folder = Path(path).resolve().parent
    whole = sum(_length(folder, tensor) for tensor in tensors)
    if whole > limit:
        raise ValueError(f"{path} has {whole} bytes of weights; at most {limit} fit")
    for tensor in tensors:
        onnx.external_data_helper.load_external_data_for_tensor(tensor, str(folder))
        tensor.data_location = onnx.TensorProto.DEFAULT
        del tensor.external_data[:]
    return model


def outside(model: Any) -> list[Any]:
    """Return the tensors whose numbers are in other files."""
    found = []
    for graph in graphs(model):
        found += graph.initializer
        found += [t.values for t in graph.sparse_initializer]
        found += [t.indices for t in graph.sparse_initializer]
    for node in every_node(model):
        for attribute in node.attribute:
            found += [attribute.t, *attribute.tensors]
    return [t for t in found if t.data_location == EXTERNAL]


def every_node(model: Any) -> Iterator[Any]:
    """Go through the nodes of every graph, and of every function."""
    yield from (node for graph in graphs(model) for node in graph.node)
    yield from (node for function in model.functions for node in function.node)


def graphs(model: Any) -> Iterator[Any]:
    """Go through the main graph and every graph inside a node."""
    waiting = [model.graph]
    for function in model.functions:
        waiting += [g for node in function.node for g in inner(node)]
    while waiting:
        graph = waiting.pop(0)
        yield graph
        waiting += [deeper for node in graph.node for deeper in inner(node)]


def inner(node: Any) -> list[Any]:
    """Return the graphs inside a node."""
    found = []
    for attribute in node.attribute:
        found += [attribute.g] if attribute.HasField("g") else []
        found += attribute.graphs
    return found


def _entries(tensor: Any) -> dict[str, str]:
    return {entry.key: entry.value for entry in tensor.external_data}


def _inside_folder(path: Path, tensor: Any) -> None:
    """Refuse a tensor whose file is not in the model's folder or below it."""
    location = _entries(tensor).get("location", "")
    folder = path.resolve().parent
    target = (folder / location).resolve()
    if not location or not target.is_relative_to(folder) or target == folder:
        raise ValueError(
            f"{path} says that weights of {tensor.name!r} are in {location!r}, outside "
            "its own folder: refused"
        )


def _length(folder: Path, tensor: Any) -> int:
    """Return how many bytes a tensor takes, checked against its file."""
    entries = _entries(tensor)
    file = (folder / entries["location"]).resolve()
    if not file.is_file():
        raise FileNotFoundError(
            f"the weights of {tensor.name!r} are missing: there is no file {file.name} "
            "beside the model"
        )
    try:
        offset = int(entries.get("offset", 0))
        length = int(entries.get("length", file.stat().st_size - offset))
    except ValueError:
        raise ValueError(
            f"{tensor.name!r} has no readable place in {file.name}: {entries}"
        ) from None
    if min(offset, length) < 0 or offset + length > file.stat().st_size:
        raise ValueError(
            f"{file.name} has {file.stat().st_size} bytes; {tensor.name!r} wants "
            f"{length} from {offset} on"
        )
    return length


def _forget(tensor: Any) -> None:
    for field in ("raw_data", "float_data", "int32_data", "int64_data", "double_data"):
        tensor.ClearField(field)


def inferred(model: Any) -> Any:
    """Return the model with the shapes that can be inferred, or as it is."""
    onnx = library()
    try:
        return onnx.shape_inference.infer_shapes(model, data_prop=True)
    except (onnx.shape_inference.InferenceError, ValueError, RuntimeError):
        return model  # a node that cannot be inferred does not stop a look at others


def afresh(model: Any, known: Mapping[str, Sequence[int]] | None = None) -> Any:
    """Return a copy with every shape inferred from its inputs alone.

    ``known`` are the inputs' shapes, where they are not those of the file.
    """
    bare = type(model)()
    bare.CopyFrom(model)
    for graph in graphs(bare):
        del graph.value_info[:]
        for value in graph.output:
            value.type.tensor_type.ClearField("shape")
    for value in bare.graph.input:
        if known and value.name in known:
            shape = value.type.tensor_type.shape
            del shape.dim[:]
            for n in known[value.name]:
                shape.dim.add().dim_value = n
    return inferred(bare)


def inputs(model: Any) -> tuple[str, ...]:
    """Return the names of the inputs that are fed: not those that have a value."""
    held = {tensor.name for tensor in model.graph.initializer}
    return tuple(v.name for v in model.graph.input if v.name not in held)


def named(model: Any, feeds: Mapping[str, Any]) -> dict[str, Any]:
    """Return feeds by name: the empty name is that of the only input."""
    names = inputs(model)
    if "" in feeds and len(names) != 1:
        listed = ", ".join(names)
        raise ValueError(f"the model has several inputs: name each of {listed}")
    return {name or names[0]: array for name, array in feeds.items()}


def shapes(graph: Any) -> dict[str, tuple[int | None, ...]]:
    """Return the shape of every tensor that has one; None stands for an open size."""
    found = {}
    for value in (*graph.input, *graph.output, *graph.value_info):
        kind = value.type.tensor_type
        if kind.HasField("shape"):
            found[value.name] = tuple(
                d.dim_value if d.HasField("dim_value") else None for d in kind.shape.dim
            )
    for tensor in graph.initializer:
        found[tensor.name] = tuple(tensor.dims)
    return found


def element_types(graph: Any) -> dict[str, str]:
    """Return the NumPy name of every tensor's element type, where it is known."""
    onnx = library()
    known, found = set(onnx.helper.get_all_tensor_dtypes()), {}
    for value in (*graph.input, *graph.output, *graph.value_info):
        number = value.type.tensor_type.elem_type
        if number in known:  # a damaged file names types that are none
            found[value.name] = str(onnx.helper.tensor_dtype_to_np_dtype(number))
    return found


def constants(graph: Any) -> dict[str, np.ndarray[Any, Any]]:
    """Return the short constants of a graph by name: sizes, scales, regions."""
    onnx = library()
    tensors = {t.name: t for t in graph.initializer}
    for node in graph.node:
        if node.op_type == "Constant" and node.output:
            for attribute in node.attribute:
                if attribute.name == "value":
                    tensors[node.output[0]] = attribute.t
    return {
        name: onnx.numpy_helper.to_array(tensor)
        for name, tensor in tensors.items()
        if tensor.data_location != EXTERNAL
        and int(np.prod(tensor.dims)) <= SHAPE_ENTRIES
    }


def checked(model: Any, what: str) -> None:
    """Refuse what ONNX's checker refuses, but for outputs without type or shape.

    Weights beside the file are not looked at. Run times work out an output's shape.
    """
    onnx = library()
    copy = type(model)()
    copy.CopyFrom(model)
    for value in copy.graph.output:
        kind = value.type.tensor_type
        if value.type.WhichOneof("value") in (None, "tensor_type"):
            kind.elem_type = kind.elem_type or onnx.TensorProto.FLOAT
            kind.shape.SetInParent()
    for tensor in outside(copy):
        tensor.data_location = onnx.TensorProto.DEFAULT
        del tensor.external_data[:], tensor.dims[:]
        tensor.dims.append(0)
    try:
        onnx.checker.check_model(copy, full_check=False)
    except (onnx.checker.ValidationError, RuntimeError, ValueError) as error:
        raise ValueError(f"{what}: {str(error).splitlines()[0]}") from None
