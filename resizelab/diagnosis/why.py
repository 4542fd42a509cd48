"""Say why two outputs of the same model differ: a resize, or something else.

No model is needed, only two arrays of logits or feature maps. What is said is rebuilt
first: one output is computed from the other (`values`, `rebuild`, `branch`, `filters`).
Where convolutions stand behind the resize nothing can be rebuilt; then the move of the
content is laid beside the closed forms (`causes`), and the difference beside the
patterns of pairs of kernels (`kernel_difference`). Else there is no sign of a resize at
the model's end, which is not the same as no resize.
"""

from typing import Any

from resizelab import checks
from resizelab.diagnosis import (
    branch,
    causes,
    filters,
    kernel_difference,
    numbers,
    registration,
    settling,
    statements,
    values,
)
from resizelab.diagnosis.ends import Ends
from resizelab.diagnosis.maps import Pair
from resizelab.diagnosis.periods import visible
from resizelab.diagnosis.rebuild import Rebuilt
from resizelab.diagnosis.registration import Motion
from resizelab.diagnosis.result import Diagnosis
from resizelab.diagnosis.upsampling import Stride, whole_strides

FIRST = (16.0, 4.0)  # strides that are supposed until the move tells one
UNLIKELY = 3.0  # strides up to which a resized input moves content as far
LARGEST = 1.0  # of the spread: no pair of kernels on one grid differs by more
HOPELESS = 0.15  # of the difference: a first fit that explains less is not refined


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
        Without it, it is found from the maps.
    layout : str, optional
        HW, CHW, HWC, NCHW or NHWC, where the guess would be wrong.

    Raises
    ------
    TypeError, ValueError
        For what is no pair of maps of one size with finite values and some content.

    >>> import numpy as np
    >>> import resizelab as rl
    >>> z = np.random.default_rng(0).normal(size=(3, 12, 16))
    >>> a, b = (
    ...     rl.resize(z, (3, 96, 128), rl.Spec(grid=g))
    ...     for g in ("half_pixel", "asymmetric")
    ... )
    >>> found = why(a, b)
    >>> found.certainty, found.kind, found.grids, found.expected.shift
    ('it is', 'grid', ('half_pixel', 'asymmetric'), (-3.5, -3.5))
    """
    given = _given(stride)
    pair = settling.settle(ref, got, layout)
    change = values.find(pair)
    if change is not None:
        return statements.changed(pair, change, given)
    ends = Ends(*pair.few, given)
    if not pair.mask:
        rebuilt = _rebuilt(ends)
        if rebuilt is not None:
            return statements.rebuilt(pair, rebuilt, _about(pair, rebuilt))
        if values.rimmed(pair):
            return statements.border(pair, given)
    motion = _motion(pair, ends)
    likely = _likely(pair, ends, motion)
    whole = causes.whole_pixels(motion)
    if pair.mask or (likely.kind == "grid" and whole is None):
        return likely
    found = filters.find(*pair.few, whole or (0, 0))
    if found is None:
        return likely
    if likely.kind == "grid":  # by three, a grid moves content by a whole pixel
        return statements.either(likely, found)
    # An enlargement by a whole stride is one filter, too: of nothing and pixels.
    seen = [s for s in _strides(ends) if _seen(ends, s) or found.of_period(s)]
    return statements.filtered(pair, found, given, seen[:1] if not ends.same() else [])


def _likely(pair: Pair, ends: Ends, motion: Motion) -> Diagnosis:
    """Return what fits within its errors, or that nothing does."""
    same = None if pair.mask else ends.same()
    strides = [] if same else _strides(ends)
    near = causes.grids(motion, strides, pair.shape)
    pairs = {(g.ref, g.got) for g in near}
    if len(pairs) == 1 and not _as_well(ends, motion, near[0]):
        first = near[0]
        few = pair.few
        match = kernel_difference.beside(*few, (first.ref, first.got), first.stride)
        return statements.two_grids(pair, first, match, motion)
    seen = [s for s in strides if _seen(ends, s)]
    near_enough = not pair.mask and ends.gap <= LARGEST
    if near_enough and seen and not near and not causes.moves(motion):
        kernels = kernel_difference.alone(*pair.few, seen)
        if kernels is not None and not ends.earlier(kernels[0].stride):
            return statements.two_kernels(pair, *kernels, motion)
    if causes.moves(motion):
        return statements.moved(pair, motion, near, ends.given)
    change = values.narrow(pair)
    if change is not None:
        return statements.changed(pair, change, ends.given)
    return statements.unknown(pair, motion, same, ends.given)


def _given(stride: Any) -> Stride | None:
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


def _strides(ends: Ends) -> list[Stride]:
    return [ends.given] if ends.given else whole_strides(ends.size)


def _seen(ends: Ends, stride: Stride) -> bool:
    """Say whether both axes show the period of a stride."""
    return all(
        s == 1 or visible(spectrum, s)
        for spectrum, s in zip(ends.spectra, stride, strict=True)
    )


def _as_well(ends: Ends, motion: Motion, found: causes.Grids) -> bool:
    """Say whether something else would move content so too."""
    if _seen(ends, found.stride):
        return False
    if motion.explained < causes.CLEARLY or causes.whole_pixels(motion) is not None:
        return True
    return not ends.given and max(found.stride) <= UNLIKELY


def _rebuilt(ends: Ends) -> Rebuilt | None:
    return ends.rebuilt() or (
        None if ends.same() else branch.rebuilt(ends, _strides(ends))
    )


def _about(pair: Pair, rebuilt: Rebuilt) -> Motion | None:
    """Return the move where two grids are the cause, measured from what they make."""
    if rebuilt.ref.grid == rebuilt.got.grid:
        return None
    stride = numbers.stride(pair, rebuilt)
    start = causes.expected(rebuilt.ref.grid, rebuilt.got.grid, stride, pair.shape)
    ref, got, every = pair.coarse
    return registration.register(ref, got, [start], max(stride), every)


def _motion(pair: Pair, ends: Ends) -> Motion:
    ref, got, every = pair.coarse
    begin = causes.starts(_strides(ends), pair.shape)
    if ends.given:
        return registration.register(ref, got, begin, max(ends.given), every)
    tried = [registration.register(ref, got, begin, s, every) for s in FIRST]
    first = max(tried, key=lambda m: m.explained)
    if first.explained < HOPELESS:
        return first
    found = 2 * max(map(abs, first.lines)) + 1
    stride = min(max(found, 2.0), max(min(pair.shape) / 4, 2.0))
    return registration.register(ref, got, [*begin, first.lines], stride, every)
