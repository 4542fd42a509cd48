"""A Matplotlib figure as SVG for a page: its words are text, its colours have names.

A colour of the palette becomes a CSS variable with the light page's value beside it,
so a page that knows the variables (``palette.sheet``) draws it for its theme, and any
other viewer as it was.  Pixels stay pixels: a picture is one small image within.  A
figure of nothing but pictures is made of parts, each an ``<svg>`` with its title, which
a narrow page may set in fewer columns.
"""

from __future__ import annotations

import html
import io
import re
import sys
import zlib
from collections.abc import Callable, Iterator
from typing import Any
from xml.etree import ElementTree as Tree

from resizelab.teaching import palette
from resizelab.teaching.extras import extra
from resizelab.teaching.small_images import smaller

with extra("inked", "plots"):
    import matplotlib as mpl
    from matplotlib.axes import Axes
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

LOOK = "rl-plot"
PART, PARTS = "rl-part", "rl-plot-parts"
WRAPS = "wraps"  # the label of a figure whose pictures may stand in other rows
SCALE = (
    1.5  # CSS pixels a point at most: 10 points are then as large as the page's text
)
EDGE = 3.0  # points of air around what is drawn
SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": LOOK,
    "savefig.bbox": None,
}
_SVG, _LINK = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1999/xlink}href"
_LONG = re.compile(r"-?\d+\.\d{3,}(?:e-?\d+)?")
# What browsers do by themselves.
_USUAL = {
    **{"stroke-linejoin": "miter", "stroke-miterlimit": "100000", "opacity": "1"},
    **{"stroke-width": "1", "fill-opacity": "1", "stroke-opacity": "1"},
}


def svg(figure: Figure) -> str:
    """Return a figure as one SVG element, its size in the points of its viewBox.

    >>> figure = Figure(figsize=(2, 1))
    >>> _ = figure.text(0.5, 0.5, "half", color=palette.style("half_pixel").light)
    >>> ">half</text>" in svg(figure), "var(--hue-blue,#0b62b8)" in svg(figure)
    (True, True)
    """
    for axes in figure.axes:
        # Only then is a turned label anchored in its middle, whatever its font.
        axes.yaxis.label.set_rotation_mode("anchor")
    canvas, file = figure.canvas, io.BytesIO()
    if not isinstance(canvas, FigureCanvasAgg):
        canvas = FigureCanvasAgg(figure)  # which then is the figure's own
    with mpl.rc_context(SETTINGS):
        figure.savefig(file, format="svg", metadata={"Date": None})
    root = Tree.fromstring(file.getvalue())
    renderer = canvas.get_renderer()  # type: ignore[no-untyped-call]
    box = figure.get_tightbbox(renderer)
    frame = _frame(figure, [72 * edge for edge in box.extents])
    drawn = _bare(root, zlib.crc32(file.getvalue()))
    style = "stroke-linejoin:round;stroke-linecap:butt;font-family:sans-serif"
    made = _element(frame, drawn, {"class": LOOK, "style": style})
    if _only_pictures(figure):
        parts = list(_parts(figure, renderer, drawn))
        made = _element(frame, parts, {"class": f"{LOOK} {PARTS}", "style": style})
    return Tree.tostring(made, encoding="unicode")


def shown() -> None:
    """Let a notebook keep each figure as SVG, too: the book's pages show that."""
    if ipython := sys.modules.get("IPython"):
        shell = ipython.get_ipython()
        if shell is not None:
            kept = shell.display_formatter.formatters["image/svg+xml"]
            kept.for_type(Figure, svg)


def placed(drawn: str, says: str) -> str:
    """Return what ``svg`` drew as HTML, named by what it ``says``; parts side by side.

    >>> placed('<svg class="rl-plot" viewBox="0 0 9 9"></svg>', "nine")
    '<svg role="img" aria-label="nine" class="rl-plot" viewBox="0 0 9 9"></svg>'
    """
    named = f'role="img" aria-label="{html.escape(says)}"' if says else ""
    head, rest = drawn.split(">", 1)
    if PARTS not in head:
        return f"<svg {named}{head.removeprefix('<svg')}>{rest}"
    # Where a row has room a part has its size, else its share; a page says of how many.
    wide, count = re.subn(
        rf'<svg [^>]*width="([\d.]+)" height="[\d.]+"[^>]*class="{PART}"',
        lambda part: f'{part[0]} style="--w:{SCALE * float(part[1]):.0f}px"',
        rest.removesuffix("</svg>"),
    )
    style = re.search(r'style="[^"]*"', head)
    assert style is not None, "svg() says how lines end"
    row = f'{style[0][:-1]};--n:{min(count, 4)}"'
    return f'<div {named} class="{LOOK} {PARTS}" {row}>{wide}</div>'


def translated(drawn: str, say: Callable[[str], str]) -> str:
    """Return what ``svg`` drew with each of its lines of words as ``say`` says it."""
    return re.sub(
        r"(?<=>)[^<>]+(?=</text>)",
        lambda line: html.escape(say(html.unescape(line[0])), quote=False),
        drawn,
    )


