"""What each way costs: shares of test items that are right, with intervals.

Items are drawn again with replacement, the same items for each way: an interval says
how far another draw of such items could have moved a number, and nothing of other
photographs or of a network from another seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from resizelab import checks
from resizelab.catalog.finding import convention
from resizelab.checks import FloatArray

from .models import Model, classes
from .photographs import SCENE, SURFACES, scenes, tiles
from .ways import TRAINED, WAYS, Way

DRAWS, SEED = 2000, 7
TEST_SCENES, SCENE_SEED = 60, 1
BACK = {
    "linear, half_pixel (as trained)": "torch.bilinear",
    "cubic, half_pixel": "torch.bicubic",
    "linear, align_corners": "torch.bilinear.align_corners",
    "linear, asymmetric": "tf1.bilinear",
    "nearest": "torch.nearest",
}


class Row(NamedTuple):
    """A way's result in %, its interval, and its change from the reference in points.

    ``moved`` counts the items whose answer is not the reference's.
    """

    group: str
    name: str
    value: float
    interval: tuple[float, float]
    change: float
    change_interval: tuple[float, float]
    moved: int


def classified(model: Model, ways: Sequence[Way] = WAYS) -> list[Row]:
    """Return the accuracy on the test tiles under each way.

    The reference is the way in which the network was trained; ``ways`` must hold it.

    >>> from resizelab.teaching.classroom import load
    >>> first, plain = classified(load(), [TRAINED, Way("torch.bilinear")])
    >>> known = load().known["seeds"][0]  # as it was recorded after training
    >>> bool(abs(first.value - known["pillow.bilinear"]) < 0.5)
    True
    >>> first.change, first.moved
    (0.0, 0)
    >>> bool(abs(plain.value - known["torch.bilinear"]) < 0.5)
    True
    >>> plain.change_interval[0] <= plain.change <= plain.change_interval[1] < 0
    True
    """
    x, truth = tiles("test")
    answers = {way: model.classify(_prepared(model, x, way)) for way in ways}
    right = {way: (found == truth)[:, None] for way, found in answers.items()}
    return _rows(
        [(way.group, way.name, answers[way], right[way]) for way in ways],
        lambda sums, count: sums[..., 0] / count,
        model.known["resize"],
    )


def segmented(model: Model, ways: Sequence[Way] = WAYS) -> list[Row]:
    """Return the mean IoU on the test scenes under each way, as `classified` does."""
    x, truth = _scenes()
    found = [
        (way.group, way.name, model.segment(_prepared(model, x, way), SCENE))
        for way in ways
    ]
    return _overlaps(found, truth, model.known["resize"])


def ways_back(model: Model) -> list[Row]:
    """Return the mean IoU by what enlarges the logits; the input is as trained."""
    x, truth = _scenes()
    logits = model.logits(_prepared(model, x, TRAINED))
    found = []
    for name, row in BACK.items():
        found.append(("way back", name, classes(logits, SCENE, convention(row))))
    return _overlaps(found, truth, next(iter(BACK)))


def table(rows: Iterable[Row], unit: str) -> str:
    """Return the rows as a table in Markdown, a line a way."""
    lines = [
        f"| way | {unit}, % | change, points | 95 % interval | answers that moved |",
        "|---|---|---|---|---|",
    ]
    for row in rows:
        low, high = (_signed(v) for v in row.change_interval)
        told = f"{low} to {high}" if row.moved else "none moved"
        lines.append(
            f"| {row.name} | {row.value:.1f} | {_signed(row.change)} | {told} "
            f"| {row.moved} |"
        )
    return "\n".join(lines)


@cache
def _scenes() -> tuple[Any, Any]:
    return scenes(TEST_SCENES, SCENE_SEED, "test")


def _prepared(model: Model, x: Any, way: Way) -> FloatArray:
    known = model.known
    return way.prepare(x, known["size"], known["mean"], known["deviation"])


def _overlaps(
    found: Sequence[tuple[str, str, Any]], truth: Any, reference: str
) -> list[Row]:
    """Return rows of mean IoU, from each scene's counts of (both, either) a class.

    >>> from resizelab import measure
    >>> truth = scenes(3, seed=1)[1]
    >>> labels = np.roll(truth, 5, axis=2)
    >>> (row,) = _overlaps([("", "a", labels)], truth, "a")
    >>> bool(np.isclose(row.value, 100 * measure.mean_iou(truth, labels)))
    True
    """
    made = []
    for group, name, labels in found:
        both, either = [], []
        for k in range(len(SURFACES)):
            a, b = truth == k, labels == k
            both.append((a & b).sum((1, 2)))
            either.append((a | b).sum((1, 2)))
        made.append((group, name, labels, np.stack([*both, *either], 1)))

    def mean_iou(sums: FloatArray, _count: int) -> FloatArray:
        both, either = np.split(sums, 2, axis=-1)
        return np.asarray((both / either).mean(-1))

    return _rows(made, mean_iou, reference)


def _rows(
    found: Sequence[tuple[str, str, Any, Any]],
    score: Callable[[FloatArray, int], FloatArray],
    reference: str,
) -> list[Row]:
    """Return rows; ``score`` makes a result of summed counts of items."""
    checks.one_of("the reference", reference, [name for _, name, _, _ in found])
    first = next(one for one in found if one[1] == reference)
    count = len(first[3])
    draws = np.random.default_rng(SEED).multinomial(
        count, np.full(count, 1 / count), DRAWS
    )

    def both(counts: Any) -> tuple[float, FloatArray]:
        whole = score(counts.sum(0).astype(float), count)
        return 100 * float(whole), 100 * score((draws @ counts).astype(float), count)

    base, base_drawn = both(first[3])
    rows = []
    for group, name, answer, counts in found:
        value, drawn = both(counts)
        moved = np.any((answer != first[2]).reshape(count, -1), axis=1)
        rows.append(
            Row(
                *(group, name, value, _middle(drawn), value - base),
                *(_middle(drawn - base_drawn), int(moved.sum())),
            )
        )
    return rows


def _middle(drawn: FloatArray) -> tuple[float, float]:
    low, high = np.percentile(drawn, [2.5, 97.5])
    return float(low), float(high)


def _signed(x: float) -> str:
    text = f"{x:+.1f}"
    return "0" if float(text) == 0 else text.replace("-", "−")
