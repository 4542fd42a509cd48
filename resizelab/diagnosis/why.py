"""Say why two outputs of the same model differ: a resize, or something else.

No model is needed, only two arrays of logits or feature maps. Faults that no resize
makes are looked for first (order of channels, values, axes, levels). Then the move of
the content is fitted and laid beside the closed forms of pairs of grids; then the
difference beside the patterns of pairs of kernels. What is left is no resize.
"""

from typing import Any

import numpy as np

from resizelab import checks
from resizelab.checks import FloatArray
from resizelab.diagnosis import causes, maps, registration, values
from resizelab.diagnosis.causes import Grids
from resizelab.diagnosis.kernel_difference import Match
from resizelab.diagnosis.maps import Pair
from resizelab.diagnosis.registration import Motion
from resizelab.diagnosis.result import FORMULAS, Diagnosis, Expected, Motions
from resizelab.diagnosis.smoothed import Lines, Smoothed, remaining
from resizelab.diagnosis.upsampling import STRIDES, Upsampling, low_size, spread
from resizelab.diagnosis.values import Change

FIRST = (16.0, 4.0)  # strides that are supposed until the move tells one
BLURRED = 1.5  # times the blur of the fitted move, where bends are measured
HOPELESS = 0.15  # of the difference: a first fit that explains less is not refined
Strides = tuple[float, float]


def why(
    ref: Any, got: Any, stride: Any = None, *, layout: str | None = None
) -> Diagnosis:
    """Return why ``got`` differs from ``ref``, both outputs of one model.

    Parameters
    ----------
    ref, got : array
        Logits or feature maps, HW, CHW, HWC, NCHW or NHWC; masks tell only coarsely.
    stride : int or (int, int), optional
        How much the model enlarges to this output, or (vertically, horizontally).
        Without it, it is found from the move.
    layout : str, optional
        HW, CHW, HWC, NCHW or NHWC, where the guess would be wrong.

    Raises
    ------
    TypeError, ValueError
        For what is no pair of maps of one size with finite values and some content.

    >>> import resizelab as rl
    >>> z = np.random.default_rng(0).normal(size=(3, 12, 16))
    >>> a, b = (
    ...     rl.resize(z, (3, 96, 128), rl.Spec(grid=g))
    ...     for g in ("half_pixel", "asymmetric")
    ... )
    >>> diagnosis = why(a, b, stride=8)
    >>> diagnosis.kind, diagnosis.grids, diagnosis.expected.shift
    ('grid', ('half_pixel', 'asymmetric'), (-3.5, -3.5))
    """
    given = _given(stride)
    pair = maps.settle(ref, got, layout)
    change = values.find(pair)
    if change is not None:
        return _plain(pair, change, given, None)
    few = pair.few()
    motion = _motion(*few, given)
    strides = _strides(pair.shape, given)
    near = causes.grids(motion, pair.shape, given)
    found = causes.likelier(near, strides, motion.lines, few)
    if found is not None and found[0].away <= causes.SURE:
        return _grids(pair, *found, motion)
    blurred = None if pair.mask else causes.kernels(*few, strides)
    # A move that explains much is one; a doubtful move may be two kernels.
    clear = motion.explained >= causes.CLEARLY
    if found and (clear or not blurred or not _better(blurred[0], found[1])):
        return _grids(pair, *found, motion)
    if blurred is not None:
        return _kernels(pair, *blurred, motion)
    if motion.explained >= causes.CLEARLY and _moves(motion):
        return _moved(pair, motion, given)
    return _plain(pair, values.remaining(pair), given, motion)


def _given(stride: Any) -> Strides | None:
    if stride is None:
        return None
    both = tuple(stride) if isinstance(stride, (tuple, list)) else (stride, stride)
    if len(both) != 2:
        raise ValueError(
            f"stride must be one number, or (vertical, horizontal); got {stride!r}"
        )
    y, x = (checks.positive("stride", s) for s in both)
    if min(y, x) < 1:
        raise ValueError(f"stride must be 1 or more; got {stride!r}")
    return y, x


def _strides(size: tuple[int, int], given: Strides | None) -> list[Strides]:
    wanted = [given] if given else [(float(s), float(s)) for s in STRIDES]
    return [
        (y, x) for y, x in wanted if min(map(low_size, size, (y, x))) >= causes.FEWEST
    ]


def _motion(ref: FloatArray, got: FloatArray, given: Strides | None) -> Motion:
    size = ref.shape[1], ref.shape[2]
    begin = causes.starts(_strides(size, given), size)
    if given:
        return registration.register(ref, got, begin, max(given))
    tried = [registration.register(ref, got, begin, stride) for stride in FIRST]
    first = max(tried, key=lambda m: m.explained)
    if first.explained < HOPELESS:
        return first
    found = 2 * float(np.abs(first.lines).max()) + 1
    largest = max(min(size) / 4, 2.0)
    return registration.register(
        ref, got, [*begin, first.lines], min(max(found, 2.0), largest)
    )


