"""What an axis does because another changes: grows with it, reads a common level."""

import math
from collections.abc import Sequence

from resizelab.axis import Convention, Particulars, Spec
from resizelab.axis.spec import Axis


def growing(
    c: Convention,
    axes: list[Axis],
    ratios: Sequence[float],
    among: int,
    choices: tuple[Spec, Particulars],
) -> list[Axis]:
    """Return the axes with the choices of growing where those hold."""
    spec, p = choices
    # Axes that the library has besides, of all that it is asked for, keep their size.
    every_one = min(ratios) > 1 and among == len(ratios)
    holds = {"any": True, "all": every_one, "area": math.prod(ratios) > 1}
    every = holds.get(c.grows_when, False)
    found = []
    for axis, ratio in zip(axes, ratios, strict=False):
        if every or (c.grows_when == "axis" and ratio > 1):
            found.append(axis.replace(spec=spec, particulars=p))
        elif p.shifts_if_others_grow:
            again = p.replace(shortcut=None)
            found.append(axis.replace(then=Axis(axis.n_out, axis.n_out, spec, again)))
        else:
            found.append(axis)
    return found


def beside_each_other(
    axes: list[Axis], p: Particulars, ratios: Sequence[float]
) -> list[Axis]:
    """Return the axes as the last one, the width, changes the others, or all do."""
    *others, width = axes
    if p.pyramid:
        level = _level(p, ratios)
        return [a.replace(level=level) if a.particulars.pyramid else a for a in axes]
    if p.pair_means == "if_width_halves" and width.n_in == 2 * width.n_out:
        means = p.replace(pair_means="always")
        others = [a.replace(particulars=means) for a in others]
    if p.reach_of_width:
        reach = [max(1.0, ratios[-1]) / ratio for ratio in ratios[:-1]]
        others = [
            a.replace(reach=math.ceil(a.kernel.radius * r / max(1.0, 1 / k)))
            for a, r, k in zip(others, reach, ratios, strict=False)
        ]
    return [*others, width]


def _level(p: Particulars, ratios: Sequence[float]) -> float:
    """Return the level of the pyramid that is read: half a level sharper than due."""
    level = max(0.0, -0.5 * math.log2(math.prod(ratios)) - 0.5)
    return math.floor(level + 0.5) if p.pyramid == "nearest" else level
