"""What is said of each finding: a `Diagnosis` with its cause in words."""

from collections.abc import Sequence

import numpy as np

from resizelab.diagnosis import causes, registration, values
from resizelab.diagnosis.axes import Change
from resizelab.diagnosis.causes import Grids
from resizelab.diagnosis.filters import Filter
from resizelab.diagnosis.kernel_difference import Match
from resizelab.diagnosis.maps import Pair
from resizelab.diagnosis.rebuild import Rebuilt
from resizelab.diagnosis.registration import Motion
from resizelab.diagnosis.result import (
    FORMULAS,
    IT_IS,
    LIKELY,
    NO_SIGN,
    Diagnosis,
    Expected,
    Motions,
)
from resizelab.diagnosis.smoothed import Lines, Smoothed, remaining
from resizelab.diagnosis.upsampling import Stride, Upsampling, low_size, spread

BLURRED = 1.5  # times the blur of the fitted move, where bends are measured
FLOORED = (
    "nearest with floor on asymmetric positions centres its blocks as half_pixel does; "
    "with rounding, as its grid does"
)
WHOLE = "whole pixels: a crop, or padding on the other side of a strided convolution"
SMALL = 0.05  # of the spread: rounding makes differences of such sizes
SLIGHT = (
    "a small difference that goes with no move and no blur: rounding, quantised "
    "arithmetic or noise look so, and so does a small change of the input"
)
LARGE = (
    "the model saw or computed something else: another input (normalisation, 0…1 or "
    "0…255, RGB or BGR, the call that resized it), other weights, another dtype, or a "
    "resize deep inside"
)


def changed(pair: Pair, change: Change, given: Stride | None) -> Diagnosis:
    """Return what is said of a change of values, channels, axes or precision."""
    kind, cause = change.kind, change.text
    if pair.reduced and kind == "identical":
        kind, cause = "values", pair.reduced
    if pair.swapped and kind in ("identical", "rounding", "values"):
        kind, cause = "layout", f"{pair.swapped}; after that, {cause}"
    return Diagnosis(
        kind,
        change.certainty,
        cause,
        values.difference(pair),
        change.residual,
        given,
        remarks=pair.remarks,
    )


def rebuilt(pair: Pair, found: Rebuilt, motion: Motion | None) -> Diagnosis:
    """Return what is said where one output was computed from the other."""
    a, b, at = found.ref, found.got, stride(pair, found)
    kind, cause = _named(a, b, at)
    remarks = list(pair.remarks)
    if not found.whole:
        remarks.append(
            "neither output is an enlargement alone, but their difference is that of "
            "two: the same was added to both, or channels were mixed"
        )
    remarks += [
        f"{got} against {ref} fits as well at these sizes" for ref, got in found.rivals
    ]
    if kind == "grid" and "nearest" in (a.family, b.family):
        remarks.append(FLOORED)
    return Diagnosis(
        kind,
        IT_IS,
        cause,
        values.difference(pair),
        found.left * values.difference(pair),
        at,
        (a.grid, b.grid),
        (a.kernel, b.kernel),
        None if motion is None else _measured(pair, motion, at),
        _expected(pair, (a, b), at),
        tuple(remarks),
    )


def _named(a: Upsampling, b: Upsampling, at: Stride) -> tuple[str, str]:
    """Return the kind and the words of two enlargements."""
    if a.grid != b.grid:
        return "grid", f"{b.grid} against {a.grid} {_times(at)}: {_formula(a, b)}"
    if a.scale or b.scale:
        own = [
            f"1 / {u.scale:.6g}, from its scale" if u.scale else "n_in / n_out"
            for u in (b, a)
        ]
        return "step", f"got steps by {own[0]}, ref by {own[1]}; both {a.grid}"
    if a.family == b.family and a.kernel != b.kernel:
        return "border", f"{b.kernel} against {a.kernel} {_times(at)}, on {a.grid}"
    return (
        "kernel",
        f"{b.kernel} against {a.kernel} on one grid ({a.grid}) {_times(at)}",
    )


