"""Name the convention of a black box, or of one input and output of it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from resizelab import checks
from resizelab.identification import explanation, pairs, scores
from resizelab.identification.candidates import stages
from resizelab.identification.probing import Pair, Subject, met
from resizelab.identification.report import Report
from resizelab.identification.scores import Comparison

SHOWN = (5, 8)  # the operator that a report carries where nothing had to be fitted
# Dtypes that a resizer of floats may treat otherwise than the one it was asked with.
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
        if x is None or y is None:
            raise TypeError(f"give x=… and y=…; {'x' if x is None else 'y'} is missing")
        return pairs.identify(x, y, layout)
    if not callable(resizer):
        raise TypeError(f"resizer must be callable; got {type(resizer).__name__}")
    subject = met(resizer, _fixed(resizer, n_in, n_out))
    found = _compared(subject)
    if not found.answered:
        raise ValueError(
            f"the resizer answered no question; the first: {subject.refused[0]}"
        )
    if not found.fitting:
        turned = _turned(subject)
        if turned is None:
            title = _title(subject, found)
            return explanation.explained(subject, found, title, _remarks(subject))
        subject, found = turned
    return _named(subject, found)


def _compared(subject: Subject) -> Comparison:
    """Return the scores; if no candidate fits, of other dtypes that it may treat so."""
    found = _as(subject, subject.dtype)
    if found.fitting or subject.result:
        return found
    first = subject.dtype, list(subject.refused)
    for dtype in OTHERS.get(subject.dtype, ()):
        other = _as(subject, dtype)
        subject.refused = first[1]
        if other.fitting:
            return other
    subject.dtype = first[0]
    return found


def _as(subject: Subject, dtype: str) -> Comparison:
    subject.dtype = dtype
    return scores.first_fitting(stages(dtype, subject.result), subject)


def _turned(subject: Subject) -> tuple[Subject, Comparison] | None:
    """Return the subject given the transposed input, if that explains it."""
    resizer, fixed = subject.resizer, subject.fixed
    if fixed is not None and fixed[0] != fixed[0][::-1]:
        return None

    def transposed(x: Any, *shape: Any) -> Any:
        return resizer(np.ascontiguousarray(x.T), *shape)

    turned = replace(subject, resizer=transposed, refused=[], transposed=True, known={})
    found = _compared(turned)
    return (turned, found) if found.fitting else None


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


def _named(subject: Subject, found: Comparison) -> Report:
    fitting = [s.candidate for s in found.fitting]
    names = scores.names_of(fitting)
    remarks = _remarks(subject) + scores.remarks(found.fitting)
    sets = scores.parted(fitting) if subject.fixed is not None else ()
    if len(sets) > 1:
        remarks.append(
            f"at these sizes {len(sets)} sets of conventions agree; resize other "
            "sizes to tell them apart (`probe(a, b)` names some)"
        )
    return Report(
        subject=_title(subject, found),
        same=names,
        nearest=scores.nearest(found.scores, names),
        remarks=tuple(remarks),
        ambiguous=sets if len(sets) > 1 else (),
        operators=explanation.operators(subject, SHOWN),
    )


def _title(subject: Subject, found: Comparison) -> str:
    sizes = "of H x W arrays"
    if subject.fixed is not None:
        (h, w), (oh, ow) = subject.fixed
        sizes = f"from {h} x {w} to {oh} x {ow}"
    return f"a resizer {sizes}, {subject.dtype}; {found.answered} answers compared"


def _remarks(subject: Subject) -> list[str]:
    found = []
    if subject.swapped:
        found.append("channels or axes swapped: it takes (width, height), not shape")
    if subject.transposed:
        found.append("channels or axes swapped: it resizes the transposed input")
    if subject.refused:
        found.append(
            f"refused {len(subject.refused)} questions; the first: {subject.refused[0]}"
        )
    return found
