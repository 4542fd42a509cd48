"""Resize an array: settle what looks at several axes, then one operator an axis."""

import importlib.util
import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab import checks
from resizelab.arrays import integers, layouts, reducing, settling, tensors
from resizelab.arrays.settling import Work
from resizelab.arrays.sizes import Axes, Scale, Shape
from resizelab.axis import Arithmetic, Convention, Kernel, Spec, Weights, native, recipe
from resizelab.axis.spec import Axis, Region

PROBED = 2**30  # bytes; work beyond this is allocated on trial first
FLOATS = (np.float16, np.float32, np.float64)
LARGE = 2**15  # numbers: importing numba for a smaller picture would not pay
OPERATOR = 64  # bytes that an operator takes for each output, at the very least


@dataclass(frozen=True)
class Plan:
    """What a resize does: the ``shape`` of its result, and each axis that is resized.

    ``numbers`` says which axes of the array they are; ``arithmetic`` is what integers
    need (None for floats); ``first`` is what is stored as integers before.
    """

    shape: tuple[int, ...]
    numbers: tuple[int, ...]
    axes: tuple[Axis, ...]
    arithmetic: Arithmetic | None = None
    first: Work = ()

    @cached_property
    def work(self) -> Work:
        """The (axis, operator) pairs in the order in which they are applied."""
        made, axes = [], list(zip(self.numbers, self.axes, strict=True))
        if len(axes) > 1:
            axes = settling.ordered(axes, self.arithmetic)
        for number, axis in axes:
            if axis.n_out * OPERATOR > PROBED:
                _probe(axis.n_out * OPERATOR, (axis.n_out,), np.float64)
            # A reader's own function may change between two calls.
            own = isinstance(axis.spec.kernel, Kernel)
            made.append((number, (recipe.weights if own else _operator)(axis)))
        return tuple(made)

    def built(self, dtype: np.dtype[Any]) -> "Plan":
        """Return the plan, its operators made; MemoryError where it has no room."""
        needed = math.prod(self.shape) * dtype.itemsize
        _probe(needed + OPERATOR * sum(self.shape), self.shape, dtype)
        assert len(self.work) == len(self.axes)
        return self

    @property
    def clip_to_input(self) -> bool:
        """Whether the result is clipped to the range of the input."""
        return bool(self.axes) and self.axes[0].particulars.clip_to_input

    @property
    def fill(self) -> float | None:
        """What lies outside; a clipped result that reaches it keeps it."""
        return self.axes[0].spec.fill if self.axes else None


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
        a convention that has an `Arithmetic` for them. At the package's root, an array
        of torch, JAX or CuPy gives one of its library, on its device, differentiable;
        there, integers that would be summed are refused.
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
    try:
        x = np.asarray(unmasked(x))
    except ValueError as error:
        raise TypeError(f"x must be an array: {error}") from None
    spec = spec or Spec()
    lasts = isinstance(spec, Convention) and settling.lasts(spec, shape, axes, scale)
    asked: dict[str, Any] = {"axes": axes, "scale": scale, "dtype": x.dtype}
    settled = (_kept if lasts else plan)(x.shape, shape, spec, **asked, built=False)
    try:
        return run(settled, x, settled.work)
    except MemoryError:
        raise _too_large(settled.shape, x.dtype) from None


@native.settled_once
def ready(
    here: tuple[str, str, Any],
    before: tuple[int, ...],
    shape: Shape,
    spec: Spec | Convention,
    axes: Axes,
    scale: Scale,
) -> tensors.Ready:
    """Return what an array of another library goes through; see `tensors`."""
    kind = np.dtype("float32" if here[0] == "bfloat16" else here[0])
    settled = plan(before, shape, spec, axes=axes, scale=scale, dtype=kind, built=False)
    cut = settled.clip_to_input, settled.fill
    return tensors.ready(here, len(before), settled.work, settled.arithmetic, cut)


def run(settled: Plan, x: NDArray[Any], work: Work) -> NDArray[Any]:
    """Return ``x`` after every operator of ``work``, as a plan has it."""
    cells = reducing.means(settled.first, x) if settled.first else x
    large = max(x.size, math.prod(settled.shape)) > LARGE
    y = compiled(settled, cells, work) if large and has_numba() else None
    if y is None and settled.arithmetic is not None:
        y = integers.run(work, cells, settled.arithmetic)
    elif y is None:
        y = x
        for axis, w in work:
            y = y if w.n_in == len(w.index) and w.is_identity else w.apply(y, axis)
    if settled.clip_to_input and y.size:
        low, high = _range(x, settled.arithmetic)
        reached, fill = _range(y, None), settled.fill
        if fill is not None and reached[0] <= fill <= reached[1]:
            low, high = min(low, fill), max(high, fill)
        y = np.clip(y, low, high).astype(y.dtype)
    return y.copy() if y is x else y


