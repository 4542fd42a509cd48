"""How a picture's size becomes the size it is resized to: a closed set of rules.

Each rule is a function of height, width and its own numbers that stands alone: a page
prints it, and `translation` writes it into other people's code.
"""

import inspect
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from resizelab import checks

Pair = tuple[float, float]


def exact(h: int, w: int, rows: int, columns: int) -> Pair:
    """Return the size asked for, whatever the picture's."""
    return rows, columns


def short_int(h: int, w: int, short: int, most: int | None = None) -> Pair:
    """torchvision, transformers: the long side truncated."""
    low, high = sorted((h, w))
    long = int(short * high / low)
    if most is not None and long > most:
        short, long = int(most * short / long), most
    return (short, long) if h <= w else (long, short)


def short_int_of_unrounded(h: int, w: int, short: int, most: int | None = None) -> Pair:
    """DETR: the long side from the short one before rounding."""
    low, high = sorted((h, w))
    asked = float(short)
    if most is not None and high / low * asked > most:
        asked = most * low / high
    if low == round(asked):
        return h, w
    size = round(asked), asked * high / low
    return size if h <= w else size[::-1]


def half_up_short(h: int, w: int, short: int, most: int | None = None) -> Pair:
    """detectron2: a cap rescales both sides."""
    scale = short / min(h, w)
    rows, columns = (short, scale * w) if h < w else (scale * h, short)
    if most is not None and max(rows, columns) > most:
        scale = most / max(rows, columns)
        rows, columns = rows * scale, columns * scale
    return rows, columns


def half_up_fit(h: int, w: int, long: int, short: int) -> Pair:
    """mmcv: within a long and a short side."""
    scale = min(long / max(h, w), short / min(h, w))
    return h * scale, w * scale


def round_short(h: int, w: int, short: int) -> Pair:
    """Albumentations' SmallestMaxSize."""
    scale = short / min(h, w)
    return h * scale, w * scale


def round_long(h: int, w: int, long: int) -> Pair:
    """Albumentations' LongestMaxSize."""
    scale = long / max(h, w)
    return h * scale, w * scale


def round_fit(h: int, w: int, rows: int, columns: int) -> Pair:
    """Ultralytics' letterbox."""
    scale = min(rows / h, columns / w)
    return h * scale, w * scale


def round_ratio(h: int, w: int, rows: int, columns: int) -> Pair:
    """Timm's border mode."""
    ratio = max(h / rows, w / columns)
    return h / ratio, w / ratio


def floor_float32(h: int, w: int, rows: int, columns: int) -> Pair:
    """tf.image.resize_with_pad: within a size, in float32."""
    high, wide = np.float32(h), np.float32(w)
    ratio = max(wide / np.float32(columns), high / np.float32(rows))
    return float(high / ratio), float(wide / ratio)


def floor_scale(h: int, w: int, short: int, most: int) -> Pair:
    """Torchvision's detectors, eager: one scale in float64."""
    scale = min(short / min(h, w), most / max(h, w))
    return h * scale, w * scale


def floor_scale_float32(h: int, w: int, short: int, most: int) -> Pair:
    """Torchvision's detectors, scripted or traced."""
    one = np.float32(1)
    low, high = one / np.float32(min(h, w)), one / np.float32(max(h, w))
    scale = float(min(np.float32(short) * low, np.float32(most) * high))
    return h * scale, w * scale


def smart_multiple(h: int, w: int, multiple: int, fewest: int, most: int) -> Pair:
    """Qwen2-VL: multiples, within two numbers of pixels."""
    rows, columns = (round(n / multiple) * multiple for n in (h, w))
    if rows * columns > most:
        beta = math.sqrt(h * w / most)
        rows, columns = (math.floor(n / beta / multiple) * multiple for n in (h, w))
        return max(multiple, rows), max(multiple, columns)
    if rows * columns < fewest:
        beta = math.sqrt(fewest / (h * w))
        rows, columns = (math.ceil(n * beta / multiple) * multiple for n in (h, w))
    return rows, columns


def int_then_multiple(h: int, w: int, least: int, multiple: int) -> Pair:
    """PaddleOCR: multiples, each side by itself."""
    ratio = max(1.0, least / min(h, w))
    rows, columns = (round(int(n * ratio) / multiple) * multiple for n in (h, w))
    return max(multiple, rows), max(multiple, columns)


def round_cover(h: int, w: int, rows: int, columns: int) -> Pair:
    """OpenCV's blobFromImage: around a size, in float32."""
    scale = max(np.float32(columns) / np.float32(w), np.float32(rows) / np.float32(h))
    return h * float(scale), w * float(scale)


def half_up_cover(h: int, w: int, rows: int, columns: int) -> Pair:
    """ONNX Resize with not_smaller: around a size."""
    scale = max(rows / h, columns / w)
    return h * scale, w * scale


def half_up(n: float) -> int:
    """Round a half up."""
    return int(n + 0.5)


# Each rule with the rounding that its name begins with, or that it has done itself.
RULES: dict[str, tuple[Callable[..., Pair], Callable[[float], int]]] = {
    "exact": (exact, int),
    "short_int": (short_int, int),
    "short_int_of_unrounded": (short_int_of_unrounded, int),
    "half_up_short": (half_up_short, half_up),
    "half_up_fit": (half_up_fit, half_up),
    "half_up_cover": (half_up_cover, half_up),
    "round_short": (round_short, round),
    "round_long": (round_long, round),
    "round_fit": (round_fit, round),
    "round_ratio": (round_ratio, round),
    "round_cover": (round_cover, round),
    "floor_float32": (floor_float32, math.floor),
    "floor_scale": (floor_scale, math.floor),
    "floor_scale_float32": (floor_scale_float32, math.floor),
    "smart_multiple": (smart_multiple, int),
    "int_then_multiple": (int_then_multiple, int),
}


@dataclass(frozen=True)
class Sized:
    """The size to resize to: whole pixels, and what they were rounded from."""

    size: tuple[int, int]
    exact: Pair


def sized(rule: str, h: int, w: int, size: Sequence[int]) -> Sized:
    """Return the size that a rule makes of a picture of ``h`` rows and ``w`` columns.

    ``size`` are the rule's own numbers, see `numbers`.

    >>> sized("short_int", 171, 238, (256,)).size
    (256, 356)
    """
    function, rounding = RULES[checks.one_of("rule", rule, RULES)]
    rows, columns = function(h, w, *size)
    made = Sized((rounding(rows), rounding(columns)), (rows, columns))
    if min(made.size) < 1:
        raise ValueError(f"rule={rule!r} with {tuple(size)} leaves no pixel of {h}x{w}")
    return made


def numbers(rule: str, size: Any) -> tuple[int, ...]:
    """Return a rule's own numbers, else raise ValueError with their names.

    >>> numbers("short_int", [256])
    (256,)
    """
    function = RULES[checks.one_of("rule", rule, RULES)][0]
    given = tuple(checks.size("size", n) for n in size)
    try:
        inspect.signature(function).bind(1, 1, *given)
    except TypeError:
        own = list(inspect.signature(function).parameters)[2:]
        raise ValueError(
            f"size of rule={rule!r} must hold {', '.join(own)}; got {given}"
        ) from None
    return given
