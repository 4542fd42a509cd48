"""Name the convention of a black box, or of one input and output of it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab import checks
from resizelab.arrays import layouts
from resizelab.identification import explanation, pairs, scores
from resizelab.identification.alterations import likeness
from resizelab.identification.candidates import stages
from resizelab.identification.probing import Pair, Refused, Subject, met
from resizelab.identification.report import Report, affine
from resizelab.identification.scores import Comparison

Array = NDArray[Any]

LOOK = ((24, 31), (29, 19))  # sizes at which a smooth picture is looked at
FEW_PIXELS = 3  # an axis of fewer shows no turn
NO_RESIZE = 0.5  # a smooth picture that was resized is more like itself
CLEAR = 0.02  # by how much a turned picture must be more alike
TRANSPOSED = "channels or axes swapped: it resizes the transposed input"
STRAIGHT = (False, False, False)
TURNS = {
    f"the result is {name}": way for name, way in layouts.TURNS.items() if not way[2]
}
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
    found = _scored(subject)
    if not found.answered:
        raise ValueError(
            f"the resizer answered no question; the first: {subject.refused[0]}"
        )
    if found.fitting:
        return _named(subject, found)
    views, nonsense = _views(subject)
    if nonsense:
        remarks = (nonsense, *_remarks(subject))
        return Report(subject=_title(subject, found), remarks=remarks)
    others = OTHERS.get(subject.dtype, ()) if not subject.result else ()
    dtypes = (replace(subject, dtype=d, refused=[], known={}) for d in others)
    for view in (*views, *dtypes):
        tried = _scored(view)
        if tried.fitting:
            return _named(view, tried)
        if view.gain and not subject.gain:
            # What is explained is the resizer with its values undone.
            subject, found = view, tried
    title = _title(subject, found)
    return explanation.explained(subject, found, title, _remarks(subject))


def _scored(subject: Subject) -> Comparison:
    some = stages(subject.dtype, subject.result)
    return scores.first_fitting(some, subject)


def _views(subject: Subject) -> tuple[list[Subject], str]:
    """Return other looks at the resizer that may be a known one; or why none can be.

    A smooth picture is compared with a plain resize: it shows turns, and nonsense.
    """
    before, after = subject.fixed or LOOK
    if min(*before, *after) < FEW_PIXELS:
        return _undone([subject]), ""
    rows, columns = (np.linspace(0, 1, n) for n in before)
    rows = rows[:, None]
    smooth = np.sin(3 * rows + 0.5) + np.cos(2 * columns + 1) + np.sin(rows * columns)
    likes: dict[str, float] = {}
    for grey, swing in subject.ranges():
        x = (grey + swing * smooth / 3).astype(subject.dtype)
        try:
            y, again = (subject.ask(x, after) for _ in range(2))
        except Refused:
            return _undone([subject]), ""
        if not np.array_equal(y, again, equal_nan=True):
            return [], "not a resize: it answers the same picture otherwise each time"
        if y.shape != after or not np.isfinite(y).all():
            return [], f"not a resize: it answers with shape {y.shape}, or not numbers"
        for said, way in {"": STRAIGHT, **TURNS}.items():
            turned = layouts.turned(y, way)
            likes[said] = max(likes.get(said, 0.0), _like(smooth, turned))
        if before == before[::-1] or subject.fixed is None:
            swapped = _like(smooth.T, y)
            likes[TRANSPOSED] = max(likes.get(TRANSPOSED, 0.0), swapped)
    said = max(likes, key=lambda k: likes[k])
    if likes[said] < NO_RESIZE:
        return [], "not a resize: what comes back is not like the picture"
    if likes[said] <= likes[""] + CLEAR:
        return _undone([subject]), ""
    return _undone([subject, _turned(subject, said)]), ""


def _turned(subject: Subject, said: str) -> Subject:
    """Return the subject with its results turned, or else its input transposed."""
    way = TURNS.get(said)

    def resizer(x: Array, *shape: Any) -> Any:
        if way is not None:
            return layouts.turned(np.asarray(subject.resizer(x, *shape)), way)
        return subject.resizer(np.ascontiguousarray(x.T), *shape)

    return replace(subject, resizer=resizer, said=(said,), refused=[], known={})


def _like(x: Array, y: Array) -> float:
    return abs(likeness(x[..., None], y[..., None]))


def _undone(views: list[Subject]) -> list[Subject]:
    """Return the looks but the first, before them those whose values are undone."""
    return [v for view in views if (v := view.unscaled()) is not None] + views[1:]


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
    sets = pairs.parted(fitting) if subject.fixed is not None else ()
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
    found += subject.said
    if subject.failed:
        kinds = ", ".join(subject.failed)
        first = next(iter(subject.failed.values()))
        found.append(f"fails with {kinds} ({first}); asked with {subject.dtype}")
    if subject.gain:
        found.append(f"values scaled: {affine((subject.gain,))}; undone here")
    if subject.refused:
        found.append(
            f"refused {len(subject.refused)} questions; the first: {subject.refused[0]}"
        )
    return found
