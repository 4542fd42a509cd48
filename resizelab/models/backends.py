"""What each back end makes of a node's attributes, read from the measured rows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from resizelab import checks
from resizelab.axis.convention import Convention
from resizelab.catalog.calls import onnx_attributes
from resizelab.catalog.signatures import takes_scale
from resizelab.catalog.table import rows
from resizelab.modelfiles.nodes import ResizeNode
from resizelab.models.deviation import alike, between

# They read ONNX attributes, and there is a function for what they make of them.
READERS = {
    "onnxruntime": {"Resize": "onnxruntime.Resize", "Upsample": "onnxruntime.Upsample"},
    "openvino": {"Resize": "openvino.Resize", "Upsample": "openvino.Upsample"},
    "onnx.reference": {"Resize": "onnx.Resize"},
}
# They have layers of their own: a node is what one of their rows computes, or not.
LAYERS = ("tensorrt", "ncnn", "coreml", "ascend", "litert")
BACK_ENDS = (*READERS, "mnn", *LAYERS)
USUAL = ("onnxruntime", "openvino", "mnn", "tensorrt")
# What is compared of a node: what it leaves out is at ONNX's default.
DEFAULTS = dict(list(onnx_attributes.DEFAULTS.items())[:6])
# LiteRT's other kernels for the same operation.
RESOLVERS = ("BUILTIN_WITHOUT_DEFAULT_DELEGATES", "BUILTIN_REF")


@dataclass(frozen=True)
class Reading:
    """What one back end does with a node.

    ``kind`` is same, changes, refuses or unmeasured; ``status`` how the row is known,
    ``amount`` how far the two are apart, as in `Deviation`.
    """

    back_end: str
    kind: str
    text: str
    convention: str = ""
    status: str = ""
    amount: float = 0.0


def chosen(names: Sequence[str] | None, library: str) -> tuple[str, ...]:
    """Return the back ends to ask about a file of a library's operators.

    Only LiteRT runs a .tflite file; another name is refused.
    """
    allowed = BACK_ENDS if library == "onnx" else ("litert",)
    if names is None:
        return USUAL if library == "onnx" else allowed
    return tuple(
        checks.one_of(f"back end of .{library} files", name, allowed) for name in names
    )


def readings(
    node: ResizeNode, base: Convention, names: tuple[str, ...]
) -> Iterator[Reading]:
    """Go through the back ends and say how each reads ``node``."""
    for name in names:
        if node.library == "tflite":
            yield from _litert_kernels(name, node, base)
        else:
            yield WAYS[name](name, node, base)


def _reader(name: str, node: ResizeNode, base: Convention) -> Reading:
    call = READERS[name].get(node.op)
    if call is None:
        return Reading(name, "unmeasured", f"{node.op} was not measured there")
    try:
        found = node.convention(call)
    except (ValueError, TypeError) as error:
        return Reading(name, "refuses", str(error))
    return _judged(name, node, base, found)


def _judged(
    name: str, node: ResizeNode, base: Convention, found: Convention, notes: str = ""
) -> Reading:
    far = between(base, found, node.sizes(), node.dtype)
    notes = "; ".join(part for part in (notes, found.notes) if part)
    if not far.real:
        return Reading(name, "same", "", found.name, found.status, far.amount)
    text = "; ".join(part for part in (far.text(), notes) if part)
    return Reading(name, "changes", text, found.name, found.status, far.amount)


def _recorded_reader(library: str, node: ResizeNode, base: Convention) -> Reading:
    """Judge by recorded rows whose arguments are ONNX attributes.

    An attribute that a row shows to be without effect is left out of the search.
    """
    known = [row for row in _known(library) if "scales" not in row.arguments]
    wanted = {**DEFAULTS, **node.arguments}
    wanted = {k: v for k, v in wanted.items() if k in DEFAULTS}
    for key, mode in (("nearest_mode", "nearest"), ("cubic_coeff_a", "cubic")):
        if wanted["mode"] != mode:
            del wanted[key]
    row = _row(known, wanted)
    ignored = []
    if row is None:
        ignored = [
            key for key in _without_effect(known) if wanted.get(key) != DEFAULTS[key]
        ]
        row = _row(known, {k: v for k, v in wanted.items() if k not in ignored})
    if row is None or node.op != "Resize":
        return Reading(library, "unmeasured", "this attribute set was not recorded")
    note = f"{library} ignores {', '.join(ignored)}" if ignored else ""
    return _judged(library, node, base, _carrying(row, base), note)


@cache
def _known(library: str) -> tuple[Convention, ...]:
    return tuple(rows().of(library))


def _row(known: list[Convention], wanted: Mapping[str, Any]) -> Convention | None:
    """Return the row that says exactly this; what it leaves out is at its default."""
    usual = {k: v for k, v in DEFAULTS.items() if k in wanted}
    return next((r for r in known if usual | dict(r.arguments) == dict(wanted)), None)


def _without_effect(known: list[Convention]) -> list[str]:
    """Return the attributes whose row computes what the row without them does."""
    found = []
    for row in known:
        for key in ("antialias", "cubic_coeff_a", "exclude_outside"):
            plain = {k: v for k, v in row.arguments.items() if k != key}
            if key in row.arguments and any(
                dict(other.arguments) == plain and other.spec == row.spec
                for other in known
            ):
                found.append(key)
    return sorted(set(found))


def _layer(name: str, node: ResizeNode, base: Convention) -> Reading:
    """Judge a back end with layers of its own by the nearest one, at the node's sizes.

    Layers that were not measured with the node's kernel say nothing about it.
    """
    known = [_carrying(row, base) for row in _known(name) if row.roi == base.roi]
    known = [row for row in known if _measured(row, base)]
    if not known:
        return Reading(name, "unmeasured", "no layer of its with this kernel is known")
    found = []
    for row in sorted(known, key=lambda row: not alike(base, row)):
        found.append(_judged(name, node, base, row))
        if found[-1].kind == "same":
            return found[-1]
    best = min(found, key=lambda reading: reading.amount)
    text = f"no recorded layer computes this; nearest {best.convention}: {best.text}"
    return replace(best, text=text)


def _measured(row: Convention, base: Convention) -> bool:
    """Say whether a row was measured with a kernel like the node's.

    A cubic constant that a layer takes as an argument was measured at one value; what
    the layer makes of another is not known.
    """
    mine, asked = row.spec, base.spec
    constant = mine.a == asked.a or mine.a not in row.arguments.values()
    same = (mine.kernel, mine.antialias) == (asked.kernel, asked.antialias)
    return same and constant and takes_scale(row) == takes_scale(base)


def _carrying(row: Convention, base: Convention) -> Convention:
    """Return the row with the node's scale, where both take one."""
    if takes_scale(base) and row.scale is None and row.spec.step_from != "sizes":
        return row.replace(scale=base.scale)
    return row


def _litert_kernels(name: str, node: ResizeNode, base: Convention) -> Iterator[Reading]:
    """Compare LiteRT's other kernels with the default ones on the same operation."""
    for resolver in RESOLVERS:
        other = node.saying({"experimental_op_resolver_type": resolver})
        try:
            found = other.convention(f"tflite.{node.op}")
        except ValueError as error:
            yield Reading(f"{name} ({resolver})", "refuses", str(error))
            continue
        yield _judged(f"{name} ({resolver})", node, base, found)


# How each back end is judged that runs files of ONNX's operators.
WAYS = {
    **dict.fromkeys(READERS, _reader),
    "mnn": _recorded_reader,
    **dict.fromkeys(LAYERS, _layer),
}
