"""Differences of two maps that are no resize: values, channels, axes, rounding."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from resizelab.checks import FloatArray
from resizelab.diagnosis.maps import Pair

THUMB = 64  # pixels of an axis of the small pictures that are compared
CLOSE = 0.9  # correlation from which two maps show the same
BETTER = 0.3  # of what is lacking to 1 may lack in another order of channels or axes
ALIVE = 1e-6  # of the liveliest channel's spread: below it, a channel is empty
LISTED = 32  # channels that are told
LEFT = 0.05  # of the difference may remain where values alone explain it
SAMPLED = 2**16  # values in which levels are counted
FINEST = 2e-6  # of the spread: float32 in another order of operations
SLIGHT = 0.05  # of the spread: rounding, quantised arithmetic, noise

Turn = Callable[[FloatArray], FloatArray]
TURNS: dict[str, Turn] = {
    "flipped top to bottom": lambda m: m[:, ::-1],
    "flipped left to right": lambda m: m[:, :, ::-1],
    "turned by 180 degrees": lambda m: m[:, ::-1, ::-1],
    "with height and width swapped": lambda m: m.transpose(0, 2, 1),
    "turned by 90 degrees, clockwise": lambda m: m.transpose(0, 2, 1)[:, :, ::-1],
    "turned by 90 degrees, counter-clockwise": lambda m: m.transpose(0, 2, 1)[:, ::-1],
    "with the axes swapped and both flipped": lambda m: m.transpose(0, 2, 1)[
        :, ::-1, ::-1
    ],
}


@dataclass(frozen=True)
class Change:
    """A cause that is no resize: its kind, what it is, and what remains beside it."""

    kind: str
    text: str
    residual: float


def find(pair: Pair) -> Change | None:
    """Return a change of values, channels or axes that is the whole difference."""
    for look in (_same, _scaled, _activated, _levels, _permuted, _turned):
        change = look(pair)
        if change is not None:
            return change
    return None


def difference(pair: Pair) -> float:
    """Return the root mean square of the difference over the spread of ``ref``."""
    return _rms(pair.got - pair.ref) / _spread(pair)


def remaining(pair: Pair) -> Change:
    """Return what a difference without any resize in it is."""
    size = difference(pair)
    fine = _floats(pair)
    if fine and size <= SLIGHT:
        text = f"{fine}: rounding of a narrower dtype"
        return Change("rounding", text, size)
    if size <= SLIGHT:
        text = (
            f"a difference of {100 * size:.2g} % of the spread that goes with no move "
            "and no blur: rounding, quantised arithmetic, noise"
        )
        return Change("rounding", text, size)
    _, left = _lines(pair, each=True)
    text = (
        "no move, no blur and no simple change of the values makes this difference: "
        "the model saw or computed something else (normalisation of the input, 0…1 or "
        "0…255, RGB or BGR; other weights; another dtype)"
    )
    return Change("other", text, left / _spread(pair))


def _same(pair: Pair) -> Change | None:
    gap = np.abs(pair.got - pair.ref).max()
    if gap == 0:
        return Change("identical", "the outputs are equal, bit by bit", 0.0)
    size = difference(pair)
    if size > FINEST:
        return None
    text = f"equal but for {size:.1e} of the spread: float32, summed in another order"
    return Change("identical", text, size)


def _lines(pair: Pair, *, each: bool) -> tuple[FloatArray, float]:
    """Return (gain, offset) rows, one for each channel or one for all, and the rest."""
    x, y = (m if each else m.reshape(1, 1, -1) for m in (pair.ref, pair.got))
    mx, my = (m.mean((1, 2), keepdims=True) for m in (x, y))
    power = np.maximum(((x - mx) ** 2).sum((1, 2), keepdims=True), 1e-300)
    gain = ((x - mx) * (y - my)).sum((1, 2), keepdims=True) / power
    left = _rms(y - my - gain * (x - mx))
    return np.concatenate([gain, my - gain * mx], 1)[:, :, 0], left


def _scaled(pair: Pair) -> Change | None:
    whole = _rms(pair.got - pair.ref)
    for each in (False, True):
        fit, left = _lines(pair, each=each)
        if left > LEFT * whole or (fit[:, 0] <= 0).all():
            continue
        if each:
            low, high = fit[:, 0].min(), fit[:, 0].max()
            text = f"each channel has a gain ({low:.4g} to {high:.4g}) and an offset"
        else:
            text = f"got = {fit[0, 0]:.4g} * ref {fit[0, 1]:+.4g}"
        return Change(
            "values", f"{text} of its own" * each or text, left / _spread(pair)
        )
    return None


def _activated(pair: Pair) -> Change | None:
    """Notice an activation that only one side has."""
    if pair.mask:
        return None
    for name, function in ACTIVATIONS.items():
        for before, after, side in (
            (pair.ref, pair.got, "got"),
            (pair.got, pair.ref, "ref"),
        ):
            left = _rms(function(before) - after)
            if left <= 1e-3 * after.std() and left <= LEFT * _rms(before - after):
                text = f"{side} has been through {name}, the other has not"
                return Change("values", text, left / max(float(after.std()), 1e-300))
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
        gap = np.abs(pair.got - pair.ref).max()
        if even and gap <= 0.52 * step and len(np.unique(other[:2])) > 2 * len(few):
            text = f"{name} is the other, rounded to levels {step:.4g} apart"
            return Change("rounding", text, difference(pair))
    return None


def _floats(pair: Pair) -> str | None:
    """Say which side holds numbers of a narrower float type, if just one does."""
    for name, keep in (
        ("float16", lambda m: m.astype(np.float16).astype(np.float64)),
        ("bfloat16", _bfloat16),
    ):
        with np.errstate(over="ignore"):
            fits = [bool((keep(m) == m).all()) for m in (pair.ref, pair.got)]
        if fits[0] != fits[1]:
            return f"{'ref' if fits[0] else 'got'} holds {name} numbers"
    return None


def _bfloat16(m: FloatArray) -> FloatArray:
    bits = m.astype(np.float32).view(np.uint32) & np.uint32(0xFFFF0000)
    kept: FloatArray = bits.view(np.float32).astype(np.float64)
    return kept


def _permuted(pair: Pair) -> Change | None:
    # A channel without content has no likeness; which they are moves with the order.
    mine, other = (np.flatnonzero(_varies(m)) for m in (pair.ref, pair.got))
    if len(mine) != len(other) or len(mine) < 2 or pair.mask:
        return None
    alike = _thumbs(pair.got[other]) @ _thumbs(pair.ref[mine]).T
    best = mine[alike.argmax(1)]
    if len(set(best)) < len(best) or (best == other).all():
        return None
    moved, won = best != other, alike.max(1)
    stayed = _likeness(pair.ref[other[moved]], pair.got[other[moved]])
    if won.mean() < CLOSE or 1 - won[moved].mean() > BETTER * (1 - stayed):
        return None
    order = np.arange(len(pair.ref))
    order[other] = best
    left = _rms(pair.got[other] - pair.ref[best])
    told = ", ".join(map(str, order[:LISTED])) + ", …" * (len(order) > LISTED)
    text = f"got's channels are ref's channels {told}"
    return Change("channels", text, left / _spread(pair))


def _varies(m: FloatArray) -> NDArray[np.bool_]:
    spread = m.std((1, 2))
    varies: NDArray[np.bool_] = spread > ALIVE * spread.max()
    return varies


def _likeness(x: FloatArray, y: FloatArray) -> float:
    """Return the mean correlation of the channels of two maps."""
    return float((_thumbs(x) * _thumbs(y)).sum(1).mean())


def _turned(pair: Pair) -> Change | None:
    ref, got = pair.few()
    square = pair.shape[0] == pair.shape[1]
    scores = {"as it is": _likeness(ref, got)}
    turns = {k: t for k, t in TURNS.items() if square or t(ref).shape == ref.shape}
    for name, turn in turns.items():
        scores[name] = _likeness(turn(ref), got)
    name = max(scores, key=lambda k: scores[k])
    lacks, lacked = 1 - scores[name], 1 - scores["as it is"]
    if scores[name] < CLOSE or lacks >= BETTER * lacked:
        return None
    left = _rms(got - TURNS[name](ref))
    return Change("layout", f"got is ref {name}", left / _spread(pair))


def _thumbs(m: FloatArray) -> FloatArray:
    """Return small pictures of the channels, (C, pixels), of mean 0 and length 1."""
    cuts = [np.arange(min(n, THUMB)) * n // min(n, THUMB) for n in m.shape[1:]]
    small = np.add.reduceat(np.add.reduceat(m, cuts[0], 1), cuts[1], 2)
    areas = np.diff([*cuts[0], m.shape[1]])[:, None] * np.diff([*cuts[1], m.shape[2]])
    flat = (small / areas).reshape(len(m), -1)
    flat = flat - flat.mean(1, keepdims=True)
    length = np.sqrt((flat**2).sum(1, keepdims=True))
    unit: FloatArray = flat / np.maximum(length, 1e-300)
    return unit


def _rms(m: FloatArray) -> float:
    return float(np.sqrt((m**2).mean()))


def _spread(pair: Pair) -> float:
    return max(float(np.sqrt(pair.ref.var((1, 2)).mean())), 1e-300)
