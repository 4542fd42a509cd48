"""One operator on an array of any library: a matrix product, or taps.

The array stays in its library and on its device, so gradients, compilers and batching
go through it. NumPy's own arrays have a faster way: `Weights.apply`.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol, TypeVar

import numpy as np

from resizelab import checks
from resizelab.checks import FloatArray, IndexArray

Native = Any  # an array of the library at hand
# An axis, counted from the end, and the arrays of its operator by name: see `arrays`.
Step = tuple[int, tuple[str, ...], tuple[Native, ...]]
# What a matrix product multiplies and adds in the time of one tap (gather, multiply and
# add whole rows), and in that of turning the last axis there and back. Measured in ONNX
# Runtime 1.32 with one thread, 16 to 1024 pixels; JAX 0.10 under jit is between 32 and
# 50 a tap.
TAP, TURN = 48, 64
FORMS = ("cheaper", "matmul", "taps")
Function = TypeVar("Function", bound=Callable[..., Any])
SHORT = ("float16", "bfloat16")  # computed in float32, and rounded once


def settled_once(function: Function) -> Function:
    """Mark what `torch.compile` shall run and not read: its result is a constant.

    The mark is that of `torch.compiler.assume_constant_result`, without torch.
    """
    function.__dict__["_dynamo_marked_constant"] = True
    return function


class Operator(Protocol):
    """What is read of an operator here."""

    def __hash__(self) -> int: ...
    @property
    def index(self) -> IndexArray: ...  # noqa: D102
    @property
    def weight(self) -> FloatArray: ...  # noqa: D102
    @property
    def offset(self) -> FloatArray | None: ...  # noqa: D102
    @property
    def n_out(self) -> int: ...  # noqa: D102
    @property
    def n_in(self) -> int: ...  # noqa: D102
    @property
    def picks(self) -> bool: ...  # noqa: D102
    def dense(self) -> FloatArray: ...  # noqa: D102


@dataclass(frozen=True)
class Library:
    """The functions of an array library that a resize needs.

    ``constant`` brings a NumPy array to a device, ``cast`` changes a type by its name.
    """

    name: str
    take: Callable[[Native, Native, int], Native]
    matmul: Callable[[Native, Native], Native]
    moveaxis: Callable[[Native, int, int], Native]
    minimum: Callable[[Native, Native], Native]
    maximum: Callable[[Native, Native], Native]
    where: Callable[[Native, Native, Native], Native]
    least: Callable[[Native], Native]
    largest: Callable[[Native], Native]
    cast: Callable[[Native, str], Native]
    constant: Callable[[Any, Any], Native]


def of_torch(torch: Any) -> Library:
    """Return what a resize needs of PyTorch."""
    return Library(
        name="torch",
        take=lambda x, index, axis: torch.index_select(x, axis, index),
        matmul=torch.matmul,
        moveaxis=torch.movedim,
        minimum=torch.minimum,
        maximum=torch.maximum,
        where=torch.where,
        least=torch.amin,
        largest=torch.amax,
        cast=lambda x, name: x.to(getattr(torch, name)),
        constant=lambda array, device: torch.tensor(array, device=device),
    )


def like_numpy(
    name: str, xp: Any, constant: Callable[[Any], Native], **options: Any
) -> Library:
    """Return what a resize needs of a namespace with NumPy's names."""
    return Library(
        name=name,
        take=xp.take,
        matmul=lambda a, b: xp.matmul(a, b, **options),
        moveaxis=xp.moveaxis,
        minimum=xp.minimum,
        maximum=xp.maximum,
        where=xp.where,
        least=xp.min,
        largest=xp.max,
        cast=getattr(xp, "cast", lambda x, name: x.astype(name)),
        constant=lambda array, device: constant(array),
    )


_LIBRARIES: dict[str, Callable[[Any], Library]] = {
    "torch": of_torch,
    # A NumPy array is a constant of whatever is traced.
    "jax": lambda m: like_numpy("jax", m.numpy, np.asarray, precision="highest"),
    "keras": lambda m: like_numpy("keras", m.ops, m.ops.convert_to_tensor),
    "cupy": lambda m: like_numpy("cupy", m, m.asarray),
}
# Whose arrays are taken, by the package that their type stands in.
_MAKERS = {"torch": "torch", "cupy": "cupy", "jax": "jax", "jaxlib": "jax"}


def library(name: str) -> Library:
    """Return the library of a name: ``torch``, ``jax``, ``cupy`` or ``keras``.

    It is the one that made the array, so it is there already.
    """
    return _LIBRARIES[name](sys.modules[name])


def library_of(x: Any) -> Library | None:
    """Return the library of an array; None for NumPy's and what NumPy makes one of.

    >>> library_of([1.0, 2.0]) is None
    True
    """
    name = _MAKERS.get(type(x).__module__.split(".")[0])
    return None if name is None else library(name)


