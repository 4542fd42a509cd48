"""A placement: how the pixels of one picture lie in another, a line an axis.

Output pixel i lies over input position step * i + start. That line carries whatever is
measured in pixels along with the picture, forward and, through ``inverse``, back.
Coordinates have two origins:

* ``centre_at_integer``: pixel j has its centre at j and covers j - 1/2 … j + 1/2,
* ``centre_at_half``: pixel j has its centre at j + 1/2 and covers j … j + 1.

Coordinate pairs have two orders: ``array``, (row, column), as shapes have it, and
``xy``, (column, row), as boxes, cameras and flow have it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab import checks
from resizelab.checks import FloatArray
from resizelab.geometry.boxes import from_edges, to_edges

ORIGINS = {"centre_at_integer": 0.0, "centre_at_half": 0.5}
ORDERS = ("array", "xy")
PLANE = 2


@dataclass(frozen=True)
class Placement:
    """How the pixels of one picture lie in another: a line an axis, any rank.

    Parameters
    ----------
    step : tuple of float
        Input pixels from one output pixel to the next, one an axis, in array order.
    start : tuple of float
        The input position under output pixel 0, its centre at an integer.
    shape_in, shape_out : tuple of int
        Pixels of those axes before and after.

    >>> half = Placement((0.5, 0.5), (-0.25, -0.25), (4, 4), (8, 8))
    >>> half.points([0.0, 1.0])  # (row, column)
    array([0.5, 2.5])
    >>> half.inverse().points([0.5, 2.5])
    array([0., 1.])
    """

    step: tuple[float, ...]
    start: tuple[float, ...]
    shape_in: tuple[int, ...]
    shape_out: tuple[int, ...]

    def __post_init__(self) -> None:
        """Check that every axis has its numbers."""
        for name in ("step", "start"):
            given = checks.each(name, getattr(self, name), checks.number)
            object.__setattr__(self, name, given)
        for name in ("shape_in", "shape_out"):
            object.__setattr__(self, name, checks.sizes(name, getattr(self, name)))
        if any(v < 0 for v in self.step):
            raise ValueError(f"step must be 0 or more; got {self.step!r}")
        lengths = {name: len(getattr(self, name)) for name in self.__dataclass_fields__}
        if len(set(lengths.values())) != 1:
            raise ValueError(f"a placement needs one number an axis; got {lengths}")

    @property
    def rank(self) -> int:
        """How many axes it has."""
        return len(self.step)

    @property
    def scale(self) -> tuple[float, ...]:
        """Output pixels per input pixel, one an axis; ValueError for a step of 0."""
        if 0.0 in self.step:
            axis = self.step.index(0.0)
            raise ValueError(
                f"axis {axis} has step 0: all its outputs read position "
                f"{self.start[axis]:g}, so no other point of it has a place"
            )
        return tuple(1 / v for v in self.step)

    def inverse(self) -> "Placement":
        """Return the way back: the input's pixels on the output."""
        scale = self.scale
        start = tuple(-b * s for b, s in zip(self.start, scale, strict=True))
        return Placement(scale, start, self.shape_out, self.shape_in)

    def then(self, other: "Placement") -> "Placement":
        """Return this resize or crop followed by another.

        >>> asymmetric = Placement((0.5,), (0.0,), (4,), (8,))
        >>> asymmetric.then(Placement((0.5,), (0.0,), (8,), (16,))).step
        (0.25,)
        """
        if checks.a("other", other, Placement).shape_in != self.shape_out:
            raise ValueError(
                f"other must begin with the shape {self.shape_out} that this ends "
                f"with; it begins with {other.shape_in}"
            )
        pairs = zip(self.step, self.start, other.step, other.start, strict=True)
        lines = [(a * c, a * d + b) for a, b, c, d in pairs]
        step, start = zip(*lines, strict=True)
        return Placement(step, start, self.shape_in, other.shape_out)

    def matrix(
        self, origin: str = "centre_at_integer", order: str = "array"
    ) -> FloatArray:
        """Return the homogeneous matrix from input to output coordinates.

        Its shape is (rank + 1, rank + 1).

        >>> Placement((0.5, 0.5), (-0.25, -0.25), (4, 4), (8, 8)).matrix()
        array([[2. , 0. , 0.5],
               [0. , 2. , 0.5],
               [0. , 0. , 1. ]])
        """
        half = _half(origin)
        scale = np.array(self.scale)
        move = half - scale * (np.array(self.start) + half)
        checks.one_of("order", order, ORDERS)
        way = 1 if order == "array" else -1
        matrix = np.diag(np.append(scale[::way], 1.0))
        matrix[:-1, -1] = move[::way]
        return matrix

    def scale_and_translation(
        self, origin: str = "centre_at_half"
    ) -> tuple[FloatArray, FloatArray]:
        """Return (scale, translation), one number an axis each, in array order.

        With the default origin they are what `jax.image.scale_and_translate` takes.

        >>> Placement((0.5,), (-0.25,), (4,), (8,)).scale_and_translation()
        (array([2.]), array([0.]))
        """
        matrix = self.matrix(origin)
        return np.diag(matrix)[:-1].copy(), matrix[:-1, -1].copy()

    def points(
        self, points: Any, origin: str = "centre_at_integer", order: str = "array"
    ) -> FloatArray:
        """Return where points of the input are in the output, (..., rank) both."""
        p = checks.last_axis("points", points, self.rank)
        matrix = self.matrix(origin, order)
        moved: FloatArray = p * np.diag(matrix)[:-1] + matrix[:-1, -1]
        return moved

    def vectors(self, vectors: Any, order: str = "xy") -> FloatArray:
        """Return displacements in output pixels, (..., rank): they scale, no more.

        >>> wide = Placement((0.5, 0.25), (0, 0), (4, 4), (8, 16))
        >>> wide.vectors([1.0, 1.0])  # (dx, dy)
        array([4., 2.])
        """
        v = checks.last_axis("vectors", vectors, self.rank)
        matrix = self.matrix(order=order)
        scaled: FloatArray = v * np.diag(matrix)[:-1]
        return scaled

    def boxes(self, boxes: Any, form: str) -> FloatArray:
        """Return where boxes go, (..., 4); a plane only. Nothing is rounded or cut.

        ``form`` says what the four numbers are: ``xyxy_edges``, ``xyxy_inclusive`` or
        ``xywh``; see `resizelab.geometry.boxes.to_edges`.

        >>> half = Placement((0.5, 0.5), (-0.25, -0.25), (4, 4), (8, 8))
        >>> half.boxes([1, 1, 3, 3], "xyxy_edges")
        array([2., 2., 6., 6.])
        >>> half.boxes([1, 1, 2, 2], "xyxy_inclusive")  # the same box
        array([2., 2., 5., 5.])
        """
        self._planar("boxes have")
        edges = to_edges(boxes, form)
        corners = edges.reshape(*edges.shape[:-1], 2, PLANE)
        moved = self.points(corners, "centre_at_half", "xy")
        return from_edges(moved.reshape(edges.shape), form)

    def intrinsics(self, k: Any, origin: str) -> FloatArray:
        """Return the 3 x 3 camera matrix of the output, (..., 3, 3); a plane only.

        ``origin`` says where K has the centre of a picture's first pixel: at (0, 0)
        (``centre_at_integer``: OpenCV) or at (1/2, 1/2) (``centre_at_half``: COLMAP).

        >>> k = [[400.0, 0, 319.5], [0, 400, 239.5], [0, 0, 1]]
        >>> halved = Placement((2.0, 2.0), (0.5, 0.5), (480, 640), (240, 320))
        >>> halved.intrinsics(k, "centre_at_integer")
        array([[200.  ,   0.  , 159.5],
               [  0.  , 200.  , 119.5],
               [  0.  ,   0.  ,   1.  ]])
        """
        self._planar("a camera has")
        given = checks.numbers("k", k)
        if given.shape[-2:] != (3, 3) or np.any(given[..., 2, :] != (0, 0, 1)):
            raise ValueError(
                "k must be 3 x 3 with the last row 0 0 1: fx, skew, cx; 0, fy, cy; "
                f"got {k!r}"
            )
        seen: FloatArray = self.matrix(origin, "xy") @ given
        return seen

    def mask(self, mask: Any, outside: Any = 0) -> NDArray[Any]:
        """Return a mask or a map of labels on the output's pixels; none is mixed.

        Each output pixel has the label of the input pixel that its centre lies in, the
        later one on a border, and ``outside`` where it lies in none.
        """
        labels = checks.array("mask", mask)
        if np.ndim(outside):
            raise ValueError(f"outside must be one label; got {outside!r}")
        if labels.shape != self.shape_in:
            raise ValueError(
                f"mask must have the shape {self.shape_in}; got {labels.shape}"
            )
        picked = labels
        for axis, n in enumerate(self.shape_in):
            x = self.step[axis] * np.arange(self.shape_out[axis]) + self.start[axis]
            # A border that rounding missed by a hair is still a border.
            j = np.floor(np.round(x + 0.5, 9)).astype(np.intp)
            picked = np.take(picked, np.clip(j, 0, n - 1), axis)
            beyond = (j < 0) | (j >= n)
            where = (slice(None),) * axis + (beyond,)
            picked[where] = outside
        return picked

    def _planar(self, what: str) -> None:
        if self.rank != PLANE:
            raise ValueError(f"{what} two axes; this placement has {self.rank}")


