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
        None if motion is None else numbers.measured(pair, motion, at),
        numbers.expected(pair, (a, b), at),
        tuple(remarks),
    )


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
        _grids(found.ref, found.got, found.stride),
        size,
        size * numbers.beside(match) if match else numbers.left(pair, motion.lines),
        found.stride,
        (found.ref, found.got),
        (match.ref.kernel, match.got.kernel) if match else None,
        numbers.measured(pair, motion, found.stride),
        numbers.expected(pair, (a, b) if match else (), found.stride, found.expected),
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
        f"{b.kernel} against {a.kernel} ({a.grid} fits best), "
        f"{numbers.times(match.stride)}",
        size,
        size * numbers.beside(match),
        match.stride,
        (a.grid, b.grid),
        (a.kernel, b.kernel),
        numbers.measured(pair, motion, match.stride),
        numbers.expected(pair, (a, b), match.stride),
        tuple(remarks),
    )


def _grids(ref: str, got: str, at: Stride) -> str:
    return f"{got} against {ref} {numbers.times(at)}: {FORMULAS[ref, got]}"
