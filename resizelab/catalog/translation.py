"""The same resize said in another framework's call, or why it cannot be said.

No rule of any framework stands here: a translation is the row of the other library
whose operators agree, on the sizes that separate near conventions; of a call with a
scale, at that scale.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from resizelab import checks
from resizelab.arrays import resizing
from resizelab.axis import Convention, Spec
from resizelab.catalog import beside, recipes
from resizelab.catalog.calls import CALLS, described, kinds
from resizelab.catalog.calls.call import keywords
from resizelab.catalog.signatures import SAME, Gap, differing, gap
from resizelab.catalog.table import rows

AXES = {
    "NCHW": "(batch, channels, height, width)",
    "NHWC": "(batch, height, width, channels)",
    "CHW": "(channels, height, width)",
    "HWC": "(height, width), or (height, width, channels)",
    "any": "(height, width): all axes are named",
}
RANK = 4  # of a tensor of pictures
LENGTHS = (4, 5, 7, 8, 9, 12, 16, 33)  # of an axis that a scale is tried on


class NotExpressible(ValueError):  # noqa: N818 (it says what happened)
    """No call of the target computes this resize.

    ``nearest`` is the closest convention of the target, ``gap`` how far it is off,
    ``differs`` the fields that part the two; all None where no call compares.
    """

    def __init__(
        self,
        message: str,
        nearest: Convention | None = None,
        gap: Gap | None = None,
        differs: Mapping[str, tuple[object, object]] | None = None,
    ) -> None:
        super().__init__(message)
        self.nearest = nearest
        self.gap = gap
        self.differs = differs


@dataclass(frozen=True)
class Translation:
    """The same resize in another framework.

    ``text`` runs: it names ``x`` for the array in ``layout``, and ``h`` and ``w`` for
    the output size; of several lines the last is the result. ``convention`` is what it
    computes; ``remarks`` say what changes beside the numbers: bytes, dtypes, sizes.
    """

    text: str
    convention: Convention
    layout: str
    remarks: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the text, and what is said about it as comments after it."""
        about = [f"x is {AXES[self.layout]}", *self.remarks]
        return "\n".join([self.text, *(f"# {line}" for line in about)])


def translate(convention: Convention, to: str) -> Translation:
    """Return the call of another framework that computes the same resize.

    Where one call does not exist, the text may be a recipe of several lines. Raises
    `NotExpressible` with the nearest call and its measured error.

    >>> from resizelab.catalog import convention
    >>> print(translate(convention("torch.bilinear"), to="jax"))
    jax.image.resize(x, (h, w), method='linear', antialias=False)
    # x is (height, width): all axes are named
    # float64 becomes float32, of torch.bilinear float64
    # bytes beside torch.bilinear's: jax.linear.no_antialias gives floats; computed in \
float32 and rounded, 1067 of 4770 differ, by up to 1
    """
    checks.one_of("to", to, rows().libraries)
    ranked = [found for row in _current(to) for found in _gaps(convention, row)]
    if not ranked:
        way = "sizes" if convention.scale is None else "a scale"
        way = way if convention.roi is None else "a region of interest"
        raise NotExpressible(
            f"no {to} call here takes {way}, as {convention.name} does"
        )
    best, row = min(ranked, key=lambda entry: _rank(convention, *entry))
    if not best.parted:
        return _said(convention, row)
    lines = recipes.recipe(convention, to)
    if lines is not None:
        remark = (
            f"several calls: no single call of {to} reads on this grid; floats only"
        )
        return Translation(lines, convention, recipes.LAYOUTS[to], (remark,))
    raise _nothing(convention, to, best, row)


def _nothing(c: Convention, to: str, best: Gap, row: Convention) -> NotExpressible:
    differs = differing(c, row)
    told = [f"{k} ({a!r} here, {b!r} there)" for k, (a, b) in differs.items()]
    known = "" if row.status == "live" else f" ({row.status})"
    message = (
        f"no {to} call computes {c.name}. Nearest: {text(row)}{known}, which differs "
        f"at {best.parted} of {best.tried} sizes tried, by up to {best.largest:.2g} of "
        f"a weight, in {', '.join(told)}"
    )
    return NotExpressible(message, row, best, differs)


def _current(library: str) -> list[Convention]:
    """Return the rows of a library as it is now, or all where none was run."""
    known = list(rows().of(library))
    # A text counts beside what was run: engines follow it that were not.
    now = [row for row in known if row.status == "live" or row.call in CALLS]
    return now if any(row.status == "live" for row in now) else known