def from_matrix(
    matrix: Any,
    shape_in: Sequence[int],
    shape_out: Sequence[int],
    origin: str,
    order: str = "array",
) -> Placement:
    """Return the placement of a homogeneous matrix: the inverse of its ``matrix``.

    A rotation, a shear or a flip is no resize, and a ValueError.

    >>> p = Placement((0.5, 0.5), (-0.25, -0.25), (4, 4), (8, 8))
    >>> from_matrix(p.matrix("centre_at_half"), (4, 4), (8, 8), "centre_at_half") == p
    True
    """
    m = checks.numbers("matrix", matrix)
    rank = len(checks.sizes("shape_in", shape_in))
    if m.shape != (rank + 1, rank + 1):
        raise ValueError(
            f"matrix must be {rank + 1} x {rank + 1} for {rank} axes; got {m.shape}"
        )
    scale = np.diag(m)[:-1]
    plain = np.diag(np.append(scale, 1.0))
    plain[:-1, -1] = m[:-1, -1]
    if np.any(m != plain) or np.any(scale <= 0):
        raise ValueError(
            "matrix must only scale (by more than 0) and translate: a resize does not "
            f"rotate, shear or flip; got {m.tolist()}"
        )
    checks.one_of("order", order, ORDERS)
    way = 1 if order == "array" else -1
    return from_scale_and_translation(
        scale[::way], m[:-1, -1][::way], shape_in, shape_out, origin
    )


def from_scale_and_translation(
    scale: Any,
    translation: Any,
    shape_in: Sequence[int],
    shape_out: Sequence[int],
    origin: str = "centre_at_half",
) -> Placement:
    """Return the placement of a scale and a translation, one an axis, in array order.

    The default origin is that of `jax.image.scale_and_translate`.

    >>> from_scale_and_translation([2.0], [0.0], (4,), (8,)).start
    (-0.25,)
    """
    half, rank = _half(origin), len(checks.sizes("shape_in", shape_in))
    s = checks.last_axis("scale", scale, rank, one=True)
    t = checks.last_axis("translation", translation, rank, one=True)
    if np.any(s <= 0):
        raise ValueError(f"scale must be greater than 0; got {scale!r}")
    start = (half - t) / s - half
    sizes = tuple(shape_in), checks.sizes("shape_out", shape_out)
    return Placement(tuple(1 / s), tuple(start.tolist()), *sizes)


def _half(origin: str) -> float:
    return ORIGINS[checks.one_of("origin", origin, ORIGINS)]
