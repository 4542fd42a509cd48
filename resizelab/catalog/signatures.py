"""What a convention does to a fixed set of sizes: its operators, one a size.

Two conventions are the same resize if their operators agree on sizes that hold borders,
exact ties, single pixels, equal sizes and odd ratios: those separate near conventions.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any

import numpy as np

from resizelab.arrays.resizing import plan, weights
from resizelab.arrays.sizes import output_size
from resizelab.axis import Convention, Particulars, Spec, Weights
from resizelab.checks import FloatArray, IndexArray

SIZES = (
    *((1, 1), (2, 1), (3, 1), (5, 1), (8, 1), (1, 4), (1, 7), (4, 4), (4, 8), (5, 10)),
    *((8, 4), (9, 3), (12, 3), (16, 4), (5, 8), (3, 7), (7, 12), (11, 32), (16, 17)),
    *((7, 3), (5, 4), (9, 4), (10, 7), (13, 5), (17, 14), (2, 41), (6, 13), (32, 11)),
)
# Where nearest conventions of one idea part by their arithmetic alone.
TIES = ((2, 82), (7, 1), (2, 7), (12, 34), (6, 46), (19, 38), (22, 46), (14, 46))
SCALED = tuple((n, s) for n in (4, 5, 7, 8) for s in (0.3, 0.6, 1.1, 1.5, 2.0, 2.6))
SAME = 1e-5  # the float32 noise of an engine's weights is below this

# Two axes at once: some rules look at both (an axis grows, a ratio is kept).
COUPLED = (((8, 4), (3, 6)), ((4, 8), (6, 3)), ((6, 4), (12, 5)))
COUPLED_SCALES = ((4, 4), ((1.1, 2.0), (2.0, 1.1)))

# A size and, where a scale is given, the scale; or, of two axes, one and both sizes.
Probe = tuple[Any, ...]
Signature = Mapping[Probe, FloatArray]


@dataclass(frozen=True, eq=False)
class _Line:
    """A signature laid end to end: which probes, their numbers, where each starts."""

    probes: tuple[Probe, ...]
    numbers: FloatArray
    starts: IndexArray


@dataclass(frozen=True)
class Gap:
    """How far two conventions are apart on the fixed sizes.

    ``largest`` and ``typical`` (root mean square) differences of a weight, over the
    sizes that both have; ``parted`` of ``tried`` sizes differ, by weights or because
    the size itself comes out otherwise.
    """

    largest: float
    typical: float
    parted: int
    tried: int


class _Key:
    """A convention as a key: two with the same fields of effect are one.

    ``ties`` says whether the sizes of `TIES` are looked at too.
    """

    def __init__(self, value: Convention, ties: bool | None = None) -> None:
        # One axis is looked at: the last.
        roi = None if value.roi is None else value.roi[-1:]
        self.value = value.replace(roi=roi)
        self.ties = picks(value) if ties is None else ties
        self.key = (*value.key, roi, takes_scale(value), self.ties)

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.key == other.key


def picks(convention: Convention) -> bool:
    """Say whether each output is one input pixel, picked by its position."""
    return convention.spec.kernel == "nearest"


def takes_scale(convention: Convention) -> bool:
    """Say whether a given scale, and not only the sizes, shapes the result."""
    return convention.scale is not None or convention.spec.step_from == "scale"


def _signature(key: _Key) -> Signature:
    c = key.value
    probes: list[Probe] = []
    if takes_scale(c):
        for n, s in SCALED:
            if n * s >= 1:
                probes.append((n, output_size(n, s, c.particulars.size_rule), s))
    else:
        ties = TIES if key.ties else ()
        probes = [(n, m, None) for n, m in SIZES + ties]
    found = {probe: _with_offset(weights(c, *probe)) for probe in probes}
    found |= _coupled(c)
    # Clipping to the input shows where weights are negative, and only there.
    if c.particulars.clip_to_input and any(w.min() < -SAME for w in found.values()):
        found["clips",] = np.ones((1, 1))
    return found


def _with_offset(w: Weights) -> FloatArray:
    return np.column_stack([w.dense(), w.offsets])


def _coupled(c: Convention) -> dict[Probe, FloatArray]:
    """Return the operators of each of two axes, by (axis, sizes before and after)."""
    found: dict[Probe, FloatArray] = {}
    if takes_scale(c):
        before, scales = COUPLED_SCALES
        plans = [(before, plan(before, None, c, scale=s)) for s in scales]
    else:
        plans = [(before, plan(before, after, c)) for before, after in COUPLED]
    for before, settled in plans:
        for axis, operator in settled.work:
            found[axis, before, settled.shape] = _with_offset(operator)
    return found


def signature(convention: Convention) -> Signature:
    """Return the convention's operators by (n_in, n_out, scale); offsets come last.

    >>> signature(Convention(name="a"))[4, 4, None].shape
    (4, 5)
    """
    return _signature(_Key(convention))


def gap(a: Convention, b: Convention) -> Gap:
    """Return how far two conventions are apart; both must take a scale, or neither.

    >>> linear = Convention(name="a")
    >>> other = Convention(name="b", spec=Spec(boundary="exclude"))
    >>> gap(linear, other).largest < SAME  # linear cannot see the boundary
    True
    """
    if takes_scale(a) != takes_scale(b):
        raise ValueError(f"only one of {a.name!r} and {b.name!r} takes a scale")
    # A size counts only if both were asked: where one side picks, both see the ties.
    ties = picks(a) or picks(b)
    left, right = _line(_Key(a, ties)), _line(_Key(b, ties))
    tried = max(len(left.probes), len(right.probes))
    if left.probes == right.probes:
        return _measured(left, right, 0, tried)
    both = set(left.probes) & set(right.probes)
    other = tried - len(both)
    if not both:
        return Gap(float("inf"), float("inf"), other, tried)
    return _measured(_kept(left, both), _kept(right, both), other, tried)


def _measured(left: _Line, right: _Line, other: int, tried: int) -> Gap:
    error = np.abs(left.numbers - right.numbers)
    worst = np.maximum.reduceat(error, left.starts)
    return Gap(
        largest=float(worst.max()),
        typical=float(np.sqrt(np.mean(error**2))),
        parted=other + int((worst > SAME).sum()),
        tried=tried,
    )


def _kept(line: _Line, wanted: set[Probe]) -> _Line:
    pieces = dict(
        zip(line.probes, np.split(line.numbers, line.starts[1:]), strict=True)
    )
    return _laid({probe: pieces[probe] for probe in line.probes if probe in wanted})


def _laid(found: Signature) -> _Line:
    probes = tuple(sorted(found, key=str))
    flat = [found[probe].ravel() for probe in probes]
    ends = np.cumsum([len(piece) for piece in flat])
    starts = np.concatenate([[0], ends[:-1]]).astype(np.intp)
    return _Line(probes, np.concatenate(flat), starts)


@lru_cache(maxsize=2048)
def _line(key: _Key) -> _Line:
    return _laid(_signature(key))


def differing(a: Convention, b: Convention) -> dict[str, tuple[object, object]]:
    """Return the fields in which two conventions differ: {field: (a's, b's)}.

    How a scale becomes a size is left out where no scale is taken.
    """
    found: dict[str, tuple[object, object]] = {}
    silent = () if takes_scale(a) else ("size_rule", "resized_length")
    for kind, group in (("spec", Spec), ("particulars", Particulars)):
        left, right = getattr(a, kind), getattr(b, kind)
        for f in fields(group):
            values = getattr(left, f.name), getattr(right, f.name)
            if values[0] != values[1] and f.name not in silent:
                found[f.name] = values
    if a.growing != b.growing:
        found["growing"] = dict(a.growing), dict(b.growing)
    return found
