"""Read a resize call as the user writes it: text in, name and arguments out.

The text is parsed and never run: only literals, names and flags are understood.
"""

import ast
import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from resizelab import checks
from resizelab.axis.convention import Convention
from resizelab.catalog import convention, find
from resizelab.catalog.calls import ALIASES, CALLS, kinds, known, real

LONGEST = 4_000  # characters of one call
PLANE = 2
# What is called on a picture, and not on a module.
METHODS = {"resize": "PIL.Image.Image.resize", "thumbnail": "PIL.Image.Image.thumbnail"}
# Modules that people import and that are no picture, besides those of the calls.
MODULES = ("np", "numpy", "scipy", "skimage", "mmcv", "imutils", "A", "T")
# What makes an array of numbers that are written out.
ARRAYS = ("array", "asarray", "float32", "float64", "tensor")
PICTURE = "image"  # a module of TensorFlow and JAX, but alone mostly somebody's picture


@dataclass(frozen=True)
class Unknown:
    """A name or an expression whose value only the running program knows."""

    text: str


class Flag(str):
    """The name of a library's flag: ``INTER_AREA`` of ``cv2.INTER_AREA``."""

    __slots__ = ()

    def member(self) -> enum.Enum:
        """Return a flag of this name, as calls take those of any library."""
        made: type[enum.Enum] = enum.Enum("Flag", {self: str(self)})  # type: ignore
        return made[self]


@dataclass(frozen=True)
class Call:
    """One resize call: its real name, its arguments, the size it asks for.

    ``size`` is (height, width) where the text holds numbers; ``array`` the name of
    what is resized; ``misplaced`` what stands where OpenCV expects ``dst``.
    """

    text: str
    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    size: tuple[int, int] | None = None
    array: str = ""
    misplaced: Any = None

    @property
    def width_first(self) -> bool:
        """Whether the call takes its size as (width, height)."""
        return CALLS[self.name].width_first

    def convention(self) -> Convention:
        """Return what the call computes; a value that is not known is an error."""
        for key, value in self.arguments.items():
            if _holds_unknown(value):
                raise ValueError(
                    f"{key}={_said(value)} of {self.name} is not a value that can be "
                    "read"
                )
        given = self.arguments.items()
        flags = {k: v.member() for k, v in given if isinstance(v, Flag)}
        return find(self.name, **{**self.arguments, **flags})


def parsed(text: str) -> Call:
    """Return the call that ``text`` writes, else raise ValueError or LookupError.

    >>> parsed("F.interpolate(x, size=(20, 30), mode='bilinear')").size
    (20, 30)
    >>> parsed("cv2.resize(img, (30, 20), interpolation=cv2.INTER_AREA)").arguments
    {'dsize': [30, 20], 'interpolation': 'INTER_AREA'}
    >>> parsed("nn.Upsample(scale_factor=2)(mask)").array
    'mask'
    """
    tree = _tree(text)
    outer: list[ast.expr] = []
    if isinstance(tree.func, ast.Call):  # a layer, called on an array
        outer, tree = [*tree.args, *(k.value for k in tree.keywords)], tree.func
    name, owner = _name(tree.func)
    call = CALLS[name]
    values = [_value(node) for node in tree.args]
    named = {}
    for keyword in tree.keywords:
        if keyword.arg is None:
            raise ValueError(f"**{ast.unparse(keyword.value)} cannot be read")
        named[keyword.arg] = _value(keyword.value)
    given = call.bind(*owner, *values, **named)
    arrays = [given.pop(k) for k in call.named(kinds.array) if k in given]
    arrays += map(_value, outer)
    if owner and isinstance(given.get("size"), int):
        raise TypeError(f"{name} takes size as (width, height); got {given['size']}")
    third = len(tree.args) > 2 and "dst" in given
    return Call(
        text=text.strip(),
        name=name,
        arguments={k: v for k, v in _readable(call, given).items() if k != "dst"},
        size=_size(call, given),
        array=next((a.text for a in arrays if isinstance(a, Unknown)), ""),
        misplaced=given["dst"] if third else None,
    )


def meant(text: str) -> Convention:
    """Return what a text names: a call as it is written, or a convention.

    >>> meant("tf1.bilinear").name == meant("resize_bilinear(x, (8, 8))").name
    True
    """
    return parsed(text).convention() if "(" in text else convention(text)


def _tree(text: str) -> ast.Call:
    checks.a("call", text, str)
    if len(text) > LONGEST:
        raise ValueError(f"a call has at most {LONGEST} characters; got {len(text)}")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValueError(f"this is not a call: {text!r}") from None
    if not isinstance(tree, ast.Call):
        raise ValueError(f"this is not a call: {text!r}")
    return tree


def _name(function: ast.expr) -> tuple[str, list[Unknown]]:
    """Return the real name, and the array if the call is a method of a picture."""
    written = ast.unparse(function)
    if isinstance(function, ast.Attribute) and function.attr in METHODS:
        owner = ast.unparse(function.value)
        called = any(isinstance(n, ast.Call) for n in ast.walk(function.value))
        module = known(written) or owner.partition(".")[0] in _modules()
        if called or not module:
            return METHODS[function.attr], [Unknown(owner)]
    return real(written).name, []


def _modules() -> set[str]:
    names = (name for name in (*CALLS, *ALIASES) if "." in name)
    return {*MODULES, *(name.partition(".")[0] for name in names)} - {PICTURE}


def _value(node: ast.expr) -> Any:
    try:
        return kinds.plain(ast.literal_eval(node))
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        pass  # not a literal: a flag, a name, or a list that holds one
    called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
    if called.rpartition(".")[2] in ARRAYS and node.args:  # type: ignore[attr-defined]
        return _value(node.args[0])  # type: ignore[attr-defined]
    named = node.attr if isinstance(node, ast.Attribute) else ""
    if named.isupper() or named.startswith("INTER_"):
        return Flag(named)
    if isinstance(node, (ast.Tuple, ast.List)):
        return [_value(entry) for entry in node.elts]
    return Unknown(ast.unparse(node))


def _holds_unknown(value: Any) -> bool:
    if isinstance(value, list):
        return any(map(_holds_unknown, value))
    return isinstance(value, Unknown)


def _said(value: Any) -> str:
    if isinstance(value, list):
        return f"({', '.join(map(_said, value))})"
    return value.text if isinstance(value, Unknown) else repr(value)


def _readable(call: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments; a size that is not known is some size."""
    sizes = {*call.named(kinds.size), *call.named(kinds.sides)}
    unread = call.named(kinds.unread)
    found = {k: v for k, v in given.items() if k == "dst" or k not in unread}
    for key in sizes & found.keys():
        if _holds_unknown(found[key]):
            listed = found[key] if isinstance(found[key], list) else [1, 1]
            found[key] = [1 if isinstance(n, Unknown) else n for n in listed]
    return found


def _size(call: Any, given: Mapping[str, Any]) -> tuple[int, int] | None:
    """Return the size that is asked for as (height, width), if the text holds it."""
    sizes = (*call.named(kinds.size), *call.named(kinds.sides))
    if any(_holds_unknown(given.get(key)) for key in sizes):
        return None
    asked = call.size(given)
    if not asked:
        return None
    plane = asked[:PLANE] if call.layout.startswith("HW") else asked[-PLANE:]
    return plane[0], plane[-1]
