"""The passport of a model: its preprocessing and its resizes, carried in its file.

An ONNX file holds it in its metadata; for any other file it is a JSON file beside it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any

from resizelab import checks
from resizelab.axis.convention import Convention
from resizelab.modelfiles import files, nodes, onnx_file
from resizelab.models.calls import parsed
from resizelab.models.deviation import alike, between
from resizelab.pipelines import Pipeline
from resizelab.pipelines.pipeline import said
from resizelab.text import Told, json_object, printed

KEY = "resizelab.passport"
VERSION = 1
SIDECAR = ".passport.json"
LONGEST = 2**24  # bytes of a passport; thousands of nodes take less
Step = tuple[Convention, tuple[int, ...] | None]
FIELDS = ("version", "preprocessing", "nodes", "facts", "pipeline")


@dataclass(frozen=True, repr=False)
class Passport(Told):
    """What a model was made with.

    ``preprocessing`` holds the conventions in order, each with the size (height,
    width) its call asks for, or None; ``nodes`` those of the model's resize nodes by
    name; ``facts`` anything else as text (mean, channel order, …); ``pipeline`` all of
    the preprocessing, from the file to what the network reads, where it is known.
    """

    preprocessing: tuple[Step, ...] = ()
    nodes: Mapping[str, Convention] = field(default_factory=dict)
    facts: Mapping[str, str] = field(default_factory=dict)
    pipeline: Pipeline | None = None

    def __str__(self) -> str:
        """Return the passport as text."""
        told = str(self.pipeline).splitlines() if self.pipeline else []
        lines = ["pipeline:"] * bool(told) + [f"  {line}" for line in told]
        lines.append("preprocessing:")
        for k, (step, size) in enumerate(self.preprocessing, 1):
            asked = f" to {size[0]}x{size[1]} (height x width)" if size else ""
            lines.append(f"  {k}. {step.name}{asked}")
        lines.append("resize nodes:")
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
                tuple(map(_step, whole.get("preprocessing", ()))),
                {
                    name: Convention.from_fields(entry)
                    for name, entry in whole.get("nodes", {}).items()
                },
                {str(k): str(v) for k, v in whole.get("facts", {}).items()},
                whole.get("pipeline") and Pipeline.from_fields(whole["pipeline"]),
            )
        except (AttributeError, KeyError, TypeError) as error:
            raise ValueError(f"the passport is damaged: {error!r}") from None


@dataclass(frozen=True, repr=False)
class Check(Told):
    """How a pipeline differs from a passport, in words, and what was not looked at.

    ``told`` says whether anything was told that the passport could be held against.
    """

    differs: tuple[str, ...]
    unchecked: tuple[str, ...]
    told: bool

    @property
    def passed(self) -> bool:
        """Whether what was told is the same; told nothing, nothing is."""
        return not self.differs and (self.told or not self.unchecked)

    def __str__(self) -> str:
        """Return the differences as text."""
        lines = list(self.differs)
        if self.passed:
            lines.append("what was told is what the passport says")
        if self.unchecked:
            lines.append(f"not told, so not checked: {', '.join(self.unchecked)}")
        return printed(lines)

    def whole(self) -> dict[str, Any]:
        """Return the check as plain values."""
        return {**super().whole(), "passed": self.passed}


def _step(entry: Mapping[str, Any]) -> Step:
    asked = entry["size"]
    size = None if asked is None else checks.sizes("size", asked, 2)
    return Convention.from_fields(entry["convention"]), size


def made(
    path: files.PathLike,
    preprocessing: Sequence[str] = (),
    facts: Mapping[str, str] | None = None,
    pipeline: Pipeline | None = None,
) -> Passport:
    """Return the passport of a model as it is, with the given calls before it."""
    steps = tuple((s.convention(), s.size) for s in map(parsed, preprocessing))
    read = Path(path).suffix.lower() in nodes.ENDINGS
    found = {n.name: n.meaning() for n in (nodes.read(path).nodes if read else ())}
    return Passport(steps, found, facts or {}, pipeline)


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
    now = made(path, preprocessing or ())
    found = _nodes_differ(stored.nodes, now.nodes)
    if pipeline is not None:
        found += _pipelines_differ(stored.pipeline, pipeline)
    if preprocessing is not None:
        found += _steps_differ(stored.preprocessing, now.preprocessing)
    for key, value in told.items():
        if stored.facts.get(key) != value:
            found.append(f"{key}: {value!r} here, {stored.facts.get(key)!r} there")
    unchecked = [key for key in stored.facts if key not in told]
    if preprocessing is None and stored.preprocessing:
        unchecked.insert(0, "preprocessing")
    if pipeline is None and stored.pipeline is not None:
        unchecked.insert(0, "pipeline")
    any_told = (preprocessing, pipeline) != (None, None) or bool(told)
    return Check(tuple(found), tuple(unchecked), any_told)


def _nodes_differ(
    stored: Mapping[str, Convention], now: Mapping[str, Convention]
) -> list[str]:
    """Return how the resizes inside a model differ, a line each."""
    found = []
    for name in stored.keys() | now.keys():
        if name not in now or name not in stored:
            where = "passport" if name in stored else "model"
            found.append(f"node {name} is only in the {where}")
        elif not alike(stored[name], now[name], exactly=True):
            far = between(stored[name], now[name], None)
            names = f"{now[name].name} here, {stored[name].name} in the passport"
            found.append(f"node {name}: {names}; {far.text()}")
    return sorted(found)


def _steps_differ(stored: Sequence[Step], now: Sequence[Step]) -> list[str]:
    """Return how the calls before a model differ, a line each."""
    if len(stored) != len(now):
        return [f"{len(now)} preprocessing steps here, {len(stored)} in the passport"]
    found = []
    pairs = zip(stored, now, strict=True)
    for k, ((was, was_size), (step, size)) in enumerate(pairs, 1):
        if not alike(was, step, exactly=True):
            far = between(was, step, None).text()
            found.append(f"step {k}: {step.name} here, {was.name} there; {far}")
        elif dict(was.arithmetic) != dict(step.arithmetic):
            found.append(
                f"step {k}: {step.name} here, {was.name} there: floats agree, integers "
                "are rounded otherwise"
            )
        if was_size != size:
            sizes = f"size {size} here, {was_size} there (height, width)"
            found.append(f"step {k}: {sizes}")
    return found


def _pipelines_differ(stored: Pipeline | None, now: Pipeline) -> list[str]:
    """Return the stages that differ, a line each."""
    if stored is None:
        return [f"pipeline {now.name} here, none in the passport"]
    pairs = zip_longest(now.stages, stored.stages)
    return [
        f"stage {k}: {said(here) if here else 'none'} here, "
        f"{said(there) if there else 'none'} in the passport"
        for k, (here, there) in enumerate(pairs, 1)
        if here != there
    ]
