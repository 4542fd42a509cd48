"""The sentences of the figures on one row of pixels: templates."""

from resizelab.teaching.messages import spoken

RECIPE = spoken(
    {
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
        "copy": "{j}, copy",
        "takes": "Output pixel {i} takes {taps}.",
        "tap": "{w} × pixel {j}",  # noqa: RUF001
        "unread": "No output reads input pixel {all}.",
        "makes": "That makes {total}.",
        "pixels": "{n} input pixels, {m} output pixels.",
        "weights": "weights",
        "times": "pixels",
        "gives": "outputs",
        "made": "The outputs are {all}; the steps between them {steps}.",
        "legend": "broad: input, narrow: outputs, below: steps",
    }
)

COPIES = spoken(
    {
        "name.wire": "A mask halved by two rules: place of the wire",
        "name.halve": "Two grids, 8 to 4",
        "name.copies": "Which pixel each output copies: output pixel",
        "name.seam": "One rule in two arithmetics, 4 to 10",
        "name.bench": "Any two rules at any two sizes: output pixel",
        "control.above": "rule above",
        "control.below": "rule below",
        "control.n_in": "input pixels",
        "control.n_out": "output pixels",
        "control.pixel": "output pixel",
        "control.wire": "column of the wire",
        "unread": "never reads {count} of {n}",
        "all": "reads every pixel",
        "output": "Output pixel {i}.",
        "reads": "reads at {x} and copies pixel {pixel}.",
        "between": "reads at {x}, exactly between pixels {a} and {b}, and copies pixel "
        "{pixel}.",
        "apart": "They differ at {count} of {m} outputs.",
        "short": "output {i}: {x} → {a} above, {y} → {b} below",
        "legend": "dot: where it reads, diamond: a tie",
        "legend.more": "ribbon: what it copies, thick: not the same",
        "left": "The wire is in column {wire}. Outputs that still have it: {one} {a}, "
        "{two} {b}.",
        "wire": "wire",
        "bright": "outputs with the wire: {a} above, {b} below",
        "caption": "Which input pixel each output copies",
        "head.pixel": "output pixel",
        "head.reads": "reads at",
        "head.copies": "copies",
    }
)