def _better(match: Match, other: Match | None) -> bool:
    return match.explained > (other.explained if other else 0.0)


def _moves(motion: Motion) -> bool:
    return float(np.abs(motion.lines).max()) > causes.LEAST


def _measured(pair: Pair, motion: Motion) -> Motions:
    sy, ty, sx, tx = motion.lines
    esy, ety, esx, etx = motion.errors
    blur = registration.softening(*pair.few(), motion.lines, BLURRED * motion.sigma)
    return Motions((sy, sx), (esy, esx), (ty, tx), (ety, etx), blur, motion.explained)


def _left(pair: Pair, lines: Lines) -> float:
    """Return what of the difference remains after a move."""
    ref, got = pair.few()
    left = remaining(Smoothed(ref, got, 0.0), lines)
    return float(np.sqrt(left / ref.var((1, 2)).mean()))


def _grids(pair: Pair, found: Grids, match: Match | None, motion: Motion) -> Diagnosis:
    if match is not None and (pair.mask or match.explained < causes.TOLD):
        match = None
    formula = FORMULAS[found.ref, found.got]
    sy, ty, sx, tx = found.expected
    blur = _blur(pair, match) if match else None
    remarks = list(pair.remarks)
    if match and "nearest" in (match.ref.kernel, match.got.kernel):
        remarks.append(
            "nearest with floor on asymmetric positions centres its blocks as "
            "half_pixel does; with rounding, as its grid does"
        )
    left = _beside(pair, match) if match else _left(pair, motion.lines)
    return Diagnosis(
        "grid",
        f"{found.got} against {found.ref} {_times(found.stride)}: {formula}",
        values.difference(pair),
        left,
        found.stride,
        (found.ref, found.got),
        (match.ref.kernel, match.got.kernel) if match else None,
        _measured(pair, motion),
        Expected((sy, sx), (ty, tx), blur),
        tuple(remarks),
    )


def _beside(pair: Pair, match: Match) -> float:
    """Return what of the difference remains beside the pattern of two samplers."""
    return values.difference(pair) * float(np.sqrt(max(0.0, 1 - match.explained)))


def _times(stride: Strides) -> str:
    y, x = stride
    return f"at x{y:g}" if y == x else f"at x{y:g} (y) and x{x:g} (x)"


def _blur(pair: Pair, match: Match) -> float:
    """Return the blur of got over ref's as the operators have it, mean of the axes."""

    def own(upsampling: Upsampling) -> float:
        sizes = [
            (low_size(n, s), n) for n, s in zip(pair.shape, match.stride, strict=True)
        ]
        return sum(spread(upsampling, n, m) for n, m in sizes) / 2

    return own(match.got) - own(match.ref)


def _kernels(
    pair: Pair, match: Match, rival: Match | None, motion: Motion
) -> Diagnosis:
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
    return Diagnosis(
        "kernel",
        f"{b.kernel} against {a.kernel} on one grid ({a.grid} fits best), "
        f"{_times(match.stride)}",
        values.difference(pair),
        _beside(pair, match),
        match.stride,
        (a.grid, b.grid),
        (a.kernel, b.kernel),
        _measured(pair, motion),
        Expected((0.0, 0.0), (0.0, 0.0), _blur(pair, match)),
        tuple(remarks),
    )


def _moved(pair: Pair, motion: Motion, given: Strides | None) -> Diagnosis:
    measured = _measured(pair, motion)
    at = f" at x{max(given):g}" if given else ""
    cause = (
        f"content has moved, but by no closed form of two grids{at}: a crop, padding "
        "on another side of a strided convolution (whole pixels of its input), or a "
        "resize before the model"
    )
    left = _left(pair, motion.lines)
    return Diagnosis(
        "move",
        cause,
        values.difference(pair),
        left,
        given,
        measured=measured,
        remarks=pair.remarks,
    )


def _plain(
    pair: Pair, change: Change, given: Strides | None, motion: Motion | None
) -> Diagnosis:
    kind, cause = change.kind, change.text
    if pair.swapped and kind in ("identical", "rounding", "values"):
        kind, cause = "layout", f"{pair.swapped}; after that, {cause}"
    return Diagnosis(
        kind,
        cause,
        values.difference(pair),
        change.residual,
        given,
        measured=None if motion is None else _measured(pair, motion),
        remarks=pair.remarks,
    )
