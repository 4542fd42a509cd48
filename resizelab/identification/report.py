"""What a look at a resize has found, as a value, as text and as JSON."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from resizelab.axis.operator import Weights

LISTED = 5  # of what is ranked, or cannot be told apart, so many are written out


def _nothing() -> Mapping[Any, Any]:
    return MappingProxyType({})


@dataclass(frozen=True)
class Miss:
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
        parts = [f"{k}: {a} here, {b} there" for k, (a, b) in self.differs.items()]
        return [f"{self.name}, {size}", *(f"  {part}" for part in parts)]

    def fields(self) -> dict[str, Any]:
        """Return the miss as plain values."""
        return {
            "name": self.name,
            "largest": self.largest,
            "typical": self.typical,
            "differs": {k: [plain(a), plain(b)] for k, (a, b) in self.differs.items()},
        }


@dataclass(frozen=True)
class Fitted:
    """The ideas behind an operator that no recorded call makes.

    Output i reads position (i + phase) * step - shift. Errors are standard errors of
    the fit; a parameter that does not apply is None.

    Parameters
    ----------
    kernel : str
        The family, and with it ``a``, ``b`` and ``c``, ``lobes``, ``sigma``, ``order``
        in ``parameters``; their errors in ``errors``.
    step : str
        ``n_in / n_out``, ``(n_in - 1) / (n_out - 1)``, or a number.
    phase, shift, grid_error : float
        Of the grid, in pixels; ``grid`` is its name if it has one.
    starts : mapping
        Where output 0 reads, by (n_in, n_out).
    stretch : str
        How much wider the kernel is where the axis shrinks: none, step, or a number.
    boundary : str
        The rule, ``or`` others that give the same numbers here.
    residual : float
        The largest error of a weight that remains.
    """

    kernel: str
    parameters: Mapping[str, float] = field(default_factory=_nothing)
    errors: Mapping[str, float] = field(default_factory=_nothing)
    step: str = ""
    phase: float = 0.0
    shift: float = 0.0
    grid_error: float = 0.0
    grid: str | None = None
    starts: Mapping[tuple[int, int], float] = field(default_factory=_nothing)
    stretch: str = "none"
    boundary: str | None = None
    residual: float = 0.0

    @property
    def a(self) -> float | None:
        """Keys' parameter of a cubic kernel."""
        return self.parameters.get("a")

    def lines(self) -> list[str]:
        """Return the ideas as lines of text."""
        told = ", ".join(
            f"{k} = {v:.5g} ± {self.errors.get(k, 0.0):.1g}"
            for k, v in self.parameters.items()
        )
        name = f" ({self.grid})" if self.grid else ""
        lines = [
            f"kernel: {self.kernel}{', ' if told else ''}{told}",
            f"grid: step {self.step}, phase {self.phase:.4f}, shift {self.shift:.4f}"
            f" ± {self.grid_error:.1g}{name}",
            f"antialias stretch: {self.stretch}",
        ]
        if self.boundary:
            lines.append(f"boundary: {self.boundary}")
        return [*lines, f"error that remains: {self.residual:.1g} of a weight"]

    def fields(self) -> dict[str, Any]:
        """Return the ideas as plain values."""
        return {
            "kernel": self.kernel,
            **self.parameters,
            "errors": dict(self.errors),
            "grid": {
                "name": self.grid,
                "step": self.step,
                "phase": self.phase,
                "shift": self.shift,
                "error": self.grid_error,
                "starts": {f"{n} to {m}": s for (n, m), s in self.starts.items()},
            },
            "stretch": self.stretch,
            "boundary": self.boundary,
            "residual": self.residual,
        }


@dataclass(frozen=True, repr=False)
class Report:
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
        By axis, where no convention gives the same numbers.
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
        lines = [self.subject, "same numbers:"]
        lines += [f"  {n}" for n in self.same] or ["  none of the recorded calls"]
        if self.nearest is not None:
            lines += ["nearest miss:", *_indented(self.nearest.lines())]
        for axis, fitted in self.fitted.items():
            lines += [f"fitted ideas, {axis}:", *_indented(fitted.lines())]
        if self.ranked:
            lines.append("next by error:")
            lines += [
                f"  {miss.name}: {miss.typical:.2g}, at most {miss.largest:.2g}"
                for miss in self.ranked
                if miss.name not in self.same
            ]
        if self.ambiguous:
            lines.append("cannot be told apart here, but elsewhere:")
            for names in self.ambiguous[:LISTED]:
                more = f" and {len(names) - 1} more" if len(names) > 1 else ""
                lines.append(f"  {names[0]}{more}")
            if len(self.ambiguous) > LISTED:
                lines.append(f"  and {len(self.ambiguous) - LISTED} sets more")
        if self.remarks:
            lines += ["remarks:", *_indented(list(self.remarks))]
        return "\n".join(lines)

    __repr__ = __str__

    def to_json(self) -> str:
        """Return the report as JSON text, operators included."""
        whole = {
            "subject": self.subject,
            "same": list(self.same),
            "nearest": self.nearest and self.nearest.fields(),
            "fitted": {axis: f.fields() for axis, f in self.fitted.items()},
            "remarks": list(self.remarks),
            "ambiguous": [list(names) for names in self.ambiguous],
            "ranked": [miss.fields() for miss in self.ranked],
            "operators": {
                axis: w.dense().round(9).tolist() for axis, w in self.operators.items()
            },
        }
        return json.dumps(whole, indent=1)


def _indented(lines: list[str]) -> list[str]:
    return [f"  {line}" for line in lines]


def plain(value: object) -> Any:
    """Return a value as JSON can hold it."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (tuple, list)):
        return [plain(v) for v in value]
    return str(value)
