"""The last step of a build: what each page gets, and what stands beside the pages.

Each page gets its description (``sharing``) and a Content-Security-Policy: own scripts,
and inline ones by their hash alone.  The theme writes a few into every page (its colour
mode, the hints of its folds, the page's name), and styles everywhere: those are allowed
inline.  Beside the pages stand the licences of what is served, a page for wrong
addresses, the copy that works offline (``sw.js``) and the zip that opens from disk.
"""

import base64
import hashlib
import json
import re
import shutil
import zipfile
from importlib.metadata import distribution
from pathlib import Path
from urllib.parse import urlsplit

import editions
import languages
import sharing
import styles
from rjsmin import jsmin
from sphinx.application import Sphinx
from sphinx.config import Config

from hatch_build import site_url

HERE = Path(__file__).parent
ZIP, PDF = "dist/resize-lab.zip", "dist/resize-lab.pdf"
AWAY = re.compile(rb'<a [^>]*href="\.\./dist/[^"]*"[^>]*>(.*?)</a>', re.DOTALL)
# The front page's words about the PDF: there once `make pdf` has made it.
OFFER = re.compile(r'<p id="the-pdf"(?: hidden)?>')
# What no page loads: icon fonts and their script (site.css draws the few icons), maps
# for debuggers, translations of the theme, which are read when the book is built.
UNUSED = ("vendor", "locales", "scripts/fontawesome.js*", "**/*.map")
# Whose files are served: their licences stand in the packages.
SERVED = (
    *("sphinx", "pydata-sphinx-theme", "sphinx-book-theme", "sphinx-copybutton"),
    *("sphinx-togglebutton", "sphinx-design", "sphinx-exercise", "myst-nb"),
)
# What no reader needs without a network.
NOT_KEPT = ("dist/", "_sources/", f"{sharing.FOLDER}/", ".")
INLINE = re.compile(
    r"<script(?![^>]*\ssrc=)(?![^>]*json)[^>]*>(.*?)</script>", re.DOTALL
)
# The theme's buttons with a script in an attribute, and what site.js calls it.
HANDLERS = {"toggleFullScreen()": "full", "window.print()": "print"}
POLICY = {
    "default-src": "'none'",
    "script-src": "'self' blob:",
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "font-src": "'self' data:",
    "connect-src": "'self'",
    "media-src": "'self'",
    "worker-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'self'",
}


def drop_unused(static: Path) -> None:
    """Remove what no page loads."""
    for pattern in UNUSED:
        for path in list(static.glob(pattern)):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    for path in (*static.rglob("*.css"), *static.rglob("*.js")):
        text = path.read_text(encoding="utf-8")
        bare = re.sub(r"\n?/[/*]# sourceMappingURL=[^\s*]*(?: ?\*/)?", "", text)
        # The icon fonts are gone; a page without scripts would still ask for them.
        bare = re.sub(r"@font-face\s*\{[^}]*fontawesome[^}]*\}", "", bare)
        if bare != text:
            path.write_text(bare, encoding="utf-8")


def licences(katex: Path) -> str:
    """Return the licence texts of all that is served and not ours."""
    found = [("KaTeX and its fonts", (katex / "LICENSE").read_text(encoding="utf-8"))]
    for name in SERVED:
        package = distribution(name)
        for path in package.files or ():
            if re.match(r"(?i)(licen[cs]e|copying)", path.name):
                title = f"{name} {package.version}: {path.name}"
                found.append((title, path.read_text(encoding="utf-8")))
    rule = "=" * 72
    return "\n".join(f"{rule}\n{title}\n{rule}\n{text}" for title, text in found)


def policy(page: str) -> str:
    """Return the Content-Security-Policy of a page: hashes of its inline scripts."""
    hashes = sorted(
        base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        for script in set(INLINE.findall(page))
    )
    allowed = " ".join(f"'sha256-{digest}'" for digest in hashes)
    rules = {**POLICY, "script-src": f"{POLICY['script-src']} {allowed}".strip()}
    return "; ".join(f"{name} {value}" for name, value in rules.items())


