"""The exercises of the page "volumes"."""

import numpy as np

import resizelab as rl
from resizelab.teaching.exercises.exercise import Exercise


def _wrong_slices(chunks: int, slices: int, factor: int) -> dict[str, float]:
    n, alone = chunks * slices, np.zeros((factor * chunks * slices, chunks * slices))

    def wrong(grid: str) -> int:
        spec = rl.Spec(grid=grid)
        part = rl.weights(spec, slices, factor * slices).dense()
        for k in range(chunks):
            rows = slice(k * factor * slices, (k + 1) * factor * slices)
            alone[rows, k * slices : (k + 1) * slices] = part
        whole = rl.weights(spec, n, factor * n).dense()
        return int((abs(alone - whole).max(1) > 1e-9).sum())

    seams = wrong("half_pixel")
    return {
        "half_pixel": seams,
        "one side of each seam": seams / 2,
        "both ends of every chunk": seams * chunks / (chunks - 1),
        "align_corners": wrong("align_corners"),
    }


seams = Exercise(
    name="volumes-seams",
    stem="""\
A volume is enlarged {factor} times along z by `trilinear`, `align_corners=False`.
It is done in {chunks} chunks of {slices} slices, each alone.
How many new slices are wrong?""",
    values={"chunks": 6, "slices": 5, "factor": 4},
    draws={
        "chunks": range(4, 13),
        "slices": range(3, 9),
        "factor": (2, 3, 4, 5, 6),
    },
    answers=_wrong_slices,
    unit="slices",
    tolerance=0.4,
    hint="There are {inner} seams, and a new slice is wrong if it reads across one.",
    shown=lambda chunks, slices, factor: {"inner": chunks - 1},
    feedback={
        "half_pixel": "Right: on both sides of each seam, those that read across it.",
        "one side of each seam": "Not yet: that is one side of each seam. "
        "The first slices of a chunk miss a neighbour too.",
        "both ends of every chunk": "Not yet: that is both ends of every chunk. "
        "The volume's own two ends are right.",
        "align_corners": "Not yet: that is align_corners.",
    },
)


def _spacings(n_in: int, spacing: int) -> dict[str, float]:
    n_out = n_in * spacing
    return {
        "align_corners": (n_in - 1) * spacing / (n_out - 1),
        "half_pixel": n_in * spacing / n_out,
        "posts counted in, tiles out": (n_in - 1) * spacing / n_out,
        "the slices as they were": spacing,
    }


spacing = Exercise(
    name="volumes-spacing",
    stem="""\
A scan has {n_in} slices, {spacing} mm apart.
`scipy.ndimage.zoom`, called without more, makes {n_out} of them.
How many millimetres are the new ones apart, to three decimals?""",
    values={"n_in": 30, "spacing": 6},
    draws={"n_in": range(16, 41), "spacing": (3, 4, 5, 6, 8)},
    answers=_spacings,
    unit="mm",
    tolerance=0.001,
    shown=lambda n_in, spacing: {"n_out": n_in * spacing, "gaps": n_in - 1},
    hint="The first and the last slice stay where they are: {gaps} gaps of {spacing} mm.",
    feedback={
        "half_pixel": "Not yet: that is half_pixel, and what the header will say.",
        "posts counted in, tiles out": "Not yet: that is the old length over the number "
        "of new slices. They have one gap less than that.",
        "the slices as they were": "Not yet: that is how far apart the old slices were.",
    },
)
