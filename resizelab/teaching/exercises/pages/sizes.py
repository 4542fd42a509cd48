"""The exercises of the page "sizes"."""

import math

from resizelab.arrays.sizes import output_size
from resizelab.teaching.exercises.exercise import Exercise


def _height(n: int, quarters: int) -> dict[str, float]:
    scale = quarters / 4
    return {
        "half_even": float(output_size(n, scale, "half_even")),
        "half_up": float(output_size(n, scale, "half_up")),
    }


height = Exercise(
    name="sizes-height",
    stem="""\
A picture is {n} pixels high.
How high does `cv2.resize` make it with `fy={scale}`?""",
    values={"n": 426, "quarters": 1},
    draws={"n": range(402, 500, 8), "quarters": (1, 5)},
    answers=_height,
    unit="pixels",
    tolerance=0.4,
    shown=lambda n, quarters: {"scale": quarters / 4, "product": n * quarters / 4},
    hint="The product is {product}, and OpenCV rounds a half to the even neighbour.",
    feedback={"half_up": "Not yet: a half does not always go up."},
)


def _last(n: int, tenths: int) -> dict[str, float]:
    scale = tenths / 10
    n_out = math.floor(n * scale)

    def read(step: float) -> float:
        return (n_out - 0.5) * step - 0.5

    reads = {
        "the step is 1 / scale_factor": read(1 / scale),
        "the step comes from the sizes": read(n / n_out),
    }
    if reads["the step is 1 / scale_factor"] > n - 1:
        reads["moved to the last pixel"] = n - 1.0
    return reads


last = Exercise(
    name="sizes-last",
    stem="""\
PyTorch enlarges {n} pixels by `scale_factor={scale}`, half_pixel.
The last of the {n_out} outputs is number {number}.
Where does it read, to two decimals?""",
    values={"n": 5, "tenths": 13},
    draws={"n": range(5, 16), "tenths": (13, 15, 17, 19, 23)},
    answers=_last,
    tolerance=0.01,
    shown=lambda n, tenths: {
        "scale": tenths / 10,
        "n_out": math.floor(n * tenths / 10),
        "number": math.floor(n * tenths / 10) - 1,
    },
    hint="The place is ({number} + 0.5) · step − 0.5, and the step is 1/{scale}.",
    feedback={
        "the step is 1 / scale_factor": "Right: with a factor, the step is 1/{scale}.",
        "the step comes from the sizes": "Not yet: that is what "
        "`recompute_scale_factor=True` does.",
    },
)
