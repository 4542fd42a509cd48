"""What the four numbers of a box mean, and how much two boxes share."""

from typing import Any

import numpy as np

from resizelab import checks
from resizelab.checks import FloatArray

BOXES = ("xyxy_edges", "xyxy_inclusive", "xywh")
WORDS = {"coco": "xywh", "voc": "xyxy_inclusive", "xyxy": "xyxy_edges"}


def to_edges(boxes: Any, form: str) -> FloatArray:
    """Return boxes as (left, top, right, bottom), pixel edges at integers, (..., 4).

    ``form`` says what the four numbers are: ``xyxy_edges``, the corners' x and y,
    pixel edges at integers; ``xyxy_inclusive``, the first and the last pixel that
    belong to the box; ``xywh``, COCO's left and top edge, width and height.

    >>> to_edges([1, 1, 2, 2], "xyxy_inclusive")
    array([1., 1., 3., 3.])
    """
    checks.one_of("form", form, BOXES, WORDS)
    given = checks.last_axis("boxes", boxes, 4)
    first, second = given[..., :2], given[..., 2:]
    if form == "xywh":
        second = first + second
    elif form == "xyxy_inclusive":
        second = second + 1
    return np.concatenate([first, second], -1)


def from_edges(edges: FloatArray, form: str) -> FloatArray:
    """Return what `to_edges` began with.

    >>> from_edges(np.array([1.0, 1.0, 3.0, 3.0]), "xywh")
    array([1., 1., 2., 2.])
    """
    first, second = edges[..., :2], edges[..., 2:]
    if form == "xywh":
        second = second - first
    elif form == "xyxy_inclusive":
        second = second - 1
    return np.concatenate([first, second], -1)


def iou(a: Any, b: Any, form: str) -> FloatArray:
    """Return the area that two boxes share over the area of both, from 0 to 1.

    Boxes without an area share nothing.

    >>> float(iou([0, 0, 2, 2], [1, 0, 3, 2], "xyxy_edges").round(3))
    0.333
    """
    one, two = to_edges(a, form), to_edges(b, form)
    low = np.maximum(one[..., :2], two[..., :2])
    high = np.minimum(one[..., 2:], two[..., 2:])
    shared = np.prod(np.maximum(high - low, 0.0), -1)
    areas = [np.prod(np.maximum(e[..., 2:] - e[..., :2], 0.0), -1) for e in (one, two)]
    both = areas[0] + areas[1] - shared
    share: FloatArray = np.divide(
        shared, both, out=np.zeros(np.shape(both)), where=both > 0
    )
    return share
