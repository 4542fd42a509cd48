"""Apply the operators of a resize in any array library: a matrix product, or taps."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from resizelab.axis.operator import Weights
from resizelab.exact.separable import Separable, by_taps, compact

Native = Any  # an array of the library at hand


@dataclass(frozen=True)
class Step:
    """What one axis goes through, as arrays by name.

    ``axis`` counts from the end. ``right`` (n_in, n_out) multiplies from the right,
    ``left`` (n_out, n_in) from the left; or ``index`` (taps, n_out) and ``weight``
    (taps, n_out, 1 …) are taps; and ``offset`` (n_out, 1 …) is added.
    """

    axis: int
    arrays: Mapping[str, Native]


@dataclass(frozen=True)
class Library:
    """The functions of an array library that a resize needs."""

    take: Callable[[Native, Native, int], Native]
    matmul: Callable[[Native, Native], Native]
    moveaxis: Callable[[Native, int, int], Native]
    minimum: Callable[[Native, Native], Native]
    maximum: Callable[[Native, Native], Native]
    where: Callable[[Native, Native, Native], Native]
    least: Callable[[Native], Native]
    largest: Callable[[Native], Native]


def steps(
    resize: Separable, axes: Sequence[int] | None = None, form: str = "cheaper"
) -> tuple[Step, ...]:
    """Return the steps of a resize of ``axes`` (the last ones by default).

    >>> from resizelab.exact.separable import separable
    >>> made = steps(separable("torch.bilinear", (4, 4), (8, 8)))
    >>> [(step.axis, list(step.arrays)) for step in made]
    [(-2, ['left']), (-1, ['right'])]
    """
    count = len(resize.size_in)
    places = tuple(range(-count, 0)) if axes is None else tuple(axes)
    if len(places) != count or any(axis >= 0 for axis in places):
        raise ValueError(
            f"axes must be {count} numbers below 0, counted from the last axis; "
            f"got {axes!r}"
        )
    found = []
    for k, operator in resize.passes:
        found.append(Step(places[k], _arrays(compact(operator), places[k], form)))
    return tuple(found)


def _arrays(w: Weights, axis: int, form: str) -> dict[str, Native]:
    lined = (w.n_out, *(1,) * (-axis - 1))
    arrays: dict[str, Native] = {}
    if by_taps(w, axis == -1, form):
        arrays["index"] = np.ascontiguousarray(w.index.T, np.int64)
        if not w.picks:
            arrays["weight"] = w.weight.T.reshape(-1, *lined)
    elif axis == -1:
        arrays["right"] = np.ascontiguousarray(w.dense().T)
    else:
        arrays["left"] = w.dense()
    if w.offset is not None:
        arrays["offset"] = w.offset.reshape(lined)
    return arrays


def apply(
    library: Library,
    made: Sequence[Step],
    x: Native,
    clip: bool = False,
    fill: float | None = None,
) -> Native:
    """Return ``x`` after every step, cut to its own range where ``clip`` says so."""
    y = x
    for step in made:
        y = _one(library, step, y)
    if not clip:
        return y
    low, high = library.least(x), library.largest(x)
    if fill is not None:
        # What lies outside counts as seen where the result reaches it.
        seen = (library.least(y) <= fill) & (library.largest(y) >= fill)
        outside = low * 0 + fill
        low = library.where(seen, library.minimum(low, outside), low)
        high = library.where(seen, library.maximum(high, outside), high)
    return library.minimum(library.maximum(y, low), high)


def _one(library: Library, step: Step, x: Native) -> Native:
    arrays = step.arrays
    if "right" in arrays:
        y = library.matmul(x, arrays["right"])
    elif "left" in arrays:
        rows = library.moveaxis(x, step.axis, -2)
        y = library.moveaxis(library.matmul(arrays["left"], rows), -2, step.axis)
    else:
        y = None
        for k in range(arrays["index"].shape[0]):
            read = library.take(x, arrays["index"][k], step.axis)
            if "weight" in arrays:
                read = read * arrays["weight"][k]
            y = read if y is None else y + read
    return y + arrays["offset"] if "offset" in arrays else y
