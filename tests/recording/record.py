"""Run every installed engine and record what it does in ``tests/golden``.

``tests/recording/record.py`` records every live row of the conventions table, with
names of libraries only the rows of those.
"""

import argparse
import datetime
import json
import platform
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
from golden import FOLDER

import resizelab as rl
from resizelab import engines

# Borders, exact ties, single pixels, equal sizes, one pair where float32 misses.
PAIRS = [
    *[(4, 8), (3, 6), (5, 15), (2, 7), (5, 8), (4, 7), (7, 10), (6, 13), (16, 17)],
    *[(11, 32), (2, 41), (3, 5), (8, 4), (9, 3), (16, 4), (7, 3), (10, 3), (13, 5)],
    *[(3, 2), (17, 16), (5, 4), (10, 7), (20, 11), (5, 3), (6, 4), (64, 7)],
    *[(5, 1), (8, 1), (2, 1), (1, 1), (1, 2), (1, 4), (1, 7), (5, 5), (8, 8)],
]
LENGTHS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 16, 26]  # where the row has a scale
KINDS = {"integers": ("uint8", "uint16"), "floats": ("float32", "float64")}
PICTURES = {
    1: [((7,), (11,)), ((9,), (4,)), ((8,), (3,))],
    2: [
        *[((5, 7), (8, 11)), ((9, 6), (4, 4)), ((4, 6), (6, 3))],
        *[((6, 8), (3, 4)), ((3, 4), (6, 8)), ((8, 4), (3, 6))],
    ],
    3: [((3, 4, 5), (5, 3, 8)), ((4, 4, 6), (2, 2, 3))],
}


def table() -> list[Any]:
    """Return the live rows of the conventions table."""
    rows = [rl.convention(name) for name in rl.conventions()]
    return [row for row in rows if row.status == "live"]


class Store:
    """Arrays to be written, each distinct one once."""

    def __init__(self) -> None:
        self.arrays: dict[str, np.ndarray] = {}
        self._keys: dict[tuple[str, tuple[int, ...], bytes], str] = {}

    def add(self, array: np.ndarray) -> str:
        """Keep ``array`` and return the key it is stored under."""
        content = (str(array.dtype), array.shape, array.tobytes())
        key = self._keys.setdefault(content, f"a{len(self._keys)}")
        self.arrays[key] = array
        return key


def picture(dtype: str, shape: tuple[int, ...]) -> np.ndarray:
    """Return the seeded input of that shape, over the range of an integer dtype.

    Of 32 bits only 21 are used: where an engine overflows, no model should follow.
    """
    rng = np.random.default_rng(20261129)
    if dtype.startswith("float"):
        return rng.random(shape).astype(dtype)
    limits = np.iinfo(dtype)
    low, high = max(limits.min, -(2**20)), min(limits.max, 2**20)
    return rng.integers(low, high, shape, dtype, endpoint=True)


def reason(error: Exception) -> str:
    """Return one line that says why an engine refused, without paths of a build."""
    lines = str(error).strip().splitlines() or [""]
    return re.sub(r"\S*/\S*", "...", f"{type(error).__name__}: {lines[0]}")[:120]


def matrices(
    row: Any, refused: dict[str, str], engine: Any = engines, pairs: Any = PAIRS
) -> tuple[Any, list[tuple[int, int]]]:
    """Measure a row at every size, end to end, and return the sizes with it.

    A row with a scale of its own says what it makes of LENGTHS. What the engine
    refuses goes into ``refused`` with its words: that is a fact too.
    """
    follows = engine is engines and engines.sizes_follow(row)
    found, sizes = [np.zeros(0, np.float32)], []
    for n_in, n_out in [(n, None) for n in LENGTHS] if follows else pairs:
        try:
            w = engine.matrix(row, n_in, n_out)
        except engines.EngineMissing:
            raise
        except Exception as error:
            refused[f"{n_in}x{n_out or ''}"] = reason(error)
            continue
        found.append(w.astype(np.float32).ravel())
        sizes.append((n_in, len(w)))
    return np.concatenate(found), sizes


