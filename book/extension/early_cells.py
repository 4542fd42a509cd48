"""Chapters run two at a time before Sphinx reads them one after another.

Reading a chapter runs its cells unless the execution cache holds them, so this fills
the cache first, and says of all chapters at once which cells fail.  A chapter that
measures times says ``execution: {alone: true}`` in its front matter: it runs after the
others, by itself.  With a page's outputs the cache keeps what they depend on
(``needs``): a page runs again when that has changed, and only then.
"""

import json
import os
import re
import shutil
from ast import literal_eval
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic
from typing import Any

import needs
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn, JupyterCacheAbstract
from jupyter_cache.cache.db import NbCacheRecord
from myst_nb.core.read import create_nb_reader
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, DeadKernelError
from nbformat import NotebookNode
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.errors import ExtensionError
from sphinx.util import logging
from traitlets.config import Config

from resizelab.teaching.messages import CATALOGUE

AT_ONCE = 2  # kernels; with both large libraries one holds about a gigabyte
PATIENCE = 600  # seconds for a kernel to start, however busy the machine is
COLOURS = re.compile(r"\x1b\[[\d;]*m")  # a log file shows them as rubbish
HERE = str(Path(__file__).parent)
WATCH = f"import sys; sys.path.insert(0, {HERE!r}); import watch; del sys.path[0]"
# Without it each kernel warns that it talks over a wire without encryption.
QUIET = Config({"KernelManager": {"transport_encryption": "auto"}})
FAILURES = (CellExecutionError, DeadKernelError)
LOGGER = logging.getLogger(__name__)


class Run(NotebookClient):
    """Runs a page's cells; ``used`` says afterwards which files its kernel used."""

    used: Any = ((), (), ())

    async def async_execute_cell(self, cell, cell_index, *args, **named):
        """Run a cell: watched from before the first, asked after the last."""
        if cell_index == 0:
            await self._say(f"{WATCH}; del sys, watch")
        done = await super().async_execute_cell(cell, cell_index, *args, **named)
        if cell_index == len(self.nb.cells) - 1:
            ask = {"used": "__import__('watch').used()"}
            reply = await self._say("", user_expressions=ask)
            told = reply["content"]["user_expressions"]["used"]["data"]["text/plain"]
            self.used = json.loads(literal_eval(told))
        return done

    async def _say(self, code: str, **asked: Any) -> dict[str, Any]:
        return await self.kc.execute(
            code, silent=True, reply=True, timeout=PATIENCE, **asked
        )


def notebook(env: BuildEnvironment, path: Path) -> NotebookNode | None:
    """Return a page as the notebook that myst-nb makes of it, if it makes one."""
    text = path.read_text(encoding="utf-8")
    reader = create_nb_reader(str(path), env.myst_config, env.mystnb_config, text)
    return None if reader is None else reader.read(text)


def _cache(env: BuildEnvironment) -> JupyterCacheAbstract:
    return get_cache(env.mystnb_config.execution_cache_path)


def _forget(cache: JupyterCacheAbstract, record: NbCacheRecord) -> None:
    shutil.rmtree(Path(cache.path) / "executed" / record.hashkey, ignore_errors=True)
    NbCacheRecord.remove_record(record.pk, cache.db)


def _sound(cache: JupyterCacheAbstract, record: NbCacheRecord, root: Path) -> bool:
    """Say whether a page's outputs are whole and nothing that they need changed."""
    try:
        cache.get_cache_bundle(record.pk)
    except Exception:  # whatever a torn file can make a reader raise
        return False
    catalogue = os.environ.get(CATALOGUE, "").removeprefix(f"{root}/")
    return needs.hold(root, record.data.get("needs"), catalogue)


