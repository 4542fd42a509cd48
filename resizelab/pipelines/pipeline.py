"""A pipeline: from a photograph to what a network reads, as a frozen value."""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, get_args

from numpy.typing import NDArray

from resizelab import checks
from resizelab.checks import FloatArray
from resizelab.geometry import Placement
from resizelab.pipelines.decoding import Decode
from resizelab.pipelines.pixels import Layout, Pixelwise
from resizelab.pipelines.spatial import Moved, Spatial
from resizelab.text import json_object

Array = NDArray[Any]
Stage = Decode | Spatial | Pixelwise
KINDS: dict[str, Any] = {kind.kind: kind for kind in get_args(Stage)}
ENTRIES = ("name", "stages", "call", "checked", "notes")
WAYS = ("forwards", "back")


@dataclass(frozen=True, kw_only=True)
class Pipeline:
    """Stages in order, each with closed sets of choices.

    Parameters
    ----------
    name : str
        What it is called.
    stages : tuple of stage
        `Decode` first, if there; `Layout` last, if there; the rest in any order.
    call, checked, notes : str
        Whose code it is and in which version it was measured; how close this is.

    >>> import numpy as np
    >>> from resizelab.pipelines import Crop, Layout, Normalise, Resize
    >>> made = Pipeline(name="mine", stages=(
    ...     Resize(convention="pillow.bilinear", rule="short_int", size=(8,)),
    ...     Crop(size=(8, 8)), Normalise(), Layout()))
    >>> made.run(np.zeros((12, 20, 3), np.uint8)).shape
    (3, 8, 8)
    >>> [moved.shape_out for _, moved in made.moves((12, 20))]
    [(8, 13), (8, 8)]
    """

    name: str
    stages: tuple[Stage, ...]
    call: str = ""
    checked: str = ""
    notes: str = ""

    def __post_init__(self) -> None:
        """Check every stage, and that decoding and layout stand at the ends."""
        object.__setattr__(
            self, "stages", checks.made("stages", self.stages, tuple, "be a sequence")
        )
        for k, stage in enumerate(self.stages):
            if not isinstance(stage, tuple(KINDS.values())):
                raise TypeError(f"stages must hold stages; got {stage!r}")
            if isinstance(stage, Decode) and k:
                raise ValueError("a Decode comes first, or not at all")
            if isinstance(stage, Layout) and k < len(self.stages) - 1:
                raise ValueError("a Layout comes last, or not at all")

    def run(self, x: Any) -> Array:
        """Return what the network reads of a picture, or of a file.

        ``x`` holds bytes, (height, width, channels) in RGB order; or it is a path, and
        then the pipeline's `Decode` reads it.
        """
        return next(reversed(list(self.states(x))))[1]

    def states(self, x: Any) -> Iterator[tuple[str, Array]]:
        """Go through what there is at first and after each stage, by its kind."""
        y = self.decoded(x)
        yield "input", y
        moves = iter(self.moves((y.shape[0], y.shape[1])))
        for stage in self.stages:
            if isinstance(stage, Spatial):
                y = stage.run(y, next(moves)[1])
            elif not isinstance(stage, Decode):
                y = stage.run(y)
            yield stage.kind, y

    def decoded(self, x: Any) -> Array:
        """Return the pixels that the stages after decoding begin with."""
        first = self.stages[0] if self.stages else None
        if isinstance(x, (str, os.PathLike)):
            if not isinstance(first, Decode):
                raise ValueError(f"{self.name} has no Decode stage: give it pixels")
            return first.read(x)
        y = checks.array("x", x)
        if y.ndim != 3 or 0 in y.shape or y.dtype.kind not in "uf":
            raise ValueError(
                "x must be a picture of shape (height, width, channels), bytes or "
                f"floats; got shape {y.shape} and {y.dtype}"
            )
        return first.coloured(y) if isinstance(first, Decode) else y

    def moves(self, shape: tuple[int, int]) -> list[tuple[Spatial, Moved]]:
        """Return each stage that moves pixels, and where, for a picture of ``shape``.

        Sizes are all it needs: no pixel is read.
        """
        h, w = checks.sizes("shape", shape, 2)
        found: list[tuple[Spatial, Moved]] = []
        now, exact = (h, w), (float(h), float(w))
        for stage in self.stages:
            if isinstance(stage, Spatial):
                moved = stage.moved(now, exact)
                found.append((stage, moved))
                now, exact = moved.shape_out, moved.exact
        return found

    def placement(self, shape: tuple[int, int]) -> Placement:
        """Return where the pixels of a picture of ``shape`` go, all stages together."""
        h, w = checks.sizes("shape", shape, 2)
        whole = Placement((1.0, 1.0), (0.0, 0.0), (h, w), (h, w))
        for stage, moved in self.moves(shape):
            whole = whole.then(stage.placement(moved))
        return whole

    def boxes(
        self, boxes: Any, shape: tuple[int, int], form: str, way: str = "forwards"
    ) -> FloatArray:
        """Return where boxes go: ``forwards`` to the network, or ``back``, (..., 4).

        ``shape`` is the photograph's; ``form`` as in `resizelab.geometry.boxes`. What
        a crop cuts off is not cut here.

        >>> from resizelab.pipelines import Pad, Resize
        >>> letterbox = Pipeline(name="mine", stages=(
        ...     Resize(convention="opencv.linear", rule="round_fit", size=(8, 8)),
        ...     Pad(size=(8, 8), value=(114,))))
        >>> letterbox.boxes([0, 2, 8, 6], (10, 20), "xyxy_edges", "back").round(9)
        array([ 0.,  0., 20., 10.])
        """
        return self._way(shape, way).boxes(boxes, form)

    def points(
        self,
        points: Any,
        shape: tuple[int, int],
        way: str = "forwards",
        **conventions: str,
    ) -> FloatArray:
        """Return where points go; origin and order as in `Placement.points`."""
        return self._way(shape, way).points(points, **conventions)

    def masks(
        self, mask: Any, shape: tuple[int, int], way: str = "forwards", outside: Any = 0
    ) -> Array:
        """Return a map of labels where the picture goes; none is mixed."""
        return self._way(shape, way).mask(mask, outside)

    def _way(self, shape: tuple[int, int], way: str) -> Placement:
        checks.one_of("way", way, WAYS)
        placed = self.placement(shape)
        return placed if way == "forwards" else placed.inverse()

    def __str__(self) -> str:
        """Return the stages, a line each."""
        lines = [self.name, *(f"  {said(stage)}" for stage in self.stages)]
        for name in ENTRIES[2:]:
            if getattr(self, name):
                lines.append(f"{name}: {getattr(self, name)}")
        return "\n".join(lines)

    def to_json(self) -> str:
        """Return the pipeline as JSON text: what a passport holds."""
        return json.dumps(self.whole(), indent=1)

    def whole(self) -> dict[str, Any]:
        """Return the pipeline as plain values, which `from_fields` takes."""
        whole = {name: getattr(self, name) for name in ENTRIES if getattr(self, name)}
        return {**whole, "stages": [stated(stage) for stage in self.stages]}

    @classmethod
    def from_json(cls, text: str) -> "Pipeline":
        """Return the pipeline that `to_json` wrote; every field is checked again."""
        return cls.from_fields(json_object(text))

    @classmethod
    def from_fields(cls, whole: Mapping[str, Any]) -> "Pipeline":
        """Return the pipeline of plain values, as a row or JSON text holds them."""
        for name in checks.a("whole", whole, dict):
            checks.one_of("field of a pipeline", name, ENTRIES)
        stages = checks.a("stages", whole.get("stages"), list)
        made = {**whole, "stages": tuple(_stage(entry) for entry in stages)}
        if "name" not in made:
            raise ValueError("a pipeline needs a name")
        return cls(**made)


