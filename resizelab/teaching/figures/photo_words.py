"""The sentences of the figures that stand on photographs, and of what they teach."""

from resizelab.teaching.messages import spoken

MASK = spoken(
    {
        "mask.table": "Where the mask lies on its object",
        "mask.legend": "coloured: the mask; dashed: the object's outline",
        "head.grid": "grid",
        "control.grid": "grid",
    }
)

CHAINS = spoken(
    {
        **MASK,
        "name.mask": "A mask on its object: doublings",
        "name.growth": "A movement counted two ways: doublings",
        "name.moves": "How far each place has moved: place in the first 16 pixels",
        "name.levels": "Down three levels and up again: place of the spot",
        "head.told": "moved across, down, in its own pixels",
        "mask.short": "moved {s0}, {s1} px",
        "mask.said": "After {step} doublings under {grid} the mask lies {s0} pixels "
        "across and {s1} down from its object.",
        "growth.head": "how far asymmetric moves the picture, in pixels",
        "growth.now": "of the enlarged image",
        "growth.first": "of the first image",
        "growth.limit": "half a pixel",
        "growth.said": "After {step} doublings on the asymmetric grid: {now} pixels of "
        "that image, {first} of the first.",
        "head.scale": "scale",
        "moves.head": "how far content has moved, in enlarged pixels",
        "moves.left": "left end",
        "moves.right": "right end",
        "moves.here": "here",
        "moves.by": "here {v} px",
        "moves.said": "After {step} doublings pixel {place} of 16 has moved, in "
        "pixels: {all}.",
        "moves.table": "Moved after {step} doublings, in pixels of that image",
        "head.place": "pixel of 16",
        "levels.legend": "middle parts; ○ the spot, dashed: where it belongs",
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
)

LABELS = spoken(
    {
        "name.labels": "A box from a small picture on the photograph: halvings",
        "name.boxes": "One box by four rules: halvings",
        "name.letterbox": "A box from a letterbox on the photograph: halvings",
        "name.zero": "Two ways to count pixels: pixel of the first row",
        "labels.small": "the network sees {rows} × {columns}",  # noqa: RUF001
        "labels.large": "the photograph",
        "labels.legend": "dashed: where the box belongs; solid: where it is put",
        "labels.short": "off {s0}, {s1} px",
        "labels.said": "Halved {step} times, its box moved by “{rule}”: off by {s0} "
        "pixels across and {s1} down, {s2} in width, IoU {3}.",
        "labels.back": "A letterbox, halved {step} times, its box moved back by "
        "“{back}”: off by {s0} pixels across and {s1} down, {s2} in width, IoU {3}.",
        "head.across": "off across",
        "head.down": "off down",
        "head.wider": "wider by",
        "head.iou": "IoU",
        "zero.rows": "eight pixels; below them, counted from the corner",
        "zero.large": "enlarged: above pixels, below from the corner",
        "zero.short": "pixel {place} is at {centre}; times four says {times}",
        "zero.said": "Counted from the first centre, {place} goes to {centre}, and "
        "times four says {times}. Counted from the corner, {corner} goes to {edge}.",
        "zero.table": "One place, counted in two ways",
        "zero.centre": "from the first pixel's centre",
        "zero.corner": "from the picture's corner",
        "head.count": "counted",
        "head.before": "before",
        "head.after": "enlarged four times",
        "control.step": "halvings",
        "control.rule": "what is multiplied",
        "control.back": "how it is put back",
        "control.place": "pixel",
        "control.scene": "scene",
        "rule.half_pixel": "edges",
        "rule.align_corners": "corners",
        "rule.asymmetric": "centres",
        "rule.inclusive": "first and last",
        "back.unpad": "bars off, then divide",
        "back.divide": "divide only",
        "back.stretch": "share of each side",
    }
)

MASKS = spoken(
    {
        **MASK,
        "name.mask": "A mask on its object: halvings before it was read",
        "name.pairs": "Each grid of the training and of the run: halvings",
        "name.moves": "How far content has moved: per cent of the way across",
        "head.told": "Dice",
        "mask.short": "Dice {0}",
        "mask.said": "Halved {step} times before it was read, made on half_pixel and "
        "run as {grid}: Dice {0}.",
        "pairs.what": "mean IoU",
        "pairs.run": "run as",
        "pairs.trained": "trained on",
        "pairs.said": "mean IoU in per cent, one logit every {stride} pixels, by rows: "
        "{all}.",
        "pairs.table": "mean IoU in per cent, one logit every {stride} pixels",
        "moves.head": "how far content has moved, in pixels",
        "moves.left": "left end",
        "moves.right": "right end",
        "moves.here": "here",
        "moves.by": "here {v} px",
        "moves.said": "{n} pixels, {way}: at {place} per cent of the way across, "
        "content has moved by, in pixels: {all}.",
        "moves.table": "Moved, in pixels: {n} pixels, {way}",
        "head.place": "per cent of the way across",
        "way.pool": "2×2 pooling",  # noqa: RUF001
        "way.padded": "stride 2, padding 1",
        "way.same": "stride 2, SAME",
        "control.step": "halvings before a logit is read",
        "control.n": "pixels",
        "control.way": "the way down",
        "control.place": "per cent of the way across",
    }
)
