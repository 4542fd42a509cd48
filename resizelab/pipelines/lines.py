"""What a pipeline does to values alone: channel order, gain and offset."""

from dataclasses import dataclass

import numpy as np

from resizelab.checks import FloatArray
from resizelab.pipelines.decoding import Decode
from resizelab.pipelines.pipeline import Pipeline
from resizelab.pipelines.pixels import Alpha, Channels, Gamma, Layout, Levels, Normalise

RGB = (0, 1, 2)


@dataclass(frozen=True)
class Line:
    """Each output channel: which of R, G, B it is, and y = gain * level + offset."""

    order: tuple[int, ...]
    gain: FloatArray
    offset: FloatArray

    def undone(self, y: FloatArray) -> FloatArray:
        """Return levels in RGB order of a result in (height, width, channels)."""
        return ((y - self.offset) / self.gain)[..., np.argsort(self.order)]


def line(pipeline: Pipeline) -> Line:
    """Return what a pipeline does to values; ValueError where that is no line.

    >>> from resizelab.pipelines import named
    >>> line(named("keras.resnet50.load_img")).order
    (2, 1, 0)
    """
    order, gain, offset = np.array(RGB), np.ones(3), np.zeros(3)
    for stage in pipeline.stages:
        if isinstance(stage, (Gamma, Alpha, Levels)):
            raise ValueError(f"{pipeline.name}: {stage.kind} is no line of values")
        turned = isinstance(stage, Decode) and stage.colours == "BGR"
        if turned or isinstance(stage, Channels):
            swap = list(stage.order) if isinstance(stage, Channels) else [2, 1, 0]
            order, gain, offset = order[swap], gain[swap], offset[swap]
        if isinstance(stage, Normalise):
            times, plus = stage.line()
            gain, offset = times * gain, times * offset + plus
    return Line(tuple(order.tolist()), gain, offset)


def unlaid(pipeline: Pipeline) -> Pipeline:
    """Return the pipeline without its layout: (height, width, channels) comes out."""
    stages = tuple(s for s in pipeline.stages if not isinstance(s, Layout))
    return Pipeline(name=pipeline.name, stages=stages)
