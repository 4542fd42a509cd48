"""A fit, and the operators that it builds.

A kernel, a line of positions, a stretch, a boundary, and perhaps a blur before them:
enough to build the operator of any sizes.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np

from resizelab.arrays import resizing
from resizelab.axis import Convention, Kernel, Particulars, Spec, habits, prefilter
from resizelab.axis.boundary import BOUNDARIES
from resizelab.axis.kernel import PARAMETERS
from resizelab.checks import FloatArray
from resizelab.identification.families import Family
from resizelab.identification.response import Measured, Sizes

# What a kernel is told, but for the cut, which a fit takes from its sigma.
GIVEN = sorted({p for own in PARAMETERS.values() for p in own} - {"cut"})
CLOSE = 1e-3  # a fitted parameter this near a row's is the row's
# The edge goes on as far as pixels do, or their centres; what reads beyond is 0.
ZEROS = {"edge, 0 beyond it": True, "edge, 0 beyond the outer centres": False}
RULES = (*BOUNDARIES, *ZEROS)
SAME_GRID = 1e-4  # pixels: a grid this close to a named one is it
STEPS: dict[str, Callable[[int, int], float]] = {
    "n_in / n_out": lambda n, m: n / m,
    "(n_in - 1) / (n_out - 1)": lambda n, m: (n - 1) / max(1, m - 1),
}
NAMED = {
    ("n_in / n_out", 0.5, 0.5): "half_pixel",
    ("n_in / n_out", 0.0, 0.0): "asymmetric",
    ("n_in / n_out", 0.5, 0.0): "tf_half_pixel_for_nn",
    ("(n_in - 1) / (n_out - 1)", 0.0, 0.0): "align_corners",
    ("(n_in - 1) / (n_out - 1)", 0.5, 0.5): "align_corners_antialias",
}


@dataclass(frozen=True)
class Fitted:
    """The ideas behind measured operators: enough to build those of any sizes.

    Output i reads position (i + phase) * step - shift.

    Parameters
    ----------
    family, values, errors
        The kernel, its free parameters and their standard errors.
    rule : str
        ``n_in / n_out`` or ``(n_in - 1) / (n_out - 1)``: the step; without a rule
        ``lines`` holds (start, step) by size.
    phase, shift, grid_error : float
        Of the grid, in pixels.
    stretch : str
        What stretches the kernel where an axis shrinks: ``none``, ``step`` (n_in /
        n_out), ``grid step``; and at all sizes it is ``factor`` as wide.
    boundary : str
        The rule, ``or`` others that give the same numbers here.
    bits, rounding
        Of the positions' fractions, where they come in steps.
    of_stretch : bool
        Weights are divided by the stretch, not by their sum.
    supersampled : bool
        Where an axis shrinks, an output is the mean of as many finer ones as whole
        steps fit into it.
    blurs, blur_boundary
        The taps of a blur before the kernel, by size, and its boundary.
    spec : Spec, optional
        The choices of a call that say all of it.
    residuals : mapping
        The largest error of a weight of the operator that is built from all this, by
        size; ``inner`` is that of rows that read nothing near the border, ``noise``
        what the box's own rounding explains.
    """

    family: Family
    values: tuple[float, ...] = ()
    errors: tuple[float, ...] = ()
    rule: str = ""
    phase: float = 0.0
    shift: float = 0.5
    grid_error: float = 0.0
    lines: Mapping[Sizes, tuple[float, float]] = field(default_factory=dict)
    stretch: str = "none"
    factor: float = 1.0
    boundary: str = "constant"
    bits: int | None = None
    rounding: str = "half_even"
    of_stretch: bool = False
    supersampled: bool = False
    blurs: Mapping[Sizes, FloatArray] = field(default_factory=dict)
    blur_boundary: str = "reflect"
    spec: Spec | None = None
    residuals: Mapping[Sizes, float] = field(default_factory=dict)
    inner: float = 0.0
    noise: float = 0.0

    def covers(self, one: Measured) -> bool:
        """Whether it says what becomes of those sizes."""
        return bool(self.rule or self.spec) or one.sizes in self.lines

    def line(self, n: int, m: int) -> tuple[float, float]:
        """Return (start, step) at these sizes."""
        if (n, m) in self.lines:
            return self.lines[n, m]
        step = STEPS[self.rule](n, m)
        return self.phase * step - self.shift, step

    def kernel_at(self, n: int, m: int) -> Kernel:
        """Return the kernel at these sizes, stretched."""
        step = self.line(n, m)[1]
        stretches = {"none": 1.0, "step": n / m, "grid step": step}
        stretch = max(1.0, stretches[self.stretch])
        k = self.family.kernel(self.values, step, self.factor * stretch)
        if self.of_stretch:
            return replace(k, fn=lambda d: k.fn(d) / stretch)
        return k

    def operator(self, n: int, m: int) -> FloatArray:
        """Return the (m, n) operator."""
        if self.supersampled and n >= 2 * m:
            finer = replace(self, supersampled=False).operator(n, n // m * m)
            mean: FloatArray = finer.reshape(m, n // m, n).mean(1)
            return mean
        rule = self.boundary.split(" or ")[0]
        made = self._plain(n, m, rule)
        if (n, m) in self.blurs:
            blur = prefilter.convolution(self.blurs[n, m], n, self.blur_boundary)
            return made @ blur.dense()
        return made @ _inverse(self.family, n, rule)

    def _plain(self, n: int, m: int, rule: str) -> FloatArray:
        if self.spec is not None:
            return resizing.weights(self.spec, n, m).dense()
        spec = Spec(
            kernel=self.kernel_at(n, m),
            grid="box",
            boundary="edge" if rule in ZEROS else rule,
            extrapolation=0.0 if rule in ZEROS else None,
        )
        p = Particulars(
            normalise="never" if self.of_stretch else "after",
            extrapolation_edges=ZEROS.get(rule, False),
            fraction_bits=self.bits,
            fraction_rounding=self.rounding,
        )
        c = Convention(name="fitted", spec=spec, particulars=p)
        start, step = self.line(n, m)
        first = start + 0.5 - 0.5 * step
        return resizing.weights(c, n, m, roi=(first, first + step * m)).dense()

    def middle(self, one: Measured) -> FloatArray:
        """Return how far the rows of the middle are off, where no rule of ends is."""
        start, step = self.line(*one.sizes)
        x = start + one.rows[one.middle] * step
        x = habits.in_steps(x, self.bits, self.rounding)
        w = self.kernel_at(*one.sizes)(np.arange(one.n) - x[:, None])
        if not self.of_stretch:
            total = w.sum(1, keepdims=True)
            w /= np.where(np.abs(total) > 1e-9, total, 1.0)
        made = w @ _inverse(self.family, one.n, "reflect")
        gap: FloatArray = (made - one.w[one.middle])[:, one.lit]
        return gap

    def error(self, some: Sequence[Measured]) -> float:
        """Return the largest error of a weight of the built operators."""
        gaps = [(self.operator(*s.sizes)[s.rows] - s.w)[:, s.lit] for s in some]
        return max((float(np.abs(gap).max()) for gap in gaps), default=0.0)

    @property
    def of_parts(self) -> bool:
        """Whether there is more than one kernel on one line: a blur, or means."""
        return bool(self.blurs) or self.supersampled

    @property
    def fits(self) -> bool:
        """Whether the built operators are the measured ones, but for noise."""
        return max(self.residuals.values(), default=np.inf) <= self.noise

    @property
    def inside(self) -> bool:
        """Whether they are away from the border."""
        return self.fits or self.inner <= self.noise

    @property
    def kernel(self) -> str:
        """The family's name."""
        return self.family.name

    @property
    def parameters(self) -> dict[str, Any]:
        """The kernel's parameters by name, fitted ones first."""
        named = zip(self.family.start, map(float, self.values), strict=True)
        return {**dict(named), **self.family.fixed}

    @property
    def a(self) -> float | None:
        """Keys' parameter of a cubic kernel."""
        return self.parameters.get("a")

    @property
    def step(self) -> str:
        """The rule of the step, or its numbers."""
        each = (f"{t:.5g} ({n} to {m})" for (n, m), (_, t) in self.lines.items())
        return self.rule or ", ".join(each)

    @property
    def grid(self) -> str | None:
        """The grid's name, if it has one."""
        if self.spec is not None:
            return self.spec.grid
        for place, away in self.away().items():
            if away < max(SAME_GRID, 3 * self.grid_error):
                return NAMED[self.rule, *place]
        return None

    def away(self) -> dict[tuple[float, float], float]:
        """Return how far the named grids are whose step has this rule."""
        return {
            (phase, shift): max(abs(self.phase - phase), abs(self.shift - shift))
            for rule, phase, shift in NAMED
            if rule == self.rule
        }

    def differs(self, c: Convention) -> dict[str, tuple[object, object]]:
        """Return the ideas in which a convention differs: {name: (here, there)}."""
        spec = c.spec
        found: dict[str, tuple[object, object]] = {}
        if self.kernel != spec.kernel:
            found["kernel"] = self.kernel, spec.kernel
        for name in GIVEN:
            here, there = self.parameters.get(name), getattr(spec, name)
            near = here == there
            if isinstance(here, int | float):
                near = there is not None and abs(here - there) < CLOSE
                here = round(here, 5)
            if not near:
                found[name] = here, there
        if self.grid != spec.grid:
            line = f"phase {self.phase:.4f}, shift {self.shift:.4f}"
            own = f"step {self.step}, {line} (no recorded grid)"
            found["grid"] = self.grid or own, spec.grid
        shrinks = any(n > m for n, m in self.residuals)
        if shrinks and spec.antialias != (self.stretch != "none"):
            found["antialias"] = f"stretch {self.stretch}", spec.antialias
        if spec.boundary not in self.boundary.split(" or "):
            found["boundary"] = self.boundary, spec.boundary
        return found


@lru_cache(maxsize=32)
def _coefficients(n: int, order: int, boundary: str) -> FloatArray:
    return prefilter.bspline(n, order, boundary).dense()


def _inverse(family: Family, n: int, boundary: str) -> FloatArray:
    """Return what makes coefficients of pixels, or nothing of them."""
    if not family.prefiltered:
        return np.eye(n)
    return _coefficients(n, family.fixed["order"], prefilter.exact(boundary))
