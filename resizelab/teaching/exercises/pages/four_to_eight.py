"""The exercises of the page "four-to-eight"."""

import numpy as np

from resizelab.arrays.resizing import weights
from resizelab.axis.spec import Spec
from resizelab.teaching.exercises.exercise import Exercise


def _sums(n_out: int, k: int, pixels: tuple[float, ...]) -> dict[str, float]:
    def says(**choices: str) -> float:
        spec = Spec(**choices)  # type: ignore[arg-type]
        return float((weights(spec, len(pixels), n_out) @ np.array(pixels))[k - 1])

    return {
        "half_pixel": says(),
        "align_corners": says(grid="align_corners"),
        "asymmetric": says(grid="asymmetric"),
        "the nearest pixel": says(kernel="nearest", nearest_mode="round_prefer_floor"),
        "the mean of all": sum(pixels) / len(pixels),
    }


four_to_three = Exercise(
    name="four-to-eight-three",
    stem="""\
With pencil and paper: the pixels {pixels:g} become {n_out}.
Find the place of each output pixel first: pixels are tiles, as in PyTorch.
What is output pixel {last}, counted from 0?""",
    values={"n_out": 3, "k": 3, "pixels": (0.0, 10.0, 20.0, 30.0)},
    draws={
        "n_out": (3, 5, 6, 7),
        "k": (1, 2, 3),
        "pixels": (
            *((0.0, 10.0, 20.0, 30.0), (0.0, 30.0, 60.0, 90.0), (8.0, 24.0, 0.0, 16.0)),
            *(
                (40.0, 20.0, 10.0, 0.0),
                (0.0, 60.0, 20.0, 80.0),
                (12.0, 0.0, 48.0, 36.0),
            ),
        ),
    },
    answers=_sums,
    tolerance=0.02,
    shown=lambda n_out, k, pixels: {"last": k - 1},
    hint="The step is 4/{n_out}: output pixel {last} looks at ({last} + 1/2) · "
    "4/{n_out} − 1/2, counted from the middle of the first pixel.",
    feedback={
        "half_pixel": "Right: position, two taps, two weights, one sum.",
        "align_corners": "Not yet: your pixels are posts. That is align_corners.",
        "asymmetric": "Not yet: you start at position 0, as TensorFlow 1 does.",
        "the nearest pixel": "Not yet: that is the nearest pixel, unmixed.",
    },
)


def _share(n_in: int, n_out: int) -> dict[str, float]:
    def corner(grid: str) -> float:
        sums = weights(Spec(grid=grid), n_in, n_out).dense().sum(0)
        return float(sums[0] * n_in / n_out)

    one = corner("half_pixel")
    return {
        "half_pixel": 100 * one**2,
        "one axis alone": 100 * one,
        "align_corners": 100 * corner("align_corners") ** 2,
        "asymmetric": 100 * corner("asymmetric") ** 2,
        "what is missing": 100 - 100 * one**2,
    }


column_sums = Exercise(
    name="four-to-eight-columns",
    stem="""\
An article on the web says that bilinear from 3×3 to 5×5 weakens the top-left pixel by 15 % and strengthens the bottom-right one by 10 %.
Add up the columns of the {n_in} → {n_out} matrix and compare with a fair share.
How many percent of its fair share does a corner pixel of {n_in}×{n_in} count in {n_out}×{n_out}?""",
    values={"n_in": 3, "n_out": 5},
    draws={"n_in": range(3, 12), "n_out": range(5, 30)},
    answers=_share,
    unit="%",
    tolerance=0.15,
    hint="All columns together add up to {n_out}, so a fair share is {n_out}/{n_in}. "
    "A corner has a share in each of two axes.",
    feedback={
        "half_pixel": "Right, and the same at all four corners.",
        "one axis alone": "Not yet: that is one axis. A picture has two.",
        "what is missing": "Not yet: so much is missing. How much is left?",
    },
)
