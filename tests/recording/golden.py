"""Read the recorded engine values in ``tests/golden``.

One library is two files. ``<library>.json`` says which version was run, when, and
on what; for each row of the conventions table it holds the call, the arguments and
the keys of its arrays. ``<library>.npz`` holds the arrays, each distinct one once:
the matrices of a row lie end to end, float32, in the order of its size pairs.
``cases.json`` holds single runs that answer public reports.
"""

import io
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

FOLDER = Path(__file__).parents[1] / "golden"


@dataclass(frozen=True)
class Matrix:
    """One measured operator: ``w`` is (n_out, n_in), float32."""

    n_in: int
    n_out: int
    w: np.ndarray


@dataclass(frozen=True)
class Picture:
    """One run on a seeded picture: ``y`` is what the engine made of ``x``."""

    x: np.ndarray
    y: np.ndarray


@dataclass(frozen=True)
class Row:
    """What was recorded of one row of the conventions table."""

    name: str
    library: str
    call: str
    arguments: dict[str, Any]
    matrices: tuple[Matrix, ...]
    pictures: tuple[Picture, ...]
    refused: dict[str, str] = field(default_factory=dict)  # size or dtype: reason


@dataclass(frozen=True)
class Case:
    """One run of an engine that answers a public report, with its tolerance."""

    id: str
    link: str
    engine: str
    engine_version: str
    call: str
    arguments: dict[str, Any]
    scale: Any
    x: np.ndarray
    expected: np.ndarray
    tolerance: float

    def convention(self, library: str) -> SimpleNamespace:
        """Return the case as the engines take it."""
        return SimpleNamespace(
            library=library, call=self.call, arguments=self.arguments
        )


def libraries(folder: Path = FOLDER) -> list[str]:
    """Return the libraries whose rows have recorded values."""
    files = folder.glob("*.npz")  # pipelines are recorded beside them
    sidecars = {f.stem: _sidecar(f.with_suffix(".json")) for f in files}
    return sorted(stem for stem, sidecar in sidecars.items() if "rows" in sidecar)


def header(library: str, folder: Path = FOLDER) -> dict[str, Any]:
    """Return what was run: library, version, date, machine."""
    sidecar = _sidecar(folder / f"{library}.json")
    return {key: sidecar[key] for key in ("library", "version", "date", "machine")}


def names(library: str, folder: Path = FOLDER) -> list[str]:
    """Return the names of the rows recorded for a library."""
    return list(_sidecar(folder / f"{library}.json")["rows"])


def index(folder: Path = FOLDER) -> dict[str, str]:
    """Return the library of every recorded row."""
    return {
        name: library
        for library in libraries(folder)
        for name in names(library, folder)
    }


def row(name: str, library: str | None = None, folder: Path = FOLDER) -> Row:
    """Return one row with its arrays; KeyError if nothing was recorded of it."""
    library = index(folder)[name] if library is None else library
    sidecar = _sidecar(folder / f"{library}.json")
    entry = sidecar["rows"][name]
    arrays = _arrays(folder / f"{library}.npz")
    flat = arrays[entry["matrices"]]
    pictures = tuple(Picture(arrays[x], arrays[y]) for x, y in entry["pictures"])
    measured = entry.get("pairs", sidecar["pairs"])
    return Row(
        name,
        library,
        entry["call"],
        entry["arguments"],
        tuple(_cut(flat, measured)),
        pictures,
        entry["refused"],
    )


def _cut(flat: np.ndarray, sizes: list[list[int]]) -> Iterator[Matrix]:
    """Cut matrices that lie end to end back into shape."""
    start = 0
    for n_in, n_out in sizes:
        stop = start + n_in * n_out
        yield Matrix(n_in, n_out, flat[start:stop].reshape(n_out, n_in))
        start = stop
    if start != len(flat):
        raise ValueError(f"{len(flat)} numbers recorded for sizes that need {start}")


def cases() -> list[Case]:
    """Return the recorded runs that answer public reports."""
    return [
        Case(
            entry["id"],
            entry["link"],
            entry["engine"],
            entry["engine_version"],
            entry["find"]["call"],
            entry["find"]["arguments"],
            entry["find"]["scale"],
            np.array(entry["input"], entry["input_dtype"]),
            np.array(entry["expected"], entry["expected_dtype"]),
            entry["tolerance"],
        )
        for entry in json.loads((FOLDER / "cases.json").read_text(encoding="utf-8"))
    ]


@lru_cache(maxsize=4)
def _arrays(path: Path) -> Any:
    """Return the arrays of one library, read when they are asked for."""
    # From memory, so that no file is left open.
    return np.load(io.BytesIO(path.read_bytes()))


@lru_cache(maxsize=32)
def _sidecar(path: Path) -> dict[str, Any]:
    """Return the parsed JSON beside the arrays of one library."""
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return loaded
