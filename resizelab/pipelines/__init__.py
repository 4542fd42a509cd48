"""Preprocessing as a value: from a photograph to what a network reads.

Read `sizing` first (how a size becomes a size), then `spatial` (resize, crop, pad) and
`pipeline`, the value itself.
"""

from resizelab.pipelines.decoding import Decode
from resizelab.pipelines.known import named, names
from resizelab.pipelines.pipeline import Pipeline
from resizelab.pipelines.pixels import (
    Alpha,
    Channels,
    Gamma,
    Layout,
    Levels,
    Normalise,
)
from resizelab.pipelines.spatial import Crop, Pad, Resize

__all__ = [
    "Alpha",
    "Channels",
    "Crop",
    "Decode",
    "Gamma",
    "Layout",
    "Levels",
    "Normalise",
    "Pad",
    "Pipeline",
    "Resize",
    "named",
    "names",
]
