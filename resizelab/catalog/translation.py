"""The same resize said in another framework's call, or why it cannot be said.

No rule of any framework stands here: a translation is the row of the other library
whose operators agree, on the sizes that separate near conventions.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from resizelab import checks
from resizelab.axis.convention import Convention
from resizelab.catalog.calls import CALLS, described
from resizelab.catalog.calls.texts import keywords
from resizelab.catalog.signatures import Gap, differing, gap, takes_scale
from resizelab.catalog.table import rows

# What the user may call a target, and the libraries whose rows answer.
TARGETS = {
    "torch": "torch",
    "tensorflow": "tensorflow",
    "opencv": "opencv",
    "pillow": "pillow",
    "jax": "jax",
    "onnx": "onnx",
    "scikit-image": "scikit-image",
    "scipy": "scipy",
    "tensorrt": "tensorrt",
}


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


def translate(convention: Convention, to: str) -> str:
    """Return the text of a call of another framework that computes the same resize.

    The text names ``x`` for the array in the framework's own layout, and ``h`` and
    ``w`` for the output size (or holds the scale where the convention carries one). It
    is about floats; integer results depend on each library's rounding besides. Raises
    `NotExpressible` with the nearest call and its measured error.

    >>> from resizelab.catalog import convention
    >>> translate(convention("torch.bilinear"), to="opencv")
    'cv2.resize(x, (w, h), interpolation=cv2.INTER_LINEAR)'
    """
    best = _nearest(convention, TARGETS[checks.one_of("to", to, TARGETS)])
    if best is None:
        raise NotExpressible(
            f"no {to} call here takes {_way(convention)}, as {convention.name} does"
        )
    gap, row = best
    if gap.parted:
        differs = differing(convention, row)
        listed = ", ".join(
            f"{k} ({a!r} here, {b!r} there)" for k, (a, b) in differs.items()
        )
        raise NotExpressible(
            f"no {to} call computes {convention.name}. Nearest: {text(row)}, which "
            f"differs at {gap.parted} of {gap.tried} sizes tried, by up to "
            f"{gap.largest:.2g} of a weight, in {listed}",
            row,
            gap,
            differs,
        )
    return text(_with_scale(row, convention))


def _nearest(c: Convention, library: str) -> tuple[Gap, Convention] | None:
    gaps = [
        (gap(c, row), row)
        for row in _current(rows().of(library))
        if takes_scale(row) == takes_scale(c) and row.roi == c.roi
    ]
    if not gaps:
        return None
    # Of equals the first row wins: the table lists the plainest call first.
    return min(gaps, key=_rank)


def _current(known: Iterable[Convention]) -> list[Convention]:
    """Return the rows of a library as it is now, or all where none was run."""
    rows = list(known)
    return [row for row in rows if row.status == "live"] or rows


def _rank(found: tuple[Gap, Convention]) -> tuple[int, float]:
    gap, _ = found
    return (1, gap.typical) if gap.parted else (0, 0.0)


def _way(c: Convention) -> str:
    if c.roi is not None:
        return "a region of interest"
    return "a scale" if takes_scale(c) else "sizes"


def _with_scale(row: Convention, source: Convention) -> Convention:
    """Return the row with the source's scale in the place of its own."""
    if source.scale is None or row.call not in CALLS:
        return row
    arguments = dict(row.arguments)
    scale = list(source.scale) if len(source.scale) > 1 else [*source.scale] * 2
    if "fx" in arguments:
        arguments["fy"], arguments["fx"] = scale[-2:]
    for key in ("scale_factor", "scales", "zoom"):
        if key in arguments:
            arguments[key] = scale
    return described(row.call, **arguments)


def text(c: Convention) -> str:
    """Return a convention's own call as text that runs."""
    known = CALLS.get(c.call)
    writer = _plain if known is None or known.written is None else known.written
    return writer(c, dict(c.arguments))


def _plain(c: Convention, arguments: dict[str, Any]) -> str:
    return f"{c.call}(x, (h, w){keywords(arguments)})"
