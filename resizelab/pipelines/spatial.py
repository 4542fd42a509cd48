"""Stages that move pixels: resize, crop, pad. Each says where they go, and does it.

Arrays are (height, width, channels) all along; a layout comes last.
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from resizelab import catalog, checks
from resizelab.arrays import resizing, sizes
from resizelab.axis.convention import Convention
from resizelab.geometry import Placement, place
from resizelab.pipelines import sizing

Array = NDArray[Any]
Shape = tuple[int, int]
NUMBERS = ("bytes", "float", "float_rounded")
STEPS = ("sizes", "scale")
OFFSETS = ("half_even", "floor", "start", "round_down", "unrounded")
CROPS = ("size", "aspect_float32")
PADS = ("size", "square", "multiple", "remainder")


@dataclass(frozen=True)
class Moved:
    """Where a stage puts its pixels: the size in and out, and what else it settled.

    ``exact`` is the size before rounding, where a resize made it; ``before`` how many
    rows and columns fall away (or come in, for a pad) above and on the left.
    """

    shape_in: Shape
    shape_out: Shape
    exact: tuple[float, float]
    before: tuple[int, int] = (0, 0)

    @property
    def shifted(self) -> Placement:
        """The placement of whole pixels that move by ``before``."""
        start = float(self.before[0]), float(self.before[1])
        return Placement((1.0, 1.0), start, self.shape_in, self.shape_out)


@dataclass(frozen=True, kw_only=True)
class Resize:
    """Resize a picture by one convention to the size that a rule makes of its own.

    Parameters
    ----------
    convention : str
        A name of the table.
    rule, size
        See `resizelab.pipelines.sizing`.
    numbers : str
        ``bytes``: the convention's byte kernel; ``float``: the float operator, nothing
        cut; ``float_rounded``: that, rounded half even and cut to bytes again.
    step : str
        From the ``sizes``, or from the ``scale`` that made them.
    """

    kind: ClassVar[str] = "resize"
    convention: str
    rule: str
    size: tuple[int, ...]
    numbers: str = "bytes"
    step: str = "sizes"

    def __post_init__(self) -> None:
        """Check every field."""
        checks.one_of("numbers", self.numbers, NUMBERS)
        checks.one_of("step", self.step, STEPS)
        object.__setattr__(self, "size", sizing.numbers(self.rule, self.size))
        self.row()

    def row(self) -> Convention:
        """Return the convention that is computed."""
        return catalog.convention(self.convention)

    def moved(self, shape: Shape, exact: tuple[float, float]) -> Moved:
        """Return the size that the rule makes of ``shape``."""
        made = sizing.sized(self.rule, *shape, self.size)
        return Moved(shape, made.size, made.exact)

    def scale(self, moved: Moved) -> tuple[float, float] | None:
        """Return the scale that fixes the step, where one does."""
        scale = moved.exact[0] / moved.shape_in[0]
        return (scale, scale) if self.step == "scale" else None

    def placement(self, moved: Moved) -> Placement:
        """Return where pixels go."""
        scale = self.scale(moved)
        return place(self.row(), moved.shape_in, moved.shape_out, scale=scale)

    def run(self, x: Array, moved: Moved) -> Array:
        """Return ``x`` resized."""
        numbers = "float" if x.dtype.kind == "f" else self.numbers
        if numbers != "bytes":
            x = x.astype(np.float32)
        scale = self.scale(moved)
        y = resizing.resize(x, moved.shape_out, self.row(), axes=(0, 1), scale=scale)
        if numbers == "float_rounded":
            y = np.clip(np.rint(y), 0, 255).astype(np.uint8)
        return y


@dataclass(frozen=True, kw_only=True)
class Crop:
    """Keep the middle, or the start, of a picture.

    ``rule`` ``size``: ``size`` is height and width, a smaller picture stays as it is;
    ``aspect_float32``: the largest part of the aspect of ``size``, in float32 (Keras).
    ``offset`` says how half the difference is rounded: ``half_even`` (torchvision),
    ``floor`` (transformers, albumentations, timm's pad), ``start``.
    """

    kind: ClassVar[str] = "crop"
    size: tuple[int, int]
    rule: str = "size"
    offset: str = "half_even"

    def __post_init__(self) -> None:
        """Check every field."""
        checks.one_of("rule", self.rule, CROPS)
        checks.one_of("offset", self.offset, OFFSETS[:3])
        object.__setattr__(self, "size", _pair("size", self.size))

    def moved(self, shape: Shape, exact: tuple[float, float]) -> Moved:
        """Return which part is kept."""
        (h, w), (height, width) = shape, self.size
        if self.rule == "aspect_float32":
            height, width = sizes.framed(shape, self.size, "cropped")
        after = min(h, height), min(w, width)
        before = tuple(
            _half(n - m, self.offset) for n, m in zip(shape, after, strict=True)
        )
        return Moved(shape, after, after, (before[0], before[1]))

    def placement(self, moved: Moved) -> Placement:
        """Return where pixels go."""
        return moved.shifted

    def run(self, x: Array, moved: Moved) -> Array:
        """Return the part that is kept."""
        (top, left), (h, w) = moved.before, moved.shape_out
        return x[top : top + h, left : left + w]


@dataclass(frozen=True, kw_only=True)
class Pad:
    """Put a border of one colour around a picture; what is larger stays as it is.

    ``rule`` ``size``: to ``size``; ``square``; ``multiple``: to multiples of ``size``;
    ``remainder``: what is missing to ``size``, modulo 32 (ultralytics' ``auto``).
    ``offset``: how half of what is missing is rounded for the upper and left border:
    ``floor``; ``half_even``; ``round_down``, round(d/2 - 0.1); ``start``, 0: all goes
    to the right and below; ``unrounded``, from the size before rounding (tf.image).
    """

    kind: ClassVar[str] = "pad"
    rule: str = "size"
    size: tuple[int, int] = (1, 1)
    value: tuple[float, ...] = (0.0,)
    offset: str = "floor"

    def __post_init__(self) -> None:
        """Check every field."""
        checks.one_of("rule", self.rule, PADS)
        checks.one_of("offset", self.offset, OFFSETS)
        object.__setattr__(self, "size", _pair("size", self.size))
        value = checks.each("value", self.value, checks.number)
        object.__setattr__(self, "value", value)

    def moved(self, shape: Shape, exact: tuple[float, float]) -> Moved:
        """Return how much is put where."""
        after = self._target(shape)
        after = max(after[0], shape[0]), max(after[1], shape[1])
        before = [_half(m - n, self.offset) for n, m in zip(shape, after, strict=True)]
        if self.offset == "unrounded":
            pairs = zip(exact, after, strict=True)
            halves = [np.floor((np.float32(m) - np.float32(n)) / 2) for n, m in pairs]
            before = [max(0, int(half)) for half in halves]
        return Moved(shape, after, after, (-before[0], -before[1]))

    def _target(self, shape: Shape) -> Shape:
        if self.rule == "square":
            return (max(shape),) * 2
        if self.rule == "size":
            return self.size
        pairs = list(zip(shape, self.size, strict=True))
        if self.rule == "multiple":
            rows, columns = (math.ceil(n / m) * m for n, m in pairs)
        else:
            rows, columns = (n + (m - n) % 32 for n, m in pairs)
        return rows, columns

    def placement(self, moved: Moved) -> Placement:
        """Return where pixels go."""
        return moved.shifted

    def run(self, x: Array, moved: Moved) -> Array:
        """Return ``x`` with its border."""
        (h, w), (top, left) = moved.shape_out, moved.before
        y = np.empty((h, w, *x.shape[2:]), x.dtype)
        y[:] = np.asarray(self.value).astype(x.dtype)
        rows, columns = moved.shape_in
        y[-top : rows - top, -left : columns - left] = x
        return y


Spatial = Resize | Crop | Pad


def _pair(name: str, value: Any) -> tuple[int, int]:
    rows, columns = checks.sizes(name, value, 2)
    return rows, columns


def _half(difference: int, offset: str) -> int:
    match offset:
        case "half_even":
            return round(difference / 2)
        case "round_down":
            return round(difference / 2 - 0.1)
        case "start":
            return 0
    return difference // 2
