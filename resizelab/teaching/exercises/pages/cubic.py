"""The exercises of the page "cubic"."""

import numpy as np

from resizelab.arrays.resizing import weights
from resizelab.axis.kernel import kernel
from resizelab.axis.spec import Spec
from resizelab.teaching.exercises.exercise import Exercise

_BOUNDARIES = {"edge": "exclude", "exclude": "edge"}


def _resized(
    a: float, boundary: str, pixels: tuple[float, ...], n_out: int
) -> list[float]:
    spec = Spec(kernel="cubic", a=a, boundary=boundary)
    out: list[float] = (weights(spec, len(pixels), n_out) @ np.array(pixels)).tolist()
    return out


def _taps(a: float) -> list[float]:
    """Return the weights of pixels 0 and 1 for a read at −0.25."""
    return [float(w) for w in kernel("cubic", a=a)(np.array([0.25, 1.25]))]


def _first(a: float, pixels: tuple[float, ...]) -> dict[str, float]:
    first, second = _taps(a)
    return {
        "exclude": _resized(a, "exclude", pixels, 8)[0],
        "edge": _resized(a, "edge", pixels, 8)[0],
        "not divided by the sum": first * pixels[0] + second * pixels[1],
        "the kernel at −0.25 clipped to 0": pixels[0],
    }


by_hand = Exercise(
    name="cubic-by-hand",
    stem="""\
At −0.25 with a = {a:g}, pixel 0 has weight {first:.4f} and pixel 1 has {second:.4f}.
The boundary rule is `exclude`, and the pixels are {pixels:g}.
What is the first of eight outputs?""",
    values={"a": -0.75, "pixels": (0.0, 10.0, 20.0, 30.0)},
    draws={
        "a": (-0.5, -0.6, -0.75, -0.9, -1.0),
        "pixels": (
            *((0.0, 10.0, 20.0, 30.0), (0.0, 20.0, 40.0, 60.0)),
            *((10.0, 30.0, 50.0, 70.0), (0.0, 50.0, 50.0, 0.0)),
            *((5.0, 45.0, 25.0, 65.0), (0.0, 80.0, 40.0, 20.0)),
            *((60.0, 10.0, 30.0, 20.0), (0.0, 100.0, 50.0, 25.0)),
            *((16.0, 64.0, 32.0, 0.0), (90.0, 30.0, 60.0, 0.0)),
            *((0.0, 35.0, 70.0, 105.0), (7.0, 77.0, 7.0, 77.0)),
        ),
    },
    answers=_first,
    tolerance=0.012,
    hint="`exclude` leaves out pixels −1 and −2. What do the two weights that remain "
    "add up to?",
    feedback={
        "exclude": "Right: weigh, add, divide by the sum of the weights that remain.",
        "edge": "Not yet: that is `edge`, which lets pixel 0 stand in for the missing.",
        "not divided by the sum": "Not yet: the weights you used do not add up to 1.",
    },
    shown=lambda a, pixels: dict(zip(("first", "second"), _taps(a), strict=True)),
)


def _choice(a: float, boundary: str) -> str:
    return f"a = {a:g}, {boundary}".replace("-", "−")


def _library(a: float, boundary: str, bright: float) -> dict[str, str]:
    other, rule = -1.25 - a, _BOUNDARIES[boundary]
    return {
        "right": _choice(a, boundary),
        "the other boundary": _choice(a, rule),
        "the other a": _choice(other, boundary),
        "both the other way": _choice(other, rule),
    }


def _numbers(a: float, boundary: str, bright: float) -> dict[str, float]:
    one = (0.0, 0.0, bright, 0.0, 0.0)
    ten = _resized(a, boundary, one, 10)
    other = _resized(a, _BOUNDARIES[boundary], one, 10)
    return {"third": ten[2], "fourth": ten[3], "otherwise": other[2]}


name_it = Exercise(
    name="cubic-name",
    stem="""\
A library turns 0, 0, {bright:g}, 0, 0 into ten numbers.
The fourth is {fourth:.4f}, the third {third:.4f}.
Which a is it, and which boundary?""",
    values={"a": -0.5, "boundary": "exclude", "bright": 1.0},
    draws={
        "a": (-0.5, -0.75),
        "boundary": ("edge", "exclude"),
        "bright": (1.0, 10.0, 50.0, 64.0, 100.0, 128.0, 200.0, 255.0),
    },
    answers=_library,
    choices=[_choice(a, rule) for a in (-0.5, -0.75) for rule in _BOUNDARIES],
    hint="The fourth output stands at 1.25, where all four pixels exist: it gives a. "
    "The third stands at 0.75 and would like a pixel −1.",
    feedback={
        "right": "Right: the fourth number gives a, the third the boundary.",
        "the other boundary": "Not yet: a fits, but with this boundary the third number "
        "is {otherwise:.4f}.",
        "the other a": "Not yet: with this a the fourth number is another.",
        "both the other way": "Not yet: compute the fourth number for both values of a.",
    },
    shown=_numbers,
)