def _gaps(c: Convention, row: Convention) -> list[tuple[Gap, Convention]]:
    """Return how far a row is from ``c``, in each way that it can be asked for it."""
    if row.roi != c.roi:
        return []
    if c.scale is None:
        # A step that comes from the scale alone needs one.
        alike = row.scale is None and row.spec.step_from != "scale"
        mine = c.spec.step_from != "scale"
        return [(gap(c, row), row)] if alike and mine else []
    forms = [row] if row.scale is not None else []
    if row.spec.step_from == "scale_if_given" and row.call in CALLS:
        forms.append(_with_scale(row, c))
    elif row.scale is None and _by_sizes(c):
        forms.append(row)
    return [(_gap_at_scale(c, form), form) for form in forms]


def _by_sizes(c: Convention) -> bool:
    """Say whether a call with a scale is the same resize by sizes."""
    whole = all(float(s).is_integer() for s in c.scale or ())
    return whole or c.spec.step_from == "sizes"


def _gap_at_scale(c: Convention, row: Convention) -> Gap:
    """Compare operators at the scales of ``c``, on axes of several lengths."""
    scales = sorted(set(c.scale or ()))
    largest, squares, parted = 0.0, [], 0
    for s in scales:
        for n in LENGTHS:
            m = beside.size(c, n, s)
            other = m if row.scale is None else beside.size(row, n, s)
            if m != other:
                parted += 1
                continue
            given = s if row.scale is not None else None
            theirs = resizing.weights(row.replace(scale=None), n, m, given)
            mine = resizing.weights(c.replace(scale=None), n, m, s)
            error = np.abs(mine.dense() - theirs.dense())
            squares.append(float(np.mean(error**2)))
            largest = max(largest, float(error.max()))
            parted += bool(error.max() > SAME)
    typical = float(np.sqrt(np.mean(squares))) if squares else float("inf")
    return Gap(largest, typical, parted, len(scales) * len(LENGTHS))


def _rank(c: Convention, found: Gap, row: Convention) -> tuple[float, ...]:
    """Order by error; of equals, what is asked the same way, with the same ideas.

    Then the first row wins: the table lists the plainest call first.
    """
    parted, by_scale = bool(found.parted), c.scale is not None
    other_form = (row.scale is None) == by_scale
    ideas = len(differing(c, row).keys() & Spec.__dataclass_fields__)
    far = (ideas * by_scale, found.typical) if parted else (0, 0.0)
    return parted, *far, other_form, ideas * by_scale, row.status != "live"


def _said(c: Convention, row: Convention) -> Translation:
    settled = row if row.scale is None else _with_scale(row, c)
    remarks = []
    if c.scale is not None and settled.scale is None:
        remarks.append(f"h, w: what {c.name} makes of its scale {c.scale}")
    remarks += [
        *beside.sizes(c, settled),
        *beside.dtypes(c, row),
        *beside.bytes_of(c, row),
    ]
    if row.status != "live":
        remarks.append(f"{row.name} is {row.status}: {row.source}")
    known = CALLS.get(row.call)
    layout = "NCHW" if known is None else known.layout
    return Translation(text(settled), settled, layout, tuple(remarks))


def _with_scale(row: Convention, source: Convention) -> Convention:
    """Return the row with the source's scale in the place of its own."""
    if source.scale is None or row.call not in CALLS:
        return row
    arguments = dict(row.arguments)
    scale = list(source.scale) if len(source.scale) > 1 else [*source.scale] * 2
    names = CALLS[row.call].named(kinds.scales)
    if "fx" in arguments:
        arguments["fy"], arguments["fx"] = scale[-2:]
    elif names == ["scales"]:  # of the whole tensor, as exporters write it
        arguments.pop("axes", None)
        arguments["scales"] = [1.0] * (RANK - len(scale)) + scale
    elif len(names) == 1:
        arguments[names[0]] = scale
    return described(row.call, **arguments).replace(status=row.status)


def text(c: Convention) -> str:
    """Return a convention's own call as text that runs."""
    known = CALLS.get(c.call)
    writer = _plain if known is None or known.written is None else known.written
    return writer(c, dict(c.arguments))


def _plain(c: Convention, arguments: dict[str, Any]) -> str:
    return f"{c.call}(x, (h, w){keywords(arguments)})"
