"""What sizes are asked for: axes, shape and scale settled into one size an axis."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeVar, overload

import numpy as np

from resizelab import checks
from resizelab.axis.particulars import SIZE_RULES

Scale = float | Sequence[float] | None
Shape = Sequence[int] | int | None
Axes = Sequence[int] | int | None

Entry = TypeVar("Entry")

EPSILON = np.float32(1e-6)  # what OpenVINO adds to a factor
KNIFE_EDGE = 1e-6  # a product this close to a whole number or a half can go either way


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
    if not n * scale <= checks.LARGEST_SIZE:
        raise ValueError(
            f"scale={scale!r} makes more than {checks.LARGEST_SIZE} pixels of {n}"
        )
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
            return int(np.floor(np.float32(n) * (np.float32(scale) + EPSILON)))
        case "ceil":
            return int(np.ceil(n * scale))
        case "half_even":
            return round(n * scale)
    return int(Fraction(n * scale) + Fraction(1, 2))  # half_up


def per_axis(parameter: str, value: Scale, count: int) -> tuple[float, ...] | None:
    """Return one positive number an axis, from one number or one an axis."""
    if value is None:
        return None
    given = checks.listed(value)
    if len(given) == 1 and np.ndim(value) == 0:
        given *= count
    if len(given) != count:
        raise ValueError(
            f"{parameter} must be one number or {count}, one an axis; got {value!r}"
        )
    return tuple(checks.positive(parameter, v) for v in given)


def sizes(
    before: Sequence[int],
    shape: Shape,
    scales: Sequence[float] | None,
    rule: str = "floor",
    aspect_ratio: str = "stretch",
    aspect_rounding: str = "half_up",
) -> tuple[int, ...]:
    """Return the output size of each axis.

    >>> sizes((5, 5), None, (1.5, 2.0))
    (7, 10)
    """
    if shape is not None:
        asked = tuple(checks.size("shape", n) for n in checks.listed(shape))
        if aspect_ratio == "stretch":
            return asked
        return _kept(before, asked, aspect_ratio, aspect_rounding)
    if scales is None:
        raise ValueError("give shape, scale or both; got neither")
    pairs = zip(before, scales, strict=True)
    return tuple(output_size(n, s, rule) for n, s in pairs)


def _common(before: Sequence[int], asked: Sequence[int], policy: str) -> Fraction:
    # ONNX keep_aspect_ratio_policy: one scale for all axes.
    ratios = [Fraction(m, n) for n, m in zip(before, asked, strict=True)]
    return min(ratios) if policy == "not_larger" else max(ratios)


def common_scale(before: Sequence[int], shape: Shape, policy: str) -> tuple[float, ...]:
    """Return the scale of each axis where the sizes asked for are bounds.

    >>> common_scale((4, 4), (6, 8), "not_larger")
    (1.5, 1.5)
    """
    return (float(_common(before, checks.listed(shape), policy)),) * len(before)


def framed(before: Sequence[int], asked: Sequence[int], policy: str) -> tuple[int, int]:
    """Return the part of a picture with the aspect asked for, or what holds it all.

    In float32, as Keras has it.

    >>> framed((20, 30), (8, 8), "cropped"), framed((20, 30), (8, 8), "padded")
    ((20, 20), (30, 30))
    """
    (h, w), (height, width) = before, asked
    rows, columns = np.float32(w * height) / width, np.float32(h * width) / height
    pairs = (h, int(rows)), (w, int(columns))
    if policy == "cropped":
        return max(1, min(pairs[0])), max(1, min(pairs[1]))
    added = [max(0, m - n) // 2 for n, m in pairs]  # on each side as much
    return h + 2 * added[0], w + 2 * added[1]


def _kept(
    before: Sequence[int], asked: Sequence[int], policy: str, rounding: str
) -> tuple[int, ...]:
    if rounding == "half_even_float32":
        small, large = np.array(before, np.float32), np.array(asked, np.float32)
        choose = np.min if policy == "not_larger" else np.max
        kept = tuple(np.rint(choose(large / small) * small).astype(int).tolist())
    else:
        scale = _common(before, asked, policy)
        kept = tuple(int(scale * n + Fraction(1, 2)) for n in before)
    if 0 in kept:
        raise ValueError(
            f"shape={tuple(asked)} leaves no pixel of an axis of {tuple(before)} where "
            f"the aspect ratio is kept ({policy})"
        )
    return kept


def last_axes(values: tuple[Entry, ...], count: int, whole: Entry) -> tuple[Entry, ...]:
    """Return one entry an axis, without entries in front for axes that x lacks.

    A call made for a batch of channels holds entries for those two axes too; they say
    that nothing changes there.

    >>> last_axes((1.0, 1.0, 2.0, 3.0), 2, 1.0)
    (2.0, 3.0)
    """
    while len(values) > count and values[0] == whole:
        values = values[1:]
    return values
