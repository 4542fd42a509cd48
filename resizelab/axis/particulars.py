"""Why two libraries with the same ideas still differ."""

from dataclasses import dataclass
from typing import Any

from resizelab import checks
from resizelab.axis.boundary import POSITION_RULES
from resizelab.axis.choices import PREFILTERS, SHORTCUTS, Choices
from resizelab.axis.grid import SINGLE_PIXEL
from resizelab.axis.kernel import KERNELS
from resizelab.axis.positions import POSITION_ARITHMETICS

FRACTION_BITS = 52  # what a float64 holds
SIZE_RULES = ("floor", "floor_float32", "floor_epsilon", "ceil", "half_even", "half_up")

# What always holds one of a closed set.
CLOSED = {
    "size_rule": SIZE_RULES,
    "coordinate_arithmetic": tuple(POSITION_ARITHMETICS),
    "scale_precision": ("float64", "float32"),
    "resized_length": ("integer", "fractional"),
    "stretch_by": ("grid", "scale"),
    "window_search": ("position", "padded"),
    "distance_arithmetic": ("float64", "float32"),
    "window": ("closed", "half_open"),
    "normalise": ("before", "after", "never"),
    "blur_when": ("always", "any_shrinks"),
    "aspect_ratio": ("stretch", "not_larger", "not_smaller"),
    "aspect_rounding": ("half_up", "half_even_float32"),
}
# What is one of a closed set, or None.
OPTIONAL = {
    "single_pixel": SINGLE_PIXEL,
    "outside_positions": POSITION_RULES,
    "shortcut": SHORTCUTS,
    "one_wide": ("first_row",),
    "if_any_grows": KERNELS,
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
    window : str
        Which taps are looked at: ``closed``, all within the radius; ``half_open``, the
        first at that distance before the position is left out (Pillow).
    normalise : str
        Divide the weights by their sum ``before`` the boundary rule drops taps,
        ``after`` it, or ``never``.
    prefilter : tuple of str
        Matrices applied to the input first, in order: gaussian; bspline (exact),
        bspline_aliased (SciPy's start at a symmetric border), padded_bspline (SciPy's
        12 pixels more at each end); box.
    blur_sigma : tuple of float
        Gaussian prefilter: its sigma in pixels, one for all axes or one an axis; by
        default (step - 1) / 2 where an axis shrinks.
    blur_when : str
        The blur of a given sigma is done ``always``, or only if ``any_shrinks``.
    reduce_gap : float
        Box prefilter: keep the input this many times larger than the output.
    shortcut : str
        ``axis``: an axis of equal size is copied; ``image``: only if all are equal;
        ``unit_step``: if all are equal, and an axis whose scale is 1;
        ``double``: an axis of equal or double size repeats its pixels.
    shortcut_limit : int
        The shortcut counts only where two axes are resized whose new sizes add up to
        this at most: larger results, rows and volumes take another path.
    one_wide : str
        ``first_row``: where floats become one pixel wide, every output of the other
        axes that change holds what the first does (a pass that does not move on).
    if_any_grows : str
        The kernel used on every axis as soon as one axis grows.
    aspect_ratio : str
        ``stretch``; ``not_larger``, ``not_smaller``: the sizes asked for are bounds.
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
    window: str = "closed"
    normalise: str = "after"
    prefilter: tuple[str, ...] = ()
    blur_sigma: tuple[float, ...] | None = None
    blur_when: str = "always"
    reduce_gap: float | None = None
    shortcut: str | None = None
    shortcut_limit: int | None = None
    one_wide: str | None = None
    if_any_grows: str | None = None
    aspect_ratio: str = "stretch"
    aspect_rounding: str = "half_up"
    outside_positions: str | None = None
    padding: int | None = None
    extrapolation_edges: bool = False
    clip_to_input: bool = False

    def __post_init__(self) -> None:
        """Validate every field."""
        for name, values in CLOSED.items():
            checks.one_of(name, getattr(self, name), values)
        given: Any = self.prefilter
        names = (given,) if isinstance(given, str) else tuple(given)
        for name in names:
            checks.one_of("prefilter", name, PREFILTERS)
        object.__setattr__(self, "prefilter", names)
        self._check_prefilters(names)
        if self.padding is not None:
            checks.size("padding", self.padding)
        for name in ("extrapolation_edges", "clip_to_input"):
            checks.flag(name, getattr(self, name))
        for name, values in OPTIONAL.items():
            if getattr(self, name) is not None:
                checks.one_of(name, getattr(self, name), values)
        if self.fraction_bits is not None:
            checks.size("fraction_bits", self.fraction_bits)
            if self.fraction_bits > FRACTION_BITS:
                raise ValueError(
                    f"fraction_bits must be from 1 to {FRACTION_BITS}; "
                    f"got {self.fraction_bits!r}"
                )
        if self.shortcut_limit is not None:
            checks.size("shortcut_limit", self.shortcut_limit)
            checks.belongs(
                "shortcut_limit", self.shortcut_limit, "a shortcut", bool(self.shortcut)
            )
        checks.number("added_length", self.added_length)
        for name in ("tie_epsilon", "least_overlap"):
            value = getattr(self, name)
            if checks.number(name, value) < 0:
                raise ValueError(f"{name} must be 0 or more; got {value!r}")

    def _check_prefilters(self, names: tuple[str, ...]) -> None:
        blurs = "gaussian" in names
        given: Any = self.blur_sigma
        checks.belongs("blur_sigma", given, "prefilter 'gaussian'", blurs, False)
        if given is not None:
            sigmas = tuple(given) if hasattr(given, "__len__") else (given,)
            for sigma in sigmas:
                if checks.number("blur_sigma", sigma) < 0:
                    raise ValueError(f"blur_sigma must be 0 or more; got {given!r}")
            object.__setattr__(self, "blur_sigma", tuple(map(float, sigmas)))
        box = "box" in names
        checks.belongs("reduce_gap", self.reduce_gap, "prefilter 'box'", box)
        if box:
            checks.positive("reduce_gap", self.reduce_gap)
