"""Name the convention of a black box, or of one input and output of it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from resizelab import checks
from resizelab.identification import classes, explanation, suspects
from resizelab.identification.candidates import ROUNDINGS
from resizelab.identification.probing import Pair, Subject, met
from resizelab.identification.report import Report
from resizelab.identification.separation import Separation, probe

__all__ = ["Report", "Separation", "identify", "probe"]

SHOWN = (5, 8)  # the operator that a report carries where nothing had to be fitted
OTHERS = {
    "float32": ("float64",),
    "uint8": ("int8", "int16", "uint16", "int32", "int64", "uint32", "uint64"),
}


def identify(
    resizer: Callable[..., Any] | None = None,
    *,
    n_in: int | Pair | None = None,
    n_out: int | Pair | None = None,
    x: Any = None,
    y: Any = None,
    layout: str | None = None,
) -> Report:
    """Return which recorded conventions a resizer, or a pair of arrays, agrees with.

    Parameters
    ----------
    resizer : callable
        ``f(x, shape)`` on H x W arrays, or with ``n_in`` ``f(x)`` of fixed sizes. It is
        asked some 60 times, with arrays of our choice.
    n_in, n_out : (int, int) or int, optional
        Height and width that a resizer of fixed sizes takes and returns.
    x, y : array
        Instead of a resizer: one input and what became of it. 8-bit or float.
    layout : str, optional
        The axes of x and y: HW, HWC, CHW, NCHW, NHWC, DHW …; guessed if not given.

    Raises
    ------
    TypeError, ValueError
        If neither or both are given, or a resizer answers nothing; the message holds
        the resizer's own words.

    >>> import resizelab as rl
    >>> report = identify(lambda x, shape: rl.resize(x, shape, "opencv.area"))
    >>> report.same
    ('opencv.area',)
    """
    if (resizer is None) == (x is None and y is None):
        raise TypeError("give a resizer, or x=… and y=…; got neither or both")
    if resizer is None:
        from resizelab.identification import pairs

        if x is None or y is None:
            raise TypeError(f"give x=… and y=…; {'x' if x is None else 'y'} is missing")
        return pairs.identify(x, y, layout)
    if not callable(resizer):
        raise TypeError(f"resizer must be callable; got {type(resizer).__name__}")
    subject = met(resizer, _fixed(resizer, n_in, n_out))
    hearing = _heard(subject)
    if not hearing.alive:
        turned = _turned(subject)
        if turned is None:
            return explanation.explained(
                subject, hearing, _subject(subject, hearing), _remarks(subject)
            )
        subject, hearing = turned
    names = [n for s in hearing.alive for n in s.candidate.names]
    return _named(subject, hearing, classes.in_order(names))


def _turned(subject: Subject) -> tuple[Subject, suspects.Hearing] | None:
    """Return the subject given the transposed input, if that explains it."""
    resizer, fixed = subject.resizer, subject.fixed
    if fixed is not None and fixed[0] != fixed[0][::-1]:
        return None

    def transposed(x: Any, *shape: Any) -> Any:
        return resizer(np.ascontiguousarray(x.T), *shape)

    turned = replace(subject, resizer=transposed, refused=[], transposed=True)
    hearing = suspects.heard(turned)
    return (turned, hearing) if hearing.alive else None


def _sizes(parameter: str, value: int | Pair) -> Pair:
    pair = value if isinstance(value, (tuple, list)) else (value, value)
    if len(pair) != 2:
        raise ValueError(f"{parameter} must be (height, width); got {value!r}")
    return checks.size(parameter, pair[0]), checks.size(parameter, pair[1])


def _fixed(
    resizer: Callable[..., Any], n_in: int | Pair | None, n_out: int | Pair | None
) -> tuple[Pair, Pair] | None:
    if n_in is None:
        if n_out is not None:
            raise ValueError("n_out goes with n_in, for a resizer of fixed sizes")
        return None
    before = _sizes("n_in", n_in)
    if n_out is not None:
        return before, _sizes("n_out", n_out)
    # The resizer knows its output size: it is asked.
    trial = met(resizer, (before, before))
    y = trial.ask(np.zeros(before, trial.dtype), before)
    return before, (y.shape[0], y.shape[1])


def _heard(subject: Subject) -> suspects.Hearing:
    """Return the hearing; if nobody is left, of other number types and roundings."""
    hearing = suspects.heard(subject)
    first = subject.dtype
    if not hearing.answered:
        raise ValueError(
            f"the resizer answered no question; the first: {subject.refused[0]}"
        )
    if not subject.result:
        for dtype in OTHERS.get(first, ()):
            if hearing.alive:
                return hearing
            subject.dtype = dtype
            kept = list(subject.refused)
            found = suspects.heard(subject)
            subject.refused = kept
            if found.alive:
                return found
        subject.dtype = first
        return hearing
    for rounding in ROUNDINGS:
        if hearing.alive and not any(s.wrong for s in hearing.alive):
            break
        found = suspects.heard(subject, rounding)
        if found.alive and not any(s.wrong for s in found.alive):
            subject.rounding = rounding
            return found
    return hearing


def _named(
    subject: Subject, hearing: suspects.Hearing, same: tuple[str, ...]
) -> Report:
    remarks = _remarks(subject)
    best = [
        s for s in hearing.alive if s.candidate.convention.particulars.clip_to_input
    ]
    if len(best) == len(hearing.alive):
        remarks.append("not linear: results are clipped to the input's range")
    excused = hearing.alive[0].excused
    if excused:
        (h, w), (oh, ow) = excused[0]
        remarks.append(
            f"but for {len(excused)} sizes with one pixel: other numbers, as from "
            f"{h} x {w} to {oh} x {ow}"
        )
    if any(s.wrong for s in hearing.alive):
        s = min(hearing.alive, key=lambda s: s.wrong)
        remarks.append(
            f"one level off: integer rounding ({s.wrong} of {s.values} results)"
        )
    ambiguous: tuple[tuple[str, ...], ...] = ()
    if subject.fixed is not None:
        sets = classes.parted([s.candidate for s in hearing.alive])
        if len(sets) > 1:
            ambiguous = sets
            remarks.append(
                f"at these sizes {len(sets)} sets of conventions agree; resize other "
                "sizes to tell them apart (`probe(a, b)` names some)"
            )
    return Report(
        subject=_subject(subject, hearing),
        same=same,
        nearest=classes.nearest(hearing.suspects, same),
        remarks=tuple(remarks),
        ambiguous=ambiguous,
        operators=explanation.operators(subject, (SHOWN,)),
    )


def _subject(subject: Subject, hearing: suspects.Hearing) -> str:
    sizes = "of H x W arrays"
    if subject.fixed is not None:
        (h, w), (oh, ow) = subject.fixed
        sizes = f"from {h} x {w} to {oh} x {ow}"
    return f"a resizer {sizes}, {subject.dtype}; {hearing.answered} answers compared"


def _remarks(subject: Subject) -> list[str]:
    found = []
    if subject.swapped:
        found.append("channels or axes swapped: it takes (width, height), not shape")
    if subject.transposed:
        found.append("channels or axes swapped: it resizes the transposed input")
    if subject.rounding:
        found.append(
            "float results, rounded to whole numbers afterwards "
            f"({subject.rounding}): no integer arithmetic of its own"
        )
    if subject.refused:
        found.append(
            f"refused {len(subject.refused)} questions; the first: {subject.refused[0]}"
        )
    return found
