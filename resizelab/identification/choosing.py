"""Which ideas explain an axis: a fit of its middle, choices, a blur, steps.

What was found is built at every size that was looked at, ends included: the error that
is told is the error of that.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from resizelab.axis.boundary import BOUNDARIES
from resizelab.axis.particulars import CLOSED
from resizelab.axis.spec import NEAREST_MODES, Spec
from resizelab.checks import FloatArray
from resizelab.identification.families import BOXES, FAMILIES, Family
from resizelab.identification.fitted import NAMED, RULES, Fitted
from resizelab.identification.fitting import (
    BETTER,
    STARTS,
    best,
    fit,
    noise_of,
    off,
    shrinking,
)
from resizelab.identification.response import Measured

WIDEST = 12  # taps to each side that a blur may have
BITS = range(4, 12)  # that fractions of positions may have
STRETCHES = ("none", "step")
KEYS = next(one for one in STARTS if one.family.start.keys() == {"a"})
TIES = (-1e-9, 0.0, 1e-9)  # pixels: a position that is a step may fall below it, or not


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
    gap = both.error(short) if both and all(map(both.covers, short)) else np.inf
    if both and max(error, gap) <= noise_of(some):
        return {"": told(both, some)}
    second = _direction(shrinks, first)
    # Where every row is near an end, growing shows nothing of its own.
    if second and not second.of_parts and (whole := told(second, some)).fits:
        return {"": whole}
    apart = (("grows", first, grows), ("shrinks", second, shrinks))
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
    if flat := levels(some):
        return flat
    if found and found.rule:
        keys = replace(KEYS, rule=found.rule, stretch=found.stretch)
        for near in (found, fit(some, keys)):  # what Lanczos is like
            if stepped := in_steps(some, near):
                return stepped
    if shrinking(some):
        linear = Fitted(FAMILIES[0], rule="n_in / n_out", phase=0.5)
        known = [one for one in (grown, linear) if one and one.rule]
        for after, stretch in product(known, STRETCHES):
            after = replace(after, stretch=stretch, factor=1.0)
            if made := averaged(some, after) or blurred(some, after):
                return made
    undivided = [replace(begin, of_stretch=True) for begin in STARTS]
    for one, error in (best(some, undivided), best(some, loose=True)):
        if error * BETTER < least:
            found, least = one, error
    return found


def told(found: Fitted, some: Sequence[Measured]) -> Fitted:
    """Return a fit with the boundary rules that explain every row, and what remains."""
    some = list(filter(found.covers, some))
    noise = noise_of(some)
    if not found.spec and not found.of_parts:
        ends = {rule: replace(found, boundary=rule).error(some) for rule in RULES}
        enough = max(noise, BETTER * min(ends.values()))
        rules = [rule for rule, error in ends.items() if error <= enough]
        rules = [rule for rule in rules if rule in BOUNDARIES] or rules
        found = replace(found, boundary=" or ".join(rules))
    residuals = {one.sizes: found.error([one]) for one in some}
    inner = max((_inside(found, one) for one in some), default=np.inf)
    return replace(found, residuals=residuals, inner=inner, noise=noise)


def _inside(found: Fitted, one: Measured) -> float:
    """Return the largest error of a weight in rows that read nothing near an end.

    Infinity where most rows that the fit puts there were measured elsewhere.
    """
    made = found.operator(*one.sizes)[one.rows]
    away = np.abs(made[:, [0, 1, -2, -1]]).max(1) <= 2 * one.noise
    both = away & one.middle
    gap = np.abs(made - one.w)[both][:, one.lit]
    return float(gap.max()) if 2 * both.sum() > away.sum() else np.inf


def chosen(some: Sequence[Measured]) -> Fitted | None:
    """Return the choices that pick the same pixels at every size, or None."""
    grids = ("half_pixel", "asymmetric", "align_corners", "tf_half_pixel_for_nn")
    for grid, mode in product(grids, NEAREST_MODES):
        spec = Spec(kernel="nearest", grid=grid, nearest_mode=mode)
        model = Fitted(Family("nearest"), spec=spec)
        if model.error(some) <= noise_of(some):
            return model
    return None


def levels(some: Sequence[Measured]) -> Fitted | None:
    """Return a box on a named grid, or None: no slope leads a fit to one."""
    for name, (rule, phase, shift), stretch in product(BOXES, NAMED, STRETCHES):
        one = Fitted(Family(name), (), (), rule, phase, shift, stretch=stretch)
        if off(one, some) <= noise_of(some):
            return one
    return None


def averaged(some: Sequence[Measured], finer: Fitted) -> Fitted | None:
    """Return the means of outputs of a known kernel, or None if that is not it."""
    found = [replace(finer, supersampled=True, boundary=r) for r in BOUNDARIES]
    return _least(found, some)


def blurred(some: Sequence[Measured], plain: Fitted) -> Fitted | None:
    """Return a blur before a known kernel, its taps free, or None if that is not it."""
    blurs = {one.sizes: _taps(one, plain) for one in some}
    if any(len(taps) == 0 for taps in blurs.values()):
        return None
    found = [
        replace(plain, blurs=blurs, boundary=own, blur_boundary=rule)
        for rule, own in product(BOUNDARIES, BOUNDARIES)
    ]
    return _least(found, some)


def _least(found: Sequence[Fitted], some: Sequence[Measured]) -> Fitted | None:
    """Return the fit that is off least, or None if that is more than noise."""
    errors = [one.error(some) for one in found]
    return found[int(np.argmin(errors))] if min(errors) <= noise_of(some) else None


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


def in_steps(some: Sequence[Measured], near: Fitted) -> Fitted | None:
    """Return a fit at positions in steps, on a known grid, or None if it is not it."""
    noise, found, least = noise_of(some), None, np.inf
    own = (round(near.phase, 2), round(near.shift, 2))
    for place, away in {own: 0.0, **near.away()}.items():
        for bits, rounding, tie in product(BITS, CLOSED["fraction_rounding"], TIES):
            if away > 2.0**-bits:  # steps move a grid by one of them at most
                break
            phase, shift = place[0], place[1] + tie
            one = replace(near, phase=phase, shift=shift, bits=bits, rounding=rounding)
            # A fit through such positions goes astray: the kernel's numbers again.
            if (error := off(one, some)) < least - noise / 30:
                found, least = one, error
    found = found and fit(some, found)
    return found if found and off(found, some) <= noise else None
