"""Change attributes of resize nodes in a model file, checked before it is written."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from resizelab import checks
from resizelab.modelfiles import files, nodes, onnx_file, onnx_graph, text_files
from resizelab.modelfiles.tflite_file import FLAGS, with_flags
from resizelab.models import attributes
from resizelab.text import Told, printed

SORTED = (
    "the nodes stood in an order that ONNX's checker refuses: they were sorted, and "
    "compute the same"
)
Changed = dict[str, dict[str, tuple[Any, Any]]]


@dataclass(frozen=True, repr=False)
class Patch(Told):
    """What was changed: {node: {attribute: (before, after)}}, and where it was written.

    ``undo`` are commands that set the old values again, and ``restores`` says whether
    that gives the old file byte for byte; ``remarks`` what else there is to know: which
    run times refuse a node as it is now, in their words.
    """

    target: Path
    changed: Mapping[str, Mapping[str, tuple[Any, Any]]]
    remarks: tuple[str, ...] = ()
    undo: tuple[str, ...] = ()
    restores: bool = True

    def __str__(self) -> str:
        """Return the changes as text."""
        lines = []
        for name, entries in self.changed.items():
            for key, (old, new) in entries.items():
                lines.append(f"{name}: {key} {old} -> {new}")
        lines = lines or ["nothing to change: the node has these values"]
        lines += [f"note: {remark}" for remark in self.remarks]
        if self.undo:
            what = "the old file, byte for byte" if self.restores else "the old values"
            rest = "" if self.restores else "; the bytes of the file differ"
            lines += [f"undo ({what}{rest}):", *(f"  {text}" for text in self.undo)]
        return printed([*lines, f"written to {self.target}"])


def patch(
    path: files.PathLike,
    node: str,
    changes: Mapping[str, Any],
    output: files.PathLike | None = None,
    in_place: bool = False,
) -> Patch:
    """Write the model with ``changes`` to the attributes of one resize node.

    Parameters
    ----------
    path
        The .onnx or .tflite file, or OpenVINO's .xml or ncnn's .param: then the .bin
        file beside it is copied, too.
    node : str
        A node's name, or its output's; ``*`` for every resize node.
    changes : mapping
        Attribute names and values, as ONNX has them; None or an empty text takes an
        attribute away. In a .tflite file ``align_corners`` and ``half_pixel_centers``;
        in .xml and .param the words of the layer, as the file writes them.
    output
        Where to write. It is never the input, unless ``in_place`` is true.

    Raises LookupError for a node that is not there, ValueError for a value that the
    format does not have, for a change of the output's shape, and for a model that does
    not pass ONNX's checker. Nothing is written then.
    """
    target = files.target(path, output, in_place)
    kind = checks.one_of("the file's ending", Path(path).suffix.lower(), WORK)
    content, found, remarks, restores = WORK[kind](path, node, changes, target)
    changed = {name: entries for name, entries in found.items() if entries}
    text_files.bring_weights(Path(path), target)
    files.write(target, content)
    undo = tuple(_undoing(target, name, entries) for name, entries in changed.items())
    remarks = [*remarks, *_refusals(target, changed)]
    return Patch(target, changed, tuple(remarks), undo, restores)


Work = tuple[bytes, Changed, list[str], bool]


def _onnx(
    path: files.PathLike, node: str, changes: Mapping[str, Any], target: Path
) -> Work:
    values = attributes.values(changes)
    model = onnx_file.load(path)
    beside = target.resolve().parent == Path(path).resolve().parent
    if onnx_file.outside(model) and not beside:
        raise ValueError(
            f"{path} keeps weights in files beside it: write the patched model into "
            "the same folder"
        )
    faults = nodes.read(path).faults  # and says where it is damaged
    if faults:
        raise ValueError(f"{path} cannot be run: {'; '.join(faults)}")
    moved = [onnx_graph.sort(graph) for graph in onnx_file.graphs(model)]
    onnx_file.checked(model, "the model does not pass ONNX's checker as it is")
    before, opset = onnx_file.afresh(model), nodes.opset_of(model)
    chosen = {nodes.name_of(n): n for n in attributes.chosen(model, node)}
    changed = {name: attributes.apply(n, values, opset) for name, n in chosen.items()}
    attributes.same_shapes(before, model, changed)
    onnx_file.checked(model, "the patched model does not pass ONNX's checker")
    content = model.SerializeToString()
    for name, entries in changed.items():
        old = {key: value for key, (value, _) in entries.items()}
        attributes.apply(chosen[name], old, opset)
    restores = model.SerializeToString() == Path(path).read_bytes()
    return content, changed, [SORTED] * any(moved), restores


def _tflite(
    path: files.PathLike, node: str, changes: Mapping[str, Any], target: Path
) -> Work:
    flags = {
        checks.one_of("flag", name, FLAGS): _truth(name, value)
        for name, value in changes.items()
    }
    if not flags:
        raise ValueError(f"nothing to set; flags are {', '.join(FLAGS)}")
    known = nodes.read(path).nodes
    names = [n.name for n in known]
    chosen = [k for k, name in enumerate(names) if node in ("*", name)]
    attributes.one_of_them(node, names, [names[k] for k in chosen])
    changed: Changed = {}
    for k in chosen:
        known[k].saying(flags).meaning()  # refused here if LiteRT refuses it
        was = {flag: known[k].arguments.get(flag) for flag in flags}
        changed[names[k]] = {f: (was[f], v) for f, v in flags.items() if was[f] != v}
    content = Path(path).read_bytes()
    made = back = with_flags(content, chosen, flags)
    for k in chosen:
        old = {flag: known[k].arguments[flag] for flag in flags}
        back = with_flags(back, [k], old)
    return made, changed, [], back == content


def _text(
    path: files.PathLike, node: str, changes: Mapping[str, Any], target: Path
) -> Work:
    kind, known = Path(path).suffix.lower(), text_files.resizes(path)
    chosen = [name for name in known if node in ("*", name)]
    attributes.one_of_them(node, [*known], chosen)
    values = {key: None if value == "" else value for key, value in changes.items()}
    text = Path(path).read_text("utf-8")
    made = back = text_files.saying(kind, text, chosen, values)
    changed: Changed = {}
    for name in chosen:
        old = {key: known[name].get(key) for key in values}
        back = text_files.saying(kind, back, [name], old)
        changed[name] = {k: (old[k], v) for k, v in values.items() if old[k] != str(v)}
    return made.encode(), changed, [], back == text


WORK = {".onnx": _onnx, ".tflite": _tflite, **dict.fromkeys(text_files.ALLOWED, _text)}


def _truth(name: str, value: Any) -> bool:
    words = {"1": True, "true": True, "0": False, "false": False}
    if str(value).lower() not in words:
        raise ValueError(f"{name} must be true or false; got {value!r}")
    return words[str(value).lower()]


def _undoing(target: Path, name: str, entries: Mapping[str, tuple[Any, Any]]) -> str:
    """Return the command that sets a node's old values again."""
    parts = ["resizelab", "patch", str(target), "--node", name, "--in-place"]
    for key, (old, _) in entries.items():
        parts += ["--set", f"{key}={'' if old is None else old}"]
    return shlex.join(parts)


def _refusals(target: Path, changed: Mapping[str, Any]) -> list[str]:
    """Return what the measured run times refuse of the nodes as they are now."""
    found = []
    known = nodes.read(target).nodes if target.suffix.lower() == ".onnx" else ()
    for node in known:
        for call in ("onnxruntime", "openvino"):
            if node.name in changed:
                try:
                    node.convention(f"{call}.{node.op}")
                except (ValueError, TypeError) as error:
                    found.append(f"{node.name}: {error}")
    return found
