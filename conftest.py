"""With NumPy and pytest alone, what needs more is skipped, not failed."""

import importlib.util
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import everything_must_run

OURS = ("resizelab", "tests")
# jsonschema would load a grammar of addresses, for seconds, that no test asks.
sys.modules.setdefault("rfc3987_syntax", None)


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out what holds neither tests nor examples: to import it costs seconds."""
    path = collection_path
    if path.suffix != ".py" or path.name.startswith(("test_", "conftest")):
        return None
    return None if ">>>" in path.read_text(encoding="utf-8") else True


def absent(error: BaseException | None) -> str | None:
    """Return the name of a package that is not installed, if that was the error."""
    while error is not None and not isinstance(error, ModuleNotFoundError):
        error = error.__cause__ or error.__context__
    name = (getattr(error, "name", None) or "").split(".")[0]
    if not name or name in OURS or importlib.util.find_spec(name):
        return None
    # Where everything must run, a package that is missing is a mistake.
    return None if everything_must_run() else name


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector):
    """Skip a module that imports what is not installed."""
    report = yield
    call = getattr(report, "call", None)
    if report.failed and call is not None and (name := absent(call.excinfo.value)):
        report.outcome = "skipped"
        # pytest leaves half of each module whose import failed.
        error = call.excinfo.value
        while error is not None:
            for frame, _ in traceback.walk_tb(error.__traceback__):
                if frame.f_code.co_name == "<module>":
                    sys.modules.pop(frame.f_globals["__name__"], None)
            error = error.__cause__ or error.__context__
        report.longrepr = (str(collector.path), 0, f"Skipped: {name} is not installed")
    return report


def skipping() -> Iterator[None]:
    """Turn the error of a missing package into a skip that names it."""
    try:
        return (yield)
    except Exception as error:
        # A doctest wraps what its example raised.
        wrapped = getattr(error, "exc_info", (None, None))[1]
        if name := absent(error) or absent(wrapped):
            pytest.skip(f"{name} is not installed")
        raise


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup() -> Iterator[None]:
    """Skip what asks for a fixture that imports what is not installed."""
    return (yield from skipping())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Iterator[None]:
    """Skip a test that imports what is not installed."""
    return (yield from skipping())
