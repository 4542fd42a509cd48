"""The exercises of the page "pipelines"."""

from resizelab.pipelines import Crop, sized
from resizelab.teaching.exercises.exercise import Exercise


def _long(h: int, w: int, short: int) -> dict[str, float]:
    return {
        "the fraction cut off": sized("short_int", h, w, (short,)).size[1],
        "rounded, as albumentations does": sized("round_short", h, w, (short,)).size[1],
        "the short side": short,
    }


long = Exercise(
    name="pipelines-long",
    stem="""\
A photograph of {h} × {w} is resized so that its short side is {short}, by torchvision's rule.
How long is the other side?""",
    values={"h": 300, "w": 431, "short": 256},
    draws={
        "h": (300, 320, 375, 427),
        "w": (431, 487, 500, 563, 640),
        "short": (224, 232, 256),
    },
    answers=_long,
    unit="pixels",
    tolerance=0.4,
    hint="{short} · {w} / {h} = {product:.2f}, and torchvision takes `int` of it.",
    shown=lambda h, w, short: {"product": short * w / h},
    feedback={},
)


def _column(n_in: int, n_out: int) -> dict[str, float]:
    def before(offset: str) -> int:
        crop = Crop(size=(n_out, n_out), offset=offset)
        return crop.moved((n_out, n_in), (n_out, n_in)).before[1]

    return {
        "half to even": before("half_even"),
        "down, as transformers does": before("floor"),
        "all that falls away": n_in - n_out,
    }


column = Exercise(
    name="pipelines-column",
    stem="""\
A picture {n_in} columns wide is cut to its middle {n_out} by torchvision's `CenterCrop`.
Which column of it comes first, counted from 0?""",
    values={"n_in": 311, "n_out": 224},
    draws={"n_in": (283, 299, 307, 311, 331, 355), "n_out": (224, 240, 256)},
    answers=_column,
    unit="columns",
    tolerance=0.4,
    hint="Half of {away} is {half}; Python's `round` takes a half to the even number.",
    shown=lambda n_in, n_out: {"away": n_in - n_out, "half": (n_in - n_out) / 2},
    feedback={
        "down, as transformers does": "Not yet: that is transformers, one pixel to the left.",
    },
)
