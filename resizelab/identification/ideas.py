"""Say in words what fits have in common: kernel, grid, stretch, boundary."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from resizelab.axis.convention import Convention
from resizelab.identification.fitting import (
    Fit,
    Measured,
    Sizes,
    best,
    ends,
    stretched,
)
from resizelab.identification.report import Fitted
from resizelab.identification.response import Response

CLOSE = 1e-3  # a fitted parameter this near a row's is the row's
SAME_PLACE = 5e-3  # pixels: two grids this close at both ends are one
NAMED = {
    ("n_in / n_out", 0.5, 0.5): "half_pixel",
    ("n_in / n_out", 0.0, 0.0): "asymmetric",
    ("n_in / n_out", 0.5, 0.0): "tf_half_pixel_for_nn",
    ("(n_in - 1) / (n_out - 1)", 0.0, 0.0): "align_corners",
    ("(n_in - 1) / (n_out - 1)", 0.5, 0.5): "align_corners_antialias",
}


def ideas(responses: Mapping[Sizes, Response]) -> Fitted | None:
    """Return the ideas behind the operators of one axis, or None where none shows.

    Sizes that grow come first: there the kernel is not stretched.
    """
    measured = [Measured(sizes, r) for sizes, r in responses.items()]
    grows = [m for m in measured if m.m > m.n] or measured
    first = best(grows[0])
    if first is None:
        return None
    fits = {(grows[0].n, grows[0].m): first}
    for one in measured:
        found = None if one is grows[0] else stretched(one, first)
        if found is not None:
            fits[one.n, one.m] = found
    rule, residual = ends(grows[0], first)
    fitted = replace(_grid(fits), boundary=rule, residual=residual)
    return replace(
        fitted,
        kernel=first.family.name,
        parameters={
            **dict(zip(first.family.start, map(float, first.values), strict=True)),
            **first.family.fixed,
        },
        errors=dict(zip(first.family.start, map(float, first.errors), strict=True)),
        stretch=_stretch(fits, first),
    )


def _grid(fits: Mapping[Sizes, Fit]) -> Fitted:
    """Return step, phase and shift from where outputs read at several sizes."""
    rules = {
        "n_in / n_out": {s: s[0] / s[1] for s in fits},
        "(n_in - 1) / (n_out - 1)": {s: (s[0] - 1) / max(1, s[1] - 1) for s in fits},
    }
    step, exact = "", {s: f.step for s, f in fits.items()}
    for rule, steps in rules.items():
        away = [abs(f.step - steps[s]) * s[1] for s, f in fits.items()]
        if max(away) < max(SAME_PLACE, 4 * max(f.start_error for f in fits.values())):
            step, exact = rule, steps
            break
    step = step or ", ".join(f"{t:.5g} ({n} to {m})" for (n, m), t in exact.items())
    starts = np.array([f.start for f in fits.values()])
    t = np.array([exact[s] for s in fits])
    error = max(max(f.start_error for f in fits.values()), 1e-6)
    for (rule, phase, shift), name in NAMED.items():
        gap = np.abs(phase * t - shift - starts).max()
        if rule == step and gap < max(1e-4, error):
            return Fitted("", {}, {}, step, phase, shift, float(gap), name, _of(fits))
    if len(fits) > 1 and np.ptp(t) > 0.05:
        design = np.stack([t, -np.ones_like(t)], 1)
        (phase, shift), *_ = np.linalg.lstsq(design, starts, rcond=None)
        error = max(error, float(np.abs(design @ [phase, shift] - starts).max()))
    else:  # one pair of sizes: either shift or phase must be taken as known
        phase, shift = (starts[0] + 0.5) / t[0], 0.5
    return Fitted(
        "", {}, {}, step, float(phase), float(shift), float(error), None, _of(fits)
    )


def _of(fits: Mapping[Sizes, Fit]) -> dict[Sizes, float]:
    return {sizes: f.start for sizes, f in fits.items()}


def _stretch(fits: Mapping[Sizes, Fit], first: Fit) -> str:
    shrinks = {s: f for s, f in fits.items() if s[1] < s[0]}
    if not shrinks:
        return "not looked at: no axis shrinks"
    (n, m), f = next(iter(shrinks.items()))
    step = n / m
    said = f"{f.stretch:.4g}"
    for name, value in (("none", 1.0), ("step", step), ("step", f.step)):
        if abs(f.stretch - value) < 0.02 * value:
            said = name
            break
    if f.family.name != first.family.name or len(f.values) != len(first.values):
        return f"{said} (the kernel is {f.family.name} where the axis shrinks)"
    if len(f.values) and np.abs(f.values - first.values).max() > 0.01:
        told = ", ".join(
            f"{k} = {v:.4g}" for k, v in zip(f.family.start, f.values, strict=True)
        )
        return f"{said} (with {told} where the axis shrinks)"
    return said


def ideas_that_differ(
    fitted: Fitted, c: Convention
) -> dict[str, tuple[object, object]]:
    """Return the ideas in which a fitted operator and a convention differ."""
    spec = c.spec
    found: dict[str, tuple[object, object]] = {}
    if fitted.kernel != spec.kernel:
        found["kernel"] = fitted.kernel, spec.kernel
    for name in ("a", "b", "c", "lobes", "sigma", "order"):
        here, there = fitted.parameters.get(name), getattr(spec, name)
        if here is None and there is None:
            continue
        if here is None or there is None or abs(here - there) > CLOSE:
            found[name] = (None if here is None else round(here, 5)), there
    if fitted.grid != spec.grid:
        found["grid"] = fitted.grid or fitted_grid(fitted), spec.grid
    if spec.antialias != (fitted.stretch != "none") and "not" not in fitted.stretch:
        found["antialias"] = f"stretch {fitted.stretch}", spec.antialias
    if fitted.boundary and spec.boundary not in fitted.boundary.split(" or "):
        found["boundary"] = fitted.boundary, spec.boundary
    return found


def fitted_grid(fitted: Fitted) -> str:
    """Return a grid without a name in words."""
    return (
        f"step {fitted.step}, phase {fitted.phase:.4f}, shift {fitted.shift:.4f} "
        "(no recorded grid)"
    )
