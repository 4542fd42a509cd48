"""Stages that change values and not places: channels, levels, gamma, alpha, layout."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from resizelab import checks
from resizelab.arrays import integers

Array = NDArray[Any]
MEAN_FIRST = ("mean_first", "mean_first_float64")
FORMS = ("divide", "multiply", "fused", "reciprocal", "float64", *MEAN_FIRST)
ALPHA = ("drop", "premultiply", "divide", "over")
CURVES = ("srgb_to_linear", "linear_to_srgb")
LAYOUTS = ("HWC", "CHW", "patches")
ROUNDINGS = ("half_even", "half_up", "truncate")
PATCH, MERGED, FRAMES = 14, 2, 2  # Qwen2-VL's patches
F32 = np.float32


@dataclass(frozen=True, kw_only=True)
class Channels:
    """Put channels in another order: RGB to BGR, or back."""

    kind: ClassVar[str] = "channels"
    order: tuple[int, ...] = (2, 1, 0)

    def run(self, x: Array) -> Array:
        """Return the channels in the new order."""
        return x[..., list(self.order)]


@dataclass(frozen=True, kw_only=True)
class Normalise:
    """Turn levels into what the network reads: scale, mean, deviation, in float32.

    ``form`` says in which arithmetic; they differ by last bits. ``divide``: x over
    divisor, then minus mean, over std. ``multiply``: x * float32(1 / divisor) first.
    ``fused``: (x - divisor mean) / (divisor std). ``reciprocal``: the same times
    1 / (divisor std). ``float64``: x * (1 / divisor) in float64, then float32.
    ``mean_first``: minus mean, then times 1 / (divisor std) (caffe, OpenCV's blob);
    ``mean_first_float64``: that product in float64 (mmcv).
    """

    kind: ClassVar[str] = "normalise"
    form: str = "divide"
    divisor: float = 255.0
    mean: tuple[float, ...] | None = None
    std: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        """Check every field."""
        checks.one_of("form", self.form, FORMS)
        checks.positive("divisor", self.divisor)
        for name in ("mean", "std"):
            given = getattr(self, name)
            if given is not None:
                check = checks.number if name == "mean" else checks.positive
                object.__setattr__(self, name, checks.each(name, given, check))

    def line(self) -> tuple[Array, Array]:
        """Return gain and offset a channel: y = gain * x + offset."""
        mean, std = self._numbers()
        gain = 1 / (std * self.divisor) * np.ones_like(mean)
        return gain, -mean * (gain if self.form in MEAN_FIRST else 1 / std)

    def steps(self) -> list[tuple[str, Any]]:
        """Return the arithmetic as ("Sub", "Mul" or "Div", a number a channel).

        Each is done in float32; a number in float64 raises its step to float64.
        """
        mean, std = self._numbers()
        top = F32(self.divisor)
        match self.form:
            case "fused":
                return [("Sub", F32(mean) * top), ("Div", F32(std) * top)]
            case "reciprocal":
                share = F32(1) / (F32(std) * top)
                return [("Sub", F32(mean) * top), ("Mul", share)]
            case "mean_first":
                share = F32(1 / (std * self.divisor))
                return [("Sub", F32(mean)), ("Mul", share)]
            case "mean_first_float64":
                return [("Sub", F32(mean)), ("Mul", 1 / (std * self.divisor))]
        first: dict[str, list[tuple[str, Any]]] = {
            "divide": [("Div", top)],
            "multiply": [("Mul", F32(1) / top)],
            "float64": [("Mul", np.float64(1 / self.divisor))],
        }
        found = first[self.form]
        found += [("Sub", F32(mean))] if self.mean is not None else []
        return found + ([("Div", F32(std))] if self.std is not None else [])

    def _numbers(self) -> tuple[Array, Array]:
        mean = np.asarray(self.mean or (0.0,), np.float64)
        return mean, np.asarray(self.std or (1.0,), np.float64)

    def run(self, x: Array) -> Array:
        """Return ``x`` as float32, scaled."""
        y: Array = x.astype(F32)
        for op, value in self.steps():
            y = {"Sub": np.subtract, "Mul": np.multiply, "Div": np.divide}[op](y, value)
            y = y.astype(F32)
        return y


@dataclass(frozen=True, kw_only=True)
class Levels:
    """Go back from 0 … 1 to bytes, rounded by a rule and cut."""

    kind: ClassVar[str] = "levels"
    rounding: str = "half_even"

    def __post_init__(self) -> None:
        """Check the rule."""
        checks.one_of("rounding", self.rounding, ROUNDINGS)

    def run(self, x: Array) -> Array:
        """Return bytes."""
        y: Array = np.clip(x * F32(255), 0, 255)
        integers.round_in_place(y, self.rounding)
        return y.astype(np.uint8)


@dataclass(frozen=True, kw_only=True)
class Gamma:
    """Apply the sRGB curve or its inverse to values of 0 … 1; bytes become such."""

    kind: ClassVar[str] = "gamma"
    curve: str = "srgb_to_linear"

    def __post_init__(self) -> None:
        """Check the curve."""
        checks.one_of("curve", self.curve, CURVES)

    def run(self, x: Array) -> Array:
        """Return the values on the other side of the curve, float32."""
        y = x.astype(np.float64) / (255 if x.dtype == np.uint8 else 1)
        if self.curve == "srgb_to_linear":
            low, high = y / 12.92, ((np.maximum(y, 0) + 0.055) / 1.055) ** 2.4
            return np.where(y <= 0.04045, low, high).astype(F32)
        low, high = y * 12.92, 1.055 * np.maximum(y, 0) ** (1 / 2.4) - 0.055
        return np.where(y <= 0.0031308, low, high).astype(F32)


@dataclass(frozen=True, kw_only=True)
class Alpha:
    """Treat the last channel as alpha.

    ``premultiply`` the colours by it before a resize and ``divide`` them after;
    ``over`` lays them on a ``background`` (0 … 1) and takes alpha away; ``drop`` only
    takes alpha away.
    """

    kind: ClassVar[str] = "alpha"
    way: str = "over"
    background: float = 1.0

    def __post_init__(self) -> None:
        """Check the way."""
        checks.one_of("way", self.way, ALPHA)
        checks.number("background", self.background)

    def run(self, x: Array) -> Array:
        """Return the colours (and alpha) as float32 of 0 … 1; ``drop`` keeps bytes."""
        if self.way == "drop":
            return x[..., :-1]
        y = x.astype(F32) / F32(255 if x.dtype == np.uint8 else 1)
        colour, alpha = y[..., :-1], y[..., -1:]
        if self.way == "over":
            laid: Array = colour * alpha + F32(self.background) * (1 - alpha)
            return laid
        if self.way == "premultiply":
            return np.concatenate([colour * alpha, alpha], -1)
        # Where nothing is seen there is no colour.
        plain = np.divide(colour, alpha, out=np.zeros_like(colour), where=alpha > 0)
        return np.concatenate([plain, alpha], -1)


@dataclass(frozen=True, kw_only=True)
class Layout:
    """Put the axes in the order that the network reads; the last stage of all.

    ``patches``: Qwen2-VL's rows of 14 x 14 pixels, four to a square, each frame twice.
    """

    kind: ClassVar[str] = "layout"
    order: str = "CHW"

    def __post_init__(self) -> None:
        """Check the order."""
        checks.one_of("order", self.order, LAYOUTS)

    def run(self, x: Array) -> Array:
        """Return the axes in their order."""
        if self.order == "HWC":
            return x
        y = np.ascontiguousarray(np.moveaxis(x, -1, 0))
        if self.order == "CHW":
            return y
        cut, order, rows = patches(*y.shape)
        twice = np.broadcast_to(y.reshape(cut), (FRAMES, *cut))
        return twice.transpose(order).reshape(rows)


# The stages that keep pixels where they are.
Pixelwise = Channels | Normalise | Levels | Gamma | Alpha | Layout


def patches(
    channels: int, height: int, width: int
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, int]]:
    """Return how a CHW frame is cut, the order of its axes then, the shape of the rows.

    >>> patches(3, 56, 28)[2]
    (8, 1176)
    """
    down, across = height // PATCH // MERGED, width // PATCH // MERGED
    cut = (channels, down, MERGED, PATCH, across, MERGED, PATCH)
    rows = down * across * MERGED**2, channels * FRAMES * PATCH**2
    return cut, (2, 5, 3, 6, 1, 0, 4, 7), rows
