"""The passport of a model: its preprocessing and its resizes, carried in its file.

An ONNX file holds it in its metadata; for any other file it is a JSON file beside it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from resizelab import checks
from resizelab.axis.convention import Convention
from resizelab.modelfiles import files, nodes, onnx_file
from resizelab.models.calls import parsed
from resizelab.models.passport_check import (
    Check,
    nodes_differ,
    pipelines_differ,
    steps_differ,
)
from resizelab.pipelines import Pipeline
from resizelab.text import Told, json_object, printed

KEY = "resizelab.passport"
VERSION = 1
SIDECAR = ".passport.json"
LONGEST = 2**24  # bytes of a passport; thousands of nodes take less
FIELDS = ("version", "preprocessing", "nodes", "facts", "pipeline")


@dataclass(frozen=True, repr=False)
class Passport(Told):
    """What a model was made with.

    ``preprocessing`` holds the conventions in order, each with the size (height,
    width) its call asks for, or None; ``nodes`` those of the model's resize nodes by
    name; ``facts`` anything else as text (mean, channel order, …); ``pipeline`` all of
    the preprocessing, from the file to what the network reads, where it is known.
    """

    preprocessing: tuple[tuple[Convention, tuple[int, int] | None], ...] = ()
    nodes: Mapping[str, Convention] = field(default_factory=dict)
    facts: Mapping[str, str] = field(default_factory=dict)
    pipeline: Pipeline | None = None

    def __str__(self) -> str:
        """Return the passport as text."""
        lines = ["pipeline:", *(f"  {ln}" for ln in str(self.pipeline).splitlines())]
        lines = lines if self.pipeline else []
        lines.append("preprocessing:")
        for k, (step, size) in enumerate(self.preprocessing, 1):
            asked = f" to {size[0]}x{size[1]} (height x width)" if size else ""
            lines.append(f"  {k}. {step.name}{asked}")
        lines += ["resize nodes:"]
        lines += [f"  {name}: {c.name}" for name, c in self.nodes.items()]
        lines += [f"{key}: {value}" for key, value in self.facts.items()]
        return printed(lines)

    def whole(self) -> dict[str, Any]:
        """Return the passport as plain values."""
        steps = [{"convention": c.whole(), "size": n} for c, n in self.preprocessing]
        nodes = {name: c.whole() for name, c in self.nodes.items()}
        whole = {"version": VERSION, "preprocessing": steps, "nodes": nodes}
        whole["facts"] = dict(self.facts)
        return whole | ({"pipeline": self.pipeline.whole()} if self.pipeline else {})

    @classmethod
    def from_json(cls, text: str) -> "Passport":
        """Return the passport that `to_json` wrote, every field checked again."""
        whole = json_object(text, "the passport")
        if whole.get("version") != VERSION:
            raise ValueError(f"this is not a passport of version {VERSION}")
        for name in whole:
            checks.one_of("field of a passport", name, FIELDS)
        try:
            return cls(
                tuple(
                    (Convention.from_fields(entry["convention"]), _size(entry["size"]))
                    for entry in whole.get("preprocessing", ())
                ),
                {
                    name: Convention.from_fields(entry)
                    for name, entry in whole.get("nodes", {}).items()
                },
                {str(k): str(v) for k, v in whole.get("facts", {}).items()},
                whole.get("pipeline") and Pipeline.from_fields(whole["pipeline"]),
            )
        except (AttributeError, KeyError, TypeError) as error:
            raise ValueError(f"the passport is damaged: {error!r}") from None


def _size(value: Any) -> tuple[int, int] | None:
    if value is None:
        return None
    height, width = value
    return checks.size("height", height), checks.size("width", width)


def made(
    path: files.PathLike,
    preprocessing: Sequence[str] = (),
    facts: Mapping[str, str] | None = None,
    pipeline: Pipeline | None = None,
) -> Passport:
    """Return the passport of a model as it is, with the given calls before it."""
    steps = [parsed(text) for text in preprocessing]
    found = {}
    if Path(path).suffix.lower() in nodes.ENDINGS:
        for node in nodes.read(path).nodes:
            found[node.name] = node.meaning()
    before = tuple((step.convention(), step.size) for step in steps)
    return Passport(before, found, facts or {}, pipeline)


def write(
    path: files.PathLike,
    preprocessing: Sequence[str] = (),
    facts: Mapping[str, str] | None = None,
    output: files.PathLike | None = None,
    in_place: bool = False,
    pipeline: Pipeline | None = None,
) -> Path:
    """Write a model's passport and return the file that holds it.

    An ONNX model is written anew to ``output`` (or in place, where that is said). For
    any other file the passport goes beside it, and the model is not touched.
    """
    path = files.existing(path)
    passport = made(path, preprocessing, facts, pipeline)
    if path.suffix.lower() != ".onnx":
        target = files.free_target(output or _sidecar(path), path)
        files.write(target, passport.to_json().encode())
        return target
    target = files.target(path, output, in_place)
    model = onnx_file.load(path)
    if onnx_file.outside(model) and target.resolve().parent != path.resolve().parent:
        raise ValueError(f"{path} keeps weights beside it: write into the same folder")
    kept = [p for p in model.metadata_props if p.key != KEY]
    entry = type(model.metadata_props.add())(key=KEY, value=passport.to_json())
    del model.metadata_props[:]
    model.metadata_props.extend([*kept, entry])
    files.write(target, model.SerializeToString())
    return target


def _sidecar(path: Path) -> Path:
    return path.with_name(path.name + SIDECAR)


def read(path: files.PathLike) -> Passport:
    """Return the passport that a model carries, else raise LookupError."""
    path = files.existing(path)
    text = None
    if path.suffix.lower() == ".onnx":
        model = onnx_file.load(path, weights=False)
        text = {p.key: p.value for p in model.metadata_props}.get(KEY)
    elif _sidecar(path).is_file():
        sidecar = files.existing(_sidecar(path))
        if sidecar.stat().st_size > LONGEST:
            raise ValueError(f"{sidecar} is larger than a passport can be")
        try:
            text = sidecar.read_text("utf-8")
        except UnicodeDecodeError as error:
            raise ValueError(f"{sidecar} is not text: {error}") from None
    if text is None:
        raise LookupError(f"{path} carries no passport; `passport write` makes one")
    return Passport.from_json(text)


def check(
    path: files.PathLike,
    preprocessing: Sequence[str] | None = None,
    facts: Mapping[str, str] | None = None,
    pipeline: Pipeline | None = None,
) -> Check:
    """Return how the pipeline at hand differs from a model's passport.

    ``preprocessing`` are the calls before the model, ``pipeline`` all that is done from
    the file on; None leaves them unchecked. The model's own resize nodes are compared
    too: a converter may have changed them.
    """
    stored, told = read(path), facts or {}
    now = made(path, preprocessing or (), facts)
    found = nodes_differ(stored.nodes, now.nodes)
    if pipeline is not None:
        found += pipelines_differ(stored.pipeline, pipeline)
    if preprocessing is not None:
        found += steps_differ(stored.preprocessing, now.preprocessing)
    for key, value in told.items():
        if stored.facts.get(key) != value:
            found.append(f"{key}: {value!r} here, {stored.facts.get(key)!r} there")
    unchecked = ["pipeline"] * (pipeline is None and stored.pipeline is not None)
    silent = preprocessing is None and bool(stored.preprocessing)
    unchecked += ["preprocessing"] * silent
    unchecked += [key for key in stored.facts if key not in told]
    any_told = pipeline is not None or preprocessing is not None or bool(told)
    return Check(tuple(found), tuple(unchecked), any_told)
