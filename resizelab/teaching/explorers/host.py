"""The script that runs the explorers on a page without a kernel."""

import json
from importlib import resources

from rjsmin import jsmin

from resizelab.teaching.page_words import HOST


def script() -> str:
    """Return ``host.js`` as a page loads it: short, in the readers' language.

    >>> "WORDS={}" in script()
    False
    """
    text = (resources.files(__package__) / "host.js").read_text("utf-8")
    return str(jsmin(text.replace("WORDS = {}", f"WORDS = {json.dumps(HOST)}")))
