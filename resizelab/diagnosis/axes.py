"""Differences of two maps that are no resize: order of channels, axes, numbers."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from resizelab.arrays import layouts
from resizelab.checks import FloatArray
from resizelab.diagnosis.maps import ALIVE, Pair, rms
from resizelab.diagnosis.result import IT_IS, LIKELY

SAMPLED = 2**16  # numbers of a first look
CLOSE = 0.9  # correlation from which two maps show the same
BETTER = 0.3  # of what is lacking to 1 may lack in another order of channels or axes
LISTED = 32  # channels that are told
LEFT = 0.02  # of the difference may be left of what is so, not likely so
MISREAD = 0.1  # of it may be left where axes were misread

Turn = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True)
class Change:
    """A cause that is no resize: its kind, what it is, and what remains beside it."""

    kind: str
    text: str
    residual: float
    certainty: str = IT_IS


def find(pair: Pair) -> Change | None:
    """Return a change of channels or axes that is the whole difference, if any is."""
    looks = () if pair.mask else (_permuted, _misread, _turned)
    return next(filter(None, (look(pair) for look in looks)), None)


def _changed(pair: Pair, kind: str, text: str, left: float) -> Change:
    certain = left <= LEFT * pair.difference
    return Change(kind, text, left / pair.spread, IT_IS if certain else LIKELY)


def _misread(pair: Pair) -> Change | None:
    """Notice numbers in one order that were read in another: NHWC as NCHW."""
    channels = len(pair.ref)
    if channels < 2:
        return None
    for told, last, first in (
        ("NHWC numbers read as NCHW", pair.ref, pair.got),
        ("NCHW numbers read as NHWC", pair.got, pair.ref),
    ):
        for every in (max(1, first.size // SAMPLED), 1):
            k = np.arange(0, first.size, every)
            numbers = last.reshape(channels, -1)[k % channels, k // channels]
            left = rms(first.reshape(-1)[k] - numbers)
            if left > MISREAD * pair.difference:
                break
        else:
            return _changed(pair, "layout", f"got holds ref's {told}", left)
    return None


def _permuted(pair: Pair) -> Change | None:
    # A channel without content has no likeness; which they are moves with the order.
    mine, other = (np.flatnonzero(s > ALIVE * s.max()) for s in pair.deviations)
    if len(mine) != len(other) or len(mine) < 2:
        return None
    ref, got = (m.reshape(len(m), -1) for m in pair.thumbs)
    alike = got[other] @ ref[mine].T
    best = mine[alike.argmax(1)]
    if len(set(best)) < len(best) or (best == other).all():
        return None
    moved, won = best != other, alike.max(1)
    stayed = (ref[other[moved]] * got[other[moved]]).sum(1).mean()
    if won.mean() < CLOSE or 1 - won[moved].mean() > BETTER * (1 - stayed):
        return None
    order = np.arange(len(pair.ref))
    order[other] = best
    left = rms(pair.got[other] - pair.ref[best])
    told = ", ".join(map(str, order[:LISTED])) + ", …" * (len(order) > LISTED)
    text = f"got's channels are ref's channels {told}"
    return _changed(pair, "channels", text, left)


def _turned(pair: Pair) -> Change | None:
    square = pair.shape[0] == pair.shape[1]
    x, y = (m[pair.liveliest] for m in pair.thumbs)
    scores = {"as it is": float((x * y).sum((1, 2)).mean())}
    for name, way in layouts.TURNS.items():
        if square or not way[2]:
            turned = layouts.turned(x, way, 1)
            scores[name] = float((turned * y).sum((1, 2)).mean())
    name = max(scores, key=lambda k: scores[k])
    lacks, lacked = 1 - scores[name], 1 - scores["as it is"]
    if scores[name] < CLOSE or lacks >= BETTER * lacked:
        return None
    ref, got = pair.few
    left = rms(got - layouts.turned(ref, layouts.TURNS[name], 1))
    return _changed(pair, "layout", f"got is ref {name}", left)
