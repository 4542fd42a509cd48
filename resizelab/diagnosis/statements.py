"""What is said of each finding: a `Diagnosis` with its cause in words."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from resizelab.diagnosis import causes, numbers, values
from resizelab.diagnosis.axes import Change
from resizelab.diagnosis.causes import Grids
from resizelab.diagnosis.filters import Filter
from resizelab.diagnosis.kernel_difference import Match
from resizelab.diagnosis.maps import Pair
from resizelab.diagnosis.rebuild import Rebuilt
from resizelab.diagnosis.registration import Motion
from resizelab.diagnosis.result import FORMULAS, IT_IS, LIKELY, NO_SIGN, Diagnosis
from resizelab.diagnosis.upsampling import Stride, Upsampling

FLOORED = (
    "nearest with floor on asymmetric positions centres its blocks as half_pixel does; "
    "with rounding, as its grid does"
)
WHOLE = (
    "whole pixels: a crop, padding on the other side of a strided convolution, or the "
    "grid of a resize in front of the model or deep inside"
)
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
    said = kind, change.certainty, cause
    return numbers.diagnosis(pair, said, change.residual, given)


def border(pair: Pair, given: Stride | None) -> Diagnosis:
    """Return what is said where only the rim differs."""
    cause = (
        "inside, the outputs are equal; only pixels near the rim differ: another "
        "padding of a convolution, or another border rule of a resize"
    )
    return numbers.diagnosis(pair, ("border", IT_IS, cause), 0.0, given)


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
        kind, cause = "move", f"{_shifted(found.moved)}, {WHOLE}"
    elif seen:
        kind, certainty = "unknown", NO_SIGN
        cause += f": a blur, or two kernels of the enlargement {numbers.times(seen[0])}"
    left = found.left * values.difference(pair)
    return numbers.diagnosis(pair, (kind, certainty, cause), left, given)


def either(grids: Diagnosis, found: Filter) -> Diagnosis:
    """Return what is said where two grids, and a move of whole pixels, explain all."""
    if found.moved is None:
        return grids
    cause = f"{_shifted(found.moved)}: {grids.cause}, or {WHOLE}"
    one = replace(grids, kind="move", certainty=NO_SIGN, cause=cause)
    return replace(one, grids=None, kernels=None, expected=None)


def _shifted(pixels: tuple[int, int]) -> str:
    y, x = pixels
    return f"by {y:+d} pixels down and {x:+d} to the right"


def moved(
    pair: Pair, motion: Motion, near: Sequence[Grids], given: Stride | None
) -> Diagnosis:
    """Return what is said of a move that no pair of grids alone explains."""
    whole = causes.whole_pixels(motion)
    certainty = NO_SIGN
    if whole is not None and not near:
        certainty, cause = LIKELY, f"{_shifted(whole)}, {WHOLE}"
    else:
        told = [f"{g.got} against {g.ref} {numbers.times(g.stride)}" for g in near[:3]]
        if whole is not None:
            told.append(WHOLE)
        told = told or ["a crop, padding, or a resize of the input or deep inside"]
        cause = f"content has moved, which may be {', or '.join(told)}"
    left = numbers.left(pair, motion.lines)
    return numbers.diagnosis(pair, ("move", certainty, cause), left, given, motion)


def unknown(
    pair: Pair,
    motion: Motion,
    same: tuple[Upsampling, tuple[int, int]] | None,
    given: Stride | None,
) -> Diagnosis:
    """Return what is said where nothing is known to make the difference."""
    size = values.difference(pair)
    remarks = []
    if same is not None:
        one, low = same
        at = tuple(n / k for n, k in zip(pair.shape, low, strict=True))
        remarks.append(
            f"both outputs end in the same enlargement ({one.kernel} on {one.grid}, "
            f"{numbers.times((at[0], at[1]))}): what differs comes before it"
        )
    said = "unknown", NO_SIGN, SLIGHT if size <= SMALL else LARGE
    return numbers.diagnosis(pair, said, size, given, motion, (), *remarks)


def rebuilt(pair: Pair, found: Rebuilt, motion: Motion | None) -> Diagnosis:
    """Return what is said where one output was computed from the other."""
    a, b, at = found.ref, found.got, numbers.stride(pair, found)
    kind, cause = _named(a, b, at)
    remarks = []
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
    said, left = (kind, IT_IS, cause), found.left * values.difference(pair)
    return numbers.diagnosis(pair, said, left, at, motion, (a, b), *remarks)


def _named(a: Upsampling, b: Upsampling, at: Stride) -> tuple[str, str]:
    """Return the kind and the words of two enlargements."""
    if a.grid != b.grid:
        return "grid", _grids(a.grid, b.grid, at)
    if a.scale or b.scale:
        own = [
            f"1 / {u.scale:.6g}, from its scale"
            if u.scale
            else "size before / size after"
            for u in (b, a)
        ]
        return "step", f"got steps by {own[0]}, ref by {own[1]}; both {a.grid}"
    kind = "border" if a.family == b.family else "kernel"
    return kind, f"{b.kernel} against {a.kernel}, both {a.grid}, {numbers.times(at)}"


def two_grids(
    pair: Pair, found: Grids, match: Match | None, motion: Motion
) -> Diagnosis:
    """Return what is said of a move that two grids make within its errors."""
    if pair.mask:
        match = None
    at, remarks = found.stride, list[str]()
    pairing: tuple[Upsampling, ...] = ()
    if match is None:
        left = numbers.left(pair, motion.lines)
    else:
        pairing = match.ref, match.got
        left = values.difference(pair) * numbers.beside(match)
        if "nearest" in (match.ref.kernel, match.got.kernel):
            remarks.append(FLOORED)
    said = "grid", LIKELY, _grids(found.ref, found.got, at)
    return numbers.diagnosis(
        pair,
        said,
        left,
        at,
        motion,
        pairing,
        *remarks,
        grids=(found.ref, found.got),
        expected=numbers.expected(pair, pairing, at, found.expected),
    )


def two_kernels(
    pair: Pair, match: Match, rival: Match | None, motion: Motion
) -> Diagnosis:
    """Return what is said of a difference that holds the pattern of two kernels."""
    a, b = match.ref, match.got
    remarks = [
        f"the pattern of these kernels is in the difference {match.gain[0]:.2f} times "
        f"(1: exactly theirs), {min(match.certainty, 999):.0f} standard errors from 0"
    ]
    if rival is not None:
        remarks.append(
            f"{rival.got.kernel} against {rival.ref.kernel} fits almost as well"
        )
    at, left = match.stride, values.difference(pair) * numbers.beside(match)
    cause = f"{b.kernel} against {a.kernel} ({a.grid} fits best), {numbers.times(at)}"
    said = "kernel", LIKELY, cause
    return numbers.diagnosis(pair, said, left, at, motion, (a, b), *remarks)


def _grids(ref: str, got: str, at: Stride) -> str:
    return f"{got} against {ref} {numbers.times(at)}: {FORMULAS[ref, got]}"
