"""The independent choices of a resize, frozen and validated.

`Spec` holds the ideas, `Particulars` why two libraries with the same ideas still
differ, `Arithmetic` what integers add. A framework is one point of these fields.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from resizelab import checks
from resizelab.axis.boundary import BOUNDARIES, BOUNDARY_WORDS
from resizelab.axis.choices import Choices
from resizelab.axis.grid import GRIDS, Grid, grid
from resizelab.axis.kernel import (
    FIXED,
    KERNELS,
    PARAMETERS,
    PICKING,
    Kernel,
    Stretched,
    check_parameters,
    kernel,
)
from resizelab.axis.particulars import Particulars

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
# They settle where a cell begins.
CELL_GRIDS = ("half_pixel", "align_corners", "translate")
STEP_FROM = ("sizes", "scale", "scale_if_given")
Region = tuple[float, float] | None
NEUTRAL = Particulars()


@dataclass(frozen=True, kw_only=True)
class Spec(Choices):
    """The ideas of a resize: what the chapters teach.

    A field that does not apply is None, and giving it is an error.

    Parameters
    ----------
    kernel : str or Kernel
        linear, cubic, box, hamming, lanczos, gaussian, bspline, windowed_sinc and more
        (`kernel.PARAMETERS`) weigh by distance; nearest, area, adaptive_area,
        two_tap_area, counted_box pick or average pixels.
    a : float
        Cubic: Keys' parameter (ONNX ``cubic_coeff_a``). Or give ``b`` and ``c``.
    lobes, sigma, cut, order
        Lanczos lobes; Gaussian sigma and the radius where it is cut; B-spline order.
    taper, blur
        Windowed sinc: its window, and how many times as wide all is made (1).
    grid : str
        Where an output pixel reads: ONNX's coordinate modes and six more.
    phase, offset, left_out
        Grid "free": x = (i + phase) * (n_in - left_out) / n_out - offset.
    antialias : bool
        Stretch the kernel by the step where the axis shrinks.
    boundary : str
        What a tap outside the input reads: edge, exclude (dropped), symmetric,
        reflect, odd_reflect (mirrored at the last pixel in place and in value), wrap,
        constant (then ``fill``, 0 by default).
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
    taper: str | None = None
    blur: float | None = None
    grid: str = "half_pixel"
    phase: float | None = None
    offset: float | None = None
    left_out: int | None = None
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
        given: Any = self.antialias
        if not isinstance(given, bool):
            object.__setattr__(self, "antialias", checks.flag("antialias", given))
        check_parameters(self)
        nearest = self.kernel == "nearest"
        checks.belongs("nearest_mode", self.nearest_mode, "kernel='nearest'", nearest)
        if nearest:
            checks.one_of("nearest_mode", self.nearest_mode, NEAREST_MODES)
        if self.antialias and self.kernel in PICKING:
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


