"""Which framework calls compute what a node computes, or what the nearest one is."""

from dataclasses import dataclass, fields

from resizelab.arrays.resizing import weights
from resizelab.axis.convention import Convention
from resizelab.axis.operator import Weights
from resizelab.axis.spec import Spec
from resizelab.catalog.calls import CALLS
from resizelab.catalog.signatures import differing, gap, takes_scale
from resizelab.catalog.table import rows
from resizelab.catalog.translation import text
from resizelab.models.departures import NOISE, QUIET, alike

FRAMEWORKS = (
    *("torch", "tensorflow", "keras", "jax", "opencv", "pillow"),
    *("scikit-image", "scipy", "paddle", "mxnet"),
)
CLOSE = 12  # rows that a first look leaves for the long comparison
LOOK = ((5, 8), (8, 3), (4, 4), (6, 1))
COMPARABLE = 1.5  # times the least error: so much farther a row may still be meant
IDEAS = {f.name for f in fields(Spec)}
EXPORTER = "torch.onnx.export"


@dataclass(frozen=True)
class Equal:
    """The calls that compute the same, as text; what is missing; remarks."""

    calls: tuple[str, ...]
    missing: str
    remarks: tuple[str, ...]


def calls(base: Convention, maker: str | None, exported: bool) -> Equal:
    """Return the framework calls that compute ``base``, or that none does.

    ``maker`` is the library whose exporter wrote the file: its calls come first, and
    one of them must be among the equal ones. ``exported`` asks for remarks about older
    exporters.
    """
    near = _near(base, maker)
    equal = [row for row in near if alike(base, row)]
    real = [row for row in equal if row.call in CALLS]
    real.sort(key=lambda row: (row.library != maker, row.status != "live"))
    # Older versions of a call read the same; the first, a live one, stands for all.
    named = {text(row): row for row in reversed(real)}
    written = tuple(_call(base, named[t], t) for t in dict.fromkeys(map(text, real)))
    remarks = tuple(
        f"{row.name}: {row.notes}"
        for row in equal
        if row.call == EXPORTER and row.notes and exported
    )
    if real and (maker is None or any(row.library == maker for row in real)):
        return Equal(written, "", remarks)
    who = maker if real else "framework"
    rest = [row for row in near if row.call in CALLS and row not in real]
    # What the maker's own calls come to is what most likely was meant.
    pool = [row for row in rest if row.library == maker] or rest
    missing = f"no {who} call computes this{_nearest(base, pool)}"
    return Equal(written, missing, remarks)


def _call(base: Convention, row: Convention, written: str) -> str:
    """Return a row's call, and at how many sizes it is not quite the same."""
    far = gap(base, row)
    if not far.parted:
        return f"{row.name}: {written}"
    silent = ("step_from", "size_rule")
    fields = ", ".join(k for k in differing(base, row) if k not in silent)
    return (
        f"{row.name}: {written}, but for {far.parted} of {far.tried} sizes ({fields})"
    )


def _near(base: Convention, maker: str | None) -> list[Convention]:
    """Return the frameworks' rows that are closest at a few sizes."""
    ranked: list[tuple[float, int, Convention]] = []
    scale = base.scale[-1] if base.scale else None
    target = _look(base, scale)
    for library in FRAMEWORKS:
        for row in rows().of(library):
            if takes_scale(row) == takes_scale(base) and row.roi == base.roi:
                errors = [
                    abs(a.dense() - b.dense()).max()
                    for a, b in zip(target, _look(row, scale), strict=True)
                    if a.shape == b.shape
                ]
                ranked.append((max(errors, default=9.0), len(ranked), row))
    ranked.sort(key=lambda entry: entry[:2])
    close = sum(error < NOISE for error, _, _ in ranked)
    own = [row for _, _, row in ranked[close:] if row.library == maker]
    rest = [row for _, _, row in ranked[close:] if row.library != maker]
    # Of the maker's own calls the one that was meant may look far at these few sizes.
    return [row for _, _, row in ranked[:close]] + own + rest[:CLOSE]


def _look(c: Convention, scale: float | None) -> list[Weights]:
    if scale is None:
        return [weights(c, n, m) for n, m in LOOK]
    return [weights(c, n, max(1, int(n * scale)), scale) for n, _ in LOOK]


def _likeliest(base: Convention, pool: list[Convention]) -> Convention:
    """Return the row that was most likely meant: of the near, the fewest other ideas.

    A converter loses or sets one attribute, so a row one idea away is likelier than one
    a little nearer that is three away. Of equals the plainest comes first in the table.
    """
    far = {row.name: gap(base, row).typical for row in pool}
    limit = COMPARABLE * min(far.values())
    order = {name: k for k, name in enumerate(rows())}

    def rank(row: Convention) -> tuple[bool, bool, int, int]:
        changed = set(differing(base, row)) & IDEAS - set(QUIET)
        weighty = row.status != "live", "kernel" in changed
        return *weighty, len(changed), order[row.name]

    return min((row for row in pool if far[row.name] <= limit), key=rank)


def _nearest(base: Convention, pool: list[Convention]) -> str:
    if not pool:
        return ""
    best = _likeliest(base, pool)
    far = gap(base, best)
    changed = [
        f"{k} {b} for {a}"
        for k, (a, b) in differing(base, best).items()
        if k not in QUIET
    ]
    return (
        f"; nearest {best.name}, off by up to {far.largest:.2g} of a weight at "
        f"{far.parted} of {far.tried} sizes: {', '.join(changed)}"
    )