def _formula(a: Upsampling, b: Upsampling) -> str:
    return FORMULAS[a.grid, b.grid]


def border(pair: Pair, given: Stride | None) -> Diagnosis:
    """Return what is said where only the rim differs."""
    return Diagnosis(
        "border",
        IT_IS,
        "inside, the outputs are equal; only pixels near the rim differ: another "
        "padding of a convolution, or another border rule of a resize",
        values.difference(pair),
        0.0,
        given,
        remarks=pair.remarks,
    )


def filtered(
    pair: Pair, found: Filter, given: Stride | None, seen: Sequence[Stride]
) -> Diagnosis:
    """Return what is said of one filter for all pixels.

    ``seen`` is the stride of an enlargement whose kernel may be that filter.
    """
    kind, certainty = "blur", IT_IS
    deviations = ", ".join(f"{np.sqrt(max(v, 0)):.2f}" for v in found.variance)
    to = "got" if found.source == "ref" else "ref"
    cause = (
        f"{to} is {found.source} after one filter, the same at every pixel (deviation "
        f"{deviations} px, down and across)"
    )
    if found.moved is not None:
        kind, cause = "move", f"{_shifted(found.moved)} exactly: {WHOLE}"
    elif seen:
        kind, certainty = "unknown", NO_SIGN
        cause += f": a blur, or two kernels of the enlargement {_times(seen[0])}"
    size = values.difference(pair)
    return Diagnosis(
        kind, certainty, cause, size, found.left * size, given, remarks=pair.remarks
    )


def _shifted(pixels: tuple[int, int]) -> str:
    y, x = pixels
    return f"content has moved by {y:+d} pixels down and {x:+d} to the right"


def two_grids(
    pair: Pair, found: Grids, match: Match | None, motion: Motion
) -> Diagnosis:
    """Return what is said of a move that two grids make within its errors."""
    if pair.mask:
        match = None
    pairing = tuple(Upsampling(g, "linear") for g in (found.ref, found.got))
    remarks = list(pair.remarks)
    if match and "nearest" in (match.ref.kernel, match.got.kernel):
        remarks.append(FLOORED)
    if match is not None:
        pairing = match.ref, match.got
    size = values.difference(pair)
    a, b = pairing
    return Diagnosis(
        "grid",
        LIKELY,
        f"{found.got} against {found.ref} {_times(found.stride)}: {_formula(a, b)}",
        size,
        size * _beside(match) if match else _left(pair, motion.lines),
        found.stride,
        (found.ref, found.got),
        (match.ref.kernel, match.got.kernel) if match else None,
        _measured(pair, motion, found.stride),
        _expected(pair, (a, b) if match else (), found.stride, found.expected),
        tuple(remarks),
    )


def two_kernels(
    pair: Pair, match: Match, rival: Match | None, motion: Motion
) -> Diagnosis:
    """Return what is said of a difference that holds the pattern of two kernels."""
    a, b = match.ref, match.got
    remarks = [
        *pair.remarks,
        f"the pattern of these kernels is in the difference {match.gain[0]:.2f} times "
        f"(1: exactly theirs), {min(match.certainty, 999):.0f} standard errors from 0",
    ]
    if rival is not None:
        remarks.append(
            f"{rival.got.kernel} against {rival.ref.kernel} fits almost as well"
        )
    size = values.difference(pair)
    return Diagnosis(
        "kernel",
        LIKELY,
        f"{b.kernel} against {a.kernel} on one grid ({a.grid} fits best), "
        f"{_times(match.stride)}",
        size,
        size * _beside(match),
        match.stride,
        (a.grid, b.grid),
        (a.kernel, b.kernel),
        _measured(pair, motion, match.stride),
        _expected(pair, (a, b), match.stride),
        tuple(remarks),
    )