def finished(page: str, address: str = "", picture: str = "") -> str:
    """Return a page with its policy and description, its handlers in site.js."""
    for script, name in HANDLERS.items():
        page = page.replace(f'onclick="{script}"', f'data-do="{name}"')
    if "http-equiv" in page:
        return page
    tags = f'<meta http-equiv="Content-Security-Policy" content="{policy(page)}">'
    tags += sharing.tags(page, address, picture)
    return re.sub(r'(<meta charset="utf-8"\s*/?>)', rf"\1{tags}", page, count=1)


def files(site: Path) -> dict[str, str]:
    """Return the hash of every file that a reader may need, by its path."""
    paths = sorted(path for path in site.rglob("*") if path.is_file())
    names = {path.relative_to(site).as_posix(): path for path in paths}
    others = tuple(f"{folder.name}/" for folder in editions.folders(site))
    return {
        name: hashlib.sha256(path.read_bytes()).hexdigest()[:12]
        for name, path in names.items()
        if not name.startswith((*NOT_KEPT, *others))
        and name not in ("sw.js", "sitemap.xml")
    }


def write_zip(site: Path) -> None:
    """Write the site as one archive; the same site gives the same bytes."""
    target = site / ZIP
    target.parent.mkdir(exist_ok=True)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in files(site):
            entry = zipfile.ZipInfo(f"resize-lab/{name}")
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            held = (site / name).read_bytes()
            if name.endswith(".html"):  # the other editions are not in it
                held = editions.linked(held.decode(), {}).encode()
            # What lies in `dist` is not in the zip: words about it stay, links do not.
            archive.writestr(
                entry, AWAY.sub(rb"\1", held) if b"/dist/" in held else held
            )


def close(site: Path) -> None:
    """Offer the PDF if it is there; then write what holds all pages, worker and zip."""
    offer = '<p id="the-pdf">' if (site / PDF).is_file() else '<p id="the-pdf" hidden>'
    for name, path in editions.pages(site).items():
        if not name.endswith("index.html"):
            continue
        text = path.read_text(encoding="utf-8")
        if (done := OFFER.sub(offer, text)) != text:
            path.write_text(done, encoding="utf-8")
    worker = (HERE / "worker.js").read_text(encoding="utf-8")
    worker = worker.replace("FILES = {}", f"FILES = {json.dumps(files(site))}")
    if (code := editions.language(site / "search.html")) != "en":
        worker = worker.replace('"resize-lab"', f'"resize-lab-{code}"')
    (site / "sw.js").write_text(jsmin(worker), encoding="utf-8")
    write_zip(site)


def finish(app: Sphinx, exception: Exception | None) -> None:
    """Finish a site that was built well."""
    if exception is not None or app.builder.name != "html":
        return
    site = Path(app.outdir)
    drop_unused(site / "_static")
    styles.shorten(site)
    katex = app.resizelab_katex.dist
    (site / "_static/licences.txt").write_text(licences(katex), encoding="utf-8")
    where = app.config.html_baseurl
    # A wrong address may stand in any folder: links begin at the server's root.
    lost = (HERE / "lost.html").read_text(encoding="utf-8")
    lost = lost.replace("ROOT", urlsplit(where).path or "/")
    (site / "404.html").write_text(lost, encoding="utf-8")
    pictures = sharing.pictures(site, sorted(app.env.found_docs)) if where else {}
    for name, path in editions.pages(site).items():
        if name != "404.html":
            text = path.read_text(encoding="utf-8")
            shown = pictures.get(name.removesuffix(".html"))
            address = (f"{where}{name}", f"{where}{shown}") if shown else ()
            done = finished(text, *address)
            if done != text:
                path.write_text(done, encoding="utf-8")
    if where:
        sharing.write_sitemap(site, where, sorted(pictures))
    for edition in {site, *editions.link(site)}:
        close(edition)


def _place(app: Sphinx, config: Config) -> None:
    """Say where the site is published: each page then names its own address."""
    where = site_url(Path(app.srcdir)) or ""
    inside = languages.chosen()
    config.html_baseurl = f"{where}{inside}/" if where and inside else where


def setup(app: Sphinx) -> dict[str, bool]:
    """Finish the site when everything else has been written."""
    app.connect("config-inited", _place)
    app.connect("build-finished", finish, priority=950)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
