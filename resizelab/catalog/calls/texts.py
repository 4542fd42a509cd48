"""Pieces of a call's text, for the modules that write theirs."""

from collections.abc import Mapping
from typing import Any


def keywords(arguments: Mapping[str, Any]) -> str:
    """Return arguments as text that goes on after the first.

    >>> keywords({"mode": "bilinear"})
    ", mode='bilinear'"
    """
    return "".join(f", {k}={v!r}" for k, v in arguments.items())
