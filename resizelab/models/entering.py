"""What enters each of two models from one photograph, and where that parts."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from resizelab import pipelines
from resizelab.modelfiles import files
from resizelab.models import passport
from resizelab.models.feeding import Array, is_picture
from resizelab.pipelines import Pipeline

PLAIN = (
    "no preprocessing was told (--pipeline, or the model's passport): a picture is "
    "resized to the input's size and divided by 255, for both sides alike"
)


@dataclass(frozen=True)
class Entering:
    """Arrays for the first model and, where they may differ, for the second; words.

    ``command`` writes what the first reads, for the second to read it, too.
    """

    feeds: Mapping[str, Array]
    feeds_b: Mapping[str, Array] | None = None
    words: tuple[str, ...] = ()
    command: str = ""


def entering(
    models: tuple[files.PathLike, files.PathLike],
    feeds: Mapping[str, Array],
    photo: files.PathLike | None = None,
    feeds_b: Mapping[str, Array] | None = None,
    texts: tuple[str | None, str | None] = (None, None),
) -> Entering:
    """Return what enters two models.

    A ``photo`` goes through the pipelines of ``texts`` (a name, a .json file), or those
    of the models' passports; one that only one side has is that of both. ``feeds`` are
    arrays that are read as they are, ``feeds_b`` what the second reads, if known.
    """
    a, b = (
        pipelines.asked(text) if text else _carried(path)
        for text, path in zip(texts, models, strict=True)
    )
    a, b = a or b, b or a
    if photo is None or a is None or b is None:
        plain = any(map(is_picture, feeds.values()))
        return Entering(feeds, feeds_b, (PLAIN,) * plain)
    first = {"": a.run(photo)}
    asked = ["pipeline", "run", texts[0] or texts[1] or a.name, "--image", str(photo)]
    command = shlex.join(["resizelab", *asked, "-o", "input.npy"])
    words = [f"pipeline: {a.name}"]
    if feeds_b is not None:
        (tensor,) = feeds_b.values()
        try:
            found = pipelines.identify(photo, tensor)
            words += [f"second input: {line}" for line in str(found).splitlines()]
        except ValueError as error:
            words.append(f"the second input is not named: {error}")
        return Entering(first, feeds_b, tuple(words), command)
    if a.stages == b.stages:
        return Entering(first, None, tuple(words))
    try:
        told = str(pipelines.compare(a, b, photo)).splitlines()
    except ValueError as error:  # gamma and alpha are no line of values
        told = [f"pipelines {a.name} and {b.name}: {error}"]
    words = [f"pipelines: {a.name}, {b.name}", *told]
    return Entering(first, {"": b.run(photo)}, tuple(words), command)


def _carried(path: files.PathLike) -> Pipeline | None:
    """Return the pipeline of a model's passport, or None."""
    if not Path(path).is_file():
        return None
    try:
        return passport.read(path).pipeline
    except (LookupError, ValueError):
        return None
