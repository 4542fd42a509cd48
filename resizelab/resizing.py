"""Resize an array: settle what looks at several axes, then one operator an axis."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from resizelab import checks
from resizelab.operators import Weights
from resizelab.sampling import weights
from resizelab.specs import SIZE_RULES, Convention, Particulars, Spec

Scale = float | Sequence[float] | None
KNIFE_EDGE = 1e-6  # a product this close to a whole number or a half can go either way


@dataclass(frozen=True)
class AxisWork:
    """One axis of a plan: which axis, and the operator for it."""

    axis: int
    operator: Weights


@dataclass(frozen=True)
class OutputSize:
    """A size, the product it was rounded from, and whether it stands on a knife edge.

    ``alternatives`` gives the size under every rule.
    """

    size: int
    product: float
    rule: str
    knife_edge: bool
    alternatives: dict[str, int]


def resize(
    x: Any,
    shape: Sequence[int] | int | None = None,
    spec: Spec | Convention | None = None,
    *,
    axes: Sequence[int] | int | None = None,
    scale: Scale = None,
) -> NDArray[Any]:
    """Return ``x`` resized; the input is never changed.

    Parameters
    ----------
    x : array
        Any number of axes. float16, float32 and float64 keep their type.
    shape : int or sequence of int, optional
        Full rank, or the sizes of ``axes``. Without it, ``scale`` decides.
    spec : Spec or Convention
        What to compute; `Spec()` (linear, half_pixel) by default.
    axes : int or sequence of int, optional
        The axes to resize, in the order of ``shape``; all by default.
    scale : float or sequence of float, optional
        n_out / n_in, one number or one per entry of ``axes``. With ``shape``, it
        only fixes the step.

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
    x = _checked_array(x)
    work = plan(x.shape, shape, spec, axes=axes, scale=scale)
    try:
        return run(work, x)
    except MemoryError:
        sizes = list(x.shape)
        for w in work:
            sizes[w.axis] = w.operator.n_out
        raise MemoryError(
            f"cannot allocate a result of shape {tuple(sizes)} and dtype {x.dtype}"
        ) from None


def run(work: Sequence[AxisWork], x: NDArray[Any]) -> NDArray[Any]:
    """Return ``x`` after every operator of a plan, in the plan's order."""
    y = x
    for w in work:
        if not w.operator.is_identity:
            y = w.operator.apply(y, w.axis)
    return y.copy() if y is x else y


def plan(
    shape_in: Sequence[int],
    shape: Sequence[int] | int | None,
    spec: Spec | Convention,
    *,
    axes: Sequence[int] | int | None = None,
    scale: Scale = None,
) -> tuple[AxisWork, ...]:
    """Return one operator an axis, in the order in which they are to be applied.

    The axis that shrinks most comes first, so that the rest has less to do.
    """
    convention = spec if isinstance(spec, Convention) else None
    ideas = convention.spec if convention else spec
    particulars = convention.particulars if convention else Particulars()
    numbers = _axis_numbers(axes, shape, len(shape_in))
    scales = _per_axis("scale", scale, len(numbers))
    if shape is None and scales is None:
        raise ValueError("give shape, scale or both; got neither")
    sizes = _sizes(shape_in, shape, numbers, scales, particulars.size_rule)
    work = []
    for k, axis in enumerate(numbers):
        s = None if scales is None else scales[k]
        operator = _operator(ideas, particulars, shape_in[axis], sizes[k], s)
        work.append(AxisWork(axis, operator))
    return tuple(sorted(work, key=lambda w: w.operator.n_out / w.operator.n_in))


@lru_cache(maxsize=64)
def _operator(
    spec: Spec, particulars: Particulars, n_in: int, n_out: int, scale: float | None
) -> Weights:
    return weights(spec, n_in, n_out, scale, particulars)


def clear_cache() -> None:
    """Forget the operators built so far (for timing)."""
    _operator.cache_clear()


def _checked_array(x: Any) -> NDArray[Any]:
    array = np.asarray(x)
    if array.dtype.kind in "iu":
        raise TypeError(
            f"x has dtype {array.dtype}: how integers are rounded is a choice of its "
            "own. Convert to float32 first, or use a convention with an Arithmetic "
            f"for {array.dtype}"
        )
    if array.dtype.kind != "f" or array.dtype.itemsize > 8:
        raise TypeError(
            f"x must hold float16, float32 or float64; got dtype {array.dtype}"
        )
    if array.ndim == 0:
        raise ValueError("x has no axis to resize: it is a single number")
    return array


