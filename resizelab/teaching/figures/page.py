"""A page's state and the figures that draw it: one value, as many drawings as help.

In the page the figures of one `Page` find each other by its ``store``; with a kernel
Python's widgets hear every change too, and may set the state themselves. Only the
first figure carries the operators. A link ``#grid:n_out=2`` means the start with these
changes, whatever was set before; ``grid`` is the page's name or a figure's.
"""

from __future__ import annotations

import html
import json
import re
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import anywidget
import traitlets
from rjsmin import jsmin

from resizelab.teaching import palette
from resizelab.teaching.explorers.base import Item, bare, ordered, sloping
from resizelab.teaching.explorers.base import rows as wrapped
from resizelab.teaching.explorers.controls import Control, State, check_state, ranged
from resizelab.teaching.explorers.payload import pack
from resizelab.teaching.figures import stills
from resizelab.teaching.figures.words import SHARED

_HERE = Path(__file__).parent
_VIEW = "application/vnd.jupyter.widget-view+json"
SHEET = (_HERE / "figures.css").read_text(encoding="utf-8")
_NAME = re.compile(r"[a-z][a-z0-9_-]*")


def script(kinds: Iterable[str]) -> str:
    """Return the module of a page's figures: helpers, the shared part, the drawings."""
    helpers = (_HERE.parent / "explorers" / "drawing.js").read_text(encoding="utf-8")
    parts = [_HERE / "figures.js", *(_HERE / "kinds" / f"{k}.js" for k in kinds)]
    own = "\n".join(part.read_text(encoding="utf-8") for part in parts)
    own = re.sub(r"^import [^;]*;\n", "", own, flags=re.MULTILINE)
    return str(jsmin(bare(helpers) + own))


def colours(looks: Mapping[str, str]) -> str:
    """Return a rule a name for a style sheet: themes cost no redraw."""
    light, dark = [], []
    for name, known in looks.items():
        look = palette.style(known)
        chosen = ".g-" + name.replace(".", "\\.")
        light.append(f"{chosen}{{--g:{look.light}}}")
        dark.append(f"{chosen}{{--g:{look.dark}}}")
    # The book's theme, and JupyterLab's, each say by an attribute that it is dark.
    night = ":is(html[data-theme=dark], body[data-jp-theme-light=false])"
    return "".join(light) + "".join(f"{night} {rule}" for rule in dark)


def whole(
    key: str, label: str, least: int, most: int, below: str | None = None
) -> Control:
    """Return a control of whole numbers; ``below`` is a key that it stays under.

    >>> whole("n_out", "output pixels", 1, 16)["max"]
    16
    """
    under = {"below": below} if below else {}
    return ranged(key, label, least, most, 1, **under)


class Figure(anywidget.AnyWidget):  # type: ignore[misc]
    """One drawing of a page's state: see `Page.figure`."""

    # Each page has a script and a sheet of its own; anywidget asks for them here.
    _esm = traitlets.Unicode().tag(sync=True)
    _css = traitlets.Unicode().tag(sync=True)
    store = traitlets.Unicode().tag(sync=True)
    kind = traitlets.Unicode().tag(sync=True)
    setup = traitlets.Dict().tag(sync=True)
    state = traitlets.Dict().tag(sync=True)
    payload = traitlets.Bytes(b"").tag(sync=True)

    def __init__(self, page: Page, kind: str, **given: Any):
        self._page = page
        super().__init__(store=page.store, kind=kind, **given)

    @traitlets.validate("state")  # type: ignore[untyped-decorator]
    def _checked(self, proposal: Any) -> State:
        return check_state(self._page.controls, proposal["value"])

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """Show the live figure; where no script runs, the start as a drawing."""
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        shown = {**self._page.start, **self.setup["fixed"]}
        drawn = stills.drawn(self, self._page.items(shown))
        view = json.dumps(data[_VIEW])
        heights = re.search(r'^<svg[^>]* data-rooms="([\d.]+) ([\d.]+)"', drawn)
        kept = re.search(r'^<svg[^>]* data-under="(\w+)"', drawn)
        under = self.setup["control"] or ([kept[1]] if kept else [])
        room = (
            self._room(float(heights[1]), float(heights[2]), under) if heights else ""
        )
        colours = f"<style>{self._page.colours}</style>" if self.payload else ""
        page = (
            f'<div class="rl-place" style="{room}">'
            f'<script type="{_VIEW}">{view}</script>'
            f'{colours}<figure class="rl-fig rl-still">{drawn}</figure></div>'
        )
        words = re.sub(r"<[^>]+>", "", re.findall(r"<title>(.*?)</title>", drawn)[0])
        data |= {"text/plain": html.unescape(words), "text/html": page}
        return data, metadata

    def _room(self, wide: float, phone: float, under: Sequence[str]) -> str:
        """Return the room to keep: the drawing, and under it what may be moved."""
        known = [
            c for c in self.setup["controls"] if c["key"] not in self.setup["fixed"]
        ]
        chosen = [c for c in known if c["key"] in under]

        def rows(width: int) -> float:
            if len(chosen) > 1:  # a word and a menu each, two in a row on a wide page
                return 24 * len(chosen) if width > 480 else 37 * len(chosen)
            return sum(_under(c, width - 48) for c in chosen)

        return f"min-height:{sloping(wide + rows(688), phone + rows(328))}"


