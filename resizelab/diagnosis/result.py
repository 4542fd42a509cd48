"""What `why` found, as text and as JSON."""

from dataclasses import asdict, dataclass
from typing import Any

from resizelab.text import Told

Axes = tuple[float, float]  # of y, then of x

KINDS = {
    "identical": "the same output, bit by bit or but for float32 sums",
    "grid": "two grids",
    "kernel": "two kernels on one grid",
    "step": "a step from the scale against a step from the sizes",
    "border": "only the border",
    "move": "a move of the content",
    "blur": "a blur",
    "channels": "another order of channels",
    "layout": "flipped, swapped or misread axes",
    "values": "another scale, offset or activation",
    "rounding": "rounding, a narrower dtype or quantisation",
    "unknown": "something else",
}
RESIZES = ("grid", "kernel", "step")
IT_IS, LIKELY, NO_SIGN = "it is", "likely", "no sign"
NONE = "no sign of a resize at the model's end"
FORMULAS = {
    ("half_pixel", "asymmetric"): "shift -(s-1)/2",
    ("asymmetric", "half_pixel"): "shift +(s-1)/2",
    ("half_pixel", "align_corners"): "stretch +(s-1)/2",
    ("align_corners", "half_pixel"): "stretch -(s-1)/2",
    ("asymmetric", "align_corners"): "shift and stretch +(s-1)/2",
    ("align_corners", "asymmetric"): "shift and stretch -(s-1)/2",
}
FINE = 1e-4  # a share below it is as good as none
INPUTS = (
    "compare what is fed to both models first: size, order of channels, range, mean "
    "and deviation, the call that resized it (`resizelab identify`)"
)
FILES = (
    "where you have both model files, `resizelab compare A B --input X` names the "
    "first node that departs, and `resizelab mend` what mends it"
)
NODES = "`resizelab lint MODEL` lists the resizes of a model file, `patch` mends one"


@dataclass(frozen=True)
class Motions:
    """What was measured, in pixels of the map, each as (y, x).

    ``shift`` is how far content at the centre has moved, ``stretch`` how much further
    outwards content at the outermost pixel has; positive towards the end of the axis.
    ``blur`` is the variance that got's blur has more than ref's, in px². ``explained``
    is the share of the difference that the move takes away.
    """

    shift: Axes
    shift_error: Axes
    stretch: Axes
    stretch_error: Axes
    blur: float
    explained: float


@dataclass(frozen=True)
class Expected:
    """What the closed forms of the named cause say, in the units of `Motions`."""

    shift: Axes
    stretch: Axes
    blur: float | None = None


@dataclass(frozen=True, repr=False)
class Diagnosis(Told):
    """Why two outputs differ.

    Parameters
    ----------
    kind : str
        One of `KINDS`.
    certainty : str
        "it is": rebuilt, and what is left is rounding. "likely": the move fits within
        its errors. "no sign": of a resize at the model's end; there may be one inside.
    cause : str
        The cause in a sentence.
    difference : float
        Root mean square of the difference, over the spread of the reference.
    residual : float
        What of it remains beside the cause.
    stride : (float, float), optional
        Of the resize, y and x; given or found.
    grids, kernels : (str, str), optional
        Of ref and of got, where a resize is the cause.
    measured, expected : Motions, Expected, optional
        None where the cause was seen without a look at moves, or has no closed form.
    remarks : tuple of str
        What else is worth knowing.
    """

    kind: str
    certainty: str
    cause: str
    difference: float
    residual: float
    stride: Axes | None = None
    grids: tuple[str, str] | None = None
    kernels: tuple[str, str] | None = None
    measured: Motions | None = None
    expected: Expected | None = None
    remarks: tuple[str, ...] = ()

    @property
    def is_resize(self) -> bool:
        """Say whether a resize is, or likely is, the cause."""
        return self.kind in RESIZES

    @property
    def next_steps(self) -> tuple[str, ...]:
        """What to do next."""
        if self.kind == "identical":
            return ()
        if self.is_resize:
            return (FILES, NODES)
        return (FILES,) if self.certainty == IT_IS else (INPUTS, FILES)

    def __str__(self) -> str:
        """Return the diagnosis as text: the cause first, then the numbers."""
        lines = [
            self._head(),
            f"  difference: {_share(self.difference)} of ref's spread",
        ]
        if self.measured is not None:
            lines += self._numbers(self.measured)
        if self.kernels:
            lines.append(
                f"  kernels that fit best: {self.kernels[0]} in ref, "
                f"{self.kernels[1]} in got"
            )
        if self.kind != "identical" and self.certainty != NO_SIGN:
            lines.append(f"  left beside the cause: {_share(self.residual)}")
        lines += [f"  note: {remark}" for remark in self.remarks]
        return "\n".join([*lines, *(f"  next: {step}" for step in self.next_steps)])

    def _head(self) -> str:
        if self.certainty == NO_SIGN:
            return f"{NONE[0].upper()}{NONE[1:]}: {self.cause}"
        if self.kind == "identical":
            return f"The same: {self.cause}"
        word = f"{self.certainty[0].upper()}{self.certainty[1:]}"
        return f"{word} {KINDS[self.kind]}: {self.cause}"

    def _numbers(self, m: Motions) -> list[str]:
        want = self.expected
        shift, stretch = (want.shift, want.stretch) if want else (None, None)
        rows = [
            ("shift at the centre", m.shift, m.shift_error, shift),
            ("stretch at the edge", m.stretch, m.stretch_error, stretch),
        ]
        lines = [
            f"  {name}: {_told(wanted)}measured y {y:+.2f} ± {ey:.2f}, "
            f"x {x:+.2f} ± {ex:.2f} px"
            for name, (y, x), (ey, ex), wanted in rows
        ]
        blur = f"measured {m.blur:+.2g} px²"
        if want and want.blur is not None:
            blur = f"expected {want.blur:+.2g} px², {blur}"
        # Two grids of one kernel blur alike; content full of edges measures it badly.
        if self.kind != "grid" or len(set(self.kernels or ())) > 1:
            lines.append(f"  blur, got over ref, in smooth content: {blur}")
        lines.append(f"  the move explains {100 * max(m.explained, 0):.0f} %")
        return lines

    def whole(self) -> dict[str, Any]:
        """Return the diagnosis as plain values."""
        steps = list(self.next_steps)
        return {"resize": self.is_resize, **asdict(self), "next_steps": steps}


def _told(wanted: Axes | None) -> str:
    if wanted is None:
        return ""
    y, x = (f"{v + 0.0:+.2f}" for v in wanted)
    return f"expected {y}, " if y == x else f"expected y {y}, x {x}; "


def _share(x: float) -> str:
    if x < FINE:
        return f"less than {100 * FINE:g} %" if x else "nothing"
    return f"{100 * x:.0f} %" if x >= 0.1 else f"{100 * x:.2g} %"
