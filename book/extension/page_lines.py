"""Run pages: keep what each line gives; find the lines that need it kept.

``Recorder`` runs where all engines are installed. ``Probe`` runs the same page in the
light environment and plays a line only where it fails; then it knows which lines and
values the package must carry. ``page_lines.py Recorder|Probe FOLDER PLACE`` runs every
``FOLDER/<page>.cells`` in the folder PLACE, each in a process of its own that was
forked when what most pages import was there.
"""

import ast
import contextlib
import importlib
import json
import os
import re
import sys
import tempfile
import time
import traceback
from pathlib import Path

import numpy as np
from IPython.core.interactiveshell import InteractiveShell

from resizelab.engines import EngineMissing
from resizelab.teaching.kept import NotKept, pack
from resizelab.teaching.lines import read
from resizelab.teaching.playback import Player

COMMON = ("torch", "tensorflow", "onnx", "onnxruntime", "cv2", "scipy.ndimage")
COMMON += ("PIL.Image", "resizelab.teaching.figures", "resizelab.teaching.plots")
TIMED = re.compile(r"\b(?:ms|MB|seconds|faster|slower|times)\b|\d s\b")
LARGE = 60_000  # letters; of a larger value the lines that read it are kept instead
SMALL = 1_500  # letters of a value that is kept whether a line reads it or not


def packed(value):
    """Return a value as it is kept, or what it was."""
    with contextlib.suppress(NotKept):
        if not isinstance(value, np.ndarray) or value.nbytes < 100 * LARGE:
            told = pack(value)
            text = json.dumps(told)
            # A folder that was made for a while is nowhere else.
            if len(text) <= LARGE and tempfile.gettempdir() not in text:
                return told
    return {"missing": f"{type(value).__module__}.{type(value).__name__}"}


def same(text):
    """Return a text without what differs from run to run."""
    return re.sub(r"/tmp/[\w/.-]+", "/tmp", text)


class Recorder(Player):
    """Keeps what every line shows and gives, and whether it looked at the clock."""

    def __init__(self):
        shell = InteractiveShell.instance()
        super().__init__(shell, {"versions": {}, "lines": {}})
        self.given = {}  # by key
        self.looked, self.clock = False, time.perf_counter
        time.perf_counter = self.look
        shell.ast_transformers.append(self)

    def look(self):
        """Return what the clock says, and remember that it was asked."""
        self.looked = True
        return self.clock()

    def knows(self, key):
        """Wrap every line."""
        return True

    def ended(self, line, error, captured):
        """Keep what the line showed and gave."""
        captured.show()
        if error is not None:
            return False
        told = {"text": captured.stdout, "shown": [o.data for o in captured.outputs]}
        if line.shown is not None:
            told["value"] = self.shell.display_formatter.format(line.shown)[0]
        ours = self.shell.user_ns
        names = sorted(self.lines.gives[line.key] & set(ours))
        told["names"] = {name: packed(ours[name]) for name in names}
        told["clock"], self.looked = self.looked, False
        self.given[line.key] = {k: v for k, v in told.items() if v}
        return False

    def save(self, path):
        """Write what was kept."""
        Path(path).write_text(json.dumps(self.given, default=repr))


def blamed(error):
    """Return the module whose absence an error tells of, or ""."""
    while error is not None:
        if isinstance(error, ImportError) and error.name:
            return error.name
        error = error.__cause__ or error.__context__
    return ""


class Probe(Player):
    """Plays what fails, and remembers what it played and who read it."""

    def __init__(self, path):
        shell = InteractiveShell.instance()
        given = json.loads(Path(path).read_text())
        for told in given.values():
            told["needs"] = ["?"]
            told.pop("clock", None)
        super().__init__(shell, {"versions": {"?": "?"}, "lines": given})
        self.played, self.why = {}, {}
        self.restored, self.reads, self.defs = {}, {}, {}
        shell.ast_transformers.append(self)

    def _wrapped(self, node, key, shown):
        self.reads[key] = names = set(read(node))
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            self.defs[node.name] = names
        return super()._wrapped(node, key, shown)

    def _all_reads(self, key):
        found, waiting = set(), set(self.reads[key])
        while waiting:
            name = waiting.pop()
            found.add(name)
            waiting |= self.defs.get(name, set()) - found
        return found

    def _words(self, data):
        data = data or {}
        text = data.get("text/markdown") or data.get("text/plain", "")
        return "" if " at 0x" in text else text

    def _differs(self, line, captured):
        """Say whether a line runs here, but says something else."""
        told, shown = self.told[line.key], line.shown
        now = shown if shown is None else self.shell.display_formatter.format(shown)[0]
        was = told.get("text", "") + self._words(told.get("value"))
        now = captured.stdout + self._words(now)
        if same(was) == same(now) or TIMED.search(was):
            return False
        self.why[line.key] = ["", "differs", f"{was[:200]!r} there {now[:200]!r}"]
        told["always"] = True
        return True

    def ended(self, line, error, captured):
        """Play the line if it failed, and remember why."""
        key, reads = line.key, self._all_reads(line.key)
        if error is None and not self._differs(line, captured):
            for name in reads & set(self.restored):
                self.played[self.restored[name]].add(name)
            for name in self.lines.gives[key]:
                self.restored.pop(name, None)
            return super().ended(line, error, captured)
        if error is not None:
            engine = blamed(error)
            if not engine:
                came = (self.restored[n] for n in reads & set(self.restored))
                engine = next((self.why[k][0] for k in came), "")
            first = repr(error).splitlines()[0][:160]
            self.why[key] = [engine, type(error).__name__, first]
        self.played[key] = set()
        self.restored |= dict.fromkeys(self.told[key].get("names", ()), key)
        return super().ended(line, error or EngineMissing("differs"), captured)

    def _value(self, name, value, needs):
        whose = self.why[self.restored[name]][0]
        return super()._value(name, value, [whose])

    def save(self, path):
        """Write what was kept."""
        kept = {}
        for key, used in self.played.items():
            told = dict(self.told[key])
            names = told.get("names", {})
            told["names"] = {
                name: value
                if name in used or len(json.dumps(value)) <= SMALL
                else {"missing": "a large value"}
                for name, value in names.items()
            }
            told["needs"] = self.why[key]
            kept[key] = told
        Path(path).write_text(json.dumps({"lines": kept}))


def listens(player):
    """Raise RuntimeError if IPython dropped a player: it does when one fails."""
    if player not in player.shell.ast_transformers:
        raise RuntimeError("the page's lines were not heard to the end")


def run(page, way):
    """Run a page's cells; write what was kept beside them."""
    shell = InteractiveShell.instance()
    whole, probed = page.with_suffix(".whole"), page.with_suffix(".probed")
    lines = Recorder() if way == "Recorder" else Probe(whole)
    for cell in json.loads(page.read_text()):
        done = shell.run_cell(cell, silent=False)
        if error := done.error_before_exec or done.error_in_exec:
            raise error
    listens(lines)
    lines.save(whole if way == "Recorder" else probed)


def main(way, folder, place):
    """Run all pages of a folder, one after another."""
    for name in COMMON:
        with contextlib.suppress(ModuleNotFoundError):
            importlib.import_module(name)
    pages = sorted(Path(folder).glob("*.cells"))
    os.chdir(place)
    for page in pages:
        if (child := os.fork()) == 0:
            try:
                run(page, way)
            except BaseException:
                traceback.print_exc()
                os._exit(1)
            os._exit(0)
        if os.waitpid(child, 0)[1]:
            print(f"{page.stem} failed as {way}", file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
