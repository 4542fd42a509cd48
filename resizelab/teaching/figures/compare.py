"""Two pictures in one place: guess first, then blink, swap, and look at an edge.

The damage of a resize is a movement, and the eye sees a movement where two pictures
take each other's place. The pictures are made by real engines and recorded; a page
without scripts shows them side by side.
"""

from __future__ import annotations

import base64
import html
import json
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import anywidget
import traitlets
from rjsmin import jsmin

from resizelab.axis.operator import Weights
from resizelab.teaching.explorers.base import KEPT, helpers, rows, sloping
from resizelab.teaching.explorers.payload import pack
from resizelab.teaching.figures.words import COMPARE
from resizelab.teaching.messages import say

_HERE = Path(__file__).parent
_IMPORTS = re.compile(r"^import [^;]*;\n", re.MULTILINE)
_VIEW = "application/vnd.jupyter.widget-view+json"
Run = Sequence[int]
Link = Weights | tuple[Weights, Weights]


def _script() -> str:
    own = (_HERE / "compare.js").read_text(encoding="utf-8")
    return str(jsmin(helpers("photograph.js") + _IMPORTS.sub("", own)))


def outline(runs: Sequence[Run]) -> str:
    """Return a mask as an SVG path; a run is (row, first column, one past the last).

    >>> outline([(0, 2, 5)])
    'M2 0H5V1H2Z'
    """
    return "".join(f"M{a} {y}H{b}V{y + 1}H{a}Z" for y, a, b in runs)


def rim(runs: Sequence[Run]) -> str:
    """Return the edge of a mask as an SVG path, a pixel's side a step.

    >>> rim([(0, 2, 3)])
    'M2 0h1M2 1h1M2 0v1M3 0v1'
    """
    inside = {(y, x) for y, a, b in runs for x in range(a, b)}
    lines = {(y + k, x, "h1") for y, x in inside for k in (0, 1)}
    lines |= {(y, x + k, "v1") for y, x in inside for k in (0, 1)}
    before = {"h1": (1, 0), "v1": (0, 1)}
    return "".join(
        f"M{x} {y}{way}"
        for y, x, way in sorted(lines, key=lambda line: (line[2], *line[:2]))
        if ((y, x) in inside) != ((y - before[way][0], x - before[way][1]) in inside)
    )


def _links(chain: Sequence[Link]) -> list[tuple[Weights, Weights]]:
    """Return the operators of a chain by axis: down and across."""
    return [(link, link) if isinstance(link, Weights) else link for link in chain]


def _fits(own: Mapping[str, Sequence[Link]]) -> bool:
    """Say whether every chain begins with 256 pixels and its links fit."""
    ends = set()
    for chain in own.values():
        for ways in zip(*_links(chain), strict=True):
            sizes = [KEPT, *(w.n_out for w in ways)]
            if sizes[:-1] != [w.n_in for w in ways]:
                return False
            ends.add(sizes[-1])
    return len(ends) == 1


def _check(
    labels: Sequence[str], own: Mapping[str, Sequence[Link]] | None, wraps: str
) -> None:
    if own is not None and (set(own) != set(labels) or not _fits(own)):
        known = f"chains of operators from {KEPT}, by {labels}"
        raise ValueError(f"own must be {known}")
    if wraps not in ("", *(own or ())):
        raise ValueError(f"wraps must be a label of own; got {wraps!r}")


def _keyed(
    own: Mapping[str, Sequence[Link]],
) -> tuple[dict[str, list[list[str]]], dict[str, Weights]]:
    """Return the chains with keys for their operators, and those by their keys."""
    chains: dict[str, list[list[str]]] = {label: [] for label in own}
    ops: dict[str, Weights] = {}
    for label, chain in own.items():
        for n, link in enumerate(_links(chain)):
            keys = [f"{label}|{n}|{link.index(w)}" for w in link]
            ops |= dict(zip(keys, link, strict=True))
            chains[label].append(keys)
    return chains, ops


