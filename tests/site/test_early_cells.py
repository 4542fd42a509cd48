"""Chapters run side by side before they are read; failures are told all at once."""

import os
import re
import subprocess
from pathlib import Path

import pytest
import tiny_book

pytestmark = pytest.mark.slow
pytest.importorskip("sphinx", reason="Sphinx is not installed")

CONFIG = tiny_book.CONFIG.replace("[host]", "[]")
CONFIG = CONFIG.replace("{host.js: {async: async}}", "{}")
# Each page notes when it began and when it ended.
BUSY = """\
import time
from pathlib import Path
import {module}
begin = time.time()
time.sleep(1.5)
assert {sound}, 'thing of {name}'
Path('{name}.log').open('a').write(f'{{begin}} {{time.time()}}\\n')"""
# The first time this page runs, it does not end.
HANGS = """\
import time
from pathlib import Path
runs = Path('runs')
runs.open('a').write('.')
time.sleep(0 if runs.read_text() == '..' else 600)"""
BRIEF = tiny_book.FRONT.replace("---\nfile", "---\nexecution: {timeout: 5}\nfile")
ALONE = tiny_book.FRONT.replace("---\nfile", "---\nexecution: {alone: true}\nfile")


def build(folder: Path, sound: bool) -> subprocess.CompletedProcess:
    """Build four pages; two of them fail unless ``sound``."""
    folder.mkdir(exist_ok=True)
    (folder / "_config.yml").write_text(CONFIG)
    (folder / "_toc.yml").write_text(
        "format: jb-book\nroot: a\nchapters: [{file: b}, {file: c}, {file: d}]\n"
    )
    if not (folder / "helper.py").exists():
        (folder / "helper.py").write_text("VALUE = 1\n")
    for name in "abcd":
        front = ALONE if name == "d" else tiny_book.FRONT
        module = "helper" if name == "a" else "math"
        cell = tiny_book.code(
            BUSY.format(name=name, sound=sound or name in "ad", module=module)
        )
        (folder / f"{name}.md").write_text(f"{front}# {name}\n{cell}")
    return tiny_book.run(folder)


def times(folder: Path, name: str) -> list[tuple[float, float]]:
    """Return (begin, end) of each run of a page."""
    log = folder / f"{name}.log"
    lines = log.read_text().splitlines() if log.exists() else []
    return [tuple(map(float, line.split())) for line in lines]


@pytest.fixture(scope="module")
def twice(tmp_path_factory):
    """Build with two failing pages, then with sound ones."""
    folder = tmp_path_factory.mktemp("early") / "book"
    return folder, build(folder, sound=False), build(folder, sound=True)


def test_all_failures_are_told_at_once_and_stop_the_build(twice):
    _, first, _ = twice
    said = first.stdout + first.stderr
    assert first.returncode != 0
    assert "these cells fail:" in said
    assert re.search(r"^b\.md: ", said, re.MULTILINE)
    assert re.search(r"^c\.md: ", said, re.MULTILINE)
    assert "AssertionError: thing of b" in said
    assert "AssertionError: thing of c" in said
    assert not re.search(r"^a\.md: ", said, re.MULTILINE)


def test_what_ran_well_is_not_run_again(twice):
    folder, _, second = twice
    assert second.returncode == 0, second.stdout[-2000:] + second.stderr[-2000:]
    assert [len(times(folder, name)) for name in "abcd"] == [1, 1, 1, 1]
    assert "thing of" in (folder / "_build/html/b.html").read_text(encoding="utf-8")


def test_pages_overlap_unless_they_ask_to_be_alone(twice):
    folder, _, _ = twice
    (a,), (b,), (c,), (d,) = (times(folder, name) for name in "abcd")
    assert d[0] >= a[1]
    if (os.cpu_count() or 1) >= 2:
        assert max(b[0], c[0]) < min(b[1], c[1])


def test_a_page_runs_again_when_a_module_of_its_own_does_something_else(twice):
    folder, _, _ = twice
    (folder / "helper.py").write_text('"""Words."""\n\nVALUE = 1  # one\n')
    assert build(folder, sound=True).returncode == 0
    assert [len(times(folder, name)) for name in "abcd"] == [1, 1, 1, 1]
    (folder / "helper.py").write_text("VALUE = 2\n")
    assert build(folder, sound=True).returncode == 0
    assert [len(times(folder, name)) for name in "abcd"] == [2, 1, 1, 1]


def test_a_page_that_does_not_answer_is_asked_once_more(tmp_path):
    (tmp_path / "_config.yml").write_text(CONFIG)
    (tmp_path / "_toc.yml").write_text("format: jb-book\nroot: a\n")
    (tmp_path / "a.md").write_text(f"{BRIEF}# a\n{tiny_book.code(HANGS)}")
    done = tiny_book.run(tmp_path)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert "a.md did not answer in time and runs again" in done.stdout
    assert (tmp_path / "runs").read_text() == ".."
