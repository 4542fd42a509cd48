"""The explorer "card": name the resize that a reader's own pipeline does.

The card is a small grey picture.  What every recorded call of the real libraries
makes of it is kept in a record (``teaching/records/card.json`` and ``card.npz``, made
by ``tests/recording/record_card.py``).  The page compares the reader's result with
them all.
"""

from __future__ import annotations

import base64
import io
import json
import struct
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.teaching.messages import say
from resizelab.teaching.page_words import CARD

from . import card_material
from .base import Explorer, Item, late, module, styles
from .controls import State
from .payload import pack

# Recorded floats travel as whole multiples of 1 / FINE, in levels of 0 to 255.
FINE = 128
# A float is taken for the recorded one if it is no farther away than this.
TOLERANCE = 5e-3
EIGHT = 8
_DTYPES = ("float32", "uint8")
# What of the record travels as it stands.
_KEPT = (
    *("recorded", "versions", "size_in", "size_out", "scale"),
    *("elsewhere", "recipes", "calls"),
)


class Card(Explorer):
    """The resize test card, and a place to drop what came out of a pipeline.

    ``record`` is the path of ``card.json``; ``card.npz`` lies beside it.
    """

    _esm = module("card_explorer.js")
    _css = styles()
    heading = say("Which resize is this?")
    says = CARD

    def __init__(self, record: str | Path, name: str = "card"):
        self.record = _read(Path(record))
        told = self.record[0]
        (rows, columns), (height, width) = told["size_in"], told["size_out"]
        self.caption = say(
            "Download the card, {rows} pixels high and {columns} wide. Let your own "
            "pipeline resize it to height {height}, width {width}. Drop the result "
            "here: nothing leaves this page.",
            rows=rows,
            columns=columns,
            height=height,
            width=width,
        )
        self.controls = (
            {
                "key": "eight",
                "kind": "numbers",
                "label": "eight numbers",
                "min": -1e12,
                "max": 1e12,
                "count": EIGHT,
            },
            {
                "key": "sides",
                "kind": "numbers",
                "label": "the calls of two sides, by their numbers in the record",
                "min": 0,
                "max": 2 * len(told["calls"]),
                "count": 2,
            },
        )
        self.height = (502, 780)
        super().__init__(name, {}, told["versions"])
        self.late = late("card_verdict.js")

    def compute(self, state: State) -> dict[str, Item]:
        """Return nothing: what the libraries answered is recorded."""
        return {}

    def export(self) -> bytes:
        """Return the card, its files, and what every call made of it."""
        told, arrays = self.record
        order, steps, meta = coded(arrays["answers"])
        ideas = list(dict.fromkeys(tuple(c["idea"]) for s in told["sets"] for c in s))
        sets = [
            [
                [c["parts"], ideas.index(tuple(c["idea"])), *map(_number, c["calls"])]
                for c in told["sets"][k]
            ]
            for k in order
        ]
        items: dict[str, Any] = {"card": arrays["card"], "steps": steps}
        words = {key: told[key] for key in _KEPT}
        words["pockets"] = []
        for k, pocket in enumerate(told["pockets"]):
            places, items[f"pocket{k}"], more = coded(arrays[f"pocket{k}"])
            members = [[*map(_number, pocket["sets"][s])] for s in places]
            words["pockets"].append({**pocket, "sets": members, **more})
        words["png"] = _link("image/png", png(arrays["card"]))
        words["npy"] = _link("application/octet-stream", npy(arrays["card"]))
        words |= {"fine": FINE, "tolerance": TOLERANCE, "sets": sets, "ideas": ideas}
        return pack(items, {**words, **card_material.material(), **meta})

    def sentence(self) -> str:
        """Return how many calls were recorded and how many answers they gave."""
        told = self.record[0]
        calls = sum(len(c["calls"]) for s in told["sets"] for c in s)
        (rows, columns), (height, width) = told["size_in"], told["size_out"]
        return say(
            "The test card: grey, {rows} pixels high, {columns} wide. Resized to "
            "height {height}, width {width}, {calls} recorded runs give {answers} "
            "answers.",
            rows=rows,
            columns=columns,
            height=height,
            width=width,
            calls=calls,
            answers=len(told["sets"]),
        )

    def figure(self) -> Any:
        """Return the card, large enough to see its pixels."""
        from matplotlib.figure import Figure

        figure = Figure(figsize=(4.8, 3.2), layout="constrained")
        axes = figure.subplots()
        axes.imshow(self.record[1]["card"], cmap="gray", vmin=0, vmax=255)
        axes.set_axis_off()
        return figure


