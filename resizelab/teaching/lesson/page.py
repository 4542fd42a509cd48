"""The lesson as one HTML file: everything that it shows stands in it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from pathlib import Path
from string import Template
from typing import Any

from resizelab import drift
from resizelab.arrays.resizing import weights
from resizelab.axis.spec import Spec
from resizelab.teaching import explorers, figures
from resizelab.teaching.classroom import marks, photograph
from resizelab.teaching.exercises import box, variant
from resizelab.teaching.exercises.answer_box import AnswerBox
from resizelab.teaching.exercises.drawing import drawn, plain
from resizelab.teaching.explorers import base, host
from resizelab.teaching.extras import extra
from resizelab.teaching.figures.page import SHEET
from resizelab.teaching.figures.photographs import webp

from .mysteries import HIDDEN, PROBES, evidence, mystery
from .plan import MINUTES, Part, clock
from .words import WORDS

with extra("lessons", "widgets", "plots"):
    from ipywidgets.embed import embed_data
    from rjsmin import jsmin

_HERE = Path(__file__).parent
_WIDGETS = Path(base.__file__).parent
_VIEW = "application/vnd.jupyter.widget-view+json"
GRIDS = ("half_pixel", "align_corners", "asymmetric")
# Other numbers than the pages': drawn from this seed.
QUIZ = ("four-to-eight-three", "grids-five-to-three", "grids-why-257", "drift-five")
SEED = 90
PIXELS = (0.0, 10.0, 20.0, 30.0)


def html() -> str:
    """Return the lesson: no part of it is fetched from anywhere."""
    placed = {"guess": _guess(), "far": _far(), **_figures()}
    suspects = [AnswerBox(drawn(mystery(k), None)) for k in range(len(HIDDEN))]
    quiz = [box(name, SEED) for name in QUIZ]
    parts = {key: _place(shown) for key, shown in placed.items()}
    parts["tally_guess"] = _tally("guess", [f"{_second(g):.3g}" for g in GRIDS])
    parts["tally_far"] = _tally("far", ["0", "0.5", "1.5", "3.5"])
    parts["mysteries"] = "\n".join(_mystery(k, b) for k, b in enumerate(suspects))
    parts["quiz"] = "\n".join(
        _question(name, b) for name, b in zip(QUIZ, quiz, strict=True)
    )
    parts["plan"] = "".join(
        f'<li><a href="#{part.key}">{start}–{end} min: {part.title}</a></li>'
        for start, end, part in clock()
    )
    for part in MINUTES:
        parts[f"does_{part.key}"] = f"<p class='does'>{escape(part.does)}</p>"
        parts[f"discuss_{part.key}"] = _discussion(part)
    every = [*placed.values(), *suspects, *quiz]
    sheets = (_HERE / "lesson.css").read_text(encoding="utf-8"), base.styles(), SHEET
    return Template((_HERE / "lesson.html").read_text(encoding="utf-8")).substitute(
        parts,
        style="".join(sheets),
        state=_states(every),
        words=json.dumps(WORDS),
        host=host.script(),
        script=jsmin((_HERE / "lesson.js").read_text(encoding="utf-8")),
    )


def _figures() -> dict[str, Any]:
    """Return the chapters' own figures by the place that shows them."""
    row, grid, chain = figures.recipe(), figures.grids(n_in=4, n_out=8), _chain()
    tiles = {"tiles": "half_pixel", "posts": "align_corners", "both": "asymmetric"}
    return {
        "tent": row.figure("tent", n_out=8, values="climb"),
        **{k: grid.figure("tiles", k, grid=g, n_in=4) for k, g in tiles.items()},
        "dial": grid.figure("dial"),
        "mask": chain.figure("mask"),
        "moves": chain.figure("moves"),
    }


def _chain() -> figures.Page:
    """Return the page state of doublings, over an eye of the class's cat."""
    left, top, high, wide = 272, 95, 96, 128
    pixels = photograph("cat")[top : top + high, left : left + wide]
    cx, cy, rx, ry = marks("cat").ellipses["right eye"]
    eye = figures.Photograph(
        webp(pixels).tobytes(), (high, wide), (cx - left, cy - top, rx, ry)
    )
    return figures.chains(eye, step=1)


def _second(name: str) -> float:
    return float((weights(Spec(grid=name), 4, 8) @ list(PIXELS))[1])


def _guess() -> Any:
    return explorers.predict(
        "Four pixels, 0, 10, 20, 30, become eight. What is the second of the eight?",
        {name: _second(name) for name in GRIDS},
        feedback={
            "half_pixel": "So say PyTorch, TensorFlow 2, OpenCV and Pillow.",
            "align_corners": "So says SciPy, and PyTorch with align_corners=True.",
            "asymmetric": "So says TensorFlow 1.",
        },
        explain="All three are called bilinear.",
        name="guess",
    )


