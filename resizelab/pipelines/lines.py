"""What a pipeline does to values alone: channel order, gain and offset."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.checks import FloatArray
from resizelab.pipelines import known, pixels
from resizelab.pipelines.decoding import Decode
from resizelab.pipelines.pipeline import Pipeline

RGB = (0, 1, 2)
SAME = 2e-3  # of the gain, and of the offset in steps of 64 levels
Array = NDArray[Any]


@dataclass(frozen=True)
class Line:
    """Each output channel: which of R, G, B it is, and y = gain * level + offset."""

    order: tuple[int, ...]
    gain: FloatArray
    offset: FloatArray

    def undone(self, y: FloatArray) -> FloatArray:
        """Return levels in RGB order of a result in (height, width, channels)."""
        return ((y - self.offset) / self.gain)[..., np.argsort(self.order)]

    @property
    def colours(self) -> str:
        """The channels by letters: RGB or BGR."""
        return "".join("RGB"[k] for k in self.order)

    def unit(self) -> tuple[str, str]:
        """Return mean and deviation as of levels divided by 255, as text."""
        return listed(-self.offset / self.gain / 255), listed(1 / self.gain / 255)

    def alike(self, other: "Line") -> bool:
        """Say whether two lines of values are one."""
        near = np.abs(self.gain / other.gain - 1) < SAME
        moved = np.abs(self.offset - other.offset) / (64 * other.gain) < SAME
        return self.order == other.order and bool(near.all() and moved.all())


def listed(values: object) -> str:
    """Return numbers in one text; one stands for three that are the same.

    >>> listed((0.5, 0.5, 0.5)), listed((0.25, 0.5))
    ('0.5', '0.25, 0.5')
    """
    texts = [
        f"{round(v, 7) + 0.0:.4g}" for v in np.atleast_1d(np.asarray(values, float))
    ]
    return texts[0] if len({*texts}) == 1 else ", ".join(texts)


def line(pipeline: Pipeline) -> Line:
    """Return what a pipeline does to values; ValueError where that is no line.

    >>> from resizelab.pipelines import named
    >>> line(named("keras.resnet50.load_img")).order
    (2, 1, 0)
    """
    order, gain, offset = np.array(RGB), np.ones(3), np.zeros(3)
    for stage in pipeline.stages:
        if isinstance(stage, (pixels.Gamma, pixels.Alpha, pixels.Levels)):
            raise ValueError(f"{pipeline.name}: {stage.kind} is no line of values")
        turned = isinstance(stage, Decode) and stage.colours == "BGR"
        if turned or isinstance(stage, pixels.Channels):
            swap = (
                list(stage.order) if isinstance(stage, pixels.Channels) else [2, 1, 0]
            )
            order, gain, offset = order[swap], gain[swap], offset[swap]
        if isinstance(stage, pixels.Normalise):
            times, plus = stage.line()
            gain, offset = times * gain, times * offset + plus
    return Line(tuple(order.tolist()), gain, offset)


def unlaid(pipeline: Pipeline) -> Pipeline:
    """Return the pipeline without its layout: (height, width, channels) comes out."""
    stages = tuple(s for s in pipeline.stages if not isinstance(s, pixels.Layout))
    return Pipeline(name=pipeline.name, stages=stages)


def channels_last(y: Array, shape: tuple[int, int]) -> Array:
    """Return a tensor as (height, width, channels), whatever its layout.

    ``shape`` is the photograph's: the size of patches follows from it. Raises
    ValueError for a tensor that is neither CHW, HWC nor patches.
    """
    y = y[0] if y.ndim == 4 and len(y) == 1 else y
    if y.ndim == 2:
        return _unpatched(y, shape)
    if y.ndim != 3 or 3 not in (y.shape[0], y.shape[-1]):
        raise ValueError(
            f"tensor must be CHW or HWC of 3 channels, or patches; got {y.shape}"
        )
    return y if y.shape[-1] == 3 else np.moveaxis(y, 0, -1)


def _unpatched(y: Array, shape: tuple[int, int]) -> Array:
    for name in known.names():
        last = known.named(name).stages[-1]
        size = known.named(name).moves(shape)[-1][1].shape_out
        cut, order, rows = pixels.patches(3, *size)
        if (
            rows == y.shape
            and isinstance(last, pixels.Layout)
            and last.order == "patches"
        ):
            axes = (2, *cut)
            turned = y.reshape([axes[k] for k in order]).transpose(np.argsort(order))
            return np.moveaxis(turned[0].reshape(3, *size), 0, -1)
    raise ValueError(f"no known pipeline makes patches of shape {y.shape} of {shape}")
