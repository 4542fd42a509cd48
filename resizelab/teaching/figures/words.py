"""The sentences of the figures: templates, filled in by the page."""

from resizelab.teaching.messages import spoken
from resizelab.teaching.words import PHOTOGRAPH, READ

SHARED = READ | spoken(
    {
        "more": "More about this figure",
        "copy": "Copy link",
        "again": "Start again",
        "full": "Full screen",
        "numbers": "All numbers",
        "copied": "Copied: {link}",
        "link": "The link: {link}",
        "absent": "This state is not on the page. Run the chapter live for it.",
        "left": "Left out of the link: {0}.",
    }
)

GRIDS = spoken(
    {
        "name.tiles": "Pixels as tiles: output pixel",
        "name.posts": "Pixels as fence posts: output pixel",
        "name.both": "Tiles that start on the first post: output pixel",
        "name.ribbons": "What each output reads: output pixel",
        "name.mix": "What the two calls mix: output pixel",
        "name.dial": "Slide or fan: output pixel",
        "laid.half_pixel": "both rows of tiles cover the same wall",
        "laid.align_corners": "both rows of posts end at the same places",
        "laid.asymmetric": "small tiles are laid from the first middle on",
        "reads": "Output pixel {i} reads at {x}.",
        "short": "output {i} reads at {x}",
        "takes": "Output pixel {i} under {grid} takes {taps}.",
        "tap": "{w} × pixel {j}",  # noqa: RUF001
        "unread": "No output reads input pixel {all}.",
        "slide": "All reads stand {gap} to the right of half_pixel's: they slide.",
        "slide_left": "All reads stand {gap} to the left of half_pixel's: they slide.",
        "fan": "The first read stands {first} and the last {last} from half_pixel's: "
        "the row stretches or shrinks.",
        "by.slide": "all {gap} px to the right",
        "by.slide_left": "all {gap} px to the left",
        "by.fan": "first {first} px, last {last} px",
        "by.same": "the same reads",
        "same": "Every read is half_pixel's.",
        "between": "{share} % of the way from {a} to {b}",
        "pixels": "{n} input pixels, {m} output pixels. {grid}",
        "row.half_pixel": "half_pixel",
        "row.dial": "the dial",
        "head.pixel": "output pixel",
        "head.reads": "reads at",
        "head.takes": "takes",
        "control.grid": "grid",
        "control.dial": "dial",
    }
)

COMPARE = PHOTOGRAPH | spoken(
    {
        "blink": "Blink",
        "swap": "Swap",
        "mask": "As a mask",
        "stage": "Two pictures in one place: {shown} is shown. "
        "Space swaps, arrows move the loupes",
        "loupe": "{label}, {zoom} times larger",
        "right": "Yes. ",
        "wrong": "No. ",
        "shown": "{label} is shown.",
        "answer": "The answer",
        "mine": "The middle of your photograph, {side} by {side} pixels, cut and not "
        "resized, by the operators of the same two calls: {n} by {n} pixels. "
        "It stays in this browser.",
    }
)
