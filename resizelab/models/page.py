"""Two models that part as one HTML file: what differs, where, by how much."""

import base64
from html import escape
from io import BytesIO

import numpy as np
from numpy.typing import NDArray

from resizelab.models.comparison import BLIND, LISTED, Comparison, Line, Map
from resizelab.models.mended import Mended
from resizelab.text import shown

# Nothing of the page may run or be fetched, whatever the names in it say.
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
STYLE = """
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto;
  padding: 0 1rem; color-scheme: light dark }
table { border-collapse: collapse; display: block; overflow-x: auto }
th, td { padding: .2rem .7rem; text-align: right; border-bottom: 1px solid #8888 }
th:first-child, td:first-child { text-align: left; overflow-wrap: anywhere }
figure { display: inline-block; margin: 0 1rem 1rem 0; max-width: 18rem }
pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: .5rem;
  border: 1px solid #8888 }
img { width: 16rem; image-rendering: pixelated; border: 1px solid #888 }
"""


def page(report: Comparison | Mended) -> str:
    """Return a comparison, or what `mend` found, as an HTML file that needs no other.

    The first line of the summary stands out, and so do the commands in it.
    """
    first, *rest = report.summary()
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
        f"<title>{report.title}</title>",
        f"<style>{STYLE}</style></head><body>",
        f"<h1>{report.title}</h1>",
        f"<p><strong>{_safe(first)}</strong></p>",
        *map(_paragraph, rest),
        *map(_figure, report.maps),
        *_table([line for line in report.lines if line.differs]),
        *(f"<p>Resize: {_safe(text)}</p>" for text in report.resizes),
        "</body></html>",
    ]
    return "\n".join(parts)


def _paragraph(line: str) -> str:
    words, mends, command = line.partition("mend: resizelab ")
    if not mends or words:
        return f"<p>{_safe(line)}</p>"
    return f"<p>mend:</p><pre>resizelab {_safe(command)}</pre>"


def _safe(text: object) -> str:
    return escape(shown(text))


def _figure(where: Map) -> str:
    name, words = _safe(where.tensor), _safe(where.words)
    text = f"{name}: {words}"
    source = f"data:image/png;base64,{_png(where.pixels)}"
    caption = f"<figcaption>{text}; darkest where the error is largest</figcaption>"
    return f'<figure><img alt="{text}" src="{source}">{caption}</figure>'


def _png(pixels: NDArray[np.uint8]) -> str:
    try:
        from PIL import Image
    except ModuleNotFoundError as error:
        words = "a page with pictures needs Pillow: pip install pillow"
        raise ImportError(words) from error
    stream = BytesIO()
    Image.fromarray(255 - pixels).save(stream, "PNG")
    return base64.b64encode(stream.getvalue()).decode("ascii")


def _table(lines: list[Line]) -> list[str]:
    if not lines:
        return []
    heads = ("result", "node", "largest error", "of the largest value", "cosine")
    rows = [f"<tr>{''.join(f'<th>{head}</th>' for head in heads)}</tr>"]
    for line in lines[:LISTED]:
        numbers = f"{line.largest:.3g}", f"{line.relative:.2g}", f"{line.cosine:.6f}"
        cells = (_safe(line.tensor), _safe(line.op), *numbers)
        rows.append(f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>")
    more = f"<p>And {len(lines) - LISTED} more.</p>" if len(lines) > LISTED else ""
    return [f"<table>{''.join(rows)}</table>", more, f"<p>{_safe(BLIND)}</p>"]
