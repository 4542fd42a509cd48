"""The independent choices of a resize, frozen and validated.

`Spec` holds the ideas, `Particulars` why two libraries with the same ideas still
differ, `Arithmetic` what integers add. A framework is one point of these fields.
"""

from dataclasses import dataclass, fields, replace
from typing import Any, Self

from resizelab import checks
from resizelab.grids import GRIDS, SINGLE_PIXEL
from resizelab.kernels import KERNELS, PARAMETERS, WINDOWS, Kernel
from resizelab.orders import ARITHMETICS

BOUNDARIES = ("edge", "exclude", "symmetric", "reflect", "wrap", "constant")
# Words of other libraries that a near match would send astray.
BOUNDARY_WORDS = {
    "replicate": "edge",
    "border": "edge",
    "mirror": "reflect",
    "grid-wrap": "wrap",
    "circular": "wrap",
    "zeros": "constant",
}
NEAREST_MODES = (
    "floor",
    "ceil",
    "round_prefer_floor",
    "round_prefer_ceil",
    "half_even",
    "half_away",
    "simple",
)
CELLS = ("area", "adaptive_area", "two_tap_area")
CELL_GRIDS = (
    "half_pixel",
    "align_corners",
    "translate",
)  # they settle where a cell begins
STEP_FROM = ("sizes", "scale", "scale_if_given")
FRACTION_BITS = 52  # what a float64 holds
HIGHEST_ORDER = 9  # of a B-spline; SciPy stops at 5, and beyond 9 rounding shows
SHORTCUTS = ("axis", "image", "unit_step", "double")
OUTPUT_DTYPES = (
    "float32",
    "float64",
    "uint8",
    "int8",
    "uint16",
    "int16",
    "int32",
    "int64",
    "uint32",
    "uint64",
)
ACCUMULATORS = (
    "float32",
    "float64",
    "float32_lerp",
    "float32_joint",
    "float32_halved",
    "float32_successive",
)
PREFILTERS = ("gaussian", "bspline", "bspline_aliased", "padded_bspline", "box")
POSITION_RULES = ("wrap_corners",)
SIZE_RULES = ("floor", "floor_float32", "floor_epsilon", "ceil", "half_even", "half_up")

