"""Draw the resize test card, run every call on it, and record what came out.

``tests/recording/record_card.py`` records: it writes ``teaching/records/card.json`` and
``card.npz``, and the card itself as ``book/assets/resize-card.png`` and ``.npy``.
It runs what is installed: an environment with the second set of libraries, and
ELSEWHERE_NODE, are needed for the whole record.
``tests/recording/record_card.py --search`` shows how the card was chosen,
``--words`` writes anew what the catalogue says of the calls.

The search counts *distinct outputs*: over all calls of the table that can run, with
float32 and with uint8, how many different answers does this card give at this
output size?  (JAX and Keras compile anew for every size and stay out of the search.)
First the sizes are searched, then the pixels.  A tie goes to the output with fewer
values.  The card that people hold must stay the card: the search
is run again only for a new card, with a new name.
"""

import argparse
import datetime
import itertools
import json
import logging
import os
import sys
import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import record_elsewhere

import resizelab as rl
from resizelab import engines
from resizelab.catalog import phrases
from resizelab.teaching.explorers import card_material
from resizelab.teaching.explorers.card_explorer import coloured, png

ROOT = Path(__file__).resolve().parents[2]
RECORD = ROOT / "resizelab/teaching/records/card.json"
CARD = ROOT / "book" / "assets" / "resize-card.png"
COLOUR = CARD.with_stem("resize-card-colour")
DTYPES = ("float32", "uint8")
# Two outputs are one answer if no value differs by more than this, in levels of
# 0 to 255.  Between the recorded calls there is nothing from 0.0005 to 0.01.
SAME = 1e-3
TIMES = "\N{MULTIPLICATION SIGN}"

# What the search found; see there.
SIZE_IN, SIZE_OUT = (12, 22), (21, 5)
SCALE = (1.77, 0.24)  # gives SIZE_OUT, whether sizes are cut or rounded
SEED = 20
FOUR = (0, 10, 20, 30)
POCKET = (121, 131, 193, 243, 8, 36, 210, 242, 63, 79, 222, 108)
EIGHT = 8
COMPILED = ("jax", "keras")  # anew for every size: too slow to search with
# Engines beside Python, where ELSEWHERE_NODE is set (see record_elsewhere.py).
SERVED = ("chromium", "firefox", "sharp", "jimp")
# Of volumes and of maps: the page carries what a card of 12 by 22 bytes goes through.
UNMET = ("monai", "openimageio", "rasterio", "simpleitk")
# Heights with ties when they grow, widths with ties when they shrink, and odd ones;
# few values, because the page carries every answer.
CANDIDATES = (
    *(((12, 22), (21, 5)), ((12, 19), (21, 5)), ((12, 19), (18, 5))),
    *(((12, 20), (20, 5)), ((9, 19), (15, 6)), ((9, 19), (16, 6)), ((9, 14), (15, 4))),
    *(((10, 14), (15, 6)), ((10, 22), (16, 6)), ((10, 15), (16, 6))),
    *(((11, 14), (17, 6)), ((12, 14), (16, 4)), ((13, 15), (17, 5))),
    *(((14, 17), (16, 5)), ((12, 15), (20, 5)), ((9, 15), (21, 5))),
)
LENGTHS = (5, 6, 7, 9, 11, 12, 13, 14)  # of a row that becomes eight pixels

# Other pictures, to see whether two calls that agree on the card agree elsewhere.
ELSEWHERE = (
    *(((4, 6), (8, 12)), ((8, 6), (4, 3)), ((5, 5), (5, 5)), ((7, 9), (1, 1))),
    *(((1, 1), (3, 4)), ((6, 10), (9, 7)), ((12, 16), (16, 12)), ((10, 14), (7, 10))),
    *(((9, 7), (3, 21)), ((11, 8), (11, 5)), ((16, 16), (4, 4)), ((5, 3), (12, 3))),
)

LETTERS = """
####. #...
#...# #...
#...# #...
####. #...
#.#.. #...
#..#. #...
#...# ####
"""


