"""The minute plan.

>>> sum(part.minutes for part in MINUTES)
90
"""

from typing import NamedTuple


class Part(NamedTuple):
    """A part of the lesson: its key in the page, minutes, title, what is done."""

    key: str
    minutes: int
    title: str
    does: str


MINUTES = (
    Part(
        "guess",
        10,
        "Guess",
        "Everybody commits to one number before anything is explained. "
        "Count hands in the tally box, then open the answers.",
    ),
    Part(
        "grids",
        25,
        "Grids",
        "Fill in the worksheet in pairs, one grid after the other. "
        "Turn the dial on the wall; compare with the sheets.",
    ),
    Part(
        "drift",
        20,
        "Drift",
        "How far does a point move in three doublings? "
        "Guess, count hands, then add the doublings one by one.",
    ),
    Part(
        "detective",
        25,
        "Detective",
        "Five resizers without a name. "
        "Each group names them from their numbers and says which number gave it away.",
    ),
    Part(
        "quiz",
        10,
        "Exit quiz",
        "Everybody alone, with paper. "
        "“Copy my answers” gives a text for the course system.",
    ),
)


def clock() -> list[tuple[int, int, Part]]:
    """Return (from, to, part) for each part, in minutes from the start."""
    out, now = [], 0
    for part in MINUTES:
        out.append((now, now + part.minutes, part))
        now += part.minutes
    return out
