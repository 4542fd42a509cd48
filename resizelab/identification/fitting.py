"""The ideas fitted to measured operators: kernel, grid, stretch.

Kernel and grid come from rows in the middle, which no boundary rule touches.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from resizelab.checks import FloatArray
from resizelab.identification.families import FAMILIES
from resizelab.identification.fitted import NAMED, STEPS, Fitted
from resizelab.identification.response import Measured

BETTER = 1.5  # what a family with more parameters must win
SAME_PLACE = 0.25  # pixels at an axis' end: two steps this close may be one
NEAR = 0.02  # pixels: a grid this close to a named one may be it
FAR = 0.2  # of a weight: a kernel without a parameter that begins there ends there


STARTS = tuple(Fitted(f, tuple(f.start.values())) for f in FAMILIES)


def fit(some: Sequence[Measured], begin: Fitted, free: bool = False) -> Fitted:
    """Return the best fit of a kernel family, from the values that it has.

    ``free`` lets the kernel be as wide as it likes. Each size has a line in its middle.
    """
    stays = begin.bits is not None  # no slope tells positions in steps where to go
    if stays and not begin.values:
        return begin
    lines = {one: one.line() or (0.0, 1.0) for one in some}
    places = [] if stays else _places(lines, begin.rule)
    count, values = len(places), len(begin.values)

    def made(theta: FloatArray) -> Fitted:
        known = replace(begin, values=tuple(theta[count : count + values]))
        if free:
            known = replace(known, factor=max(0.2, float(theta[-1])))
        if stays:
            return known
        if begin.rule:
            phase, shift = (*theta[:count], 0.5)[:2]
            return replace(known, phase=float(phase), shift=float(shift))
        each = zip(lines, theta[:count].reshape(-1, 2), strict=True)
        return replace(known, lines={one.sizes: (x[0], x[1]) for one, x in each})

    def rest(theta: FloatArray) -> FloatArray:
        known = made(theta)
        return np.concatenate([known.middle(one).ravel() for one in lines])

    width = [begin.factor] if free else []
    start = np.array([*places, *begin.values, *width])
    if not begin.values and not free and np.abs(rest(start)).max() > FAR:
        return made(start)
    theta, errors = least_squares(rest, start)
    return replace(
        made(theta),
        errors=tuple(errors[count : count + values]),
        grid_error=float(errors[:count].max(initial=0)),
    )


def _places(lines: Mapping[Measured, tuple[float, float]], rule: str) -> list[float]:
    """Return where a fit's grid begins: (phase, shift), or start and step of each."""
    if not rule:
        return [number for line in lines.values() for number in line]
    steps = np.array([STEPS[rule](*one.sizes) for one in lines])
    starts = np.array([start for start, _ in lines.values()])
    if np.ptp(steps) < 0.05:  # either shift or phase must be taken as known
        return [float((starts[0] + 0.5) / steps[0])]
    design = np.stack([steps, -np.ones(len(steps))], 1)
    return list(map(float, np.linalg.lstsq(design, starts, rcond=None)[0]))


def best(
    some: Sequence[Measured], among: Sequence[Fitted] = STARTS, loose: bool = False
) -> tuple[Fitted | None, float]:
    """Return the fit that explains the middle of every size best, and its error.

    ``loose`` lets kernels be of any width, and lines of any step.
    """
    some = [one for one in some if one.line() is not None]
    if not some:
        return None, np.inf
    found, least, noise = None, np.inf, noise_of(some)
    rule = _rule(some)
    stretches = ["none", "step", "grid step"] if shrinking(some) else ["none"]
    stretches = stretches[:2] if rule == "n_in / n_out" else stretches
    ways = ((rule, True), ("", False)) if loose else ((rule, False),)
    for (by, free), begin, stretch in product(ways, among, stretches):
        if free and not begin.family.scales:
            continue
        one = fit(some, replace(begin, rule=by, stretch=stretch), free)
        one, error = written(one, some)
        if error * BETTER < least:
            found, least = one, float(error)
        if least <= noise:
            break
    return found, least


def written(found: Fitted, some: Sequence[Measured]) -> tuple[Fitted, float]:
    """Return a fit as people would write it, if that is no worse, and its error.

    A tap that lies exactly at a kernel's cut is read or left out by a rounding error,
    and a fit through what is not there goes astray.
    """
    least, noise = off(found, some), noise_of(some)
    places = found.away() if found.bits is None else {}
    for (phase, shift), away in places.items():
        one = replace(found, phase=phase, shift=shift)
        named = NAMED[found.rule, phase, shift] == found.grid
        if named and (error := off(one, some)) <= max(least, noise):
            found, least = one, error
        if least <= noise or away > NEAR:
            continue
        one = replace(one, values=tuple(round(float(v), 2) for v in found.values))
        if (error := off(one, some)) * BETTER < least:
            found, least = one, error
    return found, least


def off(one: Fitted, some: Sequence[Measured]) -> float:
    """Return the largest error of a weight of the middle."""
    return float(max(np.abs(one.middle(s)).max(initial=0) for s in some))


def shrinking(some: Sequence[Measured]) -> list[Measured]:
    """Return those of the operators that shrink their axis."""
    return [one for one in some if one.n > one.m]


def noise_of(some: Sequence[Measured]) -> float:
    """Return what a weight of any of these operators may be off."""
    return max(one.noise for one in some)


def _rule(some: Sequence[Measured]) -> str:
    """Return the rule that the steps of the centroids' lines follow, or none."""
    lines = [(one, line[1]) for one in some if (line := one.line()) is not None]
    away = {
        rule: max((abs(t - step(*one.sizes)) * one.m for one, t in lines), default=0.0)
        for rule, step in STEPS.items()
    }
    rule = min(away, key=lambda name: away[name])
    return rule if away[rule] < SAME_PLACE else ""


def least_squares(
    model: Callable[[FloatArray], FloatArray], start: FloatArray, steps: int = 30
) -> tuple[FloatArray, FloatArray]:
    """Return the parameters that bring ``model`` to zero, and their errors.

    Gauss and Newton with halved steps: the residual never grows. Errors are standard
    errors, from what remains.
    """
    theta, rest = start.astype(np.float64), model(start)
    small = 1e-6 * np.maximum(1.0, np.abs(theta))
    slopes = np.zeros((len(rest), len(theta)))
    for _ in range(steps):
        for p in range(len(theta)):
            moved = theta.copy()
            moved[p] += small[p]
            slopes[:, p] = (model(moved) - rest) / small[p]
        move = np.linalg.lstsq(slopes, -rest, rcond=None)[0]
        best = float(rest @ rest)
        for _ in range(8):
            tried = model(theta + move)
            if float(tried @ tried) < best:
                break
            move = move / 2
        else:
            break
        theta, rest = theta + move, tried
        if best - float(rest @ rest) < 1e-4 * best or np.abs(move).max() < 1e-10:
            break
    spare = max(1, len(rest) - len(theta))
    noise = max(float(rest @ rest) / spare, 1e-16)
    spread = np.linalg.pinv(slopes.T @ slopes)
    return theta, np.sqrt(noise * np.abs(np.diag(spread)))
