"""The exercises of the page "grids"."""

from resizelab.arrays.sizes import output_size
from resizelab.axis.grid import grid
from resizelab.teaching.exercises.exercise import Exercise


def _meeting(n_in: int, n_out: int) -> dict[str, float]:
    middle = n_out // 2
    half, asymmetric = (
        float(grid(name, n_in, n_out).positions()[middle])
        for name in ("half_pixel", "asymmetric")
    )
    return {
        "half_pixel and align_corners": half,
        "asymmetric": asymmetric,
        "pixels counted from 1": half + 1,
        "output pixels counted": middle,
    }


five_to_three = Exercise(
    name="grids-five-to-three",
    stem="""\
Resize {n_in} pixels to {n_out} and write down where each of the three grids reads.
One output pixel reads the same place under half_pixel and under align_corners.
At which input position, counted from 0, do the two agree?""",
    values={"n_in": 5, "n_out": 3},
    draws={"n_in": range(4, 20), "n_out": (3, 5, 7, 9, 11)},
    answers=_meeting,
    tolerance=0.05,
    hint="The steps are {n_in}/{n_out} for tiles and {n_in} − 1 over {n_out} − 1 for "
    "posts: both rows have the same middle.",
    feedback={
        "half_pixel and align_corners": "Right: the middles of both rows coincide, "
        "whatever the sizes.",
        "asymmetric": "Not yet: that is where asymmetric reads for the same output "
        "pixel. It does not agree with the other two.",
        "pixels counted from 1": "Not yet: the first input pixel is number 0.",
        "output pixels counted": "Not yet: that is the number of the output pixel. "
        "Where in the input does it read?",
    },
)


def _posts(n: int) -> dict[str, float]:
    sizes = range(n + 1, 2 * n + 2)
    halves = next(m for m in sizes if grid("align_corners", n, m).step == 0.5)
    return {
        "one new post in each gap": halves,
        "scale_factor=2": output_size(n, 2, "floor"),
        "gaps counted": halves - 1,
    }


why_257 = Exercise(
    name="grids-why-257",
    stem="""\
Networks that use `align_corners=True` like sizes such as 129 and 257.
Enlarge {n} posts so that each stays where it is and each gap gets a post in its middle.
How many posts is that?""",
    values={"n": 129},
    draws={"n": range(9, 386, 4)},
    answers=_posts,
    unit="posts",
    tolerance=0.2,
    hint="How many gaps do {n} posts have? Each of them gets one post more.",
    feedback={
        "scale_factor=2": "Not yet: that is what `scale_factor=2` gives. The last post "
        "has no gap behind it.",
        "gaps counted": "Not yet: so many gaps there are in the new row. A row has one "
        "post more than gaps.",
    },
)
