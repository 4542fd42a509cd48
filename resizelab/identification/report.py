"""What a look at a resize has found, as a value, as text and as JSON."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np

from resizelab.axis.operator import Weights
from resizelab.catalog import phrases
from resizelab.catalog.table import rows
from resizelab.identification.fitted import Fitted
from resizelab.text import Told

SAME = 1e-3  # a factor this near 1 is none
SEEN = 1e-3  # a weight below this is not shown
Gains = tuple[tuple[float, float], ...]

EXACT = 1e-6  # an offset below this is none
CLIPPED = "not linear: results are clipped to the input's range"
MEANS = "means of as many outputs as whole steps fit into one, where it shrinks"
LISTED = 5  # of what is ranked, or cannot be told apart, so many are written out


def _nothing() -> Mapping[Any, Any]:
    return MappingProxyType({})


@dataclass(frozen=True)
class Miss(Told):
    """A recorded convention that comes close.

    ``largest`` and ``typical`` (root mean square) are errors of results for inputs
    between 0 and 1, ``differs`` the parameters that part the two, as
    {name: (here, there)}.
    """

    name: str
    largest: float
    typical: float
    differs: Mapping[str, tuple[object, object]] = field(default_factory=_nothing)

    def lines(self) -> list[str]:
        """Return the miss as lines of text."""
        size = f"off by up to {self.largest:.2g}, typically {self.typical:.2g}"
        parts = [phrases.parted(k, a, b) for k, (a, b) in self.differs.items()]
        return [f"{marked(self.name)}, {size}", *(f"  {part}" for part in parts)]


def ideas(fitted: Fitted) -> list[str]:
    """Return fitted ideas as lines of text."""
    errors = dict(zip(fitted.family.start, fitted.errors, strict=False))
    values = fitted.parameters.items()
    told = [f"{k} = {v if isinstance(v, str) else f'{v:.5g}'}" for k, v in values]
    told = [
        f"{text} ± {errors[k]:.1g}" if k in errors else text
        for k, text in zip(fitted.parameters, told, strict=True)
    ]
    line = f"step {fitted.step}, phase {fitted.phase:.4f}, shift {fitted.shift:.4f}"
    line += f" ± {fitted.grid_error:.1g}"
    near = fitted.boundary
    rule = near if fitted.fits else f"no rule fits; nearest {near}"
    stretched = [f"antialias stretch: {stretch(fitted)}"]
    if fitted.spec is not None:
        told, stretched, line, rule = [fitted.spec.nearest_mode or ""], [], "", ""
    grid = f"{line} ({fitted.grid})" if line and fitted.grid else line or fitted.grid
    lines = [f"kernel: {', '.join([fitted.kernel, *told])}", f"grid: {grid}"]
    if fitted.bits is not None:
        down = "down" if fitted.rounding == "floor" else "to the nearest"
        lines.append(f"positions in steps of 1/{2**fitted.bits}, rounded {down}")
    for (n, m), taps in fitted.blurs.items():
        each = " ".join(f"{w:.4f}" for w in taps)
        border = fitted.blur_boundary
        lines.append(f"a blur before it ({n} to {m}, border {border}): {each}")
    lines += [] if fitted.blurs and fitted.stretch == "none" else stretched
    divided = "weights divided by the stretch, not by their sum"
    lines += [divided] if fitted.of_stretch else []
    lines += [MEANS] if fitted.supersampled else []
    return [*lines, *([f"boundary: {rule}"] if rule else []), _remains(fitted)]


def stretch(fitted: Fitted) -> str:
    """Return how much wider the kernel is where an axis shrinks, in words."""
    factor = "" if abs(fitted.factor - 1) < SAME else f"{fitted.factor:.4g}"
    if not any(n > m for n, m in fitted.residuals):
        return f"{factor or 'not looked at'}: no axis shrinks"
    if fitted.stretch == "none":
        return factor or "none"
    return f"{factor} x {fitted.stretch}" if factor else fitted.stretch


def _remains(fitted: Fitted) -> str:
    parts = []
    for name, grows in (("grows", True), ("shrinks", False)):
        some = {s: e for s, e in fitted.residuals.items() if (s[1] >= s[0]) == grows}
        sizes = ", ".join(f"{n} to {m}" for n, m in some)
        told = f"{max(some.values(), default=0):.1g} of a weight where it {name}"
        parts += [f"{told} ({sizes})"] if some else []
    return f"error that remains: {', '.join(parts)}"


def _fields(fitted: Fitted) -> dict[str, Any]:
    """Return fitted ideas as plain values."""
    by_size = fitted.residuals.items()
    errors = zip(fitted.family.start, map(float, fitted.errors), strict=False)
    return {
        "kernel": fitted.kernel,
        **fitted.parameters,
        "errors": dict(errors),
        "grid": {
            "name": fitted.grid,
            "step": fitted.step,
            "phase": fitted.phase,
            "shift": fitted.shift,
            "error": fitted.grid_error,
        },
        "bits": fitted.bits,
        "stretch": stretch(fitted),
        "blurs": {f"{n} to {m}": list(taps) for (n, m), taps in fitted.blurs.items()},
        "boundary": fitted.boundary,
        "residuals": {f"{n} to {m}": error for (n, m), error in by_size},
        "fits": fitted.fits,
        "inner": fitted.inner,
    }


@dataclass(frozen=True, repr=False)
class Report(Told):
    """What `identify` found.

    Parameters
    ----------
    subject : str
        What was looked at.
    same : tuple of str
        Names of the recorded conventions that give the same numbers, plainest first.
    nearest : Miss, optional
        The recorded convention that comes closest of those that do not.
    fitted : mapping of str to Fitted
        By axis, where no convention gives the same numbers; with one entry where it
        grows and one where it shrinks, if the two are not one.
    remarks : tuple of str
        What else is worth knowing.
    ambiguous : tuple of tuple of str
        Where one pair cannot tell: the sets of conventions that part elsewhere.
    ranked : tuple of Miss
        The candidates of a pair in order of their error: those that fit, and the
        next.
    operators : mapping of str to Weights
        What was measured, by axis.
    """

    subject: str
    same: tuple[str, ...] = ()
    nearest: Miss | None = None
    fitted: Mapping[str, Fitted] = field(default_factory=_nothing)
    remarks: tuple[str, ...] = ()
    ambiguous: tuple[tuple[str, ...], ...] = ()
    ranked: tuple[Miss, ...] = ()
    operators: Mapping[str, Weights] = field(default_factory=_nothing)

    def __str__(self) -> str:
        """Return the report as text: the same numbers first, then what is near."""
        lines = [self.subject, *_indented(named(self.same), first=1)]
        if self.nearest is not None:
            lines += ["nearest miss:", *_indented(self.nearest.lines())]
        for place, fitted in self.fitted.items():
            lines += self._explained(place, fitted)
        next_ones = [miss for miss in self.ranked if miss.name not in self.same]
        if next_ones:
            lines.append("next by error:")
            lines += [
                f"  {marked(miss.name)}: {miss.typical:.2g}, at most {miss.largest:.2g}"
                for miss in next_ones
            ]
        if self.ambiguous:
            lines.append("cannot be told apart here, but elsewhere:")
            for names in self.ambiguous[:LISTED]:
                more = f" and {len(names) - 1} more" if len(names) > 1 else ""
                lines.append(f"  {marked(names[0])}{more}")
            if len(self.ambiguous) > LISTED:
                lines.append(f"  and {len(self.ambiguous) - LISTED} sets more")
        if self.remarks:
            lines += ["remarks:", *_indented(list(self.remarks))]
        return "\n".join(lines)

    def _explained(self, place: str, fitted: Fitted) -> list[str]:
        if fitted.inside:
            where = place if fitted.fits else f"{place}, away from the border"
            return [f"fitted ideas, {where}:", *_indented(ideas(fitted))]
        lines = [f"no family fits, {place}; the closest:", *_indented(ideas(fitted))]
        axis = place.split()[0]
        return (
            [*lines, *taps(self.operators[axis])] if axis in self.operators else lines
        )

    def whole(self) -> dict[str, Any]:
        """Return the report as plain values, operators included."""
        return {
            **super().whole(),
            "fitted": {place: _fields(f) for place, f in self.fitted.items()},
            "operators": {
                axis: w.dense().round(9).tolist() for axis, w in self.operators.items()
            },
        }


def taps(w: Weights) -> list[str]:
    """Return the weights of the middle output as text."""
    i = w.n_out // 2
    row = w.dense()[i]
    read = np.flatnonzero(np.abs(row) > SEEN)
    if not len(read):
        return []
    first, last = int(read[0]), int(read[-1])
    told = " ".join(f"{v:.4f}" for v in row[first : last + 1])
    return [
        f"  measured, {w.n_in} to {w.n_out}: output {i} reads pixels {first} to {last} "
        f"with {told}"
    ]


def affine(gains: Gains) -> str:
    """Return what was done to each channel, as pipelines write it."""
    told = []
    for factor, offset in gains:
        small = abs(offset) <= EXACT * max(1.0, abs(factor))
        formula = f"y = {factor:.6g} x{'' if small else f' {offset:+.5g}'}"
        std = 1 / (255 * factor)
        mean = -offset * std
        if abs(factor) < 1 and abs(mean) < 1.5 and 0.05 < std < 2:
            plain = small and abs(std - 1) < 1e-4
            more = "" if plain else f", - {mean:.4g}, / {std:.4g}"
            formula += f" (as / 255{more})"
        told.append(formula)
    channels = "; ".join(f"channel {k}: {text}" for k, text in enumerate(told))
    return told[0] if len(set(told)) == 1 else channels


def marked(name: str) -> str:
    """Return a row's name, and its evidence where no engine is run for it."""
    status = rows()[name].status
    return name if status == "live" else f"{name} ({status})"


def named(same: tuple[str, ...]) -> list[str]:
    """Return names as lines of text: what they share first, then each library's."""
    if not same:
        return ["same numbers:", "none of the recorded calls"]
    known = [rows()[name] for name in same]
    by_library: dict[str, list[str]] = {}
    for c in known:
        by_library.setdefault(c.library, []).append(marked(c.name))
    count = f"same numbers: {len(same)} call{'s' if len(same) > 1 else ''}"
    shared = f"{phrases.common(known)} (page `{phrases.page(known)}`)"
    each = (f"{library}: {', '.join(names)}" for library, names in by_library.items())
    return [count, shared, *each]


def _indented(lines: list[str], first: int = 0) -> list[str]:
    return [line if k < first else f"  {line}" for k, line in enumerate(lines)]
