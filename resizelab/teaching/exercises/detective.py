"""The exercises of the page "detective"."""

import numpy as np

from resizelab.arrays.resizing import weights
from resizelab.axis.spec import Spec
from resizelab.drift import chain

from .exercise import Exercise

_WORDS = {"flat": "a flat picture", "ramp": "a ramp", "step": "a step"}


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


def _telling(n_in: int, n_out: int) -> dict[str, str]:
    """Return which input parts linear from cubic, away from the border."""
    linear, cubic = (
        weights(spec, n_in, n_out).dense()
        for spec in (Spec(), Spec(kernel="cubic", a=-0.5))
    )
    inside = slice(2 * n_out // n_in, -2 * n_out // n_in)
    where = np.arange(n_in)
    inputs = {"flat": 0 * where + 1, "ramp": where, "step": 1 * (where >= n_in // 2)}
    parts = {
        name: np.abs((linear - cubic) @ x)[inside].max() > 1e-9
        for name, x in inputs.items()
    }
    (right,) = [name for name, apart in parts.items() if apart]
    others = [name for name in parts if name != right]
    return {"a kernel": _WORDS[right], **{f"same {k}": _WORDS[k] for k in others}}


input_ = Exercise(
    name="detective-input",
    stem="""\
A hidden call enlarges {n_in} pixels to {n_out} on the half_pixel grid.
It is linear, or it is cubic with a = −0.5.
You may send one picture and look at the middle of what comes back.
Which picture tells the two apart?""",
    values={"n_in": 8, "n_out": 16},
    draws={"n_in": range(8, 14), "n_out": (20, 22, 24, 26, 30)},
    answers=_telling,
    choices=tuple(_WORDS.values()),
    hint="Weights that add up to one keep a flat picture flat, whatever the kernel. "
    "What does a kernel do to a straight line?",
    feedback={
        "a kernel": "Right: cubic swings below and above a step, and linear cannot.",
        "same flat": "Not yet: both kernels' weights add up to one.",
        "same ramp": "Not yet: with a = −0.5 cubic keeps a straight line straight, as "
        "linear does.",
    },
)
