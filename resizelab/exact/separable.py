"""A resize as one operator an axis: what any framework can apply."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from resizelab import checks
from resizelab.arrays import resizing, tensors
from resizelab.axis import Weights, native
from resizelab.catalog.finding import Wanted, settled

Size = int | Sequence[int]


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

    def places(self, axes: Sequence[int] | None) -> tuple[int, ...]:
        """Return ``axes``, checked; the last ones by default."""
        count = len(self.size_in)
        if axes is None:
            return tuple(range(-count, 0))
        places: tuple[int, ...] = checks.each("axes", checks.listed(axes), checks.whole)
        if len(places) != count or any(axis >= 0 for axis in places):
            raise ValueError(
                f"axes must be {count} numbers below 0, counted from the last axis; "
                f"got {axes!r}"
            )
        return places

    def steps(self, axes: Sequence[int] | None, form: str) -> list[native.Step]:
        """Return the passes as arrays, of ``axes`` (the last ones by default)."""
        places = self.places(axes)
        return [native.step(w, places[k], form) for k, w in self.passes]

    def apply(
        self, library: native.Library, steps: Sequence[native.Step], x: Any
    ) -> Any:
        """Return an array of a library after ``steps``."""
        return tensors.apply(library, steps, x, self.clip, self.fill)


def sized(parameter: str, given: Size) -> tuple[int, ...]:
    """Return one size an axis, from one number or several."""
    return checks.sizes(parameter, checks.listed(given))


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
    c = settled(convention)
    before = sized("size_in", size_in)
    after = None if size_out is None else sized("size_out", size_out)
    dtype = checks.made("dtype", dtype, np.dtype, "be a dtype")
    plan = resizing.plan(before, after, c, scale=scale, dtype=dtype)
    kept = (plan.arithmetic and plan.arithmetic.output_dtype) or dtype
    if np.dtype(kept).kind != "f" and not all(w.picks for _, w in plan.work):
        raise ValueError(
            f"{c.name} turns {dtype} into {kept}: its results are rounded, "
            "so it is no matrix; exact.byte_model writes byte kernels"
        )
    passes = tuple((axis, w) for axis, w in plan.work if not w.is_identity)
    return Separable(before, plan.shape, passes, plan.clip_to_input, plan.fill)
