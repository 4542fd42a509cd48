"""What every explorer shares: operators from Python, one module, one picture.

Python computes and the page multiplies and compares.  An explorer is one subclass
of ``Explorer`` and one ES module beside it.  The subclass says

* ``controls``: what the reader can move (see ``controls.py``),
* ``compute(state)``: the operators and arrays that this state needs, by key,
* ``states()``: the states whose operators are sent with the page,
* ``figure()`` and ``sentence()``: what a reader sees and reads where no script runs.

What the module gives stands above ``explorer`` in ``drawing.js``.

The same ``compute`` fills the page (``payload``) and answers the page while a
kernel is alive: the page sets ``request``, Python sets ``answer``.  There are no
custom messages, so the static host needs none.

**Say it, see it.**  A link in the prose sets the explorer on its page::

    [align_corners spreads them out](#grid:mode=align_corners,n_in=4,n_out=8)

After ``#`` stands the explorer's ``name`` and a colon, then ``key=value`` pairs
between commas, with the keys of its controls.  Several values of one control are
joined by ``+`` (``mode=half_pixel+asymmetric``), a flag is ``1`` or ``0``; what is
not named is as it was at the start, so that the sentence is true after every click.
``&`` joins the states of two explorers on one page.  The text is read as data: a key
or a value that no control allows is left out, and the explorer says so.  In MyST such
a link is no cross-reference, so ``_config.yml`` carries
``nitpick_ignore_regex: [["myst", "[a-z0-9_-]+:.*"]]`` under ``sphinx.config``.
"""

from __future__ import annotations

import base64
import io
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import anywidget
import traitlets
from numpy.typing import NDArray
from rjsmin import jsmin

from resizelab.axis.operator import Weights
from resizelab.teaching import palette
from resizelab.teaching.messages import say, spoken
from resizelab.teaching.words import SHARED

from .controls import Control, State, check_state
from .payload import pack

KEPT = 256  # pixels of a reader's photograph, across and down
_HERE = Path(__file__).parent
# The theme puts a light, padded panel behind any HTML output on a dark page.
_BARE = (
    ".text_html:has(>.resizelab-place){padding:0!important;background:0 0!important}"
)
_COLOURS = 64
_IMPORT = re.compile(r'import \{[^}]*\} from "./(\w+\.js)";\n')
_VIEW = "application/vnd.jupyter.widget-view+json"

Item = Weights | NDArray[Any]


def module(name: str) -> str:
    """Return the ES module ``name`` with the drawing helpers written into it.

    A page must not import anything by address (it may come from a file), so the
    import line is replaced by the helpers themselves.
    """
    *parts, own = _parts(name)
    return str(jsmin("".join(map(bare, parts)) + own))


def helpers(name: str) -> str:
    """Return the part ``name`` and all that it imports, as they stand in a module."""
    return "".join(map(bare, _parts(name)))


def late(name: str) -> str:
    """Return a part that a module loads once it is needed, as a plain script.

    From disk a page may load a script but import nothing.  The script leaves a
    function: given what its parts have of drawing.js, it returns what ``name`` exports.
    """
    drawing, *parts = _parts(name)
    exported = r"^export (?:async )?(?:function|const) (\w+)"
    given = ", ".join(re.findall(exported, drawing, re.MULTILINE))
    (gives,) = re.findall(exported, parts[-1], re.MULTILINE)
    body = "".join(map(bare, parts))
    told = f"globalThis.resizelabLate=({{{given}}})=>{{\n{body}\nreturn {gives}}};\n"
    return str(jsmin(told))


def _parts(name: str) -> list[str]:
    """Return the texts of all that a script imports, drawing.js first, and its own."""
    asked: list[str] = []
    found: list[str] = []

    def take(part: str) -> None:
        asked.append(part)
        text = (_HERE / part).read_text(encoding="utf-8")
        for other in _IMPORT.findall(text):
            if other not in asked:
                take(other)
        found.append(_IMPORT.sub("", text))

    take(name)
    if asked[1:2] != ["drawing.js"]:
        raise ValueError(f"{name} imports {asked[1:]}: drawing.js has to be the first")
    return found


def bare(shared: str) -> str:
    """Return the helpers without their exports, as they stand in a module."""
    return re.sub(r"^export ", "", shared, flags=re.MULTILINE)


def styles() -> str:
    """Return the style sheet that all explorers share."""
    return (_HERE / "widgets.css").read_text(encoding="utf-8")


def ordered(control: Control) -> dict[str, Any]:
    """Return a control in the readers' language, the order of its options beside them.

    A notebook that is saved sorts the keys of every object.
    """
    told = dict(control)
    for part in ("label", "hint"):
        if part in control:
            told[part] = say(control[part])
    if "options" in control:
        told |= {"options": spoken(control["options"]), "order": [*control["options"]]}
    return told


def _told(control: Control) -> dict[str, Any]:
    """Return a control with its options' order and what it says where it is off."""
    told = ordered(control)
    if control.get("live"):
        told["off"] = f"{told.get('hint', '')} {SHARED['off']}".strip()
    return told


def _look(name: str) -> list[Any]:
    look = palette.style(name)
    return [look.light, look.dark, palette.corners(look.marker)]


def sloping(wide: float, phone: float) -> str:
    """Return a height in CSS between that of a phone and that from 760 pixels on."""
    slope = (phone - wide) / (760 - 360)
    line = f"{phone + 360 * slope:.0f}px - {100 * slope:.1f}vw"
    low, high = sorted((wide, phone))
    return f"clamp({low:.0f}px, {line}, {high:.0f}px)"


