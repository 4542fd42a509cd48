"""How far one convention is from another: at a node's own sizes, or in general."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from resizelab import measure
from resizelab.arrays import resizing
from resizelab.axis import Convention, Weights
from resizelab.catalog.signatures import differing, gap, takes_scale
from resizelab.text import by

NOISE = 1e-4  # float32 orders of operations part by less than this
FEW = 0.25  # of the sizes tried: more than that is another idea, not another order
SEED = 7
LARGEST = 1024  # an axis; beyond it the same ratio is looked at on fewer pixels
# Told only where nothing else parts the two.
QUIET = (
    *("step_from", "size_rule", "resized_length", "scale_precision", "window_search"),
    *("coordinate_arithmetic", "distance_arithmetic", "stretch_by"),
)
Sizes = tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True)
class Deviation:
    """What another convention does to the same resize.

    ``amount`` is the largest error of a result for inputs between 0 and 1, along the
    axis that is worst; ``shift`` how far content moves, in output pixels, positive
    towards higher indices; ``where`` says at which sizes; ``parted`` of ``tried``
    sizes differ; ``fields`` are the parameters that part the two; ``levels`` the
    largest error of an integer result.
    """

    amount: float
    shift: float
    where: str
    parted: int
    tried: int
    fields: dict[str, tuple[object, object]]
    levels: int | None = None

    @property
    def real(self) -> bool:
        """Say whether the two part by more than an order of operations does."""
        return self.parted > 0 or bool(self.levels and self.levels > 1)

    def text(self) -> str:
        """Return the deviation as one line."""
        parts = []
        if self.parted:
            parts.append(f"up to {self.amount:.2g} of the input's range {self.where}")
        if abs(self.shift) > 0.005:
            parts.append(f"content moves {self.shift:+.2f} px of the output")
        if self.levels:
            parts.append(f"integers by up to {self.levels} levels")
        loud = {k: v for k, v in self.fields.items() if k not in QUIET}
        told = loud or (self.fields if self.parted else {})
        return "; ".join(parts + [f"{k} {a} for {b}" for k, (b, a) in told.items()])


def between(
    base: Convention, other: Convention, sizes: Sizes | None, dtype: str | None = None
) -> Deviation:
    """Return how far ``other`` is from ``base``, at ``sizes`` if they are known."""
    if sizes is None:
        return _in_general(base, other)
    before, after = sizes
    fields = differing(base, other)
    try:
        axes = [modest(n, m) for n, m in zip(before, after, strict=True)]
        fewer, out = [n for n, _ in axes], [m for _, m in axes]
        mine = resizing.plan(fewer, out, base)
        theirs = resizing.plan(fewer, out, other)
    except (ValueError, TypeError):
        return _in_general(base, other)
    worst, moved, parted = 0.0, 0.0, 0
    for (_, a), (_, b) in zip(sorted_work(mine), sorted_work(theirs), strict=True):
        error = measure.operator_difference(a, b)
        parted += error > NOISE
        worst = max(worst, error)
        step = a.n_in / a.n_out
        # The median: borders pull the mean.
        drift = float(np.median(b.centroids() - a.centroids())) / step
        moved = moved if abs(moved) > abs(drift) else -drift
    levels = _levels(base, other, sizes, dtype)
    about = "" if (*fewer, *out) == (*before, *after) else "about, "
    place = f"({about}{by(before)} to {by(after)})"
    return Deviation(worst, moved, place, parted, len(before), fields, levels)


def modest(*sizes: int) -> tuple[int, ...]:
    """Return sizes of one axis, all smaller by one factor where one is too large.

    >>> modest(4096, 1024)
    (1024, 256)
    """
    factor = min(1.0, LARGEST / max(sizes))
    return tuple(max(1, round(n * factor)) for n in sizes)


def sorted_work(plan: resizing.Plan) -> list[tuple[int, Weights]]:
    """Return the operators of a plan in the order of the axes."""
    return sorted(plan.work, key=lambda entry: entry[0])


def _in_general(base: Convention, other: Convention) -> Deviation:
    fields = differing(base, other)
    if takes_scale(base) != takes_scale(other):
        base, other = by_sizes(base), by_sizes(other)
    found = gap(base, other)
    same_idea = ideas(base) == ideas(other)
    parted = 0 if same_idea and found.parted <= FEW * found.tried else found.parted
    where = f"(at {found.parted} of {found.tried} sizes tried)"
    return Deviation(found.largest, 0.0, where, parted, found.tried, fields)


def by_sizes(c: Convention) -> Convention:
    """Return the convention whose step comes from the sizes alone."""
    spec = c.spec
    if spec.step_from == "scale":
        spec = spec.replace(step_from="sizes")
    return c.replace(spec=spec, scale=None)


def ideas(c: Convention) -> object:
    """Return what a convention says but for where its step comes from."""
    return c.spec.replace(step_from="sizes")


class Like:
    """A convention as a key: two that compute the same floats are one."""

    def __init__(self, value: Convention) -> None:
        self.value = value
        self.key = (*value.key, value.scale, value.roi)

    def __hash__(self) -> int:
        """Return the hash of what counts."""
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        """Compare what counts."""
        return isinstance(other, Like) and self.key == other.key


def alike(a: Convention, b: Convention, exactly: bool = False) -> bool:
    """Say whether two conventions are one resize.

    Unless it is to be ``exactly`` so, two with the same ideas may part at a few sizes:
    ties of float arithmetic, single pixels, sizes that do not change.
    """
    return _alike(Like(a), Like(b), exactly)


@lru_cache(maxsize=4096)
def _alike(left: Like, right: Like, exactly: bool) -> bool:
    a, b = left.value, right.value
    if takes_scale(a) != takes_scale(b) or a.roi != b.roi:
        return False
    found = gap(a, b)
    if exactly or ideas(a) != ideas(b):
        return not found.parted
    return found.parted <= FEW * found.tried


def _levels(
    base: Convention, other: Convention, sizes: Sizes, dtype: str | None
) -> int | None:
    """Return the largest difference of integer results, on one noisy picture."""
    if dtype is None or np.dtype(dtype).kind not in "iu":
        return None
    both = [c for c in (base, other) if dtype in c.arithmetic]
    if len(both) < 2 or np.prod(sizes[0]) * np.prod(sizes[1]) > 2**32:
        return None
    bounds = np.iinfo(dtype)
    noise = np.random.default_rng(SEED).integers(
        bounds.min, bounds.max, sizes[0], dtype, endpoint=True
    )
    a, b = (resizing.resize(noise, sizes[1], c).astype(np.int64) for c in both)
    return int(np.abs(a - b).max())
