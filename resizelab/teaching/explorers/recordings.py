"""What the real libraries return for integer pictures: taken here, or read from a file.

Integer results are no matrix times the input, so a page cannot compute them. It shows
the bytes that the library itself returned, with the library's version. This module
runs no library: it is handed what does (``resizelab.engines``).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from resizelab.axis.convention import Convention

Levels = Mapping[str, NDArray[np.uint8]]
REFUSALS = (RuntimeError, TypeError, ValueError, NotImplementedError)


@dataclass(frozen=True)
class Recording:
    """One convention's integer results: ``levels`` by "picture|n_out".

    ``told`` is the library's version, or why there are no results; ``date`` is empty
    where the library ran just now; ``floats`` says that integers come back as floats.
    """

    told: str
    levels: Levels
    date: str = ""
    floats: bool = False

    @property
    def words(self) -> str:
        """The version, and the day where it was not today."""
        return f"{self.told}, recorded {self.date}" if self.date else self.told


def take(
    convention: Convention, engines: Any, pictures: Levels, sizes: Iterable[int]
) -> Recording:
    """Run the real library on uint8 pictures, to square results of some sizes.

    Raises what ``engines`` raises where the library is not installed. A library that
    answers in floats, or refuses uint8, gives a recording without levels that says so.
    """
    number = (engines.version(convention.library) or "").split("+")[0]
    version = f"{convention.library} {number}"
    levels: dict[str, NDArray[np.uint8]] = {}
    for key, m in product(pictures, sizes):
        try:
            y = engines.run(convention, pictures[key], (m, m))
        except REFUSALS as error:
            first = (str(error).strip() or type(error).__name__).splitlines()[0]
            return Recording(f"{version} refuses uint8: {first[:80]}", {})
        if y.dtype != np.uint8:
            told = f"{version} ({y.dtype} for uint8)"
            return Recording(told, {}, floats=y.dtype.kind == "f")
        levels[f"{key}|{m}"] = np.asarray(y)
    return Recording(version, levels)


def write(path: str | Path, recordings: Mapping[str, Recording], date: str) -> None:
    """Write recordings to an ``.npz`` file, with the day they were taken.

    The results of one size lie in one array, picture by picture: a file of many small
    arrays would be mostly their headers.
    """
    told, stacks = {}, {}
    for name, r in recordings.items():
        told[name] = {"told": r.told, "date": date, "floats": r.floats}
        cases = [key.split("|") for key in r.levels]
        pictures = list(dict.fromkeys(picture for picture, _ in cases))
        told[name]["pictures"] = pictures
        for m in dict.fromkeys(m for _, m in cases):
            stacks[f"{name}|{m}"] = np.stack([r.levels[f"{p}|{m}"] for p in pictures])
    arrays: dict[str, Any] = {"told": np.array(json.dumps(told)), **stacks}
    np.savez_compressed(path, **arrays)


def read(path: str | Path) -> dict[str, Recording]:
    """Read what ``write`` wrote."""
    with np.load(path, allow_pickle=False) as file:
        told = json.loads(str(file["told"]))
        levels: dict[str, dict[str, NDArray[np.uint8]]] = {name: {} for name in told}
        for key in file.files:
            name, _, m = key.partition("|")
            if m:
                stack = zip(told[name]["pictures"], file[key], strict=True)
                levels[name].update({f"{picture}|{m}": y for picture, y in stack})
    return {
        name: Recording(t["told"], levels[name], t["date"], t["floats"])
        for name, t in told.items()
    }


def gather(
    conventions: Mapping[str, Any],
    engines: Any,
    recorded: str | Path | None,
    pictures: Levels,
    sizes: Iterable[int],
) -> dict[str, Recording]:
    """Return a recording a convention: from its library, else from the file.

    A bare Spec has no library, and its recording says so.
    """
    kept = read(recorded) if recorded is not None else {}
    found, every = {}, list(sizes)
    for name, convention in conventions.items():
        if not isinstance(convention, Convention):
            found[name] = Recording("no library: floats", {}, floats=True)
            continue
        try:
            found[name] = take(convention, engines, pictures, every)
        except engines.EngineMissing as missing:
            found[name] = kept.get(name) or Recording(str(missing), {})
    return found
