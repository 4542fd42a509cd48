"""Read the resize operations of a .tflite file, every length checked on the way.

The schema's classes read offsets from the file as they come. What they follow is
bounded here, so that a damaged or malicious file ends in a message.
"""

import struct
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from resizelab.modelfiles import files

IDENTIFIER = b"TFL3"
MOST_OPERATORS = 1_000_000
MOST_AXES = 8
OPTIONS = {
    "RESIZE_BILINEAR": "ResizeBilinear",
    "RESIZE_NEAREST_NEIGHBOR": "ResizeNearestNeighbor",
}
FLAGS = ("align_corners", "half_pixel_centers")
# Where a table of options says that it has each flag, counted from its start.
SLOTS = {"RESIZE_BILINEAR": (8, 10), "RESIZE_NEAREST_NEIGHBOR": (4, 6)}
OPTIONS_SLOT = 12  # where an operator says that it has options
# They move pixels too, and no convention here says how.
OTHERS = ("TRANSPOSE_CONV", "DEPTH_TO_SPACE")
# A resize operation: its graph, itself, its name, and its place in the graph.
Entry = tuple[Any, Any, str, int]
DAMAGE = (struct.error, IndexError, ValueError, TypeError, AttributeError)


def resizes(path: files.PathLike) -> tuple[list[dict[str, Any]], dict[str, int]]:
    """Return what each resize operation says, and a count of what is not looked at."""
    path = files.existing(path)
    content = path.read_bytes()
    if content[4:8] != IDENTIFIER:
        raise ValueError(
            f"{path} is not a TensorFlow Lite file: it lacks the mark "
            f"{IDENTIFIER.decode()} at byte 4"
        )
    try:
        schema = _schema()
        found, others = _walk(schema, content)
        return [_described(schema, *entry) for entry in found], others
    except DAMAGE as error:
        raise ValueError(
            f"{path} is damaged: {error} ({type(error).__name__})"
        ) from None


def with_flags(
    content: bytes, chosen: Sequence[int], flags: Mapping[str, bool]
) -> bytes:
    """Return a file with flags set on some of its resize operations, by their place.

    A flag that is stored is changed where it stands. A false one is stored nowhere, as
    a rule: then a new table of options goes to the end of the file.
    """
    made = bytearray(content)
    found, _ = _walk(_schema(), content)
    tables = [operator.BuiltinOptions() for _, operator, _, _ in found]
    places = [table.Pos for table in tables if table is not None]
    for k in chosen:
        table, (_, operator, name, _) = tables[k], found[k]
        if table is None:
            raise ValueError(f"resize operation {k} has no options to set")
        slots = dict(zip(FLAGS, SLOTS[name], strict=True))
        stored = {flag: table.Offset(slot) for flag, slot in slots.items()}
        if all(stored[flag] for flag in flags) and places.count(table.Pos) == 1:
            for flag, value in flags.items():
                made[table.Pos + stored[flag]] = value
        else:
            now = {f: bool(at and content[table.Pos + at]) for f, at in stored.items()}
            _append(made, operator, slots, {**now, **flags})
    return bytes(made)


def _append(
    made: bytearray, operator: Any, slots: Mapping[str, int], flags: Mapping[str, bool]
) -> None:
    """Put a table of options at the end, and let the operator point to it."""
    last = max(slots.values())
    size = last + 2  # of the list of slots that stands before the table
    made += bytes(-(len(made) + size) % 4)  # a table starts at a multiple of 4
    listed = dict.fromkeys(range(4, size, 2), 0)
    values = bytearray(4)  # how far back the list of slots is
    for flag, slot in slots.items():
        listed[slot] = len(values)
        values.append(flags[flag])
    start = len(made) + size
    made += struct.pack(f"<{size // 2}H", size, len(values), *listed.values())
    struct.pack_into("<i", values, 0, size)
    made += values
    place = operator._tab.Pos + operator._tab.Offset(OPTIONS_SLOT)
    struct.pack_into("<I", made, place, start - place)


