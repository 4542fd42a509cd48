"""What a convention says, in a reader's words: its ideas, and every field of it."""

from typing import Any

from resizelab.axis.convention import Convention, stated

# How a reader is told of a choice: its name, then what its values are called.
CHOICES = {
    "kernel": "kernel",
    "a": "cubic parameter a",
    "b": "cubic parameter B",
    "c": "cubic parameter C",
    "lobes": "lobes of the kernel",
    "order": "order of the spline",
    "sigma": "sigma of the kernel",
    "cut": "radius of the kernel",
    "grid": "grid",
    "antialias": "antialias",
    "boundary": "what lies outside",
    "fill": "the value outside",
    "extrapolation": "the value beyond the picture",
    "nearest_mode": "rounding of nearest",
    "step_from": "where the step comes from",
    "size_rule": "how a scale becomes a size",
    "coordinate_arithmetic": "order and precision of the positions' sums",
    "distance_arithmetic": "precision of the distances",
    "scale_precision": "precision of the scale",
    "fraction_bits": "bits of a position's fraction",
    "tie_epsilon": "how near a tie counts as one",
    "window": "which pixels a kernel may reach",
    "window_search": "how its pixels are searched",
    "normalise": "when weights are made to sum to one",
    "prefilter": "the filter that runs first",
    "blur_sigma": "sigma of the blur",
    "blur_when": "when it blurs",
    "reduce_gap": "pixels averaged first",
    "clip_to_input": "clipped to the input's range",
    "shortcut": "what is copied where a size stays",
    "shortcut_limit": "the size up to which that holds",
    "single_pixel": "where an output of one pixel reads",
    "aspect_ratio": "whether the proportions are kept",
    "stretch_by": "what stretches the kernel",
    "resized_length": "the length that a grid spans",
    "if_any_grows": "what holds if an axis grows",
    "padding": "pixels repeated outside",
    "one_wide": "what an output one pixel wide does",
    "least_overlap": "the least part of a pixel that counts",
    "added_length": "what is added to a length",
    "extrapolation_edges": "whether the edges count as outside",
    "outside_positions": "where positions outside go",
    "taper": "window of the sinc",
    "blur": "how many times as wide the kernel is",
    "phase": "phase of the grid",
    "offset": "offset of the grid",
    "left_out": "pixels left out of the grid's length",
    "fraction_rounding": "how a position's fraction is rounded",
    "cut_ends": "what the pixels left off at an end may weigh",
    "blur_taps": "how far the blur reaches",
    "blur_weights": "how the blur weighs a pixel",
    "blur_boundary": "what the blur reads outside",
    "shifts_if_others_grow": "whether an axis moves when another grows",
    "supersampled": "whether finer outputs are averaged",
    "pyramid": "whether the picture is halved first",
    "where_taps_miss": "what is read where no pixel is in reach",
    "pair_means": "when two pixels are averaged",
    "reach_of_width": "whether the width's reach holds for all axes",
    "aspect_rounding": "how kept proportions become sizes",
    "last_edge_outside": "whether the last edge counts as outside",
    "region_inside": "whether a part may reach beyond the picture",
    "scale": "scale",
    "roi": "region",
}


def idea(c: Convention) -> str:
    """Return the ideas of a convention in a few words.

    >>> idea(Convention(name="mine"))
    'half_pixel · linear · no antialias · edge'
    """
    s = c.spec
    numbers = {k: getattr(s, k) for k in ("a", "b", "c", "lobes", "order", "sigma")}
    own = [f"{k} {v:.3g}" for k, v in numbers.items() if v is not None]
    kernel = s.kernel if isinstance(s.kernel, str) else s.kernel.name
    parts = [s.grid, " ".join([kernel, *own])]
    if s.kernel == "nearest":
        return " · ".join([*parts, str(s.nearest_mode)])
    blur = "antialias" if s.antialias else "no antialias"
    first = [f"{name} first" for name in c.particulars.prefilter]
    return " · ".join([*parts, blur, s.boundary, *first])


def fields_of(c: Convention) -> dict[str, str]:
    """Return every field of a convention that says something, in a reader's words."""
    told = {**stated(c.spec), **stated(c.particulars)}
    told |= {k: getattr(c, k) for k in ("scale", "roi") if getattr(c, k) is not None}
    words = {CHOICES.get(k, k.replace("_", " ")): _said(v) for k, v in told.items()}
    for dtype, rule in c.arithmetic.items():
        rules = [f"{k.replace('_', ' ')} {_said(v)}" for k, v in stated(rule).items()]
        words[f"of {dtype}"] = ", ".join(rules) or "as it comes"
    return words


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_said, value))
    return f"{value:g}" if isinstance(value, float) else str(value)
