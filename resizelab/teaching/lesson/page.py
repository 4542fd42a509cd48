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
from resizelab.teaching import explorers
from resizelab.teaching.exercises import box, variant
from resizelab.teaching.exercises.answer_box import AnswerBox
from resizelab.teaching.exercises.drawing import drawn, plain
from resizelab.teaching.explorers import base, host
from resizelab.teaching.extras import extra

from .mysteries import HIDDEN, PROBES, evidence, mystery
from .plan import MINUTES, clock

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
    guess, far = _guess(), _far()
    placed = {
        "guess": guess,
        "recipe": explorers.recipe(),
        "grid": explorers.grid(n_in=4, n_out=8),
        "far": far,
        "drift": explorers.drift(),
    }
    suspects = [AnswerBox(drawn(mystery(k), None)) for k in range(len(HIDDEN))]
    quiz = [box(name, SEED) for name in QUIZ]
    parts = {key: _place(explorer) for key, explorer in placed.items()}
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
    every = [*placed.values(), *suspects, *quiz]
    return Template((_HERE / "lesson.html").read_text(encoding="utf-8")).substitute(
        parts,
        style=(_HERE / "lesson.css").read_text(encoding="utf-8") + base.styles(),
        state=_states(every),
        host=host.script(),
        script=jsmin((_HERE / "lesson.js").read_text(encoding="utf-8")),
    )


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


def _place(explorer: Any) -> str:
    """Return where an explorer goes: the host script fills it."""
    view = json.dumps({"model_id": explorer.name})
    return (
        f'<div class="resizelab-place" style="min-height:{explorer.room()}">'
        f'<script type="{_VIEW}">{view}</script></div>'
    )


def _tally(name: str, choices: Sequence[str]) -> str:
    """Return an empty tally box: the lesson's own script counts."""
    told = escape("|".join([*choices, "another"]))
    return f'<div class="tally" data-tally="{name}" data-choices="{told}"></div>'


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
        f"<article><h3>Resizer {letter}</h3>{''.join(rows)}{_place(explorer)}</article>"
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
    return f"<article><p>{told}</p>{_place(explorer)}</article>"


def _states(explorers: Sequence[Any]) -> str:
    """Return the explorers' states for the host script, said by their names."""
    names = {explorer.model_id: explorer.name for explorer in explorers}
    if len(set(names.values())) < len(explorers):
        raise ValueError(f"two explorers share a name: {sorted(names.values())}")
    found = embed_data(views=explorers, drop_defaults=False)["manager_state"]["state"]
    # What their modules have in common is said once (see host.js).
    drawing = (_WIDGETS / "drawing.js").read_text(encoding="utf-8")
    shared = jsmin(base.bare(drawing))
    states = {}
    for key, saved in found.items():
        if key in names:
            own = saved["state"]
            own["_esm"] = own["_esm"].removeprefix(shared)
            own["_css"] = ""  # it stands in the page
            own.pop("layout", None)
            states[names[key]] = saved
    whole = {"state": states, "shared": shared}
    # "</script>" in a string would end the element.
    return json.dumps(whole).replace("</", "<\\/")
