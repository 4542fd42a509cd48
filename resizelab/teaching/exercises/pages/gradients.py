"""The exercises of the page "gradients"."""

import resizelab as rl
from resizelab.teaching.exercises.exercise import Exercise

_GRIDS = "align_corners", "half_pixel", "asymmetric"


def _first(n_in: int, n_out: int) -> dict[str, float]:
    def column(mode: str) -> float:
        return float(rl.weights(rl.Spec(grid=mode), n_in, n_out).dense()[:, 0].sum())

    return {mode: column(mode) for mode in _GRIDS}


first = Exercise(
    name="gradients-first",
    stem="""\
{n_in} pixels become {n_out}, linear, with `align_corners=True`.
The loss is the sum of the {n_out}.
What is its gradient at the first pixel, to two decimals?""",
    values={"n_in": 5, "n_out": 8},
    draws={"n_in": range(3, 8), "n_out": range(8, 16)},
    answers=_first,
    tolerance=0.01,
    hint="Add up the first column: the weights 1 − {step:.3f} · i, as long as they are positive.",
    shown=lambda n_in, n_out: {"step": (n_in - 1) / (n_out - 1)},
    feedback={"half_pixel": "Not yet: that is half_pixel's first column."},
)


def _unread(n_in: int, n_out: int) -> dict[str, float]:
    def zeros(name: str) -> float:
        w = abs(rl.weights(name, n_in, n_out).dense())
        return float((w < 1e-6).all(axis=0).sum())

    return {
        "not antialiased": zeros("torch.bilinear"),
        "antialiased": zeros("torch.bilinear.antialias"),
        "one pixel for each output": float(n_in - n_out),
    }


unread = Exercise(
    name="gradients-unread",
    stem="""\
Shrink {n_in} pixels to {n_out} with `torch.bilinear`.
How many of the {n_in} pixels get no gradient at all?""",
    values={"n_in": 48, "n_out": 12},
    draws={"n_in": range(40, 101, 4), "n_out": (6, 7, 8, 9, 10, 11, 12)},
    answers=_unread,
    unit="pixels",
    tolerance=0.4,
    hint="The step is {step:.2f}, and a place between two pixels reads both.",
    shown=lambda n_in, n_out: {"step": n_in / n_out},
    feedback={
        "antialiased": "Not yet: with `antialias=True` every pixel gets some.",
        "one pixel for each output": "Not yet: so many are left where each output "
        "reads one pixel.",
    },
)
