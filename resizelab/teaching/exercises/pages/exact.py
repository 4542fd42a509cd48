"""The exercises of the page "exact"."""

import math

from resizelab.teaching.exercises.exercise import Exercise

EXACT = 24  # bits of a whole number that float32 holds

products = Exercise(
    name="exact-products",
    stem="""\
An axis of {n_in} pixels becomes {n_out} by a linear resize, as a matrix product.
How many multiplications does each output cost on this axis?""",
    values={"n_in": 80, "n_out": 160},
    draws={"n_in": (48, 64, 80, 96, 112), "n_out": (150, 160, 200, 224, 256)},
    answers=lambda n_in, n_out: {
        "a row of the matrix": n_in,
        "the taps alone": 2,
        "a column of the matrix": n_out,
        "the whole matrix": n_in * n_out,
    },
    unit="multiplications",
    hint="The matrix has {n_out} rows; a product walks along one of them.",
    feedback={
        "the taps alone": "Not yet: the zeros of the row are multiplied too.",
        "the whole matrix": "Not yet: that is all outputs together.",
    },
)


def _most(top: int) -> dict[str, float]:
    fits = math.floor(math.log2(2**EXACT / top))
    return {
        "the sum stays exact": fits,
        "the weights alone": EXACT,
        "Pillow's own bits": 22,
        "bits of a pixel": math.ceil(math.log2(top)),
    }


bits = Exercise(
    name="exact-bits",
    stem="""\
The whole weights of one output add up to a power of two, and none is negative.
Each multiplies a pixel of at most {top}, and `float32` holds every whole number below 2 to the 24.
How many bits may that power have at most (22 is Pillow's)?""",
    values={"top": 255},
    draws={"top": tuple(2**k - 1 for k in range(3, 16) if 2 * k != EXACT)},
    answers=_most,
    unit="bits",
    hint="The largest sum is {top} times the power of two, and it must stay below 2 to the 24.",
    feedback={
        "the weights alone": "Not yet: each weight also meets a pixel.",
        "Pillow's own bits": "Not yet: those are the bits that have to be split.",
    },
)
