"""A teacher's salt: who lacks it cannot draw an exam's variants, whatever the seed.

It is a text of at least twelve letters, kept in a file or in the environment variable
RESIZELAB_EXAM_SALT. It stands on no sheet, in no key and in no error.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import secrets
from collections.abc import Mapping
from pathlib import Path

VARIABLE = "RESIZELAB_EXAM_SALT"
_LEAST = 12


def new(path: str | Path) -> Path:
    """Write a salt drawn by the system into a file that only its owner reads.

    Raises FileExistsError for a file that is there: its exams would be lost.
    """
    path = Path(path)
    with os.fdopen(
        os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w"
    ) as f:
        f.write(secrets.token_urlsafe(24) + "\n")
    return path


def found(
    path: str | Path | None = None, environment: Mapping[str, str] | None = None
) -> str | None:
    """Return the salt in the file ``path``, else the environment's, else None.

    Raises ValueError, without the salt, for one that could be guessed.
    """
    if path is not None:
        return checked(Path(path).read_text(encoding="utf-8"), f"the file {path}")
    text = (os.environ if environment is None else environment).get(VARIABLE)
    return checked(text, VARIABLE) if text else None


def checked(salt: object, what: str = "salt") -> str:
    """Return ``salt`` without white space around it, or say what is wrong with it."""
    if not isinstance(salt, str):
        raise TypeError(f"{what} must be a text; got a {type(salt).__name__}")
    bare = salt.strip()
    if len(bare) < _LEAST:
        raise ValueError(f"{what} must have at least {_LEAST} letters; has {len(bare)}")
    return bare


def mixed(salt: str, text: str) -> bytes:
    """Return 32 bytes that only who has the salt can compute from ``text``."""
    return hmac.digest(checked(salt).encode(), text.encode(), hashlib.sha256)


def code(salt: str, seed: int) -> str:
    """Return five letters that name a sheet: they tell neither seed nor salt.

    >>> code("a salt for this page", 7)
    'KQA4B'
    """
    return base64.b32encode(mixed(salt, f"sheet {seed}"))[:5].decode()
