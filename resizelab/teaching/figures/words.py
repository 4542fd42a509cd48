"""The sentences of the figures: templates, filled in by the page."""

SHARED = {
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

GRIDS = {
    "name.tiles": "Pixels as tiles: output pixel",
    "name.posts": "Pixels as fence posts: output pixel",
    "name.both": "Tiles that start on the first post: output pixel",
    "name.ribbons": "What each output reads: output pixel",
    "name.dial": "Slide or fan: output pixel",
    "reads": "Output pixel {i} reads at {x}.",
    "takes": "Output pixel {i} under {grid} takes {taps}.",
    "tap": "{w} of pixel {j}",
    "unread": "No output reads input pixel {all}.",
    "slide": "All reads stand {gap} to the right of half_pixel's: they slide.",
    "slide_left": "All reads stand {gap} to the left of half_pixel's: they slide.",
    "fan": "The first read stands {first} and the last {last} from half_pixel's: "
    "the row stretches or shrinks.",
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

MASK = {
    "mask.table": "Where the mask lies on its object",
    "head.grid": "grid",
    "control.grid": "grid",
}

CHAINS = {
    **MASK,
    "name.mask": "A mask on its object: doublings",
    "name.growth": "A movement counted two ways: doublings",
    "name.moves": "How far each place has moved: place in the first 16 pixels",
    "name.levels": "Down three levels and up again: place of the spot",
    "head.told": "moved across, down, in its own pixels",
    "mask.short": "moved {s0}, {s1} px",
    "mask.said": "After {step} doublings under {grid} the mask lies {s0} pixels "
    "across and {s1} down from its object.",
    "growth.now": "in pixels of that image",
    "growth.first": "in pixels of the first image",
    "growth.limit": "half a pixel",
    "growth.said": "After {step} doublings on the asymmetric grid: {now} pixels of "
    "that image, {first} of the first.",
    "growth.table": "How far the asymmetric grid has moved the picture",
    "head.scale": "scale",
    "moves.left": "left end",
    "moves.right": "right end",
    "moves.by": "moved {v} px",
    "moves.said": "After {step} doublings pixel {place} of 16 has moved, in pixels: "
    "{all}.",
    "moves.table": "Moved after {step} doublings, in pixels of that image",
    "head.place": "pixel of 16",
    "levels.down": "the way down",
    "levels.up": "the way up",
    "levels.d": "Way down, level {n}: {what}",
    "levels.u": "Way up, step {n}: {what}",
    "levels.short": "out: moved {out} px",
    "levels.said": "What goes in comes out moved by {out} of 64 pixels.",
    "head.resize": "resize",
    "head.what": "what it is",
    "way.pool": "2×2 pooling",  # noqa: RUF001
    "way.strided": "3×3, stride 2",  # noqa: RUF001
    "way.half_pixel": "half_pixel",
    "way.asymmetric": "asymmetric",
    "control.step": "doublings",
    "control.pixel": "place of the spot",
    "control.place": "pixel of the first 16",
    "control.d": "way down",
    "control.u": "way up",
}

RECIPE = {
    "name.limp": "Four pixels and what they become: output pixel",
    "name.wall": "Two rows of tiles on one wall: output pixel",
    "name.tent": "The tent over the taps: output pixel",
    "name.edge": "The tent at the left end",
    "name.ribbons": "What each output takes: output pixel",
    "name.matrix": "The matrix, row by row: output pixel",
    "head.pixel": "output pixel",
    "head.reads": "reads at",
    "head.takes": "takes",
    "control.n_out": "output pixels",
    "control.values": "input pixels",
    "units": "units from the left end of the wall",
    "positions": "position: 0 is the middle of large tile 0",
    "stands": "Small tile {i}: {u} units from the left, position {x}.",
    "short": "{u} from the left end, position {x}",
    "at": "reads at {x}",
    "sum": "Output pixel {i} reads at {x}: {sum} = {total}.",
    "outside": "There is no pixel {j}: pixel {near} stands in.",
    "takes": "Output pixel {i} takes {taps}.",
    "tap": "{w} of pixel {j}",
    "unread": "No output reads input pixel {all}.",
    "makes": "That makes {total}.",
    "pixels": "{n} input pixels, {m} output pixels.",
    "weights": "weights",
    "times": "pixels",
    "gives": "outputs",
    "made": "The outputs are {all}; the steps between them {steps}.",
    "legend": "broad: input, narrow: outputs, below: steps",
}

COMPARE = {
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
    "own": "Try your own photograph:",
    "mine": "The middle of your photograph, {side} by {side} pixels, cut and not "
    "resized, by the operators of the same two calls: {n} by {n} pixels. "
    "It stays in this browser.",
    "small": "That is no picture of at least {side} by {side} pixels.",
    "forget": "Forget it",
}
