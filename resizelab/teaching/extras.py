"""Which extra brings what a module needs, said where it is not installed."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def extra(what: str, *names: str) -> Iterator[None]:
    """Turn the error of a missing package into one that says what installs it.

    >>> with extra("plots", "plots"):
    ...     import no_such_package
    Traceback (most recent call last):
        ...
    ModuleNotFoundError: plots need no_such_package: pip install 'resizelab[plots]'
    """
    try:
        yield
    except ModuleNotFoundError as missing:
        if (missing.name or "").startswith("resizelab"):
            raise
        told = f"{what} need {missing.name}: pip install 'resizelab[{','.join(names)}]'"
        raise ModuleNotFoundError(told, name=missing.name) from missing
