"""What a convention makes of each axis, where its library looks at several at once.

Whether one grows, whether none changes, which carries which scale; and what a dtype
gets of a convention.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from resizelab.arrays import neighbours, sizes
from resizelab.arrays.sizes import Scale, Shape
from resizelab.axis import Arithmetic, Convention, Kernel, Particulars, Spec, Weights
from resizelab.axis.spec import Axis, Region, stored

FEW = 4  # pixels: a picture with an axis of fewer takes another path (OpenCV)
FRAMED = ("cropped", "padded")
PLANE = 2  # axes of a picture
COPIES = ("image", "unit_image", "unit_step")  # shortcuts of a picture
FRAME = Spec(grid="free", phase=0.0, offset=0.0, boundary="constant")
Work = tuple[tuple[int, Weights], ...]  # (axis of the array, its operator)
Numbered = list[tuple[int, Axis]]


def settled(
    c: Convention,
    before: Sequence[int],
    shape: Shape,
    scale: Scale,
    dtype: np.dtype[Any],
    among: int,
) -> tuple[list[Axis], Arithmetic | None]:
    """Return each axis with the choices that are its own, and what the dtype gets.

    ``among`` is how many axes the library would be asked to resize.
    """
    p, count = c.particulars, len(before)
    if c.ranks is not None and count > c.ranks[1]:
        most = c.ranks[1]
        raise ValueError(f"{c.name} resizes at most {most} axes at once; got {count}")
    if p.aspect_ratio in FRAMED:
        return _framed(c, before, shape, scale, dtype, among)
    given = scale if scale is not None else _carried(c.scale, count)
    scales = sizes.per_axis("scale", given, count)
    scales = scales and tuple(stored(s, p.scale_precision) for s in scales)
    rules = p.size_rule, p.aspect_ratio, p.aspect_rounding
    after = sizes.sizes(before, shape, scales, *rules)
    if scales is None and p.aspect_ratio != "stretch":
        scales = sizes.common_scale(before, shape, p.aspect_ratio)
        p = p.replace(scale_precision="float64")  # nobody gave it: nobody stored it
    ratios = _ratios(c.spec, before, after, scales)
    grows = max(ratios, default=1) > 1
    arithmetic = arithmetic_for(c, dtype, _situations(before, after, grows, scales))
    unchanged = _unchanged(p, before, after, scales=scales)
    own = _limited(_with_own(p, arithmetic), after, among)
    spec, p = _copied(c.spec, own, unchanged)
    axes = []
    one_wide = after[-1:] == (1,) and dtype.kind == "f"
    for k, (n, m) in enumerate(zip(before, after, strict=True)):
        own = _of_axis(p, k, before, after, one_wide)
        step = None if scales is None else scales[k]
        axes.append(Axis.of_call(n, m, spec, own, step, _regions(c.roi, count)[k]))
    if c.growing and grows:
        others = _limited(_with_own(c.grown()[1], arithmetic), after, among)
        choices = _copied(c.grown()[0], others, unchanged)
        axes = neighbours.growing(c, axes, ratios, among, choices)
    if p.pyramid or p.reach_of_width or p.pair_means:
        axes = neighbours.beside_each_other(axes, p, ratios)
    return axes, arithmetic


def _framed(
    c: Convention, before: Sequence[int], shape: Shape, scale: Scale, *rest: Any
) -> tuple[list[Axis], Arithmetic | None]:
    """Return `settled` for the middle of the input, or for the input with borders."""
    if len(before) != PLANE or shape is None or scale is not None:
        raise ValueError(
            f"{c.name} keeps an aspect: it takes a shape of two axes and no scale; got "
            f"{len(before)} axes, shape={shape!r}, scale={scale!r}"
        )
    p, asked = c.particulars, sizes.sizes(before, shape, None)
    plain = c.replace(particulars=p.replace(aspect_ratio="stretch", aspect_fill=0.0))
    frame = sizes.framed(before, asked, p.aspect_ratio)
    axes, arithmetic = settled(plain, frame, asked, None, *rest)
    for k, (n, m) in enumerate(zip(before, frame, strict=True)):
        if n != m:  # halves are rounded down, of what is left out and of what is added
            kept = FRAME.replace(offset=float(int((m - n) / 2)), fill=p.aspect_fill)
            axes[k] = axes[k].replace(first=Axis(n, m, kept, scale=1.0))
    return axes, arithmetic


def arithmetic_for(
    c: Convention, dtype: np.dtype[Any], situations: Sequence[str] = ()
) -> Arithmetic | None:
    """Return what a convention does with a dtype: None for plain floats."""
    kind = "integers" if dtype.kind in "iu" else "floats"
    ends = (*situations, "")
    for key in (name + end for end in ends for name in (dtype.name, kind)):
        if key in c.arithmetic:
            found: Arithmetic = c.arithmetic[key]
            return found
    if dtype.kind == "f" and dtype.itemsize <= 8:
        return None
    if dtype.kind in "iu":
        known = ", ".join(c.arithmetic) or "none"
        raise TypeError(
            f"x has dtype {dtype}: how integers are rounded is a choice of its own, "
            f"and {c.name!r} has no Arithmetic for it (it has: {known}). Convert x to "
            f"float32 first, or use a convention with an Arithmetic for {dtype}"
        )
    raise TypeError(f"x must hold float16, float32 or float64; got dtype {dtype}")


def _ratios(
    spec: Spec,
    before: Sequence[int],
    after: Sequence[int],
    scales: Sequence[float] | None,
) -> Sequence[float]:
    """Return how much each axis grows, by its scale where that decides the step."""
    if spec.step_from == "scale" and scales is not None:
        return scales
    return [m / n for n, m in zip(before, after, strict=True)]


def _situations(
    before: Sequence[int],
    after: Sequence[int],
    grows: bool,
    scales: Sequence[float] | None = None,
) -> list[str]:
    """Return the endings of a dtype's keys that say what the sizes have in common."""
    found = [".few_pixels"] if min(before, default=FEW) < FEW else []
    steps = scales or [m / n for n, m in zip(before, after, strict=True)]
    if grows:
        found.append(".any_grows")
    elif list(before) == list(after) and set(scales or (1.0,)) == {1.0}:
        found.append(".unchanged")
    elif len(steps) > 1 and set(steps) == {0.5}:
        found.append(".all_halve")
    return found


