"""Which change of a resize node would make it compute what the other side does."""

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

from resizelab.axis.convention import Convention
from resizelab.catalog import convention
from resizelab.catalog.calls import onnx_attributes
from resizelab.catalog.translation import text
from resizelab.exact.in_onnx import onnx
from resizelab.modelfiles import files, text_files
from resizelab.modelfiles.nodes import ResizeNode
from resizelab.modelfiles.tflite_file import FLAGS
from resizelab.models.backends import DEFAULTS, READERS
from resizelab.models.calls import meant
from resizelab.models.deviation import alike, between
from resizelab.models.patch import patch
from resizelab.models.sides import Resizing, Side, called

# The grids that people meet; tf_crop_and_resize reads a region, which is no attribute.
GRIDS = onnx_attributes.COORDINATES[:5]
CONSTANTS = (-0.75, -0.5)
FEW = 1  # attributes that are changed together where nothing says which

Values = Mapping[str, Any]


@dataclass(frozen=True)
class Change:
    """One change of one resize node, or of all (``*``): attributes, or a matrix.

    ``like`` is what a matrix computes; empty for what ONNX's text says of the node.
    """

    node: str
    values: Values | None
    like: str = ""

    def write(self, source: Path, target: Path, shapes: Mapping[str, Any]) -> None:
        """Write the changed model; ValueError for what the format cannot say."""
        if self.values is not None:
            patch(source, self.node, self.values, target)
            return
        wanted = meant(self.like) if self.like else None
        made = onnx(source, self.node, wanted, shapes)
        files.write(target, made.model.SerializeToString())

    def command(self, source: str, target: str, feed: str = "") -> str:
        """Return the command that does it."""
        words = ["resizelab", "patch", source, "--node", self.node]
        if self.values is None:
            words += ["--exact"] + (["--like", self.like] if self.like else [])
            words += ["--input", feed] if feed else []
        for key, value in (self.values or {}).items():
            words += ["--set", f"{key}={'' if value is None else value}"]
        words += ["--in-place"] if source == target else ["-o", target]
        return shlex.join(words)


def changes(
    side: Side, mine: Resizing, other: Resizing | None, wanted: Convention | None
) -> Iterator[Change]:
    """Go through what may make ``mine`` compute ``wanted``, the likeliest first.

    ``other`` is the same resize on the other side. Where ``wanted`` is None nothing
    says what to change: then each attribute is tried by itself.
    """
    if mine.node is not None and mine.node.library == "tflite":
        yield from _of_tflite(mine.node, wanted)
    elif mine.node is not None:
        yield from _of_onnx(side, mine.node, other, wanted)
    elif side.path.suffix.lower() in text_files.ALLOWED:
        yield from _words(side.path, mine.name, wanted)


def _of_onnx(
    side: Side, node: ResizeNode, other: Resizing | None, wanted: Convention | None
) -> Iterator[Change]:
    """Go through attributes, and the matrix in the node's place."""
    twin = other.node if other is not None else None
    same = twin is not None and _filled(node) == _filled(twin)
    exact = list(_exact(node, wanted))
    sets = _attributes(side.back_end, node, wanted)
    # One file in two back ends: its attributes are right, and read in two ways.
    yield from (*exact, *sets) if same else (*sets, *exact)


def everywhere(side: Side) -> Iterator[Change]:
    """Go through the changes of all nodes at once, where nothing says which parts."""
    nodes = [r.node for r in side.resizes if r.node is not None]
    if len({frozenset(_filled(n).items()) for n in nodes}) == 1 and len(nodes) > 1:
        found = changes(side, Resizing("*", "", None, nodes[0]), None, None)
        yield from (Change("*", c.values, c.like) for c in found)


