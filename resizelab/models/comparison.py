"""What a comparison of two models says: a line a pair of results, and a conclusion."""

import json
from dataclasses import asdict, dataclass

import numpy as np

from resizelab import measure
from resizelab.arrays import layouts
from resizelab.models.running import Array

BLIND = (
    "cosine does not see a factor, and two unrelated maps of positive numbers score "
    "what `chance` says: judge by the error"
)


@dataclass(frozen=True)
class Line:
    """One pair of results.

    ``largest`` error and its share of the reference's largest value, ``relative``;
    ``cosine`` similarity, and the ``chance`` that the same numbers in any other order
    would score; ``remark`` what was done to compare them at all.
    """

    tensor: str
    other: str
    op: str
    shape: tuple[int, ...]
    cosine: float
    chance: float
    largest: float
    relative: float
    remark: str = ""


@dataclass(frozen=True, repr=False)
class Comparison:
    """What the comparison found; ``first`` is the first pair that departs, if any."""

    lines: tuple[Line, ...]
    first: Line | None
    resizes: tuple[str, ...]
    skipped: int
    tolerance: float

    def __str__(self) -> str:
        """Return the comparison as a table and a conclusion."""
        names = [line.tensor.removesuffix("_output_0")[-38:] for line in self.lines]
        wide = max(map(len, ["node", *names]))
        rows = [f"{'node':{wide}s} {'op':12s}   cosine chance max error"]
        for name, line in zip(names, self.lines, strict=True):
            mark = "  <- departs" if line.relative > self.tolerance else ""
            mark += f"  ({line.remark})" if line.remark else ""
            rows.append(
                f"{name:{wide}s} {line.op[:12]:12s} {line.cosine:8.6f} "
                f"{line.chance:6.2f} {line.largest:9.3g}{mark}"
            )
        rows.append(f"note: {BLIND}")
        if self.skipped:
            rows.append(f"{self.skipped} results of the first have no partner")
        rows += [f"resize: {text}" for text in self.resizes]
        rows.append(self.conclusion())
        return "\n".join(rows)

    __repr__ = __str__

    def conclusion(self) -> str:
        """Return the conclusion in one line."""
        if self.first is None:
            return (
                f"no pair departs by more than {self.tolerance:g} of its largest value"
            )
        f = self.first
        return (
            f"first to depart: {f.tensor} ({f.op}), by {f.largest:.3g}, "
            f"{f.relative:.2g} of the largest value; cosine {f.cosine:.6f}"
        )

    def to_json(self) -> str:
        """Return the comparison as JSON text."""
        whole = {
            "first": self.first and asdict(self.first),
            "tolerance": self.tolerance,
            "skipped": self.skipped,
            "note": BLIND,
            "resizes": self.resizes,
            "lines": [asdict(line) for line in self.lines],
        }
        return json.dumps(whole, indent=1)


def line_of(name: str, other: str, op: str, value: Array, ref: Array) -> Line:
    """Return how one result differs from its partner, ``ref``."""
    remark = ""
    if value.shape != ref.shape:
        for order in layouts.orders(ref.ndim):
            if ref.transpose(order).shape == value.shape:
                ref, remark = ref.transpose(order), f"axes {order} of the other"
                break
        else:
            shapes = f"shapes {value.shape} and {ref.shape}"
            return Line(name, other, op, value.shape, 0.0, 0.0, np.inf, np.inf, shapes)
    x, y = value.astype(np.float64).ravel(), ref.astype(np.float64).ravel()
    if not x.size:
        return Line(name, other, op, value.shape, 1.0, 1.0, 0.0, 0.0, "empty")
    if not np.array_equal(np.isfinite(x), np.isfinite(y)):
        remark = "not finite on one side only"
        return Line(name, other, op, value.shape, 0.0, 0.0, np.inf, np.inf, remark)
    fine = np.isfinite(x)
    x, y = np.where(fine, x, 0.0), np.where(fine, y, 0.0)
    length = float(np.linalg.norm(x) * np.linalg.norm(y))
    largest = float(np.abs(x - y).max())
    unit = float(np.abs(y).max())
    return Line(
        name,
        other,
        op,
        value.shape,
        measure.cosine(x, y) if length else float(largest == 0),
        # What y scores on average when its numbers are put in another order.
        float(x.sum() * y.sum()) / (x.size * length) if length else 0.0,
        largest,
        largest / unit if unit else (np.inf if largest else 0.0),
        remark,
    )
