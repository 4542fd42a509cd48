"""Preprocessing as a value: from a photograph to what a network reads.

Read `sizing` first (how a size becomes a size), then `spatial` (resize, crop, pad) and
`pipeline`, the value itself.
"""

from resizelab.catalog import NotExpressible
from resizelab.pipelines.comparing import Comparison, compare
from resizelab.pipelines.decoding import Decode
from resizelab.pipelines.graph import onnx
from resizelab.pipelines.identified import Identified
from resizelab.pipelines.identifying import identify
from resizelab.pipelines.known import asked, named, names
from resizelab.pipelines.pipeline import Pipeline
from resizelab.pipelines.pixels import Alpha, Channels, Gamma, Layout, Levels, Normalise
from resizelab.pipelines.sizing import sized
from resizelab.pipelines.spatial import Crop, Pad, Resize
from resizelab.pipelines.translation import translate

__all__ = [
    "Alpha",
    "Channels",
    "Comparison",
    "Crop",
    "Decode",
    "Gamma",
    "Identified",
    "Layout",
    "Levels",
    "Normalise",
    "NotExpressible",
    "Pad",
    "Pipeline",
    "Resize",
    "asked",
    "compare",
    "identify",
    "named",
    "names",
    "onnx",
    "sized",
    "translate",
]