def _filled(node: ResizeNode) -> dict[str, Any]:
    """Return a node's attributes with ONNX's defaults, those that its mode reads."""
    said = {**DEFAULTS, **node.arguments}
    said = {k: v for k, v in said.items() if k in DEFAULTS}
    mode = said["mode"]
    unread = {"nearest_mode"} if mode != "nearest" else {"antialias"}
    unread |= set() if mode == "cubic" else {"cubic_coeff_a", "exclude_outside"}
    return {k: v for k, v in said.items() if k not in unread}


def _few_first(
    name: str,
    now: Values,
    sets: Iterable[Values],
    most: int | None,
    computes: Callable[[Values], bool],
) -> Iterator[Change]:
    """Go through the sets that differ from ``now`` in ``most`` values, None: in any."""
    found = [{k: v for k, v in asked.items() if now.get(k) != v} for asked in sets]
    for values in sorted(filter(None, found), key=len):
        if (most is None or len(values) <= most) and computes(values):
            yield Change(name, values)


def _of_tflite(node: ResizeNode, wanted: Convention | None) -> Iterator[Change]:
    """Go through the flags of an operation."""
    now = {flag: bool(node.arguments.get(flag)) for flag in FLAGS}
    pairs = product((False, True), repeat=len(FLAGS))
    sets = (dict(zip(FLAGS, pair, strict=True)) for pair in pairs)
    computes = partial(_computes, node, f"tflite.{node.op}", wanted)
    return _few_first(node.name, now, sets, None, computes)


def _words(path: Path, name: str, wanted: Convention | None) -> Iterator[Change]:
    """Go through what a layer of a text may say."""
    kind, now = path.suffix.lower(), text_files.resizes(path).get(name, {})
    allowed = text_files.ALLOWED[kind]

    def computes(values: Values) -> bool:
        made = called(text_files.call_of(kind, {**now, **values}))
        return wanted is None or (made is not None and alike(made, wanted))

    sets = map(dict, product(*([(k, v) for v in allowed[k]] for k in allowed)))
    return _few_first(name, now, sets, FEW if wanted is None else None, computes)


def _attributes(
    back_end: str, node: ResizeNode, wanted: Convention | None
) -> Iterator[Change]:
    """Go through sets of attributes."""
    call = READERS[back_end].get(node.op)
    if call is None or node.op != "Resize":
        return iter(())
    now, most = {**DEFAULTS, **_filled(node)}, FEW if wanted is None else None
    computes = partial(_computes, node, call, wanted)
    return _few_first(node.name, now, _sets(), most, computes)


def _sets() -> Iterator[dict[str, Any]]:
    """Go through the sets of attributes of a Resize that mean something."""
    for grid in GRIDS:
        base = {"coordinate_transformation_mode": grid}
        for nearest in onnx_attributes.NEAREST_MODES:
            yield {"mode": "nearest", **base, "nearest_mode": nearest}
        for antialias in (0, 1):
            said = {**base, "antialias": antialias}
            yield {"mode": "linear", **said}
            for a, outside in product(CONSTANTS, (0, 1)):
                constant = {"cubic_coeff_a": a, "exclude_outside": outside}
                yield {"mode": "cubic", **said, **constant}


def _computes(
    node: ResizeNode, call: str, wanted: Convention | None, values: Values
) -> bool:
    """Say whether a node with these values computes what is wanted, at its sizes."""
    try:
        made = node.saying(values).convention(call)
    except (ValueError, TypeError):
        return False
    return wanted is None or not between(wanted, made, node.sizes()).real


def _exact(node: ResizeNode, wanted: Convention | None) -> Iterator[Change]:
    """Go through the matrices: what the file's own words mean, and what is wanted."""
    try:
        own = node.meaning()
    except (ValueError, TypeError):
        own = None
    if wanted is None or (own is not None and alike(own, wanted)):
        yield Change(node.name, None)
    if wanted is not None:
        yield Change(node.name, None, _named(wanted))


def _named(wanted: Convention) -> str:
    """Return a convention as ``--like`` takes it: its name, or its call."""
    try:
        known = convention(wanted.name)
    except LookupError:
        return text(wanted)
    return wanted.name if known.key == wanted.key else text(wanted)