@dataclass(frozen=True)
class Axis(Choices):
    """One axis of a resize: its sizes, what fixes its step, and what is chosen.

    Parameters
    ----------
    n_in, n_out : int
        Pixels before and after.
    spec, particulars
        The ideas, and why libraries with the same ideas still differ.
    scale : float, optional
        n_out / n_in where that fixes the step; None: the sizes do. See `of_call`.
    region : (float, float), optional
        What is read, for the grids that have one.
    margin, spreads
        What a prefilter leaves to do: pixels that it has added at each end, which taps
        outside read; and the pixels' shares in a spline's coefficient.
    reach : int, optional
        Taps farther than this from the nearest pixel are not looked at.
    level : float
        The level of a pyramid that is read: 0 is the input, each next is half as long.
    first : Axis, optional
        What the input goes through before: a crop, a border.
    then : Axis, optional
        What the result goes through once more.

    >>> Axis(4, 8, Spec(grid="asymmetric")).grid.step
    0.5
    """

    n_in: int
    n_out: int
    spec: Spec
    particulars: Particulars = NEUTRAL
    scale: float | None = None
    region: Region = None
    margin: int = 0
    spreads: tuple[float, ...] | None = None
    reach: int | None = None
    level: float = 0.0
    first: "Axis | None" = None
    then: "Axis | None" = None

    @classmethod
    def of_call(
        cls,
        n_in: int,
        n_out: int,
        spec: Spec,
        particulars: Particulars = NEUTRAL,
        scale: float | None = None,
        region: Region = None,
    ) -> "Axis":
        """Return the axis of a call: what it was given, as its engine stores that."""
        p = particulars
        if scale is not None:
            scale = checks.positive("scale", scale)
        fixed = None if spec.step_from == "sizes" else scale
        if fixed is None and p.added_length:
            fixed = (n_out + p.added_length) / n_in
        if fixed is not None:
            fixed = stored(fixed, p.scale_precision)
        if region is not None:
            first, last = checks.pair("roi", region)
            if p.region_inside and not 0 <= first < np.float32(last) <= n_in:
                raise ValueError(
                    f"roi must lie inside the {n_in} pixels of its axis; got {region}"
                )
            region = stored(first, p.scale_precision), stored(last, p.scale_precision)
        return cls(n_in, n_out, spec, p, fixed, region)

    @cached_property
    def shortcut(self) -> str | None:
        """``copy`` or ``double`` where pixels are repeated and nothing is weighed."""
        kind = self.particulars.shortcut
        if kind == "double" and self.n_out == 2 * self.n_in:
            return "double"
        whole = kind in ("unit_axis", "unit_step") and self.scale in (None, 1.0)
        copies = self.n_in == self.n_out and (whole or kind in ("axis", "double"))
        return "copy" if copies else None

    @property
    def ratio(self) -> float:
        """The scale: as it was given, or else n_out / n_in."""
        return self.n_out / self.n_in if self.scale is None else self.scale

    @cached_property
    def grid(self) -> Grid:
        """Where the outputs read."""
        p = self.particulars
        if self.scale is None and self.spec.step_from == "scale":
            raise ValueError("step_from='scale' needs scale; got scale=None")
        if p.shortcut is not None and self.shortcut is not None:
            return grid("half_pixel", self.n_in, self.n_out)
        whole = p.resized_length == "integer"
        spec, line = self.spec, None
        if spec.phase is not None and spec.offset is not None:
            line = spec.phase, spec.offset, spec.left_out or 0
        return grid(
            spec.grid,
            self.n_in,
            self.n_out,
            self.scale,
            self.region,
            coordinate_arithmetic=p.coordinate_arithmetic,
            single_pixel=p.single_pixel,
            length=None if whole else self.n_in * self.ratio,
            line=line,
        )

    @cached_property
    def placed(self) -> Grid:
        """Where the outputs read in the input, whatever it goes through ``first``."""
        if self.first is None:
            return self.grid
        offset = self.grid.offset + (self.first.spec.offset or 0.0)
        return replace(self.grid, n_in=self.first.n_in, offset=offset)

    @cached_property
    def kernel(self) -> Kernel | Stretched:
        """The kernel, stretched by the step where the axis shrinks and antialiases."""
        spec, p, k = self.spec, self.particulars, self.spec.kernel
        if not isinstance(k, Kernel):
            k = FIXED.get(k) or kernel(k, **self._parameters(k))
        used: Kernel | Stretched = k
        if spec.antialias:
            step = self.grid.step if p.stretch_by == "grid" else 1 / self.ratio
            used = Stretched(k, max(1.0, step), p.distance_arithmetic)
        if not self.n_out * 2 * used.radius <= checks.MOST_WEIGHTS:
            checks.weights(self.n_out, 2 * used.radius, f"kernel {k.name!r}")
        return used

    def _parameters(self, kernel: str) -> dict[str, float]:
        named = {name: getattr(self.spec, name) for name in PARAMETERS[kernel]}
        return {name: value for name, value in named.items() if value is not None}


def stored(number: float, precision: str) -> float:
    """Return a given number in the precision in which the engine keeps it."""
    return float(np.float32(number)) if precision == "float32" else number
