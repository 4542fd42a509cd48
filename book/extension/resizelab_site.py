"""What the site needs beyond ``_config.yml``: the steps are listed in ``setup``."""

import hashlib
import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import editions
from filelock import FileLock, Timeout
from rjsmin import jsmin
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util import logging

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from hatch_build import public_url
from resizelab.teaching.explorers import host
from resizelab.teaching.messages import say, spoken

HOST = "resizelab/teaching/explorers/host.js"
FIGURES = "resizelab/teaching/figures/figures.css"  # stills need it without scripts
# docutils gives a list of works roles that ARIA has withdrawn, or that miss children.
OLD_ROLES = re.compile(r' role="(?:doc-biblioentry|list)"')
WIDGET_STATE = "application/vnd.jupyter.widget-state+json"
# The theme's icons, and its search while somebody types, which this book has not.
UNWANTED = re.compile(
    r"<script[^>]*/(?:fontawesome|searchtools|language_data|searchindex)\.js[^>]*>"
    "</script>"
)
# What inline scripts of the theme speak to has to be there before them.
AT_ONCE = "documentation_options.js"
LEAST_SHARED = 1000  # letters; modules that share less have nothing in common
# Where Binder's address can be made from the repository's.
LAUNCHED = re.compile(r"https://(github|gitlab)\.com/[\w.-]+/[\w.-]+")
# Colab opens notebooks alone: the workflow puts them on a branch of their own.
COLAB = "https://colab.research.google.com"
LOGGER = logging.getLogger(__name__)
# What is written to stderr fails a cell: these keep libraries from chatting there.
QUIET = {
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "TF_ENABLE_ONEDNN_OPTS": "0",
    "KERAS_BACKEND": "tensorflow",
    "JAX_PLATFORMS": "cpu",
    "PYDEVD_DISABLE_FILE_VALIDATION": "1",
}


def _one_at_a_time(app: Sphinx) -> None:
    """Wait for another build of this book; the lock falls with its process."""
    built = Path(app.srcdir) / "_build"
    built.mkdir(exist_ok=True)
    lock = FileLock(built / ".lock")
    try:
        lock.acquire(blocking=False)
    except Timeout:
        LOGGER.info("another build of this book is running; waiting for its end")
        lock.acquire()
    app.resizelab_lock = lock


def _unfinished(app: Sphinx) -> Path:
    return Path(app.doctreedir) / "unfinished"


def _begin(app: Sphinx) -> None:
    """Mark the build as begun; after one that was killed all pages are written anew."""
    mark = _unfinished(app)
    if mark.exists():
        LOGGER.info("the last build did not end: all pages are written again")
        app.env.all_docs.clear()
    mark.touch()


def _serve_widgets(app: Sphinx, config: Config) -> None:
    """Ship the host script; myst-nb links it on the pages that have widgets."""
    config.html_static_path += [HOST, FIGURES]
    config.nb_ipywidgets_js = {Path(HOST).name: {"async": "async"}}


def _launch_buttons(app: Sphinx, config: Config) -> None:
    """Offer Binder and the repository where both are known; else say what to do."""
    url = public_url(Path(app.srcdir))
    options: dict[str, Any] = config.html_theme_options
    options["launch_buttons"] = {}
    if url is None or not LAUNCHED.fullmatch(url):
        options.pop("repository_url", None)
        told = say(
            "To change this page's code and run it, get the book's sources and type "
            "{command}.",
            command="<code>make lab</code>",
        )
        options["extra_footer"] = f"<p>{told}</p>"
        return
    options["repository_url"] = url
    options["repository_branch"] = "main"
    options["use_repository_button"] = True
    # The address ends in the chapter's .md, which binder/ opens as a notebook.
    options["launch_buttons"] = {
        "binderhub_url": "https://mybinder.org",
        "notebook_interface": "jupyterlab",
    }
    if "//github.com/" in url:
        options["launch_buttons"]["colab_url"] = COLAB


def share_scripts(state: str) -> str:
    """Return a page's widget state with what its modules have in common said once.

    Every explorer carries the drawing helpers and the style sheet, and the figures of
    one page state carry the same module. host.js puts ``shared`` back in front of each
    module, or takes the one of ``like``; it needs each style sheet only once.
    """
    page = json.loads(state)
    states = {k: w["state"] for k, w in page["state"].items() if w["state"].get("_esm")}
    modules = [s["_esm"] for s in states.values()]
    shared = os.path.commonprefix(modules)  # noqa: RUF071 (letters, not paths)
    if len(states) < 2 or len(shared) < LEAST_SHARED:
        return state
    # The site links the figures' own sheet: see `_arrange_page`.
    sheet = Path(__file__).resolve().parents[2].joinpath(FIGURES).read_text("utf-8")
    sheets = {""}
    first: dict[str, str] = {}
    for name, own in states.items():
        whole = own["_esm"]
        own["_esm"] = whole[len(shared) :]
        if first.setdefault(whole, name) != name:
            own["_esm"] = {"like": first[whole]}
        own["_css"] = own.get("_css", "").removeprefix(sheet)
        if own["_css"] in sheets:
            own["_css"] = ""
        sheets.add(own["_css"])
    return json.dumps({**page, "shared": shared})


