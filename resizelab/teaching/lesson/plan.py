"""The minute plan.

>>> sum(part.minutes for part in MINUTES)
90
"""

from typing import NamedTuple


class Part(NamedTuple):
    """A part of the lesson: its key in the page, minutes, title, what is done.

    ``prompts`` are for talking, ``listen`` says what to wait for.
    """

    key: str
    minutes: int
    title: str
    does: str
    prompts: tuple[str, ...]
    listen: str


MINUTES = (
    Part(
        "guess",
        10,
        "Guess",
        "Everybody writes one number down before anything is explained. "
        "Then the choices, A to D; hands; the tallies; the answers.",
        (
            "Three numbers are right somewhere. What would “right” have to mean?",
            "Where would you notice in your own work that a library computes another?",
        ),
        "Wait for: right is what the training used. Nobody has to be persuaded yet.",
    ),
    Part(
        "grids",
        25,
        "Grids",
        "Fill in the worksheet in pairs, one grid after the other. "
        "Then look at the grids one by one; compare with the sheets.",
        (
            "Name something that is a row of tiles, and something that is a row of "
            "posts.",
            "Which grid would you choose for temperatures along a rod? For a photo?",
            "Reading a row backwards should change nothing else. Which grid fails, and "
            "what would that do to a mirrored training picture?",
        ),
        "Wait for: asymmetric fails, and mirroring, a usual augmentation, then teaches "
        "a network two positions for one thing.",
    ),
    Part(
        "drift",
        20,
        "Drift",
        "How far does a point move in three doublings? "
        "Guess, count hands, then add the doublings one by one.",
        (
            "The drift never exceeds half a pixel of the original. Why is it a problem "
            "all the same?",
            "A network doubles five times on the wrong grid. Where would you look for "
            "the damage: in the mean IoU, in small objects, at edges?",
        ),
        "Wait for: the output counts in its own pixels, 15.5 after five doublings; "
        "small objects lose first.",
    ),
    Part(
        "detective",
        25,
        "Detective",
        "Five resizers without a name. "
        "Each group names them from their numbers and says which number gave it away.",
        (
            "Which single row of pixels would you send to an unknown library first?",
            "Two of the five agree on the shortened ramp. What told them apart?",
        ),
        "Wait for: one bright pixel. What comes back is the kernel itself.",
    ),
    Part(
        "quiz",
        10,
        "Exit quiz",
        "Everybody alone, with paper. "
        "“Copy my answers” gives a text for the course system.",
        (
            "What will you write beside your next model, so that nobody has to guess "
            "its resize?",
        ),
        "Wait for: library and version, call with all arguments, sizes, bytes or "
        "floats, mean and deviation.",
    ),
)


def clock() -> list[tuple[int, int, Part]]:
    """Return (from, to, part) for each part, in minutes from the start."""
    out, now = [], 0
    for part in MINUTES:
        out.append((now, now + part.minutes, part))
        now += part.minutes
    return out
