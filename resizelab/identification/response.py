"""Read the operator of one axis out of a black box, and how the box behaves besides."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.checks import FloatArray
from resizelab.identification.candidates import spread
from resizelab.identification.probing import Pair, Refused, Subject

Array = NDArray[Any]

KEPT = 9  # pixels of the axis that keeps its size; its middle line is read
IMPULSES = 64  # of a longer axis only so many pixels are lit, both ends among them
LINEAR = 1e-4  # departure from linearity that float32 cannot explain
TOLD = 3e-4  # difference between two operators that noise cannot explain
HEIGHT, WIDTH = 0, 1
AXES = {"height": HEIGHT, "width": WIDTH}


class Response:
    """The (n_out, n_in) matrix of one axis, and its constant.

    Columns that were not lit (long axes) are NaN; ``lit`` lists those that were.
    """

    def __init__(self, matrix: FloatArray, offset: FloatArray, lit: Array) -> None:
        self.matrix, self.offset, self.lit = matrix, offset, lit


def _lines(subject: Subject, axis: int, n: int, m: int) -> tuple[Pair, Pair]:
    """Return the sizes of a picture whose other axis keeps its size, if it may."""
    if subject.fixed is not None:
        return subject.fixed
    return ((KEPT, n), (KEPT, m)) if axis == WIDTH else ((n, KEPT), (m, KEPT))


def _middle(y: Array, axis: int) -> FloatArray:
    line = y[len(y) // 2] if axis == WIDTH else y[:, y.shape[1] // 2]
    return line.astype(np.float64)


def operator(subject: Subject, axis: int, n: int, m: int) -> Response:
    """Return the operator from n to m pixels; raises Refused as the subject does."""
    shape_in, shape = _lines(subject, axis, n, m)
    lit = spread(n, IMPULSES)
    high = 1.0 if np.dtype(subject.dtype).kind == "f" else 100.0
    dark = np.zeros(shape_in, subject.dtype)
    offset = _middle(subject.ask(dark, shape), axis)
    if offset.shape != (m,):
        raise Refused(f"{shape_in} to {shape}: the result has {len(offset)} pixels")
    matrix = np.full((m, n), np.nan)
    for j in lit:
        x = dark.copy()
        x[(slice(None), j) if axis == WIDTH else j] = high
        matrix[:, j] = (_middle(subject.ask(x, shape), axis) - offset) / high
    return Response(matrix, offset, lit)


def _asked(subject: Subject, x: Array, shape: Pair) -> FloatArray | None:
    try:
        return subject.ask(x.astype(subject.dtype), shape).astype(np.float64)
    except Refused:
        return None


def behaviour(subject: Subject) -> list[str]:
    """Return remarks on what no table of one-axis operators can hold.

    Not linear, not separable, one axis depending on the other: each is tried on random
    pictures, on three sizes.
    """
    found: list[str] = []
    tried = (((13, 11), (8, 17)), ((8, 9), (13, 15)), ((15, 14), (7, 9)))
    for shape_in, shape in tried if subject.fixed is None else (subject.fixed,):
        rng = np.random.default_rng(11)
        a, b = rng.random(shape_in), rng.random(shape_in)
        dark, one, two, both = (
            _asked(subject, x, shape) for x in (a * 0, a, b, 0.5 * a + 0.25 * b)
        )
        if dark is None or one is None or two is None or both is None:
            continue
        expected = dark + 0.5 * (one - dark) + 0.25 * (two - dark)
        gap = float(np.abs(both - expected).max())
        if not gap <= LINEAR:
            found.append(
                f"not linear: half the input is not half the output ({gap:.2g})"
            )
            break
        u, v = rng.random(shape_in[0]), rng.random(shape_in[1])
        crossed = _asked(subject, np.outer(u, v), shape)
        if crossed is not None and min(shape) > 1:
            rest = np.linalg.svd(crossed - dark, compute_uv=False)
            if rest[1] > LINEAR * rest[0]:
                found.append("not separable: the axes are not resized one by one")
                break
    return found + _other_axis(subject)


def _other_axis(subject: Subject) -> list[str]:
    if subject.fixed is not None:
        return []
    line = np.random.default_rng(12).random(12)
    for n, m in ((12, 7), (12, 18), (12, 12)):
        for axis, name in ((WIDTH, "width"), (HEIGHT, "height")):
            answers = []
            for other in (6, 12, 19):
                x, shape = np.tile(line[:n], (12, 1)), (other, m)
                if axis == HEIGHT:
                    x, shape = x.T, (m, other)
                y = _asked(subject, x, shape)
                if y is not None and y.shape == shape:
                    answers.append(_middle(y, axis))
            gaps = [float(np.abs(a - answers[0]).max()) for a in answers]
            if max(gaps, default=0.0) > TOLD:
                return [
                    f"depends on the other axis: {name} {n} to {m} is resized otherwise"
                    " when the other axis grows, shrinks or is kept"
                ]
    return []
