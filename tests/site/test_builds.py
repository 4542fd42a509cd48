"""A build that was stopped, doubled or damaged does not spoil the next one."""

import os
import signal
import time

import pytest
from browser import PATIENCE
from tiny_book import code, run, start, with_own_settings

pytestmark = pytest.mark.slow
pytest.importorskip("sphinx", reason="Sphinx is not installed")

PAGES = {
    "index": f"# Root\n\nWords of the root.\n{code('1 + 1')}",
    "one": f"# One\n\nWords of one.\n{code('import resizelab; 2 + 2')}",
}


def check_whole(folder):
    """Fail unless every page is there from its first to its last letter."""
    for name in PAGES:
        text = (folder / f"_build/html/book/{name}.html").read_text(encoding="utf-8")
        assert f"Words of {name.replace('index', 'the root')}." in text
        assert text.rstrip().endswith("</html>")
        assert "Content-Security-Policy" in text, "the last step was taken"


def check_next_build(folder):
    done = run(folder)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    check_whole(folder)
    return done.stdout


@pytest.fixture
def folder(tmp_path):
    return with_own_settings(tmp_path / "book", PAGES)


def test_two_at_once_wait_for_each_other(folder):
    builds = [start(folder), start(folder)]
    for build in builds:
        told = build.communicate(timeout=10 * PATIENCE)
        assert build.returncode == 0, "".join(told)[-3000:]
    check_whole(folder)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_build_that_was_killed_is_made_up_for(folder, how):
    build = start(folder)
    wait_until(build, folder / "_build/html/book/index.html")
    os.killpg(build.pid, how)
    build.communicate()
    # Half a page that looks newer than its source.
    page = folder / "_build/html/book/one.html"
    page.write_text("<html><body>Wor")
    assert "the last build did not end" in check_next_build(folder)


def wait_until(build, path):
    """Wait until a build has written a file; it goes on."""
    end = time.monotonic() + 10 * PATIENCE
    while not path.exists():
        assert build.poll() is None, "the build ended too early"
        assert time.monotonic() < end
        time.sleep(0.02)


def test_what_is_damaged_is_made_again(folder):
    check_next_build(folder)
    kept = folder / "_build/.jupyter_cache"
    for path in kept.rglob("base.ipynb"):
        path.write_text("{half")
    check_next_build(folder)
    for path in (kept / "global.db", next(folder.rglob("environment.pickle"))):
        path.write_bytes(b"no data base, no pickle")
    assert "starts anew" in check_next_build(folder)
