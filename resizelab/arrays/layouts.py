"""Which axes of a pair of arrays are resized, and which hold channels or a batch."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab import checks

Array = NDArray[Any]

LAYOUTS = ("W", "HW", "HWC", "CHW", "DHW", "NHWC", "NCHW", "DHWC", "CDHW")
SAID = ("NWC", "NCW", "NDHWC", "NCDHW")  # never guessed
CHANNELS = (1, 3, 4)  # an axis of so many numbers is taken for channels
MOST = 4  # slices of other axes that are compared
HIGHEST = 5  # axes
# The ways to turn a plane: flip rows, flip columns, then swap the axes. In the order of
# EXIF's orientations from 2 on, which those that they turn upright have.
TURNS = {
    "flipped left to right": (False, True, False),
    "turned by 180 degrees": (True, True, False),
    "flipped top to bottom": (True, False, False),
    "with height and width swapped": (False, False, True),
    "turned by 90 degrees, clockwise": (True, False, True),
    "with the axes swapped and both flipped": (True, True, True),
    "turned by 90 degrees, counter-clockwise": (False, True, True),
}


def arrays(x: Any, y: Any) -> tuple[Array, Array]:
    """Return the pair as arrays of numbers, else raise TypeError or ValueError."""
    found = []
    for name, value in (("x", x), ("y", y)):
        array = np.asarray(value)
        if array.dtype.kind not in "fiu":
            raise TypeError(
                f"{name} must hold numbers (floats or integers); got {array.dtype}"
            )
        if array.size == 0 or array.ndim == 0:
            raise ValueError(f"{name} must hold pixels; got shape {array.shape}")
        if array.dtype.kind == "f":
            if not np.isfinite(array).all():
                raise ValueError(f"{name} must be finite; it holds NaN or infinity")
            if array.dtype.itemsize > 8:
                array = array.astype(np.float64)
        found.append(array)
    if found[0].ndim != found[1].ndim:
        found = _squeezed(*found)
    return found[0], found[1]


def _squeezed(x: Array, y: Array) -> list[Array]:
    """Drop axes of one number in front of the one with more axes."""
    while x.ndim > y.ndim and x.shape[0] == 1:
        x = x[0]
    while y.ndim > x.ndim and y.shape[0] == 1:
        y = y[0]
    if x.ndim != y.ndim:
        raise ValueError(
            f"x and y must have as many axes; got shapes {x.shape} and {y.shape}"
        )
    return [x, y]


def guessed(before: Sequence[int], after: Sequence[int]) -> str:
    """Return the layout of two shapes.

    >>> guessed((24, 24, 3), (31, 17, 3)), guessed((1, 8, 5, 5), (1, 8, 9, 9))
    ('HWC', 'NCHW')
    """
    ndim = len(before)
    if ndim > HIGHEST:
        raise ValueError(f"x must have at most {HIGHEST} axes; got shape {before}")
    kept = [a == b for a, b in zip(before, after, strict=True)]
    last = kept[-1] and before[-1] in CHANNELS
    if ndim < 3:
        return "HW"[2 - ndim :]
    if ndim == 3:
        if last:
            return "HWC"
        return "CHW" if kept[0] and before[0] in CHANNELS else "DHW"
    front = kept[0] and kept[1]
    if ndim == 4:
        if front and not (last and not kept[1]):
            return "NCHW"
        if kept[0] and kept[-1]:
            return "NHWC"
        return "DHWC" if kept[-1] else "CDHW"
    return "NDHWC" if last and not kept[1] else "NCDHW"


def spatial(layout: str, ndim: int) -> tuple[int, ...]:
    """Return the axes that a layout calls D, H or W."""
    checks.one_of("layout", layout, LAYOUTS + SAID)
    if len(layout) != ndim:
        raise ValueError(f"layout={layout!r} has {len(layout)} axes; x has {ndim}")
    return tuple(k for k, letter in enumerate(layout) if letter in "DHW")


def touched(
    layout: str,
    ranks: tuple[int, int] | None,
    shape_in: Sequence[int],
    shape: Sequence[int] | None,
) -> tuple[int, ...]:
    """Return the axes that a call resizes of a whole array.

    ``layout`` and ``ranks`` are a `Convention`'s, ``shape`` the array's new shape where
    it is known. Axes of channels and of the batch are left alone.

    >>> touched("HWC", (2, 2), (8, 8, 3), (4, 4, 3))
    (0, 1)
    >>> touched("NCHW", (1, 3), (1, 3, 8, 8), None)
    (2, 3)
    """
    ndim = len(shape_in)
    if ranks is None or ndim <= ranks[1]:
        return tuple(range(ndim))
    fewest, most = ranks
    end = ndim - layout.endswith("C")
    first = end - min(most, max(fewest, ndim - 2))
    plane = tuple(range(first, end))
    pairs = enumerate(zip(shape_in, shape or shape_in, strict=True))
    changed = tuple(axis for axis, (n, m) in pairs if n != m)
    if set(changed) <= set(plane):
        return plane
    if len(changed) > most:
        raise ValueError(
            f"the call resizes at most {most} axes of an array ({layout}); from "
            f"{tuple(shape_in)} to {tuple(shape or ())}, {len(changed)} change"
        )
    return changed  # a picture in another layout


def of_whole(
    layout: str,
    ranks: tuple[int, int] | None,
    shape_in: Sequence[int],
    shape: Any,
    scale: Any,
) -> tuple[Any, Any, Any]:
    """Return axes, shape and scale of the axes that a call resizes of a whole array.

    >>> of_whole("HWC", (2, 2), (8, 8, 3), (4, 4, 3), None)
    ((0, 1), [4, 4], None)
    """
    ndim, asked = len(shape_in), None if shape is None else checks.listed(shape)
    scales = () if scale is None else checks.listed(scale)
    if asked is not None and len(asked) != ndim:
        return None, shape, scale
    given = asked
    if asked is None and len(scales) == ndim > 1:
        given = tuple(n * s for n, s in zip(shape_in, scales, strict=True))
    axes = touched(layout, ranks, shape_in, given)
    if len(scales) == ndim > 1:
        scale = [scales[axis] for axis in axes]
    return axes, None if asked is None else [asked[axis] for axis in axes], scale


def stacked(x: Array, axes: Sequence[int], most: int = MOST) -> Array:
    """Return the spatial axes first and one axis of at most ``most`` slices after them.

    >>> stacked(np.zeros((2, 3, 8, 5)), (2, 3)).shape
    (8, 5, 4)
    """
    moved = np.moveaxis(x, axes, range(len(axes)))
    flat = moved.reshape(*moved.shape[: len(axes)], -1)
    count = flat.shape[-1]
    if count > most:
        flat = flat[..., np.unique(np.linspace(0, count - 1, most).astype(int))]
    return flat


def orders(ndim: int) -> tuple[tuple[int, ...], ...]:
    """Return the orders of axes that turn one layout of a batch into another.

    >>> orders(4)
    ((0, 2, 3, 1), (0, 3, 1, 2))
    """
    batches = [name for name in LAYOUTS + SAID if name[0] == "N" and len(name) == ndim]
    pairs = [(a, b) for a in batches for b in batches if a != b]
    return tuple(sorted(tuple(a.index(axis) for axis in b) for a, b in pairs))


def turned(x: Array, way: tuple[bool, bool, bool], rows: int = 0) -> Array:
    """Return an array with the plane of two axes, ``rows`` and the next, turned.

    >>> turned(np.array([[1, 2], [3, 4]]), TURNS["turned by 90 degrees, clockwise"])
    array([[3, 1],
           [4, 2]])
    """
    y: Array = np.flip(x, tuple(rows + k for k in (0, 1) if way[k]))
    return y.swapaxes(rows, rows + 1) if way[2] else y