def moved(
    pair: Pair, motion: Motion, near: Sequence[Grids], given: Stride | None
) -> Diagnosis:
    """Return what is said of a move that no pair of grids alone explains."""
    whole = causes.whole_pixels(motion)
    certainty, remarks = NO_SIGN, pair.remarks
    if whole is not None and not near:
        certainty, cause = LIKELY, f"{_shifted(whole)}: {WHOLE}"
    else:
        told = [f"{g.got} against {g.ref} {_times(g.stride)}" for g in near[:3]]
        told += [WHOLE] * (whole is not None)
        told = told or ["a crop, padding, or a resize of the input or deep inside"]
        cause = f"content has moved, which may be {', or '.join(told)}"
    return Diagnosis(
        "move",
        certainty,
        cause,
        values.difference(pair),
        _left(pair, motion.lines),
        given,
        measured=_measured(pair, motion, given or (1.0, 1.0)),
        remarks=remarks,
    )


def unknown(
    pair: Pair,
    motion: Motion,
    same: tuple[Upsampling, tuple[int, int]] | None,
    given: Stride | None,
) -> Diagnosis:
    """Return what is said where nothing is known to make the difference."""
    size = values.difference(pair)
    remarks = list(pair.remarks)
    if same is not None:
        one, low = same
        at = tuple(n / k for n, k in zip(pair.shape, low, strict=True))
        remarks.append(
            f"both outputs end in the same enlargement ({one.kernel} on {one.grid}, "
            f"{_times((at[0], at[1]))}): what differs comes before it"
        )
    return Diagnosis(
        "unknown",
        NO_SIGN,
        SLIGHT if size <= SMALL else LARGE,
        size,
        size,
        given,
        measured=_measured(pair, motion, given or (1.0, 1.0)),
        remarks=tuple(remarks),
    )


def stride(pair: Pair, found: Rebuilt) -> Stride:
    """Return the strides, y and x, that two sizes stand for."""
    y, x = (
        float(round(n / k)) if low_size(n, round(n / k)) == k else n / k
        for n, k in zip(pair.shape, found.low, strict=True)
    )
    return y, x


def _measured(pair: Pair, motion: Motion, at: Stride) -> Motions:
    sy, ty, sx, tx = motion.lines
    esy, ety, esx, etx = causes.errors(motion, at)
    ref, got, every = pair.coarse
    lines = registration.scaled(motion.lines, 1 / every)
    sigma = BLURRED * motion.sigma / every
    blur = every**2 * registration.softening(ref, got, lines, sigma)
    return Motions((sy, sx), (esy, esx), (ty, tx), (ety, etx), blur, motion.explained)


def _expected(
    pair: Pair,
    pairing: Sequence[Upsampling],
    at: Stride,
    lines: Lines | None = None,
) -> Expected:
    """Return the closed forms of two enlargements, or of two grids alone."""
    if lines is None:
        a, b = pairing
        lines = causes.expected(a.grid, b.grid, at, pair.shape)
    sy, ty, sx, tx = lines
    blur = None
    if pairing:
        ref, got = (_own_blur(u, pair.shape, at) for u in pairing)
        blur = got - ref
    return Expected((sy, sx), (ty, tx), blur)


def _own_blur(one: Upsampling, shape: tuple[int, int], at: Stride) -> float:
    """Return the blur of an enlargement, the mean of both axes, in px²."""
    sizes = [(low_size(n, s), n) for n, s in zip(shape, at, strict=True)]
    plain = Upsampling(one.grid, one.kernel)
    return sum(spread(plain, n, m) for n, m in sizes) / 2


def _left(pair: Pair, lines: Lines) -> float:
    """Return what of the difference remains after a move."""
    ref, got, every = pair.coarse
    left = remaining(Smoothed(ref, got, 0.0), registration.scaled(lines, 1 / every))
    return float(np.sqrt(left / ref.var((1, 2)).mean()))


def _beside(match: Match) -> float:
    """Return the share that remains beside the pattern of two enlargements."""
    return float(np.sqrt(max(0.0, 1 - match.explained)))


def _times(at: Stride) -> str:
    y, x = (f"{s:.3g}" for s in at)
    return f"at x{y}" if y == x else f"at x{y} (y) and x{x} (x)"
