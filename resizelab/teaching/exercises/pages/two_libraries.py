"""The exercises of the page "two-libraries"."""

import numpy as np

import resizelab as rl
from resizelab.teaching.exercises.exercise import Exercise

_CALLS = {
    "antialias=True": "torch.bilinear.antialias",
    "align_corners=True": "torch.bilinear.align_corners",
    'mode="area"': "torch.area",
    "no argument": "torch.bilinear",
}


def _gap(a: str, b: str, n_in: int, n_out: int) -> float:
    w, v = (rl.weights(name, n_in, n_out).dense() for name in (a, b))
    return float(np.abs(w - v).max())


def _equal(other: str, n_in: int, n_out: int) -> dict[str, str]:
    """Sort PyTorch's calls by how far their operators are from the other library's."""
    gaps = {
        argument: _gap(name, other, n_in, n_out) for argument, name in _CALLS.items()
    }
    ranked = sorted(gaps, key=gaps.__getitem__)
    return {f"off by {gaps[each]:.2g} of a weight": each for each in ranked}


same = Exercise(
    name="two-libraries-same",
    stem="""\
A service shrinks pictures from {n_in} to {n_out} pixels with `{call}`.
You train with `interpolate(x, size={n_out}, mode="bilinear")`.
What do you have to add or change, so that both compute the same?""",
    values={"other": "pillow.bilinear", "n_in": 100, "n_out": 40},
    draws={
        "other": ("pillow.bilinear", "opencv.linear", "tf2.bilinear"),
        "n_in": (90, 100, 120, 150),
        "n_out": (32, 40, 56),
    },
    answers=_equal,
    choices=tuple(_CALLS),
    shown=lambda other, n_in, n_out: {"call": rl.convention(other).call},
    hint="Ask `rl.translate`, or whether the service's call widens its kernel when it shrinks.",
    feedback={},
)


def _first(n_in: int, n_out: int) -> dict[str, float]:
    ramp = [10.0 * j for j in range(n_in)]
    return {
        name: float((rl.weights(name, n_in, n_out) @ ramp)[0])
        for name in ("pillow.bilinear", "opencv.linear", "tf1.bilinear")
    }


first = Exercise(
    name="two-libraries-first",
    stem="""\
{n_in} pixels climb by 10, and the first is 0.
Pillow's `BILINEAR` shrinks them to {n_out}.
What is the first number, to one decimal?""",
    values={"n_in": 8, "n_out": 4},
    draws={"n_in": range(6, 17), "n_out": (2, 3, 4, 5)},
    answers=_first,
    tolerance=0.06,
    hint="The place is {place:.2f}, the kernel is {step:.2f} times as wide, and what lies outside is left out.",
    shown=lambda n_in, n_out: {
        "place": 0.5 * n_in / n_out - 0.5,
        "step": n_in / n_out,
    },
    feedback={"opencv.linear": "Not yet: that is OpenCV, PyTorch and TensorFlow 2."},
)
