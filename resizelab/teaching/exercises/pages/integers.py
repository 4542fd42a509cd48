"""The exercises of the page "integers"."""

import math

import resizelab as rl
from resizelab.teaching.exercises.exercise import Exercise

_STEP = 10


def _float(base: int, pixel: int) -> float:
    ramp = [float(base + _STEP * j) for j in range(4)]
    return float((rl.weights(rl.Spec(), 4, 8) @ ramp)[pixel - 1])


def _cut(base: int, pixel: int) -> dict[str, float]:
    y = _float(base, pixel)
    return {"truncated": math.floor(y), "rounded": math.floor(y + 0.5), "kept": y}


def _even(base: int, pixel: int) -> dict[str, float]:
    y = _float(base, pixel)
    return {"half to even": round(y), "half up": math.floor(y + 0.5), "kept": y}


def _shown(base: int, pixel: int) -> dict[str, object]:
    return {
        "ramp": tuple(base + _STEP * j for j in range(4)),
        "i": pixel - 1,
        "value": _float(base, pixel),
    }


_DRAWS = {"base": range(0, 60, 2), "pixel": range(2, 8)}

cut = Exercise(
    name="integers-cut",
    stem="""\
The bytes {ramp} become eight in ONNX Runtime, linear and half_pixel.
Which byte is output {i}?""",
    values={"base": 6, "pixel": 3},
    draws=_DRAWS,
    answers=_cut,
    tolerance=0.2,
    shown=_shown,
    hint="In floats it is {value}, and ONNX Runtime cuts.",
    feedback={
        "truncated": "Right: what follows the point of {value} is cut off.",
        "rounded": "Not yet: PyTorch, OpenCV and Pillow say so.",
        "kept": "Not yet: that is the float, and a byte is whole.",
    },
)

even = Exercise(
    name="integers-even",
    stem="""\
The bytes {ramp} become eight in OpenVINO, linear and half_pixel.
Which byte is output {i}?""",
    values={"base": 2, "pixel": 4},
    draws=_DRAWS,
    answers=_even,
    tolerance=0.2,
    shown=_shown,
    hint="In floats it is {value}, and a half goes to the even neighbour.",
    feedback={
        "half to even": "Right: of the two neighbours of {value} this one is even.",
        "half up": "Not yet: PyTorch, OpenCV and Pillow say so.",
        "kept": "Not yet: that is the float, and a byte is whole.",
    },
)