def _far() -> Any:
    last = drift.doubling(Spec(grid="asymmetric"), 16, 3)[-1]
    one = drift.doubling(Spec(grid="asymmetric"), 16, 1)[-1]
    moved, half = -last.in_current()[0], -one.in_current()[0]
    return explorers.predict(
        "TensorFlow 1 doubles 16 pixels three times; each doubling moves the picture "
        "half a pixel. By how many pixels of the 128 has it moved?",
        {
            "asymmetric": moved,
            "three halves added": 3 * half,
            "pixels of the 16": -last.shift,
            "half_pixel": 0.0,
        },
        correct="asymmetric",
        unit="px",
        tolerance=0.1,
        feedback={
            "asymmetric": "Right: the first half pixel is doubled twice, the second "
            "once.",
            "half_pixel": "True for PyTorch. The question is about TensorFlow 1.",
        },
        name="far",
    )


def _place(shown: Any) -> str:
    """Return where an explorer or a figure goes: the host script fills it."""
    view = f'<script type="{_VIEW}">{json.dumps({"model_id": _key(shown)})}</script>'
    if isinstance(shown, figures.Figure):
        return f'<div class="rl-place">{view}</div>'
    room = f"min-height:{shown.room()}"
    return f'<div class="resizelab-place" style="{room}">{view}</div>'


def _key(shown: Any) -> str:
    """Return the name by which the page finds an explorer or a figure."""
    return str(shown.setup["name"] if isinstance(shown, figures.Figure) else shown.name)


def _tally(name: str, choices: Sequence[str]) -> str:
    """Return an empty tally box: the lesson's own script counts."""
    told = escape("|".join([*choices, "another"]))
    return f'<div class="tally" data-tally="{name}" data-choices="{told}"></div>'


def _discussion(part: Part) -> str:
    """Return a slide of what there is to talk about."""
    items = "".join(f"<li>{escape(prompt)}</li>" for prompt in part.prompts)
    return (
        f'<article class="slide"><h2>{part.title}: discuss</h2><ul>{items}</ul>'
        f"<aside>{escape(part.listen)}</aside></article>"
    )


def _mystery(k: int, explorer: Any) -> str:
    letter = "ABCDE"[k]
    rows = []
    for (_, pixels, _), out in zip(PROBES, evidence(HIDDEN[k]), strict=True):
        told = ", ".join(f"{p:g}" for p in pixels)
        top = max(pixels)
        fields = "".join(_field(v, top) for v in out)
        rows.append(
            f'<p class="probe">{told} → {len(out)} pixels</p>'
            f'<p class="strip" role="img" aria-label="{_said(out)}">{fields}</p>'
        )
    return (
        f'<article class="slide"><h2>Resizer {letter}</h2>'
        f"{''.join(rows)}{_place(explorer)}</article>"
    )


def _said(row: Sequence[float]) -> str:
    return ", ".join(f"{v:g}".replace("-", "−") for v in row)


def _field(value: float, top: float) -> str:
    grey = round(255 * min(1, max(0, value / top)))
    ink = "#000" if grey > 127 else "#fff"
    text = f"{value:g}".replace("-", "−")
    style = f"background:rgb({grey},{grey},{grey});color:{ink}"
    return f'<span aria-hidden="true" style="{style}">{text}</span>'


def _question(name: str, explorer: Any) -> str:
    stem = variant(name, SEED).stem.splitlines()
    told = " ".join(escape(plain(line)) for line in stem)
    return f'<article class="slide"><p>{told}</p>{_place(explorer)}</article>'


def _states(every: Sequence[Any]) -> str:
    """Return what is shown as states for the host script, said by their names."""
    shown = {one.model_id: one for one in every}
    names = [_key(one) for one in every]
    if len(set(names)) < len(names):
        raise ValueError(f"two explorers share a name: {sorted(names)}")
    found = embed_data(views=every, drop_defaults=False)["manager_state"]["state"]
    # What their modules have in common is said once (see host.js).
    drawing = (_WIDGETS / "drawing.js").read_text(encoding="utf-8")
    shared = jsmin(base.bare(drawing))
    states: dict[str, Any] = {}
    said: dict[str, str] = {}
    for key, one in shown.items():
        saved, name = found[key], _key(one)
        own, module = saved["state"], saved["state"]["_esm"]
        own["_esm"] = (
            {"like": said[module]} if module in said else module.removeprefix(shared)
        )
        said.setdefault(module, name)
        # The sheets stand in the page; what is left are the colours of a page state.
        own["_css"] = ""
        if isinstance(one, figures.Figure):
            # A store's name is its page's here: the same lesson is written again.
            own |= {"_css": one._page.colours, "store": one._page.name}
        own.pop("layout", None)
        states[name] = saved
    whole = {"state": states, "shared": shared}
    # "</script>" in a string would end the element.
    return json.dumps(whole).replace("</", "<\\/")
