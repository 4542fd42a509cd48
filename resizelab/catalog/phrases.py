"""Plain words for the fields of a convention and their values, and what rows share.

Messages say these instead of a field's name; the page `words` shows the whole table.
"""

from collections.abc import Iterable, Mapping
from statistics import mode
from typing import Any

from resizelab.axis.convention import Convention

# Values that are names, as pages and other libraries write them.
NAMES = ("kernel", "grid", "nearest_mode", "size_rule", "prefilter")
AVERAGING = ("area", "adaptive_area", "two_tap_area", "counted_box", "box")
# What a field is about, and its values that do not speak for themselves.
PHRASES: Mapping[str, tuple[str, Mapping[object, str]]] = {
    "kernel": ("kernel", {"counted_box": "mean of the pixels in a cell"}),
    "a": ("constant of the cubic kernel (a)", {}),
    "b": ("first constant of the cubic kernel (b)", {}),
    "c": ("second constant of the cubic kernel (c)", {}),
    "lobes": ("lobes of the Lanczos kernel", {}),
    "sigma": ("width of the Gaussian", {}),
    "cut": ("distance at which the Gaussian is cut", {}),
    "order": ("order of the B-spline", {}),
    "grid": ("where an output reads", {}),
    "antialias": (
        "antialias",
        {True: "the kernel is stretched where an axis shrinks", False: "none"},
    ),
    "boundary": (
        "outside the picture",
        {
            "edge": "the edge pixel again",
            "exclude": "nothing: those weights are dropped",
            "symmetric": "a mirror at the pixel's edge",
            "reflect": "a mirror at the pixel's centre",
            "wrap": "the other end",
            "constant": "a constant",
        },
    ),
    "fill": ("the constant outside", {}),
    "nearest_mode": ("how a position becomes a pixel", {}),
    "step_from": (
        "the step is taken from",
        {
            "sizes": "the sizes",
            "scale": "the scale given",
            "scale_if_given": "the scale if one is given, else the sizes",
        },
    ),
    "extrapolation": ("value of outputs that lie outside", {}),
    "size_rule": ("how a scale becomes a size", {}),
    "coordinate_arithmetic": (
        "how positions are computed",
        {
            "float64": "in float64",
            "float64_step": "in float64, by one step",
            "float64_reciprocal": "in float64, by an inverted scale",
            "float64_divide": "in float64, divided by the scale",
            "float64_region": "in float64, within a region",
            "float64_rounded": "in float64, then rounded to float32",
            "running_sum": "by adding up steps",
            "float32_multiply": "in float32, by one step",
            "float32_divide": "in float32, divided by the scale",
            "float32_scale": "in float32, by the scale, rounded last",
            "float32_multiply_divide": "in float32, multiplied, then divided",
            "float32_fraction": "in float32, as a share of the axis",
            "float32_fma": "in float32, multiplied and added in one rounding",
            "float32_reciprocal": "in float32, by an inverted scale",
            "float32_shifted": "in float32, the start added last",
            "float32_inverse": "in float32, by a scale inverted twice",
            "float32_normalised": "in float32, through a grid from -1 to 1",
            "fixed_22_10": "in whole 1/1024 pixels",
            "fixed_16_16": "in whole 1/65536 pixels",
        },
    ),
    "single_pixel": (
        "where a single output pixel reads",
        {
            "first": "the first pixel",
            "centre": "the middle",
            "before_first": "before the first pixel",
        },
    ),
    "scale_precision": ("precision in which a scale is kept", {}),
    "resized_length": (
        "length that the grid fills",
        {"integer": "whole pixels", "fractional": "n_in times the scale, unrounded"},
    ),
    "added_length": ("what is added to the output size before the step", {}),
    "stretch_by": (
        "antialias stretches by",
        {"grid": "the step", "scale": "the ratio of the sizes"},
    ),
    "window_search": (
        "how the pixels next to a position are found",
        {"position": "from the position", "padded": "on a padded axis"},
    ),
    "distance_arithmetic": ("precision of distances to pixels", {}),
    "tie_epsilon": ("how close to a half counts as a tie", {}),
    "fraction_bits": ("bits of a position's fraction", {}),
    "window": (
        "pixels exactly at the kernel's end",
        {"closed": "both are read", "half_open": "the first is left out"},
    ),
    "normalise": (
        "weights are divided by their sum",
        {
            "before": "before those outside are dropped",
            "after": "after those outside are dropped",
            "never": "never",
        },
    ),
    "prefilter": ("what is done to the picture first", {(): "nothing"}),
    "blur_sigma": ("width of the blur before", {None: "from the step"}),
    "blur_when": ("the blur is done", {"any_shrinks": "if any axis shrinks"}),
    "reduce_gap": ("how much larger than the result averages leave the picture", {}),
    "shortcut": (
        "what is copied",
        {
            None: "nothing",
            "axis": "an axis that keeps its size",
            "image": "a picture that keeps its size",
            "unit_step": "what a scale of 1 leaves",
            "double": "pixels, where an axis keeps its size or doubles",
        },
    ),
    "shortcut_limit": ("size up to which the copy is made", {None: "any"}),
    "if_any_grows": ("kernel as soon as one axis grows", {None: "the same"}),
    "aspect_ratio": ("sizes asked for", {"stretch": "are the sizes"}),
    "aspect_rounding": ("how a common scale becomes sizes", {}),
    "outside_positions": ("positions outside the picture", {None: "stay there"}),
    "padding": ("how far outside is read", {None: "as far as the kernel"}),
    "extrapolation_edges": (
        "outside begins",
        {True: "at the pixel's edge", False: "at the pixel's centre"},
    ),
    "clip_to_input": (
        "results beyond the input's range",
        {True: "are clipped", False: "stay"},
    ),
    "weight_bits": ("weights", {None: "floats", "fit_int16": "the most bits of 16"}),
    "weight_rounding": ("how weights are rounded", {None: "not"}),
    "edge_taps": (
        "weights that fall on one edge pixel",
        {"merged": "are added, then rounded", "separate": "are rounded each"},
    ),
    "accumulator": ("how sums are added", {}),
    "between_passes": (
        "between the two axes",
        {
            "round": "results are rounded",
            "keep": "nothing is rounded",
            "staged": "bits are dropped in two steps",
        },
    ),
    "sum_rounding": ("how sums become whole", {}),
    "pass_order": ("which axis comes first", {}),
    "unit_range": (
        "whole numbers",
        {True: "become 0 … 1", False: "keep their range"},
    ),
    "output_dtype": ("type of the result", {None: "the input's"}),
    "clip_dtype": ("range that sums are clipped to", {None: "the result's"}),
}