def outdated(app: Sphinx, env: BuildEnvironment, *_: set[str]) -> list[str]:
    """Return the pages whose outputs are stale, and forget those outputs.

    A cache that cannot be read is thrown away: then all pages run again.
    """
    if env.mystnb_config.execution_mode != "cache":
        return []
    try:
        cache = _cache(env)
        records = cache.list_cache_records()
        stale = [r for r in records if not _sound(cache, r, Path(app.srcdir))]
        for record in stale:
            _forget(cache, record)
    except Exception as error:  # a torn data base, an older layout
        LOGGER.info("the execution cache is damaged and starts anew: %s", error)
        shutil.rmtree(env.mystnb_config.execution_cache_path, ignore_errors=True)
        return sorted(env.found_docs)
    return [name for r in stale if (name := env.path2doc(r.uri))]


def waiting(env: BuildEnvironment, docnames: Iterable[str]) -> dict[Path, NotebookNode]:
    """Return the notebooks among the pages that have to run."""
    cache = _cache(env)
    found = {}
    for path in (Path(env.doc2path(name)) for name in docnames):
        page = notebook(env, path) if path.suffix == ".md" else None
        if page is None:
            continue
        try:
            cache.match_cache_notebook(page)
        except KeyError:
            found[path] = page
    return found


def _execute(env: BuildEnvironment, path: Path, page: NotebookNode) -> Any:
    """Run a page; return (data for the cache, None) or (None, what failed)."""
    config = env.mystnb_config
    own = page.metadata.get("execution", {})
    start = monotonic()
    for last in (False, True):
        run = Run(
            page,
            timeout=own.get("timeout", config.execution_timeout),
            allow_errors=own.get("allow_errors", config.execution_allow_errors),
            startup_timeout=PATIENCE,
            record_timing=False,  # it would change what the cache finds a page by
            resources={"metadata": {"path": str(path.parent)}},
            config=QUIET,
        )
        try:
            run.execute()
            break
        except FAILURES as error:
            return None, COLOURS.sub("", str(error))
        except TimeoutError as error:  # seen once in some hundred kernels: no answer
            if last:
                return None, COLOURS.sub("", str(error))
            LOGGER.info("%s did not answer in time and runs again", path.name)
    source = "\n".join(cell.source for cell in page.cells if cell.cell_type == "code")
    needed = needs.gathered(Path(env.srcdir), source, run.used)
    return {"execution_seconds": monotonic() - start, "needs": needed}, None


def _keep(env: BuildEnvironment, path: Path, page: NotebookNode, data: Any) -> None:
    """Put a page's outputs in the place of those that it had before."""
    cache = _cache(env)
    for record in cache.list_cache_records():
        if record.uri == str(path):
            _forget(cache, record)
    bundle = CacheBundleIn(page, str(path), data=data)
    cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)


def run(app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
    """Run the chapters that Sphinx is about to read and put them into its cache.

    Raises ExtensionError with every cell that failed; what ran well stays cached.
    """
    if env.mystnb_config.execution_mode != "cache":
        return
    pages = waiting(env, docnames)
    alone = {
        path: page
        for path, page in pages.items()
        if page.metadata.get("execution", {}).get("alone")
    }
    together = {path: page for path, page in pages.items() if path not in alone}
    failed = []
    for group, at_once in ((together, min(AT_ONCE, os.cpu_count() or 1)), (alone, 1)):
        with ThreadPoolExecutor(at_once) as pool:
            results = pool.map(lambda item: _execute(env, *item), group.items())
            # The cache's data base is used from this thread alone.
            for (path, page), (data, error) in zip(group.items(), results, strict=True):
                name = path.relative_to(app.srcdir).as_posix()
                if error is not None:
                    failed.append(f"{name}: {error}")
                    continue
                _keep(env, path, page, data)
                LOGGER.info("%s ran in %.1f s", name, data["execution_seconds"])
    if failed:
        raise ExtensionError("\n".join(["these cells fail:", *failed]))


def setup(app: Sphinx) -> dict[str, bool]:
    """Run the chapters when Sphinx has decided which of them it will read."""
    app.connect("env-get-outdated", outdated)
    app.connect("env-before-read-docs", run)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
