"""Measure the engines that the tests do not run, and record them in `tests/golden`.

Libraries of npm and browsers (`elsewhere/serve.mjs`, after `npm install` there, with
CHROME_PATH and FIREFOX_PATH), of PyPI (`elsewhere/serve.py`, run by the interpreter in
ELSEWHERE_PYTHON), and programs of Debian: convert-im6.q16, gm, octave-cli.

`tests/recording/record_elsewhere.py [library …]` records the rows whose library is one
of them and whose source names this script. MNN needs flatbuffers beside it.
"""

import base64
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import record
from golden import FOLDER

import resizelab as rl

HERE = Path(__file__).parent / "elsewhere"
# Growing, shrinking, ties, whole and broken ratios, equal sizes, one pixel.
PAIRS = [
    *[(4, 8), (5, 8), (7, 12), (11, 32), (19, 43), (16, 17), (8, 4), (12, 3)],
    *[(13, 5), (10, 7), (32, 11), (47, 29), (6, 6), (5, 1), (1, 4)],
]
BLOCK = 9  # equal rows, of which the middle one is read
Resize = Callable[[np.ndarray, tuple[int, int]], np.ndarray]


@cache
def _served(kind: str) -> Any:
    # Where node_modules is, and an interpreter that has the libraries.
    folder = Path(os.environ.get("ELSEWHERE_NODE", HERE))
    python = [os.environ.get("ELSEWHERE_PYTHON", "python3"), str(HERE / "serve.py")]
    command = ["node", str(folder / "serve.mjs")] if kind == "node" else python
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=folder, stdin=pipe, stdout=pipe, text=True)


def ask(kind: str, **question: Any) -> Any:
    """Send one question to a server and return its answer; an error is raised."""
    process = _served(kind)
    process.stdin.write(json.dumps(question) + "\n")
    process.stdin.flush()
    said: dict[str, Any] = {}
    while not said:  # a library may print a greeting
        line = process.stdout.readline()
        if not line:
            raise RuntimeError(f"the {kind} server ended")
        said = json.loads(line) if line.startswith("{") else {}
    if "error" in said:
        raise RuntimeError(said["error"])
    return said


