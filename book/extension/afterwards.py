"""The last step of a build: what each page gets, and what stands beside the pages.

Each page gets its description and a Content-Security-Policy: own scripts, and inline
ones by their hash alone.  The theme writes a few into every page (its colour mode, the
hints of its folds, the page's name), and styles everywhere: those are allowed inline.
Beside the pages stand the licences of what is served, a page for wrong addresses, the
copy that works offline (``sw.js``) and the zip that opens from disk.
"""

import base64
import hashlib
import html
import json
import re
import shutil
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import editions
from rjsmin import jsmin
from sphinx.application import Sphinx

HERE = Path(__file__).parent
ZIP = "dist/resize-lab.zip"
# What no page loads: icon fonts and their script (site.css draws the few icons), maps
# for debuggers, translations of the theme, which are read when the book is built.
UNUSED = ("vendor", "locales", "scripts/fontawesome.js*", "**/*.map")
# Whose files are served: their licences stand in the packages.
SERVED = (
    *("sphinx", "pydata-sphinx-theme", "sphinx-book-theme", "sphinx-copybutton"),
    *("sphinx-togglebutton", "sphinx-design", "sphinx-exercise", "myst-nb"),
)
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
DESCRIBED = 155  # letters that a search engine shows


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


def description(page: str) -> str:
    """Return a page's first sentences as plain text, "" if it has none."""
    body = page[page.find("<article") :].partition("</article>")[0]
    body = re.sub(
        r"<(script|style|table|noscript|pre)\b.*?</\1>", " ", body, flags=re.S
    )
    told = ""
    for paragraph in re.findall(r"<p>(.*?)</p>", body, re.DOTALL):
        words = re.sub(
            r'<span class="katex-html".*?</span></span></span>', "", paragraph
        )
        words = html.unescape(re.sub(r"<[^>]+>", "", words))
        told = " ".join(f"{told} {words}".split())
        if len(told) >= 80:
            break
    if len(told) <= DESCRIBED:
        return told
    return told[: DESCRIBED - 1].rsplit(" ", 1)[0].rstrip(",;:") + "…"


def policy(page: str) -> str:
    """Return the Content-Security-Policy of a page: hashes of its inline scripts."""
    hashes = sorted(
        base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        for script in set(INLINE.findall(page))
    )
    allowed = " ".join(f"'sha256-{digest}'" for digest in hashes)
    rules = {**POLICY, "script-src": f"{POLICY['script-src']} {allowed}".strip()}
    return "; ".join(f"{name} {value}" for name, value in rules.items())


def finished(page: str) -> str:
    """Return a page with its policy and description, its handlers in site.js."""
    for script, name in HANDLERS.items():
        page = page.replace(f'onclick="{script}"', f'data-do="{name}"')
    if "http-equiv" in page:
        return page
    tags = [f'<meta http-equiv="Content-Security-Policy" content="{policy(page)}">']
    if told := description(page):
        title = re.search(r"<title>(.*?)(?: &#8212; .*?)?</title>", page, re.DOTALL)
        told = html.escape(told)
        tags.append(f'<meta name="description" content="{told}">')
        tags.append(f'<meta property="og:title" content="{title[1].strip()}">')
        tags.append(f'<meta property="og:description" content="{told}">')
    return re.sub(
        r'(<meta charset="utf-8"\s*/?>)', rf"\1{''.join(tags)}", page, count=1
    )


def files(site: Path) -> dict[str, str]:
    """Return the hash of every file that a reader may need, by its path."""
    paths = sorted(path for path in site.rglob("*") if path.is_file())
    names = {path.relative_to(site).as_posix(): path for path in paths}
    others = tuple(f"{folder.name}/" for folder in editions.folders(site))
    return {
        name: hashlib.sha256(path.read_bytes()).hexdigest()[:12]
        for name, path in names.items()
        if not name.startswith(("dist/", "_sources/", ".", *others)) and name != "sw.js"
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
            content = (site / name).read_bytes()
            if name.endswith(".html"):  # the other editions are not in it
                content = editions.linked(content.decode(), {}).encode()
            archive.writestr(entry, content)


def pack(site: Path) -> None:
    """Write the copy that works offline and the archive, of one edition."""
    worker = (HERE / "worker.js").read_text(encoding="utf-8")
    worker = worker.replace("FILES = {}", f"FILES = {json.dumps(files(site))}")
    if (code := editions.language(site / "search.html")) != "en":
        worker = worker.replace('"resize-lab"', f'"resize-lab-{code}"')
    (site / "sw.js").write_text(jsmin(worker), encoding="utf-8")
    write_zip(site)


def root(app: Sphinx) -> str:
    """Return where the site begins: a wrong address may stand in any folder.

    A host of projects serves this one below the repository's name.
    """
    url = app.config.html_theme_options.get("repository_url", "")
    return f"/{url.rsplit('/', 1)[1]}/" if url else "/"


def finish(app: Sphinx, exception: Exception | None) -> None:
    """Finish a site that was built well."""
    if exception is not None or app.builder.name != "html":
        return
    site = Path(app.outdir)
    drop_unused(site / "_static")
    katex = app.resizelab_katex.dist
    (site / "_static/licences.txt").write_text(licences(katex), encoding="utf-8")
    lost = (HERE / "lost.html").read_text(encoding="utf-8")
    (site / "404.html").write_text(lost.replace("ROOT", root(app)), encoding="utf-8")
    for name, path in editions.pages(site).items():
        if name != "404.html":
            text = path.read_text(encoding="utf-8")
            if (done := finished(text)) != text:
                path.write_text(done, encoding="utf-8")
    for edition in {site, *editions.link(site)}:
        pack(edition)


def setup(app: Sphinx) -> dict[str, bool]:
    """Finish the site when everything else has been written."""
    app.connect("build-finished", finish, priority=950)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
