"""Every sentence that readers see is a message: English here, others in a catalogue.

``say("{n} pixels", n=4)`` looks a sentence up and then fills its fields in, so a
message is the same whatever the numbers are. ``spoken({key: sentence})`` does so for a
table of words that the page's scripts fill in. The catalogue is one compiled file; the
build of the book names it, and the kernels that run the pages inherit that. Nothing is
looked up without it. See "A new language" in CONTRIBUTING.md.
"""

from __future__ import annotations

import gettext
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

# The environment's name for the compiled catalogue (.mo) of this process.
CATALOGUE = "RESIZELAB_MESSAGES"
Key = TypeVar("Key")


_told = gettext.NullTranslations()


def read() -> None:
    """Read the catalogue that the environment names; without one, speak English."""
    global _told
    path = os.environ.get(CATALOGUE)
    if path:
        with Path(path).open("rb") as file:
            _told = gettext.GNUTranslations(file)
    else:
        _told = gettext.NullTranslations()


def language() -> str:
    """Return the code of the readers' language.

    >>> language()
    'en'
    """
    return str(_told.info().get("language", "en"))


def say(text: str, /, **fields: object) -> str:
    """Return a message in the readers' language, with its fields filled in.

    A message without fields is taken as it stands: its braces are for others to fill.

    >>> say("{n} pixels", n=4)
    '4 pixels'
    """
    told = _told.gettext(text) if text else text
    return told.format(**fields) if fields else told


def spoken(table: Mapping[Key, str]) -> dict[Key, str]:
    """Return a table of messages in the readers' language.

    >>> spoken({"tap": "{w} of pixel {j}"})
    {'tap': '{w} of pixel {j}'}
    """
    return {key: say(text) for key, text in table.items()}


def spoken_below(data: Any, *keys: str) -> Any:
    """Return data, of TOML say, with every text below one of some keys a message.

    >>> spoken_below({"page": {"busy": "Looking…"}, "kind": "x"}, "page")
    {'page': {'busy': 'Looking…'}, 'kind': 'x'}
    """
    if isinstance(data, str):
        return data if keys else say(data)
    if isinstance(data, Mapping):
        return {
            k: spoken_below(v, *(() if k in keys else keys)) for k, v in data.items()
        }
    if isinstance(data, list):
        return [spoken_below(each, *keys) for each in data]
    return data


# At once and not when first asked: so a page that may speak is known by this file.
read()
