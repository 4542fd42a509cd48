"""Shared fixtures: a Chromium, the built site, and pages that report problems."""

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import (
    ARGUMENTS,
    HTML,
    PATIENCE,
    Site,
    Visits,
    chromium_path,
    everything_must_run,
    serve,
)

with contextlib.suppress(ModuleNotFoundError):
    from hypothesis import settings

    # The same examples in every run: a test that failed once fails again.
    settings.register_profile(
        "resizelab", deadline=None, derandomize=True, print_blob=True, max_examples=25
    )
    settings.load_profile("resizelab")


def missing(what: str) -> None:
    """Fail where the site is required, skip with the plain reason elsewhere."""
    if everything_must_run():
        pytest.fail(what)
    pytest.skip(what)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test that uses a browser, so that ``-m browser`` finds it."""
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def chromium() -> Iterator[object]:
    """One headless Chromium (a Playwright ``Browser``) for the whole run."""
    sync_api = pytest.importorskip("playwright.sync_api")
    path = chromium_path()
    if path is None:
        missing("Chromium is not installed: the browser tests cannot run")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=ARGUMENTS, timeout=1000 * PATIENCE
        )
        yield browser
        browser.close()


def serving(root: Path) -> Iterator[Site]:
    """Serve a folder on loopback while a fixture lives."""
    server = serve(root)
    yield Site(root, f"http://127.0.0.1:{server.server_port}")
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def site() -> Iterator[Site]:
    """Serve the built book: ``.http``, ``.file``, ``.pages``, ``.url(page, via)``."""
    if not (HTML / "index.html").is_file():
        missing("_build/html is missing: run `make book` first")
    yield from serving(HTML)


def build_once(folders: pytest.TempPathFactory, pages: dict[str, str]) -> Path:
    """Build the tiny book; where several processes run the tests, one builds it."""
    from tiny_book import build

    if "PYTEST_XDIST_WORKER" not in os.environ:
        return build(folders.mktemp("tiny"), pages)
    from filelock import FileLock

    # All of them collect the same tests, so their pages are the same.
    folder = folders.getbasetemp().parent / "tiny"
    with FileLock(f"{folder}.lock"):
        if not (folder / "_build" / "html" / "index.html").is_file():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            build(folder, pages)
    return folder / "_build" / "html"


@pytest.fixture(scope="session")
def tiny_site(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    """Build and serve one tiny book for all tests that use it.

    It holds the ``TINY_PAGES`` (name → MyST text) of every module that is run.
    """
    # A doctest has no module of its own.
    found = [getattr(item, "module", None) for item in request.session.items]
    modules = {module for module in found if module is not None}
    pages = {"index": "# Tiny\n\nA book of explorers.\n"}
    for module in sorted(modules, key=lambda m: m.__name__):
        for name, text in getattr(module, "TINY_PAGES", {}).items():
            assert name not in pages, f"two tiny pages are called {name!r}"
            pages[name] = text
    yield from serving(build_once(tmp_path_factory, pages))


def visiting(browser: object, site: Site) -> Iterator[Visits]:
    """Give what opens pages; any problem on one fails the test."""
    visits = Visits(browser, site)
    yield visits
    visits.close()
    visits.check()


@pytest.fixture
def look(chromium, tiny_site: Site) -> Iterator[Visits]:
    """Open a page of the tiny book; any problem on it fails the test."""
    yield from visiting(chromium, tiny_site)


@pytest.fixture
def visit(chromium, site: Site) -> Iterator[Visits]:
    """Open pages: ``visit(page, via="http", width=360, theme="dark")`` gives a tab.

    The test fails if any opened page had a console error, an exception, a missing
    file or a request that leaves the site. ``visit.check()`` asks earlier.
    """
    yield from visiting(chromium, site)