# Particulars that always hold one of a closed set.
CLOSED = {
    "size_rule": SIZE_RULES,
    "coordinate_arithmetic": ARITHMETICS,
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


class Choices:
    """A frozen record whose ``replace`` validates again."""

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some fields changed; unknown names are a TypeError."""
        names = [f.name for f in fields(self)]  # type: ignore[arg-type]
        for name in changes:
            if name not in names:
                raise TypeError(
                    f"{type(self).__name__} has no field {name!r}"
                    f"{checks.nearest_match(name, names)}; fields: {', '.join(names)}"
                )
        return replace(self, **changes)  # type: ignore[type-var]


@dataclass(frozen=True, kw_only=True)
class Spec(Choices):
    """The ideas of a resize: what the chapters teach.

    A field that does not apply is None, and giving it is an error.

    Parameters
    ----------
    kernel : str or Kernel
        linear, cubic, box, hamming, lanczos, gaussian, bspline weigh by distance;
        nearest, area, adaptive_area, two_tap_area, counted_box pick or average pixels.
    a : float
        Cubic: Keys' parameter (ONNX ``cubic_coeff_a``). Or give ``b`` and ``c``.
    lobes, sigma, cut, order
        Lanczos lobes; Gaussian sigma and the radius where it is cut; B-spline order.
    grid : str
        Where an output pixel reads: ONNX's coordinate modes and five more.
    antialias : bool
        Stretch the kernel by the step where the axis shrinks.
    boundary : str
        What a tap outside the input reads: edge, exclude (dropped), symmetric,
        reflect, wrap, constant (then ``fill``, 0 by default).
    nearest_mode : str
        How a position becomes an index; with kernel="nearest" only.
    step_from : str
        ``sizes``: the step is n_in / n_out; ``scale``: 1 / the given scale;
        ``scale_if_given``: that if there is one, else n_in / n_out.
    extrapolation : float
        If set, an output whose position lies outside the input has this value.

    >>> Spec(kernel="cubic", a=-0.75).replace(grid="align_corners").grid
    'align_corners'
    """

    kernel: str | Kernel = "linear"
    a: float | None = None
    b: float | None = None
    c: float | None = None
    lobes: int | None = None
    sigma: float | None = None
    cut: float | None = None
    order: int | None = None
    grid: str = "half_pixel"
    antialias: bool = False
    boundary: str = "edge"
    fill: float | None = None
    nearest_mode: str | None = None
    step_from: str = "sizes"
    extrapolation: float | None = None

    def __post_init__(self) -> None:
        """Validate every field."""
        if not isinstance(self.kernel, Kernel):
            checks.one_of("kernel", self.kernel, KERNELS)
        checks.one_of("grid", self.grid, GRIDS)
        if self.kernel in CELLS and self.grid not in CELL_GRIDS:
            raise ValueError(
                f"kernel={self.kernel!r} averages the cells of grid "
                f"{' or '.join(map(repr, CELL_GRIDS))}; got grid={self.grid!r}"
            )
        checks.one_of("boundary", self.boundary, BOUNDARIES, BOUNDARY_WORDS)
        checks.one_of("step_from", self.step_from, STEP_FROM)
        object.__setattr__(self, "antialias", checks.flag("antialias", self.antialias))
        self._check_kernel_parameters()
        nearest = self.kernel == "nearest"
        checks.belongs("nearest_mode", self.nearest_mode, "kernel='nearest'", nearest)
        if nearest:
            checks.one_of("nearest_mode", self.nearest_mode, NEAREST_MODES)
        if self.antialias and self.kernel in WINDOWS:
            raise ValueError(
                f"antialias stretches a kernel; kernel={self.kernel!r} has none"
            )
        constant = self.boundary == "constant"
        checks.belongs("fill", self.fill, "boundary='constant'", constant, False)
        if constant:
            fill = 0.0 if self.fill is None else checks.number("fill", self.fill)
            object.__setattr__(self, "fill", fill)
        if self.extrapolation is not None:
            checks.number("extrapolation", self.extrapolation)

    def _check_kernel_parameters(self) -> None:
        name = self.kernel if isinstance(self.kernel, str) else ""
        takes = PARAMETERS.get(name, ())
        for owner, parameters in PARAMETERS.items():
            for p in parameters:
                value = getattr(self, p)
                needed = p not in ("a", "b", "c")
                checks.belongs(p, value, f"kernel={owner!r}", p in takes, needed)
                if value is not None:
                    checks.number(p, value)
        for p in ("lobes", "order"):
            if getattr(self, p) is not None:
                checks.size(p, getattr(self, p))
        if self.order is not None and self.order > HIGHEST_ORDER:
            raise ValueError(
                f"order must be from 1 to {HIGHEST_ORDER}; got {self.order!r}"
            )
        for p in ("sigma", "cut"):
            if getattr(self, p) is not None:
                checks.positive(p, getattr(self, p))
        pair = (self.b is None) + (self.c is None)
        if name == "cubic" and (pair == 1 or (self.a is None) == (pair == 2)):
            raise ValueError(
                "kernel='cubic' needs a (often -0.5 or -0.75), or b and c; "
                f"got a={self.a!r}, b={self.b!r}, c={self.c!r}"
            )


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
    stretch_by : str
        Antialias stretches the kernel by the ``grid``'s step, or by the inverse of the
        ``scale`` (n_in / n_out if none is given): they part at align_corners.
    window_search : str
        ``position``: the pixel next to a position is that position's floor; ``padded``:
        it is looked for on a padded axis, where rounding may find the one before it.
    distance_arithmetic : str
        float32, where a tap's distance in stretched pixels is one; it decides what lies
        exactly at a kernel's cut.
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
    if_any_grows : str
        The kernel used on every axis as soon as one axis grows.
    aspect_ratio : str
        ``stretch``; ``not_larger``, ``not_smaller``: the sizes asked for are bounds.
    aspect_rounding : str
        How the common scale becomes sizes: ``half_up``, from exact fractions;
        ``half_even_float32``, all in float32.
    outside_positions : str
        ``wrap_corners``: a position outside the input is moved inside, by the distance
        of the two ends, before taps are found.
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
    stretch_by: str = "grid"
    window_search: str = "position"
    distance_arithmetic: str = "float64"
    tie_epsilon: float = 0.0
    fraction_bits: int | None = None
    window: str = "closed"
    normalise: str = "after"
    prefilter: tuple[str, ...] = ()
    blur_sigma: tuple[float, ...] | None = None
    blur_when: str = "always"
    reduce_gap: float | None = None
    shortcut: str | None = None
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
        blurs = "gaussian" in names
        given = self.blur_sigma
        checks.belongs("blur_sigma", given, "prefilter 'gaussian'", blurs, False)
        if given is not None:
            sigmas = tuple(given) if hasattr(given, "__len__") else (given,)
            for sigma in sigmas:
                if checks.number("blur_sigma", sigma) < 0:
                    raise ValueError(f"blur_sigma must be 0 or more; got {given!r}")
            object.__setattr__(self, "blur_sigma", tuple(map(float, sigmas)))
        if self.outside_positions is not None:
            rules = POSITION_RULES
            checks.one_of("outside_positions", self.outside_positions, rules)
        if self.padding is not None:
            checks.size("padding", self.padding)
        box = "box" in names
        checks.belongs("reduce_gap", self.reduce_gap, "prefilter 'box'", box)
        if box:
            checks.positive("reduce_gap", self.reduce_gap)
        for name in ("extrapolation_edges", "clip_to_input"):
            checks.flag(name, getattr(self, name))
        if self.single_pixel is not None:
            checks.one_of("single_pixel", self.single_pixel, SINGLE_PIXEL)
        if self.shortcut is not None:
            checks.one_of("shortcut", self.shortcut, SHORTCUTS)
        if self.if_any_grows is not None:
            checks.one_of("if_any_grows", self.if_any_grows, KERNELS)
        if self.fraction_bits is not None:
            checks.size("fraction_bits", self.fraction_bits)
            if self.fraction_bits > FRACTION_BITS:
                raise ValueError(
                    f"fraction_bits must be from 1 to {FRACTION_BITS}; "
                    f"got {self.fraction_bits!r}"
                )
        if checks.number("tie_epsilon", self.tie_epsilon) < 0:
            raise ValueError(f"tie_epsilon must be 0 or more; got {self.tie_epsilon!r}")


@dataclass(frozen=True, kw_only=True)
class Arithmetic(Choices):
    """What happens to integers: fixed-point weights, rounding, clipping, pass order.

    Parameters
    ----------
    weight_bits : int or "fit_int16"
        Weights are stored as integers times 2**-bits; ``fit_int16`` takes the most
        bits (up to 22) that let the largest weight fit 16 bits; None keeps floats.
    weight_rounding : str
        half_away, half_even or truncate; with weight_bits.
    edge_taps : str
        ``merged``: taps that the boundary rule sends to one pixel are added before
        weights are rounded; ``separate``: each is rounded by itself.
    accumulator : str
        float32 or float64, where weights are floats; integers add exactly. Of two taps
        an axis, the order too: ``float32_lerp``, a + (b - a) * w, one axis after the
        other; ``float32_joint``, both axes at once, value * (w * w), row by row;
        ``float32_halved``, the same, a last pixel that is read alone counting as two
        halves; ``float32_successive``, value * w * w, column by column.
    between_passes : str
        ``round``: back to the integer type after each axis; ``keep``: not;
        ``staged``: the first axis drops 4 bits, each product of the second 16.
    sum_rounding : str
        half_up, half_even, half_away or truncate.
    pass_order : str
        width_first, height_first, or fewest_rows: height first if and only if rows
        shrink by more than twice as many pixels as columns.
    shortcut, coordinate_arithmetic, prefilter
        As in `Particulars`, where this dtype's path has one of its own.
    unit_range : bool
        Integers are first divided by the largest value of their type.
    output_dtype : str
        NumPy name of the result's type; None keeps the input's. Integers are clipped.
    clip_dtype : str
        The type to whose range sums are clipped where it is not the result's; what the
        result cannot hold then wraps round.
    """

    weight_bits: int | str | None = None
    weight_rounding: str | None = None
    edge_taps: str = "merged"
    accumulator: str = "float32"
    between_passes: str = "keep"
    sum_rounding: str = "half_even"
    pass_order: str = "width_first"
    shortcut: str | None = None
    coordinate_arithmetic: str | None = None
    prefilter: tuple[str, ...] | None = None
    unit_range: bool = False
    output_dtype: str | None = None
    clip_dtype: str | None = None

    def __post_init__(self) -> None:
        """Validate every field."""
        if self.weight_bits is not None and self.weight_bits != "fit_int16":
            checks.size("weight_bits", self.weight_bits)
        fixed = self.weight_bits is not None
        checks.belongs("weight_rounding", self.weight_rounding, "weight_bits", fixed)
        if fixed:
            roundings = ("half_away", "half_even", "truncate")
            checks.one_of("weight_rounding", self.weight_rounding, roundings)
        checks.one_of("edge_taps", self.edge_taps, ("merged", "separate"))
        checks.one_of("accumulator", self.accumulator, ACCUMULATORS)
        between = ("round", "keep", "staged")
        checks.one_of("between_passes", self.between_passes, between)
        sums = ("half_up", "half_even", "half_away", "truncate")
        checks.one_of("sum_rounding", self.sum_rounding, sums)
        orders = ("width_first", "height_first", "fewest_rows")
        checks.one_of("pass_order", self.pass_order, orders)
        checks.flag("unit_range", self.unit_range)
        if self.prefilter is not None:
            for name in self.prefilter:
                checks.one_of("prefilter", name, PREFILTERS)
            object.__setattr__(self, "prefilter", tuple(self.prefilter))
        if self.shortcut is not None:
            checks.one_of("shortcut", self.shortcut, SHORTCUTS)
        if self.coordinate_arithmetic is not None:
            name = "coordinate_arithmetic"
            checks.one_of(name, self.coordinate_arithmetic, ARITHMETICS)
        if self.output_dtype is not None:
            checks.one_of("output_dtype", self.output_dtype, OUTPUT_DTYPES)
        if self.clip_dtype is not None:
            checks.one_of("clip_dtype", self.clip_dtype, OUTPUT_DTYPES)