def _schema() -> Any:
    try:
        import tflite
    except ModuleNotFoundError as error:
        raise ImportError(
            "TensorFlow Lite files need the tflite package: pip install tflite"
        ) from error
    return tflite


def _walk(schema: Any, content: bytes) -> tuple[list[Entry], dict[str, int]]:
    """Return the resize operations, and a count of others that move pixels."""
    model = schema.Model.GetRootAs(content, 0)
    most = len(content) // 4  # entries that fit into the file
    codes = [
        _kind(schema, model.OperatorCodes(k))
        for k in range(_bounded(model.OperatorCodesLength(), most))
    ]
    found: list[Entry] = []
    others: Counter[str] = Counter()
    seen = 0
    for k in range(_bounded(model.SubgraphsLength(), most)):
        graph = model.Subgraphs(k)
        count = _bounded(graph.OperatorsLength(), most)
        seen += count + 1
        _bounded(seen, MOST_OPERATORS)
        for j in range(count):
            operator = graph.Operators(j)
            kind = codes[operator.OpcodeIndex()]
            if kind in OPTIONS:
                found.append((graph, operator, kind, j))
            elif kind:
                others[kind] += 1
    return found, dict(others)


def _kind(schema: Any, code: Any) -> str:
    """Return the name of an operation that moves pixels; of another, ''."""
    # The older field holds codes below 127; newer files fill both.
    number = max(code.BuiltinCode(), code.DeprecatedBuiltinCode())
    operators = schema.BuiltinOperator
    if number == operators.CUSTOM:
        return f"custom {(code.CustomCode() or b'').decode('utf-8', 'replace')}"
    named = (name for name in (*OPTIONS, *OTHERS) if getattr(operators, name) == number)
    return next(named, "")


def _bounded(count: int, most: int) -> int:
    if not 0 <= count <= most:
        raise ValueError(f"it claims {count} entries where at most {most} fit")
    return count


def _described(
    schema: Any, graph: Any, operator: Any, name: str, place: int
) -> dict[str, Any]:
    if operator.InputsLength() < 2 or operator.OutputsLength() < 1:
        raise ValueError(f"operation {place} ({name}) has no input or no output")
    source = graph.Tensors(_place(graph, operator.Inputs(0)))
    target = graph.Tensors(_place(graph, operator.Outputs(0)))
    op = OPTIONS[name]
    flags = getattr(schema, f"{op}Options")()
    table = operator.BuiltinOptions()
    arguments = {}
    if table is not None:
        flags.Init(table.Bytes, table.Pos)
        arguments = {
            "align_corners": bool(flags.AlignCorners()),
            "half_pixel_centers": bool(flags.HalfPixelCenters()),
        }
    kinds = {v: k for k, v in vars(schema.TensorType).items() if k.isupper()}
    label = (target.Name() or b"").decode("utf-8", "replace")
    return {
        "name": label or f"operation {place}",
        "op": op,
        "arguments": arguments,
        "before": _shape(source),
        "after": _shape(target),
        "dtype": kinds.get(source.Type(), "").lower() or None,
    }


def _place(graph: Any, index: int) -> int:
    if not 0 <= index < graph.TensorsLength():
        raise ValueError(f"there is no tensor {index}")
    return int(index)


def _shape(tensor: Any) -> tuple[int | None, ...] | None:
    """Return a tensor's shape; -1 marks an open size, there or in its signature."""
    rank = _bounded(tensor.ShapeLength(), MOST_AXES)
    if not rank:
        return None
    sizes = [int(tensor.Shape(k)) for k in range(rank)]
    if tensor.ShapeSignatureLength() == rank:
        signed = [int(tensor.ShapeSignature(k)) for k in range(rank)]
        sizes = [n if s != -1 else -1 for n, s in zip(sizes, signed, strict=True)]
    return tuple(None if n == -1 else n for n in sizes)
