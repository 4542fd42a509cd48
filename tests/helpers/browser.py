"""A browser that watches: pages are served over http or opened from disk.

Whatever a page does that a reader would suffer from is a *problem*: an error in
the console, an exception, a request that leaves the place the page came from, a
file that is missing.
"""

from __future__ import annotations

import gzip
import os
import shutil
import threading
import time
from dataclasses import dataclass, field
from functools import lru_cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from playwright.sync_api import (
        Browser,
        BrowserContext,
        ConsoleMessage,
        Page,
        Request,
        Response,
    )

ROOT = Path(__file__).resolve().parents[2]
HTML = ROOT / "_build" / "html"
COMPRESSED = {".html", ".css", ".js", ".svg", ".json", ".txt"}
SHOTS = ROOT / "_build" / "shots"
# Playwright's own list, which ours takes the place of; then two pages behind the
# address bar, which cost more in each new window than ours do, and an idle process.
OFF = (
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose"),
    *("HttpsUpgrades", "HttpsFirstBalancedModeAutoEnable", "LensOverlay", "AimEnabled"),
    *("MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning"),
    *("AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints", "PreconnectToSearch"),
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "SpareRendererForSitePerProcess"),
)
ARGUMENTS = [
    "--no-sandbox",
    "--disable-background-networking",
    # Debian's asks for a GPU, which a machine for tests draws by program.
    "--disable-gpu",
    "--disable-gpu-rasterization",
    "--disable-extensions",
    "--disable-features=" + ",".join(OFF),
    # No name but this machine's is found: what leaves a page is seen, and gets nowhere.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
]
# Pages that Sphinx writes by itself: no reader chapter stands behind them.
GENERATED = {"genindex.html", "search.html", "index.html", "py-modindex.html"}
GENERATED |= {"404.html"}
# No test waits by the clock for what is slow: only what hangs reaches this (seconds).
PATIENCE = 120
# What Chromium says of a page that is being left, and of a part not drawn yet.
NOT_YET = ("Execution context was destroyed", "Cannot read properties of null")
# Addresses that never touch a network.
INLINE = ("data:", "blob:", "about:")


def contents(root: Path) -> dict[str, Any]:
    """Return ``_toc.yml``."""
    import yaml

    toc: dict[str, Any] = yaml.safe_load((root / "_toc.yml").read_text("utf-8"))
    return toc


def chapters(root: Path = ROOT) -> list[str]:
    """Return the pages of ``_toc.yml`` in reading order, as "book/grids"."""
    toc = contents(root)
    files = [toc["root"]]
    for part in toc["parts"]:
        files += [chapter["file"] for chapter in part["chapters"]]
    return files


def learner_chapters(root: Path = ROOT) -> list[str]:
    """Return the numbered chapters: the ones a learner reads in order."""
    toc = contents(root)
    parts = [part for part in toc["parts"] if part.get("numbered")]
    return [chapter["file"] for part in parts for chapter in part["chapters"]]


def chromium_path() -> str | None:
    """Return the system's Chromium, or None where there is none."""
    for name in ("chromium", "chromium-browser", "google-chrome", "chrome"):
        if found := shutil.which(name):
            return found
    return None


def everything_must_run() -> bool:
    """Say whether this run decides: nothing that is missing is skipped then."""
    return os.environ.get("RESIZELAB_REQUIRE_ALL", "").lower() in ("1", "true")


@dataclass(frozen=True)
class Site:
    """The built book: where it lies on disk and where it is served."""

    root: Path
    http: str

    @property
    def file(self) -> str:
        """The site's address on disk, without a closing slash."""
        return self.root.as_uri()

    @property
    def pages(self) -> list[str]:
        """Every page of the book, relative to the root, in a fixed order."""
        pages = (p.relative_to(self.root).as_posix() for p in self.root.rglob("*.html"))
        return sorted(p for p in pages if p not in GENERATED and "_static" not in p)

    def url(self, page: str, via: str = "http") -> str:
        """Return the address of ``page`` via "http" or "file"."""
        if via not in ("http", "file"):
            raise ValueError(f"via={via!r}: allowed are 'http' and 'file'")
        return f"{self.http if via == 'http' else self.file}/{page}"


@lru_cache(maxsize=512)
def compressed(path: Path, changed: int) -> bytes:
    """Return a file that last ``changed`` then, as it goes over the line."""
    return gzip.compress(path.read_bytes(), compresslevel=6, mtime=0)


