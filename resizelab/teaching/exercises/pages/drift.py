"""The exercises of the page "drift"."""

from resizelab import drift
from resizelab.axis.spec import Spec
from resizelab.teaching.exercises.exercise import Exercise


def _miss(steps: int, n: int = 8, grid: str = "asymmetric") -> tuple[float, float]:
    """Return how far doublings move content, in current pixels and in old ones."""
    last = drift.doubling(Spec(grid=grid), n, steps)[-1]
    # A zero stays without a sign: the keys are printed.
    return 0.0 - last.in_current()[0], 0.0 - last.shift


def _five(steps: int, n: int) -> dict[str, float]:
    now, old = _miss(steps, n)
    return {
        "asymmetric": now,
        "pixels of the smallest map": old,
        "halves added": steps * _miss(1, n)[0],
        "half of the whole factor": 2**steps / 2,
        "half_pixel": _miss(steps, n, "half_pixel")[0],
    }


five = Exercise(
    name="drift-five",
    stem="""\
A decoder takes a map of {n}×{n} and doubles it {steps} times.
It was trained on half_pixel and is deployed as asymmetric by mistake.
By how many output pixels is its map off, along each axis?""",
    values={"steps": 5, "n": 8},
    draws={"steps": (2, 3, 4, 6, 7), "n": (6, 7, 8, 9, 10, 12, 14, 16)},
    answers=_five,
    unit="output pixels",
    tolerance=0.05,
    hint="Each doubling adds half a pixel of its own output and doubles what was there.",
    feedback={
        "asymmetric": "Right: (s − 1)/2 for the whole factor s.",
        "pixels of the smallest map": "Not yet: that is the way in pixels of the "
        "smallest map. How many output pixels is one of them?",
        "halves added": "Not yet: the first half pixel is doubled by each later step.",
        "half of the whole factor": "Not yet: that is half a pixel of the smallest map, "
        "which the miss never reaches.",
        "half_pixel": "Not yet: true if both sides used half_pixel.",
    },
)


def _mend(steps: int, n_out: int) -> dict[str, float]:
    now, old = _miss(steps, n_out >> steps)
    return {
        "back by the drift": now,
        "the other way": -now,
        "halves added": steps * _miss(1)[0],
        "pixels of the smallest map": old,
    }


mend = Exercise(
    name="drift-mend",
    stem="""\
You cannot change the deployed model: max pooling down, {steps} asymmetric doublings up, {n_out} pixels out.
You may shift its output; a minus means left and up.
By how many pixels to the right and down?""",
    values={"steps": 3, "n_out": 128},
    draws={"steps": (2, 3, 4, 5, 6), "n_out": (64, 128, 192, 256, 320, 384, 512)},
    answers=_mend,
    unit="pixels",
    tolerance=0.05,
    hint="Asymmetric doublings move content to the upper left. By how much in all?",
    feedback={
        "back by the drift": "Right, and one shift does it: the drift is the same at "
        "every pixel.",
        "the other way": "Not yet: the content already stands too far to the upper left.",
        "halves added": "Not yet: the first half pixel is doubled by each later step.",
        "pixels of the smallest map": "Not yet: you shift the output, so count in its "
        "pixels.",
    },
)
