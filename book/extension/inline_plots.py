"""A plot stands in its page as SVG: its words are text, its hues follow the theme.

A cell gives each of its plots as SVG, too (``resizelab/teaching/inked.py``), with its
colours as variables.  Here the drawing takes the place of the picture that myst-nb
wrote, under the alternative text of its cell and in the page's language.  A picture of
many pixels within stands in a file beside the page, which need not wait for it.  The
values of the variables, for a light and a dark page, end the site's own style sheet.
"""

import base64
import hashlib
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

from resizelab.teaching import inked, palette
from resizelab.teaching.messages import say

# A picture of so many letters that it goes into a file.
DATA = re.compile(r'"data:image/(\w+);base64,([^"]{3000,})"')


class InlinePlots(SphinxPostTransform):
    """Put the drawing in the place of each picture that is one."""

    default_priority = 8  # which of a cell's forms a page shows has been decided
    builders = ("html",)

    def run(self, **_: Any) -> None:
        """Replace the pictures of one page."""
        for image in list(self.document.findall(nodes.image)):
            path = Path(self.app.srcdir) / image["uri"].lstrip("/")
            if path.suffix != ".svg":
                continue
            drawn = path.read_text(encoding="utf-8")
            if f'class="{inked.LOOK}' in drawn:
                html = inked.placed(inked.translated(drawn, say), image.get("alt", ""))
                html = DATA.sub(self._file, html)
                image.replace_self(nodes.raw("", html, format="html"))

    def _file(self, found: re.Match[str]) -> str:
        """Write a picture's bytes beside the pages; return its address there."""
        data = base64.b64decode(found[2])
        name = f"_images/{hashlib.sha256(data).hexdigest()[:20]}.{found[1]}"
        target = Path(self.app.outdir) / name
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(data)
        return f'"{"../" * self.env.docname.count("/")}{name}"'


def _name_colours(app: Sphinx, exception: Exception | None) -> None:
    """Write the values of the plots' colours into the site's style sheet."""
    sheet = Path(app.outdir) / "_static/site.css"
    if exception is None and sheet.is_file():
        text = sheet.read_text(encoding="utf-8")
        if (own := palette.sheet()) not in text:
            sheet.write_text(text + own, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Place the plots when a page is written, and their colours at the end."""
    app.add_post_transform(InlinePlots)
    app.connect("build-finished", _name_colours, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
