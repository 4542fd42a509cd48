"""The exercises of the page "shrinking"."""

import resizelab as rl
from resizelab.teaching.exercises.exercise import Exercise


def _taps(n_in: int, n_out: int) -> dict[str, float]:
    def most(name: str) -> float:
        w = abs(rl.weights(name, n_in, n_out).dense())
        return float((w > 1e-6).sum(axis=1).max())  # what rounding leaves is no tap

    return {
        "bilinear, antialiased": most("torch.bilinear.antialias"),
        "bilinear, not antialiased": most("torch.bilinear"),
        "bicubic, antialiased": most("torch.bicubic.antialias"),
    }


taps = Exercise(
    name="shrinking-taps",
    stem="""\
Shrink {n_in} pixels to {n_out}, bilinear and antialiased.
From how many input pixels can one output be made, at most?""",
    values={"n_in": 96, "n_out": 12},
    draws={
        "n_in": (48, 96, 144, 192, 240, 288, 384, 480),
        "n_out": (6, 8, 12, 16, 24),
    },
    answers=_taps,
    unit="pixels",
    tolerance=0.4,
    hint="The radius of linear is 1, and the step of {step:g} stretches it.",
    shown=lambda n_in, n_out: {"step": n_in / n_out},
    feedback={
        "bilinear, not antialiased": "Not yet: two taps are all that it has without "
        "antialias.",
        "bicubic, antialiased": "Not yet: that is bicubic, whose radius is 2.",
    },
)


def _areas(n_in: int, n_out: int) -> dict[str, float]:
    ramp = [10.0 * j for j in range(n_in)]
    names = {
        "opencv.area": "OpenCV and TensorFlow",
        "torch.area": "PyTorch",
        "pillow.box": "Pillow's box",
    }
    return {
        who: float((rl.weights(name, n_in, n_out) @ ramp)[0])
        for name, who in names.items()
    }


areas = Exercise(
    name="shrinking-areas",
    stem="""\
{n_in} pixels climb by 10: {ramp}.
Shrink them to {n_out} with OpenCV's `INTER_AREA`.
What is the first number?""",
    values={"n_in": 5, "n_out": 3},
    draws={"n_in": range(4, 12), "n_out": (3, 4, 5, 6, 7)},
    answers=_areas,
    tolerance=0.05,
    hint="One output covers {step:.2f} input pixels, and a part of a pixel counts in part.",
    shown=lambda n_in, n_out: {
        "ramp": tuple(10 * j for j in range(n_in)),
        "step": n_in / n_out,
    },
    feedback={
        "PyTorch": "Not yet: PyTorch's area says so, for it takes whole pixels only."
    },
)
