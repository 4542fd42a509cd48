"""Resizes in model files that are text: OpenVINO's .xml and ncnn's .param.

A layer says its resize in words; weights are in the .bin file beside.
"""

import re
from collections.abc import Mapping
from html import unescape
from pathlib import Path
from typing import Any

from resizelab import checks
from resizelab.catalog.calls.onnx_attributes import NEAREST_MODES
from resizelab.catalog.calls.openvino import COORDINATES
from resizelab.modelfiles import files

LAYERS = {
    ".xml": r'(<layer\b[^>]*\bname="([^"]*)"[^>]*\btype="Interpolate"[^>]*>\s*<data\b)'
    r"([^>]*?)(?=\s*/?>)",
    ".param": r"^(Interp[ \t]+(\S+))([^\n]*)",
}
WORDS = {".xml": ' {}="{}"', ".param": " {}={}"}
VALUES = {".xml": r'\s{}="([^"]*)"', ".param": r"[ \t]{}=(\S+)"}
GRID = "coordinate_transformation_mode"
# What may be set: in a .param file 0 is the kind of resize, 6 is align_corner.
ALLOWED: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    ".param": {"0": ("1", "2", "3"), "6": ("0", "1")},
    ".xml": {
        "mode": ("nearest", "linear_onnx", "cubic"),
        GRID: COORDINATES,
        "nearest_mode": NEAREST_MODES,
        "cube_coeff": ("-0.75", "-0.5"),
    },
}
TYPES = {"1": "nearest", "2": "bilinear", "3": "bicubic"}


def resizes(path: files.PathLike) -> dict[str, dict[str, str]]:
    """Return {a layer's name: its words}, those that may be set."""
    kind, text = Path(path).suffix.lower(), files.existing(path).read_text("utf-8")
    found = {}
    for _, name, said in re.findall(LAYERS[kind], text, re.MULTILINE):
        words = {k: re.search(VALUES[kind].format(k), said) for k in ALLOWED[kind]}
        found[unescape(name)] = {k: word[1] for k, word in words.items() if word}
    return found


def saying(kind: str, text: str, layers: Any, values: Mapping[str, Any]) -> str:
    """Return a text whose ``layers`` say ``values``; None takes a word away."""

    def changed(found: re.Match[str]) -> str:
        head, name, said = found.groups()
        for key, value in values.items() if unescape(name) in layers else ():
            word = "" if value is None else WORDS[kind].format(key, value)
            pattern = VALUES[kind].format(checks.one_of("word", key, ALLOWED[kind]))
            if value is not None:
                checks.one_of(key, str(value), ALLOWED[kind][key])
            made, count = re.subn(pattern, word, said)
            said = made if count else said + word
        return str(head) + said

    return re.sub(LAYERS[kind], changed, text, flags=re.MULTILINE)


def call_of(kind: str, said: Mapping[str, Any]) -> dict[str, Any]:
    """Return the ``call`` and ``arguments`` that a layer's words mean."""
    if kind == ".param":
        kind, corner = TYPES.get(said.get("0", ""), ""), int(said.get("6", 0))
        words: dict[str, Any] = {"resize_type": kind, "align_corner": corner}
        return {"call": "ncnn.Interp", "arguments": words}
    mode = said["mode"].removesuffix("_onnx")
    words = {"mode": mode, GRID: said.get(GRID, COORDINATES[0])}
    if mode == "nearest":
        words["nearest_mode"] = said.get("nearest_mode", NEAREST_MODES[0])
    if mode == "cubic":
        words["cubic_coeff_a"] = float(said.get("cube_coeff", -0.75))
    return {"call": "openvino.Resize", "arguments": words}


def bring_weights(source: Path, target: Path) -> None:
    """Copy the .bin file that stands beside a text to where the text's copy goes.

    Raises ValueError where other weights stand in its place.
    """
    old, new = source.with_suffix(".bin"), target.with_suffix(".bin")
    if source.suffix.lower() in ALLOWED and old.exists() and old != new:
        if new.exists() and new.read_bytes() != old.read_bytes():
            raise ValueError(f"{new} holds other weights: write to another name")
        files.write(new, old.read_bytes())
