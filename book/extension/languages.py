"""Another language of the book: RESIZELAB_LANGUAGE=de builds it from two catalogues.

Both stand in ``book/locale/de/LC_MESSAGES``: ``book.po`` holds the pages (Sphinx takes
it from there), ``resizelab.po`` what Python, the figures and the site say. The second
is compiled here, and its name goes to every kernel; so what a page computed in one
language is not taken for another's. Each edition has a cache of its own, which begins
as the English one: pages without a word of ours run once for all languages.
"""

import os
import re
import shutil
import string
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from docutils import nodes
from sphinx.addnodes import toctree
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ConfigError
from sphinx_exercise.nodes import exercise_subtitle

from resizelab.teaching import messages

SETTING = "RESIZELAB_LANGUAGE"
LOCALE = "book/locale"
CODE = re.compile(r"[a-z]{2,3}(_[A-Z][A-Za-z]+)?")


def chosen() -> str:
    """Return the language that this build is in; "" is English."""
    code = os.environ.get(SETTING, "")
    if code and not CODE.fullmatch(code):
        raise ConfigError(f"{SETTING}={code!r}: a code such as de or zh_CN is needed")
    return code


def fields(text: str) -> set[str]:
    """Return the names of a message's fields; braces of a formula are none.

    >>> sorted(fields("{n} pixels, {w:.2f}"))
    ['n', 'w']
    """
    try:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name}
    except ValueError:
        return set()


def compiled(catalogue: Catalog, target: Path) -> None:
    """Write a catalogue as the kernels read it.

    Raises ConfigError for a translation whose fields are not its message's.
    """
    for message in catalogue:
        asked, given = (fields(text) for text in (message.id, message.string))
        if message.id and message.string and asked != given:
            raise ConfigError(
                f"the translation {message.string!r} has the fields {sorted(given)}; "
                f"its message {message.id!r} has {sorted(asked)}"
            )
    with target.open("wb") as file:
        write_mo(file, catalogue)


def _choose(app: Sphinx, code: str) -> None:
    """Compile this language's words, and tell Sphinx and the kernels of it."""
    folder = Path(app.srcdir) / LOCALE / code / "LC_MESSAGES"
    words = folder / "resizelab.po"
    if not words.is_file():
        known = sorted(p.parts[-3] for p in folder.parents[1].glob("*/*/resizelab.po"))
        raise ConfigError(f"{SETTING}={code!r}: {words} is missing; there are {known}")
    with words.open("rb") as file:
        compiled(read_po(file, locale=code), words.with_suffix(".mo"))
    os.environ[messages.CATALOGUE] = str(words.with_suffix(".mo"))
    messages.read()
    app.config.language = code
    app.config.locale_dirs = [LOCALE]
    # Sphinx read the words of its own when it had not yet heard of the language.
    app._init_i18n()


def _place_cache(app: Sphinx, config: Config) -> None:
    """Keep what pages printed beside the source, for the teacher's build too."""
    english = Path(app.srcdir) / "_build/.jupyter_cache"
    own = english.with_name(".jupyter_cache" + chosen())
    if not own.exists() and english.exists():
        shutil.copytree(english, own)
    config.nb_execution_cache_path = str(own)


def _folds(app: Sphinx, config: Config) -> None:
    """Say what folds a cell, or unfolds it."""
    config.nb_code_prompt_show = messages.say("Show code cell {type}")
    config.nb_code_prompt_hide = messages.say("Hide code cell {type}")


def _rest(app: Sphinx, doctree: nodes.document) -> None:
    """Say what Sphinx does not extract: captions, exercises' titles, alt texts."""
    for image in doctree.findall(nodes.image):
        if image.get("alt"):
            image["alt"] = messages.say(image["alt"])
    for title in doctree.findall(exercise_subtitle):
        told = messages.say(title.astext())
        title.children = (
            [nodes.Text(told)] if told != title.astext() else title.children
        )
    for menu in doctree.findall(toctree):
        if menu.get("caption"):
            menu["caption"] = messages.say(menu["caption"])


def setup(app: Sphinx) -> dict[str, bool]:
    """Choose the language before anything is read or run."""
    os.environ.pop(messages.CATALOGUE, None)
    if code := chosen():
        _choose(app, code)
    app.connect("config-inited", _place_cache)
    app.connect("config-inited", _folds)
    # After the menu has been put in.
    app.connect("doctree-read", _rest, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
