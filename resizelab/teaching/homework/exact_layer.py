"""Homework: build a layer that resizes exactly as any library does."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

import resizelab as rl

from .task import Case, Task

CONVENTIONS = ("torch.bilinear", "pillow.bicubic", "tf1.bilinear", "opencv.cubic")


def exact_layer(x, size, name):
    """Return x, (batch, channels, height, width), resized to size = (height, width)."""
    convention = rl.convention(name)
    rows = rl.weights(convention, x.shape[2], size[0]).dense()
    columns = rl.weights(convention, x.shape[3], size[1]).dense()
    return (rows @ x @ columns.T).astype(x.dtype)


def _batch(shape: tuple[int, ...], size: tuple[int, int], name: str) -> Case:
    x = np.random.default_rng(sum(shape)).standard_normal(shape).astype(np.float32)
    return x, size, name


def _seen(answer: Any) -> tuple[Any, str]:
    """Return the numbers, and the type that a next layer would get."""
    return np.asarray(answer), str(getattr(answer, "dtype", type(answer).__name__))


def _each_axis(x: Any, size: tuple[int, int], name: str, back: bool) -> Any:
    """Resize by the matrices of the opposite resize, transposed."""
    convention, out = rl.convention(name), np.asarray(x, float)
    for axis in (2, 3):
        n_in, n_out = x.shape[axis], size[axis - 2]
        w = rl.weights(convention, n_out, n_in).dense().T
        w = w / np.abs(w).sum(1, keepdims=True) if back else w
        out = np.moveaxis(np.moveaxis(out, axis, -1) @ w.T, -1, axis)
    return out.astype(x.dtype)


def _drawn(source: random.Random) -> Case:
    shape = (
        source.randint(1, 3),
        source.randint(2, 4),
        *source.sample(range(5, 12), 2),
    )
    return shape, tuple(source.sample(range(4, 16), 2)), source.choice(CONVENTIONS)


TASK = Task(
    name="exact-layer",
    title="A layer that is exact",
    words="""\
A network was trained with Pillow's bicubic and runs where there is only PyTorch's.
A resize is a matrix for each axis, so two products give the same numbers everywhere.
`rl.weights(rl.convention(name), n_in, n_out).dense()` is the matrix, (n_out, n_in).
Write `exact_layer(x, size, name)` for a batch (N, C, H, W); the next layer expects the type that x has.""",
    solution=exact_layer,
    slips={
        "width first": (
            lambda x, size, name: exact_layer(x, size[::-1], name),
            "Height and width are swapped: size is (height, width).",
        ),
        "another type": (
            lambda x, size, name: exact_layer(x.astype(float), size, name),
            "The numbers are right, but float32 went in and float64 comes out.",
        ),
        "one axis": (
            lambda x, size, name: exact_layer(x, (size[0], x.shape[3]), name),
            "Only the rows were resized.",
        ),
        "channels last": (
            lambda x, size, name: exact_layer(
                x.transpose(0, 3, 1, 2), size, name
            ).transpose(0, 2, 3, 1),
            "You resized the wrong axes: x is (batch, channels, height, width).",
        ),
        "the way back": (
            lambda x, size, name: _each_axis(x, size, name, back=False),
            "Those are the matrices from n_out to n_in, transposed: the gradient's way.",
        ),
    },
    shown=(((1, 2, 5, 7), (10, 4), "torch.bilinear"),),
    always=(
        ((2, 3, 8, 6), (5, 9), "pillow.bicubic"),
        ((1, 2, 6, 9), (13, 7), "tf1.bilinear"),
    ),
    given=_batch,
    seen=_seen,
    draw=_drawn,
    tolerance=1e-5,
    needs="import numpy as np\nimport resizelab as rl",
    think="For which sizes is the product more work than reading two taps, and by how much?",
    rubric={
        "n_in multiplications beside two, for each output": 1,
        "names an axis where that is too many": 1,
    },
)