def _listed(value: Any) -> tuple[Any, ...]:
    return tuple(value) if hasattr(value, "__len__") else (value,)


def _axis_numbers(
    axes: Sequence[int] | int | None, shape: Sequence[int] | int | None, ndim: int
) -> tuple[int, ...]:
    sizes = None if shape is None else _listed(shape)
    if axes is None:
        if sizes is not None and len(sizes) != ndim:
            raise ValueError(
                f"shape must have one size for each of the {ndim} axes of x, or come "
                f"with axes=…; got shape={shape!r}"
            )
        return tuple(range(ndim))
    numbers = []
    for axis in _listed(axes):
        if isinstance(axis, bool) or not isinstance(axis, (int, np.integer)):
            raise TypeError(f"axes must be ints; got {axis!r} in axes={axes!r}")
        if not -ndim <= axis < ndim:
            raise ValueError(
                f"axes must be from {-ndim} to {ndim - 1} for x with {ndim} axes; "
                f"got axes={axes!r}"
            )
        numbers.append(int(axis) % ndim)
    if len(set(numbers)) != len(numbers):
        raise ValueError(f"axes must differ; got axes={axes!r}")
    if sizes is not None and len(sizes) != len(numbers):
        raise ValueError(
            f"shape must have one size for each of axes={axes!r}; got shape={shape!r}"
        )
    return tuple(numbers)


def _per_axis(parameter: str, value: Scale, count: int) -> tuple[float, ...] | None:
    if value is None:
        return None
    given = _listed(value)
    if len(given) == 1 and not hasattr(value, "__len__"):
        given *= count
    if len(given) != count:
        raise ValueError(
            f"{parameter} must be one number or {count}, one an axis; got {value!r}"
        )
    return tuple(checks.positive(parameter, v) for v in given)


def _sizes(
    shape_in: Sequence[int],
    shape: Sequence[int] | int | None,
    numbers: tuple[int, ...],
    scales: tuple[float, ...] | None,
    rule: str,
) -> tuple[int, ...]:
    for axis in numbers:
        if shape_in[axis] == 0:
            raise ValueError(
                f"axis {axis} of x is empty (shape {tuple(shape_in)}): nothing to read"
            )
    if shape is not None:
        return tuple(checks.size("shape", n) for n in _listed(shape))
    assert scales is not None
    pairs = zip(numbers, scales, strict=True)
    return tuple(output_size(shape_in[axis], s, rule) for axis, s in pairs)


@overload
def output_size(
    n: int, scale: float, rule: str, *, explain: Literal[False] = False
) -> int: ...


@overload
def output_size(
    n: int, scale: float, rule: str, *, explain: Literal[True]
) -> OutputSize: ...


def output_size(
    n: int, scale: float, rule: str, *, explain: bool = False
) -> int | OutputSize:
    """Return the number of pixels that ``n`` pixels become at ``scale``.

    Rules: ``floor`` (torch, TensorRT), ``floor_float32`` (ONNX Runtime: the product in
    float32), ``floor_epsilon`` (OpenVINO), ``half_even`` (OpenCV, SciPy), ``half_up``
    (libvips), ``ceil`` (resize-right, MATLAB). With ``explain`` the answer is an
    `OutputSize`, which says whether the product stands on a knife edge.

    >>> output_size(5, 1.5, "floor"), output_size(5, 1.5, "half_even")
    (7, 8)
    >>> output_size(5, 1.5, "half_even", explain=True).knife_edge
    True
    """
    checks.one_of("rule", rule, SIZE_RULES)
    n, scale = checks.size("n", n), checks.positive("scale", scale)
    answer = _rounded(n, scale, rule)
    if answer < 1:
        raise ValueError(f"scale={scale!r} leaves no pixel of {n} under rule={rule!r}")
    if not explain:
        return answer
    product = n * scale
    twice = 2 * product
    edge = abs(twice - round(twice)) < 2 * KNIFE_EDGE * max(1.0, product)
    every = {name: _rounded(n, scale, name) for name in SIZE_RULES}
    disagree = len(set(every.values())) > 1
    return OutputSize(answer, product, rule, edge and disagree, every)


def _rounded(n: int, scale: float, rule: str) -> int:
    match rule:
        case "floor":
            return int(np.floor(n * scale))
        case "floor_float32":
            return int(np.floor(np.float32(n) * np.float32(scale)))
        case "floor_epsilon":
            return int(np.floor(n * scale + 1e-6))
        case "ceil":
            return int(np.ceil(n * scale))
        case "half_even":
            return round(n * scale)
    return int(Fraction(n * scale) + Fraction(1, 2))  # half_up
