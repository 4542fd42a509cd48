"""The pipelines that were measured, by name."""

import tomllib
from functools import lru_cache
from importlib import resources

from resizelab import checks
from resizelab.modelfiles import files
from resizelab.pipelines.pipeline import Pipeline

_TOLD = tomllib.loads((resources.files(__package__) / "known.toml").read_text("utf-8"))


def rows(*kinds: str) -> list[tuple[str, str]]:
    """Return rows that people use in no pipeline below, each with its numbers."""
    return [(row, kind) for kind in kinds for row in _TOLD["rows"][kind]]


@lru_cache(maxsize=1)
def _every() -> dict[str, Pipeline]:
    rows = [Pipeline.from_fields(row) for row in _TOLD["pipeline"]]
    return {row.name: row for row in rows}


def names() -> tuple[str, ...]:
    """Return the names of all known pipelines.

    >>> "openai.clip" in names()
    True
    """
    return tuple(_every())


def named(name: str) -> Pipeline:
    """Return a known pipeline, else raise LookupError with the nearest name.

    >>> [moved.shape_out for _, moved in named("openai.clip").moves((171, 238))]
    [(224, 311), (224, 224)]
    """
    known = _every()
    if checks.a("name", name, str) not in known:
        raise LookupError(
            f"there is no pipeline {name!r}{checks.nearest_match(name, known)}; "
            "`resizelab pipeline show` lists them"
        )
    return known[name]


def asked(text: str) -> Pipeline:
    """Return a pipeline by its name, or that of a .json file.

    >>> asked("openai.clip").name
    'openai.clip'
    """
    if checks.a("text", text, str).endswith(".json"):
        return Pipeline.from_json(files.existing(text).read_text("utf-8"))
    return named(text)