def field(name: str) -> str:
    """Return a field in plain words.

    >>> field("tie_epsilon")
    'how close to a half counts as a tie'
    """
    return PHRASES[name][0] if name in PHRASES else name.replace("_", " ")


def value(name: str, given: Any) -> str:
    """Return a field's value in plain words.

    >>> value("window", "half_open"), value("a", -0.5)
    ('the first is left out', '-0.5')
    """
    known = PHRASES[name][1] if name in PHRASES else {}
    key = tuple(given) if isinstance(given, list) else given
    if isinstance(key, (str, bool, tuple, type(None))) and key in known:
        return known[key]
    if given is None:
        return "none"
    if isinstance(given, (tuple, list)):
        return ", ".join(map(str, given))
    return str(given).replace("_", " ") if name not in NAMES else str(given)


def parted(name: str, here: Any, there: Any) -> str:
    """Return in plain words that a field differs.

    >>> parted("clip_to_input", True, False)
    "results beyond the input's range: are clipped here, stay there"
    """
    return f"{field(name)}: {value(name, here)} here, {value(name, there)} there"


def common(some: Iterable[Convention]) -> str:
    """Return the ideas of conventions with the same numbers, as most of them have them.

    >>> common([Convention(name="a"), Convention(name="b")])
    'half_pixel · linear · no antialias · edge'
    """
    specs = [c.spec for c in some]
    ideas = (
        [s.grid for s in specs],
        [_kernel(s) for s in specs],
        ["antialias" if s.antialias else "no antialias" for s in specs],
        [s.boundary for s in specs if s.kernel != "nearest"],
    )
    return " · ".join(mode(each) for each in ideas if each)


def _kernel(spec: Any) -> str:
    names = ("a", "b", "c", "lobes", "order")
    known = [(n, getattr(spec, n)) for n in names]
    numbers = [f"{n} = {v:g}" for n, v in known if v is not None]
    given = [*numbers, *([spec.nearest_mode] if spec.nearest_mode else [])]
    kernel = spec.kernel if isinstance(spec.kernel, str) else spec.kernel.name
    return ", ".join([kernel, *given])


def page(some: Iterable[Convention]) -> str:
    """Return the page of the book that explains what conventions share."""
    spec = next(iter(some)).spec
    if spec.antialias or spec.kernel in (
        "area",
        "adaptive_area",
        "two_tap_area",
        "box",
    ):
        return "shrinking"
    pages = {"nearest": "nearest", "cubic": "cubic", "bspline": "cubic"}
    return pages.get(str(spec.kernel), "grids")
