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

PICTURE = spoken(
    {
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
        "you": " ← you",
    }
)

CARD = spoken(
    {
        "level": "{n} level",
        "levels": "{n} levels",
        "call": "{n} recorded call",
        "calls": "{n} recorded calls",
        "node": "{n} resize node",
        "nodes": "{n} resize nodes",
        "or": "{one} or {other}",
        "how.rounded": "rounded",
        "how.cut": "cut",
        "how.wrapped": "wrapped",
        "how.rounded_wrapped": "rounded and wrapped",
        "whole": "{ways} to whole numbers",
        "divided": "divided by {by}",
        "divided.minus": "divided by {by}, minus {of}",
        "divided.plus": "divided by {by}, plus {of}",
        "compared": "Compared with the answers for {pixels}.",
        "swapped": "Its height and width are swapped: OpenCV and Pillow take the width "
        "first.",
        "transposed": "Your picture is transposed.",
        "alike": "All channels are alike.",
        "channelwise": "Each channel was compared by itself.",
        "and_more": " and {n} more",
        "given.call": "{name}, given {given}: ",
        "as_called": "As they are called",
        "given": "Given {types}:",
        "given.then": "Given {types}, then {how}:",
        "given.miss": "At most {far} away, given {types}:",
        "apart": "Alike on this card, but not at {parts}:",
        "same": "Same numbers as {calls}.",
        "not_this": "Not this card: nothing recorded is near, and no single mistake "
        "explains it.",
        "no_call": "No recorded call gives these numbers.",
        "misses": "Nearest misses",
        "where": "Where the sides differ: most in row {row}, column {column}",
        "drop": "Drop the result here, or choose the file: .npy, .png and others, or a "
        "model: .onnx, .tflite",
        "paste": "Or paste numbers: all {n}, or eight",
        "name": "Name these numbers",
        "pocket": "The pocket version: resize {pixels} to eight pixels.",
        "or_pocket": " or ",
        "alt": "The card: two letters, R and L, of bright noise on dark noise",
        "png": "Download PNG",
        "npy": "Download .npy",
        "as_numbers": "The card as numbers",
        "refused.itself": "This is the card itself. Resize the card to height {h}, "
        "width {w}.",
        "refused.size": "Wrong size: this is {shape}. Resize the card to height {h}, "
        "width {w}.",
        "refused.one_number": "Wrong size: this is one number. Resize the card to "
        "height {h}, width {w}.",
        "refused.count": "{given} numbers: {n} or 8 are needed. Was the middle left "
        "out?",
        "refused.count_one": "{given} number: {n} or 8 are needed. Was the middle left "
        "out?",
        "refused.infinite": "It holds NaN or infinity.",
        "refused.broken": "The file is damaged: its header and its content do not fit.",
        "refused.dtype": "dtype {type} is not read here: save it as float32 or uint8.",
        "refused.png": "Save the PNG with 8 bits, and not interlaced.",
        "refused.transparent": "The picture is transparent in places.",
        "refused.bmp": "Save the BMP with 8, 24 or 32 bits, and not packed.",
        "refused.tiff": "Save the TIFF without compression.",
        "refused.pickle": "The file holds Python objects (a pickle): it is not opened.",
        "refused.arrays": "None of the arrays {names} is a result of the card.",
        "refused.tensors": "The .pt file holds {count} tensors: save the result alone, "
        "as torch.save(y, …).",
        "refused.pt": "This .pt file is not read here: save the result with "
        "numpy.save.",
        "refused.large_model": "The model is larger than 500 MB: resizelab lint reads "
        "it.",
        "refused.large": "The file has {size} MB: a result has less than one.",
        "refused.unread": "This file is not read here. Save the result as .npy or "
        '.png: numpy.save("resized.npy", y).',
    }
)

# What host.js says on a page without a kernel.
HOST = spoken(
    {
        "state": "its state is missing from the page",
        "encoding": "a buffer is written as {encoding}",
        "widget": "its value “{odd}” is another widget",
        "messages": "it sends messages of its own to Python",
        "module": "its module is missing from the page",
        "calls": "it calls Python by itself",
        "alt": "The figure for the starting values",
        "still": "This part moves only where Python runs: open the chapter in "
        "JupyterLab or Binder. Shown are its starting values.",
        "refused": "This explorer cannot run here: {error}. Open the chapter in "
        "JupyterLab or Binder to use it.",
    }
)

# The look-up of two calls, and the list of every row.
LOOKUP = spoken(
    {
        "first": "call",
        "second": "and",
        "n": "from",
        "m": "to",
        "closed": "The look-up needs JavaScript; the families below do not.",
        "recorded": " (recorded once)",
        "paper": " (on paper: not run)",
        "derived": " (derived)",
        "mark.paper": "on paper",
        "mark.recorded": "recorded once",
        "mark.derived": "derived",
        "little": "less than 0.01",
        "amount": "up to {x}",
        "none": "none",
        "parts": "{field}: {here} against {there}",
        "map": "a map of sizes, input across, output down: {some} of {all} differ",
        "equal": "equal",
        "unknown": "No call that takes sizes is named {name}. Type a part of a name, "
        "and choose.",
        "unseen": "{n} → {m} was not looked at.",
        "seen": " Sizes up to {small} were, and {others}.",
        "agree": "At {n} → {m} they agree: ",
        "agree.calls": "{first} and {second} give the same numbers.",
        "differ": "At {n} → {m} they differ, by {by} of the input's range",
        "differ.calls": " on noise: {first} and {second}.",
        "one": "They are one resize at all sizes looked at.",
        "all": "They agree at all {n} sizes looked at here; exact ties elsewhere, or "
        "two axes at once, part them.",
        "some": "They differ at {some} of {all} sizes, most at {at}: {by}.",
        "why": "What parts them:",
        "everywhere": "In {library}, {first} is {other}, at every size.",
        "here": "In {library}, {first} is {other} at {n} → {m}, and no call at every "
        "size.",
        "nowhere": "In {library}, {first} is no call that we know.",
        "old": "This browser is too old to unpack the data.",
        "rows": "{n} rows",
        "row": "{n} row",
        "count": "{calls} calls of {libraries} libraries",
        "filter": "filter",
        "every": "every row",
        "head.call": "call",
        "head.library": "library",
        "head.fields": "every field",
        "head.compared": "what was compared",
        "exact": "exact",
        "worst": "worst {worst:.0e}",
        "pairs": "{n} pairs",
        "missed": "{n} missed",
        "wrong": "{kind}: {some} of {all} differ",
    }
)
