"""Resize an array: settle what looks at several axes, then one operator an axis."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab import checks
from resizelab.arrays import integers, situations, sizes
from resizelab.arrays.situations import Roi
from resizelab.arrays.sizes import Axes, Scale, Shape
from resizelab.axis import recipe, steps
from resizelab.axis.convention import Convention
from resizelab.axis.kernel import Kernel
from resizelab.axis.operator import Weights
from resizelab.axis.spec import Arithmetic, Particulars, Spec

PROBED = 2**30  # bytes; work beyond this is allocated on trial first
OPERATOR = 64  # bytes that an operator takes for each output, at the very least


@dataclass(frozen=True)
class Plan:
    """What a resize does: one operator an axis, in order, and what is around them.

    ``shape`` is the result's, ``work`` the (axis, operator) pairs in the order in which
    they are applied, ``arithmetic`` what integers need (None for floats).
    """

    shape: tuple[int, ...]
    work: tuple[tuple[int, Weights], ...]
    arithmetic: Arithmetic | None = None
    clip_to_input: bool = False
    fill: float | None = None  # what lies outside; a result that reaches it keeps it


@dataclass(frozen=True)
class Axis:
    """What a resize does to one axis: its choices and sizes, and a step or region.

    ``number`` says which axis it is, counted from 0; the rest goes to
    `recipe.weights`, or to `steps.reads`.
    """

    number: int
    spec: Spec
    n_in: int
    n_out: int
    scale: float | None
    particulars: Particulars
    roi: Roi

    @property
    def choices(self) -> tuple[Any, ...]:
        """The arguments of `recipe.weights`, in its order."""
        sizes = self.n_in, self.n_out
        return self.spec, *sizes, self.scale, self.particulars, self.roi


@dataclass(frozen=True)
class Settled:
    """Every rule that looks at more than one axis, settled; nothing is built yet."""

    shape: tuple[int, ...]
    axes: tuple[Axis, ...]
    arithmetic: Arithmetic | None
    clip_to_input: bool
    fill: float | None


def resize(
    x: Any,
    shape: Shape = None,
    spec: Spec | Convention | None = None,
    *,
    axes: Axes = None,
    scale: Scale = None,
) -> NDArray[Any]:
    """Return ``x`` resized; the input is never changed.

    Parameters
    ----------
    x : array
        Any number of axes. float16, float32 and float64 keep their type; integers need
        a convention that has an `Arithmetic` for them.
    shape : int or sequence of int, optional
        Full rank, or the sizes of ``axes``. Without it, ``scale`` decides.
    spec : Spec or Convention
        What to compute; `Spec()` (linear, half_pixel) by default. From the package's
        root, a convention's name will do.
    axes : int or sequence of int, optional
        The axes to resize, in the order of ``shape``; all by default.
    scale : float or sequence of float, optional
        n_out / n_in, one number or one per entry of ``axes``. With ``shape``, it only
        fixes the step.

    Raises
    ------
    TypeError
        For a dtype that has no arithmetic here, and values of the wrong type.
    ValueError
        For sizes, axes or scales that do not fit ``x``; each message says which.
    MemoryError
        If the result cannot be allocated; the message names its shape.

    >>> resize(np.array([[0.0, 10.0, 20.0, 30.0]]), (1, 8))
    array([[ 0. ,  2.5,  7.5, 12.5, 17.5, 22.5, 27.5, 30. ]])
    """
    spec = Spec() if spec is None else spec
    x = _array(x)
    settled = plan(x.shape, shape, spec, axes=axes, scale=scale, dtype=x.dtype)
    try:
        return run(settled, x)
    except MemoryError:
        raise _too_large(settled.shape, x.dtype) from None


def run(settled: Plan, x: NDArray[Any]) -> NDArray[Any]:
    """Return ``x`` after every operator of a plan, in the plan's order."""
    if settled.arithmetic is not None:
        y = integers.run(settled.work, x, settled.arithmetic)
    else:
        y = x
        for axis, operator in settled.work:
            if not operator.is_identity:
                y = operator.apply(y, axis)
    if settled.clip_to_input and y.size:
        low, high = _range(x, settled.arithmetic)
        reached, fill = _range(y, None), settled.fill
        if fill is not None and reached[0] <= fill <= reached[1]:
            low, high = min(low, fill), max(high, fill)
        y = np.clip(y, low, high).astype(y.dtype)
    return y.copy() if y is x else y


def _range(x: NDArray[Any], arithmetic: Arithmetic | None) -> tuple[float, float]:
    # fmin and fmax pass over NaN, which says nothing about the range.
    ends = [float(end.reduce(x, axis=None)) for end in (np.fmin, np.fmax)]
    if arithmetic is not None and arithmetic.unit_range and x.dtype.kind in "iu":
        # A type's lowest value lies a step below -1: it counts as -1.
        ends = [max(end / float(np.iinfo(x.dtype).max), -1.0) for end in ends]
    return ends[0], ends[1]


def plan(
    shape_in: Sequence[int],
    shape: Shape,
    spec: Spec | Convention,
    *,
    axes: Axes = None,
    scale: Scale = None,
    dtype: Any = np.float32,
) -> Plan:
    """Return one operator an axis, and what is around them.

    >>> plan((4, 4), (8, 4), Spec()).shape
    (8, 4)
    """
    s = settle(shape_in, shape, spec, axes=axes, scale=scale, dtype=dtype)
    needed = math.prod(s.shape) * np.dtype(dtype).itemsize + OPERATOR * sum(s.shape)
    _probe(needed, s.shape, dtype)
    return build(s)


