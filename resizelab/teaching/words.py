"""The sentences of the explorers: templates, filled in by the page or by Python."""

from resizelab.teaching.messages import spoken

# What is said of a value that somebody typed, in a field or a link.
READ = spoken(
    {
        "read.number": "{key}: {typed} is no number",
        "read.limit": "{key} is {value} here: it goes from {min} to {max}",
        "read.flag": "{key} is 1 or 0",
        "read.count": "{key} needs {count} numbers",
        "read.option": "{key} has no {typed}",
        "read.one": "{key} needs one value",
        "read.key": "{typed} is nothing to set here",
    }
)

# What every explorer says, whatever it shows; in {0} stands the missing key.
SHARED = READ | spoken(
    {
        "numbers": "All numbers",
        "more": "More",
        "copy": "Copy link to this state",
        "again": "Start again",
        "full": "Full screen",
        "copied": "Copied: ",
        "link": "The link: ",
        "address": "The link is now in the address bar.",
        "left": "Left out of the link: {0}.",
        "absent": "This state is not on the page ({0}). Run the chapter live for it.",
        "unsent": "Python sent no {0} for this state.",
        "silent": "No kernel answers: run the cell again, or move back to a shipped "
        "state.",
        "off": "Needs a kernel: run this chapter live.",
    }
)

GRID = spoken(
    {
        "dial.on": "dial, on {stop}",
        "dial.part": "dial, {share} % from {low} to {high}",
        "drawn": "{n} input pixels as tiles and {m} output pixels in {rows} rows. "
        "{all}",
        "input": "input pixels",
        "head": "output pixel {pixel} reads at (shift)",
        "said": "Output pixel {pixel} reads at {all}.",
        "said.row": "{x} ({name})",
        "row": "{name}: output pixel {pixel} reads at {x} ({how}).",
        "row.taps": "{name}: output pixel {pixel} reads at {x} ({how}), {taps}.",
        "tap": "{w} × pixel {j}",  # noqa: RUF001
        "still": "no shift",
        "to_right": "{v} of an input pixel to the right",
        "to_left": "{v} of an input pixel to the left",
        "table": "Read position, and shift against half_pixel, in input pixels",
        "table.pixel": "output pixel",
    }
)

DRIFT = spoken(
    {
        "lengths": "shift {shift} · stretch {stretch} · blur {blur} px",
        "both": "{now} ({original})",
        "belongs": "Pixel {mark} of {n} belongs at {place} of {m}. {all}",
        "spot": "A bright spot in {n} pixels after {steps} doublings. {said}",
        "edge": "An edge in {n} pixels after {steps} doublings. {said}",
        "pixels": "{n} pixels",
        "moved": "moved by",
        "brackets": "in brackets: pixels of the original · moved by",
        "there": "{grid}: it is there.",
        "to_left": "{grid}: it is at {at}, {far} px too far left, or {first} px of the "
        "original.",
        "to_right": "{grid}: it is at {at}, {far} px too far right, or {first} px of "
        "the original.",
        "table": "In pixels of the current image, in brackets of the original; "
        "stretch is at the outermost pixel",
        "table.grid": "grid",
        "table.pixels": "pixels",
        "table.moved": "this pixel moved",
        "shift": "shift",
        "stretch": "stretch",
        "blur": "blur",
    }
)

DISC = spoken(
    {
        "part": "{share} % from {low} to {high}",
        "said": "Radius {radius}, a logit every {stride} pixels, trained with "
        "{trained}. Run with {run}: Dice {dice}, IoU {iou}; {missed} pixels missed, "
        "{extra} too many. Run as trained: Dice {matched}.",
        "drawn": "A disc's outline and the predicted mask. {said}",
        "matched": "Dice, run as trained",
        "table": "By the grid it is run with",
        "table.grid": "grid",
        "table.missed": "missed",
        "table.extra": "too many",
    }
)