class Comparator(anywidget.AnyWidget):  # type: ignore[misc]
    """Two pictures of one size; see the module's text.

    Parameters
    ----------
    pictures : {str: (bytes, str)}
        Two of them, by the label that the reader sees: WebP, and what it shows.
    size : (int, int)
        Their height and width in pixels.
    question, options, right, explain : str, sequence of str, int, str
        What is asked before the two are laid upon each other, which answer is right,
        and what is said after any.
    masks : {str: runs}, optional
        A mask for each label, and "true", whose edge is drawn from the start.
    start : (int, int), optional
        The row and column that the loupes look at first.
    squares : bool
        The pictures are small: their pixels are drawn as squares.
    own : {str: sequence of Weights or (Weights, Weights)}, optional
        For each label the operators, one after the other on both axes (or down and
        across), that the reader's own photograph goes through: the first takes 256
        pixels.
    wraps : str, optional
        The label whose photograph keeps the lowest eight bits of each level, where
        others stop at 0 and 255.
    """

    _esm = _script()
    _css = (_HERE / "figures.css").read_text(encoding="utf-8")
    setup = traitlets.Dict().tag(sync=True)
    first = traitlets.Bytes(b"").tag(sync=True)
    second = traitlets.Bytes(b"").tag(sync=True)
    payload = traitlets.Bytes(b"").tag(sync=True)

    def __init__(
        self,
        pictures: Mapping[str, tuple[bytes, str]],
        size: tuple[int, int],
        question: str,
        options: Sequence[str],
        right: int,
        explain: str,
        masks: Mapping[str, Sequence[Run]] | None = None,
        start: tuple[int, int] | None = None,
        squares: bool = False,
        own: Mapping[str, Sequence[Link]] | None = None,
        wraps: str = "",
    ):
        labels = list(pictures)
        if len(labels) != 2:
            raise ValueError(f"pictures must be two; got {len(labels)}")
        if not 0 <= right < len(options):
            raise ValueError(f"right must be from 0 to {len(options) - 1}; got {right}")
        if masks is not None and set(masks) != {"true", *labels}:
            raise ValueError(f"masks must be 'true', {labels}; got {sorted(masks)}")
        _check(labels, own, wraps)
        chains, ops = _keyed(own or {})
        height, width = size
        setup = {
            "own": chains,
            "wraps": wraps,
            "labels": labels,
            "called": [say(label) for label in labels],
            "alts": [say(alt) for _, alt in pictures.values()],
            "height": height,
            "width": width,
            "question": say(question),
            "options": [say(option) for option in options],
            "right": right,
            "explain": say(explain),
            "words": COMPARE,
            "masks": {k: outline(runs) for k, runs in (masks or {}).items()},
            "rim": rim((masks or {}).get("true", ())),
            "squares": squares,
            "zoom": 16 if squares else 6,
            "start": list(start or (height // 2, width // 2)),
        }
        (one, _), (two, _) = pictures.values()
        super().__init__(
            setup=setup, first=bytes(one), second=bytes(two), payload=pack(ops)
        )

    def _room(self) -> str:
        """Return the height to keep free: the pair, the question, the answers."""
        s = self.setup

        def height(width: int) -> float:
            lines = rows(s["options"], 24, width)
            asked = math.ceil(len(s["question"]) * 10.2 / width)
            pair = (width - 8) / 2 * s["height"] / s["width"]
            return float(pair + 34 + 24 * asked + 34 * lines)

        return sloping(height(688), height(328))

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """Show the live comparator; elsewhere the two pictures and the answer."""
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        s, escape = self.setup, html.escape
        pair = "".join(
            f'<figure><img alt="{escape(alt)}" src="data:image/webp;base64,'
            f'{base64.b64encode(raw).decode()}"><figcaption>{escape(label)}</figcaption>'
            "</figure>"
            for label, alt, raw in zip(
                s["called"], s["alts"], (self.first, self.second), strict=True
            )
        )
        look = "rl-fig rl-squares" if s["squares"] else "rl-fig"
        page = (
            f'<div class="rl-place" style="min-height:{self._room()}">'
            f'<script type="{_VIEW}">{json.dumps(data[_VIEW])}</script>'
            f'<noscript><div class="{look}"><div class="rl-two">{pair}</div>'
            f"<p>{escape(s['question'])}</p><details><summary>{escape(COMPARE['answer'])}"
            f"</summary><p>{escape(s['explain'])}</p></details></div></noscript></div>"
        )
        data |= {"text/plain": f"{s['question']} {s['explain']}", "text/html": page}
        return data, metadata
