"""Plain words for the fields of a convention and their values, and what rows share.

Messages say these instead of a field's name; the page `words` shows the whole table.
"""

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from statistics import mode
from typing import Any

from resizelab.axis.convention import Convention

# Values that are names, as pages and other libraries write them.
NAMES = ("kernel", "grid", "nearest_mode", "size_rule", "prefilter")


@cache
def table() -> Mapping[str, Mapping[str, Any]]:
    """Return what is ``said`` of each field, and of its ``values`` that need words."""
    text = (resources.files("resizelab.catalog") / "phrases.toml").read_text("utf-8")
    return tomllib.loads(text)


def field(name: str) -> str:
    """Return a field in plain words.

    >>> field("tie_epsilon")
    'how close to a half counts as a tie'
    """
    return str(table()["said"].get(name, name.replace("_", " ")))


def value(name: str, given: Any) -> str:
    """Return a field's value in plain words.

    >>> value("window", "half_open"), value("a", -0.5)
    ('the first is left out', '-0.5')
    """
    known = table()["values"].get(name, {})
    key = str(given).lower() if given is None or isinstance(given, bool) else given
    if isinstance(given, (tuple, list)):
        return ", ".join(map(str, given)) or str(known.get("nothing", "none"))
    if isinstance(key, str) and key in known:
        return str(known[key])
    if isinstance(given, float):
        return f"{given:g}"
    return str(key) if name in NAMES else str(key).replace("_", " ")


def parted(name: str, here: Any, there: Any) -> str:
    """Return in plain words that a field differs.

    >>> parted("clip_to_input", True, False)
    "results beyond the input's range: are clipped here, stay there"
    """
    return f"{field(name)}: {value(name, here)} here, {value(name, there)} there"


def common(some: Iterable[Convention]) -> str:
    """Return the ideas of conventions with the same numbers, as most of them have them.

    >>> common([Convention(name="a"), Convention(name="b")])
    'half_pixel · linear · no antialias · edge'
    """
    specs = [c.spec for c in some]
    ideas = (
        [s.grid for s in specs],
        [_kernel(s) for s in specs],
        ["antialias" if s.antialias else "no antialias" for s in specs],
        [s.boundary for s in specs if s.kernel != "nearest"],
    )
    return " · ".join(mode(each) for each in ideas if each)


def _kernel(spec: Any) -> str:
    names = ("a", "b", "c", "lobes", "order")
    known = [(n, getattr(spec, n)) for n in names]
    numbers = [f"{n} = {v:g}" for n, v in known if v is not None]
    given = [*numbers, *([spec.nearest_mode] if spec.nearest_mode else [])]
    kernel = spec.kernel if isinstance(spec.kernel, str) else spec.kernel.name
    return ", ".join([kernel, *given])


def page(some: Iterable[Convention]) -> str:
    """Return the page of the book that explains what conventions share."""
    spec = next(iter(some)).spec
    if spec.antialias or spec.kernel in (
        "area",
        "adaptive_area",
        "two_tap_area",
        "box",
    ):
        return "shrinking"
    pages = {"nearest": "nearest", "cubic": "cubic", "bspline": "cubic"}
    return pages.get(str(spec.kernel), "grids")