def set_apart(state: str, static: Path, address: Callable[[str], str]) -> str:
    """Return a page's widget state with the address of what comes late in its place."""
    page = json.loads(state)
    for widget in page["state"].values():
        if text := widget["state"].get("late"):
            name = f"{widget['state']['name']}-late.js"
            (static / name).write_text(text, encoding="utf-8")
            version = hashlib.sha256(text.encode()).hexdigest()[:8]
            widget["state"]["late"] = {"src": address(name) + "?v=" + version}
    return json.dumps(page)


def _open_the_notebook(context: dict[str, Any]) -> None:
    """Let Colab's button lead to the page's notebook, not to its source."""
    for group in context.get("header_buttons", ()):
        for button in group.get("buttons", ()):
            if button.get("url", "").startswith(COLAB):
                button["url"] = re.sub(
                    r"/blob/main/.*?([\w-]+)\.md$",
                    r"/blob/notebooks/\1.ipynb",
                    button["url"],
                )


def _waiting(scripts: list[Any]) -> list[Any]:
    """Return scripts that let a page be shown before they run, in their order."""
    found = []
    for script in scripts:
        name, how = str(script.filename or ""), script.attributes
        if name.endswith(".js") and AT_ONCE not in name and "async" not in how:
            # All pages share a script: this page's is another.
            how = {**how, "priority": script.priority, "defer": "defer"}
            script = type(script)(script.filename, **how)
        found.append(script)
    return found


def _arrange_page(app, pagename, templatename, context, doctree) -> None:
    """Give layout.html its filter and the scripts that go to the page's end."""
    _open_the_notebook(context)
    if "citation-list" in context.get("body", ""):
        context["body"] = OLD_ROLES.sub("", context["body"])
    if 'class="rl-place"' in context.get("body", ""):
        app.add_css_file(Path(FIGURES).name)
    context["wanted"] = lambda html: UNWANTED.sub("", html)
    late = [
        script
        for script in context.get("script_files", [])
        if getattr(script, "attributes", {}).get("type") == WIDGET_STATE
    ]
    static = Path(app.outdir) / "_static"
    static.mkdir(parents=True, exist_ok=True)
    for script in late:
        state = share_scripts(script.attributes["body"])
        script.attributes["body"] = set_apart(
            state, static, lambda name: context["pathto"](f"_static/{name}", 1)
        )
    context["late_scripts"] = late
    early = [s for s in context["script_files"] if s not in late]
    # The search page's own scripts need the others when they run.
    context["script_files"] = early if pagename == "search" else _waiting(early)


def site_words() -> dict[str, str]:
    """Return what site.js says."""
    return spoken(
        {"new": "A new version of this book is here. ", "load": "Load it"},
    )


def _shorten_scripts(app: Sphinx, exception: Exception | None) -> None:
    """Serve our scripts as the explorers' modules are: short, with their words."""
    if exception is not None:
        return
    static = Path(app.outdir) / "_static"
    own = (Path(app.srcdir) / "book/assets/site.js").read_text(encoding="utf-8")
    own = own.replace("WORDS = {}", f"WORDS = {json.dumps(site_words())}")
    for name, text in ((Path(HOST).name, host.script()), ("site.js", jsmin(own))):
        if (static / name).is_file():
            (static / name).write_text(text, encoding="utf-8")


def _drop_stale_pages(app: Sphinx, exception: Exception | None) -> None:
    """Remove the pages of chapters that are gone: Sphinx leaves them behind."""
    if exception is not None or app.builder.name != "html":
        return
    known = {*app.env.found_docs, "index", "genindex", "search", "py-modindex", "404"}
    for name, path in editions.pages(Path(app.outdir)).items():
        if name.removesuffix(".html") not in known:
            path.unlink()


def _remember_warnings(app: Sphinx, exception: Exception | None) -> None:
    """Forget a build with warnings, or the next one would skip the page and pass."""
    if exception is None and not app._warncount:
        _unfinished(app).unlink(missing_ok=True)


def setup(app: Sphinx) -> dict[str, bool]:
    """Warnings fail the build; engines are quiet; then maths, cache, widgets, links."""
    # With --keep-going Sphinx counts the warnings and fails at the end by itself.
    if not app.keep_going:
        app.warningiserror = True
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)
    app.setup_extension("languages")
    app.setup_extension("katex_build")
    app.setup_extension("early_cells")
    app.setup_extension("own_wheel")
    app.setup_extension("inline_plots")
    app.setup_extension("prose")
    app.setup_extension("solutions")
    app.setup_extension("lesson_files")
    app.setup_extension("search_words")
    app.setup_extension("afterwards")
    app.config.templates_path.append(str(Path(__file__).parent))
    _one_at_a_time(app)
    app.connect("builder-inited", _begin)
    app.connect("config-inited", _serve_widgets)
    app.connect("config-inited", _launch_buttons)
    app.connect("html-page-context", _arrange_page, priority=900)
    app.connect("build-finished", _shorten_scripts, priority=900)
    app.connect("build-finished", _drop_stale_pages, priority=900)
    app.connect("build-finished", _remember_warnings, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