def _under(control: Control, width: int) -> float:
    """Return how high a control is: rows of radio buttons, or a slider."""
    if control["kind"] != "choice":
        return 54.0 if control.get("stops") else 26.0
    said = [] if control.get("quiet") else [control["label"]]
    return 30.4 * wrapped([*said, *control["options"].values()], 38, width + 16)


class Page:
    """What a reader can set on a page, for figures that draw it together.

    Parameters
    ----------
    name : str
        The page's name in links, ``#name:key=value``: a-z, 0-9, - and _.
    controls : sequence of dict
        What can be set; see `resizelab.teaching.explorers.controls`.
    start : dict
        The state that a reader meets, and to which a link adds its changes.
    items : callable
        ``items(state)`` gives the operators and arrays that a state needs, by key.
    states : iterable of dict
        Every state whose operators go with the page.
    kinds : sequence of str
        The drawings, each a file of ``kinds/``.
    words : dict
        The sentences of the drawings, as templates.
    looks : dict or sequence
        Classes of colour, and the name in `palette` that each looks like.
    told : dict
        Numbers that the prose may tell: name to (key of an array, how it is read).
    keys : dict
        What the drawings call "w", "x" or "look": a key of ``items`` with the state's
        values in it, such as ``"w|{grid}|{n_in}"``, and the class of their colour.
    """

    def __init__(
        self,
        name: str,
        controls: Sequence[Control],
        start: Mapping[str, Any],
        items: Callable[[State], dict[str, Item]],
        states: Iterable[State],
        *,
        kinds: Sequence[str],
        words: Mapping[str, str],
        told: Mapping[str, tuple[str, str]],
        looks: Mapping[str, str] | Sequence[str],
        keys: Mapping[str, str],
    ):
        if not _NAME.fullmatch(name):
            raise ValueError(f"name={name!r}: use a-z, 0-9, - and _, a letter first")
        self.name, self.controls, self.items = name, tuple(controls), items
        self.start = check_state(self.controls, start)
        self.store = f"{name}-{uuid.uuid4().hex[:8]}"
        self.kinds = tuple(kinds)
        self._words, self._told = dict(words), dict(told)
        mapped = looks if isinstance(looks, Mapping) else {n: n for n in looks}
        self.colours, self._states = colours(mapped), list(states)
        self._keys = dict(keys)
        self.figures: list[Figure] = []

    @property
    def state(self) -> State:
        """The page's present state; set it, and every figure follows."""
        return dict(self.figures[0].state) if self.figures else dict(self.start)

    @state.setter
    def state(self, state: Mapping[str, Any]) -> None:
        checked = check_state(self.controls, {**self.start, **state})
        for figure in self.figures:
            figure.state = checked

    def payload(self) -> bytes:
        """Return the operators of every state that goes with the page."""
        items: dict[str, Item] = {}
        for state in self._states:
            items.update(self.items(state))
        return pack(items)

    def figure(
        self,
        kind: str,
        name: str | None = None,
        control: str | Sequence[str] = (),
        keys: Mapping[str, str] | None = None,
        **fixed: Any,
    ) -> Figure:
        """Return a drawing of this page's state.

        ``name`` is its own name in links (by default its kind); ``control`` is the key
        that stands under it, where it is not the kind's own, or several: a bench;
        ``keys`` are more of the page's keys, for this drawing alone;
        ``fixed`` are values that it draws instead of the page's: a figure whose
        subject is one grid.
        """
        if kind not in self.kinds:
            raise ValueError(f"kind={kind!r}: allowed are {', '.join(self.kinds)}")
        name = name or kind
        if not _NAME.fullmatch(name) or name in [f.setup["name"] for f in self.figures]:
            raise ValueError(f"name={name!r}: a figure's name stands once on a page")
        check_state(self.controls, fixed)
        setup = {
            "page": self.name,
            "name": name,
            "fixed": fixed,
            "control": [control] if isinstance(control, str) else list(control),
            "controls": [ordered(c) for c in self.controls],
            "words": {**SHARED, **self._words},
            "told": {k: list(v) for k, v in self._told.items()},
            "keys": {**self._keys, **(keys or {})},
        }
        made = Figure(
            self,
            kind,
            setup=setup,
            state=dict(self.start),
            _esm=script(self.kinds),
            _css=SHEET + self.colours,
        )
        if not self.figures:
            made.payload = self.payload()
        self.figures.append(made)
        return made
