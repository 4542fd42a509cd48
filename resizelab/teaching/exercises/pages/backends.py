"""The exercises of the page "backends"."""

import resizelab as rl
from resizelab.teaching.exercises.exercise import Exercise


def _gap(n: int, by: int) -> dict[str, float]:
    row = [float(by * j) for j in range(n)]
    one, first = (
        float((rl.weights(rl.Spec(grid=grid), n, 1) @ row)[0])
        for grid in ("half_pixel", "pytorch_half_pixel")
    )
    return {
        "the middle against pixel 0": one - first,
        "the same function": 0.0,
        "half a pixel": by / 2,
        "the last pixel against pixel 0": row[-1],
    }


def _score(low: int, high: int) -> dict[str, float]:
    mean, square = (low + high) / 2, (low * low + low * high + high * high) / 3
    return {
        "the product of the means over the mean square": mean * mean / square,
        "the correlation": 0.0,
        "even odds": 0.5,
        "equal maps": 1.0,
    }


one_pixel = Exercise(
    name="backends-one-pixel",
    stem="""\
A branch of a network ends in a row of {n} pixels, in which pixel *j* holds {by} *j*.
A Resize node makes one pixel of it.
By how much do half_pixel and pytorch_half_pixel differ?""",
    values={"n": 7, "by": 10},
    draws={"n": range(4, 16), "by": (2, 4, 6, 10, 20)},
    answers=_gap,
    tolerance=0.05,
    hint="One of them reads pixel 0, the other the middle of the row.",
    feedback={
        "the same function": "Not yet: they are the same at every output length but "
        "one, and this is the one.",
        "half a pixel": "Not yet: that is a shift by half a pixel. Which two places "
        "are read?",
        "the last pixel against pixel 0": "Not yet: half_pixel does not read the last "
        "pixel.",
    },
)

unrelated = Exercise(
    name="backends-unrelated",
    stem="""\
Two maps have nothing to do with each other.
The numbers of both are spread evenly between {low} and {high}.
What is their cosine similarity?""",
    values={"low": 1, "high": 3},
    draws={"low": (0, 1, 2, 3), "high": range(3, 13)},
    answers=_score,
    tolerance=0.015,
    hint="""\
Unrelated means that the mean of the products is the product of the means.
Divide it by the mean of the squares.""",
    feedback={
        "the correlation": "Not yet: that is the correlation. Cosine does not take "
        "the mean away first.",
        "even odds": "Not yet: it depends on how the numbers are spread.",
        "equal maps": "Not yet: that is the score of two equal maps.",
    },
)
