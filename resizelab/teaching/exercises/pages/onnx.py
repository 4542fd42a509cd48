"""The exercises of the page "onnx"."""

import math

from resizelab.axis.grid import grid
from resizelab.axis.spec import Spec
from resizelab.drift import chain
from resizelab.teaching.exercises.exercise import Exercise


def _opset_ten(scale: int) -> dict[str, float]:
    (step,) = chain(Spec(grid="asymmetric"), 16, [16 * scale])
    (fair,) = chain(Spec(grid="half_pixel"), 16, [16 * scale])
    return {
        "asymmetric": -step.in_current()[0],
        "asymmetric, counted in pixels of the input": -step.shift,
        "half_pixel": abs(fair.shift),
    }


opset_ten = Exercise(
    name="onnx-opset-ten",
    stem="""\
A network that enlarges its map {scale} times, half_pixel, is exported to opset 10.
By how many pixels of the output does the picture move to the left?""",
    values={"scale": 4},
    draws={"scale": range(2, 25)},
    answers=_opset_ten,
    unit="pixels",
    tolerance=0.05,
    hint="Opset 10 has TensorFlow 1's grid, and half_pixel does not move anything.",
    feedback={
        "asymmetric, counted in pixels of the input": "Not yet: those are pixels of "
        "the input, and each of them is several of the output.",
    },
)


def _kept(n: int, hundredths: int) -> dict[str, float]:
    scale = hundredths / 100
    kept = math.floor(n * scale)
    return {
        "ONNX Runtime": n / scale - 0.5 / scale - 0.5,
        "PyTorch, which copies": float(grid("half_pixel", n, kept).positions()[-1]),
    }


kept = Exercise(
    name="onnx-kept",
    stem="""\
A file holds half_pixel and the scale {scale}.
{n} rows times {scale} are {n} rows again, and the columns become more.
Where does the last row of the file's answer read, to two decimals?""",
    values={"n": 12, "hundredths": 105},
    draws={"n": range(5, 16), "hundredths": (103, 104, 105, 106)},
    answers=_kept,
    tolerance=0.02,
    shown=lambda n, hundredths: {"scale": hundredths / 100, "last": n - 1},
    hint="Row {last} is the last, and ONNX Runtime divides by the scale that it is given.",
    feedback={
        "PyTorch, which copies": "Not yet: so reads PyTorch, which copies such rows.",
    },
)