def draw(seed: int, size: Sequence[int] = SIZE_IN) -> Any:
    """Return a card: two letters of bright noise upon dark noise.

    Noise alone separates as much; letters show a reader which way up it is.
    """
    rng = np.random.default_rng(seed)
    ink = np.array([[c == "#" for c in line] for line in LETTERS.split("\n")[1:-1]])
    mask = np.zeros(tuple(size), bool)
    top, left = ((n - m) // 2 for n, m in zip(size, ink.shape, strict=True))
    mask[top : top + ink.shape[0], left : left + ink.shape[1]] = ink
    dark = rng.integers(0, 110, mask.shape)
    bright = rng.integers(146, 256, mask.shape)
    return np.where(mask, bright, dark).astype(np.uint8)


def rows() -> list[Any]:
    """Return the rows that resize a whole picture, of what people meet and is here."""
    known = [rl.convention(name) for name in rl.conventions()]
    whole = [row for row in known if row.roi is None and row.library not in UNMET]
    live = [r for r in whole if r.status == "live" and engines.version(r.library)]
    here = SERVED if "ELSEWHERE_NODE" in os.environ else ()
    return live + [r for r in whole if r.status == "recorded" and r.library in here]


def version(library: str) -> str:
    """Return the version of a library that ran here, or in a server."""
    if library in SERVED:
        return record_elsewhere.version(library, [])
    return (engines.version(library) or "").split("+")[0]


def by_scale(row: Any) -> bool:
    """Say whether the call is told a scale, and not sizes."""
    return row.scale is not None or row.spec.step_from == "scale"


def run(row: Any, x: Any, shape: Sequence[int], scale: Any = None) -> Any:
    """Return what the library answers, or None where it refuses these sizes."""
    scaled = by_scale(row)
    if scaled and scale is None:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a library's own words about itself
            sizes, factor = (None, scale) if scaled else (tuple(shape), None)
            if row.library in SERVED:
                y = served(row, x, shape)
            else:
                y = engines.run(row, x, sizes, factor)
    except engines.EngineMissing:
        raise
    except Exception as refusal:
        logging.info("%s refuses %s: %s", row.name, x.dtype, refusal)
        return None
    y = np.asarray(y)
    fits = y.shape == tuple(shape) and np.isfinite(y.astype(float)).all()
    return y if fits else None


def served(row: Any, x: Any, shape: Sequence[int]) -> Any:
    """Return what an engine beside Python answers: those here take bytes alone."""
    if x.dtype != np.uint8 or x.ndim != 2:
        raise TypeError("it takes pictures of bytes")
    return record_elsewhere.resizer(row)(x, (shape[0], shape[1]))


def answers(
    x: Any, shape: Sequence[int], scale: Any = None, known: Iterable[Any] = ()
) -> dict[tuple[str, str], Any]:
    """Return every call's answer by (name, input dtype), in float64."""
    found = {}
    for row, dtype in itertools.product(known or rows(), DTYPES):
        y = run(row, x.astype(dtype), shape, scale)
        if y is not None:
            found[row.name, dtype] = levels(y, dtype).ravel()
    return found


def levels(y: Any, dtype: str) -> Any:
    """Return an answer in levels of 0 to 255: scikit-image divides integers by 255."""
    divided = dtype == "uint8" and y.dtype.kind == "f" and y.max() <= 2
    return y.astype(float) * (255 if divided else 1)


def together(found: dict[Any, Any]) -> list[list[Any]]:
    """Return the calls in sets: those of one set gave one answer."""
    sets: list[list[Any]] = []
    firsts: list[Any] = []
    for key, y in found.items():
        far = np.abs(np.array(firsts) - y).max(1) if firsts else np.ones(1)
        if far.min() <= SAME / 2:
            sets[int(far.argmin())].append(key)
        else:
            sets.append([key])
            firsts.append(y)
    return sets


def scale_for(size_in: Sequence[int], size_out: Sequence[int]) -> tuple[float, ...]:
    """Return scales of two digits that give ``size_out``, cut or rounded."""
    pairs = zip(size_in, size_out, strict=True)
    return tuple(round((m + 0.27) / n, 2) for n, m in pairs)


def search(tries: int) -> None:
    """Print what each candidate separates: sizes, then pixels, then rows of pixels."""
    known = [row for row in rows() if row.library not in COMPILED]
    scores = []

    def score(sizes: Any, seed: int) -> None:
        size_in, size_out = sizes
        card, scale = draw(seed, size_in), scale_for(size_in, size_out)
        count = len(together(answers(card, size_out, scale, known)))
        scores.append((count, -size_out[0] * size_out[1], sizes, seed))
        print(*scores[-1], flush=True)

    for sizes in CANDIDATES:
        score(sizes, 1)
    best = max(scores)[2]
    for seed in range(tries):
        score(best, seed)
    print("best card:", *max(scores))
    rowed = []
    for n, seed in itertools.product(LENGTHS, range(max(1, tries // 3))):
        pixels = np.random.default_rng(seed).integers(0, 256, n)
        count = len(together(answers(pixels, (EIGHT,), None, known)))
        rowed.append((count, -n, *pixels.tolist()))
        print(*rowed[-1], flush=True)
    print("best row:", *max(rowed))


def picture(shape: Sequence[int]) -> Any:
    """Return the seeded picture of that shape for a look elsewhere."""
    return np.random.default_rng(20261129).integers(0, 256, tuple(shape), np.uint8)


def classes(keys: list[Any], elsewhere: list[dict[Any, Any]]) -> list[dict[str, Any]]:
    """Part a set by what its calls answer on the other pictures.

    Each class says on which sizes it first leaves the set's first class.
    """
    found: list[dict[str, Any]] = []
    for key in keys:
        parted = ""
        for one in found:
            parted = first_difference(one["calls"][0], key, elsewhere)
            if not parted:
                one["calls"].append(key)
                break
        else:
            first = found[0]["calls"][0] if found else key
            where = first_difference(first, key, elsewhere)
            found.append({"calls": [key], "parts": where})
    return found


def first_difference(a: Any, b: Any, elsewhere: list[dict[Any, Any]]) -> str:
    """Return the first sizes where two calls differ, as text, or nothing."""
    for (n, m), answer in zip(ELSEWHERE, elsewhere, strict=True):
        both = a in answer and b in answer
        if both and np.abs(answer[a] - answer[b]).max() > SAME:
            return f"{n[0]} {TIMES} {n[1]} → {m[0]} {TIMES} {m[1]}"
    return ""


def called(row: Any) -> str:
    """Return the call as its user writes it."""
    scales = ("scale_factor", "fx", "fy", "scales", "size", "zoom", "scale")
    words = {k: v for k, v in row.arguments.items() if k not in scales}
    if by_scale(row):
        words["scale"] = SCALE
    return f"{row.call}({', '.join(f'{k}={v!r}' for k, v in words.items())})"


def text(whole: dict[str, Any]) -> str:
    """Return the record as JSON with one call and one set a line."""

    def line(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False)

    def lines(key: str, entries: list[Any]) -> str:
        return f'"{key}": [\n' + ",\n".join(map(line, entries)) + "\n]"

    long = ("calls", "sets", "pockets", "recipes")
    parts = [f"{line(k)}: {line(v)}" for k, v in whole.items() if k not in long]
    return "{\n" + ",\n".join([*parts, *(lines(k, whole[k]) for k in long)]) + "\n}\n"


def worded(whole: dict[str, Any]) -> dict[str, Any]:
    """Return the record with what the catalogue says of its calls."""
    names = [name for name, *_ in whole["calls"]]
    for one in (c for s in whole["sets"] for c in s):
        known = [rl.convention(names[k]) for k, _ in one["calls"]]
        # A nearest rule has no border.
        said = [*phrases.common(known).split(" · "), ""][:4]
        one["idea"] = [*said, phrases.page(known)]
    return {**whole, "recipes": card_material.recipes(whole["calls"])}


def record() -> None:
    """Run everything and write the record."""
    if engines.version("paddle"):
        engines.load("paddle", "paddle")  # it does not start after TensorFlow
    # Links that readers share name calls by their place: it stays.
    before = [name for name, *_ in json.loads(RECORD.read_text("utf-8"))["calls"]]
    known = sorted(rows(), key=lambda row: [*before, row.name].index(row.name))
    card = draw(SEED)
    found = answers(card, SIZE_OUT, SCALE, known)
    elsewhere = [answers(picture(n), m, scale_for(n, m), known) for n, m in ELSEWHERE]
    arrays = {"card": card}
    listed = [[row.name, row.library, called(row)] for row in known]
    place = {row.name: k for k, row in enumerate(known)}
    libraries = [row.library for row in known]

    def numbered(keys: list[Any]) -> list[list[Any]]:
        return [[place[name], dtype] for name, dtype in keys]

    def keep(name: str, sets: list[list[Any]], answer: dict[Any, Any]) -> None:
        # The middle of a set's answers is within half of its spread of each.
        values = [np.stack([answer[k] for k in keys]) for keys in sets]
        middle = np.stack([(v.min(0) + v.max(0)) / 2 for v in values])
        arrays[name] = np.round(middle, 4).astype(np.float32)

    sets = together(found)
    keep("answers", sets, found)
    parts = [classes(s, elsewhere) for s in sets]
    drawn = {"size_in": SIZE_IN, "size_out": SIZE_OUT, "scale": SCALE, "seed": SEED}
    whole = {
        "recorded": datetime.date.today().isoformat(),
        "versions": {name: version(name) for name in dict.fromkeys(libraries)},
        **drawn,
        "elsewhere": len(ELSEWHERE),
        "calls": listed,
        "sets": [[{**c, "calls": numbered(c["calls"])} for c in s] for s in parts],
        "pockets": [],
    }
    for k, pixels in enumerate((FOUR, POCKET)):
        answer = answers(np.array(pixels), (EIGHT,), None, known)
        sets = together(answer)
        keep(f"pocket{k}", sets, answer)
        numbers = [numbered(s) for s in sets]
        whole["pockets"].append({"pixels": list(pixels), "sets": numbers})
    RECORD.write_text(text(worded(whole)), "utf-8")
    np.savez_compressed(RECORD.with_suffix(".npz"), **arrays)
    files(card)
    print(f"{len(found)} calls, {len(whole['sets'])} answers")
    for pocket in whole["pockets"]:
        calls = sum(map(len, pocket["sets"]))
        print(f"{pocket['pixels']}: {calls} calls, {len(pocket['sets'])} answers")


def files(card: Any) -> None:
    """Write the card in grey and in colours, as PNG and as .npy."""
    for path, picture in ((CARD, card), (COLOUR, coloured(card))):
        path.write_bytes(png(picture))
        np.save(path.with_suffix(".npy"), picture)


def main() -> None:
    """Record, or search."""
    logging.disable(logging.WARNING)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--words", action="store_true", help="runs no engine")
    parser.add_argument("--search", type=int, nargs="?", const=24, metavar="TRIES")
    options = parser.parse_args()
    if options.search:
        search(options.search)
    elif options.words:
        RECORD.write_text(text(worded(json.loads(RECORD.read_text("utf-8")))), "utf-8")
    else:
        record()


if __name__ == "__main__":
    sys.exit(main())
