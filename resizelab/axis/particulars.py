"""Why two libraries with the same ideas still differ."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from resizelab import checks
from resizelab.axis.boundary import BOUNDARIES, POSITION_RULES
from resizelab.axis.choices import PREFILTERS, SHORTCUTS, Choices
from resizelab.axis.grid import SINGLE_PIXEL
from resizelab.axis.positions import POSITION_ARITHMETICS

FRACTION_BITS = 52  # what a float64 holds
SIZE_RULES = ("floor", "floor_float32", "floor_epsilon", "ceil", "half_even", "half_up")
# What holds one of a closed set.
CLOSED: dict[str, Collection[str]] = {
    "size_rule": SIZE_RULES,
    "coordinate_arithmetic": tuple(POSITION_ARITHMETICS),
    "scale_precision": ("float64", "float32"),
    "resized_length": ("integer", "fractional"),
    "stretch_by": ("grid", "scale"),
    "window_search": ("position", "padded"),
    "distance_arithmetic": ("float64", "float32"),
    "fraction_rounding": ("half_even", "floor"),
    "window": ("closed", "half_open", "counted"),
    "normalise": ("before", "after", "never", "by_stretch"),
    "blur_taps": ("four_sigma_a_side", "four_sigma"),
    "blur_weights": ("heights", "areas"),
    "blur_when": ("always", "any_shrinks"),
    "aspect_ratio": ("stretch", "not_larger", "not_smaller", "cropped", "padded"),
    "aspect_rounding": ("half_up", "half_even_float32"),
    "single_pixel": SINGLE_PIXEL,
    "outside_positions": POSITION_RULES,
    "shortcut": SHORTCUTS,
    "pyramid": ("linear", "nearest"),
    "where_taps_miss": ("linear",),
    "pair_means": ("always", "if_width_halves"),
    "blur_boundary": BOUNDARIES,
    "one_wide": ("first_row",),
}


@dataclass(frozen=True, kw_only=True)
class Particulars(Choices):
    """Why two libraries with the same ideas still differ; the defaults are neutral.

    Parameters
    ----------
    size_rule : str
        How n_in * scale becomes a whole n_out.
    coordinate_arithmetic : str
        The engine's order of operations for positions; it decides ties.
    single_pixel : str
        What a one-pixel output reads where it is not what the grid's formula says.
    scale_precision : str
        float32, where the engine stores the given scale or region as one; else float64.
    resized_length : str
        ``integer``: n_out; ``fractional``: n_in * scale, before rounding.
    added_length : float
        What is added to n_out before the step is taken from the sizes (DINOv2: 0.1).
    stretch_by : str
        Antialias stretches the kernel by the ``grid``'s step, or by the inverse of the
        ``scale`` (n_in / n_out if none is given): they part at align_corners.
    window_search : str
        ``position``: the pixel next to a position is that position's floor; ``padded``:
        it is looked for on a padded axis, where rounding may find the one before it.
    distance_arithmetic : str
        float32, where a tap's distance in stretched pixels is one; it decides what lies
        exactly at a kernel's cut.
    least_overlap : float
        Area: a pixel is left out where a cell holds no more than this share of it, and
        what is left is still divided by the cell's length.
    tie_epsilon : float
        A fraction this close to one half counts as a tie (nearest).
    fraction_bits : int
        Positions are rounded to 2**-bits pixel before weights are computed.
    fraction_rounding : str
        How they are: ``half_even``, or ``floor`` (Skia).
    window : str
        Which taps are looked at: ``closed``, all within the radius; ``half_open``, the
        first at that distance before the position is left out (Pillow); ``counted``, a
        number of them, see `counting.taps` (FFmpeg).
    cut_ends : float
        Window "counted": what the taps left off at one end may weigh together.
    normalise : str
        Divide the weights by their sum ``before`` the boundary rule drops taps,
        ``after`` it, or ``never``; ``by_stretch``: divide by the kernel's stretch
        (Octave), so that a flat picture does not stay flat.
    prefilter : tuple of str
        Matrices applied to the input first, in order: gaussian; bspline (exact),
        bspline_aliased (SciPy's start at a symmetric border), padded_bspline (SciPy's
        12 pixels more at each end); box.
    blur_sigma : tuple of float
        Gaussian prefilter: its sigma in pixels, one for all axes or one an axis; by
        default (step - 1) / 2 where an axis shrinks.
    blur_when : str
        The blur of a given sigma is done ``always``, or only if ``any_shrinks``.
    blur_taps : str
        How far the Gaussian prefilter reaches: ``four_sigma_a_side``, or ``four_sigma``
        in all, an odd number of taps and three at least (kornia).
    blur_weights : str
        ``heights`` of the Gaussian at the pixels, or its ``areas`` over them (MONAI).
    blur_boundary : str
        What the blur reads outside the input, where it is not what the spec says.
    reduce_gap : float
        Box prefilter: keep the input this many times larger than the output.
    shortcut : str
        ``axis``: an axis of equal size is copied; ``image``: only if all are equal;
        ``unit_image``: only if all scales are 1; ``unit_axis``: an axis whose scale is;
        ``unit_step``: if all are equal, and an axis whose scale is 1;
        ``double``: an axis of equal or double size repeats its pixels.
    shortcut_limit : int
        The shortcut counts only where two axes are resized whose new sizes add up to
        this at most: larger results, rows and volumes take another path.
    shifts_if_others_grow : bool
        An axis that does not grow is read once more, by the choices of one that grows,
        as soon as another does (libvips).
    supersampled : bool
        Where an axis shrinks, the means of int(step) outputs are taken (Jimp).
    pyramid : str
        The picture is halved until it is read near its size: from the ``nearest``
        level, or ``linear``, from two (Skia). The level is one for all axes.
    where_taps_miss : str
        ``linear``: the kernel of outputs whose taps are not all in the input (GDAL).
    pair_means : str
        Outputs that read exactly two pixels take their mean, whatever their shares:
        ``always``, or those of the other axes ``if_width_halves`` exactly (GDAL).
    reach_of_width : bool
        The filters of the other axes reach as far as the last axis's would, in pixels
        of the result (OpenImageIO).
    one_wide : str
        ``first_row``: where floats become one pixel wide, every output of the other
        axes that change holds what the first does (a pass that does not move on).
    aspect_ratio : str
        ``stretch``; ``not_larger``, ``not_smaller``: the sizes asked for are bounds;
        ``cropped``, ``padded``: what is resized is the middle of the input, or the
        input with borders of ``aspect_fill``, of the aspect asked for (Keras).
    aspect_rounding : str
        How the common scale becomes sizes: ``half_up``, from exact fractions;
        ``half_even_float32``, all in float32.
    outside_positions : str
        ``wrap_corners``: a position outside the input is moved inside, by the distance
        of the two ends, before taps are found; ``one_later``: one before the input is
        read a pixel later (MNN's slip).
    padding : int
        Taps farther outside the input than this are dropped before normalising.
    extrapolation_edges : bool
        Extrapolation starts at the pixel edges, not at the centres.
    last_edge_outside : bool
        A position on the last edge itself is outside (ITK).
    region_inside : bool
        A region that reaches beyond the input is refused (Pillow's box).
    clip_to_input : bool
        Results are clipped to the range of the input.
    """

    size_rule: str = "floor"
    coordinate_arithmetic: str = "float64"
    single_pixel: str | None = None
    scale_precision: str = "float64"
    resized_length: str = "integer"
    added_length: float = 0.0
    stretch_by: str = "grid"
    window_search: str = "position"
    distance_arithmetic: str = "float64"
    least_overlap: float = 0.0
    tie_epsilon: float = 0.0
    fraction_bits: int | None = None
    fraction_rounding: str = "half_even"
    window: str = "closed"
    cut_ends: float | None = None
    normalise: str = "after"
    prefilter: tuple[str, ...] = ()
    blur_sigma: tuple[float, ...] | None = None
    blur_when: str = "always"
    blur_taps: str = "four_sigma_a_side"
    blur_weights: str = "heights"
    blur_boundary: str | None = None
    reduce_gap: float | None = None
    shortcut: str | None = None
    shortcut_limit: int | None = None
    shifts_if_others_grow: bool = False
    supersampled: bool = False
    pyramid: str | None = None
    where_taps_miss: str | None = None
    pair_means: str | None = None
    reach_of_width: bool = False
    one_wide: str | None = None
    aspect_ratio: str = "stretch"
    aspect_fill: float = 0.0
    aspect_rounding: str = "half_up"
    outside_positions: str | None = None
    padding: int | None = None
    extrapolation_edges: bool = False
    last_edge_outside: bool = False
    region_inside: bool = False
    clip_to_input: bool = False

    def __post_init__(self) -> None:
        """Validate every field."""
        self._check_sets(CLOSED)
        given: Any = self.prefilter
        names = (given,) if isinstance(given, str) else tuple(given)
        for name in names:
            checks.one_of("prefilter", name, PREFILTERS)
        object.__setattr__(self, "prefilter", names)
        self._check_prefilters(names)
        if self.padding is not None:
            checks.size("padding", self.padding)
        if self.fraction_bits is not None:
            checks.size("fraction_bits", self.fraction_bits, FRACTION_BITS)
        if self.shortcut_limit is not None:
            checks.size("shortcut_limit", self.shortcut_limit)
            checks.belongs(
                "shortcut_limit", self.shortcut_limit, "a shortcut", bool(self.shortcut)
            )
        checks.number("added_length", self.added_length)
        for name in ("tie_epsilon", "least_overlap"):
            checks.not_negative(name, getattr(self, name))

    def _check_prefilters(self, names: tuple[str, ...]) -> None:
        blurs = "gaussian" in names
        given: Any = self.blur_sigma
        checks.belongs("blur_sigma", given, "prefilter 'gaussian'", blurs, False)
        if given is not None:
            sigmas = tuple(given) if hasattr(given, "__len__") else (given,)
            sigmas = checks.each("blur_sigma", sigmas, checks.not_negative)
            object.__setattr__(self, "blur_sigma", sigmas)
        box = "box" in names
        checks.belongs("reduce_gap", self.reduce_gap, "prefilter 'box'", box)
        if box:
            checks.positive("reduce_gap", self.reduce_gap)
