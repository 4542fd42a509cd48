"""The exercises of the page "detective"."""

import numpy as np

from resizelab.arrays.resizing import weights
from resizelab.axis.spec import Spec
from resizelab.drift import chain
from resizelab.teaching.exercises.exercise import Exercise

# What may stand beside linear, and what a wrong choice is told then.
_OTHERS = {
    "cubic with a = −0.5": (
        Spec(kernel="cubic", a=-0.5),
        "cubic swings below and above an edge, and with a = −0.5 it keeps a straight "
        "line straight, as linear does.",
    ),
    "cubic with a = −0.75": (
        Spec(kernel="cubic", a=-0.75),
        "only with a = −0.5 does cubic keep a straight line straight.",
    ),
    "linear with antialias": (
        Spec(antialias=True),
        "antialias widens the kernel where pixels become fewer, and here they become "
        "more.",
    ),
}
_CHOICES = {
    "an edge differs": "the step alone",
    "a straight line differs, too": "the ramp and the step",
    "nothing differs": "none",
}
# Which inputs come out otherwise, and why.
_SEEN = {
    "an edge differs": {"flat": False, "ramp": False, "step": True},
    "a straight line differs, too": {"flat": False, "ramp": True, "step": True},
    "nothing differs": {"flat": False, "ramp": False, "step": False},
}
_WHY = {
    "an edge differs": "cubic swings below and above a step, and linear cannot.",
    "a straight line differs, too": "this a bends a straight line as well as it swings beside a step.",
    "nothing differs": "nothing shrinks, so antialias changes no weight.",
}


def _shift(stride: int, coarse: int) -> dict[str, float]:
    end = chain(Spec(grid="asymmetric"), coarse, [stride * coarse])[-1]
    now = float(abs(end.in_current()[0]))
    return {
        "pixels of the output": now,
        "pixels of the coarse map": now / stride,
        "the stride itself": float(stride),
        "half the stride": stride / 2,
        "a step to the left": -now,
        "a step and its return": 2 * now,
    }


shift = Exercise(
    name="detective-shift",
    stem="""\
A network ends in a coarse map of {coarse} × {coarse} numbers, enlarged ×{stride}.
Training enlarged on the half_pixel grid, the server on the asymmetric one.
By how many pixels of the output has the server's answer moved?""",
    values={"stride": 16, "coarse": 12},
    draws={"stride": (2, 3, 4, 6, 12, 16, 20, 32), "coarse": (8, 12, 14, 20)},
    answers=_shift,
    unit="pixels",
    tolerance=0.02,
    hint="Asymmetric reads i / {stride}, half_pixel (i + 1/2) / {stride} − 1/2. How far "
    "apart are the two reads, and how many output pixels is that?",
    feedback={
        "pixels of the coarse map": "Not yet: that is the distance in pixels of the "
        "coarse map, and the question asks for the output's.",
        "the stride itself": "Not yet: that would be a whole pixel of the coarse map.",
        "half the stride": "Not yet: half a pixel of the coarse map would be a step "
        "too much, since the output's own centres move too.",
        "a step to the left": "Not yet: left and up is right, but the question asks "
        "how far, so leave the sign out.",
        "a step and its return": "Not yet: that is twice the way.",
    },
)


def _told(other: str, right: str) -> dict[str, str]:
    """Return what each choice is told, by the name it has in the feedback."""
    found = dict.fromkeys(_SEEN, f"Not yet: {_OTHERS[other][1]}")
    return {**found, right: f"Right: {_WHY[right]}"}


def _right(n_in: int, n_out: int, other: str) -> str:
    """Return which inputs part linear from ``other``, away from the border."""
    linear, changed = (
        weights(spec, n_in, n_out).dense() for spec in (Spec(), _OTHERS[other][0])
    )
    inside = slice(2 * n_out // n_in, -2 * n_out // n_in)
    where = np.arange(n_in)
    inputs = {"flat": 0 * where + 1, "ramp": where, "step": 1 * (where >= n_in // 2)}
    apart = {
        name: bool(np.abs((linear - changed) @ x)[inside].max() > 1e-9)
        for name, x in inputs.items()
    }
    (right,) = [name for name, told in _SEEN.items() if told == apart]
    return right


def _telling(n_in: int, n_out: int, other: str) -> dict[str, str]:
    right = _right(n_in, n_out, other)
    return {name: _CHOICES[name] for name in (right, *_SEEN)}


input_ = Exercise(
    name="detective-input",
    stem="""\
A hidden call enlarges {n_in} pixels to {n_out} on the half_pixel grid.
It is linear, or it is {other}.
You may send a flat picture, a ramp and a step, and look at the middle of what comes back.
Which of the three tell the two apart?""",
    values={"n_in": 8, "n_out": 16, "other": "cubic with a = −0.5"},
    draws={
        "n_in": range(8, 14),
        "n_out": (20, 22, 24, 26, 30),
        "other": tuple(_OTHERS),
    },
    answers=_telling,
    choices=tuple(_CHOICES.values()),
    hint="Weights that add up to one keep a flat picture flat, whatever the kernel. "
    "What does a kernel do to a straight line?",
    feedback={name: f"{{{name}}}" for name in _SEEN},
    shown=lambda n_in, n_out, other: _told(other, _right(n_in, n_out, other)),
)