def _carried(scale: tuple[float, ...] | None, count: int) -> Scale:
    """Return the scale that a convention carries, for ``count`` axes."""
    if scale is None or len(scale) == 1:
        return scale and scale[0]
    return sizes.last_axes(scale, count, 1.0)


def _regions(
    roi: tuple[tuple[float, float], ...] | None, count: int
) -> Sequence[Region]:
    """Return the region that each of ``count`` axes reads."""
    if roi is None:
        return [None] * count
    if len(roi) == 1:
        return list(roi) * count
    roi = sizes.last_axes(roi, count, (0.0, 1.0))
    if len(roi) != count:
        raise ValueError(
            f"the convention carries {len(roi)} regions, one an axis; got {count} axes"
        )
    return roi


def _of_axis(
    p: Particulars, k: int, before: Sequence[int], after: Sequence[int], thin: bool
) -> Particulars:
    """Return the particulars of axis ``k``: what it has of its own, or none of it."""
    if p.one_wide and not (thin and k < len(before) - 1 and before[k] != after[k]):
        p = p.replace(one_wide=None)
    if p.blur_sigma is None:
        return p
    shrinks = any(m < n for n, m in zip(before, after, strict=True))
    if p.blur_when == "any_shrinks" and not shrinks:
        return p.replace(blur_sigma=(0.0,))
    count = len(before)
    sigmas = sizes.last_axes(p.blur_sigma, count, 0.0)
    if len(sigmas) == 1:
        return p
    if len(sigmas) != count:
        raise ValueError(
            f"the convention carries {len(sigmas)} blur sigmas, one an axis; got "
            f"{count} axes"
        )
    return p.replace(blur_sigma=(sigmas[k],))


@lru_cache(maxsize=256)  # a changed record is checked again, which takes its time
def _with_own(p: Particulars, arithmetic: Arithmetic | None) -> Particulars:
    """Return the particulars with those that a dtype's path has of its own."""
    for field in ("shortcut", "coordinate_arithmetic", "prefilter"):
        own = getattr(arithmetic, field, None)
        if field == "prefilter" and own is not None and "gaussian" not in own:
            p = p.replace(prefilter=own, blur_sigma=None)
        p = p if own is None else p.replace(**{field: own})
    return p


def _limited(p: Particulars, after: Sequence[int], among: int) -> Particulars:
    """Return the particulars without a shortcut that ``among`` axes do not get."""
    if p.shortcut_limit is None:
        return p
    small = among == 2 and sum(after) <= p.shortcut_limit
    return p.replace(shortcut=p.shortcut if small else None, shortcut_limit=None)


def _unchanged(
    p: Particulars, *sizes: Sequence[int], scales: Sequence[float] | None
) -> bool:
    """Say whether a picture is the same afterwards: by its sizes, or by its scales."""
    by_scale = p.shortcut == "unit_image" and scales is not None
    return set(scales or ()) == {1.0} if by_scale else tuple(sizes[0]) == sizes[1]


def _copied(spec: Spec, p: Particulars, unchanged: bool) -> tuple[Spec, Particulars]:
    """Return what axes go through where a library copies an unchanged picture.

    That is a given blur, or nothing; elsewhere the choices as they are.
    """
    if not unchanged or p.shortcut not in COPIES:
        return spec, p
    if not p.blur_sigma:
        return spec, p.replace(shortcut="axis")
    linear = Spec(boundary=spec.boundary, fill=spec.fill)  # of equal sizes, a copy
    return linear, p.replace(prefilter=("gaussian",), shortcut=None)


def lasts(c: Convention, *given: Any) -> bool:
    """Say whether what is equal to these means the same at every call."""
    if any(isinstance(k, Kernel) for k in (c.spec.kernel, c.growing.get("kernel"))):
        return False  # a reader's own function may change between two calls
    parts = [n for v in given for n in (v if type(v) is tuple else (v,))]
    return all(n is None or type(n) is int for n in parts)


def ordered(axes: Numbered, arithmetic: Arithmetic | None) -> Numbered:
    """Return axes, with their numbers, in the order in which they are resized."""
    if arithmetic is None or arithmetic.output_dtype in ("float32", "float64"):
        # The axis that shrinks most comes first, so that the rest has less to do.
        return sorted(axes, key=lambda one: one[1].n_out / one[1].n_in)
    height_first = arithmetic.pass_order == "height_first"
    if arithmetic.pass_order == "fewest_rows" and len(axes) == 2:
        (_, rows), (_, columns) = sorted(axes, key=lambda one: one[0])
        lost = rows.n_in - rows.n_out
        height_first = lost > 0 and lost > 2 * (columns.n_in - columns.n_out)
    return sorted(axes, key=lambda one: one[0], reverse=not height_first)
