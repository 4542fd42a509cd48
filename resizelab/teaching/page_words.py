"""The sentences of the card's page, of the look-up of two calls, and of host.js."""

from resizelab.teaching.messages import spoken

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
        "late": "The part of this page that compares did not arrive: try again.",
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
        "seen": " Sizes up to {small} were, and {others}. Two lines of Python look at "
        "any other, and print the most by which a result can differ:",
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