RECIPE = spoken(
    {
        "nothing": "nothing",
        "pixel": "pixel {j}",
        "fields": "values of the input pixels",
        "inputs": "Input pixels {all}. {outputs}",
        "outputs": "{name}: output {all}.",
        "matrix": "matrix",
        "matrix.of": "The matrix of {all}: {m} rows, {n} columns; row {pixel} is "
        "marked",
        "and": "{one} and of {other}",
        "said": "{name}: output pixel {pixel} reads at {x}, {sum} = {total}.",
        "table": "Every output pixel's position, in input pixels, and its sum",
        "table.pixel": "output pixel",
        "table.reads": "{name} reads at",
        "table.recipe": "recipe",
        "table.sum": "sum",
    }
)

# Of the reader's own photograph, in an explorer or beside two pictures.
PHOTOGRAPH = spoken(
    {
        "own": "Try your own photograph:",
        "small": "That is no picture of at least {side} by {side} pixels.",
        "forget": "Forget it",
    }
)

PICTURE = PHOTOGRAPH | spoken(
    {
        "mine": "The square is {n} by {n} pixels of your photograph, cut and not "
        "resized. Arrow keys or a click move it. It stays in this browser.",
        "place": "Your photograph, and the square of it that is resized",
        "corner": "The square's corner: row {row}, column {column}",
        "paint": "The picture: arrow keys move, Space paints",
        "cell": "row {row}, column {column}: {v}",
        "blank": "Blank picture",
        "results": "Results of {all}.",
        "large": "The picture; drawing needs one of 16×16",  # noqa: RUF001
        "legend": "Lower row: difference from {reference}. Blue is darker, orange "
        "brighter:",
        "legend.same": "Lower row: difference from {reference}. There is none.",
        "scale": "Scale of differences, {low} to {high}",
        "range": "{low} to {high}",
        "shown": "{name}: {h}×{w} pixels, {range}",  # noqa: RUF001
        "no_reference": "{range}. The reference has no uint8 result.",
        "reference": "the reference",
        "same": "the same numbers",
        "gap": "max {most} (row {row}, column {column}), mean {mean}",
        "less": "{name} less {reference}: {gap}",
        "is_reference": "Pixels {range}. This is the reference.",
        "differs": "Pixels {range}. Difference: {gap}.",
        "four": "Four fit side by side: switch one off to see the others.",
        "said.bytes": "{n}×{n} becomes {h}×{w}, levels from 0 to 255, as the libraries "  # noqa: RUF001
        "return them. Difference from {reference}: {all}.",
        "said.floats": "{n}×{n} becomes {h}×{w}, floats from 0 to 1. "  # noqa: RUF001
        "Difference from {reference}: {all}.",
        "listed": "{name}: numbers are listed up to 12×12",  # noqa: RUF001
        "table.row": "row",
    }
)

PREDICT = spoken(
    {
        "heading": "Guess first.",
        "heading.practice": "Your answer.",
        "and": "{one} and {other}",
        "with": "{label} with {value}",
        "right.practice": "Right, that is {names}.",
        "wrong.practice": "Not yet: that is {names}.",
        "unknown.practice": "Not yet, and nothing known here gives that.",
        "unknown": "You said {guess}? No convention here gives that.",
        "nearest": "You said {guess}? No convention here gives that; nearest is "
        "{names}.",
        "right": "You said {guess}: right, that is {names}.",
        "like": "You said {guess}? You think like {names}.",
        "here": "Here the answer is {answer}.",
        "here.label": "Here the answer is {answer} ({label}).",
        "line": "Number line: {mine} {guess}; {all}",
        "guess": "Your guess",
        "answer": "Your answer",
        "your_guess": "your guess",
        "your_answer": "your answer",
        "copied.answers": "Your answers are copied.",
        "copy_field": "Copy the text in the field.",
        "choose": "Choose first: a guess costs nothing.",
        "choose.practice": "Choose first: a wrong answer costs nothing.",
        "write": "Write a number first: a guess costs nothing.",
        "write.practice": "Write a number first: a wrong answer costs nothing.",
        "check": "Check",
        "commit": "Commit the guess",
        "all": "All answers of this page",
        "copy_all": "Copy my answers",
        "none": "no answer",
        "found": "{guess}, right",
        "missed": "{guess}, wrong",
        "try": ", try {n}",
        "try.before": ", try {n} (before: {before})",
        "worked": "Worked solution",
        "you": " ← you",
    }
)