def build(s: Settled) -> Plan:
    """Return the plan of what is settled; room for the result is not asked for.

    >>> build(settle((4, 4), (8, 4), Spec())).shape
    (8, 4)
    """
    work = [(axis.number, operator(axis)) for axis in s.axes]
    order = situations.ordered(work, s.arithmetic)
    return Plan(s.shape, order, s.arithmetic, s.clip_to_input, s.fill)


def settle(
    shape_in: Sequence[int],
    shape: Shape,
    spec: Spec | Convention,
    *,
    axes: Axes = None,
    scale: Scale = None,
    dtype: Any = np.float32,
    among: int | None = None,
) -> Settled:
    """Settle every rule that looks at more than one axis.

    ``among`` is how many axes the library would be asked to resize, if not ``axes``.

    >>> settle((4, 4), (8, 4), Spec()).axes[0].n_out
    8
    """
    c = spec if isinstance(spec, Convention) else Convention(name="spec", spec=spec)
    p = c.particulars
    numbers = sizes.axis_numbers(axes, shape, len(shape_in))
    given = scale if scale is not None else situations.carried(c.scale, len(numbers))
    scales = sizes.per_axis("scale", given, len(numbers))
    scales = scales and tuple(steps.stored(s, p.scale_precision) for s in scales)
    rules = p.size_rule, p.aspect_ratio, p.aspect_rounding
    after = sizes.sizes(shape_in, shape, numbers, scales, *rules)
    before = [shape_in[axis] for axis in numbers]
    if scales is None and p.aspect_ratio != "stretch":
        scales = sizes.common_scale(before, shape, p.aspect_ratio)
        p = p.replace(scale_precision="float64")  # nobody gave it: nobody stored it
    new = dict(zip(numbers, after, strict=True))
    result = tuple(new.get(axis, n) for axis, n in enumerate(shape_in))
    grows = situations.any_grows(c.spec, before, after, scales)
    kernel = p.if_any_grows if grows else None
    ideas = c.spec.replace(kernel=kernel) if kernel else c.spec
    ending = situations.situation(before, after, grows, scales)
    arithmetic = situations.arithmetic_for(c, np.dtype(dtype), ending)
    p = situations.with_own(p, arithmetic)
    p = situations.limited(p, after, among or len(numbers))
    rois = situations.rois(c.roi, len(numbers))
    if p.shortcut in ("image", "unit_step") and tuple(before) == after:
        ideas, p = situations.copied(ideas, p)
    settled = []
    for k, (n, m) in enumerate(zip(before, after, strict=True)):
        own = situations.of_axis(p, k, before, after)
        step = None if scales is None else scales[k]
        settled.append(Axis(numbers[k], ideas, n, m, step, own, rois[k]))
    return Settled(result, tuple(settled), arithmetic, p.clip_to_input, ideas.fill)


def weights(
    spec: Spec | Convention,
    n_in: int,
    n_out: int,
    scale: float | None = None,
    roi: Roi = None,
) -> Weights:
    """Return the operator of one axis, the other axes being unchanged.

    >>> weights(Spec(), 4, 8).centroids()
    array([0.  , 0.25, 0.75, 1.25, 1.75, 2.25, 2.75, 3.  ])
    """
    if isinstance(spec, Spec):
        return recipe.weights(spec, n_in, n_out, scale, roi=roi)
    if roi is not None:
        spec = spec.replace(roi=(roi,))
    if scale is None and spec.scale is not None:
        if len(set(spec.scale)) > 1:
            raise ValueError(
                f"{spec.name} carries one scale an axis, {spec.scale}: say which axis "
                "is meant with scale=…"
            )
        scale = spec.scale[0]
    checks.size("n_in", n_in)
    # Of a picture: the other axis is there, and unchanged.
    axis = settle((n_in,), (n_out,), spec, scale=scale, among=2).axes[0]
    return operator(axis)


def unmasked(x: Any) -> Any:
    """Return ``x``; TypeError for a masked array."""
    if isinstance(x, np.ma.MaskedArray):
        raise TypeError("x is a masked array: a resize has no rule for masks; fill it")
    return x


def _array(x: Any) -> NDArray[Any]:
    array = np.asarray(unmasked(x))
    if array.dtype.kind not in "fiu":
        raise TypeError(f"x must hold numbers (floats or integers); got {array.dtype}")
    if array.ndim == 0:
        raise ValueError("x has no axis to resize: it is a single number")
    return array


@lru_cache(maxsize=64)
def _operator(spec: Spec, *rest: Any) -> Weights:
    return recipe.weights(spec, *rest)


def operator(axis: Axis) -> Weights:
    """Return the operator of a settled axis."""
    _probe(OPERATOR * axis.n_out, (axis.n_out,), np.float64)
    # A reader's own function may not hash, and may change between two calls.
    if isinstance(axis.spec.kernel, Kernel):
        return _operator.__wrapped__(*axis.choices)
    return _operator(*axis.choices)


def clear_cache() -> None:
    """Forget the operators built so far (for timing)."""
    _operator.cache_clear()


def _probe(needed: int, shape: tuple[int, ...], dtype: Any) -> None:
    """Fail at once, by name, if so many bytes cannot be had."""
    if needed > PROBED:
        try:
            np.empty(needed, np.uint8)
        except (MemoryError, ValueError, OverflowError):
            raise _too_large(shape, dtype) from None


def _too_large(shape: tuple[int, ...], dtype: Any) -> MemoryError:
    return MemoryError(
        f"cannot allocate a result of shape {shape} and dtype {np.dtype(dtype)}"
    )
