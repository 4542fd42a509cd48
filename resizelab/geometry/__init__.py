"""Where points, boxes, masks, cameras and flow go when a picture is resized.

Read `mapping` first: it places a picture in another; `placements` moves points, boxes
and masks by that placement; `boxes` says what four numbers of a box mean.
"""

from resizelab.geometry.boxes import iou
from resizelab.geometry.mapping import crop, flow, place
from resizelab.geometry.placements import (
    Placement,
    from_matrix,
    from_scale_and_translation,
)

__all__ = [
    "Placement",
    "crop",
    "flow",
    "from_matrix",
    "from_scale_and_translation",
    "iou",
    "place",
]
