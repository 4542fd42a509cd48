"""The data of the look-up of two calls: which resizes are one, and where they part.

Every call is looked at on one axis, at all sizes up to `LARGEST` and at some that
people use. Two calls are compared by their answers to the same noise between 0 and 1.
"""

import base64
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.arrays.resizing import weights
from resizelab.axis.convention import Convention, stated
from resizelab.catalog import phrases
from resizelab.catalog.signatures import SIZES, TIES, gap, takes_scale
from resizelab.checks import FloatArray
from resizelab.models.deviation import QUIET
from resizelab.teaching.messages import say
from resizelab.teaching.page_words import LOOKUP

LARGEST = 10
USED = (
    *((32, 37), (37, 32), (48, 64), (64, 48), (224, 16), (224, 64), (518, 37)),
    (640, 32),
)
EVERY = tuple((n, m) for n in range(1, LARGEST + 1) for m in range(1, LARGEST + 1))
ASKED = EVERY + USED
SAME = 1e-5  # of the input's range: the noise of float32, of 16 pixels and fewer
LEVELS = 100  # an answer is told in hundredths of the range
LOWEST = -0.5
SEED = 3
SLIGHT = (*QUIET, "tie_epsilon")  # told only where nothing else parts two families


@dataclass(frozen=True)
class Family:
    """Calls that are one resize at every size looked at, and their answers to noise."""

    rows: list[Convention]
    answers: list[FloatArray]

    def head(self) -> str:
        """Return what the calls have in common."""
        row = self.rows[0]
        first = [say("{name} first", name=n) for n in row.particulars.prefilter]
        return " · ".join([phrases.common([row]), *first])


def sizes() -> list[tuple[int, int]]:
    """Return every pair of sizes that is looked at, those that the page asks first."""
    return list(dict.fromkeys(ASKED + SIZES + TIES))


def families(rows: Sequence[Convention]) -> list[Family]:
    """Return the calls that take sizes, those that are one resize together."""
    rng, asked = np.random.default_rng(SEED), sizes()
    noise = {n: rng.random(n) for n in sorted({n for n, _ in asked})}
    known: dict[Any, list[FloatArray]] = {}
    found: list[Family] = []
    for row in rows:
        if takes_scale(row) or row.roi is not None:
            continue
        key = (row.spec, row.particulars)
        if key not in known:
            known[key] = [weights(row, n, m) @ noise[n] for n, m in asked]
        answers = known[key]
        home = next((f for f in found if _one(f, row, answers, asked)), None)
        if home is None:
            found.append(Family([row], answers))
        else:
            home.rows.append(row)
    return found


def fields_of(c: Convention) -> dict[str, str]:
    """Return every field of a convention that says something, in plain words."""
    told = {**stated(c.spec), **stated(c.particulars)}
    told |= {k: getattr(c, k) for k in ("scale", "roi") if getattr(c, k) is not None}
    words = _in_words(told)
    for dtype, rule in c.arithmetic.items():
        each = (f"{k}: {v}" for k, v in _in_words(stated(rule)).items())
        words[f"of {dtype}"] = ", ".join(each) or say("as it comes")
    return words


def _in_words(told: Mapping[str, Any]) -> dict[str, str]:
    return {say(phrases.field(k)): say(phrases.value(k, v)) for k, v in told.items()}


def noise_of(size: tuple[int, int]) -> float:
    """Return the difference that float32 positions alone make at a size."""
    return SAME * max(1.0, max(size) / 16)


def _one(
    family: Family,
    row: Convention,
    answers: list[FloatArray],
    sizes: list[tuple[int, int]],
) -> bool:
    first = family.rows[0]
    if (first.spec, first.particulars) == (row.spec, row.particulars):
        return True
    pairs = zip(sizes, family.answers, answers, strict=True)
    if any(np.abs(a - b).max() > noise_of(size) for size, a, b in pairs):
        return False
    return gap(first, row).parted == 0  # two axes at once, and exact ties


def data(found: Sequence[Family]) -> str:
    """Return what the page needs, as text that its script unpacks."""
    grouped = [_grouped(found, k) for k in range(len(ASKED))]
    whole = {
        "sizes": ASKED,
        "families": [
            {
                "idea": family.head(),
                "fields": fields_of(family.rows[0]),
                "rows": [[r.name, r.library, r.status] for r in family.rows],
            }
            for family in found
        ],
        "groups": [_text(place) for place, _ in grouped],
        "answers": [_text(coded) for _, coded in grouped],
        "quiet": [say(phrases.field(name)) for name in SLIGHT],
        "words": LOOKUP,
        "small": LARGEST,
        "levels": LEVELS,
    }
    packed = zlib.compress(json.dumps(whole, separators=(",", ":")).encode(), 9)
    return base64.b64encode(packed).decode()


def _grouped(found: Sequence[Family], size: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return each family's group at one size, and the answers of the groups."""
    groups: list[FloatArray] = []
    place = []
    for family in found:
        mine = family.answers[size]
        gaps = (float(np.abs(g - mine).max()) for g in groups)
        alike = [k for k, far in enumerate(gaps) if far <= noise_of(ASKED[size])]
        place.append(alike[0] if alike else len(groups))
        groups += [] if alike else [mine]
    coded = np.clip(np.rint((np.stack(groups) - LOWEST) * LEVELS), 0, 255)
    return np.array(place, np.uint16), coded.astype(np.uint8)


def _text(values: NDArray[Any]) -> str:
    return base64.b64encode(values.tobytes()).decode()
