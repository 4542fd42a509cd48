"""One test for a law of many things, which names each thing that breaks it."""

import ast
import functools
import inspect
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest


def name_of(thing: Any) -> str:
    """Return a row's or file's own name, or the thing itself as text."""
    return str(getattr(thing, "name", thing))


def some(things: Iterable[Any], *kept: int) -> list[Any]:
    """Return all things for `parametrize`; those not ``kept`` only the slow run tries.

    What is kept is one of each kind.
    """
    every = [thing if isinstance(thing, tuple) else (thing,) for thing in things]
    assert set(kept) < set(range(len(every))), "what is kept is among the things"
    marks = [() if k in kept else pytest.mark.slow for k in range(len(every))]
    return [pytest.param(*t, marks=m) for t, m in zip(every, marks, strict=True)]


def written(lines: str) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield the name, the arguments and the rest of lines ``call(a=1) -> rest``.

    A line that begins with a space goes on with the one before it; ``#`` is a remark.
    """
    for line in lines.strip().replace("\n ", " ").splitlines():
        if line.startswith("#"):
            continue
        text, rest = line.split(" -> ")
        call = ast.parse(text, mode="eval").body
        given = {k.arg: ast.literal_eval(k.value) for k in call.keywords}
        yield ast.unparse(call.func), given, rest.strip()


def for_each(things: Iterable[Any], name: Callable[[Any], str] = name_of) -> Any:
    """Make a test of its first argument one test of all ``things``.

    What it also asks for are fixtures, shared by all. Every thing is tried, and the
    failure lists each that failed with what was said.
    """
    pairs = [(name(thing), thing) for thing in things]
    listed = dict(pairs)
    assert len(listed) == len(pairs), "two things have one name"

    def decorated(law: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(law)
        def all_of_them(**fixtures: Any) -> None:
            assert listed, "there is nothing to test"
            failed = {}
            for said, thing in listed.items():
                try:
                    law(thing, **fixtures)
                except (Exception, pytest.fail.Exception) as error:
                    failed[said] = f"{type(error).__name__}: {error}"
            told = [f"{said}: {words[:600]}" for said, words in failed.items()]
            assert not failed, f"{len(failed)} of {len(listed)}\n" + "\n".join(told)

        parameters = list(inspect.signature(law).parameters.values())[1:]
        all_of_them.__signature__ = inspect.Signature(parameters)
        return all_of_them

    return decorated