def card(record: str | Path, name: str = "card") -> Card:
    """Show the resize test card; ``record`` is the path of ``card.json``."""
    return Card(record, name)


def coded(
    answers: NDArray[np.float64],
) -> tuple[list[int], NDArray[np.uint8], dict[str, Any]]:
    """Return a new order, and each answer as its step from another.

    Answers resemble one another, so each is sent as its difference from the most
    similar one before it, zigzag, in three planes of bytes.  Whole answers start
    from the other one rounded.
    """
    whole = (answers == np.rint(answers)).all(1)
    parts = np.where(whole[:, None], answers, np.floor(answers * FINE + 0.5))
    fixed = np.where(whole[:, None], parts * FINE, parts).astype(np.int64)

    def steps(one: int, other: int) -> Any:
        base = fixed[other]
        return fixed[one] - base if not whole[one] else parts[one] - levels(base)

    order, parents = [0], [-1]
    kept: list[Any] = [parts[0]]
    best = {k: (steps(k, 0), 0) for k in range(1, len(answers))}
    while best:
        k = min(best, key=lambda k: _bits(best[k][0]))
        step, parent = best.pop(k)
        order.append(k)
        parents.append(order.index(parent))
        kept.append(step)
        for other, (known, _) in best.items():
            step = steps(other, k)
            if _bits(step) < _bits(known):
                best[other] = step, k
    folded = np.concatenate(kept).astype(np.int64)
    folded = np.where(folded < 0, -2 * folded - 1, 2 * folded)
    planes = np.array([folded >> s & 255 for s in (0, 8, 16)]).astype(np.uint8)
    meta = {"parents": parents, "whole": [int(whole[k]) for k in order]}
    return order, planes, meta


def decoded(
    planes: NDArray[np.uint8], parents: Sequence[int], whole: Sequence[int]
) -> NDArray[np.float64]:
    """Return the answers that ``coded`` packed: what the page does, in Python."""
    shifts = np.array([[0], [8], [16]])
    folded = (planes.astype(np.int64) << shifts).sum(0).reshape(len(parents), -1)
    fixed: list[Any] = []
    for step, parent, is_whole in zip(folded, parents, whole, strict=True):
        base = fixed[parent] if parent >= 0 else np.zeros(step.size, np.int64)
        step = (step >> 1) ^ -(step & 1)
        fixed.append((levels(base) + step) * FINE if is_whole else base + step)
    return np.stack(fixed) / FINE


def levels(fixed: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return fixed-point numbers as whole levels from 0 to 255."""
    return np.clip((fixed + FINE // 2) // FINE, 0, 255)


def png(picture: NDArray[np.uint8]) -> bytes:
    """Return (height, width) or (height, width, 3) bytes as a PNG and nothing else."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        check = zlib.crc32(kind + body)
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", check)

    height, width = picture.shape[:2]
    kind = 0 if picture.ndim == 2 else 2
    rows = b"".join(b"\0" + row.tobytes() for row in picture)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(rows, 9))
        + chunk(b"IEND", b"")
    )


def coloured(grey: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the card in colours: its red, the same for green, 255 less it for blue."""
    return np.stack([grey, grey, 255 - grey], axis=-1)


def npy(array: NDArray[Any]) -> bytes:
    """Return an array as the bytes of a .npy file."""
    out = io.BytesIO()
    np.save(out, array, allow_pickle=False)
    return out.getvalue()


def _link(kind: str, content: bytes) -> str:
    """Return a file as an address that holds it whole."""
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"


def _bits(steps: NDArray[Any]) -> float:
    """Return about how many bits ``steps`` cost."""
    return float(np.log2(1 + np.abs(steps)).sum())


def _number(call: Sequence[Any]) -> int:
    """Return a call and its input dtype as one whole number."""
    return 2 * int(call[0]) + _DTYPES.index(call[1])


def _read(path: Path) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return the record's words and its arrays; the two have to fit."""
    if not path.is_file():
        raise FileNotFoundError(
            f"record={str(path)!r} is no file: give the path of card.json"
        )
    told = json.loads(path.read_text(encoding="utf-8"))
    with np.load(path.with_suffix(".npz"), allow_pickle=False) as stored:
        arrays = {key: stored[key] for key in stored.files}
    arrays["answers"] = arrays["answers"].astype(np.float64)
    height, width = told["size_out"]
    wanted, got = (len(told["sets"]), height * width), arrays["answers"].shape
    if got != wanted:
        raise ValueError(f"record={path.name!r}: answers are {got}, not {wanted}")
    return told, arrays
