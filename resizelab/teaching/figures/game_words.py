"""The sentences of the game and of the browsers' table: templates, as in `words`."""

from resizelab.teaching.messages import spoken

SUSPECTS = spoken(
    {
        "name.suspects": "The hidden call: place of the pixel or edge",
        "control.case": "case",
        "control.shape": "what you send",
        "control.pixel": "place of the pixel or edge",
        "control.n_out": "pixels asked for",
        "control.sent": "sent",
        "shape.flat": "flat row",
        "shape.ramp": "ramp",
        "shape.pixel": "bright pixel",
        "shape.edge": "edge",
        "send": "Send it",
        "row": "Row {x}, {m} pixels asked for.",
        "would": "{n} calls are left, with {m} numbered answers.",
        "same": "{n} calls are left: all would answer the same.",
        "crossed": "Answered: {n} are left. Sent: {used}.",
        "solved": "It is {name}: {used} sent, {best} can do it.",
        "best": "It is {name}: {used} sent, the fewest.",
        "answers": "What each would answer in {m} pixels",
        "head.call": "call",
        "head.answer": "answer",
    }
)

CANVAS = spoken(
    {
        "head.way": "asked",
        "head.own": "your browser",
        "head.card": "the card",
        "table.grow": "Enlarging, by browser",
        "table.shrink": "Shrinking, by browser",
        "picture": "{way}: what your browser made",
        "same": "In bold: the same as yours.",
        "alike": "Your browser does as {name} in {n} of {all} ways.",
        "altered": "Your browser changes what a canvas gives back, against being "
        "recognised: nothing can be said of it.",
        "closed": "Your own browser is measured where scripts may run.",
        "absent": "not offered",
        "unknown": "no rule we know; {rule} is {gap} levels off",
        "rule.nearest": "nearest pixel",
        "rule.nearest-right": "nearest pixel, ties to the right",
        "rule.linear": "bilinear",
        "rule.linear-16": "bilinear, in sixteenths",
        "rule.linear-wide": "bilinear, averaged",
        "rule.half-copy": "bilinear of a half-size copy",
        "rule.copies": "bilinear of two smaller copies, mixed",
        "rule.area": "means of areas",
        "rule.cubic": "bicubic, a = \u22120.5",
        "rule.cubic-75": "bicubic, a = \u22120.75",
        "rule.cubic-wide": "bicubic, averaged",
        "rule.mitchell": "Mitchell's bicubic",
        "rule.lanczos": "Lanczos",
        "rule.lanczos-bytes": "Lanczos, bytes between the axes",
        "rule.lanczos-wide": "Lanczos, averaged",
        "rule.lanczos-wide-bytes": "Lanczos, averaged, bytes between the axes",
        "rule.tf1": "TensorFlow 1's bilinear",
    }
)
