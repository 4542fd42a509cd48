"""The reader's own browser as an engine, beside what three browsers gave.

The page draws the card in each way that a browser has, and compares what came back
with rules that Python sends. What other browsers made of it was recorded by the same
script (`tests/recording/record_browsers.py`) and is named here by the same rules.
"""

from __future__ import annotations

import html
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anywidget
import numpy as np
import traitlets
from numpy.typing import NDArray
from rjsmin import jsmin

from resizelab.arrays.resizing import resize, weights
from resizelab.axis.spec import Spec
from resizelab.catalog import convention
from resizelab.checks import FloatArray
from resizelab.teaching.explorers.base import bare, sloping
from resizelab.teaching.explorers.payload import pack
from resizelab.teaching.figures.game_words import CANVAS

_HERE = Path(__file__).parent
Piece = tuple[float, FloatArray, FloatArray]
_VIEW = "application/vnd.jupyter.widget-view+json"
ROOM = 915, 992  # pixels that a table takes, on a wide page and on a phone
SCRIPT = _HERE / "canvas.js"
# Sizes at which no position of the card lies between two pixels: ties fall anyhow.
SIZES = {"grow": (28, 50), "shrink": (4, 10)}
# Levels of 0 to 255: how far a rule may be from what came back to be its name. A
# rounding is half a level; weights in sixteenths that are cut, or bytes between the
# axes, are one and a little more.
LIMIT = 1.25
ALIKE = 0.02  # rules that differ by less are one here: the simpler name is said

_DRAW = ("low", "medium", "high")
WAYS: dict[str, dict[str, Any]] = {
    "imageSmoothingEnabled = false": {
        "call": "drawImage",
        "options": {"imageSmoothingEnabled": False},
    },
    **{
        f'imageSmoothingQuality = "{q}"': {
            "call": "drawImage",
            "options": {"imageSmoothingQuality": q},
        }
        for q in _DRAW
    },
    **{
        f'resizeQuality: "{q}"': {
            "call": "createImageBitmap",
            "options": {"resizeQuality": q},
        }
        for q in ("pixelated", *_DRAW)
    },
}
MITCHELL = Spec(kernel="cubic", b=1 / 3, c=1 / 3)
_SHARED: tuple[tuple[str, str | Spec, bool], ...] = (
    ("nearest", "chromium.canvas.off", False),
    ("nearest-right", "torch.nearest-exact", False),
    ("linear", "torch.bilinear", False),
    ("linear-16", "chromium.canvas.low", False),
    ("cubic", "chromium.bitmap.high", False),
    ("cubic-75", "torch.bicubic", False),
    ("mitchell", MITCHELL, False),
    ("tf1", "tf1.bilinear", False),
)
# By the word for it: a convention, and whether it goes through bytes between the axes.
RULES: dict[str, tuple[tuple[str, str | Spec, bool], ...]] = {
    "grow": (
        *_SHARED,
        ("lanczos", "firefox.bitmap.high", False),
        ("lanczos-bytes", "firefox.bitmap.high", True),
    ),
    "shrink": (
        *_SHARED,
        ("half-copy", "chromium.bitmap.medium", False),
        ("copies", "copies", False),
        ("linear-wide", "pillow.bilinear", False),
        ("area", "opencv.area", False),
        ("cubic-wide", "pillow.bicubic", False),
        ("lanczos-wide", "firefox.bitmap.high", False),
        ("lanczos-wide-bytes", "firefox.bitmap.high", True),
    ),
}


