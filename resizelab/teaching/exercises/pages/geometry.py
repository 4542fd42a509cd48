"""The exercises of the page "geometry"."""

from resizelab.axis.spec import Spec
from resizelab.geometry.mapping import place
from resizelab.teaching.exercises.exercise import Exercise

ORIGIN = "centre_at_integer"


def _centre(n_in: int, n_out: int, cx: float) -> dict[str, float]:
    k = [[500.0, 0, cx], [0, 500, cx], [0, 0, 1]]

    def moved(grid: str, origin: str = ORIGIN) -> float:
        placed = place(Spec(grid=grid), (n_in, n_in), (n_out, n_out))
        return float(placed.intrinsics(k, origin)[0, 2])

    return {
        "half_pixel": moved("half_pixel"),
        "cx times the scale": moved("half_pixel", "centre_at_half"),
        "half a pixel added and left there": moved("half_pixel") + 0.5,
        "align_corners": moved("align_corners"),
    }


camera = Exercise(
    name="geometry-camera",
    stem="""\
A camera matrix has cx = {cx:g}, and the centre of the first pixel is (0, 0).
The picture is {n_in} pixels wide and is resized to {n_out} with half_pixel.
What is the new cx?""",
    values={"n_in": 640, "n_out": 160, "cx": 300.0},
    draws={
        "n_in": (320, 640, 960, 1280),
        "n_out": (80, 160, 240, 480, 1920),
        "cx": (100.0, 120.0, 150.0, 210.0, 250.0),
    },
    answers=_centre,
    unit="pixels",
    tolerance=0.006,  # 37.125 said to two decimals
    hint="Go to the corner of the picture first: there cx is {corner:g}. "
    "Scale it, then go back.",
    feedback={
        "half_pixel": "Right: half a pixel more before, half a pixel less after.",
        "cx times the scale": "Not yet: that is right where the corner of the picture is "
        "(0, 0), and here it is (−0.5, −0.5).",
        "half a pixel added and left there": "Not yet: you went to the corner and stayed "
        "there.",
        "align_corners": "Not yet: align_corners, which keeps the corner pixels.",
    },
    shown=lambda n_in, n_out, cx: {"corner": cx + 0.5},
)


def _last(first: int, last: int, factor: int) -> dict[str, float]:
    placed = place(Spec(), (256, 256), (256 * factor, 256 * factor))
    box = placed.boxes([first, first, last, last], "xyxy_inclusive")
    return {
        "the last pixel of the last": float(box[2]),
        "last pixel times the factor": float(last * factor),
        "the edge": float(box[2] + 1),
        "the middle of the last": float(placed.points([last, last])[0]),
    }


pixels = Exercise(
    name="geometry-pixels",
    stem="""\
An object covers pixels {first} to {last} of a row, both included.
The row is enlarged by {factor}, with half_pixel.
Which pixel is the object's last one now?""",
    values={"first": 10, "last": 19, "factor": 4},
    draws={
        "first": (3, 8, 10, 12),
        "last": (19, 23, 30, 41, 55),
        "factor": (3, 4, 5, 6, 8),
    },
    answers=_last,
    tolerance=0.1,
    hint="The object ends at edge {edge}. Where does that edge go, and which pixel lies "
    "before it?",
    feedback={
        "the last pixel of the last": "Right: scale the edge, then step back one pixel.",
        "last pixel times the factor": "Not yet: that is the first of the pixels that "
        "pixel {last} became.",
        "the edge": "Not yet: that pixel begins where the object ends.",
        "the middle of the last": "Not yet: that is where the centre of pixel {last} "
        "goes.",
    },
    shown=lambda first, last, factor: {"edge": last + 1},
)
