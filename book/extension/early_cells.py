"""Chapters run two at a time before Sphinx reads them one after another.

Reading a chapter runs its cells unless the execution cache holds them, so this fills
the cache first, and says of all chapters at once which cells fail.  A chapter that
measures times says ``execution: {alone: true}`` in its front matter: it runs after the
others, by itself.
"""

import os
import re
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from jupyter_cache.executors.utils import ExecutionResult, single_nb_execution
from myst_nb.core.read import create_nb_reader
from nbformat import NotebookNode
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.errors import ExtensionError
from sphinx.util import logging

AT_ONCE = 2  # kernels; with both large libraries one holds about a gigabyte
COLOURS = re.compile(r"\x1b\[[\d;]*m")  # a log file shows them as rubbish
LOGGER = logging.getLogger(__name__)


def notebook(env: BuildEnvironment, path: Path) -> NotebookNode | None:
    """Return a page as the notebook that myst-nb makes of it, if it makes one."""
    text = path.read_text(encoding="utf-8")
    reader = create_nb_reader(str(path), env.myst_config, env.mystnb_config, text)
    return None if reader is None else reader.read(text)


def waiting(env: BuildEnvironment, docnames: Iterable[str]) -> dict[Path, NotebookNode]:
    """Return the notebooks among the pages that have to run and may do so together."""
    cache = get_cache(env.mystnb_config.execution_cache_path)
    found = {}
    for path in (Path(env.doc2path(name)) for name in docnames):
        page = notebook(env, path) if path.suffix == ".md" else None
        if page is None or page.metadata.get("execution", {}).get("alone"):
            continue
        try:
            cache.match_cache_notebook(page)
        except KeyError:
            found[path] = page
    return found


def _execute(env: BuildEnvironment, path: Path, page: NotebookNode) -> ExecutionResult:
    config = env.mystnb_config
    return single_nb_execution(
        page,
        cwd=str(path.parent),
        timeout=config.execution_timeout,
        allow_errors=config.execution_allow_errors,
    )


def run(app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
    """Run the chapters that Sphinx is about to read and put them into its cache.

    Raises ExtensionError with every cell that failed; what ran well stays cached.
    """
    if env.mystnb_config.execution_mode != "cache":
        return
    pages = waiting(env, docnames)
    cache = get_cache(env.mystnb_config.execution_cache_path)
    failed = []
    with ThreadPoolExecutor(min(AT_ONCE, os.cpu_count() or 1)) as pool:
        results = pool.map(lambda item: _execute(env, *item), pages.items())
        # The cache's data base is used from this thread alone.
        for path, result in zip(pages, results, strict=True):
            name = path.relative_to(app.srcdir).as_posix()
            if result.err is not None:
                failed.append(f"{name}: {COLOURS.sub('', str(result.err))}")
                continue
            data = {"execution_seconds": result.time}
            bundle = CacheBundleIn(result.nb, str(path), data=data)
            cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)
            LOGGER.info("%s ran in %.1f s", name, result.time)
    if failed:
        raise ExtensionError("\n".join(["these cells fail:", *failed]))


def setup(app: Sphinx) -> dict[str, bool]:
    """Run the chapters when Sphinx has decided which of them it will read."""
    app.connect("env-before-read-docs", run)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