def rows(words: Iterable[str], around: float, room: float) -> int:
    """Return how many rows words make, each with so many pixels around it.

    >>> rows(["linear", "cubic"], around=40, room=320), rows(["nearest"] * 4, 40, 320)
    (1, 2)
    """
    made, left = 1, room
    for word in words:
        wide = 7.6 * len(word) + around
        made, left = (made, left) if left >= wide else (made + 1, room)
        left -= wide
    return made


class Explorer(anywidget.AnyWidget):  # type: ignore[misc]
    """One idea a reader can move: see the module's text for the contract.

    ``name`` is the explorer's name in links, so it must differ between two
    explorers of one page; ``state`` holds the controls' values and may be set from
    Python at any time.
    """

    name = traitlets.Unicode("explorer").tag(sync=True)
    setup = traitlets.Dict().tag(sync=True)
    state = traitlets.Dict().tag(sync=True)
    payload = traitlets.Bytes(b"").tag(sync=True)
    late = traitlets.Unicode("").tag(sync=True)  # see the function of that name
    request = traitlets.Dict().tag(sync=True)
    answer = traitlets.Bytes(b"").tag(sync=True)

    controls: Sequence[Control] = ()
    heading: ClassVar[str] = ""
    says: ClassVar[Mapping[str, str]] = {}  # its sentences, for its module
    caption: str = ""
    # Pixels kept free before the script has drawn, on a wide page and on a phone:
    # the page must not jump.
    height: tuple[int, int] = (420, 560)

    def __init__(self, name: str, start: Mapping[str, Any], looks: Iterable[str] = ()):
        if not re.fullmatch(r"[a-z][a-z0-9_-]*", name):
            raise ValueError(
                f"name={name!r}: it stands in links, so use a-z, 0-9, - and _, "
                "and begin with a letter"
            )
        super().__init__(name=name, state=dict(start))
        self.setup = {
            "heading": self.heading,
            "caption": self.caption,
            "height": self.room(),
            "words": {**SHARED, **self.says},
            "controls": [_told(c) for c in self.controls],
            "looks": {n: _look(n) for n in looks},
        }
        self.payload = self.export()
        self.observe(self._answer, "request")

    @traitlets.validate("state")  # type: ignore[untyped-decorator]
    def _checked(self, proposal: Any) -> State:
        return check_state(self.controls, proposal["value"])

    def compute(self, state: State) -> dict[str, Item]:
        """Return the operators and arrays that ``state`` needs, by key."""
        raise NotImplementedError(f"{type(self).__name__} has no compute()")

    def states(self) -> Iterable[State]:
        """Return the states whose operators are sent with the page."""
        return [dict(self.state)]

    def figure(self) -> Any:
        """Return a Matplotlib figure of the starting state."""
        raise NotImplementedError(f"{type(self).__name__} has no figure()")

    def sentence(self) -> str:
        """Return what the starting state shows, in one sentence."""
        return self.caption

    def export(self) -> bytes:
        """Return the operators of all ``states()`` as one box (see payload.py)."""
        items: dict[str, Item] = {}
        for state in self.states():
            items.update(self.compute(state))
        return pack(items)

    def _answer(self, change: Any) -> None:
        """Compute what the page asks for; a wrong question gets its reason back."""
        asked = change["new"]
        meta = {"id": asked.get("id")}
        try:
            state = check_state(self.controls, asked.get("state", {}))
            box = pack(self.compute(state), meta)
        except (ValueError, TypeError, KeyError) as error:
            box = pack({}, {**meta, "error": str(error)})
        self.answer = box

    def room(self) -> str:
        """Return the height to keep free, in CSS, sloping from a phone to 760 px."""
        return sloping(*self.height)

    def stills(self) -> tuple[bytes, str]:
        """Return the starting state's figure: PNG of few colours, and SVG in HTML."""
        # Imported here: a page with a kernel never needs Matplotlib, nor the Pillow
        # that Matplotlib brings.
        from matplotlib import pyplot
        from PIL import Image

        from resizelab.teaching import fonts, inked, plots

        drawn, out = io.BytesIO(), io.BytesIO()
        with plots.style(), pyplot.rc_context({"font.family": fonts.families()}):
            figure = self.figure()
            page = inked.placed(inked.svg(figure), self.sentence())
            figure.savefig(drawn, format="png", dpi=100, facecolor="white")
        pyplot.close(figure)
        # A page carries a figure for each explorer: a palette takes a third of it.
        few = (
            Image.open(drawn)
            .convert("RGB")
            .quantize(_COLOURS, dither=Image.Dither.NONE)
        )
        few.save(out, "PNG", optimize=True)
        return out.getvalue(), page

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """Show the live explorer; elsewhere a figure and a sentence."""
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        image, still = self.stills()
        view = json.dumps(data[_VIEW])
        # A page that prefers text/html keeps the room free while it loads, and has
        # a figure for readers without scripts.
        page = (
            f'<div class="resizelab-place" style="min-height:{self.room()}">'
            f'<style>{_BARE}</style><script type="{_VIEW}">{view}</script>'
            f"<noscript><style>.resizelab-place{{min-height:0!important}}</style>"
            f"{still}</noscript></div>"
        )
        shown = base64.b64encode(image).decode()
        told = {"text/plain": self.sentence(), "text/html": page}
        data |= {"image/png": shown, **told}
        return data, metadata