def dtypes(row: Any) -> list[str]:
    """Return float32 and every dtype whose arithmetic the row describes.

    The table writes kinds for many (``integers``) and adds a situation after a dot
    (``uint8.any_grows``): the pictures hold the situations, so only the dtype counts.
    """
    found = ["float32"]
    for key in getattr(row, "arithmetic", None) or {}:
        dtype = key.split(".")[0]
        found += KINDS.get(dtype, (dtype,))
    return list(dict.fromkeys(found))


def pictures(
    row: Any, store: Store, refused: dict[str, str], engine: Any = engines
) -> list[tuple[str, str]]:
    """Run a row on the seeded pictures of every dtype it describes."""
    follows = engine is engines and engines.sizes_follow(row)
    fewest, most = engines.ranks(row) if engine is engines else (2, 2)
    shapes = PICTURES[max(fewest, min(2, most))]
    made = []
    for dtype in dtypes(row):
        refusals = {}
        for shape_in, shape_out in shapes:
            x = picture(dtype, shape_in)
            try:
                y = engine.run(row, x, None if follows else shape_out)
            except Exception as error:  # as above
                refusals[f"{dtype} {shape_in}->{shape_out}"] = reason(error)
                continue
            made.append((store.add(x), store.add(y)))
        if len(refusals) == len(shapes):  # a dtype the engine does not take
            refusals = {dtype: next(iter(refusals.values()))}
        refused.update(refusals)
    return made


def entry(
    row: Any, store: Store, engine: Any = engines, pairs: Any = PAIRS
) -> dict[str, Any]:
    """Measure one row and return its part of the sidecar."""
    refused: dict[str, str] = {}
    flat, sizes = matrices(row, refused, engine, pairs)
    if not sizes:
        raise RuntimeError(f"{row.name}: every size was refused: {refused}")
    made = {
        "call": row.call,
        "arguments": dict(row.arguments),
        "matrices": store.add(flat),
        "pictures": pictures(row, store, refused, engine),
        "refused": refused,
    }
    if sizes != pairs:
        made["pairs"] = sizes
    return made


def record(
    library: str,
    rows: list[Any],
    folder: Path,
    engine: Any = engines,
    version: str | None = None,
    pairs: Any = PAIRS,
) -> None:
    """Write the two files of one library, which ``engine`` runs."""
    store = Store()
    entries = {row.name: entry(row, store, engine, pairs) for row in rows}
    np.savez_compressed(folder / f"{library}.npz", **store.arrays)
    sidecar = {
        "library": library,
        "version": version or engines.version(library),
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "machine": platform.machine(),
        "pairs": pairs,
        "rows": entries,
    }
    text = json.dumps(sidecar, separators=(",", ":")).replace('{"call"', '\n{"call"')
    (folder / f"{library}.json").write_text(text + "\n", encoding="utf-8")
    size = sum((folder / f"{library}{end}").stat().st_size for end in (".npz", ".json"))
    refusals = sum(len(made["refused"]) for made in entries.values())
    print(f"{library} {sidecar['version']}: {len(rows)} rows, {size / 1e3:.0f} kB, "
          f"{refusals} refusals")  # fmt: skip


def main(arguments: list[str]) -> int:
    """Record the libraries named, or all; say which are missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library", nargs="*", help="all, if none is named")
    parser.add_argument("--to", type=Path, default=FOLDER, metavar="FOLDER")
    options = parser.parse_args(arguments)
    unknown = set(options.library) - set(engines.LIBRARIES)
    if unknown:
        parser.error(f"{sorted(unknown)}: must be among {list(engines.LIBRARIES)}")
    rows = table()
    installed = engines.available()
    options.to.mkdir(parents=True, exist_ok=True)
    for library in options.library or installed:
        if installed[library] is None:
            print(f"{library}: not installed, its files stay as they are")
            continue
        mine = [row for row in rows if row.library == library]
        if mine:
            record(library, mine, options.to)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
