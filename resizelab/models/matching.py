"""Which framework calls compute what a node computes, or what the nearest one is."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cache, lru_cache

from resizelab.arrays.resizing import weights
from resizelab.axis import Convention, Spec, Weights
from resizelab.catalog.calls import CALLS
from resizelab.catalog.signatures import differing, gap, takes_scale
from resizelab.catalog.table import rows
from resizelab.catalog.translation import text
from resizelab.models.deviation import NOISE, QUIET, Like, Sizes, alike, between

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


def calls(
    base: Convention, sizes: Sizes | None, maker: str | None, exported: bool
) -> Equal:
    """Return the framework calls that compute ``base``, or that none does.

    Where the node's sizes are known, a call counts by what it computes at them.
    ``maker`` is the library whose exporter wrote the file: its calls come first, and
    one of them must be among the equal ones. ``exported`` asks for remarks about older
    exporters.
    """
    near, equal = _compared(Like(base), maker)
    equal = [row for row in equal if _same_at(base, row, sizes)]
    real = [row for row in equal if row.call in CALLS]
    real.sort(key=lambda row: (row.library != maker, row.status != "live"))
    # Older versions of a call read the same; the first, a live one, stands for all.
    named = {text(row): row for row in reversed(real)}
    written = tuple(
        _call(base, named[t], t, sizes) for t in dict.fromkeys(map(text, real))
    )
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


def _same_at(base: Convention, row: Convention, sizes: Sizes | None) -> bool:
    return (
        sizes is None
        or not gap(base, row).parted
        or not between(base, row, sizes).parted
    )


def _call(base: Convention, row: Convention, written: str, sizes: Sizes | None) -> str:
    """Return a row's call, and at how many sizes it is not quite the same."""
    far = gap(base, row)
    if not far.parted:
        return f"{row.name}: {written}"
    where = "but for" if sizes is None else "at these sizes, but not at"
    silent = ("step_from", "size_rule")
    fields = ", ".join(k for k in differing(base, row) if k not in silent)
    counted = f"{far.parted} of {far.tried} sizes tried ({fields})"
    return f"{row.name}: {written}, {where} {counted}"


@lru_cache(maxsize=512)
def _compared(
    like: Like, maker: str | None
) -> tuple[list[Convention], list[Convention]]:
    """Return the frameworks' rows that are closest, and those that are alike."""
    base = like.value
    scale = base.scale[-1] if base.scale else None
    target = _look(like, scale)
    ranked: list[tuple[float, int, Convention]] = []
    for place, row in enumerate(_framework_rows()):
        if takes_scale(row) == takes_scale(base) and row.roi == base.roi:
            errors = [
                abs(a.dense() - b.dense()).max()
                for a, b in zip(target, _look(Like(row), scale), strict=True)
                if a.shape == b.shape
            ]
            ranked.append((max(errors, default=9.0), place, row))
    ranked.sort(key=lambda entry: entry[:2])
    close = sum(error < NOISE for error, _, _ in ranked)
    near = [row for _, _, row in ranked[: close + CLOSE]]
    equal = [row for row in near if alike(base, row)]
    # Of the maker's own calls the one meant may look far at these few sizes.
    far = [row for _, _, row in ranked[close + CLOSE :] if row.library == maker]
    if not any(row.library == maker and row.call in CALLS for row in equal):
        equal += [row for row in far if alike(base, row)]
    return near + far, equal


@cache
def _framework_rows() -> tuple[Convention, ...]:
    return tuple(row for library in FRAMEWORKS for row in rows().of(library))


@lru_cache(maxsize=4096)
def _look(like: Like, scale: float | None) -> tuple[Weights, ...]:
    if scale is None:
        return tuple(weights(like.value, n, m) for n, m in LOOK)
    sizes = [(n, max(1, int(n * scale))) for n, _ in LOOK]
    return tuple(weights(like.value, n, m, scale) for n, m in sizes)


def _likeliest(base: Convention, pool: Sequence[Convention]) -> Convention:
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


def _nearest(base: Convention, pool: Sequence[Convention]) -> str:
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