@cache
def has_numba() -> bool:
    """Say whether numba is installed, and RESIZELAB_FAST=0 does not forbid it."""
    wanted = os.environ.get("RESIZELAB_FAST") != "0"
    return wanted and importlib.util.find_spec("numba") is not None


def compiled(settled: Plan, x: NDArray[Any], work: Work) -> NDArray[Any] | None:
    """Return what compiled loops make of ``x``; None where NumPy must do it."""
    from resizelab.arrays import fast  # numba is imported by the first large picture

    a = settled.arithmetic
    if a is None or (x.dtype.kind == "f" and a.output_dtype in (None, x.dtype.name)):
        return fast.floats(work, x)
    return fast.integers(work, x, a)


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
    among: int | None = None,
    built: bool = True,
) -> Plan:
    """Return what a resize does, its operators built.

    >>> plan((4, 4), (8, 4), Spec()).shape
    (8, 4)

    ``among`` is how many axes the library would be asked to resize, if not ``axes``.
    Where it is not ``built``, operators are made when they are asked for.
    """
    kind, after = np.dtype(dtype), list(shape_in)
    if kind.kind not in "fiu":
        raise TypeError(f"x must hold numbers (floats or integers); got {kind}")
    if not after:
        raise ValueError("x has no axis to resize: it is a single number")
    # Every axis by name, each with what becomes of it, is the whole array too.
    each = shape is not None or isinstance(scale, (Sequence, np.ndarray))
    whole = axes is None or checks.in_order(axes, len(shape_in))
    if isinstance(spec, Convention) and whole and (axes is None or each):
        own = spec.layout, spec.ranks
        axes, shape, scale = layouts.of_whole(*own, shape_in, shape, scale)
    numbers = checks.axis_numbers(axes, shape, shape_in)
    before = tuple(map(shape_in.__getitem__, numbers))
    if isinstance(spec, Spec) and scale is None and shape is not None:
        # Of bare ideas, each axis stands alone, and integers are refused.
        lines, arithmetic = [], None
        for n_in, n_out in zip(before, checks.listed(shape), strict=True):
            lines.append(Axis(n_in, checks.size("shape", n_out), spec))
        if kind not in FLOATS:
            settling.arithmetic_for(Convention(name="spec"), kind)
    else:
        c = spec if isinstance(spec, Convention) else Convention(name="spec", spec=spec)
        rest = shape, scale, kind, among or len(numbers)
        lines, arithmetic = settling.settled(c, before, *rest)
    for number, axis in zip(numbers, lines, strict=True):
        after[number] = axis.n_out
    made = Plan(tuple(after), numbers, tuple(lines), arithmetic)
    reduces = bool(lines) and lines[0].particulars.reduce_gap
    made = reducing.staged(made, kind) if reduces else made
    return made.built(kind) if built else made


def one_axis(
    spec: Spec | Convention,
    n_in: int,
    n_out: int,
    scale: float | None = None,
    roi: Region = None,
) -> Plan:
    """Return the plan of one axis, the other axes being unchanged.

    >>> one_axis(Spec(grid="asymmetric"), 4, 8).axes[0].grid.step
    0.5
    """
    if roi is not None:
        spec = spec if isinstance(spec, Convention) else Convention(name="s", spec=spec)
        spec = spec.replace(roi=(roi,))
    if scale is None and isinstance(spec, Convention) and spec.scale is not None:
        if len(set(spec.scale)) > 1:
            raise ValueError(
                f"{spec.name} carries one scale an axis, {spec.scale}: say which axis "
                "is meant with scale=…"
            )
        scale = spec.scale[0]
    checks.size("n_in", n_in)
    checks.size("n_out", n_out)
    # Of a picture: the other axis is there, and unchanged.
    return plan((n_in,), (n_out,), spec, scale=scale, among=2, built=False)


def weights(
    spec: Spec | Convention,
    n_in: int,
    n_out: int,
    scale: float | None = None,
    roi: Region = None,
) -> Weights:
    """Return the operator of one axis, the other axes being unchanged.

    >>> weights(Spec(), 4, 8).centroids()
    array([0.  , 0.25, 0.75, 1.25, 1.75, 2.25, 2.75, 3.  ])
    """
    return one_axis(spec, n_in, n_out, scale, roi).work[0][1]


def unmasked(x: Any) -> Any:
    """Return ``x``; TypeError for a masked array."""
    if isinstance(x, np.ma.MaskedArray):
        raise TypeError("x is a masked array: a resize has no rule for masks; fill it")
    return x


_operator = lru_cache(maxsize=64)(recipe.weights)
# A small picture is resized in less time than its plan takes.
_kept = lru_cache(maxsize=32, typed=True)(plan)


def clear_cache() -> None:
    """Forget the operators built so far (for timing)."""
    _operator.cache_clear()
    _kept.cache_clear()


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
