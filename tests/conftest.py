"""Shared fixtures: a Chromium, the built site, and pages that report problems."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import ARGUMENTS, HTML, Site, Visits, chromium_path, serve
from filelock import FileLock
from hypothesis import settings
from tiny_book import build

# The same examples in every run: a test that failed once fails again.
settings.register_profile(
    "resizelab", deadline=None, derandomize=True, print_blob=True, max_examples=25
)
settings.load_profile("resizelab")


def must_have_site() -> bool:
    """Say whether a missing browser or site is a failure and not a skip."""
    return any(
        os.environ.get(name, "").lower() in ("1", "true")
        for name in ("CI", "RESIZELAB_REQUIRE_SITE")
    )


def missing(what: str) -> None:
    """Fail where the site is required, skip with the plain reason elsewhere."""
    if must_have_site():
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
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def site() -> Iterator[Site]:
    """Serve the built book: ``.http``, ``.file``, ``.pages``, ``.url(page, via)``."""
    if not (HTML / "index.html").is_file():
        missing("_build/html is missing: run `make book` first")
    server = serve(HTML)
    yield Site(HTML, f"http://127.0.0.1:{server.server_port}")
    server.shutdown()
    server.server_close()


def build_once(folders: pytest.TempPathFactory, pages: dict[str, str]) -> Path:
    """Build the tiny book; where several processes run the tests, one builds it."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return build(folders.mktemp("tiny"), pages)
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
    book = build_once(tmp_path_factory, pages)
    server = serve(book)
    yield Site(book, f"http://127.0.0.1:{server.server_port}")
    server.shutdown()
    server.server_close()


@pytest.fixture
def look(chromium, tiny_site: Site) -> Iterator[Visits]:
    """Open a page of the tiny book; any problem on it fails the test."""
    visits = Visits(chromium, tiny_site)
    yield visits
    visits.close()
    visits.check()


@pytest.fixture
def visit(chromium, site: Site) -> Iterator[Visits]:
    """Open pages: ``visit(page, via="http", width=360, theme="dark")`` gives a tab.

    The test fails if any opened page had a console error, an exception, a missing
    file or a request that leaves the site. ``visit.check()`` asks earlier.
    """
    visits = Visits(chromium, site)
    yield visits
    visits.close()
    visits.check()
