"""Differences of two maps that are no resize: values and precision.

Each is sought on some pixels, and then holds for all, or it is not said.
"""

import numpy as np

from resizelab.checks import FloatArray
from resizelab.diagnosis import axes
from resizelab.diagnosis.axes import Change, Turn
from resizelab.diagnosis.maps import Pair, rms
from resizelab.diagnosis.result import LIKELY

LEFT = 0.02  # of the difference may remain where values alone explain it
PROVEN = 1e-3  # of the spread may be left of an activation
SAMPLED = 2**16  # values in which levels are counted
FINEST = 5e-6  # of the spread: float32 in another order of operations, in many layers
RIM = 0.3  # of an axis: what borders may have changed
RIMMED = 1e-4  # of the difference may be inside, where only the rim differs
# What a narrower float makes of many layers, at most, as a share of the spread.
NARROW = {"float16": 0.005, "bfloat16": 0.04}


def find(pair: Pair) -> Change | None:
    """Return a change of values, channels or axes that is the whole difference."""
    looks = (_same, _scaled, _activated, _levels, _rounded, axes.find)
    return next(filter(None, (look(pair) for look in looks)), None)


def difference(pair: Pair) -> float:
    """Return the root mean square of the difference over the spread of ``ref``."""
    return pair.difference / pair.spread


def rimmed(pair: Pair) -> bool:
    """Say whether the maps are equal inside, and differ only near the rim."""
    ref, got = pair.few
    low = [int(RIM * n) for n in pair.shape]
    inner = tuple(slice(k, n - k) for k, n in zip(low, pair.shape, strict=True))
    whole, inside = rms(got - ref), rms((got - ref)[:, *inner])
    return inside <= max(FINEST * pair.spread, RIMMED * whole)


def _same(pair: Pair) -> Change | None:
    ref, got = pair.some
    if rms(got - ref) > FINEST * pair.spread:
        return None
    if np.array_equal(pair.ref, pair.got):
        return Change("identical", "the outputs are equal, bit by bit", 0.0)
    size = difference(pair)
    if size > FINEST:
        return None
    text = f"equal but for {size:.1e} of the spread: float32, summed in another order"
    return Change("identical", text, size)


def _lines(ref: FloatArray, got: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return gain and offset of each channel of (C, H, W)."""
    mx, my = (m.mean((1, 2)) for m in (ref, got))
    x, y = ref - mx[:, None, None], got - my[:, None, None]
    gain = (x * y).sum((1, 2)) / np.maximum((x**2).sum((1, 2)), 1e-300)
    return gain, my - gain * mx


def _scaled(pair: Pair) -> Change | None:
    ref, got = pair.some
    for each in (False, True):
        shape = (len(ref) if each else 1, 1, -1)
        gain, offset = _lines(ref.reshape(shape), got.reshape(shape))
        columns = gain.reshape(-1, 1, 1), offset.reshape(-1, 1, 1)
        left = rms(got - columns[0] * ref - columns[1])
        if left > LEFT * rms(got - ref) or (gain <= 0).all():
            continue
        left = rms(pair.got - columns[0] * pair.ref - columns[1])
        if left > LEFT * pair.difference:
            continue
        if each:
            text = (
                f"each channel has a gain ({gain.min():.4g} to {gain.max():.4g}) and "
                "an offset of its own"
            )
        else:
            text = f"got = {gain[0]:.4g} * ref {offset[0]:+.4g}"
        return Change("values", text, left / pair.spread)
    return None


def _activated(pair: Pair) -> Change | None:
    """Notice an activation that only one side has."""
    if pair.mask:
        return None
    for name, function in ACTIVATIONS.items():
        for side in ("got", "ref"):
            for maps in (pair.some, (pair.ref, pair.got)):
                before, after = maps if side == "got" else maps[::-1]
                left, size = rms(function(before) - after), float(after.std())
                fits = left <= min(PROVEN * size, LEFT * rms(before - after))
                if not fits:
                    break
            if fits:
                text = f"{side} has been through {name}, the other has not"
                return Change("values", text, left / max(size, 1e-300))
    return None


def _softmax(m: FloatArray) -> FloatArray:
    e = np.exp(m - m.max(0))
    share: FloatArray = e / e.sum(0)
    return share


ACTIVATIONS: dict[str, Turn] = {
    "softmax over the channels": _softmax,
    "sigmoid": lambda m: 0.5 + 0.5 * np.tanh(m / 2),
    "ReLU": lambda m: np.maximum(m, 0),
    "tanh": np.tanh,
    "log-softmax": lambda m: np.log(np.maximum(_softmax(m), 1e-300)),
}


def _levels(pair: Pair) -> Change | None:
    """Notice one side on equal levels that the other rounds to."""
    for name, x, other in (("got", pair.got, pair.ref), ("ref", pair.ref, pair.got)):
        few = np.unique(x.ravel()[:: max(1, x.size // SAMPLED)])
        if not 2 <= len(few) <= SAMPLED // 16:
            continue
        step = float(np.diff(few).min())
        at = few / step
        even = np.abs((at - at[0]) - np.rint(at - at[0])).max() < 0.02
        if not even:
            continue
        gap = np.abs(pair.got - pair.ref).max()
        if gap <= 0.52 * step and len(np.unique(other[:2])) > 2 * len(few):
            text = f"{name} is the other, rounded to levels {step:.4g} apart"
            return Change("rounding", text, difference(pair))
    return None


def _rounded(pair: Pair) -> Change | None:
    """Notice one side rounded to a narrower float type."""
    for name, keep in FLOATS.items():
        for side, x, other in (
            ("got", pair.got, pair.ref),
            ("ref", pair.ref, pair.got),
        ):
            with np.errstate(over="ignore"):
                if (keep(other[0]) == x[0]).all() and (keep(other) == x).all():
                    text = f"{side} is the other, rounded to {name}"
                    return Change("rounding", text, 0.0)
    return None


def narrow(pair: Pair) -> Change | None:
    """Return that one side was computed in a narrower float type, if it looks so."""
    for name, keep in FLOATS.items():
        with np.errstate(over="ignore"):
            fits = [bool((keep(m) == m).all()) for m in pair.some]
        if fits[0] != fits[1] and pair.difference <= NARROW[name] * pair.spread:
            text = f"{'ref' if fits[0] else 'got'} holds {name} numbers"
            return Change("rounding", text, difference(pair), LIKELY)
    return None


def _bfloat16(m: FloatArray) -> FloatArray:
    bits = m.astype(np.float32).view(np.uint32)
    even = (bits >> np.uint32(16)) & np.uint32(1)
    kept = (bits + np.uint32(0x7FFF) + even) & np.uint32(0xFFFF0000)
    rounded: FloatArray = kept.view(np.float32).astype(np.float64)
    return rounded


FLOATS: dict[str, Turn] = {
    "float16": lambda m: m.astype(np.float16).astype(np.float64),
    "bfloat16": _bfloat16,
}
