"""Values as JSON and back: numbers, texts, arrays, and lists of them.

What is none of these, such as an engine's own tensor, is not kept: ``Missing`` stands
in its place, and whatever uses it says which engine it came from.
"""

import base64
import zlib
from typing import Any, NoReturn

import numpy as np

from resizelab.engines import EngineMissing

PLAIN = (bool, int, float, str, type(None))
LISTS: dict[str, Any] = {"list": list, "tuple": tuple}
OPERATORS = (
    *("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul"),
    *("and", "or", "xor", "lshift", "rshift"),
)
USES = (
    *("call", "getitem", "setitem", "iter", "len", "contains", "enter", "exit"),
    *("array", "float", "int", "index", "bool", "repr", "str", "format"),
    *("eq", "ne", "lt", "le", "gt", "ge", "neg", "pos", "abs", "invert"),
    *OPERATORS,
    *(f"r{name}" for name in OPERATORS),
)


class NotKept(TypeError):  # noqa: N818 (it says what happened)
    """A value that JSON and arrays cannot say."""


def pack(value: Any) -> Any:
    """Return a value as JSON can hold it, else NotKept.

    >>> pack([1, "a", None])
    {'list': [1, 'a', None]}
    >>> sorted(pack(np.float32(0.5)))
    ['array', 'data', 'shape']
    """
    if type(value) in PLAIN:
        return value
    for name, kind in LISTS.items():
        if type(value) is kind:
            return {name: [pack(item) for item in value]}
    if type(value) is dict:
        return {"dict": [[pack(k), pack(v)] for k, v in value.items()]}
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in "biufc":
        array = np.ascontiguousarray(value)
        data = base64.b64encode(zlib.compress(array.tobytes(), 9)).decode()
        return {"array": str(value.dtype), "shape": list(value.shape), "data": data}
    raise NotKept(f"a {type(value).__module__}.{type(value).__name__} is not kept")


def unpack(told: Any) -> Any:
    """Return the value that ``pack`` was given; a number of NumPy's as such.

    >>> unpack(pack({"x": (1, np.arange(3))}))
    {'x': (1, array([0, 1, 2]))}
    """
    if not isinstance(told, dict):
        return told
    kind, inner = next(iter(told.items()))
    if kind in LISTS:
        return LISTS[kind](unpack(item) for item in inner)
    if kind == "dict":
        return {unpack(k): unpack(v) for k, v in inner}
    data = zlib.decompress(base64.b64decode(told["data"]))
    array = np.frombuffer(data, inner).reshape(told["shape"]).copy()
    return array if told["shape"] else array[()]


class Missing:
    """Stands for a value that only an engine can give; any use of it says so."""

    def __init__(self, name: str, engines: tuple[str, ...]) -> None:
        vars(self).update(_name=name, _engines=engines)

    def __getattr__(self, attribute: str) -> NoReturn:
        _use(self)

    def __setattr__(self, attribute: str, value: object) -> NoReturn:
        _use(self)


def _use(self: Missing, *_: object, **__: object) -> NoReturn:
    name, engines = vars(self)["_name"], vars(self)["_engines"]
    raise EngineMissing(
        f"{name} is from {' and '.join(engines)}, which is not installed here: "
        f"pip install {' '.join(engines)}. Without it only the page's own lines, "
        "unchanged, have an answer",
        name=engines[0] if engines else None,
    )


for _name in USES:
    setattr(Missing, f"__{_name}__", _use)