def halved(n: int) -> FloatArray:
    """Return the operator of a copy half as long: pairs, or 1-2-1 of an odd length.

    >>> halved(5)
    array([[0.25, 0.5 , 0.25, 0.  , 0.  ],
           [0.  , 0.  , 0.25, 0.5 , 0.25]])
    """
    w = np.zeros((n // 2, n))
    for i in range(n // 2):
        w[i, 2 * i : 2 * i + 2 + n % 2] = [0.25, 0.5, 0.25] if n % 2 else [0.5, 0.5]
    return w


def _copies(size_in: Sequence[int], size_out: Sequence[int]) -> list[Piece]:
    """Return the mix of two smaller copies that Skia makes: how much of each.

    With the level log2(√(stretch down · stretch across)) - 1/2 both axes count.
    """
    scale = np.prod(np.divide(size_out, size_in))
    level = max(0.0, float(-np.log2(scale)) / 2 - 0.5)
    found: list[Piece] = []
    copy = [np.eye(n) for n in size_in]
    for k in range(int(level) + 2):
        if (share := max(0.0, 1 - abs(level - k))) > 0:
            down, across = (
                weights(Spec(), len(c), m).dense() @ c
                for c, m in zip(copy, size_out, strict=True)
            )
            found.append((share, down, across))
        copy = [halved(len(c)) @ c if len(c) > 1 else c for c in copy]
    return found


def pieces(
    rule: str | Spec, size_in: Sequence[int], size_out: Sequence[int]
) -> list[Piece]:
    """Return a rule as (share, down, across): what it makes is the sum of these."""
    if rule == "copies":
        return _copies(size_in, size_out)
    asked = convention(rule) if isinstance(rule, str) else rule
    (h, w), size = size_in, tuple(size_out)
    # One axis at a time would not do: some calls look at both before they choose.
    down = [resize(np.outer(e, np.ones(w)), size, asked)[:, 0] for e in np.eye(h)]
    across = [resize(np.outer(np.ones(h), e), size, asked)[0] for e in np.eye(w)]
    return [(1.0, np.stack(down, 1), np.stack(across, 1))]


def rebuilt(card: NDArray[np.uint8], side: str) -> dict[str, FloatArray]:
    """Return what each rule makes of the card, in levels of 0 to 255."""
    found = {}
    for word, rule, in_bytes in RULES[side]:
        y = np.zeros(SIZES[side])
        for share, down, across in pieces(rule, card.shape, SIZES[side]):
            half = card @ across.T
            y += share * down @ (half.round().clip(0, 255) if in_bytes else half)
        found[word] = y.clip(0, 255)
    return found


def named(answer: Any, made: dict[str, FloatArray]) -> tuple[str, float]:
    """Return the rule nearest to an answer, and by how many levels it is off."""
    gaps = {
        word: float(np.abs(np.ravel(answer) - y.ravel()).max())
        for word, y in made.items()
    }
    least = min(gaps.values())
    best = next(word for word, gap in gaps.items() if gap <= least + ALIKE)
    return best, gaps[best]


def verdict(answer: Any, made: dict[str, FloatArray]) -> str:
    """Return in words which rule made an answer; None is a way that is not offered."""
    if answer is None:
        return CANVAS["absent"]
    word, gap = named(answer, made)
    said = CANVAS["rule." + word]
    if gap <= LIMIT:
        return said
    return CANVAS["unknown"].format(rule=said, gap=round(gap))


def _sent(card: NDArray[np.uint8], side: str) -> tuple[dict[str, Any], list[list[Any]]]:
    """Return the card and each rule's matrices by key, and the rules in order."""
    items: dict[str, Any] = {"card": card}
    rules = []
    for word, rule, in_bytes in RULES[side]:
        parts = pieces(rule, card.shape, SIZES[side])
        rules.append([word, in_bytes, [share for share, _, _ in parts]])
        for k, (_, down, across) in enumerate(parts):
            items[f"{word}|{k}|down"] = down.astype(np.float32)
            items[f"{word}|{k}|across"] = across.astype(np.float32)
    return items, rules


class Canvas(anywidget.AnyWidget):  # type: ignore[misc]
    """A table: each way of a browser to resize, in the reader's and in others.

    Parameters
    ----------
    record : str or Path
        The answers of other browsers, ``browsers.json``.
    card : uint8 array, (height, width)
        The picture.
    side : "grow" or "shrink"
        Which of the two sizes is asked for.
    """

    _esm = traitlets.Unicode().tag(sync=True)
    _css = traitlets.Unicode().tag(sync=True)
    setup = traitlets.Dict().tag(sync=True)
    payload = traitlets.Bytes(b"").tag(sync=True)

    def __init__(self, record: str | Path, card: NDArray[np.uint8], side: str):
        if side not in SIZES:
            raise ValueError(f"side={side!r}: allowed are {', '.join(SIZES)}")
        told = json.loads(Path(record).read_text("utf-8"))
        made, place = rebuilt(card, side), list(SIZES).index(side)
        items, rules = _sent(card, side)
        self.others = {
            f"{name} {one['version']}": [
                verdict(one["answers"][way][place], made) for way in WAYS
            ]
            for name, one in told.items()
        }
        setup = {
            "words": CANVAS,
            "side": side,
            "from": list(card.shape),
            "size": list(SIZES[side]),
            "limit": LIMIT,
            "alike": ALIKE,
            "ways": [[way, how["call"], how["options"]] for way, how in WAYS.items()],
            "rules": rules,
            "others": [[name, said] for name, said in self.others.items()],
        }
        helpers = (_HERE.parent / "explorers" / "drawing.js").read_text("utf-8")
        own = SCRIPT.read_text("utf-8").split("\n", 3)[3]
        super().__init__(
            setup=setup,
            payload=pack(items),
            _esm=str(jsmin(bare(helpers) + own)),
            _css=(_HERE / "figures.css").read_text("utf-8"),
        )

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """Show the live table; without scripts, what the other browsers gave."""
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        heads = "".join(f'<th scope="col">{html.escape(n)}</th>' for n in self.others)
        rows = "".join(
            f'<tr><th scope="row">{html.escape(way)}</th>'
            + "".join(
                f"<td>{html.escape(said[k])}</td>" for said in self.others.values()
            )
            + "</tr>"
            for k, way in enumerate(WAYS)
        )
        page = (
            f'<div class="rl-place" style="min-height:{sloping(*ROOM)}">'
            f'<script type="{_VIEW}">{json.dumps(data[_VIEW])}</script><noscript>'
            f'<div class="rl-fig"><p>{html.escape(CANVAS["closed"])}'
            f'</p><table><thead><tr><th scope="col">{html.escape(CANVAS["head.way"])}'
            f"</th>{heads}</tr></thead><tbody>{rows}</tbody></table></div></noscript>"
            "</div>"
        )
        data |= {"text/plain": CANVAS["closed"], "text/html": page}
        return data, metadata
