"""With NumPy and pytest alone, what needs more is skipped, not failed."""

import importlib.util
import sys
from collections.abc import Iterator

import pytest
from browser import everything_must_run

OURS = ("resizelab", "tests")


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
        # Half a module must not stand in the way of those that import it.
        for key, module in list(sys.modules.items()):
            # Of a package that failed, pytest leaves an empty one.
            empty = key.startswith("resizelab.") and module.__spec__ is None
            if empty or getattr(module, "__file__", None) == str(collector.path):
                del sys.modules[key]
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
