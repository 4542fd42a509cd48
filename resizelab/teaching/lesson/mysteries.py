"""Five resizers without a name: what they make of three rows, and who they are."""

from __future__ import annotations

import functools

import numpy as np

from resizelab.arrays.resizing import weights
from resizelab.catalog.finding import convention
from resizelab.teaching.exercises import Exercise

# Each row of pixels is resized to so many.
PROBES: tuple[tuple[str, tuple[float, ...], int], ...] = (
    ("the ramp", (0, 10, 20, 30), 8),
    ("the bright pixel", (0, 0, 100, 0, 0), 10),
    ("the longer ramp", (0, 10, 20, 30, 40, 50, 60, 70, 80), 3),
)
SUSPECTS = {
    "PyTorch bilinear": "torch.bilinear",
    "PyTorch bilinear, align_corners": "torch.bilinear.align_corners",
    "TensorFlow 1 bilinear": "tf1.bilinear",
    "PyTorch nearest": "torch.nearest",
    "PyTorch bicubic": "torch.bicubic",
    "TensorFlow 2 bicubic": "tf2.bicubic",
    "Pillow bilinear": "pillow.bilinear",
    "Pillow bicubic": "pillow.bicubic",
}
# Who hides behind A to E.
HIDDEN = (
    "TensorFlow 1 bilinear",
    "PyTorch bicubic",
    "PyTorch bilinear, align_corners",
    "Pillow bilinear",
    "TensorFlow 2 bicubic",
)


@functools.cache
def evidence(suspect: str) -> tuple[tuple[float, ...], ...]:
    """Return what ``suspect`` makes of each probe, to two places.

    >>> evidence("TensorFlow 1 bilinear")[0]
    (0.0, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 30.0)
    """
    rows = []
    for _, row, n_out in PROBES:
        w = weights(convention(SUSPECTS[suspect]), len(row), n_out)
        out = np.round(w @ np.array(row, float), 2) + 0.0
        rows.append(tuple(float(v) for v in out))
    return tuple(rows)


def mystery(k: int) -> Exercise:
    """Return the question who mystery ``k`` (from 0) is."""
    hidden = HIDDEN[k]
    letter = "ABCDE"[k]
    others = [suspect for suspect in SUSPECTS if suspect != hidden]
    return Exercise(
        name=f"mystery-{letter.lower()}",
        stem=f"Who is resizer {letter}?",
        values={},
        draws={},
        answers=lambda: {suspect: suspect for suspect in (hidden, *others)},
        choices=tuple(SUSPECTS),
        hint="Look where the rows begin and end, then at the shortened ramp.",
        feedback={
            hidden: f"Right: {SUSPECTS[hidden]} in the book's table.",
            **{other: _otherwise(hidden, other) for other in others},
        },
    )


def _otherwise(hidden: str, other: str) -> str:
    """Say the first number that speaks against ``other``."""
    for (title, _, _), seen, told in zip(
        PROBES, evidence(hidden), evidence(other), strict=True
    ):
        for i, (a, b) in enumerate(zip(seen, told, strict=True), 1):
            if abs(a - b) > 0.01:
                number = f"{b:g}".replace("-", "−")
                return f"Not yet: number {i} of {title} would be {number}."
    raise ValueError(
        f"{hidden!r} and {other!r} answer alike: no probe tells them apart"
    )
