"""What goes into a model: arrays turned to the layout and type that an input wants."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab import checks
from resizelab.arrays import layouts, resizing
from resizelab.catalog import convention
from resizelab.modelfiles import onnx_file
from resizelab.text import by, listed

Array = NDArray[Any]
COLOURS = (1, 3, 4)
PLANES = 3  # axes of a picture
ROW = "torch.bilinear.antialias"


@dataclass(frozen=True)
class Port:
    """One input of a model: None is an open size, ``shape`` None an open rank.

    ``scale`` and ``zero`` are those of a quantised input: level = value / scale + zero.
    """

    name: str
    shape: tuple[int | None, ...] | None
    dtype: str
    scale: float = 0.0
    zero: int = 0


def fitted(feeds: Mapping[str, Array], ports: Sequence[Port]) -> dict[str, Array]:
    """Return the arrays by the names of a model's inputs, turned to what they want.

    ``feeds`` are by name; those of other names are taken in order, and "" is the only
    one. Bytes of (height, width, channels) are a picture where an input is none: they
    are resized to its size and divided by 255.

    Raises ValueError for an array that fits in no layout, and for one that is missing.
    """
    given = dict(feeds)
    if not given.keys() <= {port.name for port in ports}:
        if len(given) != len(ports):
            names = listed([port.name for port in ports])
            raise ValueError(f"the model has {len(ports)} inputs: name each of {names}")
        given = dict(zip([p.name for p in ports], given.values(), strict=True))
    for port in ports:
        if port.name not in given:
            raise ValueError(f"input {port.name!r} of the model is missing")
    return {port.name: _fitted(given[port.name], port) for port in ports}


def _fitted(x: Array, port: Port) -> Array:
    if port.shape is None:
        return x.astype(port.dtype)
    y = _turned(x, port.shape)
    if is_picture(x) and (y is None or port.dtype != "uint8"):
        y = _turned(_resized(x, port), port.shape)
    if y is None:
        wanted = by(n or None for n in port.shape)
        raise ValueError(
            f"input {port.name!r} is {port.dtype} {wanted} in the model; got {x.dtype} "
            f"{by(x.shape)}: say how a photograph becomes that with "
            "--pipeline, or give what the network reads as .npy"
        )
    kind = np.dtype(port.dtype)
    if kind.kind in "iu" and y.dtype.kind == "f":
        bounds = np.iinfo(kind)
        levels = np.rint(y / (port.scale or 1.0) + port.zero)
        y = np.clip(levels, bounds.min, bounds.max)
    return np.ascontiguousarray(y.astype(kind))


def is_picture(x: Array) -> bool:
    """Say whether an array holds pixels as they come out of a file."""
    return x.dtype == np.uint8 and x.ndim == PLANES and x.shape[-1] in COLOURS


def _turned(x: Array, shape: tuple[int | None, ...]) -> Array | None:
    """Return an array with the axes that a shape wants, or None if none fit."""
    while x.ndim < len(shape):
        x = x[None]
    while x.ndim > len(shape) and x.shape[0] == 1:
        x = x[0]
    if x.ndim != len(shape):
        return None
    plain = tuple(range(x.ndim))
    batches = layouts.orders(x.ndim) if x.ndim > PLANES else ((1, 2, 0), (2, 0, 1))
    for order in (plain, *batches):
        if len(order) == x.ndim and _same(x.transpose(order).shape, shape):
            return x.transpose(order)
    return None


def _same(got: Sequence[int], wanted: Sequence[int | None]) -> bool:
    return all(w in (None, n) for n, w in zip(got, wanted, strict=True))


def _resized(x: Array, port: Port) -> Array:
    """Return a picture at an input's size, of 0 … 1 where that holds floats."""
    shape = (port.shape or ())[-PLANES:]
    last = len(shape) < PLANES or shape[0] not in COLOURS
    size = shape[:-1] if last else shape[1:]
    channels = (shape[-1] if last else shape[0]) if len(shape) == PLANES else 3
    target = [n or m for n, m in zip(size, x.shape, strict=False)]
    row = convention(ROW)
    y = resizing.resize(x[..., :3].astype(np.float64), target, row, axes=(0, 1))
    y = y.mean(-1, keepdims=True) if channels == 1 else y
    y = y if last else np.moveaxis(y, -1, 0)
    return np.rint(y).astype(np.uint8) if port.dtype == "uint8" else y / 255


def as_asked(model: Any, feeds: Mapping[str, Array]) -> dict[str, Array]:
    """Return the inputs of an ONNX model as they are, or say which does not fit."""
    inputs, feeds = onnx_file.inputs(model), onnx_file.named(model, feeds)
    kinds = onnx_file.element_types(model.graph)
    shapes = onnx_file.shapes(model.graph)
    for name in feeds:
        checks.one_of("input", name, inputs)
    fitted = {}
    for name in inputs:
        if name not in feeds:
            raise ValueError(f"input {name!r} of the model is missing")
        value = feeds[name]
        kind = np.dtype(kinds.get(name, value.dtype))
        if value.dtype != kind and not np.can_cast(value.dtype, kind, "same_kind"):
            raise TypeError(f"input {name!r} is {kind} in the model; got {value.dtype}")
        got, wanted = value.shape, shapes.get(name)
        if wanted is not None and not (len(got) == len(wanted) and _same(got, wanted)):
            raise ValueError(
                f"input {name!r} has shape {wanted} in the model; got {got}"
            )
        fitted[name] = np.ascontiguousarray(value, kind)
    return fitted
