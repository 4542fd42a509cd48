"""What is said of two enlargements: a `Diagnosis` with its cause in words."""

from resizelab.diagnosis import numbers, values
from resizelab.diagnosis.causes import Grids
from resizelab.diagnosis.kernel_difference import Match
from resizelab.diagnosis.maps import Pair
from resizelab.diagnosis.rebuild import Rebuilt
from resizelab.diagnosis.registration import Motion
from resizelab.diagnosis.result import FORMULAS, IT_IS, LIKELY, Diagnosis
from resizelab.diagnosis.upsampling import Stride, Upsampling

FLOORED = (
    "nearest with floor on asymmetric positions centres its blocks as half_pixel does; "
    "with rounding, as its grid does"
)


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