class GzipHandler(SimpleHTTPRequestHandler):
    """Serve files compressed, as a public static host does, without logging."""

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: pytest's output is the report."""

    def do_GET(self) -> None:
        """Send the file, compressed when it is text and the browser allows."""
        path = Path(self.translate_path(self.path))
        if path.name == "favicon.ico" and not path.exists():
            self.send_response(204)  # a browser asks for one, whatever a page says
            self.end_headers()
            return
        if path.suffix not in COMPRESSED or not path.is_file():
            super().do_GET()
            return
        body = compressed(path, path.stat().st_mtime_ns)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def serve(root: Path) -> ThreadingHTTPServer:
    """Serve ``root`` on a free loopback port until ``shutdown`` is called."""
    handler = partial(GzipHandler, directory=str(root))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def wait_until(tab: Page, expression: str, *, arg: Any = None) -> None:
    """Wait until an expression is true on a page whose policy forbids ``eval``.

    Playwright's own wait evaluates a string inside the page, which the policy of the
    site's pages refuses; asking from outside it does not. A page that is left while
    it is asked has not answered, nor has one whose part is not drawn yet.
    """
    end = time.monotonic() + PATIENCE
    while not answered(tab, expression, arg):
        assert time.monotonic() < end, f"{PATIENCE} s passed: {expression}"
        tab.wait_for_timeout(15)


def answered(tab: Page, expression: str, arg: Any) -> Any:
    """Return what an expression is on the page, None while it can not be known."""
    from playwright.sync_api import Error

    try:
        return tab.evaluate(expression, arg)
    except Error as problem:
        if not any(sign in problem.message for sign in NOT_YET):
            raise
        return None


@dataclass
class Visits:
    """Open pages, one browser context each, and keep what went wrong."""

    browser: Browser
    site: Site
    problems: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    contexts: list[BrowserContext] = field(default_factory=list)

    def __call__(
        self,
        page: str,
        via: str = "http",
        *,
        width: int = 1280,
        height: int = 900,
        theme: str = "light",
        wait: str = "load",
        **context: Any,
    ) -> Page:
        """Return ``page`` opened and loaded.

        ``via`` is "http" or "file", ``theme`` what the system asks for ("light",
        "dark"), ``wait`` Playwright's load state; ``context`` goes to Playwright's
        ``new_context`` (``has_touch=True``, ``java_script_enabled=False``, ...).
        A fragment may follow the page: ``book/grids.html#state``.
        """
        # A page's copy for reading offline would fetch the whole book.
        context.setdefault("service_workers", "block")
        opened = self.browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=theme, **context
        )
        self.contexts.append(opened)
        opened.set_default_timeout(1000 * PATIENCE)
        opened.on("request", self._asked)
        tab = opened.new_page()
        tab.wait_for_function = partial(wait_until, tab)
        tab.on("console", self._console)
        tab.on("pageerror", lambda error: self.problems.append(f"exception: {error}"))
        tab.on("requestfailed", self._failed)
        tab.on("response", self._response)
        tab.goto(self.site.url(page, via), wait_until=wait)
        return tab

    def check(self) -> None:
        """Fail when any page opened so far had a problem."""
        assert not self.problems, "\n".join(self.problems)

    def close(self) -> None:
        """Close every page opened here."""
        while self.contexts:
            self.contexts.pop().close()

    def _inside(self, url: str) -> bool:
        if url.startswith((*INLINE, self.site.http + "/")):
            return True
        # A page on disk may only read the site's own folder.
        folder = unquote(urlsplit(self.site.file).path)
        path = unquote(urlsplit(url).path)
        return url.startswith("file:") and path.startswith(folder + "/")

    def _asked(self, request: Request) -> None:
        self.requests.append(request.url)
        if not self._inside(request.url):
            self.problems.append(f"request that leaves the site: {request.url[:200]}")

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.problems.append(f"console: {message.text}")

    def _failed(self, request: Request) -> None:
        # A page that is left early cancels what it was still loading, and a browser
        # told to run no scripts refuses them ("csp"): neither is the page's fault.
        if request.failure not in ("net::ERR_ABORTED", "csp"):
            self.problems.append(f"failed: {request.url[:200]} ({request.failure})")

    def _response(self, response: Response) -> None:
        if response.status >= 400:
            self.problems.append(f"{response.status}: {response.url[:200]}")


def main() -> None:
    """Take pictures of every page: light, dark and on a phone, in _build/shots."""
    from playwright.sync_api import sync_playwright

    looks: dict[str, dict[str, Any]] = {
        "light": {},
        "dark": {"theme": "dark"},
        "phone": {"width": 360, "height": 740, "has_touch": True},
    }
    SHOTS.mkdir(parents=True, exist_ok=True)
    server = serve(HTML)
    site = Site(HTML, f"http://127.0.0.1:{server.server_port}")
    with sync_playwright() as playwright:
        path = chromium_path()
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        visits = Visits(browser, site)
        for page in site.pages:
            for look, how in looks.items():
                target = SHOTS / f"{Path(page).stem}-{look}.png"
                tab = visits(page, **how)
                tab.wait_for_timeout(500)
                tab.screenshot(path=target, full_page=True)
                visits.close()
        browser.close()
    server.shutdown()
    print(f"{SHOTS.relative_to(ROOT)}: {len(list(SHOTS.glob('*.png')))} pictures")
    if visits.problems:
        raise SystemExit("\n".join(visits.problems))


if __name__ == "__main__":
    main()