def _frame(figure: Figure, extents: list[float]) -> list[float]:
    """Return (x, y, width, height) in points, y down, of a box in points, y up."""
    x0, y0, x1, y1 = extents
    high = 72 * figure.get_figheight()
    size = x1 - x0 + 2 * EDGE, y1 - y0 + 2 * EDGE
    return [round(v, 1) for v in (x0 - EDGE, high - y1 - EDGE, *size)]


def _element(frame: list[float], inside: list[Any], more: dict[str, str]) -> Any:
    """Return an ``<svg>`` of a frame."""
    size = {"width": f"{SCALE * frame[2]:.0f}", "height": f"{SCALE * frame[3]:.0f}"}
    box = " ".join(f"{v:g}" for v in frame)
    space = {"xmlns": _SVG[1:-1], "viewBox": box}
    made = Tree.Element("svg", {**space, **size, **more})
    made.extend(inside)
    return made


def _only_pictures(figure: Figure) -> bool:
    """Say whether a figure is a row of pictures, or is said to be one that may wrap."""
    shown = [axes for axes in figure.axes if axes.axison]
    pictures = [a for a in shown if a.images and not len(a.get_xticks())]
    one_row = len({axes.get_position().y0 for axes in shown}) == 1
    wraps = one_row or figure.get_label() == WRAPS
    return wraps and len(shown) > 1 and pictures == shown and not figure.texts


def _parts(figure: Figure, renderer: Any, drawn: list[Any]) -> Iterator[Any]:
    """Yield the pictures of a figure, each with its title as an ``<svg>`` in it."""
    groups = [g for g in drawn if g.get("class") == "axes"]
    shared = [each for each in drawn if each not in groups]
    shown = [axes for axes in figure.axes if axes.axison]
    for axes, group in zip(shown, groups, strict=True):
        frame = _frame(figure, _points(axes, renderer))
        place = {"x": f"{frame[0]:g}", "y": f"{frame[1]:g}", "class": PART}
        made = _element(frame, [*shared, group], place)
        shared = []
        # Within the whole a part is as large as it is in points.
        made.set("width", f"{frame[2]:g}")
        made.set("height", f"{frame[3]:g}")
        yield made


def _points(axes: Axes, renderer: Any) -> list[float]:
    box = axes.get_tightbbox(renderer)
    assert box is not None, "an axes that is on has a box"
    return [72 * edge / renderer.dpi for edge in box.extents]


def _bare(root: Any, number: int) -> list[Any]:
    """Return what a figure's SVG draws, without what only Matplotlib needs."""
    text = Tree.tostring(root, encoding="unicode")
    used = set(re.findall(r'(?:url\(|href=")#([\w-]+)', text))
    for node in root.iter():
        node.tag = node.tag.removeprefix(_SVG)
        name = node.attrib.pop("id", "")
        if name.startswith("axes_"):
            node.set("class", "axes")
        if name in used:
            node.set("id", f"p{number:x}-{name}")
        _clean(node, number)
    figure, clips = root.findall("g"), root.findall("defs")[1:]
    # In front of all stands the paper: a page has its own.
    return _flat([*clips, *list(figure[0])[1:]])


def _clean(node: Any, number: int) -> None:
    """Shorten one element's attributes, and name its colours."""
    node.text, node.tail = (node.text or "").strip() or None, None
    for key, value in list(node.attrib.items()):
        if key == _LINK:
            del node.attrib[key]
            node.set("href", _place(value, number))
        elif key == "style":
            _styled(node, value)
        else:
            node.set(key, _place(_short(value), number))
    if node.get("transform", "").startswith("rotate(-0 "):
        del node.attrib["transform"]
    if node.tag == "image":
        smaller(node, SCALE)


def _place(value: str, number: int) -> str:
    return re.sub(r"^(url\()?#", rf"\1#p{number:x}-", value)


def _short(value: str) -> str:
    """Return numbers with two decimals, which is a fortieth of a pixel at most."""
    return _LONG.sub(lambda found: f"{float(found[0]):.2f}", value).strip()


def _styled(node: Any, value: str) -> None:
    rules = dict(re.findall(r"([\w-]+): *([^;]+)", value))
    rules.pop("font-family", None)  # the page says which; the size is the figure's
    kept = {k: v for k, v in rules.items() if _USUAL.get(k) != v}
    del node.attrib["style"]
    if kept:
        told = (f"{k}:{palette.variable(_short(v))}" for k, v in kept.items())
        node.set("style", ";".join(told))


def _flat(nodes: list[Any]) -> list[Any]:
    """Return elements without the groups that say nothing."""
    found = []
    for node in nodes:
        inside = _flat(list(node))
        if node.tag == "g" and not node.attrib:
            found += inside
            continue
        for part in list(node):
            node.remove(part)
        node.extend(inside)
        if node.tag in ("g", "defs") and not inside:
            continue
        found.append(node)
    return found