def by_server(kind: str, row: Any) -> Resize:
    """Return a resizer that runs in a server."""

    def resize(x: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
        (h, w), (oh, ow) = x.shape, shape
        data = base64.b64encode(np.ascontiguousarray(x)).decode()
        what = {"call": f"{row.library} {row.call}", "options": dict(row.arguments)}
        sizes = {"h": h, "w": w, "oh": oh, "ow": ow}
        said = ask(kind, dtype=x.dtype.name, data=data, **what, **sizes)
        return np.frombuffer(base64.b64decode(said["data"]), x.dtype).reshape(shape)

    return resize


def by_program(program: list[str], row: Any) -> Resize:
    """Return a resizer that runs a program on 16-bit PGM files."""
    words = row.arguments.get("options", "-resize SIZE").split()

    def resize(x: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
        with tempfile.TemporaryDirectory() as folder:
            before, after = Path(folder) / "a.pgm", Path(folder) / "b.pgm"
            head = f"P5 {x.shape[1]} {x.shape[0]} 65535\n"
            before.write_bytes(head.encode() + x.astype(">u2").tobytes())
            size = f"{shape[1]}x{shape[0]}!"
            given = [word.replace("SIZE", size) for word in words]
            call = [*program, str(before), *given, "-depth", "16", str(after)]
            subprocess.run(call, check=True, capture_output=True)
            raw = after.read_bytes()
        top = re.match(rb"P5\s+(\d+)\s+(\d+)\s+(\d+)\s", raw)
        assert top is not None
        wide = int(top[3]) > 255
        flat = np.frombuffer(raw[top.end() :], ">u2" if wide else "u1")
        made = flat.astype(np.uint16) * (1 if wide else 257)
        return made.reshape(int(top[2]), int(top[1]))

    return resize


@cache
def _octave() -> Any:
    pipe = subprocess.PIPE
    command = ["octave-cli", "--quiet", "--no-history", "--no-gui"]
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)
    process.stdin.write("warning off; pkg load image;\n")  # type: ignore[union-attr]
    return process


def by_octave(row: Any) -> Resize:
    """Return a resizer that runs ``imresize`` in one Octave."""
    given = "".join(
        f", {value!r}" if isinstance(value, str) else f", {str(value).lower()}"
        for value in row.arguments.get("values", ())
    )

    def resize(x: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
        process = _octave()
        numbers = ";".join(" ".join(map(repr, line)) for line in x.tolist())
        kind = {"float64": "double", "uint8": "uint8"}[x.dtype.name]
        call = f"imresize({kind}([{numbers}]), [{shape[0]} {shape[1]}]{given})"
        show = "printf('%.17g ', double(y)'); printf('\\nDONE\\n');"
        process.stdin.write(
            f"try, y = {call}; {show} catch e, printf('ERR %s\\n', e.message); end;\n"
            "fflush(stdout);\n"
        )
        process.stdin.flush()
        line = process.stdout.readline()
        if line.startswith("ERR"):
            raise RuntimeError(line[4:].strip())
        assert process.stdout.readline().strip() == "DONE"
        return np.array(line.split(), x.dtype).reshape(shape)

    return resize


LIBRARIES = ("sharp", "jimp", "pica", "image-js", "napi-canvas", "tfjs")
NODE = (*LIBRARIES, "chromium", "firefox")
PYTHON = ("drjit", "tvm", "mnn", "mnn-cv")
PROGRAMS = {"imagemagick": ["convert-im6.q16"], "graphicsmagick": ["gm", "convert"]}
SERVED = dict.fromkeys(NODE, "node") | dict.fromkeys(PYTHON, "python")
# In what they are measured, if not in bytes.
MEASURED = dict.fromkeys(PROGRAMS, "uint16") | {"octave": "float64"}
MEASURED |= dict.fromkeys(("tfjs", *PYTHON[:-1]), "float32")


def resizer(row: Any) -> Resize:
    """Return what runs a row's engine."""
    if row.library in SERVED:
        return by_server(SERVED[row.library], row)
    if row.library == "octave":
        return by_octave(row)
    return by_program(PROGRAMS[row.library], row)


def version(library: str, rows: list[Any]) -> str:
    """Return the version of the engine that ran."""
    if library in SERVED:
        return str(ask(SERVED[library], call=library, version=True)["version"])
    program = ({"octave": ["octave-cli"]} | PROGRAMS)[library][0]
    words = [program, "version" if library == "graphicsmagick" else "--version"]
    said = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    found = re.search(r"\d+\.\d+\.\d+(-\d+)?|\d+\.\d+", said)
    assert found is not None
    return found[0]


class Elsewhere:
    """One library, with the two questions that `record.entry` asks of an engine."""

    def __init__(self, library: str) -> None:
        self.dtype = MEASURED.get(library, "uint8")

    def matrix(self, row: Any, n: int, m: int | None) -> np.ndarray:
        """Return the operator of the width: impulses, or least squares for bytes.

        Each vector is a block of equal rows, since an engine may not keep rows apart.
        """
        assert m is not None
        if self.dtype == "uint8":
            rng = np.random.default_rng(100 * n + m)
            vectors = rng.integers(40, 216, (max(96, 4 * n), n)).astype(self.dtype)
        else:
            dark, lit = (20000, 45000) if self.dtype == "uint16" else (0, 1)
            vectors = np.full((n + 1, n), dark, self.dtype)
            np.fill_diagonal(vectors, lit)
        x = np.repeat(vectors, BLOCK, 0)
        y = resizer(row)(x, (len(x), m))[BLOCK // 2 :: BLOCK].astype(np.float64)
        if self.dtype == "uint8":
            found = np.linalg.lstsq(vectors.astype(np.float64), y, rcond=None)[0].T
            return np.round(found, 4)
        return ((y[:n] - y[n]) / (lit - dark)).T

    def run(self, row: Any, x: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
        """Return the engine's own result."""
        if x.dtype != self.dtype:
            raise TypeError(f"asked with {self.dtype} alone")
        return resizer(row)(x, shape)


def main() -> None:
    """Record the libraries named, or all."""
    rows = [rl.convention(name) for name in rl.conventions()]
    for library in sys.argv[1:] or (*SERVED, "octave", *PROGRAMS):
        mine = [
            r for r in rows if r.library == library and Path(__file__).stem in r.source
        ]
        if mine:
            said = version(library, mine)
            record.record(library, mine, FOLDER, Elsewhere(library), said, PAIRS)


if __name__ == "__main__":
    main()