def stated(stage: Stage) -> dict[str, Any]:
    """Return the fields of a stage that are not at their defaults, and its kind."""
    entries: dict[str, Any] = {"kind": stage.kind}
    for f in fields(stage):
        value = getattr(stage, f.name)
        if value != f.default:
            entries[f.name] = list(value) if isinstance(value, tuple) else value
    return entries


def said(stage: Stage) -> str:
    """Return a stage in words: its kind, and what is not at its default.

    >>> from resizelab.pipelines import Crop
    >>> said(Crop(size=(224, 224), offset="floor"))
    'crop: size 224, 224; offset floor'
    """
    entries = stated(stage)
    kind = entries.pop("kind")
    parts = [
        f"{name} {', '.join(map(str, v)) if isinstance(v, list) else v}"
        for name, v in entries.items()
    ]
    return f"{kind}: {'; '.join(parts)}" if parts else kind


def _stage(entry: Any) -> Stage:
    given = dict(checks.a("a stage", entry, Mapping))
    kind = KINDS[checks.one_of("kind", given.pop("kind", None), KINDS)]
    known = [f.name for f in fields(kind)]
    for name, value in given.items():
        checks.one_of(f"field of a {kind.kind}", name, known)
        if isinstance(value, list):
            given[name] = tuple(value)
    made: Stage = kind(**given)
    return made
