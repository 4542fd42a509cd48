"""Numbers in the prose that a reader can move, or that follow the page's state.

``{scrub}`8 <grid:n_out>` `` is a slider in the sentence: drag it, or use the arrow
keys; ``{scrub}`8 <grid:n_out:2>` `` goes no lower than 2, where the sentence would not
be true. ``{told}`0.43 <grid:step:align_corners>` `` is read off the page's state. What
stands before the bracket is the start's number: a page without scripts, and a PDF,
show that. `tests/teaching/test_figures.py` compares it with the figures' own.
"""

import re
from typing import Any

from docutils import nodes
from docutils.parsers.rst.states import Inliner
from sphinx.application import Sphinx

TARGET = re.compile(r"\s*(.+?)\s*<([a-z][\w-]*):([^>]+)>\s*", re.DOTALL)


class Number(nodes.inline):
    """A number with the attributes that the page's script looks for."""


def _role(attribute: str) -> Any:
    def role(
        name: str,
        rawtext: str,
        text: str,
        lineno: int,
        inliner: Inliner,
        options: Any = None,
        content: Any = (),
    ) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        found = TARGET.fullmatch(text)
        if found is None:
            message = inliner.reporter.error(
                f"{name} needs `number <page:key>`; got {text!r}", line=lineno
            )
            return [inliner.problematic(rawtext, rawtext, message)], [message]
        shown, page, key = found.groups()
        data = {attribute: f"{page}:{key}"}
        if attribute == "data-scrub":
            key, _, least = key.partition(":")
            data = {attribute: f"{page}:{key}"} | (
                {"data-least": least} if least else {}
            )
        return [Number(rawtext, shown, data=data)], []

    return role


def _visit(self: Any, node: Number) -> None:
    said = " ".join(f'{key}="{value}"' for key, value in node["data"].items())
    self.body.append(f"<span {said}>")


def _depart(self: Any, node: Number) -> None:
    self.body.append("</span>")


def _plain(self: Any, node: Number) -> None:
    """Leave the number as it is, where nothing moves."""


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the two roles."""
    plain = (_plain, _plain)
    app.add_node(Number, html=(_visit, _depart), latex=plain, text=plain)
    app.add_role("scrub", _role("data-scrub"))
    app.add_role("told", _role("data-tell"))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
