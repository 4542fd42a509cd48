"""Fitted the ideas to measured operators: kernel, grid, stretch, blur, boundary.

Kernel and grid come from rows in the middle, which no boundary rule touches. What was
fitted is then built at every size that was looked at, ends included: the error that is
told is the error of that.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from resizelab.axis.boundary import BOUNDARIES
from resizelab.axis.particulars import CLOSED
from resizelab.axis.spec import NEAREST_MODES, Spec
from resizelab.checks import FloatArray
from resizelab.identification.families import (
    FAMILIES,
    NAMED,
    RULES,
    STEPS,
    Family,
    Fitted,
)
from resizelab.identification.response import Measured

BETTER = 1.5  # what a family with more parameters must win
SAME_PLACE = 0.25  # pixels at an axis' end: two steps this close may be one
WIDEST = 12  # taps to each side that a blur may have
BITS = range(4, 12)  # that fractions of positions may have
TIES = (0.0, 1e-9, -1e-9)  # pixels: a position that is a step may fall below it, or not
FAR = 0.2  # of a weight: a kernel without a parameter that begins there ends there


STARTS = tuple(Fitted(f, tuple(f.start.values())) for f in FAMILIES)


def fit(some: Sequence[Measured], begin: Fitted, free: bool = False) -> Fitted:
    """Return the best fit of a kernel family, from the values that it has.

    ``free`` lets the kernel be as wide as it likes. Each size has a line in its middle.
    """
    if begin.bits is not None:
        return begin  # no slope tells positions in steps where to go
    lines = {one: one.line() or (0.0, 1.0) for one in some}
    places = _places(lines, begin.rule)
    count, values = len(places), len(begin.values)

    def made(theta: FloatArray) -> Fitted:
        known = replace(begin, values=tuple(theta[count : count + values]))
        if free:
            known = replace(known, factor=max(0.2, float(theta[-1])))
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
        grid_error=float(errors[:count].max()),
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
        error = max(np.abs(one.middle(s)).max(initial=0) for s in some)
        if error * BETTER < least:
            found, least = one, float(error)
        if least <= noise:
            break
    return found, least


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


def chosen(some: Sequence[Measured]) -> Fitted | None:
    """Return the choices that pick the same pixels at every size, or None."""
    for grid in ("half_pixel", "asymmetric", "align_corners", "tf_half_pixel_for_nn"):
        for mode in NEAREST_MODES:
            spec = Spec(kernel="nearest", grid=grid, nearest_mode=mode)
            model = Fitted(Family("nearest"), spec=spec)
            if model.error(some) <= noise_of(some):
                return model
    return None


def blurred(some: Sequence[Measured], after: Fitted) -> Fitted | None:
    """Return a blur before a known kernel, its taps free, or None if that is not it."""
    if not after.rule and after.spec is None:
        return None  # its line says nothing of other sizes
    plain = replace(after, stretch="none", factor=1.0)
    blurs = {one.sizes: _taps(one, plain) for one in some}
    if any(len(taps) == 0 for taps in blurs.values()):
        return None
    found = [
        replace(plain, blurs=blurs, boundary=own, blur_boundary=rule)
        for rule, own in product(BOUNDARIES, BOUNDARIES)
    ]
    errors = [one.error(some) for one in found]
    return found[int(np.argmin(errors))] if min(errors) <= noise_of(some) else None


def in_steps(some: Sequence[Measured], near: Fitted) -> Fitted | None:
    """Return a fit at positions in steps, on a known grid, or None if it is not it."""
    away = {
        place: max(abs(near.phase - place[1]), abs(near.shift - place[2]))
        for place in NAMED
        if place[0] == near.rule
    }
    values = tuple(round(v, 2) for v in near.values)  # as people write them
    for place in sorted(away, key=lambda place: away[place]):
        on = replace(near, values=values, phase=place[1])
        for bits, rounding, tie in product(BITS, CLOSED["fraction_rounding"], TIES):
            if away[place] > 2.0**-bits:  # steps move a grid by one of them at most
                break
            one = replace(on, shift=place[2] + tie, bits=bits, rounding=rounding)
            if max(np.abs(one.middle(s)).max(initial=0) for s in some) <= noise_of(
                some
            ):
                return one
    return None


def _taps(one: Measured, plain: Fitted) -> FloatArray:
    """Return the fewest symmetric taps that make the middle of a measured operator."""
    k = plain.operator(one.n, one.m)[one.rows][one.middle]
    wanted = one.w[one.middle]
    if not len(wanted):
        return np.zeros(0)
    moved = [k]
    for r in range(1, min(WIDEST, one.n // 4) + 1):
        both = np.zeros_like(k)
        both[:, r:] += k[:, :-r]
        both[:, :-r] += k[:, r:]
        moved.append(both)
        design = np.stack([part.ravel() for part in moved], 1)
        half = np.linalg.lstsq(design, wanted.ravel(), rcond=None)[0]
        if np.abs(design @ half - wanted.ravel()).max() <= one.noise:
            return np.concatenate([half[:0:-1], half])
    return np.zeros(0)


def explained(some: Sequence[Measured]) -> dict[str, Fitted]:
    """Return what explains the operators of one axis: one entry, or one a direction."""
    if not some:
        return {}
    shrinks = shrinking(some)
    grows = [one for one in some if one not in shrinks]
    if not grows or not shrinks:
        found = _direction(some)
        return {"": told(found, some)} if found else {}
    first = _direction(grows)
    both, error = (chosen(some), 0.0) if first and first.spec else (None, 0.0)
    if first and not first.spec:
        both, error = best(some, [first])
    # A size too short to have a middle is judged by all of its rows.
    short = [one for one in some if one.line() is None]
    if both and max(error, both.error(short)) <= noise_of(some):
        return {"": told(both, some)}
    apart = (("grows", first, grows), ("shrinks", _direction(shrinks, first), shrinks))
    return {f" where it {name}": told(one, seen) for name, one, seen in apart if one}


def _direction(some: Sequence[Measured], grown: Fitted | None = None) -> Fitted | None:
    """Return the fit of operators that all grow or all shrink, or the nearest one.

    ``grown`` is the fit where the axis grows: its kernel may follow a blur.
    """
    if all(one.picks for one in some):
        return chosen(some)
    found, least = best(some)
    if least <= noise_of(some):
        return found
    if stepped := in_steps(some, found) if found else None:
        return stepped
    if shrinking(some):
        linear = Fitted(FAMILIES[0], rule="n_in / n_out", phase=0.5)
        for after in (grown, linear):
            blur = after and blurred(some, after)
            if blur:
                return blur
    undivided = [replace(begin, of_stretch=True) for begin in STARTS]
    for one, error in (best(some, undivided), best(some, loose=True)):
        if error * BETTER < least:
            found, least = one, error
    return found


def told(found: Fitted, some: Sequence[Measured]) -> Fitted:
    """Return a fit with the boundary rules that explain every row, and what remains."""
    some = [one for one in some if found.rule or found.spec or one.sizes in found.lines]
    noise = noise_of(some)
    if not found.spec and not found.blurs:
        ends = {rule: replace(found, boundary=rule).error(some) for rule in RULES}
        enough = max(noise, BETTER * min(ends.values()))
        rules = [rule for rule, error in ends.items() if error <= enough]
        rules = [rule for rule in rules if rule in BOUNDARIES] or rules
        found = replace(found, boundary=" or ".join(rules))
    residuals = {one.sizes: found.error([one]) for one in some}
    rest = some if not found.blurs and not found.spec else []
    middles = [found.middle(s) for s in rest if s.middle.any()]
    inner = max((float(np.abs(m).max()) for m in middles), default=np.inf)
    return replace(found, residuals=residuals, inner=inner, noise=noise)


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