def device(x: Native) -> Any:
    """Return where an array is, as its library says it; None if it does not."""
    return getattr(x, "device", None)


def dtype_name(x: Native) -> str:
    """Return the name of an array's type, as NumPy would say it.

    >>> dtype_name(np.zeros(2, np.float32))
    'float32'
    """
    name = getattr(x.dtype, "name", None) or str(x.dtype).split(".")[-1]
    return str(name)


def kind(x: Native) -> str:
    """Return "f" for an array of floats, as NumPy's dtypes say it; else nothing."""
    return "f" if "float" in dtype_name(x) else ""


def by_taps(w: Operator, last: bool, form: str = "cheaper") -> bool:
    """Say whether taps serve better than a matrix: a rule that was measured.

    A product costs n_in multiplications for each output; a tap as many as 48 of them,
    and 64 more where the axis is the last. A picking (nearest) is one gather.
    """
    checks.one_of("form", form, FORMS)
    if w.picks or form == "taps":
        return True
    return form == "cheaper" and price_of_taps(w, last) < w.n_in


def ordered(passes: Sequence[tuple[int, Operator]]) -> list[tuple[int, Operator]]:
    """Return passes, axes counted from the end, in the order that costs least.

    That of two neighbours which, done first, leaves the other more to save: what it
    takes away for each output, by the price of one.
    """

    def late(one: tuple[int, Operator]) -> float:
        price = min(price_of_taps(one[1], one[0] == -1), one[1].n_in)
        return (1 - one[1].n_in / one[1].n_out) / price

    return sorted(passes, key=late)


def price_of_taps(w: Operator, last: bool) -> int:
    """Return what taps cost for each output, in multiplications of a product."""
    return int(w.index.shape[1]) * TAP + TURN * last


@lru_cache(maxsize=64)
def arrays(w: Operator, axis: int, form: str, kind: str) -> Mapping[str, Any]:
    """Return an operator as NumPy arrays; ``axis`` counts from the end.

    ``right`` (n_in, n_out) multiplies from the right, ``left`` (n_out, n_in) from the
    left; or ``index`` (taps, n_out) and ``weight`` (taps, n_out, 1 …) are taps; and
    ``offset`` (n_out, 1 …) is added.
    """
    lined = (w.n_out, *(1,) * (-axis - 1))
    made: dict[str, Any] = {}
    if by_taps(w, axis == -1, form):
        made["index"] = np.array(w.index.T, np.int32, order="C")
        if not w.picks:
            made["weight"] = np.array(w.weight.T.reshape(-1, *lined), kind, order="C")
    elif axis == -1:
        made["right"] = np.ascontiguousarray(w.dense().T, kind)
    else:
        made["left"] = w.dense().astype(kind)
    if w.offset is not None:
        made["offset"] = w.offset.reshape(lined).astype(kind)
    return made


@settled_once
def step(
    w: Operator,
    axis: int,
    form: str = "cheaper",
    kind: str = "float64",
    where: tuple[str, Any] | None = None,
) -> Step:
    """Return one operator as arrays, ``where`` is (library, device): NumPy's if not."""
    made = arrays(w, axis, form, kind)
    values = tuple(made.values())
    if where is not None:
        name, device = where
        values = tuple([library(name).constant(array, device) for array in values])
    return axis, tuple(made), values


def apply(library: Library, w: Operator, x: Native, axis: int) -> Native:
    """Return ``x`` after one operator; ``axis`` counts from the end."""
    made = step(w, axis, where=(library.name, device(x)))
    return applied(library, [made], x)


def applied(library: Library, steps: Sequence[Step], x: Native) -> Native:
    """Return ``x`` after operators; its type is kept.

    Half precision is computed in float32 and rounded once, at the end.
    """
    kept = dtype_name(x)
    y = library.cast(x, "float32") if kept in SHORT else x
    for made in steps:
        y = _along(library, made, y)
    return library.cast(y, kept) if kept in SHORT else y


def _along(library: Library, made: Step, x: Native) -> Native:
    kind, (axis, names, arrays) = dtype_name(x), made
    native = {}
    for name, array in zip(names, arrays, strict=True):
        native[name] = array if name == "index" else library.cast(array, kind)
    if "right" in native:
        y = library.matmul(x, native["right"])
    elif "left" in native:
        rows = library.moveaxis(x, axis, -2)
        y = library.moveaxis(library.matmul(native["left"], rows), -2, axis)
    else:
        y = None
        for k in range(native["index"].shape[0]):
            read = library.take(x, native["index"][k], axis)
            if "weight" in native:
                read = read * native["weight"][k]
            y = read if y is None else y + read
    return y + native["offset"] if "offset" in native else y
