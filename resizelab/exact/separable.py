"""A resize as one operator an axis: what any framework can apply."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from resizelab import catalog, checks
from resizelab.arrays import resizing
from resizelab.axis.convention import Convention
from resizelab.axis.operator import Weights
from resizelab.axis.spec import Spec

Wanted = Spec | Convention | str
Size = int | Sequence[int]
# What a MatMul multiplies and adds in the time of one tap (Gather, Mul and Add of whole
# rows), and in that of turning the last axis there and back. Measured in ONNX Runtime
# 1.32 with one thread, 16 to 1024 pixels.
TAP, TURN = 48, 64
FORMS = ("cheaper", "matmul", "taps")


@dataclass(frozen=True)
class Separable:
    """A resize of axes ``size_in`` to ``size_out``: ``passes`` in order.

    A pass is (axis, operator), the axis counted within the sizes; what keeps its axis
    as it is has none. ``clip`` says that results are cut to the input's range,
    ``fill`` what lies outside of it.
    """

    size_in: tuple[int, ...]
    size_out: tuple[int, ...]
    passes: tuple[tuple[int, Weights], ...]
    clip: bool = False
    fill: float | None = None


def convention_of(wanted: Wanted) -> Convention:
    """Return the convention of a name, a spec or a convention."""
    if isinstance(wanted, Spec):
        return Convention(name="this spec", spec=wanted)
    if isinstance(wanted, str):
        return catalog.convention(wanted)
    return checks.a("convention", wanted, Convention)  # type: ignore[no-any-return]


def sized(parameter: str, given: Size) -> tuple[int, ...]:
    """Return one size an axis, from one number or several."""
    listed = (given,) if isinstance(given, (int, np.integer)) else tuple(given)
    return tuple(checks.size(parameter, n) for n in listed)


def separable(
    convention: Wanted,
    size_in: Size,
    size_out: Size | None,
    *,
    scale: Any = None,
    dtype: Any = "float32",
) -> Separable:
    """Return a float resize as one operator an axis.

    Parameters
    ----------
    convention : str, Spec or Convention
        What to compute.
    size_in, size_out : int or sequence of int
        Pixels of the axes before and after; without ``size_out``, the scale decides.
    scale : float or sequence of float, optional
        n_out / n_in, where the convention's step comes from a scale.
    dtype : str
        The type that goes in: some engines compute positions otherwise in float64.

    Raises ValueError where the convention rounds its results (see `exact.whole`).

    >>> [w.shape for _, w in separable("torch.bilinear", (4, 6), (8, 6)).passes]
    [(8, 4)]
    """
    c = convention_of(convention)
    before = sized("size_in", size_in)
    after = None if size_out is None else sized("size_out", size_out)
    plan = resizing.plan(before, after, c, scale=scale, dtype=np.dtype(dtype))
    kept = (plan.arithmetic and plan.arithmetic.output_dtype) or dtype
    if np.dtype(kept).kind != "f" and not all(w.picks for _, w in plan.work):
        raise ValueError(
            f"{c.name} turns {np.dtype(dtype)} into {kept}: its results are rounded, "
            "so it is no matrix; exact.byte_model writes byte kernels"
        )
    passes = tuple((axis, w) for axis, w in plan.work if not w.is_identity)
    return Separable(before, plan.shape, passes, plan.clip_to_input, plan.fill)


def compact(w: Weights) -> Weights:
    """Return the operator with as few taps as it has weights that are not zero.

    >>> compact(Weights(np.array([[0, 1, 2]]), np.array([[0.0, 0.5, 0.5]]), 3)).index
    array([[1, 2]])
    """
    order = np.argsort(w.weight == 0, axis=1, kind="stable")
    taps = max(1, int((w.weight != 0).sum(1).max()))
    index = np.take_along_axis(w.index, order, 1)[:, :taps]
    weight = np.take_along_axis(w.weight, order, 1)[:, :taps]
    return Weights(index, weight, w.n_in, w.offset)


def by_taps(w: Weights, last: bool, form: str = "cheaper") -> bool:
    """Say whether taps serve better than a matrix: a rule that was measured.

    A MatMul costs n_in multiplications for each output; a tap as many as 48 of them,
    and 64 more where the axis is the last. A picking (nearest) is one Gather.

    >>> by_taps(compact(Weights.identity(600)), last=True)
    True
    """
    checks.one_of("form", form, FORMS)
    if w.picks or form == "taps":
        return True
    return form == "cheaper" and price_of_taps(w, last) < w.n_in


def price_of_taps(w: Weights, last: bool) -> int:
    """Return what taps cost for each output, in multiplications of a MatMul."""
    return int(w.index.shape[1]) * TAP + TURN * last
